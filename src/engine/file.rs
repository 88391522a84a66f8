//! Whole files of either side, changed or not, read from the trees: links are named and not followed.

use crate::change::{Change, FileMode, FileVersion, RepoPath, Side, Text};
use crate::text::clean_bytes;

/// Bytes at the start of a file that are looked at to tell whether it is binary, as git does.
const LOOKED_AT: usize = 8000;

/// A file of one side.
pub(super) fn version(change: &Change, side: Side, path: &RepoPath) -> Result<FileVersion, String> {
    let changed = change.files.iter().find(|file| file.path_on(side) == path).and_then(|file| file.on(side));
    match changed {
        Some(version) => Ok(*version),
        None => change
            .trees
            .file(side, path)
            .map_err(|missing| missing.why)?
            .ok_or_else(|| format!("the {} has no such file", side.word())),
    }
}

/// The text of a file of one side; what is there instead where it is no text, in one sentence.
pub(super) fn text(change: &Change, side: Side, path: &RepoPath) -> Result<Text, String> {
    let version = version(change, side, path)?;
    if version.mode == FileMode::SUBMODULE {
        return Err(format!("it is a submodule at commit {}; its files are not shown", version.blob));
    }
    let bytes = change.trees.blob(version.blob).map_err(|missing| missing.why)?;
    if version.mode == FileMode::SYMLINK {
        return Err(format!("it is a symlink to {}; links are not followed", clean_bytes(&bytes)));
    }
    if bytes.iter().take(LOOKED_AT).any(|byte| *byte == 0) {
        return Err(format!("it is binary, of {} bytes", bytes.len()));
    }
    Ok(Text::new(bytes))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::change::fixtures::Fixture;

    #[test]
    fn says_what_is_there_instead_of_text() {
        let (change, _) = Fixture::new(&[("same.py", "one\n")], &[("same.py", "one\n"), ("new.py", "two\n")])
            .file(Side::Head, "link", b"../etc/\x1bpasswd", FileMode::SYMLINK)
            .file(Side::Head, "image", b"\x89\0", FileMode::REGULAR)
            .build();
        let read = |side, path: &str| text(&change, side, &path.into()).map(|text| text.bytes().to_vec());
        assert_eq!(read(Side::Base, "same.py").unwrap(), b"one\n");
        assert_eq!(read(Side::Head, "new.py").unwrap(), b"two\n");
        assert_eq!(read(Side::Base, "new.py").unwrap_err(), "the base has no such file");
        assert_eq!(read(Side::Head, "link").unwrap_err(), "it is a symlink to ../etc/^[passwd; links are not followed");
        assert_eq!(read(Side::Head, "image").unwrap_err(), "it is binary, of 2 bytes");
    }
}
