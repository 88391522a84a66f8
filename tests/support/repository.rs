//! Test repositories, made from lists of paths and bytes; equal lists give equal commit ids on every machine.

use std::path::{Path, PathBuf};

use git2::{IndexEntry, IndexTime, Oid, Repository, Signature, Time};

/// A bare repository in a folder of its own, gone with the value.
pub struct TestRepository {
    folder: tempfile::TempDir,
    git: Repository,
}

/// A file of a tree: its mode as git keeps it, and its bytes (for a submodule, the forty digits of a commit).
pub struct Entry<'e> {
    pub path: &'e str,
    pub mode: u32,
    pub bytes: &'e [u8],
}

impl<'e> Entry<'e> {
    /// An ordinary file.
    pub fn file(path: &'e str, bytes: &'e [u8]) -> Self {
        Self { path, mode: 0o100_644, bytes }
    }
}

impl TestRepository {
    /// An empty one.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let git = Repository::init_bare(folder.path().join("demo.git")).unwrap();
        Self { folder, git }
    }

    /// The bare repository's folder.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("demo.git")
    }

    /// For what is not offered here.
    pub fn git(&self) -> &Repository {
        &self.git
    }

    /// Writes a commit whose tree is exactly these files.
    pub fn commit(&self, parents: &[Oid], files: &[(&str, &[u8])]) -> Oid {
        let entries: Vec<Entry<'_>> = files.iter().map(|(path, bytes)| Entry::file(path, bytes)).collect();
        self.commit_entries(parents, &entries)
    }

    /// The same with modes: links, programs and submodules.
    pub fn commit_entries(&self, parents: &[Oid], entries: &[Entry<'_>]) -> Oid {
        let mut index = git2::Index::new().unwrap();
        entries.iter().for_each(|entry| self.add(&mut index, entry));
        self.write(parents, &mut index)
    }

    /// Writes a commit on another: some files replaced or new, those without bytes removed, the rest kept.
    pub fn change(&self, parent: Oid, files: &[(&str, Option<&[u8]>)]) -> Oid {
        let mut index = git2::Index::new().unwrap();
        index.read_tree(&self.git.find_commit(parent).unwrap().tree().unwrap()).unwrap();
        for (path, bytes) in files {
            match bytes {
                Some(bytes) => self.add(&mut index, &Entry::file(path, bytes)),
                None => index.remove_path(Path::new(path)).unwrap(),
            }
        }
        self.write(&[parent], &mut index)
    }

    /// Points a branch at a commit.
    pub fn branch(&self, name: &str, at: Oid) {
        self.git.reference(&format!("refs/heads/{name}"), at, true, "test").unwrap();
    }

    fn add(&self, index: &mut git2::Index, entry: &Entry<'_>) {
        let id = match entry.mode {
            0o160_000 => Oid::from_str(std::str::from_utf8(entry.bytes).unwrap()).unwrap(),
            _ => self.git.blob(entry.bytes).unwrap(),
        };
        let none = IndexTime::new(0, 0);
        let added = IndexEntry {
            ctime: none,
            mtime: none,
            dev: 0,
            ino: 0,
            mode: entry.mode,
            uid: 0,
            gid: 0,
            file_size: 0,
            id,
            flags: 0,
            flags_extended: 0,
            path: entry.path.as_bytes().to_vec(),
        };
        index.add(&added).unwrap();
    }

    fn write(&self, parents: &[Oid], index: &mut git2::Index) -> Oid {
        let tree = self.git.find_tree(index.write_tree_to(&self.git).unwrap()).unwrap();
        let parents: Vec<_> = parents.iter().map(|id| self.git.find_commit(*id).unwrap()).collect();
        let parents: Vec<_> = parents.iter().collect();
        // One second after the newest parent, so that order by date is order by history.
        let seconds = parents.iter().map(|parent| parent.time().seconds()).max().unwrap_or(1_700_000_000) + 1;
        let ada = Signature::new("Ada", "ada@example.org", &Time::new(seconds, 0)).unwrap();
        self.git.commit(None, &ada, &ada, "A change", &tree, &parents).unwrap()
    }
}

impl Default for TestRepository {
    fn default() -> Self {
        Self::new()
    }
}
