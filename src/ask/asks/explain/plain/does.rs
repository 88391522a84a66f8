//! `What it does`: what happened to the file, what was declared before and after, which lines were edited, what came
//! and what went.

use super::declarations::{declarations, members};
use super::edits::{edits, values};
use super::essay::{Essay, tick, ticks};
use super::files::{blank_lines, is_link, links, whole_files};
use super::moves::{came_and_went, safeguards_gone};
use super::notes::Notes;
use super::prose::{comments, docs};
use crate::ask::facts::files;
use crate::change::diff::LineKind;
use crate::change::noise::NoiseLabel;
use crate::change::parts::Part;
use crate::change::rank::Role;
use crate::change::syntax::EntityChange;

/// A sentence in pieces, each with the line it rests on.
pub type Pieces = Vec<(String, Option<usize>)>;

/// Writes the section.
pub fn write(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    whole_files(essay, notes);
    if notes.changed.is_empty() {
        blank_lines(essay);
        return;
    }
    if is_link(essay) {
        links(essay, notes);
        return;
    }
    if notes.comments_only {
        comments(essay, notes);
        return;
    }
    if notes.layout_only {
        let first = notes.changed.first().copied();
        essay.state("Only the layout of the code changes: the syntax trees of both sides are equal", first);
        return;
    }
    if let Some(label) = recorded(essay) {
        let counts = line_counts(&essay.subject.part().part);
        let paths: Vec<String> = essay.subject.part().part.pieces.iter().map(|piece| path(essay, piece.file)).collect();
        essay.state(format!("{} counts as {label}: {counts}", ticks(&paths, 2)), None);
    }
    if notes.role == Role::Docs {
        docs(essay, notes);
    } else {
        declarations(essay, notes);
        without_declarations(essay, notes);
        let before = essay.sentences();
        safeguards_gone(essay, notes);
        edits(essay, notes);
        members(essay, notes);
        values(essay, notes);
        came_and_went(essay, notes);
        let told = notes.entities.iter().any(|declared| declared.entity.change != EntityChange::Body);
        if essay.sentences() == before && !told {
            first_lines(essay, notes);
        }
    }
    if essay.is_empty() {
        essay.state(format!("{} change", files(essay.subject.part().part.pieces.len(), "")), None);
    }
}

/// The label of a part that no person wrote line by line.
fn recorded(essay: &Essay<'_>) -> Option<&'static str> {
    let label = essay.subject.part().noise.as_ref()?.label;
    matches!(label, NoiseLabel::Lockfile | NoiseLabel::Generated | NoiseLabel::Vendored).then(|| label.words())
}

/// The path of a file, as it is shown.
pub fn path(essay: &Essay<'_>, file: usize) -> String {
    essay.subject.reading.change.files[file].path.shown().into_string()
}

/// `3 lines added, 1 removed`, `1 line removed`.
pub fn line_counts(part: &Part) -> String {
    let unit = |count: u32| if count == 1 { "line" } else { "lines" };
    match (part.additions, part.deletions) {
        (added, 0) => format!("{added} {} added", unit(added)),
        (0, removed) => format!("{removed} {} removed", unit(removed)),
        (added, removed) => format!("{added} {} added, {removed} removed", unit(added)),
    }
}

/// Where a part has no declaration, which file it is in.
fn without_declarations(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    if !notes.entities.is_empty() || !essay.is_empty() {
        return;
    }
    let part = &essay.subject.part().part;
    let paths: Vec<String> = part.pieces.iter().map(|piece| path(essay, piece.file)).collect();
    let counts = line_counts(part);
    let what = match notes.role {
        Role::Code | Role::Test => "The edits lie outside any declaration that was read, in",
        Role::Build => "The edits are in the build file",
        Role::Config => "The edits are in the configuration",
        Role::Data | Role::Docs => "The edits are in",
    };
    essay.state(format!("{what} {} ({counts})", ticks(&paths, 2)), None);
}

/// Nothing could be told of the lines by their words: the first of them, as they are.
fn first_lines(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    let subject = essay.subject;
    for (kind, one, many) in [
        (LineKind::Deletion, "The removed line is", "The first removed line is"),
        (LineKind::Addition, "The new line is", "The first new line is"),
    ] {
        let of_kind = || notes.changed.iter().copied().filter(|at| subject.lines[*at].kind == kind);
        let says = |at: &usize| subject.lines[*at].text.as_str().chars().any(char::is_alphanumeric);
        if let Some(at) = of_kind().find(says) {
            let which = if of_kind().count() == 1 { one } else { many };
            essay.state(format!("{which} {}", tick(subject.lines[at].text.as_str().trim())), Some(at));
        }
    }
}
