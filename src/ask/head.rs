//! Lines of the head tree that are no lines of the part: read through the change's trees, cleaned as agents see them.

use super::check::folded;
use super::subject::Subject;
use crate::change::{FileMode, RepoPath, Side, Text};
use crate::text::{clean_bytes, shown_line};

/// Lines that a quote may run over.
pub const SPAN: u32 = 10;

/// Bytes at the start of a file that are looked at to tell whether it is a text.
const SNIFFED: usize = 8000;

/// The text of a file at the head.
///
/// # Errors
/// Why there is none, in one clause: no such file, a link, a submodule, no text, or not here.
pub fn text(subject: &Subject, path: &RepoPath) -> Result<Text, String> {
    let change = &subject.reading.change;
    let not_here = |missing: crate::change::Missing| format!("it cannot be read here ({})", missing.why);
    let Some(version) = change.trees.file(Side::Head, path).map_err(not_here)? else {
        let moved = change.files.iter().find(|file| file.previous_path.as_ref() == Some(path));
        return Err(match moved {
            Some(file) => format!("the head has no such file: it is now `{}`", file.path.shown()),
            None => "the head has no such file".to_owned(),
        });
    };
    match version.mode {
        FileMode::SYMLINK => return Err("it is a link, and links are not followed".to_owned()),
        FileMode::SUBMODULE => return Err("it is a submodule, and none is entered".to_owned()),
        _ => {}
    }
    let text = Text::new(change.trees.blob(version.blob).map_err(not_here)?);
    if text.bytes().iter().take(SNIFFED).any(|byte| *byte == 0) {
        return Err("it is no text".to_owned());
    }
    Ok(text)
}

/// A line as an agent is shown it, white space folded; none past the end.
pub fn line(text: &Text, number: u32) -> Option<String> {
    text.line(number).map(|line| folded(&shown_line(&clean_bytes(line))))
}

/// Where a quote ends that starts on a line and may run on, its white space folded, blank lines dropped.
/// None where it does not start on that line.
pub fn quote_end(text: &Text, first: u32, quote: &str) -> Option<u32> {
    let (mut joined, mut ends) = (line(text, first)?, Vec::new());
    let start_within = joined.len();
    ends.push((first, joined.len()));
    for number in first.saturating_add(1)..first.saturating_add(SPAN) {
        let Some(next) = line(text, number) else { break };
        if !next.is_empty() {
            joined.push(' ');
            joined.push_str(&next);
            ends.push((number, joined.len()));
        }
    }
    let at = joined.find(quote).filter(|at| *at < start_within)?;
    ends.into_iter().find(|(_, end)| at + quote.len() <= *end).map(|(number, _)| number)
}

/// The lines of a span joined as a quote of them is, blank lines dropped.
pub fn joined(text: &Text, first: u32, last: u32) -> String {
    let lines = (first..=last).filter_map(|number| line(text, number)).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use crate::ask::fixtures::{LabelledFile, one_part};
    use proptest::prelude::*;

    #[test]
    fn says_why_there_is_no_text() {
        let mut labelled = one_part("a.py", "x = 1\n", "x = 2\n");
        let mut same = |path: &str, bytes: &[u8], mode| {
            let version = Some((bytes.to_vec(), mode));
            let (base, head) = (version.clone(), version);
            labelled.files.push(LabelledFile { path: path.to_owned(), previous: None, base, head });
        };
        same("link", b"/etc/passwd", FileMode::SYMLINK);
        same("module", b"x", FileMode::SUBMODULE);
        same("image", b"a\0b", FileMode::REGULAR);
        same("run", b"#!/bin/sh\n", FileMode::EXECUTABLE);
        let moved = (b"same\n".to_vec(), FileMode::REGULAR);
        let (base, head, previous) = (Some(moved.clone()), Some(moved), Some("old.py".to_owned()));
        labelled.files.push(LabelledFile { path: "new.py".to_owned(), previous, base, head });
        let subject = labelled.subject();
        let why = |path: &str| text(&subject, &path.into()).err();
        assert_eq!(why("link").unwrap(), "it is a link, and links are not followed");
        assert_eq!(why("module").unwrap(), "it is a submodule, and none is entered");
        assert_eq!(why("image").unwrap(), "it is no text");
        assert_eq!(why("../a.py").unwrap(), "the head has no such file");
        assert_eq!(why("old.py").unwrap(), "the head has no such file: it is now `new.py`");
        assert_eq!((why("run"), why("a.py")), (None, None));
    }

    #[test]
    fn a_quote_may_run_on() {
        let text = Text::from("def f(\n    a,\n\n    b,\n):\n    return  a\n");
        assert_eq!(quote_end(&text, 1, "def f("), Some(1));
        assert_eq!(quote_end(&text, 1, "f( a, b, ):"), Some(5));
        assert_eq!(quote_end(&text, 1, "a, b,"), None);
        assert_eq!(quote_end(&text, 2, "a, b,"), Some(4));
        assert_eq!(quote_end(&text, 6, "return a"), Some(6));
        assert_eq!(quote_end(&text, 7, "return a"), None);
        let long = Text::from("x\n".repeat(12).as_str());
        assert_eq!(quote_end(&long, 1, &folded(&"x ".repeat(10))), Some(10));
        assert_eq!(quote_end(&long, 1, &folded(&"x ".repeat(11))), None);
        assert_eq!(joined(&text, 1, 4), "def f( a, b,");
    }

    proptest! {
        #[test]
        fn any_quote_of_any_text_is_looked_for(bytes in any::<Vec<u8>>(), first in 0_u32..5, quote in ".{0,6}") {
            let text = Text::new(bytes.into());
            if let Some(last) = quote_end(&text, first, &quote) {
                prop_assert!(first <= last && last <= text.lines());
                prop_assert!(joined(&text, first, last).contains(&quote));
            }
        }
    }
}
