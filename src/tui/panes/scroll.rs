//! A cursor in rows that scroll under a window.

/// Rows kept between the cursor and the edge of the window, where there are so many.
const MARGIN: usize = 3;

/// The first row shown and the row the cursor is on, both counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scroll {
    /// The first row shown.
    pub top: usize,
    /// The row under the cursor.
    pub cursor: usize,
}

impl Scroll {
    /// Puts the cursor on a row and the window so that it is seen, moving it as little as possible.
    pub fn go(&mut self, row: usize, rows: usize, height: usize) {
        self.cursor = row.min(rows.saturating_sub(1));
        self.settle(rows, height);
    }

    /// Moves the cursor.
    pub fn step(&mut self, by: isize, rows: usize, height: usize) {
        self.go(self.cursor.saturating_add_signed(by), rows, height);
    }

    /// Moves cursor and window together by half a window.
    pub fn half(&mut self, down: bool, rows: usize, height: usize) {
        let by = (height / 2).max(1) as isize * if down { 1 } else { -1 };
        self.top = self.top.saturating_add_signed(by);
        self.step(by, rows, height);
    }

    /// Puts a row a third down the window, as after a jump.
    pub fn show(&mut self, row: usize, rows: usize, height: usize) {
        let near = row >= self.top + MARGIN && row + MARGIN < self.top + height;
        if !near {
            self.top = row.saturating_sub(height / 3);
        }
        self.go(row, rows, height);
    }

    /// Brings cursor and window back inside after rows or height changed.
    pub fn settle(&mut self, rows: usize, height: usize) {
        self.cursor = self.cursor.min(rows.saturating_sub(1));
        let margin = MARGIN.min(height.saturating_sub(1) / 2);
        let lowest = (self.cursor + margin + 1).saturating_sub(height);
        let highest = self.cursor.saturating_sub(margin);
        self.top = self.top.max(lowest).min(highest).min(rows.saturating_sub(height));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_cursor_in_the_window() {
        let mut scroll = Scroll::default();
        scroll.step(9, 100, 10);
        assert_eq!(scroll, Scroll { top: 3, cursor: 9 });
        scroll.go(99, 100, 10);
        assert_eq!(scroll, Scroll { top: 90, cursor: 99 });
        scroll.half(false, 100, 10);
        assert_eq!(scroll, Scroll { top: 88, cursor: 94 });
        scroll.go(0, 100, 10);
        assert_eq!(scroll, Scroll { top: 0, cursor: 0 });
        scroll.step(-5, 100, 10);
        assert_eq!(scroll.cursor, 0);
        scroll.go(7, 0, 10);
        assert_eq!(scroll, Scroll::default());
    }

    #[test]
    fn a_jump_leaves_room_above() {
        let mut scroll = Scroll::default();
        scroll.show(50, 100, 12);
        assert_eq!(scroll, Scroll { top: 46, cursor: 50 });
        scroll.show(52, 100, 12);
        assert_eq!(scroll, Scroll { top: 46, cursor: 52 });
    }
}
