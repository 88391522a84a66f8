//! `CacheRepository`: one bare repository of the cache, made by git2, and the refs that keep objects in it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use git2::{ObjectType, OdbLookupFlags, Oid, Repository, RepositoryInitOptions};

use super::error::GitError;
use super::locks::{self, Held};
use super::names::RepositoryName;
use crate::change::ObjectId;

/// Where the refs that keep objects live.
pub(super) const REFS: &str = "refs/second-look/";

/// A bare repository of the cache, open for reading and fetching. While a clone of it lives, nobody prunes it.
#[derive(Clone)]
pub struct CacheRepository {
    name: RepositoryName,
    folder: PathBuf,
    #[expect(dead_code, reason = "held for as long as the repository is open")]
    in_use: Held,
}

impl CacheRepository {
    /// Opens the repository of a name in a cache folder; makes it where there is none. Reads and writes files.
    ///
    /// # Errors
    /// [`GitError::Cache`] where it cannot be made or opened.
    pub fn open(cache_dir: &Path, name: &RepositoryName) -> Result<Self, GitError> {
        let folder = name.folder(cache_dir);
        owner_only(cache_dir, &folder).map_err(|error| GitError::cache(&folder, error))?;
        let in_use = locks::in_use(&folder);
        if Repository::open_bare(&folder).is_err() {
            create(&folder).map_err(|error| GitError::cache(&folder, error.message()))?;
        }
        Ok(Self { name: name.clone(), folder, in_use })
    }

    /// Its name.
    pub fn name(&self) -> &RepositoryName {
        &self.name
    }

    /// Its folder, as [`super::GitTrees::open`] takes it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether a commit is kept here with all its trees and blobs. Reads every tree.
    pub fn holds(&self, commit: ObjectId) -> bool {
        self.git2()
            .is_ok_and(|git| git.find_reference(&ref_of(commit)).is_ok() && has_all(&git, commit).unwrap_or(false))
    }

    /// The tree of a commit that is here.
    ///
    /// # Errors
    /// [`GitError::NotHere`] where the commit is not here.
    pub fn tree_of(&self, commit: ObjectId) -> Result<ObjectId, GitError> {
        let git = self.git2()?;
        let commit_object = git.find_commit(oid(commit)).map_err(|_| GitError::NotHere(commit))?;
        Ok(id(commit_object.tree_id()))
    }

    /// Keeps an object by a ref of its own.
    pub(in crate::source) fn keep(&self, object: ObjectId) -> Result<(), GitError> {
        let git = self.git2()?;
        let kept = git.reference(&ref_of(object), oid(object), true, "").map(drop);
        kept.map_err(|error| GitError::cache(&self.folder, error.message()))
    }

    /// A handle of git2 on it.
    pub(in crate::source) fn git2(&self) -> Result<Repository, GitError> {
        Repository::open_bare(&self.folder).map_err(|error| GitError::cache(&self.folder, error.message()))
    }
}

/// The ref that keeps an object.
pub(super) fn ref_of(object: ObjectId) -> String {
    format!("{REFS}{object}")
}

/// Git2's form of an id.
pub(super) fn oid(id: ObjectId) -> Oid {
    Oid::from_bytes(id.as_bytes()).unwrap_or(Oid::ZERO_SHA1)
}

/// Our form of an id.
pub(super) fn id(oid: Oid) -> ObjectId {
    oid.as_bytes().try_into().map_or(ObjectId::ZERO, ObjectId::new)
}

/// Makes a repository, unless another program has made it meanwhile.
fn create(folder: &Path) -> Result<(), git2::Error> {
    let _alone = locks::writer(folder);
    if Repository::open_bare(folder).is_ok() {
        return Ok(());
    }
    // Left by a program that was killed while it made one.
    let _ = std::fs::remove_file(folder.join("config.lock"));
    let mut options = RepositoryInitOptions::new();
    options.bare(true).mkpath(true).external_template(false).initial_head("second-look");
    let repository = Repository::init_opts(folder, &options)?;
    repository.config()?.set_i32("gc.auto", 0)
}

/// Makes the folder around a repository, and the folder of all of them readable by the reviewer alone.
fn owner_only(cache_dir: &Path, folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(cache_dir)?;
    let root = RepositoryName::root(cache_dir);
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(&root) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    folder.parent().map_or(Ok(()), std::fs::create_dir_all)
}

/// Whether every tree and blob of a commit is here; submodules are no objects of ours.
pub(super) fn has_all(git: &Repository, commit: ObjectId) -> Result<bool, git2::Error> {
    let Ok(commit) = git.find_commit(oid(commit)) else { return Ok(false) };
    let odb = git.odb()?;
    let mut seen = HashSet::from([commit.tree_id()]);
    let mut waiting = vec![commit.tree_id()];
    while let Some(next) = waiting.pop() {
        let Ok(tree) = git.find_tree(next) else { return Ok(false) };
        for entry in &tree {
            let new = entry.filemode_raw() & 0o170_000 != 0o160_000 && seen.insert(entry.id());
            if new && entry.kind() == Some(ObjectType::Tree) {
                waiting.push(entry.id());
            } else if new && !odb.exists_ext(entry.id(), OdbLookupFlags::NO_REFRESH) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
