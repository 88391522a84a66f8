//! `no-test`: code that no test of the head names. A fact without points: many good tests name nothing.

use super::{Novelty, PartView, Role, Signal, SignalRule, novelty, role_of};

/// See the file.
pub(super) struct NoTest;

impl SignalRule for NoTest {
    fn key(&self) -> &'static str {
        "no-test"
    }

    fn read(&self, part: &PartView<'_>) -> Option<Signal> {
        let found = part.references?.of(part.part)?;
        let code = part.role == Role::Code && novelty(part) != Novelty::Removed && !found.names.is_empty();
        let tested = found.files.iter().any(|path| role_of(path) == Role::Test);
        (code && !tested).then(|| Signal::new(self.key(), "no test file names it", 0))
    }

    fn always_cited(&self) -> bool {
        true
    }
}
