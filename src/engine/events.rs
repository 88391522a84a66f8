//! What the engine is asked to do and what it says happened: closed lists, so that a session can be logged and replayed.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::agent::Choice;
use crate::ask::{Claim, Outcome, Wanted};
use crate::change::diff::FileDiff;
use crate::change::parts::ContentKey;
use crate::change::syntax::Span;
use crate::change::{Change, Facts, ObjectId, Reading, RepoPath, Side, Text, Texts};
use crate::problem::Problem;
use crate::review::{Draft, DraftId, KeptDraft, Review};
use crate::text::Clean;

/// Something the engine runs, named on the status line while it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Asking the source what the change is.
    Facts,
    /// Bringing its objects here.
    Fetch,
    /// Listing the changed files.
    Files,
    /// Cutting hunks, reading entities, judging noise, cutting parts.
    Parts,
    /// Counting which files name what.
    References,
}

impl Stage {
    /// The words the status line shows while it runs.
    pub fn words(self) -> &'static str {
        match self {
            Self::Facts => "reading the pull request",
            Self::Fetch => "fetching its code",
            Self::Files => "listing changed files",
            Self::Parts => "cutting parts",
            Self::References => "counting references",
        }
    }
}

/// How a stage is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// It runs; the text says how far it is, and may be empty.
    Running(String),
    /// It is done.
    Done,
    /// It failed, alone.
    Failed(Problem),
}

/// The number of an ask within one session.
pub type AskId = u64;

/// An ask as a screen sends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskRequest {
    /// A number of the asker's own, by which events speak of it.
    pub id: AskId,
    /// The ask's name.
    pub kind: &'static str,
    /// The part's identity.
    pub part: ContentKey,
    /// What was picked beside the part.
    pub wanted: Wanted,
    /// Who is to answer; none for the one the settings name.
    pub choice: Option<Choice>,
}

/// What a screen or another program may ask of the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Open the change again from its source, taking over a moved head.
    Refresh,
    /// Read both texts of a changed file.
    Texts {
        /// The file's position in the change.
        file: usize,
    },
    /// Colour lines of one side of a changed file.
    Colours {
        /// The file's position in the change.
        file: usize,
        /// The side.
        side: Side,
        /// The lines, counted from 1, half open.
        lines: Range<u32>,
    },
    /// Read the whole text of a file of one side, changed or not.
    File {
        /// The side.
        side: Side,
        /// Its path on that side.
        path: RepoPath,
    },
    /// Colour lines of such a file.
    FileColours {
        /// The side.
        side: Side,
        /// Its path on that side.
        path: RepoPath,
        /// The lines, counted from 1, half open.
        lines: Range<u32>,
    },
    /// Find the claims of a part.
    Claims(ContentKey),
    /// Run an ask about a part.
    Ask(Box<AskRequest>),
    /// Cancel an ask that waits or runs.
    CancelAsk(AskId),
    /// Keep or drop a part's mark.
    Mark {
        /// The part's identity.
        part: ContentKey,
        /// Whether it is ticked.
        on: bool,
    },
    /// Keep a draft of a comment.
    KeepDraft(Box<Draft>),
    /// Remove a draft.
    DropDraft(DraftId),
}

/// What the engine says happened. `generation` counts openings of the change: a result of an older one is dropped.
#[derive(Clone)]
pub enum Event {
    /// A stage began, went on, ended or failed.
    Stage(Stage, Progress),
    /// What the change is called, before any code is here.
    Facts(Arc<Facts>),
    /// The changed files, and the diff of the first one that has one.
    Listed(Arc<Change>, Option<(usize, FileDiff)>),
    /// Parts were cut and ranked: the review from now on. Sent once a head.
    Opened(Arc<Review>),
    /// References were counted: importance and order may differ, parts do not.
    Reranked(Arc<Reading>),
    /// The source has the head that is shown. Only what is known besides the code may be newer; the marks and answers
    /// of the screen stand, as the reviewer may have gone on meanwhile.
    Current {
        /// The reading with the newer facts.
        reading: Arc<Reading>,
        /// When the source said so, RFC 3339 in UTC.
        as_of: String,
    },
    /// The texts of a file, or why they cannot be read.
    Texts(usize, Result<Texts, String>),
    /// Colours of lines, one list of spans a line, or why there are none.
    Colours {
        /// The file's position in the change.
        file: usize,
        /// The side.
        side: Side,
        /// The lines asked for.
        lines: Range<u32>,
        /// Their spans.
        spans: Result<Vec<Vec<Span>>, String>,
    },
    /// The text of a file of one side, or what is there instead.
    File {
        /// The side.
        side: Side,
        /// Its path.
        path: RepoPath,
        /// Its text, or why there is none, in one sentence.
        text: Result<Text, String>,
    },
    /// Colours of lines of such a file, one list of spans a line, or why there are none.
    FileColours {
        /// The side.
        side: Side,
        /// Its path.
        path: RepoPath,
        /// The lines asked for.
        lines: Range<u32>,
        /// Their spans.
        spans: Result<Vec<Vec<Span>>, String>,
    },
    /// The claims of a part, or why they cannot be found.
    Claims(ContentKey, Result<Vec<Claim>, String>),
    /// A draft is on disk.
    DraftKept(Box<KeptDraft>),
    /// A draft is gone from the disk.
    DraftDropped(DraftId),
    /// An ask's turn came: it runs from now on.
    AskStarted(AskId),
    /// What the agent of an ask is doing, in a few words.
    AskProgress(AskId, Clean),
    /// An ask ended.
    AskEnded(AskId, Box<Outcome>),
    /// The marks kept for this change.
    Marks(BTreeSet<ContentKey>),
    /// The source's head is another than the one shown.
    HeadMoved(ObjectId),
    /// The change cannot be opened at all.
    Failed(Problem),
    /// Something was not kept or not read, though the review goes on.
    Trouble(Problem),
}
