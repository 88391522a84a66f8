//! The snapshot of a built review: what was cut, named and ranked, without any line text, so that a known change
//! opens without being read again.
//!
//! A snapshot is kept under both trees and the program's version, begins with a digest of the rest, and holds its own
//! form, never a type of the domain. One that is damaged, of another form or of another program is not there.

mod form;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::change::{Change, ObjectId, Reading};
use crate::store::{StoreError, private_folder, write_whole};

/// Raised whenever the form, or a rule that shapes what it holds, changes between releases.
const FORM: u32 = 2;

/// Bytes of the digest a snapshot begins with: bytes that were damaged may still read as a snapshot, of another change.
const DIGEST: usize = 32;

/// The folder of snapshots in the cache.
pub fn folder(cache: &Path) -> PathBuf {
    cache.join("snapshots")
}

/// The file name of the snapshot of two trees, by this version of the program.
pub fn name(base_tree: ObjectId, head_tree: ObjectId) -> String {
    format!("{base_tree}-{head_tree}-{}-{FORM}", env!("CARGO_PKG_VERSION"))
}

fn file(cache: &Path, base_tree: ObjectId, head_tree: ObjectId) -> PathBuf {
    folder(cache).join(name(base_tree, head_tree))
}

/// Keeps a reading. Only a complete one may be kept: see [`Reading::is_complete`].
///
/// # Errors
/// [`StoreError`] where it cannot be written; the review does not depend on it.
pub fn keep(cache: &Path, reading: &Reading) -> Result<(), StoreError> {
    private_folder(&folder(cache))?;
    let path = file(cache, reading.change.base_tree, reading.change.head_tree);
    let bytes = postcard::to_stdvec(&form::write(reading))
        .map_err(|error| StoreError::File { path: path.clone(), source: std::io::Error::other(error) })?;
    write_whole(&path, &[&Sha256::digest(&bytes)[..], &bytes].concat())
}

/// The changed files and the reading kept for a change whose trees are known; none where there is no usable one.
/// `change.files` is replaced by the files of the snapshot.
pub fn find(cache: &Path, mut change: Change) -> Option<Reading> {
    let bytes = std::fs::read(file(cache, change.base_tree, change.head_tree)).ok()?;
    let (digest, bytes) = bytes.split_at_checked(DIGEST)?;
    if digest != &Sha256::digest(bytes)[..] {
        return None;
    }
    let (wire, rest) = postcard::take_from_bytes::<form::Snapshot>(bytes).ok()?;
    if !rest.is_empty() {
        return None;
    }
    let kept = form::read(wire)?;
    change.files = kept.changed;
    Some(Reading { change: Arc::new(change), files: Arc::new(kept.files), parts: kept.parts, left_out: kept.left_out })
}
