//! The coverage law: every changed line in exactly one part, every changed file in a part.

use std::collections::BTreeMap;

use crate::change::diff::{Hunk, LineKind};
use crate::change::{Change, FileReading};

use super::Part;

/// How often each hunk of each file, and each file without hunks (as hunk `None`), is held by a part.
type Held = BTreeMap<(usize, Option<usize>), u32>;

/// Checks the law for the parts of a change.
///
/// # Errors
/// One sentence a breach, each naming its file with the path cleaned, in the order of the change.
pub fn check(change: &Change, files: &[FileReading], parts: &[Part]) -> Result<(), Vec<String>> {
    let mut problems = Vec::new();
    if change.files.len() != files.len() {
        problems.push(format!("{} files changed but {} were read", change.files.len(), files.len()));
    }
    let held = held(files, parts, &mut problems);
    for (at, (file, reading)) in change.files.iter().zip(files).enumerate() {
        let path = file.path.shown();
        let mut count = |hunk, what: &str| match held.get(&(at, hunk)).copied().unwrap_or(0) {
            0 => problems.push(format!("{path}: {what} in no part")),
            1 => {}
            n => problems.push(format!("{path}: {what} in {n} parts")),
        };
        for (number, hunk) in reading.diff.hunks.iter().enumerate() {
            count(Some(number), &format!("the changed lines of {}", hunk.header()));
        }
        if reading.diff.hunks.is_empty() {
            count(None, "the file");
        }
        problems
            .extend(overlaps(&reading.diff.hunks).map(|header| format!("{path}: {header} overlaps the one before")));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn held(files: &[FileReading], parts: &[Part], problems: &mut Vec<String>) -> Held {
    let mut held = Held::new();
    for part in parts {
        let mut changed = 0;
        for piece in &part.pieces {
            let hunks = files.get(piece.file).map(|file| file.diff.hunks.as_slice());
            let Some(hunks) = hunks else {
                problems.push(format!("{}: holds a file the change lacks", part.name));
                continue;
            };
            if piece.hunks.is_empty() && !hunks.is_empty() {
                problems.push(format!("{}: holds a file but none of its hunks", part.name));
            }
            if piece.hunks.is_empty() {
                *held.entry((piece.file, None)).or_default() += 1;
            }
            for hunk in &piece.hunks {
                *held.entry((piece.file, Some(*hunk))).or_default() += 1;
                match hunks.get(*hunk) {
                    Some(hunk) => changed += hunk.count(LineKind::Addition) + hunk.count(LineKind::Deletion),
                    None => problems.push(format!("{}: holds lines its diff lacks", part.name)),
                }
            }
        }
        if part.pieces.is_empty() {
            problems.push(format!("{}: holds no file", part.name));
        }
        if changed != part.changed_lines() {
            problems.push(format!("{}: counts {} changed lines, holds {changed}", part.name, part.changed_lines()));
        }
    }
    held
}

/// The headers of hunks that begin before the hunk before them ends: a line could then be in two parts.
fn overlaps(hunks: &[Hunk]) -> impl Iterator<Item = String> + '_ {
    let overlap = |two: &&[Hunk]| two[1].base.start < two[0].base.end || two[1].head.start < two[0].head.end;
    hunks.windows(2).filter(overlap).map(|two| two[1].header())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::change::fixtures::{Fixture, change};
    use crate::change::parts::{assemble, cut};
    use crate::change::syntax::{Entity, EntityChange, EntityKind};
    use crate::change::{FileMode, Side};

    #[test]
    fn names_every_breach() {
        let (change, files) = change(&[("a", "1\n"), ("b", "1\n")], &[("a", "2\n"), ("b", "2\n")]);
        let parts = cut(&change, &files);
        assert_eq!(check(&change, &files, &parts), Ok(()));
        assert_eq!(
            check(&change, &files, &parts[..1]),
            Err(vec!["b: the changed lines of @@ -1 +1 @@ in no part".to_owned()])
        );
        let twice = [parts.clone(), parts[..1].to_vec()].concat();
        assert_eq!(
            check(&change, &files, &twice),
            Err(vec!["a: the changed lines of @@ -1 +1 @@ in 2 parts".to_owned()])
        );
        let mut wrong = parts.clone();
        wrong[0].pieces[0].hunks = vec![7];
        wrong[1].pieces[0].file = 9;
        let problems = check(&change, &files, &wrong).unwrap_err();
        assert!(problems.contains(&"top-level code in a: holds lines its diff lacks".to_owned()), "{problems:?}");
        assert!(problems.contains(&"top-level code in b: holds a file the change lacks".to_owned()), "{problems:?}");
    }

    #[test]
    fn parts_over_several_files_pass() {
        let (change, files) = change(&[("a", "1\n"), ("b", "1\n")], &[("a", "2\n"), ("b", "2\n")]);
        let pieces = cut(&change, &files).into_iter().flat_map(|part| part.pieces).collect();
        let part = assemble(&change, &files, pieces);
        assert_eq!(part.name.as_str(), "top-level code in a and 1 other file");
        assert_eq!(check(&change, &files, &[part]), Ok(()));
    }

    type Lines = Option<Vec<String>>;

    /// Up to four files as lines of both sides, and entities thrown at hunks: file, hunk, name, whether a class.
    #[derive(Debug, Clone)]
    struct Sketch {
        files: Vec<(Lines, Lines)>,
        entities: Vec<(usize, usize, String, bool)>,
    }

    impl Sketch {
        fn build(&self) -> (Change, Vec<FileReading>) {
            let mut fixture = Fixture::default();
            for (at, (base, head)) in self.files.iter().enumerate() {
                for (side, lines) in [(Side::Base, base), (Side::Head, head)] {
                    if let Some(lines) = lines {
                        let bytes = lines.join("\n");
                        fixture = fixture.file(side, &format!("f{at}"), bytes.as_bytes(), FileMode::REGULAR);
                    }
                }
            }
            let (change, mut readings) = fixture.build();
            for (file, hunk, name, class) in &self.entities {
                let kind = if *class { EntityKind::Class } else { EntityKind::Function };
                let entity = Entity { kind, name: name.clone(), public: *class, change: EntityChange::Body };
                if let Some(list) = readings.get_mut(*file).and_then(|reading| reading.entities.get_mut(*hunk)) {
                    list.push(entity);
                }
            }
            (change, readings)
        }
    }

    fn sketches() -> impl Strategy<Value = Sketch> {
        let lines = || proptest::option::of(proptest::collection::vec("[a-c]{1,2}", 0..60));
        let entity = (0..4_usize, 0..20_usize, "[f-h]", any::<bool>());
        let files = proptest::collection::vec((lines(), lines()), 1..4);
        (files, proptest::collection::vec(entity, 0..30)).prop_map(|(files, entities)| Sketch { files, entities })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_cut_covers_every_changed_line_once(sketch in sketches()) {
            let (change, files) = sketch.build();
            let parts = cut(&change, &files);
            prop_assert_eq!(check(&change, &files, &parts), Ok(()));
            let keys: BTreeSet<_> = parts.iter().map(|part| &part.key).collect();
            prop_assert_eq!(keys.len(), parts.len());
            prop_assert_eq!(cut(&change, &files), parts.clone());
            let firsts: Vec<_> = parts.iter().map(|part| (part.pieces[0].file, part.pieces[0].hunks.first())).collect();
            prop_assert!(firsts.is_sorted());
        }

        #[test]
        fn the_order_of_entities_changes_no_part(sketch in sketches()) {
            let (change, files) = sketch.build();
            let held = |files: &[FileReading]| -> Vec<_> {
                cut(&change, files).into_iter().map(|part| (part.key, part.pieces)).collect()
            };
            let mut turned = files.clone();
            turned.iter_mut().flat_map(|file| &mut file.entities).for_each(|list| list.reverse());
            prop_assert_eq!(held(&turned), held(&files));
        }
    }
}
