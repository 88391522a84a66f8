//! What is not committed, as a tree of objects in the cache: the index, or the working tree.
//!
//! The clone is only read, through git2. No filter, hook or monitor program of it is run: files are read as raw
//! bytes, and line ends alone are turned as git would turn them.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use git2::{
    AttrCheckFlags, AttrValue, Delta, DiffOptions, ErrorCode, Index, IndexEntry, Odb, OdbLookupFlags, Repository,
};

use super::error::GitError;
use super::trees::BLOB_LIMIT;
use super::written::{EXECUTABLE, Entry, REGULAR, SYMLINK, write_tree};
use crate::change::{LeftOut, ObjectId, RepoPath};

const SUBMODULE: u32 = 0o160_000;
/// Bits of an index entry: its stage, and what `git add --intent-to-add` and sparse checkouts set.
const STAGE: u16 = 0x3000;
const INTENT_TO_ADD: u16 = 1 << 13;
const SKIP_WORKTREE: u16 = 1 << 14;
/// Untracked files that are read, and bytes of them all; somebody forgot to ignore something where there are more.
const UNTRACKED_LIMIT: usize = 20_000;
const UNTRACKED_BYTES: u64 = 512 << 20;

type Files = BTreeMap<Vec<u8>, Entry>;

/// A tree written to the cache, and what could not be put into it.
pub(super) struct Uncommitted {
    pub tree: ObjectId,
    pub left_out: Vec<LeftOut>,
}

/// Writes the index as a tree.
pub(super) fn staged(clone: &Repository, cache: &Repository) -> Result<Uncommitted, GitError> {
    let mut snapshot = Snapshot::new(clone, cache)?;
    for entry in snapshot.index.iter().filter(|entry| entry.flags_extended & INTENT_TO_ADD != 0) {
        snapshot.files.remove(&entry.path);
    }
    snapshot.write()
}

/// Writes the working tree as a tree: the index, with everything that differs from it, and untracked files that are
/// not ignored.
pub(super) fn working_tree(clone: &Repository, cache: &Repository) -> Result<Uncommitted, GitError> {
    let top = clone.workdir().ok_or_else(|| GitError::Bare(clone.path().to_owned()))?.to_owned();
    let mut snapshot = Snapshot::new(clone, cache)?;
    let mut options = DiffOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true).include_typechange(true).include_unreadable(true);
    options.skip_binary_check(true).ignore_submodules(false);
    let diff = clone.diff_index_to_workdir(Some(&snapshot.index), Some(&mut options));
    let diff = diff.map_err(|error| GitError::clone(&error))?;
    for delta in diff.deltas() {
        let Some(path) = delta.new_file().path_bytes().or_else(|| delta.old_file().path_bytes()) else { continue };
        match delta.status() {
            Delta::Deleted => snapshot.remove(path),
            Delta::Untracked => snapshot.untracked(&top, path)?,
            _ if delta.new_file().mode() == git2::FileMode::Commit => {
                snapshot.submodule(path, delta.new_file().id());
            }
            _ => snapshot.tracked(&top, path)?,
        }
    }
    snapshot.write()
}

struct Snapshot<'a> {
    clone: &'a Repository,
    clone_odb: Odb<'a>,
    odb: Odb<'a>,
    index: Index,
    files: Files,
    left_out: Vec<LeftOut>,
    untracked: (usize, u64),
}

impl<'a> Snapshot<'a> {
    /// Starts from the index. Of a path with conflicts, our own version is taken.
    fn new(clone: &'a Repository, cache: &'a Repository) -> Result<Self, GitError> {
        let read = |error: git2::Error| GitError::clone(&error);
        let mut index = clone.index().map_err(read)?;
        index.read(false).map_err(read)?;
        let odb = cache.odb().map_err(|error| GitError::cache(cache.path(), error.message()))?;
        let clone_odb = clone.odb().map_err(read)?;
        let mut files = Files::new();
        let mut left_out = Vec::new();
        for entry in index.iter() {
            let stage = (entry.flags & STAGE) >> 12;
            if stage == 2 {
                left_out.push(gone("the other side of a conflict", &entry.path, "the file has conflicts"));
            }
            if stage == 0 || stage == 2 {
                files.insert(entry.path.clone(), Entry { mode: entry.mode, id: entry.id });
            }
        }
        Ok(Self { clone, clone_odb, odb, index, files, left_out, untracked: (0, 0) })
    }

    fn remove(&mut self, path: &[u8]) {
        let sparse = self.entry(path).is_some_and(|entry| entry.flags_extended & SKIP_WORKTREE != 0);
        if !sparse {
            self.files.remove(path);
        }
    }

    fn submodule(&mut self, path: &[u8], commit: git2::Oid) {
        if !commit.is_zero() {
            self.files.insert(path.to_vec(), Entry { mode: SUBMODULE, id: commit });
        }
    }

    fn untracked(&mut self, top: &Path, path: &[u8]) -> Result<(), GitError> {
        if path.ends_with(b"/") {
            self.left_out.push(gone("a folder", path, "it is a repository of its own"));
            return Ok(());
        }
        let Some((file, metadata)) = found(top, path) else { return Ok(()) };
        let (count, bytes) = (self.untracked.0 + 1, self.untracked.1 + metadata.len());
        if count > UNTRACKED_LIMIT || bytes > UNTRACKED_BYTES {
            self.left_out.push(gone("an untracked file", path, "there are too many of them, or too large"));
            return Ok(());
        }
        self.untracked = (count, bytes);
        self.take(path, &file, &metadata)
    }

    fn tracked(&mut self, top: &Path, path: &[u8]) -> Result<(), GitError> {
        match found(top, path) {
            Some((file, metadata)) => self.take(path, &file, &metadata),
            None => {
                self.left_out.push(gone("the working copy", path, "it cannot be read"));
                Ok(())
            }
        }
    }

    /// Takes a file of the working tree as it is on disk.
    fn take(&mut self, path: &[u8], file: &Path, metadata: &Metadata) -> Result<(), GitError> {
        let before = self.files.get(path).copied();
        if !metadata.is_file() && !metadata.is_symlink() {
            self.left_out.push(gone("the working copy", path, "it is neither a file nor a link"));
            return Ok(());
        }
        if metadata.len() > BLOB_LIMIT {
            let why = format!("it is larger than {} MiB", BLOB_LIMIT >> 20);
            self.left_out.push(gone("the working copy", path, &why));
            return Ok(());
        }
        let read = if metadata.is_symlink() { link_target(file) } else { std::fs::read(file) };
        let Ok(mut bytes) = read else {
            self.left_out.push(gone("the working copy", path, "it cannot be read"));
            return Ok(());
        };
        let mode = self.mode(metadata, before);
        if mode != SYMLINK && self.turns_line_ends(path, &bytes, before) {
            bytes = to_line_feeds(&bytes);
        }
        let id = self.write_blob(&bytes)?;
        self.files.insert(path.to_vec(), Entry { mode, id });
        Ok(())
    }

    fn mode(&self, metadata: &Metadata, before: Option<Entry>) -> u32 {
        let config =
            |name, otherwise| self.clone.config().and_then(|config| config.get_bool(name)).unwrap_or(otherwise);
        let before = before.map(|entry| entry.mode);
        if metadata.is_symlink() || (before == Some(SYMLINK) && !config("core.symlinks", true)) {
            return SYMLINK;
        }
        match before {
            Some(mode @ (REGULAR | EXECUTABLE)) if !config("core.filemode", cfg!(unix)) => mode,
            _ if is_executable(metadata) => EXECUTABLE,
            _ => REGULAR,
        }
    }

    /// Whether git would store the file with LF where it has CR LF, by its attributes and `core.autocrlf`.
    fn turns_line_ends(&self, path: &[u8], bytes: &[u8], before: Option<Entry>) -> bool {
        let path = path_of(path);
        // Git2 tells the states of an attribute apart by their addresses, so they must not be copied first.
        let attribute = |name| {
            AttrValue::from_bytes(
                self.clone.get_attr_bytes(&path, name, AttrCheckFlags::FILE_THEN_INDEX).ok().flatten(),
            )
        };
        let automatic = match attribute("text") {
            AttrValue::True => false,
            AttrValue::False => return false,
            AttrValue::String("auto") => true,
            _ if matches!(attribute("eol"), AttrValue::String(_)) => false,
            _ if !self.converts_by_itself() => return false,
            _ => true,
        };
        // Where git decides by itself, it leaves binaries alone, and files that are stored with CR LF.
        !automatic || !(bytes.contains(&0) || before.is_some_and(|entry| self.stores_carriage_returns(entry)))
    }

    /// Whether `core.autocrlf` is `true` or `input`.
    fn converts_by_itself(&self) -> bool {
        let config = self.clone.config();
        let value = config.and_then(|config| config.get_string("core.autocrlf")).unwrap_or_default();
        ["true", "yes", "on", "1", "input"].contains(&value.to_ascii_lowercase().as_str())
    }

    fn stores_carriage_returns(&self, entry: Entry) -> bool {
        let blob = self.odb.read(entry.id).or_else(|_| self.clone_odb.read(entry.id));
        blob.is_ok_and(|blob| blob.data().windows(2).any(|two| two == b"\r\n"))
    }

    fn entry(&self, path: &[u8]) -> Option<IndexEntry> {
        self.index.get_path(&path_of(path), 0)
    }

    fn write_blob(&self, bytes: &[u8]) -> Result<git2::Oid, GitError> {
        self.odb.write(git2::ObjectType::Blob, bytes).map_err(|error| GitError::cache("objects", error.message()))
    }

    /// Brings the blobs of the index that are not in the cache yet, and writes the tree.
    fn write(mut self) -> Result<Uncommitted, GitError> {
        let mut absent = Vec::new();
        for (path, entry) in &self.files {
            if entry.mode == SUBMODULE || self.odb.exists_ext(entry.id, OdbLookupFlags::NO_REFRESH) {
                continue;
            }
            match self.clone_odb.read(entry.id) {
                Ok(object) => {
                    self.write_blob(object.data())?;
                }
                Err(error) if error.code() == ErrorCode::NotFound => absent.push(path.clone()),
                Err(error) => return Err(GitError::clone(&error)),
            }
        }
        for path in absent {
            self.files.remove(&path);
            self.left_out.push(gone("a file", &path, "the clone does not hold its content"));
        }
        let tree = write_tree(&self.odb, &self.files);
        let tree = tree.map_err(|error| GitError::cache("objects", error.message()))?;
        Ok(Uncommitted { tree: super::cache::id(tree), left_out: self.left_out })
    }
}

fn gone(what: &str, path: &[u8], why: &str) -> LeftOut {
    LeftOut { what: what.to_owned(), path: Some(RepoPath::new(path)), why: why.to_owned() }
}

fn found(top: &Path, path: &[u8]) -> Option<(PathBuf, Metadata)> {
    let file = top.join(path_of(path));
    let metadata = file.symlink_metadata().ok()?;
    Some((file, metadata))
}

fn to_line_feeds(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            out.push(*byte);
        }
    }
    out
}

#[cfg(unix)]
fn path_of(path: &[u8]) -> PathBuf {
    let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(path);
    PathBuf::from(name)
}

#[cfg(not(unix))]
fn path_of(path: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(path).into_owned())
}

#[cfg(unix)]
fn link_target(file: &Path) -> std::io::Result<Vec<u8>> {
    Ok(std::os::unix::ffi::OsStringExt::into_vec(std::fs::read_link(file)?.into_os_string()))
}

#[cfg(not(unix))]
fn link_target(file: &Path) -> std::io::Result<Vec<u8>> {
    Ok(std::fs::read_link(file)?.to_string_lossy().replace('\\', "/").into_bytes())
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &Metadata) -> bool {
    false
}
