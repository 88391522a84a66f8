//! `Why it matters to the change`: who names it, which tests do, which other parts do, and what the title and the
//! description say of it.

use std::collections::BTreeSet;

use super::essay::{Essay, tick, ticks};
use super::notes::Notes;
use crate::ask::code::{identifiers, keys};
use crate::ask::facts::{Named, list};
use crate::ask::{Declared, OtherPart, spoken};
use crate::change::rank::Role;
use crate::change::syntax::EntityChange;
use crate::change::{ChangeKind, FileMode};

/// Entities whose counts are told.
const COUNTED: usize = 3;

/// Writes the section.
pub fn write(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    counts(essay, notes);
    other_parts(essay);
    public(essay, notes);
    what_it_is(essay, notes);
    named_by_the_author(essay, notes);
    noise(essay);
    if essay.is_empty() {
        let text = match notes.is_test() {
            true => "It names nothing that another part of the change declares",
            false => "Neither the lines nor the counted facts say what depends on it",
        };
        essay.state(text, None);
    }
}

/// Which other files and tests name it: what is removed first, since a file that still names it may break.
fn counts(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    let subject = essay.subject;
    if let Some(why) = subject.facts.not_counted.as_ref().filter(|_| !notes.entities.is_empty()) {
        essay.state(format!("Which files name it was not counted: {}", crate::text::clean(why)), None);
        return;
    }
    let mut counted: Vec<(&Named, bool)> = Vec::new();
    for declared in &notes.entities {
        let found = subject.facts.of(spoken(&declared.entity));
        if let Some(named) = found.filter(|named| !counted.iter().any(|(known, _)| known.name == named.name)) {
            counted.push((named, declared.entity.change == EntityChange::Removed));
        }
    }
    counted
        .sort_by_key(|(named, removed)| (!*removed, std::cmp::Reverse(named.reference_count() + named.test_count())));
    // That nobody names a test says nothing: tests are found, not called.
    counted.retain(|(named, _)| !notes.is_test() || named.reference_count() + named.test_count() > 0);
    let more = counted.len().saturating_sub(COUNTED);
    for (named, removed) in counted.into_iter().take(COUNTED) {
        essay.state(count(named, removed), None);
    }
    if more > 0 {
        let counts = if more == 1 { "1 more count is".to_owned() } else { format!("{more} more counts are") };
        essay.state(format!("{counts} among the facts"), None);
    }
}

fn count(named: &Named, removed: bool) -> String {
    let name = tick(&named.name);
    let (references, tests) = (named.reference_count(), named.test_count());
    let still = if removed { "still " } else { "" };
    let listed = list(&named.references, named.more_references);
    let first = match references {
        0 => format!("No other file of the head {still}names {name}"),
        1 => format!("1 other file of the head {still}names {name}: {listed}"),
        n => format!("{n} other files of the head {still}name {name}: {listed}"),
    };
    let second = match (references, tests) {
        (0, 0) => ", and no test file does".to_owned(),
        (_, 0) => "; no test file does".to_owned(),
        (_, 1) => format!("; 1 test file does: {}", list(&named.tests, 0)),
        (_, n) => format!("; {n} test files do: {}", list(&named.tests, named.more_tests)),
    };
    format!("{first}{second}")
}

/// How parts of the change name each other.
fn other_parts(essay: &mut Essay<'_>) {
    let subject = essay.subject;
    let using: Vec<&OtherPart> = subject.others.iter().filter(|other| !other.uses.is_empty()).collect();
    for (at, other) in using.iter().take(2).enumerate() {
        let (number, name) = (other.number, tick(other.name.as_str()));
        let text = match at {
            0 => format!("In this change, part {number} ({name}) names {}", ticks(&other.uses, 3)),
            _ if other.uses == using[0].uses => format!("So does part {number} ({name})"),
            _ => format!("Part {number} ({name}) names {}", ticks(&other.uses, 3)),
        };
        if !essay.state(text, None) {
            return;
        }
    }
    if using.len() > 2 {
        let rest = using.len() - 2;
        essay.state(if rest == 1 { "1 more part does".to_owned() } else { format!("{rest} more parts do") }, None);
    }
    for other in subject.others.iter().filter(|other| !other.used.is_empty()).take(2) {
        essay.state(format!("It names {}, which part {} changes", ticks(&other.used, 3), other.number), None);
    }
}

fn public(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    if notes.is_test() {
        return;
    }
    let public: Vec<&&Declared> = notes.entities.iter().filter(|declared| declared.entity.public).collect();
    let names: Vec<&str> = public.iter().map(|declared| declared.entity.name.as_str()).collect();
    let broken = public.iter().any(|d| matches!(d.entity.change, EntityChange::Removed | EntityChange::Declaration));
    let after = if broken { ": code that was not counted may use it too" } else { "" };
    match names.as_slice() {
        [] => return,
        [one] => essay.state(format!("{} is public{after}", tick(one)), None),
        many => essay.state(format!("{} are public{}", ticks(many, 3), after.replace("use it", "use them")), None),
    };
}

/// What a part without declarations is, since nothing could be counted for it.
fn what_it_is(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    if !notes.entities.is_empty() {
        return;
    }
    let subject = essay.subject;
    let several = subject.part().part.pieces.len() > 1;
    let what = match (notes.role, several) {
        (Role::Code, _) => "",
        (Role::Test, false) => "It is a test file. ",
        (Role::Test, true) => "These are test files. ",
        (Role::Docs, _) => "This is documentation. ",
        (Role::Config, _) => "This is configuration. ",
        (Role::Build, _) => "This belongs to the build. ",
        (Role::Data, _) => "This is data. ",
    };
    let unread = subject.part().part.pieces.iter().find_map(|piece| {
        let reading = &subject.reading.files[piece.file];
        let link = subject.reading.change.files[piece.file].head.is_some_and(|head| head.mode == FileMode::SYMLINK);
        reading.entities_not_read.as_deref().filter(|_| !reading.diff.binary && !link && notes.role == Role::Code)
    });
    let binary = subject.part().part.pieces.iter().all(|piece| subject.reading.files[piece.file].diff.binary);
    let why = match unread {
        _ if binary => "It is binary, so what is in it cannot be shown or counted here".to_owned(),
        Some(why) => format!(
            "{what}Its declarations were not read ({}), so nothing that names them was counted",
            crate::text::clean(why)
        ),
        None => format!("{what}It touches no declaration, so nothing that names one was counted"),
    };
    essay.state(why, None);
    let moved = subject.part().part.pieces.iter().any(|piece| {
        let file = &subject.reading.change.files[piece.file];
        file.kind == ChangeKind::Rename
    });
    if moved {
        essay.state("What refers to it by its old path was not looked for", None);
    }
}

/// Whether the title and the description name what changes.
fn named_by_the_author(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    let subject = essay.subject;
    let mut names: Vec<String> = notes.entities.iter().map(|declared| spoken(&declared.entity).to_owned()).collect();
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    if names.is_empty() && matches!(notes.role, Role::Config | Role::Data | Role::Code) {
        names = keys(&subject.lines);
    }
    names.retain(|name| name.chars().count() > 2);
    if names.is_empty() || notes.is_test() {
        return;
    }
    let facts = &subject.reading.change.facts;
    let within = |text: &str| -> Vec<&String> {
        let words: Vec<&str> = identifiers(text).collect();
        names.iter().filter(|name| words.contains(&name.as_str())).collect()
    };
    let (title, description) = (within(&facts.title), within(&facts.description));
    let all = ticks(&names, 2).replace("` and `", "` or `");
    let text = match (title.is_empty(), description.is_empty(), facts.description.trim().is_empty()) {
        (false, _, _) => format!("The title names {}", ticks(&title, 3)),
        (true, false, _) => format!("The description names {}", ticks(&description, 3)),
        (true, true, false) => format!("Neither the title nor the description names {all}"),
        (true, true, true) => format!("The title does not name {all}, and there is no description"),
    };
    essay.state(text, None);
}

fn noise(essay: &mut Essay<'_>) {
    if let Some(noise) = &essay.subject.part().noise {
        let blind = crate::text::clean(noise.blind_spot.trim_end_matches('.'));
        let text = format!(
            "It counts as noise ({}, {}); what that does not see: {blind}",
            noise.label.words(),
            noise.state.word()
        );
        essay.state(text, None);
    }
}
