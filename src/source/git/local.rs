//! Local ranges: brought from the reviewer's clone into the cache, kept there, and opened like any other change.

use std::path::{Path, PathBuf};

use super::cache::CacheRepository;
use super::clone::{self, LocalRange};
use super::error::GitError;
use super::names::RepositoryName;
use super::written::write_tree;
use super::{SideIds, blocking, open_trees, uncommitted};
use crate::change::{Change, Facts, LeftOut, ObjectId, Origin};
use crate::problem::Problem;

/// Opens a range, the index or the working tree of the clone that a folder is in.
///
/// The clone is only read; everything is copied into the cache repository that local changes share and kept there.
///
/// # Errors
/// A [`Problem`] where there is no clone, a name means nothing in it, or its objects cannot be copied.
pub async fn open_local(cache_dir: &Path, folder: &Path, range: &LocalRange) -> Result<Change, Problem> {
    let plan = {
        let (folder, range) = (folder.to_owned(), range.clone());
        blocking(move || Plan::make(&folder, &range)).await?
    };
    let cache_dir = cache_dir.to_owned();
    let cache = blocking(move || CacheRepository::open(&cache_dir, &RepositoryName::shared())).await?;
    let wants: Vec<ObjectId> = [plan.base, plan.head].into_iter().flatten().collect();
    cache.fetch_clone(&plan.objects, &wants, &|_| ()).await?;
    let facts = facts(&plan.top, range);
    let (base, head, left_out) = {
        let (cache, range) = (cache.clone(), range.clone());
        blocking(move || plan.sides(&cache, &range)).await?
    };
    open_trees(&cache, facts, base, head, left_out).await
}

/// What a range means in a clone.
struct Plan {
    /// The clone's top folder.
    top: PathBuf,
    /// The folder that holds its objects; another one for a linked working tree.
    objects: PathBuf,
    /// The base commit; none where there is no commit yet.
    base: Option<ObjectId>,
    /// The head commit; none for what is not committed.
    head: Option<ObjectId>,
}

impl Plan {
    fn make(folder: &Path, range: &LocalRange) -> Result<Self, GitError> {
        let git = clone::open(folder)?;
        if matches!(range, LocalRange::WorkingTree | LocalRange::Staged) && clone::working_tree(&git).is_none() {
            return Err(GitError::Bare(git.path().to_owned()));
        }
        let (base, head) = match clone::commits(&git, range)? {
            Some((base, head)) => (Some(base), Some(head)),
            None => (clone::head(&git)?, None),
        };
        let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Ok(Self {
            top: whole(clone::working_tree(&git).unwrap_or_else(|| git.path())),
            objects: whole(git.commondir()),
            base,
            head,
        })
    }

    /// Both sides in the cache, uncommitted ones written to it; all of them kept.
    fn sides(self, cache: &CacheRepository, range: &LocalRange) -> Result<(SideIds, SideIds, Vec<LeftOut>), GitError> {
        let git = cache.git2()?;
        let base = match self.base {
            Some(commit) => cache.tree_of(commit)?,
            None => {
                let odb = git.odb().map_err(|error| GitError::cache(cache.folder(), error.message()))?;
                let empty = write_tree(&odb, &std::collections::BTreeMap::new());
                super::cache::id(empty.map_err(|error| GitError::cache(cache.folder(), error.message()))?)
            }
        };
        if self.base.is_none() {
            cache.keep(base)?;
        }
        if let Some(head) = self.head {
            return Ok(((self.base, base), (Some(head), cache.tree_of(head)?), Vec::new()));
        }
        let clone = clone::open(&self.top)?;
        let written = match range {
            LocalRange::Staged => uncommitted::staged(&clone, &git)?,
            _ => uncommitted::working_tree(&clone, &git)?,
        };
        cache.keep(written.tree)?;
        Ok(((self.base, base), (None, written.tree), written.left_out))
    }
}

/// A local change has no facts but what was asked for.
fn facts(top: &Path, range: &LocalRange) -> Facts {
    let (title, base, head) = match range {
        LocalRange::Between { base, head } => {
            (format!("{}..{}", short(base), short(head)), base.as_str(), head.as_str())
        }
        LocalRange::Since { base, head } => {
            (format!("{}...{}", short(base), short(head)), base.as_str(), head.as_str())
        }
        LocalRange::Topic(topic) => (short(topic).to_owned(), "", topic.as_str()),
        LocalRange::Staged => ("staged changes".to_owned(), "HEAD", ""),
        LocalRange::WorkingTree => ("working tree".to_owned(), "HEAD", ""),
    };
    Facts {
        origin: Origin::Local { folder: top.to_string_lossy().into_owned(), range: title.clone() },
        title,
        description: String::new(),
        author: String::new(),
        state: None,
        base_branch: base.to_owned(),
        head_branch: head.to_owned(),
        head_repository: None,
    }
}

/// A name as a title shows it: a whole commit id by its first ten digits.
fn short(name: &str) -> &str {
    if name.parse::<ObjectId>().is_ok() { &name[..10] } else { name }
}
