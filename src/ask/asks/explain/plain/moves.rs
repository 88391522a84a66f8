//! What came and what went: errors and their handling, assertions, imports, calls, conditions, returns.

use super::does::Pieces;
use super::essay::{Essay, tick, ticks};
use super::marks::Kind;
use super::notes::{Mark, Notes};
use crate::change::syntax::EntityChange;

/// Errors, conditions, error handling and assertions that are gone: what a reviewer must not miss comes first.
pub fn safeguards_gone(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    let verb = raising(essay);
    let (all, some) = by_place(unpaired(notes, &notes.gone, Kind::Raise));
    list(essay, &verb.gone(notes), &all, 2);
    if notes.fate() == Some(EntityChange::Removed) {
        return;
    }
    for mark in some.into_iter().take(1) {
        let text = format!("A line that {} {} is gone, others stay", verb.one, tick(&mark.text));
        essay.state(text, Some(mark.line));
    }
    for mark in by_place(unpaired(notes, &notes.gone, Kind::Condition)).0.into_iter().take(2) {
        essay.state(format!("The condition {} is gone", tick(&mark.text)), Some(mark.line));
    }
    for mark in unpaired(notes, &notes.gone, Kind::Handle).into_iter().take(2) {
        essay.state(format!("The error handling {} is gone", tick(&mark.text)), Some(mark.line));
    }
    for mark in unpaired(notes, &notes.gone, Kind::Assert).into_iter().take(2) {
        essay.state(format!("The assertion {} is gone", tick(&mark.text)), Some(mark.line));
    }
}

/// Marks that nothing else in the head's part of the file repeats, and those that something does.
fn by_place(marks: Vec<&Mark>) -> (Vec<&Mark>, Vec<&Mark>) {
    marks.into_iter().partition(|mark| !mark.elsewhere)
}

/// How a language's errors are said to come about.
fn raising(essay: &Essay<'_>) -> Verb {
    let piece = essay.subject.part().part.pieces.first();
    let path = piece.map(|piece| &essay.subject.reading.change.files[piece.file].path);
    match path.and_then(|path| path.extension()) {
        Some(b"rs" | b"go") => {
            Verb { one: "fails with", many: "fail with", past: "failed with", done: "returned as an error" }
        }
        Some(b"java" | b"js" | b"mjs" | b"cjs" | b"jsx" | b"ts" | b"mts" | b"cts" | b"tsx" | b"cs" | b"kt") => {
            Verb { one: "throws", many: "throw", past: "threw", done: "thrown" }
        }
        _ => Verb { one: "raises", many: "raise", past: "raised", done: "raised" },
    }
}

const CALLS: Verb = Verb { one: "calls", many: "call", past: "called", done: "called" };
const IMPORTS: Verb = Verb { one: "imports", many: "import", past: "imported", done: "imported" };
const RETURNS: Verb = Verb { one: "returns", many: "return", past: "returned", done: "returned" };

/// A verb in the forms that sentences need.
#[derive(Clone, Copy)]
struct Verb {
    one: &'static str,
    many: &'static str,
    past: &'static str,
    done: &'static str,
}

impl Verb {
    /// How a sentence begins about what is gone.
    fn gone(self, notes: &Notes<'_>) -> String {
        match (notes.entities.len(), notes.fate()) {
            (1, Some(EntityChange::Removed)) => format!("It {}", self.past),
            (_, Some(EntityChange::Removed)) => format!("They {}", self.past),
            (0 | 1, _) => format!("It no longer {}", self.one),
            (_, Some(_)) => format!("They no longer {}", self.many),
            (_, None) => format!("No longer {}:", self.done),
        }
    }

    /// How a sentence begins about what is new.
    fn come(self, notes: &Notes<'_>) -> String {
        match (notes.entities.len(), notes.fate()) {
            (1, Some(EntityChange::Added)) => format!("It {}", self.one),
            (_, Some(EntityChange::Added)) => format!("They {}", self.many),
            (0 | 1, _) => format!("It now {}", self.one),
            (_, Some(_)) => format!("They now {}", self.many),
            (_, None) => format!("Newly {}:", self.done),
        }
    }
}

/// Marks of a kind whose line is not told as an edited line.
fn unpaired<'a>(notes: &Notes<'_>, marks: &'a [Mark], kind: Kind) -> Vec<&'a Mark> {
    let paired = |line: usize| notes.pairs.iter().any(|pair| pair.base == line || pair.head == line);
    marks.iter().filter(|mark| mark.kind == kind && !paired(mark.line)).collect()
}

/// A sentence that lists what lines do; it rests on the first of them, and on a second where that is another line.
pub fn list(essay: &mut Essay<'_>, verb: &str, marks: &[&Mark], most: usize) {
    let Some(first) = marks.first() else { return };
    let names: Vec<&str> = marks.iter().map(|mark| mark.text.as_str()).collect();
    if !essay.say(&cited_list(verb, marks, most)) {
        let shown = names.len().min(most);
        essay.state(format!("{verb} {}", ticks(&names, shown)), Some(first.line));
    }
}

fn cited_list(verb: &str, marks: &[&Mark], most: usize) -> Pieces {
    let shown = marks.len().min(most);
    let mut pieces: Pieces = Vec::new();
    for (at, mark) in marks.iter().take(shown).enumerate() {
        let join = match at {
            0 => format!("{verb} "),
            _ if at + 1 == shown && marks.len() == shown => " and ".to_owned(),
            _ => ", ".to_owned(),
        };
        let next = marks.get(at + 1).filter(|_| at + 1 < shown);
        let line = (next.is_none_or(|next| next.line != mark.line)).then_some(mark.line);
        pieces.push((format!("{join}{}", tick(&mark.text)), line));
    }
    if marks.len() > shown {
        pieces.push((format!(" and {} more", marks.len() - shown), None));
    }
    pieces.push((".".to_owned(), None));
    pieces
}

/// What else lines do that the other side does not.
pub fn came_and_went(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    let removed = notes.fate() == Some(EntityChange::Removed);
    let added = notes.fate() == Some(EntityChange::Added);
    let verb = raising(essay);
    let (first, more) = by_place(unpaired(notes, &notes.new, Kind::Raise));
    list(essay, &verb.come(notes), &first, 2);
    list(essay, &format!("One place more {}", verb.one), &more, 1);
    for mark in unpaired(notes, &notes.new, Kind::Handle).into_iter().take(1).filter(|_| !added) {
        essay.state(format!("The error handling {} is new", tick(&mark.text)), Some(mark.line));
    }
    let checks = match (added, notes.entities.len()) {
        (true, 1) => "Its checks are",
        (true, _) => "Their checks are",
        (false, _) => "New checks are",
    };
    list(essay, checks, &unpaired(notes, &notes.new, Kind::Assert), 2);
    if !removed {
        list(essay, &IMPORTS.gone(notes), &by_place(unpaired(notes, &notes.gone, Kind::Import)).0, 2);
        list(essay, &IMPORTS.come(notes), &by_place(unpaired(notes, &notes.new, Kind::Import)).0, 2);
    }
    list(essay, &CALLS.gone(notes), &by_place(quiet(notes, &notes.gone)).0, if removed { 3 } else { 2 });
    list(essay, &CALLS.come(notes), &by_place(quiet(notes, &notes.new)).0, 3);
    branches(essay, notes, added);
    let value = |mark: &Mark| tick(mark.text.trim_start_matches("return").trim());
    for mark in by_place(unpaired(notes, &notes.gone, Kind::Return)).0.into_iter().take(1).filter(|_| !removed) {
        essay.state(format!("{} {}", RETURNS.gone(notes), value(mark)), Some(mark.line));
    }
    for mark in by_place(unpaired(notes, &notes.new, Kind::Return)).0.into_iter().take(1) {
        essay.state(format!("{} {}", RETURNS.come(notes), value(mark)), Some(mark.line));
    }
}

/// Conditions that came.
fn branches(essay: &mut Essay<'_>, notes: &Notes<'_>, added: bool) {
    for mark in unpaired(notes, &notes.new, Kind::Condition).into_iter().take(if added { 1 } else { 2 }) {
        let is = match (added, notes.entities.len()) {
            (true, 1) => "It branches on",
            (true, _) => "One branches on",
            (false, _) => "A new condition is",
        };
        essay.state(format!("{is} {}", tick(&mark.text)), Some(mark.line));
    }
}

/// Calls, without those on lines that are told as assertions or edits.
fn quiet<'a>(notes: &Notes<'_>, marks: &'a [Mark]) -> Vec<&'a Mark> {
    let asserted = |line: usize| marks.iter().any(|mark| mark.kind == Kind::Assert && mark.line == line);
    unpaired(notes, marks, Kind::Call).into_iter().filter(|mark| !asserted(mark.line)).collect()
}
