//! Lines of one side that are being selected in the diff.

use super::index::{Row, RowIndex, What};
use crate::change::diff::{DiffLine, LineKind};
use crate::change::{Place, Side};
use crate::tui::panes::reader::Reader;

/// A selection from where it began up to the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    /// The file's position in the change.
    pub file: usize,
    /// The side whose lines are selected.
    pub side: Side,
    /// The row where it began.
    pub from: usize,
}

impl Selection {
    /// Begins at a row; none where it is no line.
    pub fn begin(index: &RowIndex, row: usize) -> Option<Self> {
        let Row { file, what: What::Line { line, .. } } = index.row(row)? else { return None };
        let side = if line.kind == LineKind::Deletion { Side::Base } else { Side::Head };
        Some(Self { file, side, from: row })
    }

    /// Whether a row is between where it began and the cursor and shows a line of its side.
    pub fn holds(&self, row: usize, cursor: usize, shown: Row) -> bool {
        let within = (self.from.min(cursor)..=self.from.max(cursor)).contains(&row);
        within && shown.file == self.file && self.number(shown).is_some()
    }

    fn number(&self, row: Row) -> Option<u32> {
        match row.what {
            What::Line { line: DiffLine { base_line, head_line, .. }, .. } => {
                Some(if self.side == Side::Base { base_line } else { head_line }).filter(|number| *number > 0)
            }
            _ => None,
        }
    }

    /// The selected lines as a place: from the first to the last of its side.
    ///
    /// # Errors
    /// Why they are none, in words: they reach over files, or are not next to each other.
    pub fn place(&self, index: &RowIndex, reader: &Reader, cursor: usize) -> Result<Place, &'static str> {
        let rows = self.from.min(cursor)..=self.from.max(cursor);
        let mut lines = Vec::new();
        for row in rows.filter_map(|row| index.row(row)) {
            if row.file != self.file {
                return Err("the selection reaches over several files: select lines of one file");
            }
            lines.extend(self.number(row));
        }
        let path = reader.file(self.file).map(|file| file.path_on(self.side).clone());
        let (Some(path), Some(first), Some(last)) = (path, lines.first(), lines.last()) else {
            return Err("the selection holds no line");
        };
        if lines.windows(2).any(|pair| pair[1] != pair[0] + 1) {
            return Err("the selected lines are not next to each other: select lines of one hunk");
        }
        Ok(Place { path, side: self.side, line: *first, end_line: *last })
    }

    /// Whether lines of the other side alone stand between where it began and the cursor: they are skipped.
    pub fn skips(&self, index: &RowIndex, cursor: usize) -> bool {
        let mut rows = (self.from.min(cursor)..=self.from.max(cursor)).filter_map(|row| index.row(row));
        rows.any(|row| matches!(row.what, What::Line { .. }) && self.number(row).is_none())
    }

    /// The side whose lines are skipped.
    pub fn other(&self) -> Side {
        if self.side == Side::Base { Side::Head } else { Side::Base }
    }

    /// The selection in a few words, for the status line.
    pub fn in_words(&self, index: &RowIndex, reader: &Reader, cursor: usize) -> String {
        let side = self.side.word();
        let skipped =
            if self.skips(index, cursor) { format!(", {} lines skipped", self.other().word()) } else { String::new() };
        match self.place(index, reader, cursor) {
            Ok(Place { line, end_line, .. }) if end_line > line => {
                format!("{side} {line}-{end_line} selected{skipped}")
            }
            Ok(place) => format!("{side} {} selected{skipped}", place.line),
            Err(_) => "too far selected".to_owned(),
        }
    }
}
