//! `citation`: the part shows that line on that side of that file, the quote stands on it, and it was given to read.
//!
//! Lines and quotes are compared cleaned, as the agent was shown them, with white space folded.

use super::{Check, Judged, folded};
use crate::ask::subject::Subject;
use crate::change::Place;
use crate::text::shown_line;

/// A shorter quote could stand anywhere: it must be the whole line.
const SHORT: usize = 8;

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
                let place = &citation.place;
                let name = format!("[{}] {}:{} ({})", at + 1, place.path.shown(), place.line, place.side.word());
                problem(judged, place, citation.quote.as_str()).map(|problem| format!("{name}: {problem}"))
            })
            .collect()
    }
}

fn problem(judged: &Judged<'_>, place: &Place, quote: &str) -> Option<String> {
    let subject = judged.subject;
    let Some(at) = line(subject, place) else { return Some(not_shown(subject, place)) };
    if !judged.given.has(place) {
        return Some("this line was not among those given to read: cite one that was.".to_owned());
    }
    let (line, quote) = (folded(&shown_line(&subject.lines[at].text)), folded(quote));
    if quote.is_empty() {
        return Some("the quote is empty: quote the line.".to_owned());
    }
    if !line.contains(&quote) {
        let elsewhere =
            same_quote(judged, &quote).map(|there| format!(" The quote stands at {there}.")).unwrap_or_default();
        return Some(format!("the quote is not on that line, which reads \"{line}\".{elsewhere}"));
    }
    if quote.chars().count() < SHORT && quote != line {
        return Some(format!("the quote is too short to be checked: quote the whole line, \"{line}\"."));
    }
    None
}

/// The position in the subject's lines of the one a place names.
pub fn line(subject: &Subject, place: &Place) -> Option<usize> {
    if place.end_line != place.line {
        return None;
    }
    subject.find(&place.path, place.side, place.line)
}

fn not_shown(subject: &Subject, place: &Place) -> String {
    let files = &subject.reading.change.files;
    let known = subject.lines.iter().any(|line| files[line.file].path_on(place.side) == &place.path);
    let side = place.side.word();
    match known {
        true => {
            format!("the part shows no line of that number at the {side}: cite a line with the side shown before it.")
        }
        false => format!("the part shows no line of that file at the {side}: cite a file the part shows, by its path."),
    }
}

/// Where else the quote stands, if it stands on exactly one line that was given.
fn same_quote(judged: &Judged<'_>, quote: &str) -> Option<String> {
    let mut found = judged.subject.lines.iter().enumerate().filter(|(_, line)| {
        judged.given.has(&judged.subject.place(line)) && folded(&shown_line(&line.text)).contains(quote)
    });
    let (_, line) = found.next()?;
    if found.next().is_some() || quote.chars().count() < SHORT {
        return None;
    }
    let place = judged.subject.place(line);
    Some(format!("{}:{} ({})", place.path.shown(), place.line, place.side.word()))
}
