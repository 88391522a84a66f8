//! The rows of a diff as an index: runs of rows with where each begins, never the rows themselves.

use std::collections::BTreeMap;
use std::ops::Range;

use super::notes;
use crate::change::Side;
use crate::change::diff::{DiffLine, LineKind, Run};
use crate::change::parts::Piece;
use crate::tui::panes::reader::Reader;

/// What a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The name of a file.
    File,
    /// Something said about a file in words: the position of the note.
    Note(usize),
    /// The header of a hunk: its position in the file's diff.
    Hunk(usize),
    /// A line.
    Line {
        /// The position of its hunk in the file's diff.
        hunk: usize,
        /// Its kind and numbers.
        line: DiffLine,
    },
}

/// A row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The file's position in the change.
    pub file: usize,
    /// What it shows.
    pub what: What,
}

#[derive(Debug, Clone, Copy)]
enum Content {
    File,
    Note(usize),
    Hunk(usize),
    Run(usize, Run),
    /// So many lines of one side, from the first on.
    Whole(Side, u32),
}

#[derive(Debug, Clone, Copy)]
struct Block {
    first: usize,
    file: usize,
    content: Content,
}

impl Block {
    fn row(&self, at: usize) -> Row {
        let what = match self.content {
            Content::File => What::File,
            Content::Note(note) => What::Note(note),
            Content::Hunk(hunk) => What::Hunk(hunk),
            Content::Run(hunk, run) => What::Line { hunk, line: run.line((at - self.first) as u32) },
            Content::Whole(side, _) => What::Line { hunk: 0, line: whole_line(side, (at - self.first) as u32 + 1) },
        };
        Row { file: self.file, what }
    }
}

/// A line of a whole file: it has no number on the other side.
fn whole_line(side: Side, number: u32) -> DiffLine {
    let (base_line, head_line) = if side == Side::Base { (number, 0) } else { (0, number) };
    DiffLine { kind: LineKind::Context, base_line, head_line }
}

/// How much of a file the rows show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shown {
    /// Hunks shown.
    pub hunks: usize,
    /// Hunks the file has.
    pub of: usize,
    /// Lines added in those shown.
    pub additions: u32,
    /// Lines deleted in those shown.
    pub deletions: u32,
}

/// The rows of a part or a file.
#[derive(Debug, Clone, Default)]
pub struct RowIndex {
    blocks: Vec<Block>,
    notes: Vec<String>,
    files: BTreeMap<usize, Shown>,
    rows: usize,
    highest_line: u32,
}

impl RowIndex {
    /// Indexes the pieces of a part. Costs a step a run of lines, whatever its length.
    pub fn of_pieces(pieces: &[Piece], reader: &Reader) -> Self {
        let mut index = Self::default();
        for piece in pieces {
            index.add_file(piece.file, Some(&piece.hunks), reader);
        }
        index
    }

    /// Indexes every hunk of a file.
    pub fn of_file(file: usize, reader: &Reader) -> Self {
        let mut index = Self::default();
        index.add_file(file, None, reader);
        index
    }

    /// Indexes every line of a whole file of one side.
    pub fn of_whole(file: usize, side: Side, lines: u32) -> Self {
        let mut index = Self { highest_line: lines.saturating_add(1), ..Self::default() };
        index.push(file, Content::Whole(side, lines), lines as usize);
        index
    }

    /// Indexes one note in place of a file.
    pub fn of_note(file: usize, note: String) -> Self {
        let mut index = Self { notes: vec![note], ..Self::default() };
        index.push(file, Content::Note(0), 1);
        index
    }

    fn add_file(&mut self, file: usize, hunks: Option<&[usize]>, reader: &Reader) {
        self.push(file, Content::File, 1);
        for note in notes::of(file, reader) {
            self.notes.push(note);
            self.push(file, Content::Note(self.notes.len() - 1), 1);
        }
        let Some(diff) = reader.diff(file) else { return };
        let all: Vec<usize> = (0..diff.hunks.len()).collect();
        for at in hunks.unwrap_or(&all).iter().copied() {
            let Some(hunk) = diff.hunks.get(at) else { continue };
            self.push(file, Content::Hunk(at), 1);
            for run in &hunk.runs {
                self.push(file, Content::Run(at, *run), run.count as usize);
            }
            let shown = self.files.entry(file).or_default();
            shown.hunks += 1;
            shown.of = diff.hunks.len();
            shown.additions += hunk.count(LineKind::Addition);
            shown.deletions += hunk.count(LineKind::Deletion);
            self.highest_line = self.highest_line.max(hunk.base.end).max(hunk.head.end);
        }
    }

    fn push(&mut self, file: usize, content: Content, rows: usize) {
        self.blocks.push(Block { first: self.rows, file, content });
        self.rows += rows;
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Cells the widest line number takes, at least 3.
    pub fn number_width(&self) -> usize {
        self.highest_line.saturating_sub(1).max(100).ilog10() as usize + 1
    }

    /// A row, counted from 0; none past the end.
    pub fn row(&self, at: usize) -> Option<Row> {
        if at >= self.rows {
            return None;
        }
        self.blocks.get(self.block_of(at)).map(|block| block.row(at))
    }

    fn block_of(&self, row: usize) -> usize {
        self.blocks.partition_point(|block| block.first <= row).saturating_sub(1)
    }

    /// How much of a file is shown.
    pub fn shown(&self, file: usize) -> Shown {
        self.files.get(&file).copied().unwrap_or_default()
    }

    /// The text of a note.
    pub fn note(&self, at: usize) -> &str {
        self.notes.get(at).map_or("", String::as_str)
    }

    /// The first row of the nearest wanted block after or before a row.
    pub fn leap(&self, from: usize, forward: bool, wanted: impl Fn(What) -> bool) -> Option<usize> {
        let here = self.block_of(from);
        let is_wanted = |block: &&Block| {
            !matches!(block.content, Content::Run(..) | Content::Whole(..)) && wanted(block.row(block.first).what)
        };
        if forward {
            self.blocks.get(here + 1..)?.iter().find(is_wanted).map(|block| block.first)
        } else {
            self.blocks.get(..=here)?.iter().rev().filter(|block| block.first < from).find(is_wanted).map(|b| b.first)
        }
    }

    /// The hunk a row belongs to; none above the first hunk of a file.
    pub fn hunk_of(&self, row: usize) -> Option<usize> {
        match self.blocks.get(self.block_of(row))?.content {
            Content::Hunk(hunk) | Content::Run(hunk, _) => Some(hunk),
            Content::File | Content::Note(_) | Content::Whole(..) => None,
        }
    }

    /// The row that shows a line of a side, counted from 1.
    pub fn find(&self, file: usize, side: Side, number: u32) -> Option<usize> {
        self.blocks.iter().filter(|block| block.file == file).find_map(|block| match block.content {
            Content::Run(_, run) => {
                let start = match (side, run.kind) {
                    (Side::Base, LineKind::Addition) | (Side::Head, LineKind::Deletion) => return None,
                    (Side::Base, _) => run.base_line,
                    (Side::Head, _) => run.head_line,
                };
                (start..start + run.count).contains(&number).then(|| block.first + (number - start) as usize)
            }
            Content::Whole(of, lines) if of == side && (1..=lines).contains(&number) => {
                Some(block.first + number as usize - 1)
            }
            _ => None,
        })
    }

    /// The lines within a range of rows, on the side that shows them, counted from 1 and half open.
    pub fn lines_in(&self, rows: Range<usize>) -> Vec<(usize, Side, Range<u32>)> {
        let mut lines = Vec::new();
        for block in self.blocks.get(self.block_of(rows.start)..).unwrap_or_default() {
            if block.first >= rows.end {
                break;
            }
            let (side, start, count) = match block.content {
                Content::Run(_, run) if run.kind == LineKind::Deletion => (Side::Base, run.base_line, run.count),
                Content::Run(_, run) => (Side::Head, run.head_line, run.count),
                Content::Whole(side, lines) => (side, 1, lines),
                _ => continue,
            };
            let from = rows.start.saturating_sub(block.first) as u32;
            let to = ((rows.end - block.first).min(count as usize)) as u32;
            if from < to {
                lines.push((block.file, side, start + from..start + to));
            }
        }
        lines
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::change::fixtures::change;
    use std::sync::Arc;

    fn index() -> RowIndex {
        let base = (1..=40).map(|n| format!("l{n}\n")).collect::<String>();
        let head = base.replace("l5\n", "L5\nL5b\n").replace("l30\n", "");
        let (change, files) = change(&[("a", &base)], &[("a", &head)]);
        let reader = Reader::listed(Arc::new(change), Some((0, files[0].diff.clone())));
        RowIndex::of_file(0, &reader)
    }

    #[test]
    fn rows_are_file_hunks_and_lines_in_order() {
        let index = index();
        let rows: Vec<Row> = (0..index.rows()).filter_map(|at| index.row(at)).collect();
        assert_eq!(rows.len(), 1 + (1 + 9) + (1 + 7));
        assert_eq!(rows[0].what, What::File);
        assert_eq!(rows[1].what, What::Hunk(0));
        let line = DiffLine { kind: LineKind::Deletion, base_line: 5, head_line: 0 };
        assert_eq!(rows[5].what, What::Line { hunk: 0, line });
        assert_eq!(rows[11].what, What::Hunk(1));
        assert_eq!(index.row(index.rows()), None);
    }

    #[test]
    fn a_whole_file_is_its_lines_on_one_side() {
        let index = RowIndex::of_whole(7, Side::Base, 1000);
        assert_eq!((index.rows(), index.number_width()), (1000, 4));
        let line = DiffLine { kind: LineKind::Context, base_line: 42, head_line: 0 };
        assert_eq!(index.row(41), Some(Row { file: 7, what: What::Line { hunk: 0, line } }));
        assert_eq!((index.find(7, Side::Base, 1000), index.find(7, Side::Base, 1001)), (Some(999), None));
        assert_eq!((index.find(7, Side::Head, 1), index.find(8, Side::Base, 1)), (None, None));
        assert_eq!(index.lines_in(990..2000), [(7, Side::Base, 991..1001)]);
        assert_eq!(index.leap(10, false, |_| true), None);
        assert_eq!(RowIndex::of_note(7, "binary".to_owned()).note(0), "binary");
    }

    #[test]
    fn finds_lines_by_side_and_leaps_between_hunks() {
        let index = index();
        assert_eq!(index.find(0, Side::Base, 5), Some(5));
        assert_eq!(index.find(0, Side::Head, 6), Some(7));
        assert_eq!(index.find(0, Side::Base, 30), Some(15));
        assert_eq!(index.find(0, Side::Head, 20), None);
        let hunk = |what| matches!(what, What::Hunk(_));
        assert_eq!(index.leap(0, true, hunk), Some(1));
        assert_eq!(index.leap(5, true, hunk), Some(11));
        assert_eq!(index.leap(14, false, hunk), Some(11));
        assert_eq!(index.leap(11, false, hunk), Some(1));
        assert_eq!(index.leap(12, true, hunk), None);
        assert_eq!(index.lines_in(4..8), [(0, Side::Head, 4..5), (0, Side::Base, 5..6), (0, Side::Head, 5..7)]);
    }
}
