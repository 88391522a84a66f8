//! What the tests of languages share: a file in, what was read out of it as lines of words.

use std::sync::Arc;

use super::{Formatting, SyntaxReading, declarations, read};
use crate::change::diff::diff;
use crate::change::{ChangeKind, ChangedFile, FileMode, FileVersion, ObjectId, RepoPath, Text, Texts};

/// Reads a change of one file; an empty side does not exist.
pub(super) fn reading(path: &str, base: &[u8], head: &[u8]) -> SyntaxReading {
    let side = |bytes: &[u8]| (!bytes.is_empty()).then(|| Text::new(Arc::from(bytes)));
    let texts = Texts { base: side(base), head: side(head) };
    let version = |text: &Option<Text>| {
        text.as_ref().map(|_| FileVersion { blob: ObjectId::ZERO, mode: FileMode::REGULAR, size: None })
    };
    let kind = match (&texts.base, &texts.head) {
        (None, _) => ChangeKind::Addition,
        (_, None) => ChangeKind::Deletion,
        _ => ChangeKind::Modification,
    };
    let file = ChangedFile {
        path: RepoPath::from(path),
        previous_path: None,
        kind,
        base: version(&texts.base),
        head: version(&texts.head),
    };
    read(&file, &texts, &diff(&texts))
}

/// The entities of all hunks, one a line: kind, name, `public` or `private`, change.
pub(super) fn entities(path: &str, base: &str, head: &str) -> Vec<String> {
    let reading = reading(path, base.as_bytes(), head.as_bytes());
    assert_eq!(reading.entities_not_read, None);
    let word = |public| if public { "public" } else { "private" };
    let all = reading.entities.iter().flatten();
    all.map(|one| format!("{} {} {} {}", one.kind.word(), one.name, word(one.public), one.change.word())).collect()
}

/// The declarations of a file, one a line: lines, lines of the declaration, kind, name, `public` or `private`.
pub(super) fn outline(path: &str, text: &str) -> Vec<String> {
    let all = declarations(&RepoPath::from(path), &Text::from(text)).unwrap_or_default();
    let word = |public| if public { "public" } else { "private" };
    let line = |one: &super::Declaration| {
        let ((first, last), (from, to)) = (one.lines, one.declaration_lines);
        format!("{first}-{last} {from}-{to} {} {} {}", one.kind.word(), one.name, word(one.public))
    };
    all.iter().map(line).collect()
}

/// Whether only the layout changed.
pub(super) fn formatting(path: &str, base: &str, head: &str) -> Formatting {
    reading(path, base.as_bytes(), head.as_bytes()).formatting
}

/// Asserts that each pair is confirmed as layout only.
pub(super) fn confirmed(path: &str, pairs: &[(&str, &str)]) {
    for (base, head) in pairs {
        assert_eq!(formatting(path, base, head), Formatting::Confirmed, "{base:?} -> {head:?}");
    }
}

/// Asserts that no pair is confirmed as layout only, in either direction.
pub(super) fn not_confirmed(path: &str, pairs: &[(&str, &str)]) {
    for (base, head) in pairs {
        for (base, head) in [(base, head), (head, base)] {
            assert_ne!(formatting(path, base, head), Formatting::Confirmed, "{base:?} -> {head:?}");
        }
    }
}
