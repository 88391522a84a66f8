//! `Trees`: how everything downstream reads the two trees of a change, whatever the source.

use std::sync::Arc;

use super::files::{FileMode, FileVersion, ObjectId};
use super::path::{RepoPath, Side};

/// An object that cannot be read: it was not fetched, is larger than the limit, or is damaged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("object {id} cannot be read: {why}")]
pub struct Missing {
    /// The object's name.
    pub id: ObjectId,
    /// Why, in one clause.
    pub why: String,
}

/// One entry met while walking a tree: a file, a symlink or a submodule, never a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// Its path.
    pub path: RepoPath,
    /// Its blob, or for a submodule its commit.
    pub id: ObjectId,
    /// Its mode.
    pub mode: FileMode,
}

/// Both trees of a change, read from objects. Links are never followed, submodules never entered.
pub trait Trees: Send + Sync {
    /// The bytes of a blob.
    ///
    /// # Errors
    /// [`Missing`] where it is not here.
    fn blob(&self, id: ObjectId) -> Result<Arc<[u8]>, Missing>;

    /// The file at a path, with its size where the blob is here; none where the path holds no file.
    ///
    /// # Errors
    /// [`Missing`] where a tree on the way is not here.
    fn file(&self, side: Side, path: &RepoPath) -> Result<Option<FileVersion>, Missing>;

    /// All entries of a side, by the bytes of their paths.
    ///
    /// # Errors
    /// [`Missing`] where a tree is not here.
    fn entries(&self, side: Side) -> Result<Vec<TreeEntry>, Missing>;
}
