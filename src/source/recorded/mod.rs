//! A change kept as files: the demo, and the cases of the evaluation.
//!
//! A folder holds `manifest.json` (see [`manifest`]) and the two trees as `base/**` and `head/**`. They are written as
//! objects into the cache repository that local changes share, and from there read like any other change. The same
//! files always give the same ids.

mod files;
pub mod manifest;

use std::path::Path;

use crate::change::{Change, Facts, ObjectId, Origin};
use crate::problem::Problem;
use crate::source::git::{CacheRepository, RepositoryName, open_trees, write_tree};
use files::{Files, Found};
use manifest::{Manifest, RecordedThread};

static DEMO: include_dir::Dir<'_> = include_dir::include_dir!("$CARGO_MANIFEST_DIR/assets/demo");

/// Opens a built-in recorded change by name; `demo` is the only one. Writes it to the cache.
///
/// # Errors
/// A [`Problem`] where there is none of that name, or the cache cannot be written.
pub async fn open(cache_dir: &Path, name: &str) -> Result<Change, Problem> {
    if name != "demo" {
        return Err(Problem::new("there is no recorded change of that name").hint("use `demo`"));
    }
    open_found(cache_dir, name, files::embedded(&DEMO)).await
}

/// Opens a recorded change from a folder. Its name is the folder's. Links in the folder are refused.
///
/// # Errors
/// A [`Problem`] where the folder is no recorded change, or the cache cannot be written.
pub async fn open_folder(cache_dir: &Path, folder: &Path) -> Result<Change, Problem> {
    let found = files::on_disk(folder).map_err(|why| no_change(folder, &why))?;
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
    open_found(cache_dir, &name, found).await
}

async fn open_found(cache_dir: &Path, name: &str, found: Found) -> Result<Change, Problem> {
    let read = Manifest::read(&found.manifest).and_then(|manifest| Ok((Files::of(&found, &manifest)?, manifest)));
    let (files, manifest) = read.map_err(|why| no_change(Path::new(name), &why))?;
    let cache_dir = cache_dir.to_owned();
    let written = tokio::task::spawn_blocking(move || write(&cache_dir, &files)).await;
    let (cache, base, head) = written.map_err(|_| Problem::new("writing the cache was cut short"))??;
    let threads = manifest.threads.iter().cloned().map(RecordedThread::known).collect();
    let change = open_trees(&cache, facts(name, manifest), (None, base), (None, head), Vec::new()).await?;
    Ok(Change { threads, ..change })
}

fn write(cache_dir: &Path, files: &Files) -> Result<(CacheRepository, ObjectId, ObjectId), Problem> {
    let cache = CacheRepository::open(cache_dir, &RepositoryName::shared())?;
    let git = cache.git2()?;
    let failed = |error: git2::Error| Problem::new(format!("cannot write to the cache: {}", error.message()));
    let odb = git.odb().map_err(failed)?;
    let side = |files: &files::Side| -> Result<ObjectId, Problem> {
        let mut entries = std::collections::BTreeMap::new();
        for (path, (mode, bytes)) in files {
            let id = odb.write(git2::ObjectType::Blob, bytes).map_err(failed)?;
            entries.insert(path.clone(), crate::source::git::Entry { mode: *mode, id });
        }
        let tree = write_tree(&odb, &entries).map_err(failed)?;
        let tree = tree.as_bytes().try_into().map_or(ObjectId::ZERO, ObjectId::new);
        cache.keep(tree)?;
        Ok(tree)
    };
    let (base, head) = (side(&files.base)?, side(&files.head)?);
    Ok((cache, base, head))
}

fn facts(name: &str, manifest: Manifest) -> Facts {
    Facts {
        origin: Origin::Recorded(name.to_owned()),
        title: manifest.title,
        description: manifest.description,
        author: manifest.author,
        state: manifest.state.map(manifest::State::known),
        base_branch: manifest.base_branch,
        head_branch: manifest.head_branch,
        head_repository: manifest.head_repository,
    }
}

fn no_change(folder: &Path, why: &str) -> Problem {
    let (folder, why) = (folder.to_string_lossy(), crate::text::clean(why));
    Problem::new(format!("`{}` is no recorded change: {why}", crate::text::clean(&folder)))
        .hint("a recorded change is a folder with `manifest.json`, `base` and `head`")
}
