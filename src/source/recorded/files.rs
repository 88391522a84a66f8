//! The files of a recorded change, from inside the program or from a folder, as the two trees they stand for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use include_dir::Dir;

use super::manifest::{HIDING, Manifest};
use crate::source::git::{EXECUTABLE, REGULAR, SYMLINK};

/// Bytes of all files of one recorded change.
const LIMIT: u64 = 512 << 20;

/// The files of one side: path, mode and bytes.
pub(super) type Side = BTreeMap<Vec<u8>, (u32, Vec<u8>)>;

/// What was found: the manifest, and every file below `base` and `head` by its path with `/`.
pub(super) struct Found {
    pub manifest: Vec<u8>,
    files: BTreeMap<String, Vec<u8>>,
}

/// The two trees.
pub(super) struct Files {
    pub base: Side,
    pub head: Side,
}

impl Files {
    /// Puts what was found in place, with the modes and links of the manifest.
    pub fn of(found: &Found, manifest: &Manifest) -> Result<Self, String> {
        let mut all: BTreeMap<String, (u32, Vec<u8>)> = BTreeMap::new();
        for (path, bytes) in &found.files {
            let path = path.strip_suffix(HIDING).unwrap_or(path);
            if all.insert(path.to_owned(), (REGULAR, bytes.clone())).is_some() {
                return Err(format!("it has two files for `{path}`"));
            }
        }
        for path in &manifest.executable {
            all.get_mut(path).ok_or_else(|| format!("its manifest calls `{path}` executable, which is not there"))?.0 =
                EXECUTABLE;
        }
        for (path, target) in &manifest.links {
            if all.insert(path.clone(), (SYMLINK, target.clone().into_bytes())).is_some() {
                return Err(format!("it has a file and a link for `{path}`"));
            }
        }
        let mut files = Self { base: Side::new(), head: Side::new() };
        for (path, entry) in all {
            let (side, path) = path.split_once('/').ok_or_else(|| format!("`{path}` is on no side"))?;
            if path.split('/').any(|segment| matches!(segment, "" | "." | ".." | ".git")) || path.contains('\0') {
                return Err(format!("`{path}` is no path git could hold"));
            }
            match side {
                "base" => files.base.insert(path.as_bytes().to_vec(), entry),
                "head" => files.head.insert(path.as_bytes().to_vec(), entry),
                _ => return Err(format!("`{side}` is no side")),
            };
        }
        Ok(files)
    }
}

/// Reads a folder that was built into the program.
pub(super) fn embedded(folder: &Dir<'_>) -> Found {
    let mut found = Found { manifest: Vec::new(), files: BTreeMap::new() };
    let mut waiting = vec![folder];
    while let Some(next) = waiting.pop() {
        waiting.extend(next.dirs());
        for file in next.files() {
            let path = file.path().to_string_lossy().replace('\\', "/");
            match path.as_str() {
                "manifest.json" => found.manifest = file.contents().to_vec(),
                _ if path.starts_with("base/") || path.starts_with("head/") => {
                    found.files.insert(path, file.contents().to_vec());
                }
                _ => {}
            }
        }
    }
    found
}

/// Reads a folder on disk; the error says what is wrong in one clause.
pub(super) fn on_disk(folder: &Path) -> Result<Found, String> {
    let failed = |path: &Path, error: std::io::Error| format!("`{}` cannot be read: {error}", path.display());
    let read = |path: &Path| std::fs::read(path).map_err(|error| failed(path, error));
    let mut found = Found { manifest: read(&folder.join("manifest.json"))?, files: BTreeMap::new() };
    let mut waiting: Vec<(String, PathBuf)> =
        ["base", "head"].iter().map(|side| ((*side).to_owned(), folder.join(side))).collect();
    let mut total = 0;
    while let Some((name, path)) = waiting.pop() {
        let kind = match path.symlink_metadata() {
            Ok(metadata) => metadata,
            // A side without files has no folder.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !name.contains('/') => continue,
            Err(error) => return Err(failed(&path, error)),
        };
        total += kind.len();
        if total > LIMIT {
            return Err(format!("it holds more than {} MiB", LIMIT >> 20));
        }
        if kind.is_dir() {
            for entry in std::fs::read_dir(&path).map_err(|error| failed(&path, error))? {
                let entry = entry.map_err(|error| failed(&path, error))?;
                let child = entry.file_name().into_string().map_err(|_| "a name in it is no UTF-8".to_owned())?;
                waiting.push((format!("{name}/{child}"), entry.path()));
            }
        } else if kind.is_file() && name.contains('/') {
            found.files.insert(name, read(&path)?);
        } else {
            return Err(format!("`{name}` is no ordinary file (links belong into the manifest)"));
        }
    }
    Ok(found)
}
