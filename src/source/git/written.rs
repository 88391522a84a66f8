//! Writing trees as objects: for uncommitted and recorded changes. The same entries always give the same ids.

use std::collections::BTreeMap;

use git2::{ObjectType, Odb, Oid};

/// The mode of an ordinary file.
pub const REGULAR: u32 = 0o100_644;
/// The mode of an executable file.
pub const EXECUTABLE: u32 = 0o100_755;
/// The mode of a symbolic link.
pub const SYMLINK: u32 = 0o120_000;
const FOLDER: u32 = 0o040_000;

/// One file of a tree to write: its mode and its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The mode, as git keeps it.
    pub mode: u32,
    /// The blob, or a submodule's commit.
    pub id: Oid,
}

/// A folder that is being written: its name, and what is in it by the key that git sorts by.
struct Open {
    name: Vec<u8>,
    items: BTreeMap<Vec<u8>, (Vec<u8>, Entry)>,
}

/// Writes the tree of files given by path, folders included, and gives its id. Writes no blobs.
///
/// Where a path is both a file and a folder, the folder wins.
pub fn write_tree(odb: &Odb<'_>, files: &BTreeMap<Vec<u8>, Entry>) -> Result<Oid, git2::Error> {
    let root = Open { name: Vec::new(), items: BTreeMap::new() };
    // Folders from the root to where the last file went. Paths are sorted, so one that is left is done.
    let mut open = vec![root];
    for (path, entry) in files {
        let mut segments: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
        let name = segments.pop().unwrap_or_default();
        let same = open[1..].iter().zip(&segments).take_while(|(folder, segment)| folder.name == **segment).count();
        while open.len() > same + 1 {
            close(odb, &mut open)?;
        }
        for segment in &segments[same..] {
            open.push(Open { name: segment.to_vec(), items: BTreeMap::new() });
        }
        if let Some(folder) = open.last_mut() {
            folder.items.insert(name.to_vec(), (name.to_vec(), *entry));
        }
    }
    while open.len() > 1 {
        close(odb, &mut open)?;
    }
    write(odb, open.pop())
}

fn close(odb: &Odb<'_>, open: &mut Vec<Open>) -> Result<(), git2::Error> {
    let Some(folder) = open.pop() else { return Ok(()) };
    let name = folder.name.clone();
    let id = write(odb, Some(folder))?;
    if let Some(parent) = open.last_mut() {
        parent.items.remove(&name);
        // Git sorts a folder as if its name ended in a slash.
        let key = [name.as_slice(), b"/"].concat();
        parent.items.insert(key, (name, Entry { mode: FOLDER, id }));
    }
    Ok(())
}

fn write(odb: &Odb<'_>, folder: Option<Open>) -> Result<Oid, git2::Error> {
    let mut bytes = Vec::new();
    for (name, entry) in folder.iter().flat_map(|folder| folder.items.values()) {
        bytes.extend_from_slice(format!("{:o} ", entry.mode).as_bytes());
        bytes.extend_from_slice(name);
        bytes.push(0);
        bytes.extend_from_slice(entry.id.as_bytes());
    }
    odb.write(ObjectType::Tree, &bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn trees_equal_those_that_git_writes() {
        let folder = tempfile::tempdir().unwrap();
        let git = git2::Repository::init_bare(folder.path()).unwrap();
        let blob = git.blob(b"x").unwrap();
        let paths = ["a-b", "a.c", "a/x", "a/y/z", "a0", "b/c/d/e", "b/c/f", "z"];
        let mut index = git2::Index::new().unwrap();
        let mut files = BTreeMap::new();
        for path in paths {
            let entry = git2::IndexEntry {
                ctime: git2::IndexTime::new(0, 0),
                mtime: git2::IndexTime::new(0, 0),
                dev: 0,
                ino: 0,
                mode: REGULAR,
                uid: 0,
                gid: 0,
                file_size: 0,
                id: blob,
                flags: 0,
                flags_extended: 0,
                path: path.into(),
            };
            index.add(&entry).unwrap();
            files.insert(path.into(), Entry { mode: REGULAR, id: blob });
        }
        let ours = write_tree(&git.odb().unwrap(), &files).unwrap();
        assert_eq!(ours, index.write_tree_to(&git).unwrap());
        let empty = write_tree(&git.odb().unwrap(), &BTreeMap::new()).unwrap();
        assert_eq!(empty.to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    }
}
