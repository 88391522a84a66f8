//! The ledger: every line of either tree that an agent was given to read. A citation of any other line is refused.

use std::collections::{BTreeMap, BTreeSet};

use crate::change::{RepoPath, Side};

/// Which lines were delivered: in the brief, or as the result of a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger(BTreeMap<(Side, RepoPath), BTreeSet<u32>>);

impl Ledger {
    /// Enters lines of a file of a side, counted from 1.
    pub fn enter(&mut self, side: Side, path: &RepoPath, lines: impl IntoIterator<Item = u32>) {
        self.0.entry((side, path.clone())).or_default().extend(lines);
    }

    /// Takes over everything another ledger holds.
    pub fn extend(&mut self, other: &Self) {
        for ((side, path), lines) in &other.0 {
            self.enter(*side, path, lines.iter().copied());
        }
    }

    /// Whether a line was delivered.
    pub fn has(&self, side: Side, path: &RepoPath, line: u32) -> bool {
        self.0.get(&(side, path.clone())).is_some_and(|lines| lines.contains(&line))
    }

    /// How many lines were delivered; a line that both sides share counts twice.
    pub fn len(&self) -> usize {
        self.0.values().map(BTreeSet::len).sum()
    }

    /// Whether nothing was delivered.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every delivered line, by side, path and number.
    pub fn lines(&self) -> impl Iterator<Item = (Side, &RepoPath, u32)> {
        self.0.iter().flat_map(|((side, path), lines)| lines.iter().map(move |line| (*side, path, *line)))
    }
}
