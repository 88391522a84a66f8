//! `formatting-only`: every file of the part was proved to have changed in its layout alone.

use super::{PartView, Signal, SignalRule};
use crate::change::syntax::Formatting;

/// The signal's key, which the ranking looks for.
pub(super) const KEY: &str = "formatting-only";

/// See the file.
pub(super) struct FormattingOnly;

impl SignalRule for FormattingOnly {
    fn key(&self) -> &'static str {
        KEY
    }

    fn read(&self, part: &PartView<'_>) -> Option<Signal> {
        let mut files = part.of_files().peekable();
        let all = files.peek().is_some() && files.all(|(_, reading)| reading.formatting == Formatting::Confirmed);
        all.then(|| Signal::new(self.key(), "only the layout changed: the syntax trees are equal", 0))
    }

    fn always_cited(&self) -> bool {
        true
    }
}
