//! `size`: how many lines changed, or what else did where no line can.

use super::noise::is_lockfile;
use super::{PartView, Role, Signal, SignalRule};

/// See the file.
pub(super) struct Size;

impl SignalRule for Size {
    fn key(&self) -> &'static str {
        "size"
    }

    fn read(&self, part: &PartView<'_>) -> Option<Signal> {
        let lines = part.part.changed_lines();
        let points = match lines {
            0..10 => 0,
            10..50 => 1,
            _ => 2,
        };
        let most = match part.role {
            _ if is_lockfile(part) => 0,
            Role::Data => 1,
            _ => 2,
        };
        let phrase = match lines {
            0 => without_lines(part).to_owned(),
            1 => "1 changed line".to_owned(),
            lines => format!("{lines} changed lines"),
        };
        Some(Signal::new(self.key(), &phrase, points.min(most)))
    }

    fn always_cited(&self) -> bool {
        true
    }
}

fn without_lines(part: &PartView<'_>) -> &'static str {
    if part.of_files().any(|(_, reading)| reading.diff.binary) {
        "binary content"
    } else if part.of_files().any(|(file, _)| file.mode_changed()) {
        "mode changed, no lines"
    } else {
        "no changed lines"
    }
}
