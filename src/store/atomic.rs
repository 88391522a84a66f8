//! Files written whole or not at all, and folders that only their owner may enter.

use std::io::Write;
use std::path::Path;

use super::StoreError;

/// Makes a folder and its parents; on Unix the folder itself may be entered by its owner alone.
///
/// # Errors
/// [`StoreError::File`] where it cannot be made.
pub fn private_folder(path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::File { path: path.to_owned(), source };
    std::fs::create_dir_all(path).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).map_err(failed)?;
    }
    Ok(())
}

/// Replaces a file's content in one step: a reader sees the old bytes or the new ones, never a part.
/// The file is readable by its owner alone.
///
/// # Errors
/// [`StoreError::File`] where it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let failed = |source| StoreError::File { path: path.to_owned(), source };
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn replaces_whole_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn folders_are_their_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        private_folder(&inner).unwrap();
        assert_eq!(std::fs::metadata(&inner).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
