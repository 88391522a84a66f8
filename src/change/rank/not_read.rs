//! `not-read`: a file of the part could not be compared, so that a person has to look.

use super::{PartView, Signal, SignalRule};

/// See the file.
pub(super) struct NotRead;

impl SignalRule for NotRead {
    fn key(&self) -> &'static str {
        "not-read"
    }

    fn read(&self, part: &PartView<'_>) -> Option<Signal> {
        let why = part.of_files().find_map(|(_, reading)| reading.diff.not_read.clone())?;
        Some(Signal::new(self.key(), &format!("not compared: {why}"), 2))
    }
}
