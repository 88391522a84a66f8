//! What an ask is about, beside the part: a claim, lines, a thread, or a question in words.
//!
//! [`Wanted`] is what a reviewer picked, in a form every way in can take; [`About`] is what was found for it.

use super::claims::{Claim, claims};
use super::question::Takes;
use super::thread::{Transcript, threads_of, transcript};
use crate::change::{PartLine, Place, Reading, Side};
use crate::text::{Clean, clean};

/// Characters of the longest question in words.
pub const WORDS_CHARS: usize = 1000;
/// Lines of the longest selection.
pub const SELECTED_LINES: usize = 20;
/// Characters of the longest selection.
pub const SELECTED_CHARS: usize = 2000;

/// What the reviewer picked, beside the part. Everything may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Lines of one side that the part shows.
    pub lines: Option<Place>,
    /// One of the part's claims, counted from 0 in the order of [`claims`].
    pub claim: Option<usize>,
    /// One of the part's threads, counted from 0 in the order of [`threads_of`].
    pub thread: Option<usize>,
    /// A question in words.
    pub words: Option<String>,
}

/// Lines that were picked, with their texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// Where.
    pub place: Place,
    /// Their texts, in order.
    pub texts: Vec<Clean>,
}

/// What an ask is about, beside the part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum About {
    /// Nothing: the part alone.
    #[default]
    Part,
    /// One of the part's claims.
    Claim(Claim),
    /// Lines of the part.
    Lines(Lines),
    /// A thread.
    Thread(Transcript),
    /// A question in words about one of the others, never about another question.
    Words(Clean, Box<About>),
}

impl About {
    /// Finds what was picked. `lines` are those the part shows.
    ///
    /// # Errors
    /// What is missing, too long, or not there, in one sentence with what to do.
    pub fn find(
        takes: Takes,
        wanted: &Wanted,
        reading: &Reading,
        at: usize,
        lines: &[PartLine],
    ) -> Result<Self, String> {
        let selected = || wanted.lines.as_ref().map(|place| select(place, reading, lines).map(Self::Lines));
        let thread = |number: usize| {
            let threads = threads_of(reading, at);
            let found = threads.get(number).and_then(|at| reading.change.threads.get(*at));
            let none = || format!("the part has no thread {}: it has {}", number + 1, threads.len());
            found.map(|thread| Self::Thread(transcript(thread))).ok_or_else(none)
        };
        match takes {
            Takes::Part => Ok(Self::Part),
            Takes::Claim => match (selected(), wanted.claim) {
                (Some(selected), _) => selected,
                (None, Some(number)) => {
                    let claims = claims(reading, at, lines);
                    let none = format!("the part has no claim {}: it has {}", number + 1, claims.len());
                    claims.into_iter().nth(number).map(Self::Claim).ok_or(none)
                }
                (None, None) => {
                    Err("nothing is selected: select the lines that claim something, or pick one of the part's claims"
                        .to_owned())
                }
            },
            Takes::Thread => {
                // Where there is one alone, it is the one.
                let only = || (threads_of(reading, at).len() == 1).then_some(0);
                let number =
                    wanted.thread.or_else(only).ok_or("no thread is picked: pick one of the part's threads")?;
                match thread(number)? {
                    Self::Thread(Transcript { comments: Err(why), .. }) => Err(format!(
                        "the thread's comments could not be read ({why}): ask a question about it instead, which is \
                         answered without them"
                    )),
                    found => Ok(found),
                }
            }
            Takes::Question => {
                let words = clean(wanted.words.as_deref().unwrap_or("").trim());
                match words.as_str().chars().count() {
                    0 => return Err("no question is asked: write one line of words".to_owned()),
                    n if n > WORDS_CHARS => {
                        return Err(format!("the question has {n} characters, {WORDS_CHARS} at most are taken"));
                    }
                    _ => {}
                }
                let on = match (selected(), wanted.thread) {
                    (Some(selected), _) => selected?,
                    (None, Some(number)) => thread(number)?,
                    (None, None) => Self::Part,
                };
                Ok(Self::Words(words, Box::new(on)))
            }
        }
    }

    /// The texts that were asked about, other than lines of the part: their names may be repeated.
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Part | Self::Lines(_) => Vec::new(),
            Self::Claim(claim) => vec![claim.text.as_str().to_owned()],
            Self::Thread(transcript) => {
                let said = transcript.comments.iter().flatten();
                said.flat_map(|said| [said.author.as_str().to_owned(), said.text.as_str().to_owned()]).collect()
            }
            Self::Words(words, on) => {
                let mut all = on.words();
                all.push(words.as_str().to_owned());
                all
            }
        }
    }

    /// What was asked, in one line, for the head of the answer; none for the part alone.
    pub fn asked(&self) -> Option<Clean> {
        match self {
            Self::Part => None,
            Self::Claim(claim) => Some(claim.text.clone()),
            Self::Lines(lines) => Some(in_words(&lines.place)),
            Self::Thread(transcript) => Some(transcript.title()),
            Self::Words(words, on) => Some(match on.asked() {
                None => words.clone(),
                Some(on) => clean(&format!("{words} ({on})")),
            }),
        }
    }
}

/// A place in words.
fn in_words(place: &Place) -> Clean {
    let lines = if place.end_line > place.line {
        format!("lines {} to {}", place.line, place.end_line)
    } else {
        format!("line {}", place.line)
    };
    clean(&format!("{lines} of {} ({})", place.path.shown(), place.side.word()))
}

fn select(place: &Place, reading: &Reading, lines: &[PartLine]) -> Result<Lines, String> {
    let (first, last) = (place.line, place.end_line);
    if first == 0 || last < first {
        return Err("the selection holds no line".to_owned());
    }
    let count = (last - first) as usize + 1;
    if count > SELECTED_LINES {
        return Err(format!("{count} lines are selected, {SELECTED_LINES} at most are taken"));
    }
    let shown = |number: u32| {
        lines.iter().find(|line| {
            let on_side = if place.side == Side::Base { line.base_line } else { line.head_line };
            on_side == number && reading.change.files[line.file].path_on(place.side) == &place.path
        })
    };
    let texts: Option<Vec<Clean>> = (first..=last).map(|number| shown(number).map(|line| line.text.clone())).collect();
    let texts = texts
        .ok_or_else(|| format!("the part does not show {}: select lines it shows, all on one side", in_words(place)))?;
    let chars: usize = texts.iter().map(|text| text.as_str().chars().count()).sum();
    if texts.iter().all(|text| text.as_str().trim().is_empty()) {
        return Err("the selected lines are empty".to_owned());
    }
    if chars > SELECTED_CHARS {
        return Err(format!("the selection has {chars} characters, {SELECTED_CHARS} at most are taken"));
    }
    Ok(Lines { place: place.clone(), texts })
}

#[cfg(test)]
#[path = "about_tests.rs"]
mod tests;
