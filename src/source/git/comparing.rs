//! The list of changed files by libgit2, for a machine without the `git` program. It may pair other renames than git
//! does, so what it lists says that, and what is built on it is never kept.

use git2::{Delta, DiffDelta, DiffFile, DiffFindOptions, DiffOptions, Repository};

use super::cache::{id, oid};
use super::listing::{Listing, RENAME_LIMIT, measure};
use crate::change::{COMPARISON, ChangeKind, ChangedFile, FileMode, FileVersion, LeftOut, ObjectId, RepoPath};

/// Compares two trees that are here.
pub(super) fn compare(git: &Repository, base_tree: ObjectId, head_tree: ObjectId) -> Result<Listing, git2::Error> {
    let (base, head) = (git.find_tree(oid(base_tree))?, git.find_tree(oid(head_tree))?);
    let mut options = DiffOptions::new();
    options.include_typechange(true).include_typechange_trees(true);
    let mut diff = git.diff_tree_to_tree(Some(&base), Some(&head), Some(&mut options))?;
    let mut renames = DiffFindOptions::new();
    renames.renames(true).rename_threshold(50).rename_limit(usize::try_from(RENAME_LIMIT).unwrap_or(usize::MAX));
    diff.find_similar(Some(&mut renames))?;
    let mut files: Vec<ChangedFile> = diff.deltas().filter_map(|delta| changed(&delta)).collect();
    files.sort_by(|one, two| one.path.cmp(&two.path));
    measure(git, &mut files);
    let why = "there is no `git` program here, so libgit2 listed the files and may have paired other renames";
    let left_out = vec![LeftOut { what: COMPARISON.to_owned(), path: None, why: why.to_owned() }];
    Ok(Listing { files, left_out })
}

fn changed(delta: &DiffDelta<'_>) -> Option<ChangedFile> {
    let version =
        |file: &DiffFile<'_>| FileVersion { blob: id(file.id()), mode: FileMode(file.mode().into()), size: None };
    let (old, new) = (delta.old_file(), delta.new_file());
    let path = |file: &DiffFile<'_>| file.path_bytes().map(RepoPath::new);
    let (base, head) = (Some(version(&old)), Some(version(&new)));
    let file = |path, kind, base, head| ChangedFile { path, previous_path: None, kind, base, head };
    Some(match delta.status() {
        Delta::Added | Delta::Copied => file(path(&new)?, ChangeKind::Addition, None, head),
        Delta::Deleted => file(path(&old)?, ChangeKind::Deletion, base, None),
        Delta::Modified => file(path(&new)?, ChangeKind::Modification, base, head),
        Delta::Typechange => file(path(&new)?, ChangeKind::TypeChange, base, head),
        Delta::Renamed => {
            ChangedFile { previous_path: path(&old), ..file(path(&new)?, ChangeKind::Rename, base, head) }
        }
        _ => return None,
    })
}
