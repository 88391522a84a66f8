//! `rename-identical`: the same blob and mode at another path. The one rule here that proves what it says.

use super::{Noise, NoiseInput, NoiseLabel, NoiseState, Rule, fixture_path, snapshot_name};
use crate::change::{ChangeKind, ChangedFile, RepoPath, Side};

/// See the file.
pub(super) struct RenameIdentical;

impl Rule for RenameIdentical {
    fn name(&self) -> &'static str {
        "rename-identical"
    }

    fn judge(&self, input: &NoiseInput<'_>) -> Option<Noise> {
        let file = input.file;
        let (base, head) = (file.base?, file.head?);
        let moved = file.kind == ChangeKind::Rename && base.blob == head.blob && base.mode == head.mode;
        if !moved || becomes_active(file) {
            return None;
        }
        let label = if snapshot_name::matches(&file.path) {
            NoiseLabel::Snapshot
        } else if fixture_path::matches(&file.path) {
            NoiseLabel::Fixture
        } else {
            NoiseLabel::MovedOrRenamed
        };
        Some(Noise {
            label,
            state: NoiseState::Confirmed,
            rule: self.name(),
            blind_spot: "Equal content shows the move and nothing more: what reads the file by its old or new path \
                         was not looked at."
                .to_owned(),
        })
    }
}

/// Whether the move alone may give the file a new meaning: another extension, or into, out of or within hidden
/// folders such as `.github`, where tools act on what they find.
fn becomes_active(file: &ChangedFile) -> bool {
    let (from, to) = (file.path_on(Side::Base), file.path_on(Side::Head));
    let hidden = |path: &RepoPath| path.folders().iter().any(|folder| folder.starts_with(b"."));
    from.extension() != to.extension() || ((hidden(from) || hidden(to)) && from.folders() != to.folders())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use crate::change::fixtures::Fixture;
    use crate::change::noise::tests::assessed;
    use crate::change::{FileMode, Side};

    fn moved(from: &str, to: &str) -> String {
        assessed(Fixture::new(&[(from, "x\n")], &[(to, "x\n")]).rename(from, to), to)
    }

    #[test]
    fn proves_a_move_without_an_edit() {
        assert_eq!(moved("a/x.py", "b/x.py"), "moved or renamed, confirmed, rename-identical");
        assert_eq!(moved("x.snap", "y.snap"), "snapshot, confirmed, rename-identical");
        assert_eq!(moved("x.json", "fixtures/x.json"), "fixture, confirmed, rename-identical");
    }

    #[test]
    fn leaves_moves_that_change_content_mode_or_meaning() {
        let edited = Fixture::new(&[("a.py", "x\n")], &[("b.py", "y\n")]).rename("a.py", "b.py");
        assert_eq!(assessed(edited, "b.py"), "none");
        let mode = Fixture::new(&[("a.sh", "x\n")], &[]).file(Side::Head, "b.sh", b"x\n", FileMode::EXECUTABLE);
        assert_eq!(assessed(mode.rename("a.sh", "b.sh"), "b.sh"), "none");
        assert_eq!(moved("docs/ci.yml", ".github/workflows/ci.yml"), "none");
        assert_eq!(moved(".github/ci.yml", ".github/workflows/ci.yml"), "none");
        assert_eq!(moved("notes.txt", "notes.py"), "none");
    }

    #[test]
    fn a_binary_moved_is_proved_by_its_blob() {
        let fixture = Fixture::default()
            .file(Side::Base, "a.png", b"\0\x01", FileMode::REGULAR)
            .file(Side::Head, "b.png", b"\0\x01", FileMode::REGULAR)
            .rename("a.png", "b.png");
        assert_eq!(assessed(fixture, "b.png"), "moved or renamed, confirmed, rename-identical");
    }
}
