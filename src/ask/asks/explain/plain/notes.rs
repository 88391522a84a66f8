//! What was noticed about a part before a word is written: its role, its edited lines, what came and what went.

use std::collections::{BTreeMap, BTreeSet};

use super::marks::{Kind, marks};
use super::pairs::{Pair, pairs};
use crate::ask::code::is_comment;
use crate::ask::{Declared, Signature, Subject};
use crate::change::Side;
use crate::change::diff::LineKind;
use crate::change::rank::{PartView, Role};
use crate::change::syntax::{EntityChange, EntityKind, Formatting};
use crate::text::clean_bytes;

/// Something that only removed lines, or only added lines, do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// What.
    pub kind: Kind,
    /// In the words of the line.
    pub text: String,
    /// The position of the first line that does it.
    pub line: usize,
    /// Whether the other side does it too, in the same declarations or, without any, in the same file: for what is
    /// gone, the head; for what is new, the base.
    pub elsewhere: bool,
}

/// What was noticed.
pub struct Notes<'a> {
    /// What the part is for.
    pub role: Role,
    /// Positions of changed lines that are not blank.
    pub changed: Vec<usize>,
    /// The part's entities, without those inside another of the same fate.
    pub entities: Vec<&'a Declared>,
    /// Edited lines.
    pub pairs: Vec<Pair>,
    /// How many of them are told at most.
    pub edits_told: usize,
    /// What removed lines do and added lines do not.
    pub gone: Vec<Mark>,
    /// What added lines do and removed lines do not.
    pub new: Vec<Mark>,
    /// Whether every changed line is a comment.
    pub comments_only: bool,
    /// Whether a check proved that nothing but layout changed.
    pub layout_only: bool,
}

impl<'a> Notes<'a> {
    /// Looks over the part.
    pub fn take(subject: &'a Subject) -> Self {
        let reading = &subject.reading;
        let part = &subject.part().part;
        let view = PartView::new(part, &reading.change, &reading.files, None);
        let lines = &subject.lines;
        let is_changed =
            |at: &usize| lines[*at].kind != LineKind::Context && !lines[*at].text.as_str().trim().is_empty();
        let changed: Vec<usize> = (0..lines.len()).filter(is_changed).collect();
        let role = view.role;
        let is_code = matches!(role, Role::Code | Role::Test);
        let comments_only =
            is_code && !changed.is_empty() && changed.iter().all(|at| is_comment(lines[*at].text.as_str().trim()));
        let layout_only = !changed.is_empty()
            && part.pieces.iter().all(|piece| reading.files[piece.file].formatting == Formatting::Confirmed);
        let entities = outermost(&subject.declared);
        let signatures = signature_lines(subject);
        let (gone, new) = if is_code { compare(subject, &changed, &signatures, &entities) } else { Default::default() };
        let mut pairs = pairs(lines);
        pairs.retain(|pair| {
            let comment = |at: usize| is_code && is_comment(lines[at].text.as_str().trim());
            !signatures.contains(&pair.base) && !signatures.contains(&pair.head) && !comment(pair.base)
        });
        let recorded = subject.part().noise.as_ref().is_some_and(|noise| noise.label.sinks());
        let edits_told = if recorded { 2 } else { 5 };
        Self { role, changed, entities, pairs, edits_told, gone, new, comments_only, layout_only }
    }

    /// Whether the part holds nothing but tests.
    pub fn is_test(&self) -> bool {
        self.role == Role::Test || (!self.entities.is_empty() && self.entities.iter().all(|declared| declared.test))
    }

    /// The one fate of all entities, if they have one.
    pub fn fate(&self) -> Option<EntityChange> {
        let first = self.entities.first()?.entity.change;
        self.entities.iter().all(|declared| declared.entity.change == first).then_some(first)
    }
}

/// Entities that do not lie inside another one that is added, or removed, with them.
fn outermost(declared: &[Declared]) -> Vec<&Declared> {
    let inside = |inner: &Declared| {
        let whole = matches!(inner.entity.change, EntityChange::Added | EntityChange::Removed);
        whole
            && declared.iter().any(|outer| {
                outer.entity.change == inner.entity.change
                    && outer.file == inner.file
                    && inner.entity.name.strip_prefix(&outer.entity.name).is_some_and(|rest| rest.starts_with('.'))
            })
    };
    // A type whose body alone changed says no more than its changed members do.
    let frame = |outer: &Declared| {
        let holds = !matches!(outer.entity.kind, EntityKind::Function | EntityKind::Method | EntityKind::Constructor);
        holds
            && outer.entity.change == EntityChange::Body
            && declared.iter().any(|inner| {
                inner.entity.name.strip_prefix(&outer.entity.name).is_some_and(|rest| rest.starts_with('.'))
            })
    };
    declared.iter().filter(|entity| !inside(entity) && !frame(entity)).collect()
}

/// The positions of lines that belong to a signature that changed, came or went: they are told as declarations.
fn signature_lines(subject: &Subject) -> BTreeSet<usize> {
    let signatures = subject.declared.iter().flat_map(|declared| declared.base.iter().chain(&declared.head));
    let positions = |signature: &Signature| -> Vec<usize> {
        let place = &signature.place;
        let numbers = place.line..=place.end_line;
        numbers.filter_map(|line| subject.find(&place.path, place.side, line)).collect()
    };
    signatures.flat_map(positions).collect()
}

/// What only removed lines do, and what only added lines do.
fn compare(
    subject: &Subject,
    changed: &[usize],
    signatures: &BTreeSet<usize>,
    entities: &[&Declared],
) -> (Vec<Mark>, Vec<Mark>) {
    let own: BTreeSet<&str> = entities.iter().map(|declared| declared.entity.name.as_str()).collect();
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    let mut balance: BTreeMap<(Kind, String), i64> = BTreeMap::new();
    for at in changed.iter().copied().filter(|at| !signatures.contains(at)) {
        let line = &subject.lines[at];
        for (kind, text) in marks(line.text.as_str()) {
            if kind == Kind::Call && own.contains(text.as_str()) {
                continue;
            }
            let (list, step) = if line.kind == LineKind::Deletion { (&mut removed, -1) } else { (&mut added, 1) };
            *balance.entry((kind, text.clone())).or_default() += step;
            list.push(Mark { kind, text, line: at, elsewhere: false });
        }
    }
    let only = |marks: Vec<Mark>, sign: i64| {
        let mut seen = BTreeSet::new();
        let mut only: Vec<Mark> = Vec::new();
        for mark in marks {
            let key = (mark.kind, mark.text.clone());
            if balance.get(&key).copied().unwrap_or_default().signum() == sign && seen.insert(key) {
                only.push(mark);
            }
        }
        only
    };
    let (mut gone, mut new) = (only(removed, -1), only(added, 1));
    look_elsewhere(subject, entities, Side::Head, &mut gone);
    look_elsewhere(subject, entities, Side::Base, &mut new);
    (gone, new)
}

/// Lines of a side that are searched for a repetition.
const SEARCHED: u32 = 20_000;

/// Says of each mark whether a side does it too.
fn look_elsewhere(subject: &Subject, entities: &[&Declared], side: Side, found: &mut [Mark]) {
    let files: BTreeSet<usize> = found.iter().map(|mark| subject.lines[mark.line].file).collect();
    for file in files {
        let Ok(texts) = subject.reading.texts(file) else { continue };
        let Some(text) = texts.on(side) else { continue };
        let within: Vec<(u32, u32)> = entities
            .iter()
            .filter(|declared| declared.file == file)
            .filter_map(|declared| if side == Side::Head { declared.head.as_ref() } else { declared.base.as_ref() })
            .map(|signature| signature.lines)
            .collect();
        let whole = !entities.iter().any(|declared| declared.file == file);
        let searched = (1..=text.lines().min(SEARCHED))
            .filter(|line| whole || within.iter().any(|(first, last)| (first..=last).contains(&line)))
            .filter_map(|line| text.line(line));
        let all: BTreeSet<(Kind, String)> = searched.flat_map(|line| marks(clean_bytes(line).as_str())).collect();
        for mark in found.iter_mut().filter(|mark| subject.lines[mark.line].file == file) {
            mark.elsewhere = all.contains(&(mark.kind, mark.text.clone()));
        }
    }
}
