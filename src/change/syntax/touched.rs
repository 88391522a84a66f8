//! Which entities a hunk touches, and how.

use std::collections::{BTreeMap, BTreeSet};

use super::outline::{Found, Outline};
use super::{Declaration, Entity, EntityChange, EntityKind};
use crate::change::diff::{FileDiff, Hunk, LineKind};
use crate::change::{Text, Texts};

/// What both sides declare; none for a side that does not exist.
pub(super) struct Outlines {
    pub base: Option<Outline>,
    pub head: Option<Outline>,
}

/// The entities each hunk touches, in order of first appearance.
pub(super) fn touched(outlines: &Outlines, texts: &Texts, diff: &FileDiff) -> Vec<Vec<Entity>> {
    let base = View::new(outlines.base.as_ref(), outlines.head.as_ref(), texts.base.as_ref(), EntityChange::Removed);
    let head = View::new(outlines.head.as_ref(), outlines.base.as_ref(), texts.head.as_ref(), EntityChange::Added);
    diff.hunks.iter().map(|hunk| of_hunk(&base, &head, hunk)).collect()
}

fn of_hunk(base: &Option<View<'_>>, head: &Option<View<'_>>, hunk: &Hunk) -> Vec<Entity> {
    let mut entities: Vec<Entity> = Vec::new();
    let mut by_name: BTreeMap<(EntityKind, &str), usize> = BTreeMap::new();
    let mut by_index: BTreeMap<(LineKind, usize), usize> = BTreeMap::new();
    for line in hunk.lines() {
        let (view, number) = match line.kind {
            LineKind::Context => continue,
            LineKind::Deletion => (base, line.base_line),
            LineKind::Addition => (head, line.head_line),
        };
        let Some(view) = view else { continue };
        for (index, change) in view.at(number) {
            let at = *by_index.entry((line.kind, index)).or_insert_with(|| {
                let declaration = &view.outline.found[index].declaration;
                let at = *by_name.entry((declaration.kind, &declaration.name)).or_insert(entities.len());
                if at == entities.len() {
                    let Declaration { kind, name, .. } = declaration.clone();
                    entities.push(Entity { kind, name, public: false, change });
                }
                entities[at].public |= declaration.public;
                at
            });
            entities[at].change = entities[at].change.max(change);
        }
    }
    entities
}

/// One side, as seen by the lines that only it has.
struct View<'a> {
    outline: &'a Outline,
    text: &'a Text,
    /// What the other side declares: a name, and whether as an impl.
    elsewhere: BTreeSet<(bool, &'a str)>,
    /// How an entity changed that the other side lacks.
    alone: EntityChange,
}

impl<'a> View<'a> {
    fn new(
        outline: Option<&'a Outline>,
        other: Option<&'a Outline>,
        text: Option<&'a Text>,
        alone: EntityChange,
    ) -> Option<Self> {
        let elsewhere = other.into_iter().flat_map(|other| &other.found).map(key).collect();
        Some(Self { outline: outline?, text: text?, elsewhere, alone })
    }

    /// The declarations a line belongs to, by index, by its first byte that is no blank, and how it touches each.
    fn at(&self, number: u32) -> Vec<(usize, EntityChange)> {
        let (Some(start), Some(line)) = (self.text.start(number), self.text.line(number)) else { return Vec::new() };
        let byte = start + line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let innermost = self.outline.innermost(byte);
        let members = self.outline.members_at(innermost, byte, number);
        let declares = !members.is_empty();
        let at = if declares { members } else { innermost.into_iter().collect() };
        at.into_iter().map(|index| (index, self.change(index, number, declares))).collect()
    }

    fn change(&self, index: usize, number: u32, declares: bool) -> EntityChange {
        let found = &self.outline.found[index];
        let (first, last) = found.declaration.declaration_lines;
        if !self.elsewhere.contains(&key(found)) {
            self.alone
        } else if declares || (first..=last).contains(&number) {
            EntityChange::Declaration
        } else {
            EntityChange::Body
        }
    }
}

/// What a declaration is looked up by on the other side. An impl is named after its type, so it has names of its own.
fn key(found: &Found) -> (bool, &str) {
    (found.declaration.kind == EntityKind::Impl, &found.declaration.name)
}
