//! Where everything stands, computed from the size alone before anything is drawn.

use ratatui::layout::{Rect, Size};

use super::actions::Panes;

/// From this width on, three panes stand side by side.
pub const WIDE: u16 = 140;
/// From this width on, two panes stand side by side whatever has the focus.
pub const MEDIUM: u16 = 100;
/// The smallest screen that is drawn.
pub const SMALLEST: Size = Size { width: 60, height: 15 };

/// The pane that takes the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    /// The ranked tree.
    Tree,
    /// The diff.
    Diff,
    /// The side pane.
    Side,
}

impl Focus {
    /// The pane as the key table names it.
    pub fn panes(self) -> Panes {
        match self {
            Self::Tree => Panes::TREE,
            Self::Diff => Panes::DIFF,
            Self::Side => Panes::SIDE,
        }
    }
}

/// The areas of the screen. Areas of panes include their title rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The line on top.
    pub header: Rect,
    /// The line that says the head moved, where it did.
    pub moved: Option<Rect>,
    /// Everything between header and footer.
    pub body: Rect,
    /// The tree, where it is shown.
    pub tree: Option<Rect>,
    /// The diff, where it is shown.
    pub diff: Option<Rect>,
    /// The side pane, where it is shown.
    pub side: Option<Rect>,
    /// The columns between panes.
    pub separators: Vec<Rect>,
    /// The line at the bottom.
    pub footer: Rect,
}

impl Layout {
    /// Computes the areas; none where the screen is too small to draw.
    pub fn new(size: Size, focus: Focus, side_open: bool, moved: bool) -> Option<Self> {
        if size.width < SMALLEST.width || size.height < SMALLEST.height {
            return None;
        }
        let line = |y| Rect::new(0, y, size.width, 1);
        let top = 1 + u16::from(moved);
        let body = Rect::new(0, top, size.width, size.height - top - 1);
        let mut layout = Self {
            header: line(0),
            moved: moved.then(|| line(1)),
            body,
            tree: None,
            diff: None,
            side: None,
            separators: Vec::new(),
            footer: line(size.height - 1),
        };
        layout.place(focus, side_open);
        Some(layout)
    }

    fn place(&mut self, focus: Focus, side_open: bool) {
        let width = self.body.width;
        let part = |percent: u16, least: u16, most: u16| (width * percent / 100).clamp(least, most);
        let side_shown =
            side_open && (width >= WIDE || focus == Focus::Side || width >= MEDIUM && focus == Focus::Diff);
        let tree_shown = width >= WIDE || focus == Focus::Tree || width >= MEDIUM && !side_shown;
        let diff_shown = width >= MEDIUM || focus != Focus::Side;
        let tree = if !tree_shown {
            0
        } else if width >= WIDE {
            part(25, 36, 52)
        } else if width >= MEDIUM {
            part(34, 34, 42)
        } else {
            part(43, 26, 36)
        };
        let side = match (side_shown, diff_shown) {
            (false, _) => 0,
            (true, false) => width,
            (true, true) if width >= WIDE => part(31, 44, 76),
            (true, true) => part(42, 42, 56),
        };
        let mut rest = self.body;
        if tree_shown {
            self.tree = Some(self.take_left(&mut rest, tree));
        }
        if side_shown && diff_shown {
            self.side = Some(self.take_right(&mut rest, side));
        } else if side_shown {
            self.side = Some(rest);
        }
        if diff_shown {
            self.diff = Some(rest);
        }
    }

    fn take_left(&mut self, rest: &mut Rect, width: u16) -> Rect {
        let taken = Rect { width, ..*rest };
        self.separators.push(Rect { x: rest.x + width, width: 1, ..*rest });
        *rest = Rect { x: rest.x + width + 1, width: rest.width - width - 1, ..*rest };
        taken
    }

    fn take_right(&mut self, rest: &mut Rect, width: u16) -> Rect {
        let x = rest.right() - width;
        let taken = Rect { x, width, ..*rest };
        self.separators.push(Rect { x: x - 1, width: 1, ..*rest });
        rest.width -= width + 1;
        taken
    }
}

/// Rows the banner of a diff pane may take: its title row with what is said below it.
pub fn banner_limit(area: Rect) -> u16 {
    if area.height < 26 { 3 } else { 5 }
}

/// Cuts a diff pane into its banner, of so many rows, and its rows.
pub fn diff_areas(area: Rect, banner: u16) -> (Rect, Rect) {
    split(area, banner.min(banner_limit(area)).min(area.height))
}

/// Cuts a pane into its title row and its rows.
pub fn titled(area: Rect) -> (Rect, Rect) {
    split(area, 1.min(area.height))
}

fn split(area: Rect, top: u16) -> (Rect, Rect) {
    (Rect { height: top, ..area }, Rect { y: area.y + top, height: area.height - top, ..area })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn panes_never_overlap_and_fill_every_size() {
        for width in 60..220 {
            for focus in [Focus::Tree, Focus::Diff, Focus::Side] {
                for side_open in [false, true] {
                    if focus == Focus::Side && !side_open {
                        continue;
                    }
                    let layout = Layout::new(Size::new(width, 24), focus, side_open, false).unwrap();
                    let mut areas: Vec<Rect> = [layout.tree, layout.diff, layout.side].into_iter().flatten().collect();
                    areas.extend(&layout.separators);
                    assert_eq!(areas.iter().map(|area| area.width).sum::<u16>(), width, "{width} {focus:?}");
                    areas.sort_by_key(|area| area.x);
                    assert!(areas.windows(2).all(|pair| pair[0].right() == pair[1].x));
                    let focused = match focus {
                        Focus::Tree => layout.tree,
                        Focus::Diff => layout.diff,
                        Focus::Side => layout.side,
                    };
                    assert!(focused.unwrap().width >= 24);
                }
            }
        }
    }

    #[test]
    fn too_small_is_not_drawn() {
        assert_eq!(Layout::new(Size::new(59, 24), Focus::Tree, false, false), None);
        assert_eq!(Layout::new(Size::new(80, 14), Focus::Tree, false, false), None);
    }
}
