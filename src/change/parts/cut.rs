//! Cuts a change into parts: hunks of a file that touch the same entity belong together.

use std::collections::BTreeMap;

use crate::change::diff::LineKind;
use crate::change::syntax::{Entity, EntityKind};
use crate::change::{Change, FileReading};

use super::name::name;
use super::{ContentKey, Part, Piece, assign_keys};

/// Cuts the parts of a change, in order of their first hunk, each within one file.
///
/// Hunks of a file that share an entity, directly or through other hunks, are one part. Hunks without entities
/// are one part a file, and so is a file without hunks.
pub fn cut(change: &Change, files: &[FileReading]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (file, reading) in files.iter().enumerate().take(change.files.len()) {
        if reading.diff.hunks.is_empty() {
            parts.push(assemble(change, files, vec![Piece { file, hunks: Vec::new() }]));
        }
        for hunks in groups(reading) {
            parts.push(assemble(change, files, vec![Piece { file, hunks }]));
        }
    }
    assign_keys(change, files, &mut parts);
    parts
}

/// Makes one part of pieces: its name, entities and counts. The key stays empty until [`assign_keys`], because it
/// depends on the parts before it.
pub fn assemble(change: &Change, files: &[FileReading], pieces: Vec<Piece>) -> Part {
    let hunks = || pieces.iter().flat_map(|piece| piece.hunks.iter().map(|hunk| (&files[piece.file], *hunk)));
    let entities = distinct(hunks().flat_map(|(file, hunk)| file.entities.get(hunk).into_iter().flatten()));
    let count = |kind| hunks().filter_map(|(file, hunk)| file.diff.hunks.get(hunk)).map(|hunk| hunk.count(kind)).sum();
    Part {
        key: ContentKey(String::new()),
        name: name(change, files, &pieces, &entities),
        additions: count(LineKind::Addition),
        deletions: count(LineKind::Deletion),
        entities,
        pieces,
    }
}

/// The hunks of a file in groups; each group in order, the groups in order of their first hunk.
fn groups(reading: &FileReading) -> Vec<Vec<usize>> {
    let count = reading.diff.hunks.len();
    let mut sets = Sets::new(count);
    let mut first_with: BTreeMap<(EntityKind, &str), usize> = BTreeMap::new();
    let mut first_bare = None;
    for hunk in 0..count {
        let entities = reading.entities.get(hunk).map_or(&[][..], Vec::as_slice);
        if entities.is_empty() {
            sets.join(*first_bare.get_or_insert(hunk), hunk);
        }
        for entity in entities {
            let first = *first_with.entry((entity.kind, &entity.name)).or_insert(hunk);
            sets.join(first, hunk);
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for hunk in 0..count {
        groups.entry(sets.first(hunk)).or_default().push(hunk);
    }
    groups.into_values().collect()
}

/// Each entity once by kind and name, in order of first appearance, with the strongest change seen.
fn distinct<'a>(entities: impl Iterator<Item = &'a Entity>) -> Vec<Entity> {
    let mut out: Vec<Entity> = Vec::new();
    let mut at: BTreeMap<(EntityKind, &str), usize> = BTreeMap::new();
    for entity in entities {
        match at.get(&(entity.kind, entity.name.as_str())) {
            Some(seen) => {
                out[*seen].change = out[*seen].change.max(entity.change);
                out[*seen].public |= entity.public;
            }
            None => {
                at.insert((entity.kind, &entity.name), out.len());
                out.push(entity.clone());
            }
        }
    }
    out
}

/// Disjoint sets of hunks, each known by its first hunk.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn first(&mut self, mut hunk: usize) -> usize {
        while self.0[hunk] != hunk {
            // Halving the way keeps long chains from being walked again and again.
            self.0[hunk] = self.0[self.0[hunk]];
            hunk = self.0[hunk];
        }
        hunk
    }

    fn join(&mut self, one: usize, two: usize) {
        let (one, two) = (self.first(one), self.first(two));
        self.0[one.max(two)] = one.min(two);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use crate::change::fixtures::Fixture;
    use crate::change::syntax::EntityChange;
    use crate::change::{FileMode, Side};

    /// A text of forty lines; those named are edited, far enough apart to be hunks of their own.
    fn lines(edited: &[u32]) -> String {
        (1..=40).map(|n| if edited.contains(&n) { format!("edited {n}\n") } else { format!("line {n}\n") }).collect()
    }

    fn fixture(edited: &[u32]) -> Fixture {
        Fixture::new(&[("net/pool.py", &lines(&[]))], &[("net/pool.py", &lines(edited))])
    }

    fn names_and_hunks(fixture: Fixture) -> Vec<(String, Vec<usize>)> {
        let (change, files) = fixture.build();
        cut(&change, &files).into_iter().map(|part| (part.name.into_string(), part.pieces[0].hunks.clone())).collect()
    }

    #[test]
    fn hunks_that_share_an_entity_join_through_others() {
        let parts = names_and_hunks(
            fixture(&[5, 15, 25, 35])
                .entity("net/pool.py", 0, "Pool.open", true, EntityChange::Body)
                .entity("net/pool.py", 2, "Pool.open", true, EntityChange::Declaration)
                .entity("net/pool.py", 2, "Pool.close", true, EntityChange::Body)
                .entity("net/pool.py", 3, "Pool.close", true, EntityChange::Body),
        );
        assert_eq!(
            parts,
            [
                ("Pool.open, Pool.close in net/pool.py".to_owned(), vec![0, 2, 3]),
                ("top-level code in net/pool.py".to_owned(), vec![1])
            ]
        );
    }

    #[test]
    fn the_strongest_change_of_an_entity_wins() {
        let (change, files) = fixture(&[5, 25])
            .entity("net/pool.py", 0, "Pool.open", true, EntityChange::Body)
            .entity("net/pool.py", 1, "Pool.open", true, EntityChange::Declaration)
            .build();
        let parts = cut(&change, &files);
        assert_eq!(parts[0].entities.len(), 1);
        assert_eq!(parts[0].entities[0].change, EntityChange::Declaration);
        assert_eq!((parts[0].additions, parts[0].deletions), (2, 2));
    }

    #[test]
    fn equal_names_of_other_kinds_do_not_join() {
        let (change, mut files) = fixture(&[5, 25])
            .entity("net/pool.py", 0, "Pool", true, EntityChange::Body)
            .entity("net/pool.py", 1, "Pool", true, EntityChange::Body)
            .build();
        assert_eq!(cut(&change, &files).len(), 1);
        files[0].entities[1][0].kind = EntityKind::Class;
        assert_eq!(cut(&change, &files).len(), 2);
    }

    #[test]
    fn files_without_hunks_are_parts_named_by_path() {
        let (change, files) = Fixture::new(&[("old.txt", "x\n"), ("run.sh", "y\n")], &[("new.txt", "x\n")])
            .rename("old.txt", "new.txt")
            .file(Side::Head, "run.sh", b"y\n", FileMode::EXECUTABLE)
            .file(Side::Head, "logo\x1b[31m.png", b"\0\x01", FileMode::REGULAR)
            .build();
        let parts = cut(&change, &files);
        let names: Vec<_> = parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["logo^[[31m.png", "new.txt", "run.sh"]);
    }

    #[test]
    fn a_file_whose_entities_were_not_read_has_the_bare_path() {
        let (change, mut files) = fixture(&[5]).build();
        files[0].entities_not_read = Some("no grammar".to_owned());
        assert_eq!(cut(&change, &files)[0].name.as_str(), "net/pool.py");
    }
}
