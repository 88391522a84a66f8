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
//!   "links": { "head/latest": "v2" }
//! }
//! ```
//!
//! Only `format` and `title` are needed; fields that are not listed are left to other readers. `executable` names files
//! that git calls executable, and `links` are symbolic links with their targets: neither is read from the file system,
//! so that a recorded change is the same on every machine.
//!
//! **Names that mean something to cargo or git** (`Cargo.toml`, `.gitignore`, `.gitattributes`, ...) are kept with
//! `.recorded` after them: `head/Cargo.toml.recorded` is the file `Cargo.toml` of the head. One such ending is taken off
//! any name that has it. Names in `executable` are those of the change, without it.

use std::collections::BTreeMap;

use serde::Deserialize;

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
        Ok(manifest)
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

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>()) {
            let _ = Manifest::read(&bytes);
        }
    }
}
