//! `GitTrees`: both trees of a change, read from the objects of a cache repository by git2. Needs no `git` program.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once, PoisonError};

use git2::{ErrorCode, ObjectType, Oid, Repository, Tree};

use super::cache::{id, oid};
use super::error::GitError;
use super::locks::{self, Held};
use crate::change::{FileMode, FileVersion, Missing, ObjectId, RepoPath, Side, TreeEntry, Trees};
use crate::problem::Problem;

/// Bytes of the largest blob that is read.
pub const BLOB_LIMIT: u64 = 64 << 20;
/// Entries of the largest tree that is walked; trees that name each other can have more paths than anybody can hold.
const ENTRY_LIMIT: usize = 2_000_000;
/// Bytes of the longest path; no checkout could hold a longer one.
const PATH_LIMIT: usize = 4096;
/// Handles kept open while nobody reads.
const IDLE_HANDLES: usize = 8;

/// The two trees of a change. Several threads read at once, each through a handle of its own.
pub struct GitTrees {
    folder: PathBuf,
    base_tree: Oid,
    head_tree: Oid,
    idle: Mutex<Vec<Repository>>,
    #[expect(dead_code, reason = "held for as long as the trees are open, so that nobody prunes them")]
    in_use: Held,
}

impl GitTrees {
    /// Opens the trees in a cache repository's folder. Reads files; runs no program.
    ///
    /// # Errors
    /// A [`Problem`] where the folder is no repository or a tree is not in it.
    pub fn open(repository_dir: &Path, base_tree: ObjectId, head_tree: ObjectId) -> Result<Self, Problem> {
        // Git checked every object against its id when it was written. Doing it again at every read doubles its cost.
        static ONCE: Once = Once::new();
        ONCE.call_once(|| git2::opts::strict_hash_verification(false));
        let in_use = locks::in_use(repository_dir);
        let git =
            Repository::open_bare(repository_dir).map_err(|error| GitError::cache(repository_dir, error.message()))?;
        for tree in [base_tree, head_tree] {
            git.find_tree(oid(tree)).map_err(|_| GitError::NotHere(tree))?;
        }
        let folder = repository_dir.to_owned();
        Ok(Self { folder, base_tree: oid(base_tree), head_tree: oid(head_tree), idle: Mutex::new(vec![git]), in_use })
    }

    fn with<T>(&self, id: ObjectId, read: impl FnOnce(&Repository) -> Result<T, Missing>) -> Result<T, Missing> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let git = match idle {
            Some(git) => git,
            None => Repository::open_bare(&self.folder).map_err(|error| missing(id, &error))?,
        };
        let result = read(&git);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE_HANDLES {
            idle.push(git);
        }
        result
    }

    fn tree(&self, side: Side) -> Oid {
        match side {
            Side::Base => self.base_tree,
            Side::Head => self.head_tree,
        }
    }
}

impl Trees for GitTrees {
    fn blob(&self, id: ObjectId) -> Result<Arc<[u8]>, Missing> {
        self.with(id, |git| {
            let odb = git.odb().map_err(|error| missing(id, &error))?;
            let (size, kind) = odb.read_header(oid(id)).map_err(|error| missing(id, &error))?;
            if kind != ObjectType::Blob {
                return Err(Missing { id, why: format!("it is a {kind}, not a file") });
            }
            if size as u64 > BLOB_LIMIT {
                let why = format!("its {} MiB are over the limit of {} MiB", size >> 20, BLOB_LIMIT >> 20);
                return Err(Missing { id, why });
            }
            let object = odb.read(oid(id)).map_err(|error| missing(id, &error))?;
            Ok(object.data().into())
        })
    }

    fn file(&self, side: Side, path: &RepoPath) -> Result<Option<FileVersion>, Missing> {
        let mut at = self.tree(side);
        self.with(id(at), |git| {
            let mut segments = path.as_bytes().split(|byte| *byte == b'/').peekable();
            while let Some(segment) = segments.next() {
                let tree = find_tree(git, at)?;
                let Some(entry) = tree.get_name_bytes(segment) else { return Ok(None) };
                let mode = canonical(entry.filemode_raw());
                at = entry.id();
                match (mode, segments.peek().is_some()) {
                    (None, true) => {}
                    (Some(mode), false) => return Ok(Some(version(git, at, mode))),
                    _ => return Ok(None),
                }
            }
            Ok(None)
        })
    }

    fn entries(&self, side: Side) -> Result<Vec<TreeEntry>, Missing> {
        let root = self.tree(side);
        self.with(id(root), |git| {
            let mut entries = Vec::new();
            let mut waiting = vec![(Vec::new(), root)];
            let mut folders = 0;
            while let Some((prefix, at)) = waiting.pop() {
                let too_much = |why: String| Missing { id: id(at), why };
                for entry in &find_tree(git, at)? {
                    let mut path = prefix.clone();
                    path.extend_from_slice(entry.name_bytes());
                    if path.len() > PATH_LIMIT {
                        return Err(too_much(format!("a path in it is longer than {PATH_LIMIT} bytes")));
                    }
                    match canonical(entry.filemode_raw()) {
                        Some(mode) => {
                            entries.push(TreeEntry { path: RepoPath::new(path), id: id(entry.id()), mode });
                        }
                        None => {
                            path.push(b'/');
                            waiting.push((path, entry.id()));
                        }
                    }
                }
                folders += 1;
                if entries.len() + waiting.len() + folders > ENTRY_LIMIT {
                    return Err(too_much(format!("the tree holds more than {ENTRY_LIMIT} files and folders")));
                }
            }
            entries.sort_unstable_by(|one, two| one.path.cmp(&two.path));
            Ok(entries)
        })
    }
}

/// A mode as git itself takes it, whatever an old or odd tree says; none for a folder.
fn canonical(raw: i32) -> Option<FileMode> {
    match raw & 0o170_000 {
        0o040_000 => None,
        0o120_000 => Some(FileMode::SYMLINK),
        0o100_000 if raw & 0o100 != 0 => Some(FileMode::EXECUTABLE),
        0o100_000 => Some(FileMode::REGULAR),
        _ => Some(FileMode::SUBMODULE),
    }
}

fn version(git: &Repository, at: Oid, mode: FileMode) -> FileVersion {
    let header = || git.odb().ok()?.read_header(at).ok();
    let size = if mode.has_blob() { header().map(|(size, _)| size as u64) } else { None };
    FileVersion { blob: id(at), mode, size }
}

fn find_tree(git: &Repository, at: Oid) -> Result<Tree<'_>, Missing> {
    git.find_tree(at).map_err(|error| missing(id(at), &error))
}

fn missing(id: ObjectId, error: &git2::Error) -> Missing {
    let why = match error.code() {
        ErrorCode::NotFound => "it was not fetched".to_owned(),
        _ => format!("it is damaged: {}", crate::text::clean(error.message())),
    };
    Missing { id, why }
}
