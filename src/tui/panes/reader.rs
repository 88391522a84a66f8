//! What the panes read the change through, before its parts are there and after.

use std::sync::Arc;

use crate::change::diff::FileDiff;
use crate::change::{Change, ChangedFile, FileReading, Reading};

/// A change and as much of its diff as is known. Cloning is cheap.
#[derive(Clone)]
pub struct Reader {
    change: Arc<Change>,
    diffs: Diffs,
}

#[derive(Clone)]
enum Diffs {
    /// The files are listed; one of them is cut.
    One(Option<Arc<(usize, FileDiff)>>),
    /// Every file is cut.
    All(Arc<Vec<FileReading>>),
}

impl Reader {
    /// A change whose files are listed, with the diff of one.
    pub fn listed(change: Arc<Change>, first: Option<(usize, FileDiff)>) -> Self {
        Self { change, diffs: Diffs::One(first.map(Arc::new)) }
    }

    /// A change that was read.
    pub fn read(reading: &Reading) -> Self {
        Self { change: Arc::clone(&reading.change), diffs: Diffs::All(Arc::clone(&reading.files)) }
    }

    /// The change.
    pub fn change(&self) -> &Change {
        &self.change
    }

    /// A changed file.
    pub fn file(&self, at: usize) -> Option<&ChangedFile> {
        self.change.files.get(at)
    }

    /// The diff of a file; none while it is not cut.
    pub fn diff(&self, at: usize) -> Option<&FileDiff> {
        match &self.diffs {
            Diffs::One(first) => first.as_deref().filter(|(file, _)| *file == at).map(|(_, diff)| diff),
            Diffs::All(files) => files.get(at).map(|file| &file.diff),
        }
    }

    /// What was read out of a file; none while the files are only listed.
    pub fn reading(&self, at: usize) -> Option<&FileReading> {
        match &self.diffs {
            Diffs::One(_) => None,
            Diffs::All(files) => files.get(at),
        }
    }

    /// Whether both show the same two trees.
    pub fn same_change(&self, other: &Self) -> bool {
        let trees = |reader: &Self| (reader.change.base_tree, reader.change.head_tree);
        trees(self) == trees(other) && self.change.files == other.change.files
    }
}
