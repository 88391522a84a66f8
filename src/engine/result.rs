//! The versioned result: everything the screen knows of a change, as other programs read it.
//!
//! `review --json` prints it and the protocol's `review` returns it. Texts and paths are JSON strings; JSON escapes
//! their control characters. Where the bytes are not UTF-8 the string holds U+FFFD in place of the wrong ones and a
//! field of the same name ending in `_base64` beside it holds the exact bytes.

mod write;

pub use write::result_of;

use serde::Serialize;

/// The version of this form; raised whenever a reader could misread it.
pub const VERSION: u32 = 1;

/// How strings hold bytes, said in every result.
pub const ENCODING: &str = "strings are UTF-8; where the bytes are not, U+FFFD stands for the wrong ones \
     and the field of the same name ending in _base64 holds the exact bytes";

/// The result.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are the glossary's words")]
pub struct ResultForm {
    pub version: u32,
    pub encoding: &'static str,
    pub pull_request: ChangeForm,
    pub base_commit: Option<String>,
    pub head_commit: Option<String>,
    pub base_tree: String,
    pub head_tree: String,
    pub parts: Vec<PartForm>,
    pub left_out: Vec<LeftOutForm>,
}

/// What is known of the change besides its code.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are the glossary's words")]
pub struct ChangeForm {
    /// `pull request`, `local` or `recorded`.
    pub origin: &'static str,
    pub url: Option<String>,
    pub owner: Option<String>,
    pub repo: Option<String>,
    pub number: Option<u64>,
    pub title: String,
    pub description: String,
    pub author: String,
    pub state: Option<&'static str>,
    pub base_branch: String,
    pub head_branch: String,
    pub head_repository: Option<String>,
}

/// One part, in reading order.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are the glossary's words")]
pub struct PartForm {
    /// Its content key.
    pub id: String,
    /// Counts from 1.
    pub number: usize,
    pub name: String,
    pub importance: &'static str,
    pub reason: String,
    pub points: u32,
    pub signals: Vec<SignalForm>,
    pub noise: Option<NoiseForm>,
    pub additions: u32,
    pub deletions: u32,
    pub entities: Vec<EntityForm>,
    pub files: Vec<FileForm>,
}

/// One signal.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are the glossary's words")]
pub struct SignalForm {
    pub key: &'static str,
    pub phrase: String,
    pub points: u32,
}

/// Why a part is noise.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are the glossary's words")]
pub struct NoiseForm {
    pub label: &'static str,
    pub state: &'static str,
    pub rule: &'static str,
    pub blind_spot: String,
    pub sunk: bool,
}

/// One entity that a part touches.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are the glossary's words")]
pub struct EntityForm {
    pub kind: &'static str,
    pub name: String,
    pub public: bool,
    pub change: &'static str,
}

/// What a part takes from one file.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are the glossary's words")]
pub struct FileForm {
    pub path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_base64: Option<String>,
    pub previous_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_path_base64: Option<String>,
    pub change: &'static str,
    pub binary: bool,
    /// Six octal digits; null where the file does not exist on that side.
    pub base_mode: Option<String>,
    pub head_mode: Option<String>,
    /// Bytes; null where the file does not exist on that side or its bytes are not here.
    pub base_size: Option<u64>,
    pub head_size: Option<u64>,
    pub base_lacks_newline: bool,
    pub head_lacks_newline: bool,
    pub hunks: Vec<HunkForm>,
}

/// One hunk.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are the glossary's words")]
pub struct HunkForm {
    /// First line, counted from 1, and count, as git's header has them.
    pub base_start: u32,
    pub base_count: u32,
    pub head_start: u32,
    pub head_count: u32,
    pub heading: String,
    pub lines: Vec<LineForm>,
}

/// One line. Its number is null on the side that does not have it.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are the glossary's words")]
pub struct LineForm {
    pub kind: &'static str,
    pub base_line: Option<u32>,
    pub head_line: Option<u32>,
    /// Without its line feed; a carriage return before it stays.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_base64: Option<String>,
}

/// What could not be done, and why.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the fields are the glossary's words")]
pub struct LeftOutForm {
    pub what: String,
    pub path: Option<String>,
    pub why: String,
}
