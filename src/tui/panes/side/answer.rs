//! The rows of one answer: what was asked, its sections, citations, the program's facts, and its stamp.

use super::rows::{Page, title, when};
use crate::ask::{Answer, Citation, Stamp};
use crate::change::ObjectId;
use crate::text::clean;
use crate::tui::theme::Role;
use crate::tui::widgets::prose;

impl Page {
    pub(super) fn answer(&mut self, answer: &Answer, stale: bool, full: bool) {
        let stamp = &answer.stamp;
        self.prose(&format!("{} by {}", title(&clean(&stamp.ask).into_string()), clean(&stamp.agent)), Role::Heading);
        if let Some(asked) = &answer.asked {
            self.prose(asked.as_str(), Role::Text);
        }
        self.prose(&if full { in_full(stamp, true) } else { short(stamp) }, Role::Dim);
        if stale {
            self.prose("Stale: the part has changed since this was answered.", Role::Worth);
        }
        for section in &answer.sections {
            self.blank();
            self.prose(&section.heading, Role::Heading);
            self.prose(section.text.as_str(), Role::Text);
        }
        if !answer.citations.is_empty() {
            self.blank();
        }
        for (at, citation) in answer.citations.iter().enumerate() {
            self.citation(at, citation);
        }
        if !answer.facts.is_empty() {
            self.blank();
            self.prose("Facts the program counted", Role::Heading);
        }
        for fact in &answer.facts {
            self.prose(fact.as_str(), Role::Text);
        }
        if !answer.not_shown.is_empty() {
            self.blank();
            self.prose("What the agent was not shown at first", Role::Heading);
        }
        for what in &answer.not_shown {
            self.prose(what.as_str(), Role::Note);
        }
    }

    fn citation(&mut self, at: usize, citation: &Citation) {
        for spans in prose::rows(&cited(at, citation), self.width, Role::Text) {
            self.push(spans, Some(at));
        }
    }
}

/// A citation in one line.
pub(super) fn cited(at: usize, citation: &Citation) -> String {
    format!("[{}] {} \"{}\"", at + 1, citation.place.in_words(), citation.quote.as_str().trim())
}

/// The stamp as one line: model, time, duration, tokens, cost.
pub(super) fn short(stamp: &Stamp) -> String {
    let model = stamp.model.as_deref().map_or("no model was used".to_owned(), |model| clean(model).into_string());
    let mut words = vec![model, when(&stamp.started), took(stamp)];
    words.extend(usage(stamp));
    words.join(", ")
}

/// Everything the stamp says.
pub(super) fn in_full(stamp: &Stamp, passed: bool) -> String {
    let model =
        stamp.model.as_deref().map_or("no model was used".to_owned(), |model| format!("model {}", clean(model)));
    let mut words = vec![
        format!("{} version {}", clean(&stamp.ask), stamp.ask_version),
        format!("{} {}", clean(&stamp.agent), clean(&stamp.agent_version)),
        model,
    ];
    let named = [("effort", &stamp.effort), ("login:", &stamp.login), ("account", &stamp.account)];
    words.extend(named.iter().filter_map(|(name, value)| Some(format!("{name} {}", clean(value.as_deref()?)))));
    words.push(format!("asked {}", when(&stamp.started)));
    words.push(format!("took {}", took(stamp)));
    words.extend(usage(stamp));
    if stamp.attempts > 1 {
        words.push(format!("answers submitted: {}", stamp.attempts));
    }
    words.push(commits(stamp.base_commit, stamp.head_commit));
    if !stamp.fences.is_empty() {
        words.push(format!("fences: {}", clean(&stamp.fences.join(", "))));
    }
    if passed {
        words.push(format!("checks passed: {}", clean(&stamp.checks.join(", "))));
    }
    words.join("; ")
}

/// The commits that were compared.
pub fn commits(base: Option<ObjectId>, head: Option<ObjectId>) -> String {
    let commit = |id: Option<ObjectId>| id.map_or("no commit".to_owned(), |id| id.short());
    match (base, head) {
        (None, None) => "no commits".to_owned(),
        _ => format!("base {}, head {}", commit(base), commit(head)),
    }
}

/// A duration as people read it.
fn took(stamp: &Stamp) -> String {
    match stamp.duration_ms {
        short @ 0..1_000 => format!("{short} ms"),
        long => format!("{}.{} s", long / 1000, long % 1000 / 100),
    }
}

fn usage(stamp: &Stamp) -> Vec<String> {
    let tokens = stamp.tokens.map(|tokens| format!("{tokens} tokens"));
    let cost = stamp.cost.as_deref().map(|cost| format!("US$ {}", clean(cost)));
    tokens.into_iter().chain(cost).collect()
}
