//! Markdown as GitHub keeps it, for reading: cleaned, and what GitHub's pages hide said to be hidden.

use super::{Clean, clean_prose};

/// Cleans a text in GitHub's markdown. An HTML comment stays where it is, between words that say it is hidden; one
/// that is not closed runs to the end.
pub fn clean_markdown(text: &str) -> Clean {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(start) = rest.find("<!--") {
        out.push_str(&rest[..start]);
        let end = rest[start..].find("-->").map_or(rest.len(), |end| start + end + 3);
        out.push_str(&format!("[hidden on GitHub: {}]", &rest[start..end]));
        rest = &rest[end..];
    }
    out.push_str(rest);
    clean_prose(&out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shows_what_is_hidden() {
        assert_eq!(clean_markdown("Fine. <!-- x --> End").as_str(), "Fine. [hidden on GitHub: <!-- x -->] End");
        assert_eq!(clean_markdown("a <!-- b").as_str(), "a [hidden on GitHub: <!-- b]");
        assert_eq!(clean_markdown("-->").as_str(), "-->");
    }

    proptest! {
        #[test]
        fn hides_nothing_and_never_fails(text in any::<String>()) {
            let escaped = clean_markdown(&text).as_str().contains('\u{1b}');
            prop_assert!(!escaped);
        }
    }
}
