//! Parses one version of a file, within limits of bytes and of work, never of time.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::languages::Language;
use crate::change::{RepoPath, Text};

/// Bytes of the longest file that is parsed.
pub(super) const MAX_BYTES: usize = 1_000_000;

/// Work that is allowed for a file whatever its size, and for each thousand of its bytes, in the parser's own steps.
/// Real source takes up to 20 for each; only input made to be ambiguous everywhere meets the limit.
const STEPS: u64 = 10_000;
const STEPS_PER_KILOBYTE: u64 = 60;

/// How many brackets may be open at a time: a step costs more the deeper the parser is. No person nests so far.
const MAX_NESTING: u32 = 2000;

/// The tree of a text.
///
/// # Errors
/// The reason, in one clause: too long, or more work than is allowed.
pub(super) fn parse(language: &Language, text: &Text) -> Result<Tree, String> {
    let bytes = text.bytes();
    if bytes.len() > MAX_BYTES {
        return Err(too_long());
    }
    if nesting(bytes) > MAX_NESTING {
        return Err("over 2000 brackets open at a time".to_owned());
    }
    let mut parser = Parser::new();
    let fits = parser.set_language(&language.tables().grammar);
    fits.map_err(|error| format!("the grammar of {} cannot be used: {error}", language.name))?;
    let limit = STEPS + STEPS_PER_KILOBYTE * (bytes.len() as u64 / 1000);
    let mut steps = 0_u64;
    let mut count = |_: &ParseState| {
        steps += 1;
        if steps > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let options = ParseOptions::new().progress_callback(&mut count);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    tree.ok_or_else(|| "parsing it takes more work than is allowed for its size".to_owned())
}

/// The most brackets that are open at a time, whatever they stand in. An angle counts as open until a `>`, or until
/// the end of its statement, where it was a comparison.
fn nesting(bytes: &[u8]) -> u32 {
    let (mut most, mut open, mut angles) = (0, 0_u32, 0_u32);
    for byte in bytes {
        match byte {
            b'(' | b'[' => open += 1,
            b'{' => (open, angles) = (open + 1, 0),
            b')' | b']' => open = open.saturating_sub(1),
            b'}' => (open, angles) = (open.saturating_sub(1), 0),
            b';' => angles = 0,
            b'<' => angles += 1,
            b'>' => angles = angles.saturating_sub(1),
            _ => continue,
        }
        most = most.max(open + angles);
    }
    most
}

/// What is said of a file over the limit.
pub(super) fn too_long() -> String {
    "over 1,000,000 bytes".to_owned()
}

/// What is said of a file in a language without a grammar.
pub(super) fn no_grammar(path: &RepoPath) -> String {
    match path.extension() {
        Some(extension) if !extension.is_empty() => {
            format!("no grammar for .{} files", String::from_utf8_lossy(extension))
        }
        _ => "no grammar for this kind of file".to_owned(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::super::languages::language_of;
    use super::*;

    fn why(path: &str, text: &str) -> Option<String> {
        parse(language_of(&RepoPath::from(path)).unwrap(), &Text::from(text)).err()
    }

    #[test]
    fn nesting_is_counted_over_statements() {
        assert_eq!(nesting(b"f(a[b], {c})"), 2);
        assert_eq!(nesting(b"A<B<C>> x; i < 3; j < 4;"), 2);
        assert_eq!(nesting(b")))((("), 3);
    }

    #[test]
    fn what_was_made_to_be_hard_is_given_up() {
        assert_eq!(why("a.ts", &"a<".repeat(3000)).as_deref(), Some("over 2000 brackets open at a time"));
        assert_eq!(why("a.js", &"(".repeat(3000)).as_deref(), Some("over 2000 brackets open at a time"));
        assert_eq!(why("a.rs", &"fn f() { a < b }\n".repeat(3000)), None);
    }
}
