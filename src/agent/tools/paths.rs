//! Paths as agents write them: found exactly, forgiven where they are unambiguous, else refused with similar ones.

use std::collections::BTreeSet;

use super::Refusal;
use super::page::shown_path;
use super::sides::{self, Sides};
use crate::change::{RepoPath, Side, TreeEntry};

/// Bytes of the longest path that is looked for.
const LONGEST: usize = 4096;

/// Similar paths that are named.
const SIMILAR: usize = 5;

/// How similar a name must be to be worth naming, from 0 to 1.
const LIKE: f64 = 0.84;

/// Entries that are compared for similarity, how many of the likest are compared as whole paths, and characters of each.
const COMPARED: usize = 50_000;
const COMPARED_WHOLE: usize = 500;
const COMPARED_CHARS: usize = 200;

/// What a path names on a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// A file, a link or a submodule.
    Entry(TreeEntry),
    /// A folder; the empty path is the root.
    Folder(RepoPath),
}

/// Finds what a path names. Without a side it is the head, unless the path itself begins with the other's name.
///
/// # Errors
/// Where it names nothing: whether the other side has it, what became of it, and which paths are similar.
pub fn find(sides: &Sides, side: Option<Side>, text: &str) -> Result<(Side, Named), Refusal> {
    if text.len() > LONGEST {
        return Err(Refusal::new(format!("No path is longer than {LONGEST} bytes.")));
    }
    let given = side.unwrap_or(Side::Head);
    if let Some(named) = named(sides, given, text)? {
        return Ok((given, named));
    }
    if is_there(sides, other(given), text)? {
        return Err(on_the_other_side(sides, given, text));
    }
    if text.split('/').any(|segment| segment == "..") {
        return Err(Refusal::new("A path with `..` in it names nothing: give the path from the root of the tree."));
    }
    let plain = plain(text);
    if let Some(named) = named(sides, given, &plain)? {
        return Ok((given, named));
    }
    if is_there(sides, other(given), &plain)? {
        return Err(on_the_other_side(sides, given, &plain));
    }
    match prefixed(sides, side, &plain)? {
        Some((side, rest)) => match named(sides, side, rest)? {
            Some(named) => Ok((side, named)),
            None if is_there(sides, other(side), rest)? => Err(on_the_other_side(sides, side, rest)),
            None => Err(nothing(sides, side, rest)?),
        },
        None => Err(nothing(sides, given, &plain)?),
    }
}

/// The other side.
pub fn other(side: Side) -> Side {
    match side {
        Side::Base => Side::Head,
        Side::Head => Side::Base,
    }
}

/// What has exactly this path, or is shown so.
fn named(sides: &Sides, side: Side, text: &str) -> Result<Option<Named>, Refusal> {
    if text.is_empty() {
        return Ok(Some(Named::Folder(RepoPath::from(""))));
    }
    let entries = sides.entries(side)?;
    if let Some(entry) = sides::at(entries, text.as_bytes()) {
        return Ok(Some(Named::Entry(entry.clone())));
    }
    if !sides::below(entries, text.as_bytes()).is_empty() {
        return Ok(Some(Named::Folder(RepoPath::from(text))));
    }
    Ok(shown_so(entries, text))
}

fn is_there(sides: &Sides, side: Side, text: &str) -> Result<bool, Refusal> {
    Ok(!text.is_empty() && named(sides, side, text)?.is_some())
}

/// The one entry or folder that is shown as this text though its bytes differ; none where two are.
fn shown_so(entries: &[TreeEntry], text: &str) -> Option<Named> {
    // Only marks such as `<FF>`, `<U+202E>` and `^I` make a path look different from its bytes.
    if !text.contains(['<', '^']) {
        return None;
    }
    let depth = text.split('/').count();
    let mut found = BTreeSet::new();
    for entry in entries {
        let segments: Vec<&[u8]> = entry.path.as_bytes().split(|byte| *byte == b'/').collect();
        if segments.len() >= depth {
            let path = RepoPath::new(segments[..depth].join(&b'/'));
            if !found.contains(&path) && path.shown().as_str() == text {
                found.insert(path);
            }
        }
    }
    let path = found.pop_first().filter(|_| found.is_empty())?;
    Some(sides::at(entries, path.as_bytes()).cloned().map_or(Named::Folder(path), Named::Entry))
}

/// Without white space around it, slashes at its ends, and segments that say nothing: git has none of them.
fn plain(text: &str) -> String {
    let segments = text.trim().split('/').filter(|segment| !segment.is_empty() && *segment != ".");
    segments.collect::<Vec<_>>().join("/")
}

/// A path that begins with the name of a side, as a diff writes it or as agents guess, where no tree has such a folder.
///
/// # Errors
/// Where the path and the argument name different sides.
fn prefixed<'a>(sides: &Sides, side: Option<Side>, text: &'a str) -> Result<Option<(Side, &'a str)>, Refusal> {
    let (first, rest) = text.split_once('/').unwrap_or((text, ""));
    let meant = match first {
        "head" => Some(Side::Head),
        "base" => Some(Side::Base),
        // What a diff calls its two files says little: without an argument they are looked for at the head.
        "a" | "b" => None,
        _ => return Ok(None),
    };
    if is_there(sides, Side::Head, first)? || is_there(sides, Side::Base, first)? {
        return Ok(None);
    }
    match (meant, side) {
        (Some(meant), Some(side)) if meant != side => {
            Err(Refusal::new("The path and the argument `side` name different sides: the side is not part of a path."))
        }
        (meant, side) => Ok(Some((side.or(meant).unwrap_or(Side::Head), rest))),
    }
}

fn on_the_other_side(sides: &Sides, side: Side, text: &str) -> Refusal {
    let (here, there) = (side.word(), other(side).word());
    let mut words = format!("Nothing has that path at the {here}, but the {there} has it: ask with side `{there}`.");
    let mut names = Vec::new();
    let path = match named(sides, other(side), text) {
        Ok(Some(Named::Entry(entry))) => entry.path,
        _ => return Refusal::new(words),
    };
    if let Some(at) = sides::changed(sides.reading(), other(side), &path) {
        let file = &sides.reading().change.files[at];
        if file.on(side).is_some() && file.path_on(side) != &path {
            words.push_str(&format!(" The change moved it; its path at the {here} is:"));
            names.push(shown_path(file.path_on(side)));
        } else {
            words.push_str(&format!(" The change {} it.", if side == Side::Head { "deletes" } else { "adds" }));
        }
    }
    Refusal { words, names }
}

fn nothing(sides: &Sides, side: Side, text: &str) -> Result<Refusal, Refusal> {
    let entries = sides.entries(side)?;
    let ancestors = text.match_indices('/').map(|(end, _)| &text[..end]);
    if let Some(entry) = ancestors.filter_map(|path| sides::at(entries, path.as_bytes())).next() {
        let words = format!("Nothing has that path at the {}, because this is no folder there:", side.word());
        return Ok(Refusal { words, names: vec![sides.row(side, entry)] });
    }
    let names = similar(entries, text);
    let words = format!("Nothing has that path at the {}.", side.word());
    let words = if names.is_empty() {
        format!("{words} Find it by name with `find_files`, or look around with `list_files`.")
    } else {
        format!("{words} Similar ones are:")
    };
    Ok(Refusal { words, names })
}

/// The paths whose last segment is most like that of a text, and then the whole.
pub fn similar(entries: &[TreeEntry], text: &str) -> Vec<String> {
    let start = |text: &str| text.chars().take(COMPARED_CHARS).collect::<String>();
    let name_of = |path: &str| start(path.rsplit('/').next().unwrap_or_default()).to_lowercase();
    let (wanted, wanted_whole) = (name_of(text), start(text));
    let mut paths: BTreeSet<&[u8]> = BTreeSet::new();
    for entry in entries.iter().take(COMPARED) {
        let path = entry.path.as_bytes();
        paths.insert(path);
        paths.extend(path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| &path[..at]));
    }
    let mut likest: Vec<(f64, &[u8])> = paths
        .into_iter()
        .map(|path| (strsim::jaro_winkler(&name_of(&String::from_utf8_lossy(path)), &wanted), path))
        .filter(|(like, _)| *like >= LIKE)
        .collect();
    // Where many have the name, those in the same folders come first.
    let shared = |path: &[u8]| path.iter().zip(text.as_bytes()).take_while(|(one, two)| one == two).count();
    let by_folder = |one: &[u8], two: &[u8]| shared(two).cmp(&shared(one)).then_with(|| one.cmp(two));
    likest.sort_by(|one, two| two.0.total_cmp(&one.0).then_with(|| by_folder(one.1, two.1)));
    let whole = |(like, path): (f64, &[u8])| {
        let path = RepoPath::new(path);
        (like + strsim::normalized_damerau_levenshtein(&start(&path.text()), &wanted_whole), path)
    };
    let mut likest: Vec<(f64, RepoPath)> = likest.into_iter().take(COMPARED_WHOLE).map(whole).collect();
    likest.sort_by(|one, two| two.0.total_cmp(&one.0).then_with(|| one.1.cmp(&two.1)));
    likest.into_iter().take(SIMILAR).map(|(_, path)| shown_path(&path)).collect()
}
