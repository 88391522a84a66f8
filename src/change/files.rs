//! Changed files: what git says of each, on both sides.

use std::fmt;
use std::str::FromStr;

use super::path::{RepoPath, Side};

/// The SHA-1 name of a git object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId([u8; 20]);

impl ObjectId {
    /// Git's name of the absent object: forty zeros.
    pub const ZERO: Self = Self([0; 20]);

    /// Takes the twenty bytes of the name.
    pub fn new(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// The twenty bytes of the name.
    pub fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// The first ten hexadecimal digits, for display.
    pub fn short(&self) -> String {
        self.to_string().chars().take(10).collect()
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads forty hexadecimal digits; anything else is an error without further detail.
impl FromStr for ObjectId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let bytes = text.as_bytes();
        if bytes.len() != 40 || !bytes.iter().all(u8::is_ascii_hexdigit) {
            return Err(());
        }
        let mut id = [0; 20];
        for (at, byte) in id.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).map_err(drop)?;
        }
        Ok(Self(id))
    }
}

/// A file mode as git keeps it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileMode(pub u32);

impl FileMode {
    /// An ordinary file.
    pub const REGULAR: Self = Self(0o100_644);
    /// An executable file.
    pub const EXECUTABLE: Self = Self(0o100_755);
    /// A symbolic link; its blob holds the target.
    pub const SYMLINK: Self = Self(0o120_000);
    /// A submodule; its object is a commit of another repository.
    pub const SUBMODULE: Self = Self(0o160_000);

    /// Whether there is a blob to read.
    pub fn has_blob(self) -> bool {
        self != Self::SUBMODULE
    }

    /// What it is, in a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::SYMLINK => "symlink",
            Self::SUBMODULE => "submodule",
            Self::EXECUTABLE => "executable",
            _ => "file",
        }
    }
}

/// Six octal digits, as git writes it.
impl fmt::Display for FileMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:06o}", self.0)
    }
}

impl fmt::Debug for FileMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A file as it is on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileVersion {
    /// The blob; for a submodule, the commit it points at.
    pub blob: ObjectId,
    /// The mode.
    pub mode: FileMode,
    /// Bytes of the blob; none for a submodule or where the blob is not here.
    pub size: Option<u64>,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// It is new.
    Addition,
    /// It is gone.
    Deletion,
    /// Its content or mode changed.
    Modification,
    /// It moved, with or without edits.
    Rename,
    /// It became another kind of thing: a file a symlink, a symlink a submodule, ...
    TypeChange,
}

impl ChangeKind {
    /// The word for it, as in the JSON result.
    pub fn word(self) -> &'static str {
        match self {
            Self::Addition => "addition",
            Self::Deletion => "deletion",
            Self::Modification => "modification",
            Self::Rename => "rename",
            Self::TypeChange => "type change",
        }
    }
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its path at the head; for a deletion, at the base.
    pub path: RepoPath,
    /// Its path at the base, where a rename changed it.
    pub previous_path: Option<RepoPath>,
    /// What happened to it.
    pub kind: ChangeKind,
    /// The file at the base; none for an addition.
    pub base: Option<FileVersion>,
    /// The file at the head; none for a deletion.
    pub head: Option<FileVersion>,
}

impl ChangedFile {
    /// Its path on a side, whether or not it exists there.
    pub fn path_on(&self, side: Side) -> &RepoPath {
        match side {
            Side::Base => self.previous_path.as_ref().unwrap_or(&self.path),
            Side::Head => &self.path,
        }
    }

    /// The file on a side.
    pub fn on(&self, side: Side) -> Option<&FileVersion> {
        match side {
            Side::Base => self.base.as_ref(),
            Side::Head => self.head.as_ref(),
        }
    }

    /// Whether both sides exist with different modes.
    pub fn mode_changed(&self) -> bool {
        matches!((self.base, self.head), (Some(base), Some(head)) if base.mode != head.mode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_ids_read_back() {
        let text = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(text.parse::<ObjectId>().map(|id| id.to_string()), Ok(text.to_owned()));
        assert!("0123".parse::<ObjectId>().is_err());
        assert!("é123456789abcdef0123456789abcdef0123456".parse::<ObjectId>().is_err());
    }
}
