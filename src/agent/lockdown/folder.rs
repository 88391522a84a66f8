//! The folder of one run: owner-only, with a short path, gone when the run is.

use std::path::{Path, PathBuf};

/// How its name begins.
const PREFIX: &str = "sl-";

/// A folder of one run, removed when dropped.
#[derive(Debug)]
pub struct RunFolder {
    root: tempfile::TempDir,
}

impl RunFolder {
    /// Makes one where the system keeps the reviewer's own files of this session, else among the temporary ones.
    ///
    /// # Errors
    /// Where neither place can be written.
    pub fn new() -> std::io::Result<Self> {
        let session = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        if let Some(root) = session.filter(|folder| is_own(folder)).and_then(|folder| made_in(&folder).ok()) {
            return Self::furnished(root);
        }
        Self::furnished(made_in(&std::env::temp_dir())?)
    }

    fn furnished(root: tempfile::TempDir) -> std::io::Result<Self> {
        let folder = Self { root };
        for inner in [folder.empty(), folder.files(), folder.temporary()] {
            let mut builder = std::fs::DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder.create(inner)?;
        }
        Ok(folder)
    }

    /// All of it.
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// Where the program stands; nothing is in it.
    pub fn empty(&self) -> PathBuf {
        self.root.path().join("e")
    }

    /// Where our own files for the run are. The names are short: a socket's path may have 100 bytes or so.
    pub fn files(&self) -> PathBuf {
        self.root.path().join("f")
    }

    /// Where it may put what it needs for a moment, where it can reach no other such folder.
    pub fn temporary(&self) -> PathBuf {
        self.root.path().join("t")
    }
}

/// Removes what is left of a run's folder, where its maker could not. Leaves every other folder alone.
pub fn remove_run(folder: &Path) {
    let named = folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PREFIX));
    if named && folder.is_absolute() && folder.join("e").is_dir() && folder.join("f").is_dir() {
        let _ = std::fs::remove_dir_all(folder);
    }
}

fn made_in(folder: &Path) -> std::io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(folder)
}

/// Whether a folder belongs to whoever runs this program, and nobody else can enter it.
#[cfg(unix)]
fn is_own(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own = rustix::process::geteuid().as_raw();
    folder.is_absolute()
        && std::fs::metadata(folder).is_ok_and(|it| it.is_dir() && it.uid() == own && it.mode() & 0o077 == 0)
}

#[cfg(not(unix))]
fn is_own(_: &Path) -> bool {
    false
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_owners_alone_and_goes() {
        let folder = RunFolder::new().unwrap();
        let path = folder.path().to_owned();
        assert_eq!(std::fs::read_dir(folder.empty()).unwrap().count(), 0);
        assert!(!folder.files().starts_with(folder.empty()));
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            for folder in [path.clone(), folder.empty(), folder.files(), folder.temporary()] {
                assert_eq!(std::fs::metadata(folder).unwrap().mode() & 0o777, 0o700);
            }
        }
        std::fs::write(folder.files().join("x"), "x").unwrap();
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn only_the_folder_of_a_run_is_removed() {
        let outer = tempfile::tempdir().unwrap();
        let (run, other) = (outer.path().join("sl-x"), outer.path().join("sl-y"));
        for folder in [run.join("e"), run.join("f"), other.join("e")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        remove_run(&run);
        remove_run(&other);
        remove_run(outer.path());
        assert!(!run.exists() && other.exists());
    }
}
