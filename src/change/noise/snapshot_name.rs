//! `snapshot-name`: recorded outputs that tests compare with, told by their names. They keep their place.

use super::names::{in_folder, lower_name};
use super::{Noise, NoiseInput, NoiseLabel, Rule};
use crate::change::RepoPath;

/// See the file.
pub(super) struct SnapshotName;

impl Rule for SnapshotName {
    fn name(&self) -> &'static str {
        "snapshot-name"
    }

    fn judge(&self, input: &NoiseInput<'_>) -> Option<Noise> {
        matches(&input.file.path).then(|| {
            let blind_spot = "Only the name says so: a wrong output recorded as the expected one looks the same.";
            Noise::claimed(self, NoiseLabel::Snapshot, blind_spot)
        })
    }
}

/// Whether a path is named like a snapshot.
pub(super) fn matches(path: &RepoPath) -> bool {
    let name = lower_name(path);
    name.ends_with(".snap")
        || name.ends_with("modelsnapshot.cs")
        || name.contains(".verified.")
        || name.contains(".received.")
        || in_folder(path, &["__snapshots__"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_snapshots_by_name_and_folder() {
        for path in
            ["a/x.snap", "X.SNAP", "AppModelSnapshot.cs", "t.verified.txt", "t.Received.json", "__snapshots__/a.js"]
        {
            assert!(matches(&path.into()), "{path}");
        }
        for path in ["snap", "x.snapshot", "verified.txt", "snapshots/a.js", "__Snapshots__/a.js"] {
            assert!(!matches(&path.into()), "{path}");
        }
    }
}
