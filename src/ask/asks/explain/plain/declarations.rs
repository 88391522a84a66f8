//! What was declared before and after, and how the two differ.

use super::does::Pieces;
use super::edits::lines_of;
use super::essay::{Essay, tick, ticks};
use super::marks::{Kind, bare};
use super::moves::list;
use super::notes::{Mark, Notes};
use super::pairs::difference;
use crate::ask::facts::last_segment;
use crate::ask::{Declared, Signature};
use crate::change::diff::LineKind;
use crate::change::syntax::{EntityChange, EntityKind};

/// What was declared before and after.
pub fn declarations(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    match notes.entities.as_slice() {
        [] => {}
        [one] => one_declaration(essay, notes, one),
        _ => {
            for change in [EntityChange::Removed, EntityChange::Declaration, EntityChange::Added, EntityChange::Body] {
                several(essay, notes, change);
            }
        }
    }
}

fn one_declaration(essay: &mut Essay<'_>, notes: &Notes<'_>, declared: &Declared) {
    let (kind, name) = (kind_word(declared), tick(&declared.entity.name));
    let base = declared.base.as_ref().map(|signature| (tick(signature.text.as_str()), at(essay, signature)));
    let head = declared.head.as_ref().map(|signature| (tick(signature.text.as_str()), at(essay, signature)));
    let end = (".".to_owned(), None);
    match (declared.entity.change, base, head) {
        (EntityChange::Added, _, Some((text, line))) => {
            let new = if kind == "test" {
                format!("{name} is a new test: {text}")
            } else {
                format!("The {kind} {name} is new: {text}")
            };
            essay.say(&[(new, line), end]);
        }
        (EntityChange::Removed, Some((text, line)), _) => {
            essay.say(&[(format!("The {kind} {name} is removed; it was {text}"), line), end]);
        }
        (EntityChange::Declaration, Some((before, old)), Some((after, new))) => {
            let phrase = declared_difference(declared).unwrap_or_else(|| "changes in its declaration".to_owned());
            let both = [(format!("{name} {phrase}: {before}"), old), (format!(" became {after}"), new), end.clone()];
            // Two declarations that look alike once cut say nothing side by side.
            if before == after || !essay.say(&both) {
                essay.say(&[(format!("{name} {phrase}"), line_of(essay, notes, declared).or(new)), end]);
            }
        }
        (EntityChange::Body, _, Some((text, line))) => {
            // A test runner's callback and the like: its first line is all the declaration there is.
            essay.say(&[(format!("The body of the {kind} {name} changes; its declaration stays {text}"), line), end]);
        }
        (change, _, _) => {
            let verb = match change {
                EntityChange::Added => "is new",
                EntityChange::Removed => "is removed",
                EntityChange::Declaration => "changes in its declaration",
                EntityChange::Body => "changes in its body",
            };
            let first = notes.changed.first().copied();
            essay.say(&[(format!("The {kind} {name} {verb}"), first), end]);
        }
    }
}

fn kind_word(declared: &Declared) -> &'static str {
    if declared.test { "test" } else { declared.entity.kind.word() }
}

/// The line that shows a signature: its first changed one, else its first.
fn at(essay: &Essay<'_>, signature: &Signature) -> Option<usize> {
    let place = &signature.place;
    let shown = || (place.line..=place.end_line).filter_map(|line| essay.subject.find(&place.path, place.side, line));
    shown().find(|at| essay.subject.lines[*at].kind != LineKind::Context).or_else(|| shown().next())
}

/// Entities of one fate in one sentence, the first three with the line that shows them.
fn several(essay: &mut Essay<'_>, notes: &Notes<'_>, change: EntityChange) {
    let all: Vec<&Declared> =
        notes.entities.iter().copied().filter(|declared| declared.entity.change == change).collect();
    if change == EntityChange::Declaration || (change == EntityChange::Body && all.len() == 1) {
        return all.into_iter().take(4).for_each(|declared| changed_declaration(essay, notes, declared));
    }
    if all.is_empty() {
        return;
    }
    let shown = all.len().min(5);
    let mut pieces: Pieces = Vec::new();
    for (at, declared) in all.iter().take(shown).enumerate() {
        let join = match at {
            0 => "",
            _ if at + 1 == all.len() => " and ",
            _ => ", ",
        };
        let kind = match (change, at) {
            (EntityChange::Body, 0) => "The bodies of ".to_owned(),
            (EntityChange::Body, _) => String::new(),
            (_, 0) => format!("The {} ", kind_word(declared)),
            _ => format!("the {} ", kind_word(declared)),
        };
        let line = line_of(essay, notes, declared).filter(|_| at < 3);
        pieces.push((format!("{join}{kind}{}", tick(&declared.entity.name)), line));
    }
    if all.len() > shown {
        pieces.push((format!(" and {} more", all.len() - shown), None));
    }
    let verb = match (change, all.len()) {
        (EntityChange::Added, 1) => " is new.",
        (EntityChange::Added, _) => " are new.",
        (EntityChange::Removed, 1) => " is removed.",
        (EntityChange::Removed, _) => " are removed.",
        _ => " change.",
    };
    pieces.push((verb.to_owned(), None));
    if !essay.say(&pieces) {
        // Too many lines to cite: the names alone, resting on the first.
        let first = pieces.first().and_then(|(_, line)| *line);
        let last = pieces.len() - 2;
        let bare = pieces.into_iter().enumerate().map(|(at, (text, _))| (text, first.filter(|_| at == last)));
        essay.say(&bare.collect::<Pieces>());
    }
}

fn changed_declaration(essay: &mut Essay<'_>, notes: &Notes<'_>, declared: &Declared) {
    let name = tick(&declared.entity.name);
    let line = line_of(essay, notes, declared);
    let text = match declared.entity.change {
        EntityChange::Body => format!("The body of {name} changes"),
        _ => match declared_difference(declared) {
            Some(phrase) => format!("{name} {phrase}"),
            None => format!("The declaration of {name} changes"),
        },
    };
    essay.state(text, line);
}

/// The line that shows what happened to an entity: its signature where that changed, else its first changed line.
fn line_of(essay: &Essay<'_>, notes: &Notes<'_>, declared: &Declared) -> Option<usize> {
    let changed = |at: &usize| essay.subject.lines[*at].kind != LineKind::Context;
    let signature = [&declared.head, &declared.base].into_iter().flatten().find_map(|s| at(essay, s).filter(changed));
    signature.or_else(|| {
        notes.changed.iter().copied().find(|at| {
            let line = &essay.subject.lines[*at];
            let within = |signature: &Option<Signature>, number: u32| {
                number > 0 && signature.as_ref().is_some_and(|s| (s.lines.0..=s.lines.1).contains(&number))
            };
            line.file == declared.file
                && (within(&declared.head, line.head_line) || within(&declared.base, line.base_line))
        })
    })
}

/// How the parameters differ; else that the declaration does, in short.
fn declared_difference(declared: &Declared) -> Option<String> {
    let (base, head) = (declared.base.as_ref()?.text.as_str(), declared.head.as_ref()?.text.as_str());
    if base == head {
        return None;
    }
    let name = last_segment(&declared.entity.name);
    if let (Some(before), Some(after)) = (parameters(base, name), parameters(head, name)) {
        let lost: Vec<&str> = before.iter().copied().filter(|one| !after.contains(one)).collect();
        let gained: Vec<&str> = after.iter().copied().filter(|one| !before.contains(one)).collect();
        match (gained.is_empty(), lost.is_empty()) {
            (false, true) => return Some(format!("now also takes {}", ticks(&gained, 3))),
            (true, false) => return Some(format!("no longer takes {}", ticks(&lost, 3))),
            (false, false) => return Some(format!("takes {} instead of {}", ticks(&gained, 3), ticks(&lost, 3))),
            (true, true) if before != after => return Some("takes its parameters in another order".to_owned()),
            (true, true) => {}
        }
    }
    let (before, after) = difference(base, head);
    match (before.is_empty(), after.is_empty()) {
        (false, false) => Some(format!("is declared with {} instead of {}", tick(after), tick(before))),
        (true, false) => Some(format!("is declared with {} in addition", tick(after))),
        (false, true) => Some(format!("is declared without {}", tick(before))),
        (true, true) => None,
    }
}

/// The parameters of a signature, split at the commas between them.
fn parameters<'a>(signature: &'a str, name: &str) -> Option<Vec<&'a str>> {
    let from = signature.find(name).map_or(0, |at| at + name.len());
    let open = from + signature[from..].find('(')?;
    let (mut depth, mut start, mut parameters) = (0_usize, open + 1, Vec::new());
    for (at, c) in signature[open..].char_indices().map(|(at, c)| (open + at, c)) {
        let arrow = c == '>' && signature[..at].ends_with(['-', '=']);
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' if !arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = depth == 0 || (depth == 1 && c == ',');
        if ends {
            parameters.push(signature[start..at].trim());
            start = at + c.len_utf8();
        }
        if depth == 0 {
            parameters.retain(|parameter| !parameter.is_empty());
            return Some(parameters);
        }
    }
    None
}

/// Members that a type gains or loses.
pub fn members(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    let types = |declared: &&Declared| {
        let kind = declared.entity.kind;
        declared.entity.change == EntityChange::Declaration
            && matches!(
                kind,
                EntityKind::Struct | EntityKind::Enum | EntityKind::Interface | EntityKind::Class | EntityKind::Type
            )
    };
    if notes.entities.len() != 1 || !notes.entities.iter().all(types) {
        return;
    }
    for (kind, verb) in [(LineKind::Deletion, "Gone from it:"), (LineKind::Addition, "New in it:")] {
        let marks: Vec<Mark> = lines_of(essay, notes, kind)
            .filter(|at| !crate::ask::code::is_comment(essay.subject.lines[*at].text.as_str().trim()))
            .map(|line| Mark {
                kind: Kind::Return,
                text: bare(essay.subject.lines[line].text.as_str()).to_owned(),
                line,
                elsewhere: false,
            })
            .filter(|mark| mark.text.chars().any(char::is_alphanumeric))
            .collect();
        list(essay, verb, &marks.iter().collect::<Vec<_>>(), 3);
    }
}
