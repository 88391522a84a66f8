//! What happened to files as a whole: moved, deleted, new, binary, of another mode, a link to somewhere else.

use super::does::{Pieces, path};
use super::essay::{Essay, tick, ticks};
use super::notes::Notes;
use crate::change::diff::LineKind;
use crate::change::{ChangeKind, FileMode, Side};

/// What happened to each file as a whole, where that is more than an edit.
pub fn whole_files(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    let subject = essay.subject;
    for piece in &subject.part().part.pieces {
        let (file, reading) = (&subject.reading.change.files[piece.file], &subject.reading.files[piece.file]);
        let path = tick(file.path.shown().as_str());
        let no_lines = if reading.diff.hunks.is_empty() { "; no line of it changes" } else { "" };
        let size = |side| match file.on(side).and_then(|version| version.size) {
            Some(1) => "1 byte".to_owned(),
            Some(bytes) => format!("{bytes} bytes"),
            None => "an unknown size".to_owned(),
        };
        if file.kind == ChangeKind::Rename {
            let from = tick(file.path_on(Side::Base).shown().as_str());
            essay.state(format!("{from} moves to {path}{no_lines}"), None);
        }
        if reading.diff.binary
            && !(file.kind == ChangeKind::Rename && file.base.map(|b| b.blob) == file.head.map(|h| h.blob))
        {
            essay.state(
                match file.kind {
                    ChangeKind::Addition => format!("{path} is a new binary file of {}", size(Side::Head)),
                    ChangeKind::Deletion => format!("The binary file {path} of {} is deleted", size(Side::Base)),
                    _ => format!("{path} is binary; it changes from {} to {}", size(Side::Base), size(Side::Head)),
                },
                None,
            );
        } else if file.kind == ChangeKind::Deletion {
            let kind = file.base.map_or("file", |version| word(version.mode));
            essay.state(
                format!("The {kind} {path} is deleted{no_lines}", no_lines = lines(reading.diff.deletions)),
                None,
            );
        } else if file.kind == ChangeKind::Addition && (notes.entities.is_empty() || reading.diff.hunks.is_empty()) {
            let kind = file.head.map_or("file", |version| word(version.mode));
            essay.state(format!("{path} is a new {kind}{}", lines(reading.diff.additions)), None);
        }
        if let (Some(base), Some(head)) = (file.base, file.head)
            && base.mode != head.mode
        {
            essay.state(format!("{path} {}{no_lines}", mode_change(base.mode, head.mode)), None);
        } else if let (Some(base), Some(head)) = (file.base, file.head)
            && base.mode == FileMode::SUBMODULE
        {
            essay.state(
                format!("The submodule {path} moves from commit {} to {}", base.blob.short(), head.blob.short()),
                None,
            );
        }
        if let Some(why) = &reading.diff.not_read {
            essay.state(format!("The lines of {path} were not read: {}", crate::text::clean(why)), None);
        }
    }
}

fn word(mode: FileMode) -> &'static str {
    if mode == FileMode::EXECUTABLE { "file" } else { mode.word() }
}

/// `, 3 lines`, where there are any.
fn lines(count: u32) -> String {
    match count {
        0 => String::new(),
        1 => ", 1 line".to_owned(),
        n => format!(", {n} lines"),
    }
}

fn mode_change(base: FileMode, head: FileMode) -> String {
    match (base, head) {
        (FileMode::REGULAR, FileMode::EXECUTABLE) => "becomes executable (mode 100644 to 100755)".to_owned(),
        (FileMode::EXECUTABLE, FileMode::REGULAR) => "is no longer executable (mode 100755 to 100644)".to_owned(),
        _ => format!("was a {} and is a {} now (mode {base} to {head})", base.word(), head.word()),
    }
}

pub fn blank_lines(essay: &mut Essay<'_>) {
    let subject = essay.subject;
    let part = &subject.part().part;
    if part.changed_lines() > 0 {
        let (added, removed) = (part.additions, part.deletions);
        essay.state(format!("Only blank lines change: {added} added, {removed} removed"), None);
    } else if essay.is_empty() {
        let paths: Vec<String> = part.pieces.iter().map(|piece| path(essay, piece.file)).collect();
        essay.state(format!("No line of {} changes", ticks(&paths, 3)), None);
    }
}

pub fn is_link(essay: &Essay<'_>) -> bool {
    let link = |version: Option<&crate::change::FileVersion>| version.is_none_or(|v| v.mode == FileMode::SYMLINK);
    essay.subject.part().part.pieces.iter().all(|piece| {
        let file = &essay.subject.reading.change.files[piece.file];
        link(file.on(Side::Base)) && link(file.on(Side::Head))
    })
}

/// A symlink: its one line is its target.
pub fn links(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    let subject = essay.subject;
    for piece in &subject.part().part.pieces {
        let path = tick(&path(essay, piece.file));
        let target = |kind| {
            let at = notes
                .changed
                .iter()
                .copied()
                .find(|at| subject.lines[*at].file == piece.file && subject.lines[*at].kind == kind)?;
            Some((tick(subject.lines[at].text.as_str()), at))
        };
        let pieces: Pieces = match (target(LineKind::Deletion), target(LineKind::Addition)) {
            (Some((from, base)), Some((to, head))) => vec![
                (format!("{path} is a symlink: it pointed at {from}"), Some(base)),
                (format!(" and points at {to} now"), Some(head)),
                (".".to_owned(), None),
            ],
            (None, Some((to, head))) => {
                vec![(format!("{path} is a symlink to {to}"), Some(head)), (".".to_owned(), None)]
            }
            (Some((from, base)), None) => vec![(format!("It pointed at {from}"), Some(base)), (".".to_owned(), None)],
            (None, None) => continue,
        };
        essay.say(&pieces);
    }
}
