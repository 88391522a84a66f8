//! What the change is, as pure values: facts, two trees readable by path, changed files, and what is read out of them.
//!
//! Nothing here does I/O of its own. Blobs come through the [`Trees`] that a source hands over; hunks, entities,
//! noise, parts and ranking are computed from them by the modules below, each usable only by those after it.

mod facts;
mod files;
mod path;
mod reading;
mod text;
mod threads;
mod trees;

pub mod diff;
pub mod syntax;
pub mod noise;
pub mod parts;
pub mod rank;
#[cfg(test)]
pub mod fixtures;

pub use facts::{Facts, Origin, PullRequest, State};
pub use files::{ChangeKind, ChangedFile, FileMode, FileVersion, ObjectId};
pub use path::{Place, RepoPath, Side};
pub use reading::{FileReading, PartLine, RankedPart, Reading, Texts, texts_of};
pub use text::Text;
pub use threads::{Thread, ThreadComment};
pub use trees::{Missing, TreeEntry, Trees};

use std::sync::Arc;

/// Everything a pull request or a local range does, from its merge base to its head.
#[derive(Clone)]
pub struct Change {
    /// What is known about it besides its code.
    pub facts: Facts,
    /// The merge base; none where the base is no commit (an empty tree).
    pub base_commit: Option<ObjectId>,
    /// The head; none where the head is no commit (the index or a working tree).
    pub head_commit: Option<ObjectId>,
    /// The tree of the base side.
    pub base_tree: ObjectId,
    /// The tree of the head side.
    pub head_tree: ObjectId,
    /// The changed files in git's order: by the bytes of the path.
    pub files: Vec<ChangedFile>,
    /// Both trees, readable by path and by blob.
    pub trees: Arc<dyn Trees>,
    /// The review threads that were read, in no order; none where nobody read them.
    pub threads: Vec<Thread>,
    /// What the source could not bring, and why.
    pub left_out: Vec<LeftOut>,
}

/// What [`LeftOut::what`] says of a file whose bytes were not fetched.
pub const CONTENT: &str = "content";
/// What [`LeftOut::what`] says where something else than git listed the changed files.
pub const COMPARISON: &str = "comparison by git";

/// Something that was not done, and why; shown where it matters and counted in the header.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    /// What was left out, in words that continue "left out:", such as `entities` or `references`.
    pub what: String,
    /// The file concerned; none where it concerns the whole change.
    pub path: Option<RepoPath>,
    /// Why, in one clause.
    pub why: String,
}
