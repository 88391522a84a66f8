//! `Brush`: puts text into one row of the screen, cell by cell. The only way text reaches the screen, so that
//! nothing that acts on a terminal can.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::text::cells::{self, Cell, CellKind, cells};
use crate::tui::glyphs::Glyphs;
use crate::tui::theme::{Role, Theme};

/// How everything looks.
#[derive(Debug, Clone)]
pub struct Look {
    /// The styles.
    pub theme: Theme,
    /// The marks.
    pub glyphs: Glyphs,
    /// Cells between tab stops.
    pub tab: u16,
}

impl Look {
    /// The style of a role.
    pub fn role(&self, role: Role) -> Style {
        self.theme.role(role)
    }
}

/// Writes into one row from left to right and stops at its end.
pub struct Brush<'a> {
    buf: &'a mut Buffer,
    look: &'a Look,
    x: u16,
    y: u16,
    end: u16,
}

impl<'a> Brush<'a> {
    /// A brush at the start of a row of an area, counted from 0; the row takes the style first.
    pub fn new(buf: &'a mut Buffer, look: &'a Look, area: Rect, row: u16, style: Style) -> Self {
        let line = Rect { y: area.y + row.min(area.height.saturating_sub(1)), height: area.height.min(1), ..area };
        let line = line.intersection(buf.area);
        buf.set_style(line, style);
        Self { buf, look, x: line.x, y: line.y, end: if line.height == 0 { line.x } else { line.right() } }
    }

    /// Cells left in the row.
    pub fn left(&self) -> usize {
        usize::from(self.end - self.x)
    }

    /// Writes a text; one that does not fit ends in the mark for cut text.
    pub fn text(&mut self, text: &str, style: Style) {
        self.text_within(text, self.left(), style);
    }

    /// Writes a text in the style of a role.
    pub fn role(&mut self, text: &str, role: Role) {
        self.text(text, self.look.role(role));
    }

    /// Writes a text into at most `width` cells; one that does not fit ends in the mark for cut text.
    pub fn text_within(&mut self, text: &str, width: usize, style: Style) {
        let width = width.min(self.left());
        let cut = cells::fit(text, width, self.look.tab, 1);
        let kept = &text[..cut.unwrap_or(text.len())];
        for cell in cells(kept.as_bytes(), self.look.tab) {
            self.cell(&cell, 0, style);
        }
        if cut.is_some() && width > 0 {
            self.glyph(self.look.glyphs.cut, style);
        }
    }

    /// Writes a mark that takes one cell.
    pub fn glyph(&mut self, glyph: &str, style: Style) {
        if self.left() > 0 {
            self.put(glyph, style);
        }
    }

    /// Writes a cell of a line without its first `skip` columns; what does not fit is cut.
    pub fn cell(&mut self, cell: &Cell<'_>, skip: usize, style: Style) {
        let shown = cell.width.saturating_sub(skip);
        if cell.kind == CellKind::Text && skip == 0 && cell.width <= self.left() {
            self.put(&cell.text, style);
            (1..cell.width).for_each(|_| self.put(" ", style));
        } else if cell.kind == CellKind::Text {
            // A wide character cut in two cannot be drawn.
            (0..shown.min(self.left())).for_each(|_| self.put(" ", style));
        } else {
            let mut pieces = [0; 4];
            for c in cell.text.chars().skip(skip).take(self.left()) {
                self.put(c.encode_utf8(&mut pieces), style);
            }
        }
    }

    fn put(&mut self, symbol: &str, style: Style) {
        if let Some(cell) = self.buf.cell_mut((self.x, self.y)) {
            cell.set_symbol(symbol).set_style(style);
        }
        self.x += 1;
    }

    /// Leaves cells as they are.
    pub fn skip(&mut self, cells: usize) {
        self.x += cells.min(self.left()) as u16;
    }

    /// Moves to where a text of some width ends at the row's end, if that is further on.
    pub fn align_right(&mut self, width: usize) {
        self.skip(self.left().saturating_sub(width));
    }

    /// Moves back from the end to the last cell, to mark that text goes on.
    pub fn last_cell(&mut self) {
        self.x = self.x.min(self.end.saturating_sub(1));
    }
}

/// Takes what is drawn out of an area, so that nothing of its style shines through what is laid over it.
pub fn clear(buf: &mut Buffer, area: Rect) {
    for position in area.intersection(buf.area).positions() {
        if let Some(cell) = buf.cell_mut(position) {
            cell.reset();
        }
    }
}

/// How many cells a text takes on this screen.
pub fn width(text: &str, look: &Look) -> usize {
    cells::width(text, look.tab)
}
