//! What is said about a file in words: what happened to it besides its lines, and what could not be done.

use crate::change::{ChangeKind, ChangedFile, FileMode, FileVersion, Side};
use crate::tui::panes::reader::Reader;

/// The notes of a file, one row each.
pub fn of(at: usize, reader: &Reader) -> Vec<String> {
    let Some(file) = reader.file(at) else { return Vec::new() };
    let mut notes: Vec<String> =
        [kind_note(file), mode_note(file), submodule_note(file)].into_iter().flatten().collect();
    let Some(diff) = reader.diff(at) else {
        notes.push("its hunks are being cut".to_owned());
        return notes;
    };
    if let Some(why) = &diff.not_read {
        notes.push(format!("no diff: {why}"));
    } else if diff.binary {
        notes.push(format!("binary: {}", sizes(file)));
    } else if let Some(note) = empty_note(file).filter(|_| diff.hunks.is_empty()) {
        notes.push(note);
    }
    let both_texts = file.base.is_some() && file.head.is_some() && !diff.hunks.is_empty();
    match (diff.base_lacks_newline, diff.head_lacks_newline) {
        (false, true) if both_texts => notes.push("the newline at its end is gone at the head".to_owned()),
        (true, false) if both_texts => notes.push("a newline at its end is new at the head".to_owned()),
        _ => {}
    }
    if let Some(why) = reader.reading(at).and_then(|reading| reading.entities_not_read.as_ref()) {
        notes.push(format!("entities not read: {why}"));
    }
    if notes.is_empty() && diff.hunks.is_empty() {
        notes.push("no line changed".to_owned());
    }
    notes
}

fn kind_note(file: &ChangedFile) -> Option<String> {
    match (file.kind, &file.previous_path) {
        (ChangeKind::Rename, Some(from)) => {
            let same = matches!((file.base, file.head), (Some(base), Some(head)) if base.blob == head.blob);
            let edits = if same { ", content unchanged" } else { "" };
            Some(format!("renamed from {}{edits}", from.shown()))
        }
        (ChangeKind::TypeChange, _) => {
            let word = |version: Option<FileVersion>| version.map_or("nothing", |version| version.mode.word());
            Some(format!("was a {}, is now a {}", word(file.base), word(file.head)))
        }
        (ChangeKind::Addition, _) => {
            file.head.and_then(|version| special(version.mode)).map(|word| format!("new {word}"))
        }
        (ChangeKind::Deletion, _) => {
            file.base.and_then(|version| special(version.mode)).map(|word| format!("deleted {word}"))
        }
        _ => file
            .head
            .filter(|version| version.mode == FileMode::SYMLINK)
            .map(|_| "symlink: its target changed".to_owned()),
    }
}

/// The word for anything but an ordinary file.
fn special(mode: FileMode) -> Option<&'static str> {
    (mode != FileMode::REGULAR).then_some(match mode {
        FileMode::SYMLINK => "symlink; the line is its target",
        FileMode::SUBMODULE => "submodule",
        _ => "executable file",
    })
}

fn mode_note(file: &ChangedFile) -> Option<String> {
    if !file.mode_changed() {
        return None;
    }
    let (base, head) = (file.base?.mode, file.head?.mode);
    let meaning = match (base, head) {
        (FileMode::REGULAR, FileMode::EXECUTABLE) => ": executable now",
        (FileMode::EXECUTABLE, FileMode::REGULAR) => ": no longer executable",
        _ => "",
    };
    Some(format!("mode {base} -> {head}{meaning}"))
}

fn submodule_note(file: &ChangedFile) -> Option<String> {
    let commit = |side| file.on(side).filter(|version| version.mode == FileMode::SUBMODULE).map(|v| v.blob.short());
    match (commit(Side::Base), commit(Side::Head)) {
        (Some(base), Some(head)) => Some(format!("submodule: commit {base} -> {head}; its own changes are not shown")),
        (None, Some(head)) => Some(format!("submodule: at commit {head}; its files are not shown")),
        (Some(base), None) => Some(format!("submodule: was at commit {base}")),
        (None, None) => None,
    }
}

fn empty_note(file: &ChangedFile) -> Option<String> {
    let empty = |version: Option<FileVersion>| version.is_some_and(|version| version.size == Some(0));
    match (file.base, file.head) {
        (None, head) if empty(head) => Some("new empty file".to_owned()),
        (base, None) if empty(base) => Some("deleted empty file".to_owned()),
        _ => None,
    }
}

fn sizes(file: &ChangedFile) -> String {
    let size = |version: FileVersion| version.size.map_or("unknown size".to_owned(), bytes);
    match (file.base, file.head) {
        (Some(base), Some(head)) => format!("{} at the base, {} at the head", size(base), size(head)),
        (None, Some(head)) => format!("{}, new", size(head)),
        (Some(base), None) => format!("{}, deleted", size(base)),
        (None, None) => String::new(),
    }
}

/// A count of bytes with its thousands apart.
pub fn bytes(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + if count == 1 { " byte" } else { " bytes" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::fixtures::Fixture;
    use std::sync::Arc;

    fn notes(fixture: Fixture) -> Vec<String> {
        let (change, files) = fixture.build();
        let diff = files[0].diff.clone();
        of(0, &Reader::listed(Arc::new(change), Some((0, diff))))
    }

    #[test]
    fn says_what_lines_cannot() {
        let one = |base: &str, head: &str| Fixture::new(&[("a", base)], &[("a", head)]);
        let mode = one("x\n", "x\n").file(Side::Head, "a", b"x\n", FileMode::EXECUTABLE);
        assert_eq!(notes(mode), ["mode 100644 -> 100755: executable now"]);
        let rename = Fixture::new(&[("a", "x\n")], &[("b", "x\n")]).rename("a", "b");
        assert_eq!(notes(rename), ["renamed from a, content unchanged"]);
        let binary = one("", "").file(Side::Base, "a", b"\0", FileMode::REGULAR).file(
            Side::Head,
            "a",
            &[0; 1234],
            FileMode::REGULAR,
        );
        assert_eq!(notes(binary), ["binary: 1 byte at the base, 1,234 bytes at the head"]);
        assert_eq!(notes(Fixture::new(&[], &[("a", "")])), ["new empty file"]);
        assert_eq!(notes(one("x", "x\n")), ["a newline at its end is new at the head"]);
        let link = one("x", "").file(Side::Head, "a", b"target", FileMode::SYMLINK);
        assert_eq!(notes(link)[0], "was a file, is now a symlink");
    }
}
