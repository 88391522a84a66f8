//! `Text`: one version of a file as lines of bytes.

use std::sync::Arc;

/// The bytes of a file with an index of its lines. Lines end at LF alone, so a CR stays part of its line.
/// Cloning is cheap.
#[derive(Clone)]
pub struct Text {
    bytes: Arc<[u8]>,
    starts: Arc<[u32]>,
}

impl Text {
    /// Indexes the bytes of a file. Files over 4 GiB are cut there, which git2 could not diff either.
    pub fn new(bytes: Arc<[u8]>) -> Self {
        let limit = u32::MAX as usize;
        let mut starts = Vec::new();
        if !bytes.is_empty() {
            starts.push(0);
        }
        for (at, byte) in bytes.iter().enumerate().take(limit) {
            if *byte == b'\n' && at + 1 < bytes.len() {
                starts.push(at as u32 + 1);
            }
        }
        Self { bytes, starts: starts.into() }
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many lines there are; an empty file has none.
    pub fn lines(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The bytes of a line, counted from 1, without its LF; none past the end.
    pub fn line(&self, number: u32) -> Option<&[u8]> {
        let range = self.range(number)?;
        let line = &self.bytes[range];
        Some(line.strip_suffix(b"\n").unwrap_or(line))
    }

    /// Where a line begins, in bytes from the start of the file; none past the end.
    pub fn start(&self, number: u32) -> Option<usize> {
        self.starts.get(number.checked_sub(1)? as usize).map(|start| *start as usize)
    }

    /// Whether the last line has a LF; true for an empty file.
    pub fn ends_with_newline(&self) -> bool {
        self.bytes.last().is_none_or(|byte| *byte == b'\n')
    }

    fn range(&self, number: u32) -> Option<std::ops::Range<usize>> {
        let start = self.start(number)?;
        let end = self.start(number + 1).unwrap_or(self.bytes.len());
        Some(start..end)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::new(text.as_bytes().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_as_git_does() {
        let lines = |text: &str| -> Vec<String> {
            let text = Text::from(text);
            (1..=text.lines()).map(|n| String::from_utf8_lossy(text.line(n).unwrap_or(b"?")).into_owned()).collect()
        };
        assert_eq!(lines(""), Vec::<String>::new());
        assert_eq!(lines("a"), ["a"]);
        assert_eq!(lines("a\n"), ["a"]);
        assert_eq!(lines("a\r\n\nb"), ["a\r", "", "b"]);
        assert_eq!(lines("\n"), [""]);
        assert!(!Text::from("a").ends_with_newline());
        assert!(Text::from("").ends_with_newline());
        assert_eq!(Text::from("a\n").line(2), None);
        assert_eq!(Text::from("a\n").line(0), None);
    }
}
