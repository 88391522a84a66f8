//! The folder of a lockfile on one side: reads manifests beside and below it, and finds workspace members.

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobMatcher};

use crate::change::{FileMode, RepoPath, Side, Trees};

/// Bytes of a manifest that are parsed at most.
const MOST_BYTES: usize = 2_000_000;

/// Manifests that are read at most for one side of a lockfile.
pub(super) const MOST_PROJECTS: usize = 500;

/// Where a lockfile stands on one side.
pub(super) struct Folder<'a> {
    trees: &'a dyn Trees,
    side: Side,
    /// The folder's segments, outermost first.
    segments: Vec<String>,
}

impl<'a> Folder<'a> {
    pub(super) fn of(trees: &'a dyn Trees, side: Side, lockfile: &RepoPath) -> Self {
        let segments = lockfile.folders().into_iter().map(|folder| String::from_utf8_lossy(folder).into_owned());
        Self { trees, side, segments: segments.collect() }
    }

    /// The text of a file at a path relative to the folder; none where there is no ordinary file.
    pub(super) fn read(&self, relative: &str) -> Result<Option<String>, String> {
        let Some(path) = self.path(relative) else { return Ok(None) };
        let shown = || path.shown().into_string();
        let file = self.trees.file(self.side, &path).map_err(|missing| missing.to_string())?;
        let regular = |mode| mode == FileMode::REGULAR || mode == FileMode::EXECUTABLE;
        let Some(file) = file.filter(|file| regular(file.mode)) else { return Ok(None) };
        let bytes =
            self.trees.blob(file.blob).map_err(|missing| format!("{} cannot be read: {}", shown(), missing.why))?;
        if bytes.len() > MOST_BYTES {
            return Err(format!("{} is larger than {MOST_BYTES} bytes", shown()));
        }
        String::from_utf8(bytes.to_vec()).map(Some).map_err(|_| format!("{} is no UTF-8", shown()))
    }

    /// As [`Self::read`]; a file that is not there is an error.
    pub(super) fn need(&self, relative: &str) -> Result<String, String> {
        self.read(relative)?.ok_or_else(|| format!("there is no {relative}"))
    }

    /// The folders, relative to this one, that hold a manifest and match any of the patterns of a workspace.
    /// A pattern that begins with `!` takes folders out again.
    pub(super) fn members(&self, patterns: &[String], manifest: &str) -> Result<Vec<String>, String> {
        if patterns.is_empty() {
            return Ok(Vec::new());
        }
        let matcher = |pattern: &str| -> Result<GlobMatcher, String> {
            let tidy = pattern.trim_start_matches("./").trim_end_matches('/');
            let glob = GlobBuilder::new(tidy).literal_separator(true).build();
            glob.map(|glob| glob.compile_matcher()).map_err(|_| "a workspace pattern cannot be read".to_owned())
        };
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for pattern in patterns {
            match pattern.strip_prefix('!') {
                Some(pattern) => outside.push(matcher(pattern)?),
                None => inside.push(matcher(pattern)?),
            }
        }
        let any = |matchers: &[GlobMatcher], folder: &str| matchers.iter().any(|matcher| matcher.is_match(folder));
        let mut found = self.folders_with(|name| name == manifest)?;
        found.retain(|folder| any(&inside, folder) && !any(&outside, folder));
        if found.len() > MOST_PROJECTS {
            return Err(format!("the workspace has more than {MOST_PROJECTS} members"));
        }
        Ok(found)
    }

    /// The folders below this one, relative to it, that hold a file of a name.
    fn folders_with(&self, named: impl Fn(&str) -> bool) -> Result<Vec<String>, String> {
        let mut found = BTreeSet::new();
        for relative in self.files()? {
            if let Some((folder, name)) = relative.rsplit_once('/')
                && named(name)
            {
                found.insert(folder.to_owned());
            }
        }
        Ok(found.into_iter().collect())
    }

    /// The names of the files directly in this folder.
    pub(super) fn names(&self) -> Result<Vec<String>, String> {
        Ok(self.files()?.into_iter().filter(|relative| !relative.contains('/')).collect())
    }

    fn files(&self) -> Result<Vec<String>, String> {
        let entries = self.trees.entries(self.side).map_err(|missing| missing.to_string())?;
        let prefix: String = self.segments.iter().map(|segment| format!("{segment}/")).collect();
        let inside = |path: &RepoPath| path.text().strip_prefix(&prefix).map(str::to_owned);
        Ok(entries.iter().filter_map(|entry| inside(&entry.path)).collect())
    }

    /// How many folders stand around this one: the top of the repository has none.
    pub(super) fn depth(&self) -> usize {
        self.segments.len()
    }

    /// The path of the repository that a relative one means; none where it leads out of the repository.
    fn path(&self, relative: &str) -> Option<RepoPath> {
        let mut segments = self.segments.clone();
        for segment in relative.split('/') {
            match segment {
                "" | "." => {}
                ".." => {
                    segments.pop()?;
                }
                name => segments.push(name.to_owned()),
            }
        }
        Some(segments.join("/").as_str().into())
    }
}
