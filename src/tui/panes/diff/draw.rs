//! Draws the rows of the diff that are in the window.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::index::{Row, What};
use super::line::Line;
use super::{Diff, shown_on};
use crate::change::Side;
use crate::change::diff::{DiffLine, LineKind};
use crate::text::{Clean, clean, clean_bytes};
use crate::tui::panes::reader::Reader;
use crate::tui::shelf::{Shelf, Slot};
use crate::tui::theme::Role;
use crate::tui::widgets::brush::{Brush, Look};

/// Which lines answers cite: file, side and line, with what the gutter shows.
pub type Cites = BTreeMap<(usize, Side, u32), String>;

/// What the rows are drawn from.
pub struct Scene<'a> {
    /// The pane.
    pub diff: &'a Diff,
    /// The change.
    pub reader: &'a Reader,
    /// Texts and colours.
    pub shelf: &'a Shelf,
    /// Lines that answers cite.
    pub cites: &'a Cites,
    /// Whether the pane has the focus.
    pub focused: bool,
    /// How it looks.
    pub look: &'a Look,
}

impl Scene<'_> {
    /// Draws the window; the first row names the file where its own row is above it.
    pub fn draw(&self, buf: &mut Buffer, area: Rect) {
        let scroll = self.diff.scroll;
        for at in 0..area.height {
            let number = scroll.top + usize::from(at);
            let Some(row) = self.diff.index.row(number) else { break };
            if at == 0 && row.what != What::File && scroll.cursor != number && !self.diff.is_whole() {
                self.file_row(buf, area, at, row.file, self.diff.index.hunk_of(number));
                continue;
            }
            self.row(buf, area, at, row, scroll.cursor == number);
        }
    }

    fn row(&self, buf: &mut Buffer, area: Rect, at: u16, row: Row, cursor: bool) {
        let (number, scroll) = (self.diff.scroll.top + usize::from(at), self.diff.scroll);
        let selected = self.diff.selection.is_some_and(|selection| selection.holds(number, scroll.cursor, row));
        match row.what {
            What::File => self.file_row(buf, area, at, row.file, None),
            What::Note(note) => {
                let mut brush = Brush::new(buf, self.look, area, at, Style::default());
                brush.skip(2);
                brush.role(self.diff.index.note(note), Role::Note);
            }
            What::Hunk(hunk) => self.hunk_row(buf, area, at, row.file, hunk),
            What::Line { line, .. } => self.line_row(buf, area, at, row.file, line, selected),
        }
        if cursor {
            let cited = matches!(row.what, What::Line { line, .. } if self.cite(row.file, line).is_some());
            self.cursor(buf, area, at, cited);
        }
    }

    /// Marks the row under the cursor; the number of a citation stays readable.
    fn cursor(&self, buf: &mut Buffer, area: Rect, at: u16, cited: bool) {
        let role = if self.focused { Role::SelectedFocused } else { Role::Selected };
        let number = self.diff.index.number_width() as u16;
        let wide = if self.diff.is_whole() { number + 2 } else { 2 * number + 3 };
        let gutter = Rect { width: wide.min(area.width), ..area };
        let mut brush = Brush::new(buf, self.look, gutter, at, self.look.role(role));
        if !cited {
            brush.role(self.look.glyphs.cursor, Role::Key);
        }
    }

    /// Adds a word or two about the state of a file: not coloured, texts on their way.
    fn file_row(&self, buf: &mut Buffer, area: Rect, at: u16, file: usize, hunk: Option<usize>) {
        let style = self.look.role(Role::FileRow);
        let mut brush = Brush::new(buf, self.look, area, at, style);
        let Some(changed) = self.reader.file(file) else { return };
        let shown = self.diff.index.shown(file);
        let words = match shown.hunks {
            hunks if hunks < shown.of => format!("{hunks} of {} hunks ", shown.of),
            _ => format!("{} ", changed.kind.word()),
        };
        let (plus, minus) = (format!("+{}", shown.additions), format!(" -{}", shown.deletions));
        let right = words.len() + plus.len() + minus.len() + 2;
        brush.skip(1);
        let room = brush.left().saturating_sub(right);
        brush.text_within(changed.path.shown().as_str(), room, style);
        let heading = hunk
            .and_then(|hunk| self.reader.diff(file)?.hunks.get(hunk))
            .map(|hunk| clean_bytes(hunk.heading.trim_ascii()));
        let why = self.shelf.uncoloured(file).map(|why| format!("not coloured: {}", clean(why)));
        let notes = [(heading.map(Clean::into_string), Role::Dim), (why, Role::Note)];
        for (note, role) in
            notes.into_iter().filter_map(|(note, role)| Some((note.filter(|note| !note.is_empty())?, role)))
        {
            brush.skip(2.min(brush.left().saturating_sub(right)));
            let room = brush.left().saturating_sub(right);
            brush.text_within(&note, room, self.look.role(role));
        }
        brush.align_right(right - 1);
        brush.role(&words, Role::Dim);
        brush.role(&plus, Role::Plus);
        brush.role(&minus, Role::Minus);
    }

    fn hunk_row(&self, buf: &mut Buffer, area: Rect, at: u16, file: usize, hunk: usize) {
        let style = self.look.role(Role::HunkRow);
        let mut brush = Brush::new(buf, self.look, area, at, Style::default());
        let Some(hunk) = self.reader.diff(file).and_then(|diff| diff.hunks.get(hunk)) else { return };
        brush.skip(1);
        brush.text(&hunk.header(), style);
        if !hunk.heading.is_empty() {
            brush.text(" ", style);
            brush.role(clean_bytes(&hunk.heading).as_str(), Role::Dim);
        }
    }

    fn line_row(&self, buf: &mut Buffer, area: Rect, at: u16, file: usize, line: DiffLine, selected: bool) {
        let (base, sign) = match line.kind {
            LineKind::Context => (Style::default(), self.look.role(Role::Dim)),
            LineKind::Addition => (self.look.role(Role::Addition), self.look.role(Role::AdditionSign)),
            LineKind::Deletion => (self.look.role(Role::Deletion), self.look.role(Role::DeletionSign)),
        };
        let lit = self.is_highlighted(file, line);
        let base = if lit { base.patch(self.look.role(Role::Cited)) } else { base };
        let base = if selected { base.patch(self.look.role(Role::Selected)) } else { base };
        let mut brush = Brush::new(buf, self.look, area, at, base);
        let cite = self.cite(file, line);
        brush.role(cite.unwrap_or(" "), Role::Citation);
        let width = self.diff.index.number_width();
        let number = |number: u32| if number == 0 { " ".repeat(width) } else { format!("{number:>width$}") };
        let numbers = match self.diff.is_whole() {
            true => number(line.base_line.max(line.head_line)),
            false => format!("{} {}", number(line.base_line), number(line.head_line)),
        };
        brush.role(&numbers, Role::Number);
        brush.role(if selected { self.look.glyphs.selected } else { " " }, Role::Key);
        brush.text(line.kind.sign().encode_utf8(&mut [0; 4]), sign);
        self.code(&mut brush, file, line);
    }

    fn code(&self, brush: &mut Brush<'_>, file: usize, line: DiffLine) {
        let (side, number) = shown_on(line);
        let texts = match self.shelf.texts(file) {
            None | Some(Slot::Waiting) => return brush.role(self.look.glyphs.waiting, Role::Placeholder),
            Some(Slot::Failed(why)) => return brush.role(&format!("not here: {}", clean(why)), Role::Placeholder),
            Some(Slot::Here(texts)) => texts,
        };
        let text = texts.on(side);
        let last = text.is_some_and(|text| text.lines() == number && !text.ends_with_newline());
        let code = Line {
            bytes: text.and_then(|text| text.line(number)).unwrap_or_default(),
            colours: self.shelf.colours(file, side, number).unwrap_or_default(),
            search: self.diff.search.as_ref(),
            left: self.diff.left,
            end: if last { "\\ no newline at end of file" } else { "" },
        };
        code.draw(brush, self.look);
    }

    fn is_highlighted(&self, file: usize, line: DiffLine) -> bool {
        self.diff.highlight.as_ref().is_some_and(|lit| {
            let number = if lit.side == Side::Base { line.base_line } else { line.head_line };
            lit.file == file && lit.lines.contains(&number)
        })
    }

    fn cite(&self, file: usize, line: DiffLine) -> Option<&str> {
        let on = |side, number| self.cites.get(&(file, side, number)).filter(|_| number > 0);
        on(Side::Head, line.head_line).or_else(|| on(Side::Base, line.base_line)).map(String::as_str)
    }
}
