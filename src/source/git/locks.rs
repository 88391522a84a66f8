//! Locks beside a cache repository, so that two running programs never get into each other's way.
//!
//! `<repository>.lock` is held by whoever makes it or writes refs (a fetch, a collection). `<repository>.use` is held shared by
//! whoever has the repository open, and alone by whoever deletes from it. Both end with the process that held them.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A lock that ends when its last clone is dropped; none where the file system has no locks.
pub(super) type Held = Option<Arc<File>>;

/// Tries to become the only writer; `Err(())` while another one is.
pub(super) fn try_writer(folder: &Path) -> Result<Held, ()> {
    try_alone(folder, "lock")
}

/// Becomes the only writer. Waits while another one is.
pub(super) fn writer(folder: &Path) -> Held {
    let file = open(folder, "lock")?;
    file.lock().ok()?;
    Some(Arc::new(file))
}

/// Tries to be the only one that has the repository open; `Err(())` while anyone else has.
pub(super) fn try_alone_in(folder: &Path) -> Result<Held, ()> {
    try_alone(folder, "use")
}

/// Says that the repository is open here. Waits while another program deletes from it.
pub(super) fn in_use(folder: &Path) -> Held {
    let file = open(folder, "use")?;
    file.lock_shared().ok()?;
    Some(Arc::new(file))
}

fn try_alone(folder: &Path, kind: &str) -> Result<Held, ()> {
    let Some(file) = open(folder, kind) else { return Ok(None) };
    match file.try_lock() {
        Ok(()) => Ok(Some(Arc::new(file))),
        Err(TryLockError::WouldBlock) => Err(()),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

fn open(folder: &Path, kind: &str) -> Option<File> {
    let mut path = PathBuf::from(folder).into_os_string();
    path.push(".");
    path.push(kind);
    File::options().create(true).truncate(false).read(true).write(true).open(path).ok()
}
