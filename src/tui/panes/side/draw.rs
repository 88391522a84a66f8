//! Draws the rows of the side pane that are in the window.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::SidePane;
use super::rows::SideRow;
use crate::tui::layout;
use crate::tui::theme::Role;
use crate::tui::widgets::brush::{Brush, Look};

/// What the pane is drawn from.
pub struct Scene<'a> {
    /// The pane.
    pub side: &'a SidePane,
    /// Its rows.
    pub rows: &'a [SideRow],
    /// The name of the part.
    pub name: &'a str,
    /// Whether the pane has the focus.
    pub focused: bool,
    /// How it looks.
    pub look: &'a Look,
}

impl Scene<'_> {
    /// Draws the title row and the window. One cell at the left is left free.
    pub fn draw(&self, buf: &mut Buffer, area: Rect) {
        let (title, rows) = layout::titled(area);
        let style = self.look.role(if self.focused { Role::TitleFocused } else { Role::Title });
        let mut brush = Brush::new(buf, self.look, title, 0, style);
        brush.text(&format!(" Answers  {}", self.name), style);
        for at in 0..rows.height {
            let number = self.side.scroll.top + usize::from(at);
            let Some(row) = self.rows.get(number) else { break };
            let cursor = self.focused && number == self.side.scroll.cursor;
            let base = if cursor { self.look.role(Role::SelectedFocused) } else { Style::default() };
            let mut brush = Brush::new(buf, self.look, rows, at, base);
            brush.role(if cursor { self.look.glyphs.cursor } else { " " }, Role::Key);
            for (text, role) in &row.spans {
                brush.role(text, *role);
            }
        }
    }
}
