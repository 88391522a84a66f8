//! Parts: named groups of related edits. Every changed line is in exactly one.
//!
//! [`cut`] makes them, [`check`] holds them to that law, `identity` gives each the key its marks are kept under.

mod coverage;
mod cut;
mod identity;
mod name;

pub use coverage::check;
pub use cut::{assemble, cut};
pub use identity::assign_keys;
pub use name::{NAMES_SHOWN, list_names};

use super::syntax::Entity;
use crate::text::Clean;

/// The identity of a part's content, under which marks and answers are kept: sixty-four hexadecimal digits.
///
/// Made of its paths, the kinds and texts of its changed lines, and an occurrence number for equal ones:
/// no context, no line numbers, no entity names, no position.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentKey(pub String);

/// What a part takes from one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The file's position in `Change::files`.
    pub file: usize,
    /// The positions of its hunks in the file's diff, in order; empty for a file without hunks.
    pub hunks: Vec<usize>,
}

/// A named group of related edits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its identity.
    pub key: ContentKey,
    /// Its name, such as `Pool.close in net/pool.py`.
    pub name: Clean,
    /// What it takes from which file, in the order of the change.
    pub pieces: Vec<Piece>,
    /// The entities it touches, each once by kind and name, in order of first appearance.
    pub entities: Vec<Entity>,
    /// Lines added.
    pub additions: u32,
    /// Lines deleted.
    pub deletions: u32,
}

impl Part {
    /// Lines added and deleted.
    pub fn changed_lines(&self) -> u32 {
        self.additions + self.deletions
    }
}
