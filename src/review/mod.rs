//! One person reading one change, as a value: the reading, marks, answers, drafts and what is known of its age.
//!
//! Computes values only. The engine folds results in; the screen and the command line read.

mod draft;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::ask::Answer;
use crate::change::parts::ContentKey;
use crate::change::rank::Importance;
use crate::change::{ObjectId, RankedPart, Reading};

pub use draft::{Draft, DraftId, Error as DraftError, KeptDraft, Source};

/// A change as it is being read by the reviewer.
#[derive(Clone)]
pub struct Review {
    /// The change as it was read.
    pub reading: Arc<Reading>,
    /// Parts ticked as reviewed, by content. Keys of parts that are no longer there stay.
    pub marks: BTreeSet<ContentKey>,
    /// Answers kept for this change, newest first.
    pub answers: Vec<Answer>,
    /// Drafts of comments kept for this change, newest first.
    pub drafts: Vec<KeptDraft>,
    /// When its facts were last read from the source, RFC 3339 in UTC; none for a local change.
    pub as_of: Option<String>,
    /// Whether it is shown from the store without having asked the source.
    pub offline: bool,
    /// The head the source has now, where it is another than the one read.
    pub moved_to: Option<ObjectId>,
}

/// How many parts there are of an importance, and how many of them are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Parts.
    pub parts: usize,
    /// Of which marked as reviewed.
    pub marked: usize,
}

impl Review {
    /// Starts a review of a reading, with nothing marked and nothing answered.
    pub fn new(reading: Arc<Reading>) -> Self {
        let (marks, answers, drafts) = (BTreeSet::new(), Vec::new(), Vec::new());
        Self { reading, marks, answers, drafts, as_of: None, offline: false, moved_to: None }
    }

    /// The parts in reading order.
    pub fn parts(&self) -> &[RankedPart] {
        &self.reading.parts
    }

    /// Whether a part is ticked as reviewed.
    pub fn is_marked(&self, part: &RankedPart) -> bool {
        self.marks.contains(&part.part.key)
    }

    /// Ticks or unticks a part; says whether it is ticked now.
    pub fn toggle_mark(&mut self, key: &ContentKey) -> bool {
        if self.marks.remove(key) {
            return false;
        }
        self.marks.insert(key.clone())
    }

    /// Counts the parts of an importance, sunk noise apart.
    pub fn count(&self, importance: Importance) -> Count {
        self.count_where(|part| !part.rank.sunk && part.rank.importance == importance)
    }

    /// Counts the parts that sank as noise.
    pub fn count_noise(&self) -> Count {
        self.count_where(|part| part.rank.sunk)
    }

    fn count_where(&self, wanted: impl Fn(&RankedPart) -> bool) -> Count {
        let mut count = Count::default();
        for part in self.parts().iter().filter(|part| wanted(part)) {
            count.parts += 1;
            count.marked += usize::from(self.is_marked(part));
        }
        count
    }

    /// The answers about a part, newest first, each with whether it is stale: given for a part of the same name
    /// whose content has changed since.
    pub fn answers_of(&self, part: &RankedPart) -> Vec<(&Answer, bool)> {
        let here: BTreeSet<&ContentKey> = self.parts().iter().map(|part| &part.part.key).collect();
        self.answers
            .iter()
            .filter_map(|answer| {
                let same = answer.stamp.content == part.part.key;
                let stale = answer.part_name == part.part.name && !here.contains(&answer.stamp.content);
                (same || stale).then_some((answer, !same))
            })
            .collect()
    }

    /// The drafts to list with a part, newest first, each with whether it was made about this part: those of a part
    /// that is no longer there are listed with every part, so that none is out of sight.
    pub fn drafts_of(&self, part: &RankedPart) -> Vec<(&KeptDraft, bool)> {
        let gone = |key: &ContentKey| !self.parts().iter().any(|part| part.part.key == *key);
        let own = |kept: &KeptDraft| kept.draft.part == part.part.key;
        self.drafts.iter().filter(|kept| own(kept) || gone(&kept.draft.part)).map(|kept| (kept, own(kept))).collect()
    }
}
