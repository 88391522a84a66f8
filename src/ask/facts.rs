//! Facts: what the index counted about a part. The program states them itself, apart from citations.

use std::collections::BTreeSet;

use crate::change::parts::Part;
use crate::change::rank::{Role, role_of};
use crate::change::{Change, RepoPath, Side};
use crate::index::{Mentions, search_names};
use crate::text::{Clean, clean};

/// Paths a sentence lists before it says how many more there are.
const LISTED: usize = 3;

/// Paths kept of each list; the rest is a number.
const KEPT: usize = 12;

/// What was counted in the head tree about the entities of a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// One a name that was searched for, in the part's order.
    pub named: Vec<Named>,
    /// Files of the head that were not searched.
    pub unsearched: u32,
    /// Why nothing was counted, in one clause; none where it was, or where the part has no entity.
    pub not_counted: Option<String>,
}

/// Which files of the head name an entity. By name: another thing of the same name counts too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// The name that was searched for, as other code would write it: the last segment of the entity's.
    pub name: String,
    /// Files that name it, neither tests nor files of the part itself, in path order; the list may be cut.
    pub references: Vec<RepoPath>,
    /// How many such files there are beyond those listed.
    pub more_references: u32,
    /// Test files that name it, other than files of the part itself, in path order; the list may be cut.
    pub tests: Vec<RepoPath>,
    /// How many such test files there are beyond those listed.
    pub more_tests: u32,
}

impl Named {
    /// How many files that are no tests name it.
    pub fn reference_count(&self) -> usize {
        self.references.len() + self.more_references as usize
    }

    /// How many test files name it.
    pub fn test_count(&self) -> usize {
        self.tests.len() + self.more_tests as usize
    }
}

impl Facts {
    /// Takes the facts of a part from what the index found.
    pub fn counted(change: &Change, part: &Part, mentions: &Mentions) -> Self {
        let own: BTreeSet<&RepoPath> = part
            .pieces
            .iter()
            .filter_map(|piece| change.files.get(piece.file))
            .flat_map(|file| [file.path_on(Side::Base), file.path_on(Side::Head)])
            .collect();
        let named = search_names(part).into_iter().map(|name| {
            let files = mentions.files.get(&name).map_or(&[][..], Vec::as_slice).iter();
            let (mut tests, mut references): (Vec<RepoPath>, Vec<RepoPath>) =
                files.filter(|path| !own.contains(path)).cloned().partition(|path| role_of(path) == Role::Test);
            let more = |paths: &mut Vec<RepoPath>| {
                let more = paths.len().saturating_sub(KEPT);
                paths.truncate(KEPT);
                u32::try_from(more).unwrap_or(u32::MAX)
            };
            let (more_references, more_tests) = (more(&mut references), more(&mut tests));
            Named { name, references, more_references, tests, more_tests }
        });
        let unsearched = u32::try_from(mentions.skipped.len()).unwrap_or(u32::MAX);
        Self { named: named.collect(), unsearched, not_counted: None }
    }

    /// Facts of a change whose names were not counted, and why, in one clause.
    pub fn not_counted(why: impl Into<String>) -> Self {
        Self { not_counted: Some(why.into()), ..Self::default() }
    }

    /// What was counted about a name.
    pub fn of(&self, name: &str) -> Option<&Named> {
        self.named.iter().find(|named| named.name == name)
    }

    /// Every path the facts state.
    pub fn paths(&self) -> impl Iterator<Item = &RepoPath> {
        self.named.iter().flat_map(|named| named.references.iter().chain(&named.tests))
    }

    /// The facts in words, one sentence each, as a brief holds them and the reviewer reads them.
    pub fn sentences(&self) -> Vec<Clean> {
        let mut sentences: Vec<String> = self.named.iter().map(sentence).collect();
        if let Some(why) = &self.not_counted {
            sentences.push(format!("Files that name the part's declarations were not counted: {why}."));
        }
        if self.unsearched > 0 && !self.named.is_empty() {
            sentences.push(format!("{} of the head could not be searched.", files(self.unsearched as usize, "")));
        }
        sentences.iter().map(|sentence| clean(sentence)).collect()
    }
}

/// Who names it, in one sentence: other files, then tests.
fn sentence(named: &Named) -> String {
    let (name, references, tests) = (&named.name, named.reference_count(), named.test_count());
    let listed = list(&named.references, named.more_references);
    let first = match references {
        0 => format!("No other file of the head names `{name}`"),
        1 => format!("1 other file of the head names `{name}`: {listed}"),
        n => format!("{n} other files of the head name `{name}`: {listed}"),
    };
    let second = match (references, tests) {
        (0, 0) => ", and no test file does".to_owned(),
        (_, 0) => "; no test file does".to_owned(),
        (_, 1) => format!("; 1 test file does: {}", list(&named.tests, 0)),
        (_, n) => format!("; {n} test files do: {}", list(&named.tests, named.more_tests)),
    };
    format!("{first}{second}.")
}

/// `1 file`, `3 other files`.
pub fn files(count: usize, which: &str) -> String {
    match (count, which) {
        (1, "") => "1 file".to_owned(),
        (1, which) => format!("1 {which} file"),
        (n, "") => format!("{n} files"),
        (n, which) => format!("{n} {which} files"),
    }
}

/// The last segment of a qualified name.
pub fn last_segment(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Paths in backticks, the first few, then how many more.
pub fn list(paths: &[RepoPath], more: u32) -> String {
    let mut words: Vec<String> = paths.iter().take(LISTED).map(|path| format!("`{}`", path.shown())).collect();
    let rest = paths.len().saturating_sub(LISTED) + more as usize;
    if rest > 0 {
        words.push(format!("{rest} more"));
    }
    join(&words)
}

/// `a`, `a and b`, `a, b and c`.
pub fn join(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_read_as_sentences() {
        let paths = |names: &[&str]| names.iter().map(|name| RepoPath::from(*name)).collect::<Vec<_>>();
        let facts = Facts {
            named: vec![Named {
                name: "close".to_owned(),
                references: paths(&["a", "b", "c", "d", "e"]),
                more_references: 2,
                tests: paths(&["t"]),
                more_tests: 0,
            }],
            unsearched: 1,
            not_counted: None,
        };
        let sentences: Vec<_> = facts.sentences().iter().map(|s| s.as_str().to_owned()).collect();
        assert_eq!(
            sentences,
            [
                "7 other files of the head name `close`: `a`, `b`, `c` and 4 more; 1 test file does: `t`.",
                "1 file of the head could not be searched.",
            ]
        );
    }
}
