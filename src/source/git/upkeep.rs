//! Looking after the cache: what is in it, removing a repository, and pruning what nobody needs any more.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use git2::Repository;

use super::blocking;
use super::cache::{REFS, id};
use super::error::GitError;
use super::locks::{self, Held};
use super::names::RepositoryName;
use super::program::Run;
use crate::change::ObjectId;

/// A repository of the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedRepository {
    /// Its name.
    pub name: RepositoryName,
    /// Bytes of its files.
    pub bytes: u64,
    /// How many commits and trees are kept in it.
    pub refs: usize,
}

/// What pruning did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pruned {
    /// How many refs were deleted.
    pub refs: usize,
    /// Bytes freed.
    pub bytes: u64,
    /// Repositories that were left alone because a running program has them open.
    pub busy: Vec<RepositoryName>,
}

/// Lists the repositories of a cache folder by name. Reads files.
///
/// # Errors
/// [`GitError::Cache`] where the folder cannot be read; a folder that does not exist is empty.
pub fn list(cache_dir: &Path) -> Result<Vec<CachedRepository>, GitError> {
    let mut found = Vec::new();
    for name in names(&RepositoryName::root(cache_dir))? {
        let folder = name.folder(cache_dir);
        found.push(CachedRepository { bytes: bytes(&folder), refs: refs(&folder).len(), name });
    }
    Ok(found)
}

/// Removes a repository with everything in it. No mark, draft or answer is kept there.
///
/// # Errors
/// [`GitError::Busy`] where it is open somewhere; [`GitError::Cache`] where it cannot be deleted.
pub fn remove(cache_dir: &Path, name: &RepositoryName) -> Result<(), GitError> {
    let folder = name.folder(cache_dir);
    let _alone = alone(&folder, name)?;
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(GitError::cache(folder, error)),
        _ => Ok(()),
    }
}

/// Deletes every ref whose commit, or whose tree, is not in `keep`, and then the objects that nothing keeps.
///
/// Repositories that are open are left alone and named in the result; those left empty are removed. Runs `git`.
///
/// # Errors
/// [`GitError`] where a repository cannot be written or `git` cannot collect.
pub async fn prune(cache_dir: &Path, keep: &BTreeSet<ObjectId>) -> Result<Pruned, GitError> {
    let mut pruned = Pruned::default();
    let root = RepositoryName::root(cache_dir);
    for name in blocking(move || names(&root)).await? {
        let folder = name.folder(cache_dir);
        let Ok(held) = alone(&folder, &name) else {
            pruned.busy.push(name);
            continue;
        };
        let before = bytes(&folder);
        let (deleted, left) = {
            let (folder, keep) = (folder.clone(), keep.clone());
            blocking(move || delete_refs(&folder, &keep)).await?
        };
        pruned.refs += deleted;
        if left == 0 {
            fs::remove_dir_all(&folder).map_err(|error| GitError::cache(&folder, error))?;
        } else {
            collect(&folder, held).await?;
        }
        pruned.bytes += before.saturating_sub(bytes(&folder));
    }
    Ok(pruned)
}

async fn collect(folder: &Path, held: (Held, Held)) -> Result<(), GitError> {
    let arguments = vec!["--prune=now".into(), "--quiet".into()];
    let (settings, secrets) = (Vec::new(), Vec::new());
    let run = Run { folder, verb: "gc", arguments, settings, secrets, limit: 1 << 20, held: held.0 };
    let output = run.run(&|_| ()).await?;
    drop(held.1);
    if output.success { Ok(()) } else { Err(GitError::Failed { verb: "gc", why: output.why() }) }
}

/// Both locks: nobody fetches into it, and nobody has it open.
fn alone(folder: &Path, name: &RepositoryName) -> Result<(Held, Held), GitError> {
    let busy = |()| GitError::Busy(name.to_string());
    Ok((locks::try_writer(folder).map_err(busy)?, locks::try_alone_in(folder).map_err(busy)?))
}

/// Deletes refs that nothing needs; gives how many, and how many are left.
fn delete_refs(folder: &Path, keep: &BTreeSet<ObjectId>) -> Result<(usize, usize), GitError> {
    let git = Repository::open_bare(folder).map_err(|error| GitError::cache(folder, error.message()))?;
    let (mut deleted, mut left) = (0, 0);
    for object in refs(folder) {
        let tree = git.find_commit(super::cache::oid(object)).ok().map(|commit| id(commit.tree_id()));
        if keep.contains(&object) || tree.is_some_and(|tree| keep.contains(&tree)) {
            left += 1;
            continue;
        }
        let gone = git.find_reference(&super::cache::ref_of(object)).and_then(|mut found| found.delete());
        gone.map_err(|error| GitError::cache(folder, error.message()))?;
        deleted += 1;
    }
    Ok((deleted, left))
}

/// The objects that refs keep, as the refs' names say.
fn refs(folder: &Path) -> BTreeSet<ObjectId> {
    let Ok(git) = Repository::open_bare(folder) else { return BTreeSet::new() };
    let Ok(found) = git.references_glob(&format!("{REFS}*")) else { return BTreeSet::new() };
    let named = |name: &str| name.strip_prefix(REFS).and_then(|object| object.parse().ok());
    found.flatten().filter_map(|found| found.name().ok().and_then(named)).collect()
}

/// The repositories three folders down, by name.
fn names(root: &Path) -> Result<Vec<RepositoryName>, GitError> {
    let mut found = BTreeSet::new();
    for host in folders(root)? {
        for owner in folders(&root.join(&host))? {
            // The shared one lies one folder less deep.
            if host == "local" && owner == "changes.git" {
                found.insert(RepositoryName::shared());
            }
            for repo in folders(&root.join(&host).join(&owner))? {
                let name = repo.strip_suffix(".git").map(|repo| format!("{host}/{owner}/{repo}"));
                found.extend(name.and_then(|name| RepositoryName::parse(&name)));
            }
        }
    }
    Ok(found.into_iter().collect())
}

fn folders(parent: &Path) -> Result<Vec<String>, GitError> {
    let entries = match fs::read_dir(parent) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(GitError::cache(parent, error)),
    };
    let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    Ok(folders.filter_map(|entry| entry.file_name().into_string().ok()).collect())
}

fn bytes(folder: &Path) -> u64 {
    let (mut total, mut waiting) = (0, vec![PathBuf::from(folder)]);
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => waiting.push(entry.path()),
                Ok(metadata) => total += metadata.len(),
                Err(_) => {}
            }
        }
    }
    total
}
