//! The side pane: what was answered about the part, newest first, with the stamp of each; what runs and what failed.

pub mod draw;
pub mod rows;

use std::collections::BTreeMap;
use std::time::Duration;

use super::scroll::Scroll;
use crate::ask::{Reason, Refusal};
use crate::change::parts::ContentKey;
use crate::engine::events::AskId;
use crate::text::Clean;
use crate::tui::actions::Action;
use rows::SideRow;

/// An ask that waits or runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// By which the engine knows it.
    pub id: AskId,
    /// The ask's name.
    pub kind: &'static str,
    /// The part it is about.
    pub part: ContentKey,
    /// The part's name.
    pub part_name: Clean,
    /// When its turn came, since the start of the session; none while it waits.
    pub started: Option<Duration>,
    /// What the agent is doing.
    pub progress: Clean,
    /// Whether it was asked to stop.
    pub stopping: bool,
}

/// An ask that ended without an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// What was answered failed its checks twice.
    Refused(Box<Refusal>),
    /// There is none, and why.
    NoAnswer(Reason, Clean),
    /// The reviewer cancelled it.
    Cancelled,
}

/// The state of the pane.
#[derive(Debug, Default)]
pub struct SidePane {
    /// Whether it is open.
    pub open: bool,
    /// How many asks there were in this session: the id of the last one.
    pub asked: AskId,
    /// The cursor among its rows.
    pub scroll: Scroll,
    /// Asks that ended without an answer in this session, the last one of each part.
    pub ended: BTreeMap<ContentKey, (&'static str, Ended)>,
    /// The answers of the part shown: position among the review's answers, and whether it is stale.
    pub answers: Vec<(usize, bool)>,
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

    /// The answer the digits speak of: the one under the cursor, else the newest.
    pub fn shown(&self, rows: &[SideRow]) -> Option<usize> {
        let under = rows.get(self.scroll.cursor).and_then(|row| row.answer);
        under.or_else(|| self.answers.first().map(|(answer, _)| *answer))
    }
}

/// Whether a citation starts on a row.
fn starts(rows: &[SideRow], at: usize) -> bool {
    let citation = |at: usize| rows.get(at).and_then(|row| row.citation.map(|citation| (row.answer, citation)));
    citation(at).is_some() && (at == 0 || citation(at - 1) != citation(at))
}
