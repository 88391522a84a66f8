//! The asks of this session as the screen knows them: what waits and runs, how others ended, what was typed and given up.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::ask::{Reason, Refusal, Wanted};
use crate::change::parts::ContentKey;
use crate::engine::events::AskId;
use crate::text::Clean;

/// Asks that ended without an answer which are remembered.
const KEPT: usize = 50;

/// An ask that waits or runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// By which the engine knows it.
    pub id: AskId,
    /// What was asked.
    pub what: Asked,
    /// When its turn came, since the start of the session; none while it waits.
    pub started: Option<Duration>,
    /// What the agent is doing.
    pub progress: Clean,
    /// Whether it was asked to stop.
    pub stopping: bool,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The ask's name.
    pub kind: &'static str,
    /// The part it is about.
    pub part: ContentKey,
    /// The part's name.
    pub part_name: Clean,
    /// What was picked beside the part.
    pub wanted: Wanted,
    /// What was picked, in words; empty for the part alone.
    pub about: Clean,
}

impl Asked {
    /// Whether another is the same question.
    pub fn is(&self, other: &Self) -> bool {
        (self.kind, &self.part, &self.wanted) == (other.kind, &other.part, &other.wanted)
    }
}

/// An ask that ended without an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// By which the engine knew it.
    pub id: AskId,
    /// What was asked.
    pub what: Asked,
    /// How it ended.
    pub how: How,
    /// How many answers about its part came since.
    pub answers_since: usize,
}

/// How an ask ended without an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// What was answered failed its checks twice.
    Refused(Box<Refusal>),
    /// There is none, and why.
    NoAnswer(Reason, Clean),
    /// The reviewer cancelled it.
    Cancelled,
}

/// The asks of this session.
#[derive(Debug, Default)]
pub struct Asking {
    /// How many asks there were: the id of the last one.
    count: AskId,
    /// Those that wait or run, the first asked first.
    pub running: Vec<Running>,
    /// Those that ended without an answer, the last one first.
    pub ended: Vec<Ended>,
    /// Whether the last key asked to quit while something runs, so that the next one does.
    pub quitting: bool,
    /// Words that were typed and given up, by ask and part.
    given_up: BTreeMap<(&'static str, ContentKey), String>,
}

impl Asking {
    /// Takes a question into the queue and returns its number; none where it waits or runs already.
    pub fn begin(&mut self, what: Asked) -> Option<AskId> {
        if self.running.iter().any(|running| running.what.is(&what)) {
            return None;
        }
        self.ended.retain(|ended| !ended.what.is(&what));
        self.count += 1;
        let (id, started, progress) = (self.count, None, Clean::default());
        self.running.push(Running { id, what, started, progress, stopping: false });
        Some(id)
    }

    /// Takes a question out of the queue.
    pub fn end(&mut self, id: AskId) -> Option<Running> {
        let at = self.running.iter().position(|running| running.id == id)?;
        Some(self.running.remove(at))
    }

    /// Remembers how a question ended without an answer.
    pub fn remember(&mut self, id: AskId, what: Asked, how: How) {
        self.ended.insert(0, Ended { id, what, how, answers_since: 0 });
        self.ended.truncate(KEPT);
    }

    /// An answer about a part is here: what failed or was cancelled there before is past, what was refused moves below
    /// the answer. `again` is where the same answer stood among those of the part, if it was there before.
    pub fn answered(&mut self, part: &ContentKey, again: Option<usize>) {
        self.ended.retain(|ended| ended.what.part != *part || matches!(ended.how, How::Refused(_)));
        for ended in self.ended.iter_mut().filter(|ended| ended.what.part == *part) {
            ended.answers_since += usize::from(again.is_none_or(|at| at >= ended.answers_since));
        }
    }

    /// What waits or runs under a number.
    pub fn find(&mut self, id: AskId) -> Option<&mut Running> {
        self.running.iter_mut().find(|running| running.id == id)
    }

    /// How many wait before one that waits.
    pub fn before(&self, id: AskId) -> usize {
        self.running.iter().take_while(|running| running.id != id).filter(|running| running.started.is_none()).count()
    }

    /// Keeps words that were given up; none are forgotten.
    pub fn give_up(&mut self, kind: &'static str, part: ContentKey, words: String) {
        if words.trim().is_empty() {
            self.given_up.remove(&(kind, part));
        } else {
            self.given_up.insert((kind, part), words);
        }
    }

    /// Keeps the words of a question that ended without an answer, where no others were given up since.
    pub fn not_answered(&mut self, what: &Asked) {
        if let Some(words) = &what.wanted.words {
            self.given_up.entry((what.kind, what.part.clone())).or_insert_with(|| words.clone());
        }
    }

    /// The words given up last, to go on with.
    pub fn taken_up(&mut self, kind: &'static str, part: &ContentKey) -> String {
        self.given_up.remove(&(kind, part.clone())).unwrap_or_default()
    }
}
