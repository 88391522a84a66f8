//! Walks the head tree once and says which files name which names.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::IndexError;
use super::scan::Wanted;
use crate::change::{FileMode, ObjectId, RepoPath, Side, Trees};

/// What is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Files of more bytes are skipped.
    pub file_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 1_000_000 }
    }
}

/// Which files of the head name which names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Every name searched for, with the files that name it by the bytes of their paths; none for some.
    pub files: BTreeMap<String, Vec<RepoPath>>,
    /// Files that were not searched, and why, by the bytes of their paths.
    pub skipped: Vec<(RepoPath, String)>,
}

/// Searches all files of the head for names. Blobs are read in parallel, each once; the result does not depend on
/// which thread was first.
///
/// Links are no files here; submodules are skipped, and so is what is too large, binary, or not here.
///
/// # Errors
/// [`IndexError::Listing`] where the head tree cannot be walked.
pub fn mentions(trees: &dyn Trees, names: &BTreeSet<String>, limits: Limits) -> Result<Mentions, IndexError> {
    let mut found =
        Mentions { files: names.iter().map(|name| (name.clone(), Vec::new())).collect(), skipped: Vec::new() };
    if names.is_empty() {
        return Ok(found);
    }
    let wanted = Wanted::new(names);
    let mut blobs: BTreeMap<ObjectId, Vec<RepoPath>> = BTreeMap::new();
    for entry in trees.entries(Side::Head)? {
        match entry.mode {
            FileMode::SYMLINK => {}
            FileMode::SUBMODULE => found.skipped.push((entry.path, "a submodule is not entered".to_owned())),
            _ => blobs.entry(entry.id).or_default().push(entry.path),
        }
    }
    let blobs: Vec<(ObjectId, Vec<RepoPath>)> = blobs.into_iter().collect();
    let searched: Vec<Result<Vec<usize>, String>> =
        blobs.par_iter().map(|(id, _)| search(trees, *id, &wanted, limits)).collect();
    for ((_, paths), result) in blobs.into_iter().zip(searched) {
        match result {
            Err(why) => found.skipped.extend(paths.into_iter().map(|path| (path, why.clone()))),
            Ok(positions) => positions.into_iter().for_each(|at| {
                found.files.entry(wanted.name(at).to_owned()).or_default().extend(paths.iter().cloned());
            }),
        }
    }
    found.files.values_mut().for_each(|paths| paths.sort());
    found.skipped.sort();
    Ok(found)
}

fn search(trees: &dyn Trees, id: ObjectId, wanted: &Wanted<'_>, limits: Limits) -> Result<Vec<usize>, String> {
    let bytes = trees.blob(id).map_err(|missing| missing.why)?;
    if bytes.len() > limits.file_bytes {
        return Err(format!("larger than {} bytes", limits.file_bytes));
    }
    if bytes.contains(&0) {
        return Err("binary".to_owned());
    }
    Ok(wanted.in_text(&bytes))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use crate::change::fixtures::Fixture;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn shown(mentions: &Mentions) -> (Vec<String>, Vec<String>) {
        let list = |paths: &[RepoPath]| paths.iter().map(|path| path.text().into_owned()).collect::<Vec<_>>().join(" ");
        let files = mentions.files.iter().map(|(name, paths)| format!("{name}: {}", list(paths))).collect();
        let skipped = mentions.skipped.iter().map(|(path, why)| format!("{path:?} {why}")).collect();
        (files, skipped)
    }

    #[test]
    fn reads_each_file_of_the_head_and_says_what_it_skipped() {
        let long = "close ".repeat(20);
        let head = [
            ("b.py", "close()"),
            ("a.py", "close(); open"),
            ("same.py", "close()"),
            ("long.py", &long),
            ("gone.py", "close x"),
        ];
        let (change, _) = Fixture::new(&[("old.py", "close")], &head)
            .file(Side::Head, "x.bin", b"close\0", FileMode::REGULAR)
            .file(Side::Head, "link", b"close", FileMode::SYMLINK)
            .file(Side::Head, "lib", b"close", FileMode::SUBMODULE)
            .not_fetched("gone.py")
            .build();
        let found = mentions(&*change.trees, &names(&["close", "open", "none"]), Limits { file_bytes: 100 }).unwrap();
        assert_eq!(
            shown(&found),
            (
                ["close: a.py b.py same.py", "none: ", "open: a.py"].map(str::to_owned).to_vec(),
                [
                    "\"gone.py\" it was not fetched",
                    "\"lib\" a submodule is not entered",
                    "\"long.py\" larger than 100 bytes",
                    "\"x.bin\" binary"
                ]
                .map(str::to_owned)
                .to_vec()
            )
        );
    }

    #[test]
    fn gives_the_same_every_time() {
        let texts: Vec<_> = (0..200).map(|n| (format!("f{n}"), format!("a{} b{}", n % 7, n % 11))).collect();
        let head: Vec<_> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let (change, _) = Fixture::new(&[], &head).build();
        let wanted = names(&["a1", "b3", "a5"]);
        let first = mentions(&*change.trees, &wanted, Limits::default()).unwrap();
        assert_eq!(first.files["a1"].len(), 29);
        (0..5).for_each(|_| assert_eq!(mentions(&*change.trees, &wanted, Limits::default()).unwrap(), first));
    }

    #[test]
    fn no_names_need_no_walk() {
        let (change, _) = Fixture::default().build();
        assert_eq!(mentions(&*change.trees, &BTreeSet::new(), Limits::default()).unwrap(), Mentions::default());
    }
}
