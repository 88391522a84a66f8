//! `lockfile-unexplained`: a lockfile whose check found entries that no change of a manifest explains.

use super::{PartView, Signal, SignalRule};
use crate::change::noise::{Noise, UNEXPLAINED};

/// See the file.
pub(super) struct LockfileUnexplained;

impl SignalRule for LockfileUnexplained {
    fn key(&self) -> &'static str {
        UNEXPLAINED
    }

    fn read(&self, part: &PartView<'_>) -> Option<Signal> {
        let unexplained = |noise: &Noise| noise.rule == UNEXPLAINED;
        let any = part.of_files().any(|(_, reading)| reading.noise.as_ref().is_some_and(unexplained));
        any.then(|| Signal::new(self.key(), "entries that no change of a manifest explains", 2))
    }
}
