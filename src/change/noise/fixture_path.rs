//! `fixture-path`: input data of tests, told by folder or name. It keeps its place.

use super::names::{in_folder, lower_name};
use super::{Noise, NoiseInput, NoiseLabel, Rule};
use crate::change::RepoPath;

/// See the file.
pub(super) struct FixturePath;

impl Rule for FixturePath {
    fn name(&self) -> &'static str {
        "fixture-path"
    }

    fn judge(&self, input: &NoiseInput<'_>) -> Option<Noise> {
        matches(&input.file.path).then(|| {
            let blind_spot = "Only the path says so: code that ships may stand in a folder of this name.";
            Noise::claimed(self, NoiseLabel::Fixture, blind_spot)
        })
    }
}

/// Whether a path is that of a fixture.
pub(super) fn matches(path: &RepoPath) -> bool {
    in_folder(path, &["fixtures", "__fixtures__"]) || lower_name(path).contains(".fixture.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_fixtures_by_folder_and_name() {
        for path in ["fixtures/a.json", "t/__fixtures__/deep/a.py", "user.Fixture.ts"] {
            assert!(matches(&path.into()), "{path}");
        }
        for path in ["fixtures", "fixture/a", "fixture.ts", "myfixtures/a"] {
            assert!(!matches(&path.into()), "{path}");
        }
    }
}
