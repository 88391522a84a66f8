//! Noise: what needs no careful reading, one rule a file; the first rule of [`RULES`] that matches wins.
//!
//! A rule that only looks at names, headers or declarations claims; one that compared content confirms. Whoever
//! wrote the change may also have written the name, the header or the declaration: each noise says what its rule
//! cannot see.

mod attributes;
mod fixture_path;
mod generated_header;
mod generated_name;
mod linguist;
pub mod lockfile;
mod lockfile_name;
mod names;
mod rename_identical;
mod snapshot_name;

pub use attributes::Attributes;
pub use lockfile::{FOLLOWS, UNEXPLAINED, prove_lockfile};

use super::diff::FileDiff;
use super::{ChangedFile, Texts};

/// What a rule may look at.
pub struct NoiseInput<'a> {
    /// The file.
    pub file: &'a ChangedFile,
    /// Its hunks.
    pub diff: &'a FileDiff,
    /// Its texts.
    pub texts: &'a Texts,
    /// What the root `.gitattributes` declares.
    pub attributes: &'a Attributes,
}

/// One rule.
pub trait Rule: Sync {
    /// Its name, such as `lockfile-name`.
    fn name(&self) -> &'static str;

    /// The noise it sees in a file; none where it does not match.
    fn judge(&self, input: &NoiseInput<'_>) -> Option<Noise>;
}

/// Every rule, in the order they are tried.
pub const RULES: [&dyn Rule; 8] = [
    &rename_identical::RenameIdentical,
    &snapshot_name::SnapshotName,
    &fixture_path::FixturePath,
    &linguist::Vendored,
    &linguist::Generated,
    &lockfile_name::LockfileName,
    &generated_name::GeneratedName,
    &generated_header::GeneratedHeader,
];

/// The name of every rule, those that a proof gives included.
pub fn rule_names() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.name()).chain([FOLLOWS, UNEXPLAINED])
}

/// What the first matching rule says of a file; none where none matches.
pub fn assess(input: &NoiseInput<'_>) -> Option<Noise> {
    RULES.iter().find_map(|rule| rule.judge(input))
}

/// What kind of noise a file or part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoiseLabel {
    /// Moved or renamed without an edit.
    MovedOrRenamed,
    /// A recorded output that tests compare with. Keeps its place.
    Snapshot,
    /// Input data of tests. Keeps its place.
    Fixture,
    /// Somebody else's code, kept here.
    Vendored,
    /// Written by a program.
    Generated,
    /// A record of resolved dependencies.
    Lockfile,
}

impl NoiseLabel {
    /// Every label.
    pub const ALL: [Self; 6] =
        [Self::MovedOrRenamed, Self::Snapshot, Self::Fixture, Self::Vendored, Self::Generated, Self::Lockfile];

    /// The words for it, as in the JSON result.
    pub fn words(self) -> &'static str {
        match self {
            Self::MovedOrRenamed => "moved or renamed",
            Self::Snapshot => "snapshot",
            Self::Fixture => "fixture",
            Self::Vendored => "vendored",
            Self::Generated => "generated",
            Self::Lockfile => "lockfile",
        }
    }

    /// Whether parts of this kind sink below everything else.
    pub fn sinks(self) -> bool {
        !matches!(self, Self::Snapshot | Self::Fixture)
    }
}

/// How sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoiseState {
    /// A check proved it.
    Confirmed,
    /// Only a rule matched.
    Claimed,
}

impl NoiseState {
    /// The word for it, as in the JSON result.
    pub fn word(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Claimed => "claimed",
        }
    }
}

/// Why a file or part counts as noise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noise {
    /// What kind.
    pub label: NoiseLabel,
    /// Proved, or only matched.
    pub state: NoiseState,
    /// The name of the rule that matched, such as `lockfile-name`.
    pub rule: &'static str,
    /// What the rule cannot see, in one sentence.
    pub blind_spot: String,
}

impl Noise {
    /// Whether parts that are all such noise sink below everything else. A lockfile whose check found entries that
    /// nothing explains does not: it needs the reading that other lockfiles are spared.
    pub fn sinks(&self) -> bool {
        self.label.sinks() && self.rule != UNEXPLAINED
    }

    /// Whether [`prove_lockfile`] may know more than this rule does.
    pub fn may_be_proved(&self) -> bool {
        self.rule == lockfile_name::NAME
    }

    /// What a rule claims by a name, a header or a declaration alone.
    fn claimed(rule: &dyn Rule, label: NoiseLabel, blind_spot: impl Into<String>) -> Self {
        Self { label, state: NoiseState::Claimed, rule: rule.name(), blind_spot: blind_spot.into() }
    }
}

/// The noise of several files together: that of the least sure, where all are noise of one label.
pub fn combined<'a>(files: impl IntoIterator<Item = Option<&'a Noise>>) -> Option<Noise> {
    let all: Vec<&Noise> = files.into_iter().collect::<Option<_>>()?;
    let first = *all.first()?;
    let alike = all.iter().all(|noise| noise.label == first.label);
    // The first of the least sure, whatever follows it.
    let least_sure = all.iter().rev().max_by_key(|noise| noise.state)?;
    alike.then(|| (*least_sure).clone())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use crate::change::fixtures::{Fixture, change, texts};

    /// `label, state, rule` of one file of a change, or `none`.
    pub(super) fn assessed(fixture: Fixture, path: &str) -> String {
        assessed_with(fixture, path, &Attributes::default())
    }

    fn assessed_with(fixture: Fixture, path: &str, attributes: &Attributes) -> String {
        let (change, files) = fixture.build();
        let at = change.files.iter().position(|file| file.path == path.into()).expect("a changed file");
        let file = &change.files[at];
        let input = NoiseInput { file, diff: &files[at].diff, texts: &texts(&change, file), attributes };
        match assess(&input) {
            None => "none".to_owned(),
            Some(noise) => format!("{}, {}, {}", noise.label.words(), noise.state.word(), noise.rule),
        }
    }

    fn edited(path: &str, attributes: &[u8]) -> String {
        assessed_with(Fixture::new(&[(path, "1\n")], &[(path, "2\n")]), path, &Attributes::read(attributes))
    }

    #[test]
    fn the_first_rule_that_matches_wins() {
        assert_eq!(edited("src/a.py", b""), "none");
        assert_eq!(edited("Cargo.lock", b""), "lockfile, claimed, lockfile-name");
        assert_eq!(edited("cargo.lock", b""), "none");
        assert_eq!(edited("Cargo.lock", b"*.lock linguist-generated"), "generated, claimed, linguist-generated");
        let both = b"*.js linguist-generated linguist-vendored";
        assert_eq!(edited("lib/a.min.js", both), "vendored, claimed, linguist-vendored");
        assert_eq!(edited("lib/a.min.js", b""), "generated, claimed, generated-name");
        assert_eq!(edited("fixtures/a.snap", b""), "snapshot, claimed, snapshot-name");
        assert_eq!(edited("fixtures/Cargo.lock", b""), "fixture, claimed, fixture-path");
    }

    #[test]
    fn every_rule_has_a_name_of_its_own_and_a_blind_spot() {
        let names: std::collections::BTreeSet<_> = RULES.iter().map(|rule| rule.name()).collect();
        assert_eq!(names.len(), RULES.len());
        let (change, files) = change(&[("go.sum", "1\n")], &[("go.sum", "2\n")]);
        let (file, attributes) = (&change.files[0], Attributes::default());
        let input = NoiseInput { file, diff: &files[0].diff, texts: &texts(&change, file), attributes: &attributes };
        let noise = assess(&input).expect("a lockfile");
        assert!(noise.blind_spot.starts_with("Only the name says so") && noise.blind_spot.ends_with('.'));
    }

    #[test]
    fn files_together_are_noise_of_one_label_as_sure_as_the_least_sure() {
        let noise = |label, state| Noise { label, state, rule: "r", blind_spot: String::new() };
        let sure = noise(NoiseLabel::Lockfile, NoiseState::Confirmed);
        let unsure = noise(NoiseLabel::Lockfile, NoiseState::Claimed);
        let other = noise(NoiseLabel::Generated, NoiseState::Claimed);
        assert_eq!(combined([Some(&sure), Some(&unsure)]), Some(unsure.clone()));
        assert_eq!(combined([Some(&sure)]), Some(sure.clone()));
        assert_eq!(combined([Some(&sure), Some(&other)]), None);
        assert_eq!(combined([Some(&sure), None]), None);
        assert_eq!(combined([]), None);
    }
}
