//! `manifest.json` of a recorded change, format 1.
//!
//! ```json
//! {
//!   "format": 1,
//!   "title": "Close idle connections",
//!   "description": "Markdown, as on GitHub.",
//!   "author": "octo",
//!   "state": "open",
//!   "base_branch": "main",
//!   "head_branch": "idle",
//!   "head_repository": "octo/demo",
//!   "executable": ["head/run.sh"],
//!   "links": { "head/latest": "v2" },
//!   "threads": [{
//!     "id": "t1", "path": "pool.py", "side": "head", "line": 12, "end_line": 14, "resolved": false, "outdated": false,
//!     "comments": [{ "author": "octo", "at": "2026-01-02T03:04:05Z", "body": "Why twice?" }]
//!   }]
//! }
//! ```
//!
//! Only `format` and `title` are needed; fields that are not listed are left to other readers. `executable` names files
//! that git calls executable, and `links` are symbolic links with their targets: neither is read from the file system,
//! so that a recorded change is the same on every machine. Of a thread, `id` and `comments` are needed; one without a
//! `path` points at nothing any more, one with a path has a `line` too, at the head if no `side` is given. `threads` are
//! review threads as they stood, the oldest comment first.
//!
//! **Names that mean something to cargo or git** (`Cargo.toml`, `.gitignore`, `.gitattributes`, ...) are kept with
//! `.recorded` after them: `head/Cargo.toml.recorded` is the file `Cargo.toml` of the head. One such ending is taken off
//! any name that has it. Names in `executable` are those of the change, without it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::change::{Place, RepoPath, Side, Thread, ThreadComment};

/// The ending that hides a name from the tools around a recorded change.
pub const HIDING: &str = ".recorded";

/// What is known of a recorded change besides its code.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Manifest {
    /// The version of this format: 1.
    pub format: u32,
    /// The title.
    pub title: String,
    /// The description, in GitHub's markdown.
    #[serde(default)]
    pub description: String,
    /// Who opened it.
    #[serde(default)]
    pub author: String,
    /// Its state, if it is said.
    #[serde(default)]
    pub state: Option<State>,
    /// The branch it goes to.
    #[serde(default)]
    pub base_branch: String,
    /// The branch it comes from.
    #[serde(default)]
    pub head_branch: String,
    /// `OWNER/REPO` of the head.
    #[serde(default)]
    pub head_repository: Option<String>,
    /// Files that are executable, as `base/PATH` or `head/PATH`.
    #[serde(default)]
    pub executable: Vec<String>,
    /// Symbolic links by `base/PATH` or `head/PATH`, with what they point at.
    #[serde(default)]
    pub links: BTreeMap<String, String>,
    /// Review threads.
    #[serde(default)]
    pub threads: Vec<RecordedThread>,
}

/// A review thread as the manifest writes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedThread {
    /// Its name.
    pub id: String,
    /// The file it is anchored in; none where it points at nothing any more.
    #[serde(default)]
    pub path: Option<String>,
    /// The side its lines count on.
    #[serde(default)]
    pub side: RecordedSide,
    /// Its line, or the first of its lines.
    #[serde(default)]
    pub line: Option<u32>,
    /// The last of its lines, where it has several.
    #[serde(default)]
    pub end_line: Option<u32>,
    /// Whether somebody has called it resolved.
    #[serde(default)]
    pub resolved: bool,
    /// Whether the code it was written about has changed since.
    #[serde(default)]
    pub outdated: bool,
    /// Its comments, the oldest first.
    pub comments: Vec<RecordedComment>,
}

/// A comment as the manifest writes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedComment {
    /// Who wrote it.
    pub author: String,
    /// When, RFC 3339 in UTC; empty where that is unknown.
    #[serde(default)]
    pub at: String,
    /// Its text, in GitHub's markdown.
    pub body: String,
}

/// A side as the manifest writes it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordedSide {
    /// The merge base.
    Base,
    /// The head.
    #[default]
    Head,
}

/// A state as the manifest writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Open and ready for review.
    Open,
    /// Open, and marked as a draft.
    Draft,
    /// Closed without being merged.
    Closed,
    /// Merged.
    Merged,
}

impl State {
    /// The state as the rest of the program knows it.
    pub fn known(self) -> crate::change::State {
        match self {
            Self::Open => crate::change::State::Open,
            Self::Draft => crate::change::State::Draft,
            Self::Closed => crate::change::State::Closed,
            Self::Merged => crate::change::State::Merged,
        }
    }
}

impl Manifest {
    /// Reads the bytes of a manifest; the error says what is wrong in one clause.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let manifest: Self = serde_json::from_slice(bytes).map_err(|error| format!("its manifest: {error}"))?;
        if manifest.format != 1 {
            return Err(format!("its manifest has format {}, and 1 is known here", manifest.format));
        }
        let mut ids = BTreeSet::new();
        for thread in &manifest.threads {
            thread.check().map_err(|why| format!("its manifest: the thread `{}` {why}", thread.id))?;
            if !ids.insert(&thread.id) {
                return Err(format!("its manifest: two threads are called `{}`", thread.id));
            }
        }
        Ok(manifest)
    }
}

impl RecordedThread {
    /// What it lacks, in one clause.
    fn check(&self) -> Result<(), &'static str> {
        match (&self.path, self.line, self.end_line) {
            _ if self.id.is_empty() => Err("has an empty `id`"),
            _ if self.comments.is_empty() => Err("has no comment"),
            (None, None, None) => Ok(()),
            (None, ..) => Err("has a line but no `path`"),
            (Some(path), ..) if path.is_empty() => Err("has an empty `path`"),
            (Some(_), None, _) => Err("has a `path` but no `line`"),
            (Some(_), Some(0), _) => Err("has a line 0, and lines count from 1"),
            (Some(_), Some(line), Some(end)) if end < line => Err("ends before it begins"),
            _ => Ok(()),
        }
    }

    /// The thread as the rest of the program knows it.
    pub fn known(self) -> Thread {
        let side = match self.side {
            RecordedSide::Base => Side::Base,
            RecordedSide::Head => Side::Head,
        };
        let place = |(path, line): (String, u32)| Place {
            path: RepoPath::from(path.as_str()),
            side,
            line,
            end_line: self.end_line.unwrap_or(line),
        };
        let comment =
            |comment: RecordedComment| ThreadComment { author: comment.author, at: comment.at, body: comment.body };
        Thread {
            id: self.id,
            place: self.path.zip(self.line).map(place),
            resolved: self.resolved,
            outdated: self.outdated,
            comments: self.comments.into_iter().map(comment).collect(),
            not_read: None,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn needs_a_format_and_a_title() {
        let manifest = Manifest::read(br#"{"format":1,"title":"t","state":"draft","threads":[]}"#).unwrap();
        assert_eq!((manifest.title.as_str(), manifest.state), ("t", Some(State::Draft)));
        assert_eq!(
            Manifest::read(br#"{"format":2,"title":"t"}"#).unwrap_err(),
            "its manifest has format 2, and 1 is known here"
        );
        assert!(Manifest::read(br#"{"format":1}"#).unwrap_err().contains("missing field `title`"));
    }

    #[test]
    fn reads_threads_and_says_what_one_lacks() {
        let read =
            |threads: &str| Manifest::read(format!(r#"{{"format":1,"title":"t","threads":[{threads}]}}"#).as_bytes());
        let comments = r#""comments":[{"author":"a","body":"b"}]"#;
        let manifest = read(&format!(
            r#"{{"id":"1","path":"a.py","side":"base","line":3,"end_line":4,"resolved":true,{comments}}},{{"id":"2",{comments}}}"#
        ));
        let mut threads = manifest.unwrap().threads.into_iter().map(RecordedThread::known);
        let first = threads.next().unwrap();
        let place = Place { path: "a.py".into(), side: Side::Base, line: 3, end_line: 4 };
        assert_eq!((first.place, first.resolved, first.outdated, first.not_read), (Some(place), true, false, None));
        let comment = ThreadComment { author: "a".to_owned(), at: String::new(), body: "b".to_owned() };
        assert_eq!(first.comments, [comment]);
        assert_eq!(threads.next().unwrap().place, None);
        for (thread, why) in [
            (format!(r#"{{"id":"1","path":"a.py",{comments}}}"#), "the thread `1` has a `path` but no `line`"),
            (format!(r#"{{"id":"1","line":1,{comments}}}"#), "the thread `1` has a line but no `path`"),
            (format!(r#"{{"id":"1","path":"a","line":0,{comments}}}"#), "the thread `1` has a line 0"),
            (format!(r#"{{"id":"1","path":"a","line":3,"end_line":2,{comments}}}"#), "the thread `1` ends before"),
            (r#"{"id":"1","comments":[]}"#.to_owned(), "the thread `1` has no comment"),
            (format!(r#"{{"id":"1",{comments}}},{{"id":"1",{comments}}}"#), "two threads are called `1`"),
            (format!(r#"{{"id":"1","when":"now",{comments}}}"#), "unknown field `when`"),
            (format!(r#"{{"id":"1","path":"a","line":1,"side":"left",{comments}}}"#), "unknown variant `left`"),
            (r#"{"id":"1"}"#.to_owned(), "missing field `comments`"),
        ] {
            let error = read(&thread).unwrap_err();
            assert!(error.starts_with("its manifest: ") && error.contains(why), "{error}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>()) {
            let _ = Manifest::read(&bytes);
        }
    }
}
