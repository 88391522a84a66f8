//! `noise`: what rules or checks found to need no careful reading, where every file of the part is such.

use std::collections::BTreeSet;

use super::{PartView, Signal, SignalRule};
use crate::change::noise::{Noise, NoiseLabel};

/// See the file.
pub(super) struct NoiseSignal;

impl SignalRule for NoiseSignal {
    fn key(&self) -> &'static str {
        "noise"
    }

    fn read(&self, part: &PartView<'_>) -> Option<Signal> {
        let all: Vec<&Noise> = of_all_files(part)?;
        let kinds: BTreeSet<_> = all.iter().map(|noise| (noise.label, noise.state)).collect();
        let words: Vec<String> =
            kinds.iter().map(|(label, state)| format!("{} ({})", label.words(), state.word())).collect();
        Some(Signal::new(self.key(), &format!("noise: {}", words.join(", ")), 0))
    }

    fn always_cited(&self) -> bool {
        true
    }
}

/// Whether the part sinks: every file it holds is noise of a kind that does.
pub(super) fn sinks(part: &PartView<'_>) -> bool {
    of_all_files(part).is_some_and(|all| all.iter().all(|noise| noise.sinks()))
}

/// Whether the part is lockfiles and nothing else: their lines are written and counted by machines.
pub(super) fn is_lockfile(part: &PartView<'_>) -> bool {
    of_all_files(part).is_some_and(|all| all.iter().all(|noise| noise.label == NoiseLabel::Lockfile))
}

fn of_all_files<'a>(part: &PartView<'a>) -> Option<Vec<&'a Noise>> {
    let all: Vec<&Noise> = part.of_files().map(|(_, reading)| reading.noise.as_ref()).collect::<Option<_>>()?;
    (!all.is_empty()).then_some(all)
}
