//! `grounds`: what an answer settles rests on lines that were cited, never on what the model happens to know.
//!
//! An ask whose answer settles something says so in its candidate: the word it settles it by, and what that rests on.

use super::{Check, Judged};
use crate::ask::code::is_comment;
use crate::ask::{About, Citation, Claim};
use crate::change::{Place, Side};

/// What an answer settles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// Its word, such as `verified`.
    pub word: &'static str,
    /// Whether that word needs grounds.
    pub needs: bool,
    /// What it says it rests on; none where the ask does not let it say.
    pub source: Option<Source>,
    /// The word for what cannot be settled.
    pub otherwise: &'static str,
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Lines that the change shows.
    Change,
    /// Other lines at the head.
    Head,
    /// What the model knows by itself.
    Memory,
}

impl Source {
    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Change => "the change itself",
            Self::Head => "the code at the head",
            Self::Memory => "the model's own knowledge",
        }
    }
}

/// The check.
pub struct Grounds;

impl Check for Grounds {
    fn name(&self) -> &'static str {
        "grounds"
    }

    fn is_form(&self) -> bool {
        true
    }

    fn failures(&self, judged: &Judged<'_>) -> Vec<String> {
        let Some(settled) = judged.candidate.settled.filter(|settled| settled.needs) else { return Vec::new() };
        let (word, otherwise) = (settled.word, settled.otherwise);
        let mut failures = Vec::new();
        if settled.source == Some(Source::Memory) {
            failures.push(format!(
                "\"{word}\" cannot rest on {}: cite lines that show it, or say \"{otherwise}\".",
                Source::Memory.words()
            ));
        }
        let citations = &judged.candidate.citations;
        if citations.is_empty() {
            failures.push(format!(
                "\"{word}\" needs at least one citation: cite a line that shows it, or say \"{otherwise}\"."
            ));
        } else if settled.source == Some(Source::Change)
            && !citations.iter().any(|citation| is_in_the_change(judged, &citation.place))
        {
            failures.push(format!(
                "No cited line is in the change, so \"{word}\" does not rest on {}: say \"{}\", or cite one that is.",
                Source::Change.words(),
                Source::Head.words()
            ));
        }
        if !citations.is_empty()
            && settled.source == Some(Source::Head)
            && !citations.iter().any(|citation| citation.place.side == Side::Head)
        {
            failures.push(format!(
                "Every cited line is at the base, so \"{word}\" does not rest on {}: cite a line of the head.",
                Source::Head.words()
            ));
        }
        // What is claimed, and what a comment says, prove nothing of what the code does.
        let proves =
            |citation: &Citation| !is_the_claim(judged, &citation.place) && !is_comment(citation.quote.as_str().trim());
        if settled.source.is_some() && !citations.is_empty() && !citations.iter().any(proves) {
            failures.push(format!(
                "Only the claim itself or comments are cited, which prove nothing: cite a line of code, or say \"{otherwise}\"."
            ));
        }
        failures
    }
}

/// Whether a place is where the claim stands.
fn is_the_claim(judged: &Judged<'_>, place: &Place) -> bool {
    let About::Claim(Claim { place: Some(claim), .. }) = &judged.subject.about else { return false };
    (&claim.path, claim.side) == (&place.path, place.side) && (claim.line..=claim.end_line).contains(&place.line)
}

/// Whether a part of the change shows a line.
fn is_in_the_change(judged: &Judged<'_>, place: &Place) -> bool {
    let reading = &judged.subject.reading;
    reading.change.files.iter().zip(reading.files.iter()).any(|(file, read)| {
        file.path_on(place.side) == &place.path
            && read.diff.hunks.iter().any(|hunk| {
                let lines = if place.side == Side::Base { &hunk.base } else { &hunk.head };
                lines.contains(&place.line)
            })
    })
}
