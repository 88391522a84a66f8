//! What a part is called: the entities it touches and where, all cleaned, for names and paths are hostile.

use std::collections::BTreeSet;

use crate::change::syntax::Entity;
use crate::change::{Change, FileReading, RepoPath};
use crate::text::{Clean, clean};

use super::Piece;

/// How many entity names are written out before "and N more".
pub const NAMES_SHOWN: usize = 3;

/// Characters of one entity name that are shown; longer names are made, not written.
const NAME_CHARS: usize = 120;

/// `A, B, C and 2 more in path`, `top-level code in path`, or the bare path where entities could not be read or
/// there is no hunk. Other files of the part are counted behind the first: `... and 1 other file`.
pub(super) fn name(change: &Change, files: &[FileReading], pieces: &[Piece], entities: &[Entity]) -> Clean {
    let Some(first) = pieces.first() else { return clean("nothing") };
    let path = shown_path(&change.files[first.file].path, pieces.len() - 1);
    if !entities.is_empty() {
        return clean(&format!("{} in {path}", list_names(entities.iter().map(|entity| entity.name.as_str()))));
    }
    let entities_read = files[first.file].entities_not_read.is_none();
    if entities_read && !first.hunks.is_empty() { clean(&format!("top-level code in {path}")) } else { clean(&path) }
}

/// Distinct names in order of first appearance, cleaned: `A, B, C and 2 more`.
pub fn list_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Clean {
    let mut seen = BTreeSet::new();
    let distinct: Vec<&str> = names.into_iter().filter(|name| seen.insert(*name)).collect();
    let shown: Vec<String> = distinct.iter().take(NAMES_SHOWN).map(|name| shorten(name)).collect();
    let list = shown.join(", ");
    match distinct.len().saturating_sub(NAMES_SHOWN) {
        0 => clean(&list),
        more => clean(&format!("{list} and {more} more")),
    }
}

fn shorten(name: &str) -> String {
    match name.char_indices().nth(NAME_CHARS) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}

fn shown_path(path: &RepoPath, others: usize) -> String {
    let path = path.shown();
    match others {
        0 => path.into_string(),
        1 => format!("{path} and 1 other file"),
        n => format!("{path} and {n} other files"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_each_name_once_and_counts_the_rest() {
        assert_eq!(list_names(["a", "b", "a"]).as_str(), "a, b");
        assert_eq!(list_names(["a", "b", "c", "b", "d", "e"]).as_str(), "a, b, c and 2 more");
        assert_eq!(list_names(["x\u{202e}\n"]).as_str(), "x<U+202E>^J");
        assert_eq!(list_names(["é".repeat(500).as_str()]).as_str().chars().count(), NAME_CHARS + 3);
    }
}
