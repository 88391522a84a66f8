//! `references`: how many other files of the head name what the part touches, by name only.

use std::collections::BTreeMap;

use super::{Novelty, PartView, Signal, SignalRule, novelty};
use crate::change::RepoPath;
use crate::change::parts::{ContentKey, Part};

/// Which files of the head name what each part touches. Made elsewhere; the ranking only reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct References {
    /// One entry for each part that was searched for, by its key, so that the order of parts does not matter.
    pub parts: BTreeMap<ContentKey, PartReferences>,
}

/// What names one part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartReferences {
    /// The names searched for.
    pub names: Vec<String>,
    /// The files that name any of them, the part's own left out, by the bytes of their paths.
    pub files: Vec<RepoPath>,
}

impl References {
    /// What names a part; none where it was not searched for.
    pub fn of(&self, part: &Part) -> Option<&PartReferences> {
        self.parts.get(&part.key)
    }
}

/// See the file.
pub(super) struct ReferencesSignal;

impl SignalRule for ReferencesSignal {
    fn key(&self) -> &'static str {
        "references"
    }

    fn read(&self, part: &PartView<'_>) -> Option<Signal> {
        let found = part.references?.of(part.part)?;
        if found.names.is_empty() {
            return None;
        }
        let (phrase, points) = match found.files.len() {
            0 => ("no other file names it (by name only)".to_owned(), 0),
            1 => ("1 other file names it (by name only)".to_owned(), 1),
            files => (format!("{files} other files name it (by name only)"), if files >= 5 { 2 } else { 1 }),
        };
        // What is new was named by nothing when the others were written; its novelty has its own point.
        let counts = novelty(part) != Novelty::New;
        Some(Signal::new(self.key(), &phrase, if counts { points } else { 0 }))
    }
}
