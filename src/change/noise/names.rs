//! Paths as the rules compare them: lowercase names, folders, extensions.

use crate::change::RepoPath;

/// The name of a file in lowercase; bytes that are no UTF-8 are replaced.
pub(super) fn lower_name(path: &RepoPath) -> String {
    String::from_utf8_lossy(path.name()).to_lowercase()
}

/// Whether any folder of a path has exactly one of the names.
pub(super) fn in_folder(path: &RepoPath, names: &[&str]) -> bool {
    path.folders().iter().any(|folder| names.iter().any(|name| name.as_bytes() == *folder))
}
