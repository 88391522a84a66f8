//! One line of code in its cells: colours, marks, hits of the search, sideways scroll.

use std::ops::Range;

use ratatui::style::Style;

use crate::change::syntax::Span;
use crate::text::cells::{Cell, CellKind, cells};
use crate::tui::search::Search;
use crate::tui::theme::Role;
use crate::tui::widgets::brush::{Brush, Look};

/// A line to draw.
pub struct Line<'a> {
    /// Its bytes, without the line feed.
    pub bytes: &'a [u8],
    /// Its colours, where they are here.
    pub colours: &'a [Span],
    /// What is searched for.
    pub search: Option<&'a Search>,
    /// Cells scrolled to the right.
    pub left: usize,
    /// What is said after its end.
    pub end: &'a str,
}

impl Line<'_> {
    /// Draws the visible cells and looks at no others; hints at both edges where the line goes on.
    pub fn draw(&self, brush: &mut Brush<'_>, look: &Look) {
        let dim = look.role(Role::Dim);
        let hint = self.left > 0 && !self.bytes.is_empty();
        if hint {
            brush.glyph(look.glyphs.more_left, dim);
        }
        let from = self.left + usize::from(hint);
        let end = from + brush.left();
        let visible: Vec<Cell<'_>> =
            cells(self.bytes, look.tab).seek(from).take_while(|cell| cell.column < end).collect();
        let hits = self.hits(&visible);
        let goes_on =
            visible.last().is_some_and(|last| last.bytes.end < self.bytes.len() || last.column + last.width > end);
        for cell in &visible {
            brush.cell(cell, from.saturating_sub(cell.column), self.style(cell, &hits, look));
        }
        if goes_on {
            brush.last_cell();
            brush.glyph(look.glyphs.more_right, dim);
        } else if !self.end.is_empty() {
            brush.skip(1);
            brush.role(self.end, Role::Note);
        }
    }

    fn hits(&self, visible: &[Cell<'_>]) -> Vec<Range<usize>> {
        match (self.search, visible) {
            (Some(search), [first, .., last]) => search.within(self.bytes, first.bytes.start..last.bytes.end),
            (Some(search), [only]) => search.within(self.bytes, only.bytes.clone()),
            _ => Vec::new(),
        }
    }

    fn style(&self, cell: &Cell<'_>, hits: &[Range<usize>], look: &Look) -> Style {
        let at = cell.bytes.start;
        if hits.iter().any(|hit| hit.contains(&at)) {
            return look.role(Role::Match);
        }
        let is_line_end = cell.bytes.end == self.bytes.len() && self.bytes.ends_with(b"\r");
        if cell.kind == CellKind::Mark && is_line_end {
            return look.role(Role::Dim);
        }
        if cell.kind == CellKind::Mark {
            return look.role(Role::ControlMark);
        }
        let next = self.colours.partition_point(|span| span.end as usize <= at);
        match self.colours.get(next) {
            Some(span) if span.start as usize <= at => look.theme.token(span.token),
            _ => Style::default(),
        }
    }
}
