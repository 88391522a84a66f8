//! Paths, sides and places: how everything points into a change.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::text::{Clean, clean, clean_bytes};

/// A path inside the repository: bytes as git keeps them, `/` between segments, in no particular encoding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Arc<[u8]>);

impl RepoPath {
    /// Takes the bytes of a path as git names it.
    pub fn new(bytes: impl AsRef<[u8]>) -> Self {
        Self(bytes.as_ref().into())
    }

    /// The exact bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The path as text, bytes that are no UTF-8 replaced; for matching by name, never for display.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// The path as it may be shown. A tab is a mark here too: a name has no tab stops.
    pub fn shown(&self) -> Clean {
        let shown = clean_bytes(&self.0);
        if shown.as_str().contains('\t') { clean(&shown.as_str().replace('\t', "^I")) } else { shown }
    }

    /// The bytes after the last slash.
    pub fn name(&self) -> &[u8] {
        self.0.rsplit(|b| *b == b'/').next().unwrap_or(&self.0)
    }

    /// The folders of the path, outermost first.
    pub fn folders(&self) -> Vec<&[u8]> {
        let mut segments: Vec<&[u8]> = self.0.split(|b| *b == b'/').collect();
        segments.pop();
        segments
    }

    /// The bytes after the last dot of the name, if the name has a dot that is not its first byte.
    pub fn extension(&self) -> Option<&[u8]> {
        let name = self.name();
        let dot = name.iter().rposition(|b| *b == b'.')?;
        (dot > 0).then(|| &name[dot + 1..])
    }
}

impl From<&str> for RepoPath {
    fn from(text: &str) -> Self {
        Self::new(text.as_bytes())
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

/// One of the two trees of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The merge base.
    Base,
    /// The head.
    Head,
}

impl Side {
    /// The word for it: `base` or `head`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Head => "head",
        }
    }
}

/// A line, or a range of lines, of one side of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file's path on that side.
    pub path: RepoPath,
    /// The side.
    pub side: Side,
    /// The first line, counted from 1.
    pub line: u32,
    /// The last line, counted from 1; equals `line` for a single line.
    pub end_line: u32,
}

impl Place {
    /// The place as it is shown: `net/pool.py:11-13 head`.
    pub fn in_words(&self) -> String {
        let end = if self.end_line > self.line { format!("-{}", self.end_line) } else { String::new() };
        format!("{}:{}{end} {}", self.path.shown(), self.line, self.side.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_paths_apart() {
        let path = RepoPath::from("src/net/pool.test.py");
        assert_eq!(path.name(), b"pool.test.py");
        assert_eq!(path.folders(), vec![b"src".as_slice(), b"net".as_slice()]);
        assert_eq!(path.extension(), Some(b"py".as_slice()));
        assert_eq!(RepoPath::from(".gitignore").extension(), None);
        assert_eq!(RepoPath::new(b"caf\xe9\n\t.txt").shown().as_str(), "caf<E9>^J^I.txt");
    }
}
