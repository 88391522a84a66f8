//! `described`: what an answer quotes of the description stands in it, as it was shown, where a reader sees it.

use super::citation::SHORT;
use super::{Check, Judged, folded, markers};
use crate::ask::answer::Section;
use crate::ask::brief::shown_description;
use crate::ask::subject::Subject;
use crate::text::{clean_prose, visible_markdown};

/// Quotes of the description that an answer may hold.
pub const MOST: usize = 5;

/// Characters of the longest.
const CHARS: usize = 500;

/// The heading under which they are shown.
const HEADING: &str = "Manual checks the description reports";

/// The check.
pub struct Described;

impl Check for Described {
    fn name(&self) -> &'static str {
        "described"
    }

    fn is_form(&self) -> bool {
        false
    }

    fn failures(&self, judged: &Judged<'_>) -> Vec<String> {
        let quotes = &judged.candidate.described;
        let mut failures = Vec::new();
        if quotes.len() > MOST {
            failures.push(format!("{} quotes of the description are given, {MOST} at most are taken.", quotes.len()));
        }
        let description = Description::of(judged.subject);
        for quote in quotes {
            let quote = unmarked(quote.as_str());
            failures.extend(description.problem(&quote).map(|problem| {
                let start: String = quote.chars().take(60).collect();
                format!("\"{start}\": {problem}")
            }));
        }
        failures
    }
}

/// The description in two forms.
struct Description {
    /// As it was shown to the agent.
    shown: String,
    /// Without what GitHub hides.
    visible: String,
}

impl Description {
    fn of(subject: &Subject) -> Self {
        let text = &subject.reading.change.facts.description;
        let shown = shown_description(text);
        Self { shown: unmarked(shown.as_str()), visible: unmarked(visible_markdown(text).as_str()) }
    }

    fn problem(&self, quote: &str) -> Option<String> {
        let length = quote.chars().count();
        if length > CHARS {
            return Some(format!("the quote has {length} characters, {CHARS} at most are taken: quote less."));
        }
        if length < SHORT {
            return Some(format!("the quote is too short to be checked: quote at least {SHORT} characters."));
        }
        if !self.shown.contains(quote) {
            return Some(
                "the description does not say this: quote its own words as shown, or leave it out.".to_owned(),
            );
        }
        (!self.visible.contains(quote)).then(|| {
            "the description says this only where GitHub hides it: it reports nothing to a reader; leave it out."
                .to_owned()
        })
    }
}

/// Whether the description says this where a reader sees it.
pub fn says(subject: &Subject, quote: &str) -> bool {
    Description::of(subject).problem(&unmarked(quote)).is_none()
}

/// The quotes that hold, their white space folded.
pub fn held(judged: &Judged<'_>) -> Vec<String> {
    if judged.candidate.described.is_empty() {
        return Vec::new();
    }
    let description = Description::of(judged.subject);
    let mut held: Vec<String> = Vec::new();
    for quote in judged.candidate.described.iter().map(|quote| unmarked(quote.as_str())) {
        if description.problem(&quote).is_none() && !held.contains(&quote) {
            held.push(quote);
        }
    }
    held
}

/// The section that shows the quotes that hold, one a line; none where there is none.
pub fn section(judged: &Judged<'_>) -> Option<Section> {
    let quotes = held(judged);
    let lines: Vec<String> = quotes
        .iter()
        .map(|quote| {
            let quote = quote.trim_start_matches(['-', '*', '+']).trim_start();
            // A number in brackets of theirs is none of the answer's citations.
            let quote = if markers(quote).is_empty() { quote.to_owned() } else { quote.replace('[', "[ ") };
            format!("\u{201c}{quote}\u{201d}")
        })
        .collect();
    (!lines.is_empty()).then(|| Section { heading: HEADING.to_owned(), text: clean_prose(&lines.join("\n")) })
}

/// A text on one line, without the marks of quoted lines.
fn unmarked(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start().trim_start_matches(['>', ' ']));
    folded(&lines.collect::<Vec<_>>().join(" "))
}
