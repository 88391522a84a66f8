//! Text for people: documentation, and changes of comments alone.

use super::does::{line_counts, path};
use super::edits::edits;
use super::essay::{Essay, tick, ticks};
use super::notes::Notes;
use crate::ask::Declared;
use crate::change::diff::LineKind;

pub fn docs(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    let subject = essay.subject;
    let part = &subject.part().part;
    let paths: Vec<String> = part.pieces.iter().map(|piece| path(essay, piece.file)).collect();
    if essay.is_empty() {
        essay.state(format!("The text of {} changes: {}", ticks(&paths, 2), line_counts(part)), None);
    }
    edits(essay, notes);
    for (kind, verb) in [(LineKind::Deletion, "is gone"), (LineKind::Addition, "is new")] {
        let headings = notes
            .changed
            .iter()
            .copied()
            .filter(|at| subject.lines[*at].kind == kind && subject.lines[*at].text.as_str().starts_with('#'));
        for at in headings.take(3).filter(|at| !notes.pairs.iter().any(|pair| pair.base == *at || pair.head == *at)) {
            let heading = tick(subject.lines[at].text.as_str().trim_start_matches('#').trim());
            essay.state(format!("The section {heading} {verb}"), Some(at));
        }
    }
    let first = |kind| {
        notes.changed.iter().copied().find(|at| {
            let text = subject.lines[*at].text.as_str();
            subject.lines[*at].kind == kind
                && !text.starts_with('#')
                && !text.trim().starts_with("```")
                && text.chars().any(char::is_alphanumeric)
                && !notes.pairs.iter().any(|pair| pair.base == *at || pair.head == *at)
        })
    };
    if let Some(at) = first(LineKind::Addition) {
        essay.state(format!("The first new line reads {}", tick(subject.lines[at].text.as_str().trim())), Some(at));
    } else if let Some(at) = first(LineKind::Deletion) {
        essay.state(format!("The first removed line read {}", tick(subject.lines[at].text.as_str().trim())), Some(at));
    }
}

pub fn comments(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    let lines = &essay.subject.lines;
    let first = notes.changed.iter().copied().find(|at| lines[*at].kind == LineKind::Addition);
    let at = first.or(notes.changed.first().copied());
    let around = match notes.entities.first() {
        Some(declared) => format!(" at {} {}", the(declared), tick(&declared.entity.name)),
        None => String::new(),
    };
    let count = notes.changed.len();
    let unit = if count == 1 { "line" } else { "lines" };
    essay.state(format!("Only comments change{around}: {count} {unit}, none of code"), at);
}

/// `the function`, `the class`.
fn the(declared: &Declared) -> String {
    format!("the {}", declared.entity.kind.word())
}
