//! The list of changed files: git's own comparison of two trees, renames at half alike included.

use std::ffi::OsString;

use git2::{ObjectType, Repository};

use super::cache::{CacheRepository, oid};
use super::error::GitError;
use super::program::Run;
use super::{blocking, comparing};
use crate::change::{ChangeKind, ChangedFile, FileMode, FileVersion, LeftOut, ObjectId, RepoPath};

/// Git compares at most this many added files with as many deleted ones for renames with edits (its own default is 1000).
pub const RENAME_LIMIT: u64 = 2000;
/// Bytes read of a list; about a million files.
const LIST_LIMIT: usize = 256 << 20;

/// The changed files between two trees, by the bytes of their paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The files.
    pub files: Vec<ChangedFile>,
    /// What git did not do.
    pub left_out: Vec<LeftOut>,
}

impl CacheRepository {
    /// Compares two trees that are here. Runs `git`, and reads the sizes of the files from the objects. Where there is
    /// no `git`, libgit2 compares them, and the listing says so.
    ///
    /// # Errors
    /// [`GitError`] where a tree is not here, or the list is longer than 256 MiB.
    pub async fn changed_files(&self, base_tree: ObjectId, head_tree: ObjectId) -> Result<Listing, GitError> {
        if base_tree == head_tree {
            return Ok(Listing { files: Vec::new(), left_out: Vec::new() });
        }
        let limit = format!("-l{RENAME_LIMIT}");
        let (base, head) = (base_tree.to_string(), head_tree.to_string());
        let arguments =
            ["-r", "-z", "--raw", "--no-abbrev", "-M50%", &limit, "--no-ext-diff", "--no-textconv", &base, &head];
        let output = Run {
            folder: self.folder(),
            verb: "diff-tree",
            arguments: arguments.iter().map(OsString::from).collect(),
            settings: Vec::new(),
            secrets: Vec::new(),
            limit: LIST_LIMIT,
            held: None,
        }
        .run(&|_| ())
        .await;
        let output = match output {
            Err(GitError::NoProgram) => return self.compare_without_git(base_tree, head_tree).await,
            output => output?,
        };
        let failed = |why| GitError::Failed { verb: "diff-tree", why };
        if !output.success {
            return Err(failed(output.why()));
        }
        let repository = self.clone();
        blocking(move || {
            let mut files = parse(&output.stdout).map_err(|why| failed(why.to_owned()))?;
            files.sort_by(|one, two| one.path.cmp(&two.path));
            measure(&repository.git2()?, &mut files);
            let left_out = rename_limit_met(&files).into_iter().collect();
            Ok(Listing { files, left_out })
        })
        .await
    }
}

impl CacheRepository {
    async fn compare_without_git(&self, base_tree: ObjectId, head_tree: ObjectId) -> Result<Listing, GitError> {
        let repository = self.clone();
        blocking(move || {
            comparing::compare(&repository.git2()?, base_tree, head_tree)
                .map_err(|error| GitError::cache(repository.folder(), error.message()))
        })
        .await
    }
}

/// Reads `git diff-tree -r -z --raw --no-abbrev`: `:MODE MODE ID ID LETTERSCORE NUL PATH NUL [PATH NUL]`, without sizes.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<ChangedFile>, &'static str> {
    let mut files = Vec::new();
    let mut fields = bytes.split(|byte| *byte == 0);
    while let Some(head) = fields.next() {
        // The last NUL ends a record; nothing follows it.
        if head.is_empty() && fields.next().is_none() {
            return Ok(files);
        }
        let record = record(head).ok_or("its list of changed files has an unknown form")?;
        let mut path = || fields.next().filter(|path| !path.is_empty()).ok_or("its list of changed files is cut off");
        let first = RepoPath::new(path()?);
        let (path, previous_path) = match record.letter {
            b'R' | b'C' => (RepoPath::new(path()?), Some(first)),
            _ => (first, None),
        };
        files.push(record.file(path, previous_path).ok_or("its list of changed files has an unknown status")?);
    }
    Ok(files)
}

struct Record {
    base: FileVersion,
    head: FileVersion,
    letter: u8,
}

fn record(head: &[u8]) -> Option<Record> {
    let mut words = std::str::from_utf8(head).ok()?.strip_prefix(':')?.split(' ');
    let mut mode = || u32::from_str_radix(words.next()?, 8).ok().map(FileMode);
    let modes = (mode()?, mode()?);
    let mut blob = || words.next()?.parse::<ObjectId>().ok();
    let blobs = (blob()?, blob()?);
    let letter = *words.next()?.as_bytes().first()?;
    let version = |mode, blob| FileVersion { blob, mode, size: None };
    Some(Record { base: version(modes.0, blobs.0), head: version(modes.1, blobs.1), letter })
}

impl Record {
    fn file(self, path: RepoPath, previous_path: Option<RepoPath>) -> Option<ChangedFile> {
        let (base, head) = (Some(self.base), Some(self.head));
        Some(match self.letter {
            b'A' => ChangedFile { path, previous_path: None, kind: ChangeKind::Addition, base: None, head },
            // A copy is a new file; copies are not looked for.
            b'C' => ChangedFile { path, previous_path: None, kind: ChangeKind::Addition, base: None, head },
            b'D' => ChangedFile { path, previous_path: None, kind: ChangeKind::Deletion, base, head: None },
            b'M' => ChangedFile { path, previous_path: None, kind: ChangeKind::Modification, base, head },
            b'R' => ChangedFile { path, previous_path, kind: ChangeKind::Rename, base, head },
            b'T' => ChangedFile { path, previous_path: None, kind: ChangeKind::TypeChange, base, head },
            _ => return None,
        })
    }
}

/// Fills in the sizes of the blobs that are here.
pub(super) fn measure(git: &Repository, files: &mut [ChangedFile]) {
    let Ok(odb) = git.odb() else { return };
    for version in files.iter_mut().flat_map(|file| [&mut file.base, &mut file.head]).flatten() {
        if version.mode.has_blob() {
            let header = odb.read_header(oid(version.blob)).ok();
            version.size = header.filter(|(_, kind)| *kind == ObjectType::Blob).map(|(size, _)| size as u64);
        }
    }
}

/// Git skips looking for renames with edits where too many files are left to compare; what is left then tells it.
fn rename_limit_met(files: &[ChangedFile]) -> Option<LeftOut> {
    let count = |kind| files.iter().filter(|file| file.kind == kind).count() as u64;
    let (added, deleted) = (count(ChangeKind::Addition), count(ChangeKind::Deletion));
    (added * deleted > RENAME_LIMIT * RENAME_LIMIT).then(|| LeftOut {
        what: "renames with edits".to_owned(),
        path: None,
        why: format!("{added} added and {deleted} deleted files are too many to compare with each other"),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_every_kind_of_record() {
        let (a, b, zero) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let list = [
            format!(":000000 100644 {zero} {b} A\0new\n\tname\0"),
            format!(":100644 000000 {a} {zero} D\0gone\0"),
            format!(":100644 100755 {a} {b} M\0:100644\0"),
            format!(":100644 100644 {a} {b} R086\0from\0to\0"),
            format!(":120000 160000 {a} {b} T\0kind\0"),
        ]
        .concat();
        let files = parse(list.as_bytes()).unwrap();
        let rows: Vec<_> = files.iter().map(|f| (f.path.text().into_owned(), f.kind.word())).collect();
        assert_eq!(
            rows,
            [
                ("new\n\tname", "addition"),
                ("gone", "deletion"),
                (":100644", "modification"),
                ("to", "rename"),
                ("kind", "type change")
            ]
            .map(|(path, word)| (path.to_owned(), word))
        );
        assert_eq!(files[3].previous_path, Some(RepoPath::from("from")));
        assert_eq!(files[0].base, None);
        assert!(files[2].mode_changed());
        assert_eq!(files[4].head.unwrap().mode, FileMode::SUBMODULE);
        assert_eq!(parse(b""), Ok(vec![]));
        assert!(parse(&list.as_bytes()[..list.len() - 5]).is_err());
        assert!(parse(b":100644 100644 abc def M\0x\0").is_err());
    }

    proptest! {
        #[test]
        fn a_list_never_panics(bytes in any::<Vec<u8>>(), cut in 0_usize..200) {
            let _ = parse(&bytes);
            let whole = format!(":100644 100644 {} {} R050\0a\0b\0", "a".repeat(40), "b".repeat(40)).into_bytes();
            let mut list = whole[..cut.min(whole.len())].to_vec();
            list.extend(bytes);
            let _ = parse(&list);
        }
    }
}
