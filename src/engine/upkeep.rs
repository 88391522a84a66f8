//! Looking after what is kept: which commits are still needed, and how much the snapshots take.

use std::collections::BTreeSet;

use super::look::Look;
use super::{Engine, snapshot};
use crate::change::{ObjectId, Origin};
use crate::problem::Problem;
use crate::store::StoreError;

/// How many files there are, and how many bytes they take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    /// Files.
    pub count: usize,
    /// Bytes.
    pub bytes: u64,
}

impl Engine {
    /// The commits and trees that the last look at some change needs.
    ///
    /// # Errors
    /// A [`Problem`] where the store cannot be read.
    pub fn needed(&self) -> Result<BTreeSet<ObjectId>, Problem> {
        let looks = self.store.looks()?;
        let looks = looks.iter().filter_map(|row| Look::read(&row.body));
        Ok(looks
            .flat_map(|look| [look.base_commit, look.head_commit, Some(look.base_tree), Some(look.head_tree)])
            .flatten()
            .collect())
    }

    /// The servers of the pull requests that were looked at, as `https://HOST`.
    ///
    /// # Errors
    /// A [`Problem`] where the store cannot be read.
    pub fn servers(&self) -> Result<BTreeSet<String>, Problem> {
        let looks = self.store.looks()?;
        Ok(looks
            .iter()
            .filter_map(|row| match Look::read(&row.body)?.facts.origin {
                Origin::PullRequest(request) => Some(request.server),
                _ => None,
            })
            .collect())
    }

    /// The snapshots of built reviews; none where the folder cannot be read.
    pub fn snapshots(&self) -> Size {
        let files = std::fs::read_dir(snapshot::folder(self.cache_folder())).into_iter().flatten().flatten();
        files
            .filter_map(|file| file.metadata().ok())
            .fold(Size::default(), |size, file| Size { count: size.count + 1, bytes: size.bytes + file.len() })
    }

    /// Removes the snapshots that the last look at no change needs, those of other versions too.
    ///
    /// # Errors
    /// A [`Problem`] where one cannot be removed.
    pub fn prune_snapshots(&self) -> Result<Size, Problem> {
        let looks = self.store.looks()?;
        let needed: BTreeSet<String> = looks
            .iter()
            .filter_map(|row| Look::read(&row.body))
            .map(|look| snapshot::name(look.base_tree, look.head_tree))
            .collect();
        self.drop_snapshots(|name| !needed.contains(name))
    }

    /// Removes all snapshots.
    ///
    /// # Errors
    /// A [`Problem`] where one cannot be removed.
    pub fn remove_snapshots(&self) -> Result<Size, Problem> {
        self.drop_snapshots(|_| true)
    }

    fn drop_snapshots(&self, unwanted: impl Fn(&str) -> bool) -> Result<Size, Problem> {
        let mut dropped = Size::default();
        let files = std::fs::read_dir(snapshot::folder(self.cache_folder())).into_iter().flatten().flatten();
        for file in files.filter(|file| unwanted(&file.file_name().to_string_lossy())) {
            dropped.count += 1;
            dropped.bytes += file.metadata().map_or(0, |file| file.len());
            std::fs::remove_file(file.path()).map_err(|source| StoreError::File { path: file.path(), source })?;
        }
        Ok(dropped)
    }
}
