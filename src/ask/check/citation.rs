//! `citation`: the line is there, the quote stands on it, and it was given to read.
//!
//! A line that the part shows, on either side, may be cited by every ask. An ask that cites the head may also cite any
//! line of a text there: its quote starts on that line and may run on over a few. Lines and quotes are compared
//! cleaned, as the agent was shown them, with white space folded.

use std::collections::BTreeSet;

use super::{Check, Judged, folded};
use crate::ask::answer::Citation;
use crate::ask::head;
use crate::ask::question::Cites;
use crate::change::{Place, RepoPath, Side};
use crate::text::{clean, shown_line};

/// A shorter quote could stand anywhere: it must be the whole line.
pub const SHORT: usize = 8;

/// Files at the head that are searched for a quote that does not stand where it is said to.
const SEARCHED: usize = 20;

/// The check.
pub struct Cited;

impl Check for Cited {
    fn name(&self) -> &'static str {
        "citation"
    }

    fn is_form(&self) -> bool {
        false
    }

    fn failures(&self, judged: &Judged<'_>) -> Vec<String> {
        let citations = judged.candidate.citations.iter();
        citations
            .enumerate()
            .filter_map(|(at, citation)| {
                let name = format!("[{}] {}", at + 1, in_words(&citation.place));
                held(judged, citation).err().map(|problem| format!("{name}: {problem}"))
            })
            .collect()
    }
}

/// `pool.py:12 (head)`.
fn in_words(place: &Place) -> String {
    format!("{}:{} ({})", place.path.shown(), place.line, place.side.word())
}

/// The citation as it is kept, re-read: the lines its quote stands on, and the first of them whole.
///
/// # Errors
/// What is wrong with it, in one sentence.
pub fn held(judged: &Judged<'_>, citation: &Citation) -> Result<Citation, String> {
    let (place, subject) = (&citation.place, judged.subject);
    let quote = folded(citation.quote.as_str());
    let tree = judged.cites == Cites::Head && place.side == Side::Head;
    match subject.find(&place.path, place.side, place.line).filter(|_| place.line == place.end_line) {
        Some(at) => {
            let line = folded(&shown_line(&subject.lines[at].text));
            if tree && !quote.is_empty() && !line.contains(&quote) {
                // It may run on beyond the line.
                return in_tree(judged, place, &quote);
            }
            fits(judged, place, &quote, &line)?;
            Ok(Citation { place: place.clone(), quote: clean(shown_line(&subject.lines[at].text).trim()) })
        }
        None if tree => in_tree(judged, place, &quote),
        None => Err(not_shown(judged, place)),
    }
}

fn in_tree(judged: &Judged<'_>, place: &Place, quote: &str) -> Result<Citation, String> {
    let text = head::text(judged.subject, &place.path)
        .map_err(|why| format!("{}: cite a line of a text at the head, by its path.", clean(&why)))?;
    let Some(line) = head::line(&text, place.line).filter(|_| place.line == place.end_line) else {
        return Err(format!("the file has {} lines at the head: cite one of them.", text.lines()));
    };
    let last = if quote.is_empty() { None } else { head::quote_end(&text, place.line, quote) };
    let span = Place { end_line: last.unwrap_or(place.line), ..place.clone() };
    match last {
        Some(last) if last > place.line => fits(judged, &span, quote, &head::joined(&text, place.line, last))?,
        _ => fits(judged, &span, quote, &line)?,
    }
    Ok(Citation { place: span, quote: clean(&line) })
}

/// Whether lines that were given hold the quote; `line` is what stands there, folded.
fn fits(judged: &Judged<'_>, place: &Place, quote: &str, line: &str) -> Result<(), String> {
    if !judged.given.has(place) {
        return Err(match place.end_line - place.line {
            0 => "this line was not among those given to read: cite one that was.".to_owned(),
            _ => "not all lines that the quote runs over were given to read: quote only what was.".to_owned(),
        });
    }
    if quote.is_empty() {
        return Err("the quote is empty: quote the line.".to_owned());
    }
    if !line.contains(quote) {
        let elsewhere =
            same_quote(judged, quote).map(|there| format!(" The quote stands at {there}.")).unwrap_or_default();
        return Err(format!("the quote is not on that line, which reads \"{line}\".{elsewhere}"));
    }
    if quote.chars().count() < SHORT && quote != line {
        return Err(format!("the quote is too short to be checked: quote the whole line, \"{line}\"."));
    }
    Ok(())
}

fn not_shown(judged: &Judged<'_>, place: &Place) -> String {
    let subject = judged.subject;
    let files = &subject.reading.change.files;
    let known = subject.lines.iter().any(|line| files[line.file].path_on(place.side) == &place.path);
    let side = place.side.word();
    let or_head = if judged.cites == Cites::Head { ", or a line at the head" } else { "" };
    match known {
        true => format!(
            "the part shows no line of that number at the {side}: cite a line with the side shown before it{or_head}."
        ),
        false => format!(
            "the part shows no line of that file at the {side}: cite a file the part shows, by its path{or_head}."
        ),
    }
}

/// Where else the quote stands, if it stands on exactly one line that was given.
fn same_quote(judged: &Judged<'_>, quote: &str) -> Option<String> {
    if quote.chars().count() < SHORT {
        return None;
    }
    let mut found: BTreeSet<(RepoPath, Side, u32)> = BTreeSet::new();
    for line in &judged.subject.lines {
        let place = judged.subject.place(line);
        if judged.given.has(&place) && folded(&shown_line(&line.text)).contains(quote) {
            found.insert((place.path, place.side, place.line));
        }
    }
    if judged.cites == Cites::Head {
        found.extend(at_the_head(judged, quote));
    }
    let mut found = found.into_iter();
    let (path, side, line) = found.next()?;
    found.next().is_none().then(|| in_words(&Place { path, side, line, end_line: line }))
}

/// The given lines of cited and read files at the head that hold a quote.
fn at_the_head(judged: &Judged<'_>, quote: &str) -> Vec<(RepoPath, Side, u32)> {
    let cited = judged.candidate.citations.iter().map(|citation| citation.place.path.clone());
    let mut paths: BTreeSet<RepoPath> = cited.collect();
    if let super::Given::Read(ledger) = judged.given {
        paths.extend(ledger.lines().filter(|(side, ..)| *side == Side::Head).map(|(_, path, _)| path.clone()));
    }
    let mut found = Vec::new();
    for path in paths.into_iter().take(SEARCHED) {
        let Ok(text) = head::text(judged.subject, &path) else { continue };
        for line in 1..=text.lines() {
            let place = Place { path: path.clone(), side: Side::Head, line, end_line: line };
            if judged.given.has(&place) && head::line(&text, line).is_some_and(|text| text.contains(quote)) {
                found.push((path.clone(), Side::Head, line));
            }
        }
    }
    found
}
