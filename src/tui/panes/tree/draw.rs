//! Draws the rows of the tree that are in the window.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Row, Section, Tree};
use crate::change::ChangeKind;
use crate::review::Review;
use crate::tui::layout;
use crate::tui::panes::reader::Reader;
use crate::tui::theme::Role;
use crate::tui::widgets::brush::{Brush, Look};

/// What the tree is drawn from.
pub struct Scene<'a> {
    /// The pane.
    pub tree: &'a Tree,
    /// The review, once there are parts.
    pub review: Option<&'a Review>,
    /// The change.
    pub reader: &'a Reader,
    /// Whether the pane has the focus.
    pub focused: bool,
    /// How it looks.
    pub look: &'a Look,
}

impl Scene<'_> {
    /// Draws the title row and the window.
    pub fn draw(&self, buf: &mut Buffer, area: Rect) {
        let (title, rows) = layout::titled(area);
        self.title(buf, title);
        for at in 0..rows.height {
            let number = self.tree.scroll.top + usize::from(at);
            let Some(row) = self.tree.rows.get(number) else { break };
            let style = match (number == self.tree.scroll.cursor, self.focused) {
                (true, true) => self.look.role(Role::SelectedFocused),
                (true, false) => self.look.role(Role::Selected),
                (false, _) => Style::default(),
            };
            let mut brush = Brush::new(buf, self.look, rows, at, style);
            let cursor = number == self.tree.scroll.cursor;
            brush.role(if cursor { self.look.glyphs.cursor } else { " " }, Role::Key);
            match *row {
                Row::Section(section) => self.section(&mut brush, section),
                Row::Part(part) => self.part(&mut brush, part),
                Row::File(file) => self.file(&mut brush, file),
            }
        }
    }

    fn title(&self, buf: &mut Buffer, area: Rect) {
        let role = if self.focused { Role::TitleFocused } else { Role::Title };
        let style = self.look.role(role);
        let mut brush = Brush::new(buf, self.look, area, 0, style);
        let words = match self.review {
            Some(_) => {
                let (parts, marked) =
                    self.tree.counts.iter().fold((0, 0), |sum, one| (sum.0 + one.parts, sum.1 + one.marked));
                format!(" Parts {parts}  reviewed {marked}")
            }
            None => format!(" Changed files {}", self.tree.rows.len()),
        };
        brush.text(&words, style);
    }

    fn section(&self, brush: &mut Brush<'_>, section: Section) {
        let style = self.look.role(section.role());
        let count = self.tree.count_of(section);
        if section == Section::Noise {
            let glyphs = &self.look.glyphs;
            brush.text(if self.tree.noise_open { glyphs.unfolded } else { glyphs.folded }, style);
            let (confirmed, claimed) = self.tree.noise;
            brush.text(&format!(" NOISE {}", count.parts), style);
            for (words, count) in [("confirmed", confirmed), ("claimed", claimed)] {
                if count > 0 {
                    brush.role(&format!("  {words} {count}"), Role::Dim);
                }
            }
        } else {
            brush.text(&section.words().to_uppercase(), style);
            brush.role(&format!(" {}/{}", count.marked, count.parts), Role::Dim);
        }
    }

    fn part(&self, brush: &mut Brush<'_>, at: usize) {
        let Some((review, part)) = self.review.and_then(|review| Some((review, review.parts().get(at)?))) else {
            return;
        };
        let glyphs = &self.look.glyphs;
        if review.is_marked(part) {
            brush.role(glyphs.reviewed, Role::Reviewed);
        } else {
            brush.role(glyphs.unreviewed, Role::Dim);
        }
        brush.skip(1);
        let role = if review.is_marked(part) { Role::Dim } else { Role::Text };
        counted(brush, self.look, part.part.name.as_str(), role, part.part.additions, part.part.deletions);
    }

    fn file(&self, brush: &mut Brush<'_>, at: usize) {
        let Some(file) = self.reader.file(at) else { return };
        let (sign, role) = match file.kind {
            ChangeKind::Addition => ("+", Role::Plus),
            ChangeKind::Deletion => ("-", Role::Minus),
            ChangeKind::Rename => (">", Role::Note),
            ChangeKind::Modification | ChangeKind::TypeChange => ("~", Role::Dim),
        };
        brush.role(sign, role);
        brush.skip(1);
        let path = file.path.shown();
        match self.reader.diff(at) {
            Some(diff) => counted(brush, self.look, path.as_str(), Role::Text, diff.additions, diff.deletions),
            None => brush.role(path.as_str(), Role::Text),
        }
    }
}

/// A name with its counts at the right end, the name cut before the counts are.
fn counted(brush: &mut Brush<'_>, look: &Look, name: &str, role: Role, additions: u32, deletions: u32) {
    let (plus, minus) = (format!(" +{additions}"), format!(" -{deletions}"));
    let counts = plus.len() + minus.len();
    brush.text_within(name, brush.left().saturating_sub(counts), look.role(role));
    brush.align_right(counts);
    brush.role(&plus, Role::Plus);
    brush.role(&minus, Role::Minus);
}
