//! Code by git: cache repositories, fetching, the list of changed files, and both trees read from objects.
//!
//! The `git` program fetches and compares trees; everything else is git2's. Code is never checked out, and no hook,
//! filter or helper program of any repository is ever run. Every object that must stay is kept by a ref
//! `refs/second-look/<its own id>` in a bare repository of the cache.

mod error;
mod names;
mod locks;
mod program;
mod network;
mod cache;
mod fetch;
mod comparing;
mod listing;
mod trees;
mod written;
mod clone;
mod uncommitted;
mod local;
mod upkeep;

pub use cache::CacheRepository;
pub use clone::{ClonePlace, LocalRange, clone_at};
pub use error::GitError;
pub use fetch::Fetched;
pub use listing::{Listing, RENAME_LIMIT};
pub use local::open_local;
pub use names::RepositoryName;
pub use program::version_in_words;
pub use trees::{BLOB_LIMIT, GitTrees};
pub use upkeep::{CachedRepository, Pruned, list, prune, remove};
pub(super) use written::{EXECUTABLE, Entry, REGULAR, SYMLINK, write_tree};

use std::sync::Arc;

use crate::change::{CONTENT, Change, Facts, LeftOut, ObjectId, Side};
use crate::problem::Problem;

/// Makes the change between two commits that a cache repository holds: call it after [`CacheRepository::fetch`].
///
/// `base` must be the merge base already; the two trees are compared as they are.
///
/// # Errors
/// A [`Problem`] where a commit is not here or `git` cannot compare the trees.
pub async fn open_commits(
    repository: &CacheRepository,
    facts: Facts,
    base: ObjectId,
    head: ObjectId,
) -> Result<Change, Problem> {
    let trees = {
        let repository = repository.clone();
        blocking(move || Ok((repository.tree_of(base)?, repository.tree_of(head)?))).await?
    };
    open_trees(repository, facts, (Some(base), trees.0), (Some(head), trees.1), Vec::new()).await
}

/// One side of a change: its commit, where it is one, and its tree.
pub(super) type SideIds = (Option<ObjectId>, ObjectId);

/// Makes the change between two trees that a cache repository holds and keeps.
pub(super) async fn open_trees(
    repository: &CacheRepository,
    facts: Facts,
    base: SideIds,
    head: SideIds,
    mut left_out: Vec<LeftOut>,
) -> Result<Change, Problem> {
    let listing = repository.changed_files(base.1, head.1).await?;
    left_out.extend(listing.left_out);
    let folder = repository.folder().to_owned();
    let trees = tokio::task::spawn_blocking(move || GitTrees::open(&folder, base.1, head.1))
        .await
        .map_err(|_| Problem::new("reading the cache was cut short"))??;
    left_out.extend(missing_blobs(&listing.files));
    Ok(Change {
        facts,
        base_commit: base.0,
        head_commit: head.0,
        base_tree: base.1,
        head_tree: head.1,
        files: listing.files,
        trees: Arc::new(trees),
        threads: Vec::new(),
        left_out,
    })
}

/// Changed files whose content is not here, so that nothing downstream finds out by failing.
fn missing_blobs(files: &[crate::change::ChangedFile]) -> Vec<LeftOut> {
    let absent = |file: &crate::change::ChangedFile, side| {
        file.on(side).is_some_and(|version| version.mode.has_blob() && version.size.is_none())
    };
    files
        .iter()
        .filter(|file| absent(file, Side::Base) || absent(file, Side::Head))
        .map(|file| LeftOut {
            what: CONTENT.to_owned(),
            path: Some(file.path.clone()),
            why: "its object was not fetched".to_owned(),
        })
        .collect()
}

/// Runs work that reads or writes files away from the async threads.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, GitError> + Send + 'static,
) -> Result<T, GitError> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(GitError::CutShort))
}
