//! An answer as plain text, to be copied.

use super::answer::{cited, short};
use super::rows::title;
use crate::ask::Answer;
use crate::text::clean;

/// The text of an answer: what was asked, what it says, its citations, the facts, its stamp.
pub fn text(answer: &Answer, stale: bool) -> String {
    let stamp = &answer.stamp;
    let mut paragraphs = vec![format!("{}: {}", title(clean(&stamp.ask).as_str()), answer.part_name)];
    paragraphs.extend(answer.asked.as_ref().map(ToString::to_string));
    if stale {
        paragraphs.push("Stale: the part has changed since this was answered.".to_owned());
    }
    paragraphs.extend(answer.sections.iter().map(|section| format!("{}\n{}", clean(&section.heading), section.text)));
    let citations: Vec<String> = answer.citations.iter().enumerate().map(|(at, one)| cited(at, one)).collect();
    paragraphs.extend((!citations.is_empty()).then(|| citations.join("\n")));
    if !answer.facts.is_empty() {
        let facts: Vec<String> = answer.facts.iter().map(|fact| format!("- {fact}")).collect();
        paragraphs.push(format!("Facts the program counted\n{}", facts.join("\n")));
    }
    if !answer.not_shown.is_empty() {
        let not_shown: Vec<String> = answer.not_shown.iter().map(|what| format!("- {what}")).collect();
        paragraphs.push(format!("What the agent was not shown at first\n{}", not_shown.join("\n")));
    }
    paragraphs.push(format!("{} by {}, {}", clean(&stamp.ask), clean(&stamp.agent), short(stamp)));
    paragraphs.join("\n\n") + "\n"
}
