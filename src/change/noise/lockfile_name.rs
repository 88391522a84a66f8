//! `lockfile-name`: records of resolved dependencies, told by their exact names.

use super::{Noise, NoiseInput, NoiseLabel, Rule};

const NAMES: [&str; 20] = [
    "Cargo.lock",
    "Cartfile.resolved",
    "Gemfile.lock",
    "Pipfile.lock",
    "Podfile.lock",
    "bun.lock",
    "bun.lockb",
    "composer.lock",
    "flake.lock",
    "go.sum",
    "go.work.sum",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "packages.lock.json",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pubspec.lock",
    "uv.lock",
    "yarn.lock",
];

/// See the file.
pub(super) struct LockfileName;

/// The rule's name, which the lockfile proof replaces.
pub(super) const NAME: &str = "lockfile-name";

impl Rule for LockfileName {
    fn name(&self) -> &'static str {
        NAME
    }

    fn judge(&self, input: &NoiseInput<'_>) -> Option<Noise> {
        let name = input.file.path.name();
        NAMES.iter().any(|known| known.as_bytes() == name).then(|| {
            let blind_spot = "Only the name says so: whether the entries follow from the manifest was not checked, \
                              so a changed source or hash would pass unseen.";
            Noise::claimed(self, NoiseLabel::Lockfile, blind_spot)
        })
    }
}
