//! Both sides of a change as the tools read them: the entries of each tree are walked once a question.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::Refusal;
use super::page::shown_path;
use crate::change::{FileMode, FileVersion, Missing, ObjectId, Reading, RepoPath, Side, Text, TreeEntry, Trees};
use crate::text::{clean, clean_bytes, excerpt};

/// Bytes of the longest target of a link that is shown; no system follows a longer one.
const TARGET_BYTES: u64 = 4096;

/// How far git looks for a NUL to take a file for binary; so do we.
const BINARY_BYTES: usize = 8000;

/// The change an agent is asked about, with what was walked of its trees.
pub struct Sides {
    reading: Arc<Reading>,
    base: OnceLock<Vec<TreeEntry>>,
    head: OnceLock<Vec<TreeEntry>>,
}

impl Sides {
    /// Nothing is read yet.
    pub fn new(reading: Arc<Reading>) -> Self {
        Self { reading, base: OnceLock::new(), head: OnceLock::new() }
    }

    /// The change as it was read.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// All entries of a side, by the bytes of their paths.
    ///
    /// # Errors
    /// Where a tree is not here.
    pub fn entries(&self, side: Side) -> Result<&[TreeEntry], Refusal> {
        let walked = match side {
            Side::Base => &self.base,
            Side::Head => &self.head,
        };
        if let Some(entries) = walked.get() {
            return Ok(entries);
        }
        // A tree that is not here is not remembered: it may be there the next time.
        let mut entries = self.trees().entries(side).map_err(|missing| not_here(&missing))?;
        entries.sort_by(|one, two| one.path.cmp(&two.path));
        Ok(walked.get_or_init(|| entries))
    }

    /// The bytes of an entry as lines.
    ///
    /// # Errors
    /// Where the blob is not here.
    pub fn text(&self, id: ObjectId) -> Result<Text, Refusal> {
        self.trees().blob(id).map(Text::new).map_err(|missing| not_here(&missing))
    }

    /// The trees themselves.
    pub fn trees(&self) -> &dyn Trees {
        self.reading.change.trees.as_ref()
    }

    /// An entry as a row: what it is, its path, and its size or where it points.
    pub fn row(&self, side: Side, entry: &TreeEntry) -> String {
        let (word, path) = (entry.mode.word(), shown_path(&entry.path));
        match entry.mode {
            FileMode::SUBMODULE => format!("{word} {path} at commit {} (not entered)", entry.id),
            FileMode::SYMLINK => format!("{word} {path} -> {} (not followed)", self.target(side, entry)),
            _ => match self.size(side, entry) {
                Some(size) => format!("{word} {path} ({size} bytes)"),
                None => format!("{word} {path} (its content is not here)"),
            },
        }
    }

    /// Bytes of an entry's blob; none where it is not here.
    pub fn size(&self, side: Side, entry: &TreeEntry) -> Option<u64> {
        let version: Option<FileVersion> = self.trees().file(side, &entry.path).ok().flatten();
        version.and_then(|version| version.size)
    }

    /// Where a link points, as it may be shown.
    pub fn target(&self, side: Side, entry: &TreeEntry) -> String {
        match self.size(side, entry) {
            Some(size) if size > TARGET_BYTES => format!("[a target of {size} bytes]"),
            _ => match self.trees().blob(entry.id) {
                Ok(bytes) => excerpt(&clean_bytes(&bytes)).into_owned(),
                Err(_) => "[a target that is not here]".to_owned(),
            },
        }
    }
}

/// The positions of the entries below a folder; all of them for the empty path.
pub fn below(entries: &[TreeEntry], folder: &[u8]) -> Range<usize> {
    if folder.is_empty() {
        return 0..entries.len();
    }
    let prefix = [folder, b"/"].concat();
    let start = entries.partition_point(|entry| entry.path.as_bytes() < prefix.as_slice());
    let length = entries[start..].partition_point(|entry| entry.path.as_bytes().starts_with(&prefix));
    start..start + length
}

/// The entry at a path.
pub fn at<'a>(entries: &'a [TreeEntry], path: &[u8]) -> Option<&'a TreeEntry> {
    let position = entries.binary_search_by(|entry| entry.path.as_bytes().cmp(path)).ok()?;
    entries.get(position)
}

/// Whether git takes these bytes for binary.
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(BINARY_BYTES)].contains(&0)
}

/// What is said of an object that is not here.
pub fn not_here(missing: &Missing) -> Refusal {
    Refusal::new(format!("That cannot be read here: {}.", clean(&missing.why)))
}

/// The changed file that has a path on a side, as its position in the change.
pub fn changed(reading: &Reading, side: Side, path: &RepoPath) -> Option<usize> {
    let files = &reading.change.files;
    files.iter().position(|file| file.on(side).is_some() && file.path_on(side) == path)
}
