//! The diff of what is selected: one continuous stream of rows with a cursor.

pub mod draw;
pub mod index;
mod line;
mod notes;
pub mod selection;

use std::collections::BTreeMap;
use std::ops::Range;

use super::scroll::Scroll;
use crate::change::diff::DiffLine;
use crate::change::parts::ContentKey;
use crate::change::{RepoPath, Side};
use crate::engine::events::Request;
use crate::text::cells;
use crate::tui::actions::Action;
use crate::tui::search::Search;
use crate::tui::shelf::{Shelf, Slot};
use index::{Row, RowIndex, What};
use selection::Selection;

/// Cells a sideways step moves.
const SIDE_STEP: usize = 8;

/// What the rows are of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A part.
    Part(ContentKey),
    /// A changed file, while there are no parts.
    File(usize),
    /// The whole of a file on one side, to read only.
    Whole(Side, RepoPath),
}

/// Lines that were jumped to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlight {
    /// The file's position in the change.
    pub file: usize,
    /// The side.
    pub side: Side,
    /// The lines, counted from 1, half open.
    pub lines: Range<u32>,
}

/// A search that goes on when a text it needs is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seek {
    forward: bool,
    /// The row to look at next.
    row: usize,
    /// Rows still to look at.
    left: usize,
}

/// How a search went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sought {
    /// The cursor is on a hit; whether the search went past an end to reach it.
    Found { wrapped: bool },
    /// Nothing has it; whether some text could not be read.
    Nowhere { unread: bool },
    /// It waits for the text of a file.
    Waiting(Option<Request>),
    /// There is nothing to search for.
    Idle,
}

/// The state of the pane.
#[derive(Default)]
pub struct Diff {
    /// What is shown.
    pub subject: Option<Subject>,
    /// Its rows.
    pub index: RowIndex,
    /// The cursor among them.
    pub scroll: Scroll,
    /// Cells scrolled to the right.
    pub left: usize,
    /// What was jumped to.
    pub highlight: Option<Highlight>,
    /// What is being selected.
    pub selection: Option<Selection>,
    /// What is searched for.
    pub search: Option<Search>,
    seek: Option<Seek>,
    unread: bool,
    places: BTreeMap<Subject, Scroll>,
}

impl Diff {
    /// Shows a subject, at the row where the reviewer left it.
    pub fn show(&mut self, subject: Subject, index: RowIndex, height: usize) {
        if let Some(before) = self.subject.take() {
            self.places.insert(before, self.scroll);
        }
        self.scroll = self.places.get(&subject).copied().unwrap_or_default();
        self.subject = Some(subject);
        self.index = index;
        self.left = 0;
        self.seek = None;
        self.selection = None;
        self.scroll.settle(self.index.rows(), height);
    }

    /// Whether a whole file is shown.
    pub fn is_whole(&self) -> bool {
        matches!(self.subject, Some(Subject::Whole(..)))
    }

    /// Puts other rows of the same subject in place, once its text is here; the cursor goes to what was jumped to.
    pub fn fill(&mut self, index: RowIndex, height: usize) {
        self.index = index;
        let lit = self.highlight.as_ref().and_then(|lit| self.index.find(lit.file, lit.side, lit.lines.start));
        match lit {
            Some(row) => self.scroll.show(row, self.index.rows(), height),
            None => self.scroll.settle(self.index.rows(), height),
        }
    }

    /// Forgets everything but the search.
    pub fn clear(&mut self) {
        let search = self.search.take();
        *self = Self { search, ..Self::default() };
    }

    /// Does what a key asks.
    pub fn act(&mut self, action: Action, shelf: &Shelf, height: usize, tab: u16) {
        let rows = self.index.rows();
        match action {
            Action::Down => self.scroll.step(1, rows, height),
            Action::Up => self.scroll.step(-1, rows, height),
            Action::Top => self.scroll.go(0, rows, height),
            Action::Bottom => self.scroll.go(rows, rows, height),
            Action::HalfDown => self.scroll.half(true, rows, height),
            Action::HalfUp => self.scroll.half(false, rows, height),
            Action::NextHunk => self.leap(true, height, |what| matches!(what, What::Hunk(_))),
            Action::PreviousHunk => self.leap(false, height, |what| matches!(what, What::Hunk(_))),
            Action::NextFile => self.leap(true, height, |what| matches!(what, What::File)),
            Action::PreviousFile => self.leap(false, height, |what| matches!(what, What::File)),
            Action::Left => self.left = self.left.saturating_sub(SIDE_STEP),
            Action::Right => self.left = (self.left + SIDE_STEP).min(self.widest(shelf, height)),
            Action::LineStart => self.left = 0,
            Action::LineEnd => self.left = self.line_end(shelf, tab),
            _ => {}
        }
    }

    fn leap(&mut self, forward: bool, height: usize, wanted: impl Fn(What) -> bool) {
        if let Some(row) = self.index.leap(self.scroll.cursor, forward, wanted) {
            self.scroll.show(row, self.index.rows(), height);
        }
    }

    /// How far sideways scrolling may go: the bytes of the longest line in view, which bounds its cells closely enough.
    fn widest(&self, shelf: &Shelf, height: usize) -> usize {
        let rows = self.scroll.top..self.scroll.top + height;
        rows.filter_map(|row| self.bytes(row, shelf)).map(<[u8]>::len).max().unwrap_or(0)
    }

    fn line_end(&self, shelf: &Shelf, tab: u16) -> usize {
        let line = self.bytes(self.scroll.cursor, shelf).unwrap_or_default();
        let width = cells::cells(line, tab).last().map_or(0, |cell| cell.column + cell.width);
        width.saturating_sub(20)
    }

    /// The bytes of a row's line, where it is a line and its text is here.
    fn bytes<'a>(&self, row: usize, shelf: &'a Shelf) -> Option<&'a [u8]> {
        let Row { file, what, .. } = self.index.row(row)?;
        let What::Line { line, .. } = what else { return None };
        let (side, number) = shown_on(line);
        shelf.text(file, side)?.line(number)
    }

    /// Jumps to lines of one side and highlights them; false where no row shows the first of them.
    pub fn jump(&mut self, to: Highlight, height: usize) -> bool {
        let Some(row) = self.index.find(to.file, to.side, to.lines.start) else { return false };
        self.scroll.show(row, self.index.rows(), height);
        self.left = 0;
        self.highlight = Some(to);
        true
    }

    /// The place of the cursor, to find it again in other rows: file, side and line.
    pub fn place(&self) -> Option<(usize, Side, u32)> {
        let end = self.index.rows();
        (self.scroll.cursor..end).take(2000).find_map(|row| match self.index.row(row)? {
            Row { file, what: What::Line { line, .. }, .. } => {
                let (side, number) = shown_on(line);
                Some((file, side, number))
            }
            _ => None,
        })
    }

    /// Starts looking for the next or the previous hit.
    pub fn seek(&mut self, forward: bool) {
        let rows = self.index.rows();
        if self.search.is_none() || rows == 0 {
            return;
        }
        self.unread = false;
        self.seek = Some(Seek { forward, row: turn(self.scroll.cursor, forward, rows), left: rows });
    }

    /// Goes on looking: through every row whose text is here, up to the first that must be asked for.
    pub fn go_on(&mut self, shelf: &mut Shelf, height: usize) -> Sought {
        let (Some(mut seek), Some(search)) = (self.seek.take(), &self.search) else { return Sought::Idle };
        let rows = self.index.rows();
        while seek.left > 0 {
            let row = seek.row;
            if let Some(Row { file, what: What::Line { .. }, .. }) = self.index.row(row) {
                match shelf.texts(file) {
                    None | Some(Slot::Waiting) => {
                        self.seek = Some(seek);
                        return Sought::Waiting(shelf.want_texts(file));
                    }
                    Some(Slot::Failed(_)) => self.unread = true,
                    Some(Slot::Here(_)) => {}
                }
                if let Some(line) = self.bytes(row, shelf).filter(|line| search.is_in(line)) {
                    // A hit far to the right is brought into view; bytes stand for cells, as a line may be very long.
                    let at = search.within(line, 0..line.len()).first().map_or(0, |hit| hit.start);
                    self.left = if at < FAR_RIGHT { 0 } else { at - FAR_RIGHT / 2 };
                    let wrapped = if seek.forward { row <= self.scroll.cursor } else { row >= self.scroll.cursor };
                    self.scroll.show(row, rows, height);
                    return Sought::Found { wrapped };
                }
            }
            seek.row = turn(row, seek.forward, rows);
            seek.left -= 1;
        }
        Sought::Nowhere { unread: self.unread }
    }

    /// The requests that would fill the window, and the colours of a window more above and below.
    pub fn wants(&self, shelf: &mut Shelf, height: usize) -> Vec<Request> {
        let mut requests = Vec::new();
        let end = (self.scroll.top + height).min(self.index.rows());
        for row in self.scroll.top..end {
            match self.index.row(row) {
                Some(Row { file, what: What::Line { .. } }) => requests.extend(shelf.want_texts(file)),
                // The note that stands for a whole file until it is here.
                Some(Row { file, .. }) if self.is_whole() => requests.extend(shelf.want_texts(file)),
                _ => {}
            }
        }
        let around = self.scroll.top.saturating_sub(height)..end + height;
        for (file, side, lines) in self.index.lines_in(around) {
            requests.extend(shelf.want_colours(file, side, &lines));
        }
        requests
    }
}

/// The side and number under which a line's text and colours are found: those of the head where it has a line there.
fn shown_on(line: DiffLine) -> (Side, u32) {
    if line.head_line == 0 { (Side::Base, line.base_line) } else { (Side::Head, line.head_line) }
}

/// Bytes into a line from which a hit is scrolled to sideways.
const FAR_RIGHT: usize = 80;

/// The row after or before one, round the ends.
fn turn(row: usize, forward: bool, rows: usize) -> usize {
    if forward { (row + 1) % rows } else { (row + rows - 1) % rows }
}
