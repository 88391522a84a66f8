//! What the mentions say about parts: which other files name them, and which tests do.

use std::collections::{BTreeMap, BTreeSet};

use super::{Mentions, search_names};
use crate::change::parts::Part;
use crate::change::rank::{PartReferences, References, Role, role_of};
use crate::change::{Change, RepoPath, Side};

/// Which other files name each part. The files a part itself changes do not count, under neither of their paths.
pub fn references(change: &Change, parts: &[Part], mentions: &Mentions) -> References {
    let of = |part: &Part| {
        let names = search_names(part);
        let own = own_paths(change, part);
        let naming = names.iter().filter_map(|name| mentions.files.get(name)).flatten();
        let files: BTreeSet<&RepoPath> = naming.filter(|path| !own.contains(path)).collect();
        (part.key.clone(), PartReferences { names, files: files.into_iter().cloned().collect() })
    };
    References { parts: parts.iter().map(of).collect() }
}

/// The test files of the head, those of the change included, that name a part's entities, by the bytes of their
/// paths, each with the names it holds. A test file that the part itself changes does not count.
pub fn tests_naming(change: &Change, part: &Part, mentions: &Mentions) -> Vec<(RepoPath, Vec<String>)> {
    let own = own_paths(change, part);
    let mut tests: BTreeMap<&RepoPath, Vec<String>> = BTreeMap::new();
    for name in search_names(part) {
        for path in mentions.files.get(&name).into_iter().flatten() {
            if !own.contains(path) && role_of(path) == Role::Test {
                tests.entry(path).or_default().push(name.clone());
            }
        }
    }
    tests.into_iter().map(|(path, names)| (path.clone(), names)).collect()
}

fn own_paths<'a>(change: &'a Change, part: &Part) -> BTreeSet<&'a RepoPath> {
    let files = part.pieces.iter().filter_map(|piece| change.files.get(piece.file));
    files.flat_map(|file| [file.path_on(Side::Base), file.path_on(Side::Head)]).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use crate::change::fixtures::Fixture;
    use crate::change::parts::cut;
    use crate::change::syntax::EntityChange;
    use crate::index::{Limits, all_names, mentions};

    #[test]
    fn counts_other_files_and_names_the_tests() {
        let rest = [("use.py", "Pool().close()"), ("tests/test_pool.py", "close; open"), ("tests/test_other.py", "x")];
        let base = [&[("pool.py", "old"), ("b.py", "b")], &rest[..]].concat();
        let head = [&[("pool.py", "def close(): pass"), ("b.py", "B")], &rest[..]].concat();
        let (change, files) = Fixture::new(&base, &head)
            .entity("pool.py", 0, "Pool.close", true, EntityChange::Body)
            .entity("pool.py", 0, "Pool.open", true, EntityChange::Body)
            .build();
        let parts = cut(&change, &files);
        let names = all_names(&parts);
        assert_eq!(names, ["close", "open"].map(str::to_owned).into());
        let found = mentions(&*change.trees, &names, Limits::default()).unwrap();
        let counted = references(&change, &parts, &found);
        let of = |at: usize| counted.of(&parts[at]).unwrap();
        assert_eq!((of(0).names.len(), of(0).files.len()), (0, 0));
        assert_eq!(of(1).names, ["close", "open"]);
        assert_eq!(of(1).files, ["tests/test_pool.py".into(), "use.py".into()]);
        assert_eq!(
            tests_naming(&change, &parts[1], &found),
            [("tests/test_pool.py".into(), vec!["close".to_owned(), "open".to_owned()])]
        );
    }
}
