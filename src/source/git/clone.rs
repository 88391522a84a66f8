//! The reviewer's own clone: where it is, its remotes, and which commits a range means. Never written to.

use std::path::{Path, PathBuf};

use git2::{ErrorCode, Oid, Repository};

use super::cache::id;
use super::error::GitError;
use crate::change::ObjectId;

/// Which change of a local clone is meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LocalRange {
    /// `A..B`: the tree of A against the tree of B.
    Between {
        /// What the base is called.
        base: String,
        /// What the head is called.
        head: String,
    },
    /// `A...B`: what B did since it left A, as a pull request shows it.
    Since {
        /// What the base is called.
        base: String,
        /// What the head is called.
        head: String,
    },
    /// A branch or commit: what it did since it left the default branch.
    Topic(String),
    /// What is staged, against HEAD.
    Staged,
    /// Everything not committed, untracked files included, against HEAD.
    WorkingTree,
}

/// A clone as it is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClonePlace {
    /// Its top folder: the working tree, or for a bare clone the repository.
    pub top: PathBuf,
    /// Its remotes: names and addresses, as the reviewer's settings rewrite them, by name.
    pub remotes: Vec<(String, String)>,
}

impl ClonePlace {
    /// Whether a text names a commit here.
    pub fn names_commit(&self, text: &str) -> bool {
        open(&self.top).is_ok_and(|git| commit(&git, text).is_ok())
    }
}

/// Finds the clone that a folder is in.
///
/// # Errors
/// [`GitError::NoClone`] where it is in none; [`GitError::NotOwned`] where it is another user's and not trusted.
pub fn clone_at(folder: &Path) -> Result<ClonePlace, GitError> {
    let git = open(folder)?;
    let top = working_tree(&git).unwrap_or_else(|| git.path());
    let top = top.canonicalize().unwrap_or_else(|_| top.to_owned());
    let names = git.remotes().map_err(|error| GitError::clone(&error))?;
    let mut remotes = Vec::new();
    for name in names.iter().filter_map(|name| name.ok().flatten()) {
        if let Ok(remote) = git.find_remote(name)
            && let Ok(url) = remote.url()
        {
            remotes.push((name.to_owned(), url.to_owned()));
        }
    }
    remotes.sort();
    Ok(ClonePlace { top, remotes })
}

/// The working tree of a clone; none for a bare one. A bare repository without a `config` file looks to libgit2 like
/// one whose working tree is the folder around it.
pub(super) fn working_tree(git: &Repository) -> Option<&Path> {
    let leads_back = |top: &&Path| Repository::open(top).is_ok_and(|found| found.path() == git.path());
    git.workdir().filter(leads_back)
}

/// Opens the clone that a folder is in.
pub(super) fn open(folder: &Path) -> Result<Repository, GitError> {
    Repository::discover(folder).map_err(|error| match error.code() {
        ErrorCode::NotFound => GitError::NoClone(folder.to_owned()),
        ErrorCode::Owner => GitError::NotOwned(folder.to_owned()),
        _ => GitError::clone(&error),
    })
}

/// The commits of a range of commits: base and head. Neither is fetched or checked further.
pub(super) fn commits(git: &Repository, range: &LocalRange) -> Result<Option<(ObjectId, ObjectId)>, GitError> {
    Ok(match range {
        LocalRange::Between { base, head } => Some((id(commit(git, base)?), id(commit(git, head)?))),
        LocalRange::Since { base, head } => Some(since(git, base, head)?),
        LocalRange::Topic(topic) => Some(since(git, &default_branch(git)?, topic)?),
        LocalRange::Staged | LocalRange::WorkingTree => None,
    })
}

/// The commit HEAD is at; none where there is no commit yet.
pub(super) fn head(git: &Repository) -> Result<Option<ObjectId>, GitError> {
    match git.head().and_then(|head| head.peel_to_commit()) {
        Ok(commit) => Ok(Some(id(commit.id()))),
        Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => Ok(None),
        Err(error) => Err(GitError::clone(&error)),
    }
}

fn since(git: &Repository, base: &str, head: &str) -> Result<(ObjectId, ObjectId), GitError> {
    let (from, to) = (commit(git, base)?, commit(git, head)?);
    let common = git.merge_base(from, to).map_err(|_| GitError::NoMergeBase(shown(base), shown(head)))?;
    Ok((id(common), id(to)))
}

fn commit(git: &Repository, text: &str) -> Result<Oid, GitError> {
    let unknown = || GitError::NoRevision(shown(text));
    let object = git.revparse_single(text).map_err(|_| unknown())?;
    Ok(object.peel_to_commit().map_err(|_| unknown())?.id())
}

/// The branch a topic is compared with: `origin/HEAD`, else `main`, else `master`, here or at origin; in a bare
/// clone without those, HEAD.
fn default_branch(git: &Repository) -> Result<String, GitError> {
    let candidates = [
        "refs/remotes/origin/HEAD",
        "refs/heads/main",
        "refs/heads/master",
        "refs/remotes/origin/main",
        "refs/remotes/origin/master",
    ];
    let bare = git.is_bare().then_some("HEAD");
    let mut candidates = candidates.into_iter().chain(bare);
    candidates.find(|name| commit(git, name).is_ok()).map(str::to_owned).ok_or(GitError::NoDefaultBranch)
}

fn shown(text: &str) -> String {
    crate::text::clean(text).into_string()
}
