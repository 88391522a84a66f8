//! Ranking: one signal a file, and the rule that makes importance and order out of them.
//!
//! A signal is a row of [`SIGNALS`]: it reads one fact about a part, says it in words, and gives it points. No
//! model is asked, and nothing but the change and the counted references goes in.

mod effect;
mod formatting_only;
mod lockfile;
mod no_test;
mod noise;
mod not_read;
mod novelty;
mod order;
mod public_surface;
mod references;
mod role;
mod size;

pub use novelty::{Novelty, novelty};
pub use order::rank;
pub use references::{PartReferences, References};
pub use role::{Role, role_of};

use super::parts::Part;
use super::{Change, ChangedFile, FileReading};
use crate::text::{Clean, clean};

/// What a signal may look at.
pub struct PartView<'a> {
    /// The part.
    pub part: &'a Part,
    /// The change it belongs to.
    pub change: &'a Change,
    /// One reading for each file of the change.
    pub files: &'a [FileReading],
    /// Which files name which parts; none while that is not counted.
    pub references: Option<&'a References>,
    /// What the part is for: the first among the roles of its files.
    pub role: Role,
}

impl<'a> PartView<'a> {
    /// A view of one part of a change.
    pub fn new(
        part: &'a Part,
        change: &'a Change,
        files: &'a [FileReading],
        references: Option<&'a References>,
    ) -> Self {
        let mut view = Self { part, change, files, references, role: Role::Code };
        view.role = view.of_files().map(|(file, _)| role_of(&file.path)).min().unwrap_or(Role::Code);
        view
    }

    /// The files of the part, each with what was read out of it.
    pub fn of_files(&self) -> impl Iterator<Item = (&'a ChangedFile, &'a FileReading)> + use<'a> {
        let (change, files) = (self.change, self.files);
        self.part.pieces.iter().filter_map(move |piece| Some((change.files.get(piece.file)?, files.get(piece.file)?)))
    }
}

/// One signal.
pub trait SignalRule: Sync {
    /// The name of the signal, such as `public-surface`.
    fn key(&self) -> &'static str;

    /// The fact it reads off a part; none where it has nothing to say.
    fn read(&self, part: &PartView<'_>) -> Option<Signal>;

    /// Whether the reason names it although it gave no points.
    fn always_cited(&self) -> bool {
        false
    }
}

/// Every signal, in the order the reason names them.
pub const SIGNALS: [&dyn SignalRule; 11] = [
    &noise::NoiseSignal,
    &formatting_only::FormattingOnly,
    &not_read::NotRead,
    &lockfile::LockfileUnexplained,
    &public_surface::PublicSurface,
    &role::RoleSignal,
    &novelty::NoveltySignal,
    &effect::Effect,
    &references::ReferencesSignal,
    &no_test::NoTest,
    &size::Size,
];

/// The name of every signal.
pub fn signal_keys() -> impl Iterator<Item = &'static str> {
    SIGNALS.iter().map(|signal| signal.key())
}

impl Signal {
    fn new(key: &'static str, phrase: &str, points: u32) -> Self {
        Self { key, phrase: clean(phrase), points }
    }
}

/// How closely a part needs reading. The order is the reading order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Importance {
    /// Read closely.
    MustReview,
    /// Worth the time.
    WorthReviewing,
    /// There to understand the rest.
    Context,
}

impl Importance {
    /// Every importance, most important first.
    pub const ALL: [Self; 3] = [Self::MustReview, Self::WorthReviewing, Self::Context];

    /// The words for it, as in the JSON result.
    pub fn words(self) -> &'static str {
        match self {
            Self::MustReview => "must review",
            Self::WorthReviewing => "worth reviewing",
            Self::Context => "context",
        }
    }
}

/// A model-free fact about a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// The name of the signal, such as `public-surface`.
    pub key: &'static str,
    /// The fact in words, such as `public surface: Pool.close`.
    pub phrase: Clean,
    /// What it adds to the part's points.
    pub points: u32,
}

/// Where a part stands and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rank {
    /// Its importance.
    pub importance: Importance,
    /// Why, in one line made of the signals' phrases.
    pub reason: Clean,
    /// The sum of its signals' points.
    pub points: u32,
    /// Every signal read, those without points too.
    pub signals: Vec<Signal>,
    /// Whether it is noise that sank to the end.
    pub sunk: bool,
}
