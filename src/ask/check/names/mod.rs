//! `names`: each file or code name in the prose is one that the change or the stated facts show.
//!
//! Names are compared as whole identifiers, and joined names as they are joined: that `Pool.close` and `File.open` are
//! shown does not make `Pool.open` shown. Title and description vouch for no code: they may name what does not exist.
//!
//! What was asked about (a question, a claim, a thread) vouches for the names it holds, as it holds them: an answer must
//! be able to say that `frobnicate`, which the reviewer asked about, is nowhere. Where an ask cites the head, lines that
//! it cites vouch too, once their citations hold, with the lines that declare what they stand in, where those were given
//! to read; so do paths that the head has, and quotes of the description that hold.

mod known;
mod ordinary;
mod prose;
mod shown;

pub use prose::runs;
pub use shown::Shown;

use std::collections::BTreeSet;

use super::{Check, Judged};
use crate::ask::code::{chains, hyphenated};
use known::Known;
use prose::Name;

/// The check.
pub struct Names;

impl Check for Names {
    fn name(&self) -> &'static str {
        "names"
    }

    fn is_form(&self) -> bool {
        false
    }

    fn failures(&self, judged: &Judged<'_>) -> Vec<String> {
        let vouching = known::vouching(judged);
        let shown = &Known::of(judged, &vouching);
        let (mut seen, mut failures) = (BTreeSet::new(), Vec::new());
        for section in &judged.candidate.sections {
            for name in prose::names(section.text.as_str()) {
                if let Some(problem) = problem(name, shown)
                    && seen.insert(name.text().to_owned())
                {
                    failures.push(problem);
                }
            }
        }
        if !failures.is_empty() && !shown.complete() {
            failures
                .push("The change is too large to be read whole for names; name only what this part shows.".to_owned());
        }
        failures
    }
}

/// Whether a text names anything that is not shown.
pub fn unknown(text: &str, shown: &Shown) -> bool {
    let known = Known::alone(shown);
    prose::names(text).into_iter().any(|name| problem(name, &known).is_some())
}

/// What is wrong with a name; none where it is shown.
fn problem(name: Name<'_>, shown: &Known<'_>) -> Option<String> {
    let text = name.text();
    match name {
        Name::Ticked(_) if path_known(text, shown) => None,
        Name::Ticked(_) if is_path(text) || one_slash(text) => Some(no_path(text, shown)),
        Name::Ticked(_) if text.contains(LOOK_ALIKES) => Some(format!(
            "`{text}` joins names by a character that only looks like one of code: write it as the change writes it."
        )),
        Name::BarePath(_) if path_known(text, shown) => None,
        Name::BarePath(_) if is_bare_path(text) && !text.contains('/') => {
            code_problem(text, shown).map(|_| no_path(text, shown))
        }
        Name::BarePath(_) if is_bare_path(text) || text.contains("://") || shown.starts_like_a_path(text) => {
            Some(no_path(text, shown))
        }
        // Words with a slash between, such as `and/or`: each is looked at alone.
        Name::BarePath(_) => text.split('/').flat_map(prose::names).find_map(|name| problem(name, shown)),
        Name::BareTitle(_) if shown.has_prose(text) => None,
        Name::Ticked(_) | Name::BareCode(_) | Name::BareTitle(_) => code_problem(text, shown),
    }
}

fn is_path(text: &str) -> bool {
    !text.contains(char::is_whitespace) && (prose::has_extension(text) || text.ends_with('/') || slashed(text))
}

/// Whether a word of prose is a path whatever is known: `add/remove/update` and `HTTP/1.1` are words with slashes.
fn is_bare_path(text: &str) -> bool {
    let number = |segment: &str| segment.chars().all(|c| c.is_ascii_digit() || c == '.');
    let of_a_path = |segment: &str| segment.contains('_') || (segment.contains('.') && !number(segment));
    let rooted = text.starts_with("./") || text.starts_with("../") || text.starts_with('/') || text.ends_with('/');
    is_path(text) && (prose::has_extension(text) || rooted || text.split('/').any(of_a_path))
}

/// Segments with slashes between and nothing of an expression in it.
fn slashed(text: &str) -> bool {
    text.trim_matches('/').contains('/') && text.chars().all(|c| c.is_alphanumeric() || "_-./@+".contains(c)) && {
        // `and/or` in prose is told apart by the caller; a lone slash between two short words is no path either.
        text.starts_with(['.', '/']) || text.matches('/').count() > 1 || text.contains(['_', '.'])
    }
}

/// Characters that look like those which join names in code.
const LOOK_ALIKES: [char; 8] =
    ['\u{b7}', '\u{2024}', '\u{2027}', '\u{2236}', '\u{2237}', '\u{30fb}', '\u{ff0e}', '\u{ff1a}'];

/// Whether a ticked text is two names with one slash between: in ticks that is a path, as no line writes it otherwise.
fn one_slash(text: &str) -> bool {
    let plain = |segment: &str| segment.chars().all(|c| c.is_alphanumeric() || "_-.@+".contains(c));
    text.split_once('/').is_some_and(|(left, right)| {
        let name = |segment: &str| plain(segment) && segment.chars().any(char::is_alphabetic);
        name(left) && name(right)
    })
}

fn path_known(text: &str, shown: &Known<'_>) -> bool {
    let path = prose::without_line(text);
    shown.has_path(path) || shown.has_written(text) || shown.has_written(path)
}

fn no_path(text: &str, shown: &Known<'_>) -> String {
    let among =
        if shown.has_head() { "the head, the change or the facts have" } else { "the change or the facts show" };
    format!("`{text}` is no path that {among}: name a file by its path as shown, or leave it out.")
}

/// What is wrong with a piece of code; none where every name of it is shown, joined as it is here.
fn code_problem(text: &str, shown: &Known<'_>) -> Option<String> {
    if ordinary::is_language(text) {
        return None;
    }
    for chain in chains(text) {
        let known = shown.has_chain(&chain) || chain.iter().all(|word| ordinary::is_language(word));
        if known {
            continue;
        }
        let missing: Vec<&str> = chain.iter().copied().filter(|word| !shown.has_identifier(word)).collect();
        let name = chain.join(".");
        return Some(match missing.as_slice() {
            [] => format!(
                "`{name}` in `{text}` is not written so anywhere in the change or the facts, although its words are: \
                 write the name as the change writes it."
            ),
            _ if shown.has_head() => format!(
                "`{}` in `{text}` is neither in the change, the facts nor a line that is cited: cite the line that shows \
                 it, or leave it out.",
                missing.join("`, `")
            ),
            _ => format!(
                "`{}` in `{text}` is neither in the change nor in the facts: use only names they show.",
                missing.join("`, `")
            ),
        });
    }
    hyphenated(text)
        .find(|word| !shown.has_hyphenated(word) && (text == *word || text.contains(&format!("-{word}"))))
        .map(|word| {
            format!("`{word}` is not written so anywhere in the change or the facts: write it as the change writes it.")
        })
}

#[cfg(test)]
mod tests;
