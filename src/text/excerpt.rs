//! A line as an agent is shown it: cut where it is very long. Checks compare with this text.

use std::borrow::Cow;

use super::Clean;

/// Characters of one line that an agent is shown at most.
pub const LINE_CHARS: usize = 400;

/// The line as it is shown.
pub fn shown_line(text: &Clean) -> Cow<'_, str> {
    match text.as_str().char_indices().nth(LINE_CHARS) {
        Some((end, _)) => Cow::Owned(text.as_str()[..end].to_owned()),
        None => Cow::Borrowed(text.as_str()),
    }
}

/// The line as it is shown, followed by how much of it is not.
pub fn excerpt(text: &Clean) -> Cow<'_, str> {
    let shown = shown_line(text);
    match text.as_str().chars().count().saturating_sub(LINE_CHARS) {
        0 => shown,
        rest => Cow::Owned(format!("{shown} [{rest} more characters]")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::clean;

    #[test]
    fn says_what_it_cuts() {
        let line = clean(&"é".repeat(LINE_CHARS + 3));
        assert_eq!(shown_line(&line).chars().count(), LINE_CHARS);
        assert!(excerpt(&line).ends_with("é [3 more characters]"));
        assert_eq!(excerpt(&clean("short")), "short");
    }
}
