//! The side pane: what was answered about the part, newest first, with the stamp of each; what waits, runs and failed;
//! the drafts.

pub mod answer;
pub mod draw;
mod ended;
pub mod plain;
pub mod rows;

use std::collections::BTreeSet;

use super::scroll::Scroll;
use crate::review::DraftId;
use crate::tui::actions::Action;
use rows::{Item, SideRow};

/// The state of the pane.
#[derive(Debug, Default)]
pub struct SidePane {
    /// Whether it is open.
    pub open: bool,
    /// The cursor among its rows.
    pub scroll: Scroll,
    /// The answers of the part shown: position among the review's answers, and whether it is stale.
    pub answers: Vec<(usize, bool)>,
    /// Whether stamps are shown in full.
    pub full_stamps: bool,
    /// What is folded at first and was unfolded: refused answers and drafts.
    pub unfolded: BTreeSet<Item>,
    /// The draft that goes when its removal is asked for once more.
    pub removing: Option<DraftId>,
}

impl SidePane {
    /// Does what a key asks.
    pub fn act(&mut self, action: Action, rows: &[SideRow], height: usize) {
        let count = rows.len();
        match action {
            Action::Down => self.scroll.step(1, count, height),
            Action::Up => self.scroll.step(-1, count, height),
            Action::Top => self.scroll.go(0, count, height),
            Action::Bottom => self.scroll.go(count, count, height),
            Action::HalfDown => self.scroll.half(true, count, height),
            Action::HalfUp => self.scroll.half(false, count, height),
            Action::NextCitation => {
                self.leap((self.scroll.cursor + 1..count).find(|at| starts(rows, *at)), count, height)
            }
            Action::PreviousCitation => {
                let before = 0..self.scroll.cursor.min(count);
                self.leap(before.rev().find(|at| starts(rows, *at)), count, height);
            }
            _ => {}
        }
    }

    fn leap(&mut self, to: Option<usize>, rows: usize, height: usize) {
        if let Some(row) = to {
            self.scroll.go(row, rows, height);
        }
    }

    /// The answer that is jumped from, copied and made a draft: the nearest one at or below the cursor, else the newest.
    /// None where the cursor is on what was refused, so that no other answer is taken for that.
    pub fn shown(&self, rows: &[SideRow]) -> Option<usize> {
        if matches!(self.item(rows), Some(Item::Refused(_))) {
            return None;
        }
        let below = rows.iter().skip(self.scroll.cursor).find_map(|row| row.answer);
        below.or_else(|| self.answers.first().map(|(answer, _)| *answer))
    }

    /// What the row under the cursor belongs to, beside an answer.
    pub fn item(&self, rows: &[SideRow]) -> Option<Item> {
        rows.get(self.scroll.cursor).and_then(|row| row.item)
    }

    /// Unfolds what is folded, and the other way round.
    pub fn fold(&mut self, item: Item) {
        if !self.unfolded.remove(&item) {
            self.unfolded.insert(item);
        }
    }

    /// Keeps the cursor on the same row of the same answer after rows came in above it; `stands` says where an answer
    /// of the rows before stands among the answers now. A cursor that was on no answer goes to the `new` one.
    pub fn stay(
        &mut self,
        before: &[SideRow],
        now: &[SideRow],
        stands: &dyn Fn(usize) -> usize,
        new: Option<usize>,
        height: usize,
    ) {
        let cursor = self.scroll.cursor;
        let first = |rows: &[SideRow], wanted| rows.iter().position(|row| row.answer == Some(wanted));
        let Some(answer) = before.get(cursor).and_then(|row| row.answer) else {
            self.scroll = Scroll::default();
            if let Some(row) = new.and_then(|new| first(now, new)) {
                self.scroll.show(row, now.len(), height);
            }
            return;
        };
        if let (Some(was), Some(is)) = (first(before, answer), first(now, stands(answer))) {
            self.scroll.top = (self.scroll.top + is).saturating_sub(was);
            self.scroll.go(cursor - was + is, now.len(), height);
        }
    }
}

/// Whether a citation starts on a row.
fn starts(rows: &[SideRow], at: usize) -> bool {
    let citation = |at: usize| rows.get(at).and_then(|row| row.citation.map(|citation| (row.answer, citation)));
    citation(at).is_some() && (at == 0 || citation(at - 1) != citation(at))
}
