//! Hunks and lines: git's own line diff of two blobs, kept as runs of line numbers without texts.

mod cut;

pub use cut::{diff, replacement};

use std::ops::Range;

/// Context lines git shows around a change.
pub const CONTEXT_LINES: u32 = 3;

/// What a line of a diff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineKind {
    /// On both sides alike.
    Context,
    /// At the base only.
    Deletion,
    /// At the head only.
    Addition,
}

impl LineKind {
    /// The word for it, as in the JSON result.
    pub fn word(self) -> &'static str {
        match self {
            Self::Context => "context",
            Self::Deletion => "deletion",
            Self::Addition => "addition",
        }
    }

    /// The sign a diff shows before it.
    pub fn sign(self) -> char {
        match self {
            Self::Context => ' ',
            Self::Deletion => '-',
            Self::Addition => '+',
        }
    }
}

/// A run of lines of one kind, numbered without a gap on each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// What its lines are.
    pub kind: LineKind,
    /// The base number of its first line, counted from 1; for additions, of the next base line.
    pub base_line: u32,
    /// The head number of its first line, counted from 1; for deletions, of the next head line.
    pub head_line: u32,
    /// How many lines it has; never 0.
    pub count: u32,
}

/// One line of a hunk, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLine {
    /// What it is.
    pub kind: LineKind,
    /// Its number at the base, counted from 1; 0 for an addition.
    pub base_line: u32,
    /// Its number at the head, counted from 1; 0 for a deletion.
    pub head_line: u32,
}

/// One hunk. `base` and `head` are half-open ranges of line numbers counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The lines it covers at the base; empty where it only adds to nothing.
    pub base: Range<u32>,
    /// The lines it covers at the head; empty where it only deletes everything.
    pub head: Range<u32>,
    /// The line of content git names in the header, as bytes; empty where there is none.
    pub heading: Vec<u8>,
    /// Its lines as runs.
    pub runs: Vec<Run>,
    /// SHA-256 over the kinds and bytes of its changed lines; equal edits have equal digests wherever they stand.
    pub digest: [u8; 32],
}

impl Hunk {
    /// Its lines in order.
    pub fn lines(&self) -> impl Iterator<Item = DiffLine> + '_ {
        self.runs.iter().flat_map(|run| (0..run.count).map(|at| run.line(at)))
    }

    /// How many lines it shows.
    pub fn len(&self) -> u32 {
        self.runs.iter().map(|run| run.count).sum()
    }

    /// Whether it shows nothing; git makes no such hunk.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// How many of its lines are of a kind.
    pub fn count(&self, kind: LineKind) -> u32 {
        self.runs.iter().filter(|run| run.kind == kind).map(|run| run.count).sum()
    }

    /// First line and count at the base, as git's header has them: an empty range starts at the line before it.
    pub fn base_span(&self) -> (u32, u32) {
        span(&self.base)
    }

    /// First line and count at the head, as git's header has them.
    pub fn head_span(&self) -> (u32, u32) {
        span(&self.head)
    }

    /// The header git prints, without the heading: `@@ -1,2 +1,3 @@`.
    pub fn header(&self) -> String {
        let words =
            |(start, count): (u32, u32)| if count == 1 { start.to_string() } else { format!("{start},{count}") };
        format!("@@ -{} +{} @@", words(self.base_span()), words(self.head_span()))
    }
}

fn span(range: &Range<u32>) -> (u32, u32) {
    let count = range.end - range.start;
    (if count == 0 { range.start.saturating_sub(1) } else { range.start }, count)
}

impl Run {
    /// The line at a position of the run, counted from 0.
    pub fn line(&self, at: u32) -> DiffLine {
        let base_line = if self.kind == LineKind::Addition { 0 } else { self.base_line + at };
        let head_line = if self.kind == LineKind::Deletion { 0 } else { self.head_line + at };
        DiffLine { kind: self.kind, base_line, head_line }
    }
}

/// The diff of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileDiff {
    /// Whether git takes a side for binary: there are no hunks then, sizes are all there is to say.
    pub binary: bool,
    /// Its hunks, in order.
    pub hunks: Vec<Hunk>,
    /// Lines added.
    pub additions: u32,
    /// Lines deleted.
    pub deletions: u32,
    /// Whether the file at the base lacks a final newline.
    pub base_lacks_newline: bool,
    /// Whether the file at the head lacks a final newline.
    pub head_lacks_newline: bool,
    /// Why there is no diff although there should be one; none where there is.
    pub not_read: Option<String>,
}
