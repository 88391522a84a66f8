//! Small changes held in memory, for tests: two lists of files in, a [`Change`] and its readings out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::diff::diff;
use super::syntax::{Entity, EntityChange, EntityKind, Formatting};
use super::{
    Change, ChangeKind, ChangedFile, Facts, FileMode, FileReading, FileVersion, Missing, ObjectId, Origin, RepoPath,
    Side, Texts, TreeEntry, Trees, texts_of,
};

/// Two trees held in memory.
#[derive(Default)]
pub struct MemoryTrees {
    blobs: BTreeMap<ObjectId, Arc<[u8]>>,
    base: BTreeMap<RepoPath, FileVersion>,
    head: BTreeMap<RepoPath, FileVersion>,
    gone: BTreeSet<ObjectId>,
}

impl MemoryTrees {
    fn side(&self, side: Side) -> &BTreeMap<RepoPath, FileVersion> {
        match side {
            Side::Base => &self.base,
            Side::Head => &self.head,
        }
    }

    fn side_mut(&mut self, side: Side) -> &mut BTreeMap<RepoPath, FileVersion> {
        match side {
            Side::Base => &mut self.base,
            Side::Head => &mut self.head,
        }
    }

    fn put(&mut self, side: Side, path: &str, bytes: &[u8], mode: FileMode) {
        let blob = blob_id(bytes);
        self.blobs.insert(blob, bytes.into());
        let version = FileVersion { blob, mode, size: mode.has_blob().then_some(bytes.len() as u64) };
        self.side_mut(side).insert(path.into(), version);
    }
}

impl Trees for MemoryTrees {
    fn blob(&self, id: ObjectId) -> Result<Arc<[u8]>, Missing> {
        let missing = || Missing { id, why: "it was not fetched".to_owned() };
        if self.gone.contains(&id) {
            return Err(missing());
        }
        self.blobs.get(&id).cloned().ok_or_else(missing)
    }

    fn file(&self, side: Side, path: &RepoPath) -> Result<Option<FileVersion>, Missing> {
        Ok(self.side(side).get(path).copied())
    }

    fn entries(&self, side: Side) -> Result<Vec<TreeEntry>, Missing> {
        let entry = |(path, version): (&RepoPath, &FileVersion)| TreeEntry {
            path: path.clone(),
            id: version.blob,
            mode: version.mode,
        };
        Ok(self.side(side).iter().map(entry).collect())
    }
}

/// The name git gives a blob.
pub fn blob_id(bytes: &[u8]) -> ObjectId {
    let id = git2::Oid::hash_object(git2::ObjectType::Blob, bytes).unwrap();
    ObjectId::new(id.as_bytes().try_into().unwrap())
}

/// Builds a change. Every file that differs between the two lists is a changed file; nothing is a rename unless told.
#[derive(Default)]
pub struct Fixture {
    trees: MemoryTrees,
    renames: Vec<(RepoPath, RepoPath)>,
    entities: Vec<(RepoPath, usize, Entity)>,
    description: String,
}

impl Fixture {
    /// Takes the files of both sides as pairs of path and text.
    pub fn new(base: &[(&str, &str)], head: &[(&str, &str)]) -> Self {
        let mut fixture = Self::default();
        for (side, files) in [(Side::Base, base), (Side::Head, head)] {
            for (path, text) in files {
                fixture.trees.put(side, path, text.as_bytes(), FileMode::REGULAR);
            }
        }
        fixture
    }

    /// Adds or replaces a file on a side with any bytes and mode.
    pub fn file(mut self, side: Side, path: &str, bytes: &[u8], mode: FileMode) -> Self {
        self.trees.put(side, path, bytes, mode);
        self
    }

    /// Says that a base file became a head file of another path.
    pub fn rename(mut self, from: &str, to: &str) -> Self {
        self.renames.push((from.into(), to.into()));
        self
    }

    /// Makes the blob of a head file unreadable.
    pub fn not_fetched(mut self, path: &str) -> Self {
        let blob = self.trees.head[&RepoPath::from(path)].blob;
        self.trees.gone.insert(blob);
        self
    }

    /// Gives one hunk of a file an entity, in the order of the calls.
    pub fn entity(mut self, path: &str, hunk: usize, name: &str, public: bool, change: EntityChange) -> Self {
        let kind = if name.contains('.') { EntityKind::Method } else { EntityKind::Function };
        self.entities.push((path.into(), hunk, Entity { kind, name: name.to_owned(), public, change }));
        self
    }

    /// Sets the description.
    pub fn description(mut self, text: &str) -> Self {
        self.description = text.to_owned();
        self
    }

    /// The change with one reading a file: hunks by git's diff, the entities given, no noise, formatting not checked.
    pub fn build(self) -> (Change, Vec<FileReading>) {
        let files = self.changed_files();
        let tree = |side| blob_id(format!("{:?}", self.trees.side(side)).as_bytes());
        let (base_tree, head_tree) = (tree(Side::Base), tree(Side::Head));
        let change = Change {
            facts: Facts {
                origin: Origin::Recorded("fixture".to_owned()),
                title: "a fixture".to_owned(),
                description: self.description,
                author: String::new(),
                state: None,
                base_branch: String::new(),
                head_branch: String::new(),
                head_repository: None,
            },
            base_commit: None,
            head_commit: None,
            base_tree,
            head_tree,
            files,
            trees: Arc::new(self.trees),
            threads: Vec::new(),
            left_out: Vec::new(),
        };
        let mut readings: Vec<FileReading> = change.files.iter().map(|file| reading(&change, file)).collect();
        for (path, hunk, entity) in self.entities {
            let at = change.files.iter().position(|file| file.path == path).expect("entity of a changed file");
            readings[at].entities[hunk].push(entity);
        }
        (change, readings)
    }

    fn changed_files(&self) -> Vec<ChangedFile> {
        let mut paths: BTreeSet<&RepoPath> = self.trees.base.keys().chain(self.trees.head.keys()).collect();
        let mut files = Vec::new();
        for (from, to) in &self.renames {
            let (base, head) = (self.trees.base[from], self.trees.head[to]);
            paths.remove(from);
            paths.remove(to);
            files.push(ChangedFile {
                path: to.clone(),
                previous_path: Some(from.clone()),
                kind: ChangeKind::Rename,
                base: Some(base),
                head: Some(head),
            });
        }
        for path in paths {
            let (base, head) = (self.trees.base.get(path).copied(), self.trees.head.get(path).copied());
            let thing = |version: FileVersion| version.mode.0 & 0o170_000;
            let kind = match (base, head) {
                (None, _) => ChangeKind::Addition,
                (_, None) => ChangeKind::Deletion,
                (Some(base), Some(head)) if base == head => continue,
                (Some(base), Some(head)) if thing(base) != thing(head) => ChangeKind::TypeChange,
                _ => ChangeKind::Modification,
            };
            files.push(ChangedFile { path: path.clone(), previous_path: None, kind, base, head });
        }
        files.sort_by(|one, two| one.path.cmp(&two.path));
        files
    }
}

/// The change and readings of two lists of files.
pub fn change(base: &[(&str, &str)], head: &[(&str, &str)]) -> (Change, Vec<FileReading>) {
    Fixture::new(base, head).build()
}

/// The texts of a changed file; empty where a blob is not here.
pub fn texts(change: &Change, file: &ChangedFile) -> Texts {
    texts_of(change, file).unwrap_or_default()
}

fn reading(change: &Change, file: &ChangedFile) -> FileReading {
    let diff = diff(&texts(change, file));
    FileReading {
        entities: vec![Vec::new(); diff.hunks.len()],
        diff,
        entities_not_read: None,
        formatting: Formatting::NotChecked("a fixture".to_owned()),
        noise: None,
    }
}

mod tests {
    use super::*;

    #[test]
    fn builds_what_git_would_say() {
        let (change, files) = Fixture::new(
            &[("a", "1\n"), ("b", "x\n"), ("same", "s\n")],
            &[("a", "2\n"), ("c", "x\n"), ("same", "s\n")],
        )
        .rename("b", "c")
        .build();
        let kinds: Vec<_> = change.files.iter().map(|file| (file.path.text().into_owned(), file.kind)).collect();
        assert_eq!(kinds, [("a".to_owned(), ChangeKind::Modification), ("c".to_owned(), ChangeKind::Rename)]);
        assert_eq!((files[0].diff.additions, files[0].diff.deletions, files[1].diff.hunks.len()), (1, 1, 0));
        assert_eq!(blob_id(b"x\n").to_string(), "587be6b4c3f93f93c489c0111bba5596147a26cb");
    }
}
