//! `Reading`: a change as it was read: every file's hunks and entities, and the ranked parts.

use std::sync::Arc;

use super::diff::{FileDiff, LineKind};
use super::noise::Noise;
use super::parts::Part;
use super::rank::Rank;
use super::syntax::{Entity, Formatting};
use super::{COMPARISON, CONTENT, Change, ChangedFile, LeftOut, Missing, RepoPath, Side, Text};
use crate::text::{Clean, clean_bytes};

/// What was read out of one changed file. Holds no line texts: they are in the blobs.
#[derive(Debug, Clone)]
pub struct FileReading {
    /// Its hunks.
    pub diff: FileDiff,
    /// The entities each hunk touches, one list a hunk, in order of first appearance.
    pub entities: Vec<Vec<Entity>>,
    /// Why entities could not be read; none where they were.
    pub entities_not_read: Option<String>,
    /// Whether only its layout changed.
    pub formatting: Formatting,
    /// Which noise rule matched it, if one did.
    pub noise: Option<Noise>,
}

/// A part with where it stands.
#[derive(Debug, Clone)]
pub struct RankedPart {
    /// The part.
    pub part: Part,
    /// Its importance, with the reason and the signals behind it.
    pub rank: Rank,
    /// Set where every file of the part is noise of one kind.
    pub noise: Option<Noise>,
}

/// A change as it was read. Parts are in reading order: by importance, sunk noise last.
#[derive(Clone)]
pub struct Reading {
    /// The change.
    pub change: Arc<Change>,
    /// One reading for each of `change.files`, in the same order.
    pub files: Arc<Vec<FileReading>>,
    /// The parts in reading order.
    pub parts: Vec<RankedPart>,
    /// What could not be done, of the source and of every stage.
    pub left_out: Vec<LeftOut>,
}

/// The texts of both sides of one changed file.
#[derive(Clone, Default)]
pub struct Texts {
    /// The file at the base; none where it does not exist there or is no text.
    pub base: Option<Text>,
    /// The file at the head; none where it does not exist there or is no text.
    pub head: Option<Text>,
}

impl Texts {
    /// The text on a side.
    pub fn on(&self, side: Side) -> Option<&Text> {
        match side {
            Side::Base => self.base.as_ref(),
            Side::Head => self.head.as_ref(),
        }
    }

    /// The bytes of a line of the side that shows it: the base for a deletion, the head for everything else.
    pub fn line(&self, kind: LineKind, base_line: u32, head_line: u32) -> &[u8] {
        let line = match kind {
            LineKind::Deletion => self.base.as_ref().and_then(|text| text.line(base_line)),
            LineKind::Addition | LineKind::Context => self.head.as_ref().and_then(|text| text.line(head_line)),
        };
        line.unwrap_or(b"")
    }
}

/// One line that a part shows, with its text cleaned: what the screen draws, a brief holds and a check compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartLine {
    /// The file's position in [`Change::files`].
    pub file: usize,
    /// Context, deletion or addition.
    pub kind: LineKind,
    /// Its number at the base, counted from 1; 0 for an addition.
    pub base_line: u32,
    /// Its number at the head, counted from 1; 0 for a deletion.
    pub head_line: u32,
    /// Its text.
    pub text: Clean,
}

impl Reading {
    /// Whether everything was here to be read. What a limit of bytes or nodes left out is left out every time, and
    /// counts as read; what was not fetched may be there tomorrow.
    pub fn is_complete(&self) -> bool {
        self.left_out.iter().all(|left| left.what != CONTENT && left.what != COMPARISON)
    }

    /// The texts of both sides of a changed file. A submodule's is the line git shows for it: the commit it points at.
    ///
    /// # Errors
    /// [`Missing`] where a blob is not here.
    pub fn texts(&self, file: usize) -> Result<Texts, Missing> {
        texts_of(&self.change, &self.change.files[file])
    }

    /// Every line the hunks of a part show, in order, context included.
    ///
    /// # Errors
    /// [`Missing`] where a blob is not here.
    pub fn lines(&self, part: &Part) -> Result<Vec<PartLine>, Missing> {
        let mut lines = Vec::new();
        for piece in &part.pieces {
            let texts = self.texts(piece.file)?;
            for hunk in piece.hunks.iter().filter_map(|hunk| self.files[piece.file].diff.hunks.get(*hunk)) {
                lines.extend(hunk.lines().map(|line| PartLine {
                    file: piece.file,
                    kind: line.kind,
                    base_line: line.base_line,
                    head_line: line.head_line,
                    text: clean_bytes(texts.line(line.kind, line.base_line, line.head_line)),
                }));
            }
        }
        Ok(lines)
    }

    /// The path of a line's file on the side that shows it.
    pub fn path_of(&self, line: &PartLine) -> &RepoPath {
        self.change.files[line.file].path_on(if line.kind == LineKind::Deletion { Side::Base } else { Side::Head })
    }
}

/// Reads both sides of a changed file through the trees of its change, a submodule as git shows it.
///
/// # Errors
/// [`Missing`] where a blob is not here.
pub fn texts_of(change: &Change, file: &ChangedFile) -> Result<Texts, Missing> {
    let read = |side| -> Result<Option<Text>, Missing> {
        match file.on(side) {
            Some(version) if version.mode.has_blob() => Ok(Some(Text::new(change.trees.blob(version.blob)?))),
            // What git and GitHub show, count and take comments on in place of a submodule's content.
            Some(version) => Ok(Some(Text::from(format!("Subproject commit {}\n", version.blob).as_str()))),
            None => Ok(None),
        }
    };
    Ok(Texts { base: read(Side::Base)?, head: read(Side::Head)? })
}
