//! A list laid over the panes to pick from: the asks, a part's claims, a part's threads.

use super::actions::{Action, Panes};
use super::widgets::prose::Spans;
use crate::ask::Claim;
use crate::change::parts::ContentKey;

/// What is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Of {
    /// The asks.
    Asks,
    /// The claims of a part, for an ask; none while they are being looked for.
    Claims(&'static str, Option<Vec<Claim>>),
    /// The threads of a part, for an ask, as positions among the change's threads.
    Threads(&'static str, Vec<usize>),
}

/// An open list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// What is listed.
    pub of: Of,
    /// The part it is about.
    pub part: ContentKey,
    /// The entry under the cursor, counted from 0.
    pub at: usize,
    /// The first row shown.
    pub top: usize,
}

/// A row of a list, with the entry it belongs to.
pub type Entry = (usize, Spans);

impl List {
    /// A list with the cursor on its first entry.
    pub fn new(of: Of, part: ContentKey) -> Self {
        Self { of, part, at: 0, top: 0 }
    }

    /// The list as the key table names it.
    pub fn panes(&self) -> Panes {
        match self.of {
            Of::Asks => Panes::MENU,
            Of::Claims(..) => Panes::CLAIMS,
            Of::Threads(..) => Panes::THREADS,
        }
    }

    /// Moves the cursor among the entries and keeps the rows of its entry in a window of so many rows.
    pub fn act(&mut self, action: Action, rows: &[Entry], height: usize) {
        let Some(last) = rows.last().map(|(entry, _)| *entry) else { return };
        self.at = match action {
            Action::Down => self.at + 1,
            Action::Up => self.at.saturating_sub(1),
            Action::HalfDown => self.at + height / 4,
            Action::HalfUp => self.at.saturating_sub(height / 4),
            Action::Top => 0,
            Action::Bottom => last,
            _ => self.at,
        }
        .min(last);
        self.settle(rows, height);
    }

    /// Brings the entry under the cursor into a window of so many rows.
    pub fn settle(&mut self, rows: &[Entry], height: usize) {
        let first = rows.iter().position(|(entry, _)| *entry == self.at).unwrap_or(0);
        let end = rows.iter().rposition(|(entry, _)| *entry == self.at).unwrap_or(0);
        let seen = self.top.max((end + 1).saturating_sub(height)).min(first);
        self.top = seen.min(rows.len().saturating_sub(height));
    }
}
