//! Cell widths, tab stops, cutting and wrapping: everything measured as a terminal shows it.
//!
//! [`Cells`] walks a line once, from any column, and never yields a character that acts on a terminal: what
//! [`super::clean`] would show as a mark comes as a mark here too, so that even uncleaned bytes are safe to draw.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::clean::{clean, clean_bytes, needs_mark};

/// Bytes looked at to find the end of one grapheme; a longer one is shown in pieces.
const GRAPHEME_BYTES: usize = 256;
/// Bytes skipped in one step where all of them are printable ASCII.
const STRIDE: usize = 64;
/// What a tab is drawn as, cut to its width.
const SPACES: &str = "                ";

/// What a cell stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// A grapheme, as it is.
    Text,
    /// The gap up to the next tab stop.
    Tab,
    /// The mark for something that must not be emitted or could not be seen.
    Mark,
}

/// One thing a terminal shows in one go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell<'a> {
    /// What to draw.
    pub text: Cow<'a, str>,
    /// What it stands for.
    pub kind: CellKind,
    /// Where it begins, in cells from the start of the line.
    pub column: usize,
    /// How many cells it takes; at least 1.
    pub width: usize,
    /// The bytes of the line it comes from.
    pub bytes: Range<usize>,
}

/// Walks the cells of one line. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct Cells<'a> {
    line: &'a [u8],
    at: usize,
    column: usize,
    tab: usize,
}

/// The cells of a line, tab stops `tab` cells apart (1 to 16).
pub fn cells(line: &[u8], tab: u16) -> Cells<'_> {
    Cells { line, at: 0, column: 0, tab: usize::from(tab).clamp(1, SPACES.len()) }
}

impl<'a> Cells<'a> {
    /// Skips to the cell that covers a column, or to the end. Printable ASCII is skipped many bytes a step.
    #[must_use]
    pub fn seek(mut self, column: usize) -> Self {
        while self.column < column {
            if self.stride(column) {
                continue;
            }
            let before = self.clone();
            match self.next() {
                Some(cell) if cell.column + cell.width > column => return before,
                Some(_) => {}
                None => break,
            }
        }
        self
    }

    fn stride(&mut self, column: usize) -> bool {
        let end = self.at + STRIDE;
        if self.column + STRIDE > column || end > self.line.len() {
            return false;
        }
        let plain = self.line[self.at..end].iter().all(|byte| (0x20..0x7f).contains(byte));
        // A following combining character would belong to the last byte's grapheme.
        if plain && self.line.get(end).is_none_or(u8::is_ascii) {
            self.at = end;
            self.column += STRIDE;
            return true;
        }
        false
    }

    fn cell(&mut self, text: Cow<'a, str>, kind: CellKind, width: usize, bytes: usize) -> Cell<'a> {
        let cell = Cell { text, kind, column: self.column, width, bytes: self.at..self.at + bytes };
        self.column += width;
        self.at += bytes;
        cell
    }

    fn mark(&mut self, text: String, bytes: usize) -> Cell<'a> {
        let width = text.len();
        self.cell(Cow::Owned(text), CellKind::Mark, width, bytes)
    }

    /// A grapheme that is not a lone ASCII character, or the mark for what stands there.
    fn grapheme(&mut self) -> Cell<'a> {
        let window = &self.line[self.at..self.line.len().min(self.at + GRAPHEME_BYTES)];
        let valid = window.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let Some(first) = valid.chars().next() else {
            return self.mark(clean_bytes(&window[..1]).into_string(), 1);
        };
        if needs_mark(first) {
            return self.mark(clean(&valid[..first.len_utf8()]).into_string(), first.len_utf8());
        }
        let whole = valid.graphemes(true).next().unwrap_or(valid);
        let text = &whole[..whole.find(needs_mark).unwrap_or(whole.len())];
        match text.width() {
            // Alone, it would be drawn onto the character before it.
            0 => self.mark(format!("<U+{:04X}>", first as u32), first.len_utf8()),
            width => self.cell(Cow::Borrowed(text), CellKind::Text, width, text.len()),
        }
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = Cell<'a>;

    fn next(&mut self) -> Option<Cell<'a>> {
        let byte = *self.line.get(self.at)?;
        #[cfg(test)]
        touched::count();
        if byte == b'\t' {
            let width = self.tab - self.column % self.tab;
            return Some(self.cell(Cow::Borrowed(&SPACES[..width]), CellKind::Tab, width, 1));
        }
        let alone = self.line.get(self.at + 1).is_none_or(u8::is_ascii);
        if alone && (0x20..0x7f).contains(&byte) {
            let text = std::str::from_utf8(&self.line[self.at..=self.at]).unwrap_or("?");
            return Some(self.cell(Cow::Borrowed(text), CellKind::Text, 1, 1));
        }
        Some(self.grapheme())
    }
}

/// How many cells a line takes.
pub fn width(line: &str, tab: u16) -> usize {
    cells(line.as_bytes(), tab).last().map_or(0, |cell| cell.column + cell.width)
}

/// Cuts a text to a width in cells: `None` where it fits, else the bytes that leave room for `mark`.
pub fn fit(text: &str, width: usize, tab: u16, mark: usize) -> Option<usize> {
    let mut kept = 0;
    for cell in cells(text.as_bytes(), tab) {
        if cell.column + cell.width > width {
            return Some(kept);
        }
        if cell.column + cell.width + mark <= width {
            kept = cell.bytes.end;
        }
    }
    None
}

/// Wraps prose into lines of at most `width` cells, between words where it can, never inside a grapheme.
/// Returns the bytes of each line, its spaces at the break left out; an empty text has one empty line.
pub fn wrap(text: &str, width: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        wrap_line(line, start, width.max(1), &mut lines);
        start += line.len() + 1;
    }
    lines
}

fn wrap_line(line: &str, offset: usize, width: usize, lines: &mut Vec<Range<usize>>) {
    let mut from = 0;
    loop {
        let rest = &line[from..];
        let mut fits = 0;
        let mut word_end = None;
        let mut overflows = false;
        for cell in cells(rest.as_bytes(), 1) {
            if &*cell.text == " " {
                word_end = Some(cell.bytes.start);
            }
            if cell.column + cell.width > width && fits > 0 {
                overflows = true;
                break;
            }
            fits = cell.bytes.end;
        }
        if !overflows {
            lines.push(offset + from..offset + line.len());
            return;
        }
        let end = word_end.filter(|end| !rest[..*end].trim_start().is_empty()).unwrap_or(fits);
        lines.push(offset + from..offset + from + end);
        from += end;
        from += line[from..].len() - line[from..].trim_start_matches(' ').len();
        if from >= line.len() {
            return;
        }
    }
}

/// Counts the cells walked, so that a test can say what a frame costs.
#[cfg(test)]
pub(crate) mod touched {
    use std::cell::Cell;

    thread_local!(static CELLS: Cell<usize> = const { Cell::new(0) });

    /// Counts one.
    pub(super) fn count() {
        CELLS.with(|cells| cells.set(cells.get() + 1));
    }

    /// What was counted in this thread since the last call.
    pub(crate) fn take() -> usize {
        CELLS.with(|cells| cells.replace(0))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(line: &[u8]) -> Vec<(String, usize)> {
        cells(line, 4).map(|cell| (cell.text.into_owned(), cell.width)).collect()
    }

    fn joined(line: &[u8], tab: u16) -> String {
        cells(line, tab).map(|cell| cell.text.into_owned()).collect()
    }

    #[test]
    fn tabs_reach_their_stops() {
        assert_eq!(joined(b"a\tb\t\tc", 4), "a   b       c");
        assert_eq!(joined("日\tx".as_bytes(), 4), "日  x");
        assert_eq!(joined(b"\tx", 8), "        x");
    }

    #[test]
    fn graphemes_stay_whole_and_marks_are_marks() {
        let expected = [("e\u{301}", 1), ("日", 2), ("🇩🇪", 2)].map(|(text, width)| (text.to_owned(), width));
        assert_eq!(shown("e\u{301}日🇩🇪".as_bytes()), expected);
        assert_eq!(joined(b"a\x1b[31m\xff", 4), "a^[[31m<FF>");
        assert_eq!(joined("👩\u{200d}💻".as_bytes(), 4), "👩<U+200D>💻");
        assert_eq!(joined("\u{301}x".as_bytes(), 4), "<U+0301>x");
        assert_eq!(cells(b"\x07", 4).next().unwrap().kind, CellKind::Mark);
    }

    #[test]
    fn seeking_lands_on_the_cell_that_covers_the_column() {
        let line = format!("{}日本{}", "a".repeat(200), "b".repeat(200));
        for column in [0, 1, 63, 64, 65, 130, 199, 200, 201, 202, 203, 204, 300, 404] {
            let sought = cells(line.as_bytes(), 4).seek(column).next();
            let walked = cells(line.as_bytes(), 4).find(|cell| cell.column + cell.width > column);
            assert_eq!(sought, walked, "{column}");
        }
    }

    #[test]
    fn seeking_far_into_a_line_touches_few_cells() {
        let line = vec![b'x'; 1 << 20];
        touched::take();
        assert_eq!(cells(&line, 4).seek(1_000_000).next().unwrap().column, 1_000_000);
        assert!(touched::take() < 100);
    }

    #[test]
    fn fits_or_says_where_to_cut() {
        assert_eq!(fit("abc", 3, 4, 1), None);
        assert_eq!(fit("abcd", 3, 4, 1), Some(2));
        assert_eq!(fit("日本語", 5, 4, 1), Some(6));
        assert_eq!(fit("日本", 2, 4, 1), Some(0));
        assert_eq!(width("a\t日", 4), 6);
    }

    #[test]
    fn wraps_between_words_and_inside_long_ones() {
        let lines = |text: &str, width| -> Vec<String> {
            wrap(text, width).into_iter().map(|range| text[range].to_owned()).collect()
        };
        assert_eq!(lines("one two three", 8), ["one two", "three"]);
        assert_eq!(lines("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(lines("日本語日本語", 4), ["日本", "語日", "本語"]);
        assert_eq!(lines("a\n\nb", 9), ["a", "", "b"]);
        assert_eq!(lines("", 9), [""]);
        assert_eq!(lines("ab  cd", 2), ["ab", "cd"]);
    }

    proptest! {
        #[test]
        fn cells_show_what_cleaning_shows(bytes in any::<Vec<u8>>()) {
            let shown: String = cells(&bytes, 4).filter(|cell| cell.kind != CellKind::Tab)
                .map(|cell| cell.text.into_owned()).collect();
            prop_assert!(shown.chars().all(|c| !needs_mark(c)));
            let mut end = 0;
            for cell in cells(&bytes, 4) {
                prop_assert_eq!(cell.bytes.start, end);
                prop_assert!(cell.width > 0);
                end = cell.bytes.end;
            }
            prop_assert_eq!(end, bytes.len());
        }

        #[test]
        fn wrapped_lines_are_narrow_and_whole(text in "[ab日é 🎉\n]{0,60}", width in 2_usize..12) {
            let lines = wrap(&text, width);
            for line in &lines {
                prop_assert!(super::width(&text[line.clone()], 1) <= width);
            }
            let kept: String = lines.iter().map(|line| &text[line.clone()]).collect();
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&kept), letters(&text));
        }
    }
}
