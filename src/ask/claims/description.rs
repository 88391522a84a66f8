//! Claims in the description: sentences that name an entity or a file of the part.

use std::collections::BTreeSet;

use super::sentences::{is_statement, sentences};
use super::{CHARS, Claim};
use crate::ask::check::names::runs;
use crate::ask::code::{identifiers, is_name_char};
use crate::ask::subject::spoken;
use crate::change::{Reading, Side};
use crate::text::{clean, clean_prose, visible_markdown};

/// Words that begin a sentence which leans on the one before it.
const LEANING: [&str; 9] = ["That ", "This ", "It ", "These ", "Those ", "They ", "Both ", "Its ", "Such "];

/// The claims of the description about a part, in order. What GitHub hides claims nothing.
pub fn claims(reading: &Reading, at: usize) -> Vec<Claim> {
    let part = &reading.parts[at].part;
    let names: BTreeSet<&str> = part.entities.iter().map(spoken).collect();
    let mut paths = BTreeSet::new();
    for file in part.pieces.iter().map(|piece| &reading.change.files[piece.file]) {
        for path in [file.path_on(Side::Base), file.path_on(Side::Head)] {
            paths.insert(path.shown().into_string());
            let name = clean(&String::from_utf8_lossy(path.name())).into_string();
            paths.extend(Some(name).filter(|name| name.contains('.')));
        }
    }
    let mut claims: Vec<Claim> = Vec::new();
    for paragraph in paragraphs(visible_markdown(&reading.change.facts.description).as_str()) {
        let cut = sentences(&paragraph);
        for (at, range) in cut.iter().enumerate() {
            // "That rule is now `for_job`" says little without the sentence before it.
            let leans = LEANING.iter().any(|word| paragraph[range.clone()].starts_with(word));
            let before = at.checked_sub(1).filter(|_| leans).map(|before| cut[before].start);
            let whole = &paragraph[before.unwrap_or(range.start)..range.end];
            let text = if whole.chars().count() <= CHARS { whole } else { &paragraph[range.clone()] };
            let known = claims.iter().any(|claim| claim.text.as_str() == text);
            let told = is_statement(text) && text.chars().count() <= CHARS && !known;
            let named = names_one(&paragraph[range.clone()], &names)
                || paths.iter().any(|path| holds_path(&paragraph[range.clone()], path));
            if told && named {
                claims.push(Claim { text: clean(text), place: None });
            }
        }
    }
    claims
}

/// The paragraphs and list items of a text in markdown, each on one line; headings, quotes and blocks of code are none.
fn paragraphs(text: &str) -> Vec<String> {
    let (mut found, mut open, mut fenced) = (Vec::new(), String::new(), false);
    let text = clean_prose(text);
    for line in text.as_str().lines().chain([""]) {
        let trimmed = line.trim();
        let fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        fenced ^= fence;
        let item = item(trimmed);
        let ends = fence || fenced || trimmed.is_empty() || trimmed.starts_with(['#', '>', '|']) || item.is_some();
        if ends && !open.is_empty() {
            found.push(std::mem::take(&mut open));
        }
        let words = match item {
            Some(words) => words,
            None if ends => continue,
            None => trimmed,
        };
        if !open.is_empty() {
            open.push(' ');
        }
        open.push_str(words);
    }
    found
}

/// The words of a list item.
fn item(line: &str) -> Option<&str> {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered =
        if digits.len() < line.len() { digits.strip_prefix(". ").or(digits.strip_prefix(") ")) } else { None };
    let words = numbered.or_else(|| ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)))?;
    Some(["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| words.strip_prefix(mark)).unwrap_or(words).trim())
}

/// Whether a sentence names one of the names as a whole identifier: in code, or where it can be no ordinary word.
fn names_one(text: &str, names: &BTreeSet<&str>) -> bool {
    runs(text).into_iter().any(|(run, ticked)| match ticked {
        true => identifiers(run).any(|word| names.contains(word)),
        false => names.iter().any(|name| whole(run, name).any(|after| !is_ordinary(name) || after.starts_with('('))),
    })
}

/// A name that could be any word: letters alone, none of them in upper case after the first.
fn is_ordinary(name: &str) -> bool {
    name.chars().all(char::is_alphabetic) && !name.chars().skip(1).any(char::is_uppercase)
}

/// What follows a name wherever it stands as a whole identifier.
fn whole<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let apart = !name.is_empty() && !before.ends_with(is_name_char) && !after.starts_with(is_name_char);
        apart.then_some(after)
    })
}

/// Whether a text holds a path that is not a piece of a longer one.
fn holds_path(text: &str, path: &str) -> bool {
    let inside = |c: char| is_name_char(c) || matches!(c, '/' | '-');
    !path.is_empty()
        && text.match_indices(path).any(|(at, _)| {
            !text[..at].ends_with(|c| inside(c) || c == '.') && !text[at + path.len()..].starts_with(inside)
        })
}
