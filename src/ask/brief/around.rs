//! What is known around the part: counted facts, declarations, the description, the other parts.

use super::page::{Page, counted, cut};
use crate::ask::subject::Subject;
use crate::text::{Clean, clean, clean_markdown};

/// Characters of a title and of a description.
const TITLE_CHARS: usize = 300;
const DESCRIPTION_CHARS: usize = 10_000;

/// Characters of the other blocks.
const FACTS_CHARS: usize = 5000;
const DECLARATIONS_CHARS: usize = 8000;
const OTHERS_CHARS: usize = 6000;

pub fn title(page: &mut Page<'_>, subject: &Subject) {
    page.data("title", clean(&cut(&subject.reading.change.facts.title, TITLE_CHARS)).as_str());
}

/// The description as a brief shows it: what GitHub hides said to be hidden, cut where it is very long.
pub fn shown_description(text: &str) -> Clean {
    clean_markdown(&cut(text.trim(), DESCRIPTION_CHARS))
}

pub fn description(page: &mut Page<'_>, subject: &Subject) {
    let text = subject.reading.change.facts.description.trim();
    if text.is_empty() {
        page.say("The change has no description.\n");
        return;
    }
    let shown = shown_description(text);
    let room = page.left();
    match shown.as_str().chars().count() > room {
        true => page.data("description", &cut(shown.as_str(), room)),
        false => page.data("description", shown.as_str()),
    }
    let shown = DESCRIPTION_CHARS.min(room);
    if text.chars().count() > shown {
        page.not_shown(&format!("The description was cut after {shown} characters."));
    }
}

pub fn facts(page: &mut Page<'_>, subject: &Subject) {
    let facts: Vec<String> = subject.fact_sentences().into_iter().map(Clean::into_string).collect();
    if facts.is_empty() {
        return;
    }
    page.say("What Second Look counted itself, by name (the names come from the code):\n");
    let left = page.list("facts", &facts, FACTS_CHARS);
    rest(page, left, "counted fact");
}

pub fn declarations(page: &mut Page<'_>, subject: &Subject) {
    let mut lines = Vec::new();
    for declared in &subject.declared {
        let entity = &declared.entity;
        let public = if entity.public { "public " } else { "" };
        let mut text = format!("{public}{} {} ({})", entity.kind.word(), clean(&entity.name), entity.change.word());
        for signature in declared.base.iter().chain(&declared.head) {
            let place = &signature.place;
            let (side, path) = (place.side.word(), place.path.shown());
            text.push_str(&format!("\n  {side} {path}:{} | {}", place.line, signature.text));
        }
        lines.push(text);
    }
    if lines.is_empty() {
        page.say("The part has no declaration that was read.\n");
        return;
    }
    let left = page.list("declarations of the part", &lines, DECLARATIONS_CHARS);
    rest(page, left, "declaration");
}

pub fn others(page: &mut Page<'_>, subject: &Subject) {
    if subject.others.is_empty() {
        page.say("The change has no other part.\n");
        return;
    }
    let lines: Vec<String> =
        subject.others.iter().map(|other| format!("part {}: {}", other.number, other.name)).collect();
    let left = page.list("other parts", &lines, OTHERS_CHARS);
    rest(page, left, "other part");
}

/// Says how much of a list did not fit, to both.
fn rest(page: &mut Page<'_>, left: usize, unit: &str) {
    if left > 0 {
        let count = counted(left, unit);
        page.say(&format!("{count} more did not fit.\n"));
        page.not_shown(&format!("{count} did not fit into the brief."));
    }
}
