//! The identity of parts: equal edits keep their key through rebases, edits nearby and newer grammars.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::change::{Change, FileReading, FileVersion, Side};

use super::{ContentKey, Part, Piece};

/// Changes whenever what goes into a key does; kept marks of another version are then found no more.
const VERSION: &[u8] = b"part 1";

/// Gives every part its key. Parts of equal content are told apart by counting them in the order given.
pub fn assign_keys(change: &Change, files: &[FileReading], parts: &mut [Part]) {
    let mut seen: BTreeMap<[u8; 32], u64> = BTreeMap::new();
    for part in parts {
        let content = content(change, files, &part.pieces);
        let occurrence = seen.entry(content).or_default();
        let digest = Sha256::new().chain_update(content).chain_update(occurrence.to_le_bytes()).finalize();
        *occurrence += 1;
        part.key = ContentKey(digest.iter().map(|byte| format!("{byte:02x}")).collect());
    }
}

/// Hunks count in order: the same lines added the other way round are another edit.
fn content(change: &Change, files: &[FileReading], pieces: &[Piece]) -> [u8; 32] {
    let mut hash = Sha256::new();
    field(&mut hash, VERSION);
    for piece in pieces {
        let file = &change.files[piece.file];
        field(&mut hash, b"file");
        field(&mut hash, file.path_on(Side::Base).as_bytes());
        field(&mut hash, file.path_on(Side::Head).as_bytes());
        field(&mut hash, file.kind.word().as_bytes());
        if file.mode_changed() {
            let mode = |version: Option<FileVersion>| version.map_or(String::new(), |version| version.mode.to_string());
            field(&mut hash, format!("mode {} {}", mode(file.base), mode(file.head)).as_bytes());
        }
        if piece.hunks.is_empty() {
            let blob = |version: Option<FileVersion>| version.map_or(String::new(), |version| version.blob.to_string());
            field(&mut hash, format!("blobs {} {}", blob(file.base), blob(file.head)).as_bytes());
        }
        add_hunks(&mut hash, &files[piece.file], &piece.hunks);
    }
    hash.finalize().into()
}

fn add_hunks(hash: &mut Sha256, reading: &FileReading, hunks: &[usize]) {
    let diff = &reading.diff;
    for hunk in hunks.iter().filter_map(|hunk| diff.hunks.get(*hunk)) {
        field(hash, &hunk.digest);
    }
    // A hunk's digest cannot tell a final newline that came from one that went, and only the last hunk can hold it.
    let holds_the_end = hunks.last().is_some_and(|last| last + 1 == diff.hunks.len());
    if holds_the_end && diff.base_lacks_newline != diff.head_lacks_newline {
        field(hash, if diff.head_lacks_newline { b"newline went" } else { b"newline came" });
    }
}

/// Adds bytes with their length before them, so that no two lists of fields run together to the same bytes.
fn field(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use crate::change::fixtures::{Fixture, change};
    use crate::change::parts::cut;
    use crate::change::syntax::EntityChange;
    use crate::change::{FileMode, Side};

    fn keys(fixture: Fixture) -> Vec<String> {
        let (change, files) = fixture.build();
        cut(&change, &files).into_iter().map(|part| part.key.0).collect()
    }

    fn text(first: &str, edited: &str) -> String {
        format!("{first}\n{}{edited}\n{}", "same\n".repeat(8), "tail\n".repeat(8))
    }

    fn one(path: &str, base: &str, head: &str) -> String {
        let found = keys(Fixture::new(&[(path, base)], &[(path, head)]));
        assert_eq!(found.len(), 1);
        found[0].clone()
    }

    #[test]
    fn survives_a_rebase_and_other_context() {
        let before = one("a.py", &text("top", "old"), &text("top", "new"));
        let rebased = one("a.py", &text("top\nmore\nlines", "old"), &text("top\nmore\nlines", "new"));
        let context =
            one("a.py", &text("x", "old").replace("tail", "other"), &text("x", "new").replace("tail", "other"));
        assert_eq!(before, rebased);
        assert_eq!(before, context);
        assert_eq!(before.len(), 64);
    }

    #[test]
    fn survives_a_newer_grammar_and_an_edit_nearby() {
        let (base, head) = (text("top", "old"), text("top", "new"));
        let named =
            Fixture::new(&[("a.py", &base)], &[("a.py", &head)]).entity("a.py", 0, "f", true, EntityChange::Body);
        assert_eq!(keys(named)[0], one("a.py", &base, &head));
        let nearby = Fixture::new(&[("a.py", &base)], &[("a.py", &text("top edited", "new"))])
            .entity("a.py", 0, "f", true, EntityChange::Body)
            .entity("a.py", 1, "g", true, EntityChange::Body);
        assert!(keys(nearby).contains(&one("a.py", &base, &head)));
    }

    #[test]
    fn tells_edits_paths_kinds_and_modes_apart() {
        let base = text("top", "old");
        let mut all = vec![
            one("a.py", &base, &text("top", "new")),
            one("a.py", &base, &text("top", "newer")),
            one("a.py", &text("top", "new"), &base),
            one("b.py", &base, &text("top", "new")),
            one("a.py", "a", "a\n"),
            one("a.py", "a\n", "a"),
        ];
        all.extend(keys(Fixture::new(&[("a.py", "a\n")], &[])));
        all.extend(keys(Fixture::new(&[], &[("a.py", "a\n")])));
        let mode = |to| Fixture::new(&[("a.py", "a\n")], &[]).file(Side::Head, "a.py", b"a\n", to);
        all.extend(keys(mode(FileMode::EXECUTABLE)));
        all.extend(keys(mode(FileMode::SYMLINK)));
        all.extend(keys(Fixture::new(&[], &[]).file(Side::Head, "x.bin", b"\0a", FileMode::REGULAR)));
        all.extend(keys(Fixture::new(&[], &[]).file(Side::Head, "x.bin", b"\0b", FileMode::REGULAR)));
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!((all.len(), count), (12, 12));
    }

    #[test]
    fn equal_edits_of_one_file_are_told_apart_and_stay_so() {
        let far = "line\n".repeat(10);
        let base = format!("old\n{far}old\n{far}");
        let head = format!("new\n{far}new\n{far}");
        let two = |prefix: &str| {
            keys(
                Fixture::new(&[("a", &format!("{prefix}{base}"))], &[("a", &format!("{prefix}{head}"))])
                    .entity("a", 0, "f", false, EntityChange::Body)
                    .entity("a", 1, "g", false, EntityChange::Body),
            )
        };
        let found = two("");
        assert_eq!(found.len(), 2);
        assert_ne!(found[0], found[1]);
        assert_eq!(two("another\nline\n"), found);
    }

    #[test]
    fn a_part_alone_has_the_key_it_has_among_others() {
        let (alone, files) = change(&[("b", "1\n")], &[("b", "2\n")]);
        let key = cut(&alone, &files)[0].key.clone();
        let (among, files) = change(&[("a", "1\n"), ("b", "1\n")], &[("a", "2\n"), ("b", "2\n")]);
        assert_eq!(cut(&among, &files)[1].key, key);
    }
}
