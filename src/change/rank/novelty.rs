//! `novelty`: whether the part is new, removed or changed.

use super::{PartView, Role, Signal, SignalRule};
use crate::change::ChangeKind;
use crate::change::syntax::EntityChange;

/// How a part relates to the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Novelty {
    /// The base has nothing of it.
    New,
    /// The head has nothing of it.
    Removed,
    /// Both sides have some of it.
    Changed,
}

impl Novelty {
    /// The word for it, as in the JSON result.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

/// See the file.
pub(super) struct NoveltySignal;

impl SignalRule for NoveltySignal {
    fn key(&self) -> &'static str {
        "novelty"
    }

    fn read(&self, part: &PartView<'_>) -> Option<Signal> {
        let novelty = novelty(part);
        // A new document or table is read when its subject is; new code has nobody who read it before.
        let counts = !matches!(part.role, Role::Docs | Role::Data);
        Some(Signal::new(self.key(), novelty.word(), u32::from(counts && novelty == Novelty::New)))
    }
}

/// Whether a part is new, removed or changed: by its files, else by its entities.
pub fn novelty(part: &PartView<'_>) -> Novelty {
    let all_files = |kind| part.of_files().all(|(file, _)| file.kind == kind);
    let entities = &part.part.entities;
    let all_entities = |change| !entities.is_empty() && entities.iter().all(|entity| entity.change == change);
    if all_files(ChangeKind::Addition) || (part.part.deletions == 0 && all_entities(EntityChange::Added)) {
        Novelty::New
    } else if all_files(ChangeKind::Deletion) || (part.part.additions == 0 && all_entities(EntityChange::Removed)) {
        Novelty::Removed
    } else {
        Novelty::Changed
    }
}
