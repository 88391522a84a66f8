//! The marks the screen draws besides words: one set without a glyph of ambiguous width, one of ASCII alone.

/// A set of marks. Each takes exactly one cell in every terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyphs {
    /// A part marked as reviewed.
    pub reviewed: &'static str,
    /// A part not yet marked.
    pub unreviewed: &'static str,
    /// A fold that is closed.
    pub folded: &'static str,
    /// A fold that is open.
    pub unfolded: &'static str,
    /// Text that was cut.
    pub cut: &'static str,
    /// Text that goes on to the left.
    pub more_left: &'static str,
    /// Text that goes on to the right.
    pub more_right: &'static str,
    /// A text that is not here yet.
    pub waiting: &'static str,
    /// A line cited by an answer that is not the shown one.
    pub cited: &'static str,
    /// A line that is being selected.
    pub selected: &'static str,
    /// The row under the cursor.
    pub cursor: &'static str,
    /// Between panes, where no colour tells them apart.
    pub separator: &'static str,
    /// Something runs; shown one after another.
    pub spinner: [&'static str; 4],
}

/// The usual marks.
pub const USUAL: Glyphs = Glyphs {
    reviewed: "✓",
    unreviewed: "◦",
    folded: "▸",
    unfolded: "▾",
    cut: "⋯",
    more_left: "‹",
    more_right: "›",
    waiting: "⋯",
    cited: "*",
    selected: "▐",
    cursor: "▸",
    separator: "|",
    spinner: ["⠋", "⠹", "⠴", "⠧"],
};

/// ASCII alone.
pub const ASCII: Glyphs = Glyphs {
    reviewed: "x",
    unreviewed: ".",
    folded: "+",
    unfolded: "-",
    cut: "~",
    more_left: "<",
    more_right: ">",
    waiting: "~",
    cited: "*",
    selected: "|",
    cursor: ">",
    separator: "|",
    spinner: ["|", "/", "-", "\\"],
};

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr;

    fn all(set: &Glyphs) -> Vec<&'static str> {
        let mut glyphs = vec![
            set.reviewed,
            set.unreviewed,
            set.folded,
            set.unfolded,
            set.cut,
            set.more_left,
            set.more_right,
            set.waiting,
            set.cited,
            set.selected,
            set.cursor,
            set.separator,
        ];
        glyphs.extend(set.spinner);
        glyphs
    }

    #[test]
    fn every_glyph_takes_one_cell_in_every_locale() {
        for glyph in all(&USUAL).into_iter().chain(all(&ASCII)) {
            assert_eq!((glyph.width(), glyph.width_cjk()), (1, 1), "{glyph}");
        }
        assert!(all(&ASCII).iter().all(|glyph| glyph.is_ascii()));
    }
}
