//! The rows of the side pane, made from the answers of one part.

use std::time::Duration;

use super::{Ended, Running};
use crate::ask::{Answer, Citation, Refusal, Stamp};
use crate::text::clean;
use crate::tui::theme::Role;
use crate::tui::widgets::prose::{self, Spans};

/// One row, with the answer and citation it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SideRow {
    /// Its text.
    pub spans: Spans,
    /// The position of its answer among the review's answers.
    pub answer: Option<usize>,
    /// The position of its citation among the answer's citations.
    pub citation: Option<usize>,
}

/// What the rows are made from.
pub struct Content<'a> {
    /// The asks that wait or run on the part, the first asked first.
    pub running: Vec<&'a Running>,
    /// The time, since the start of the session.
    pub now: Duration,
    /// What ended without an answer.
    pub ended: Option<&'a (&'static str, Ended)>,
    /// Answers with their positions and whether they are stale, newest first.
    pub answers: Vec<(usize, &'a Answer, bool)>,
    /// The key that cancels.
    pub cancel_key: String,
    /// What can be asked: key and words.
    pub asks: Vec<(String, &'static str)>,
    /// Cells a row has.
    pub width: usize,
}

/// Makes the rows.
pub fn rows(content: &Content<'_>) -> Vec<SideRow> {
    let mut page = Page { rows: Vec::new(), width: content.width, answer: None };
    for running in &content.running {
        page.running(running, content.now, &content.cancel_key);
    }
    if let Some((kind, ended)) = content.ended.filter(|_| content.running.is_empty()) {
        page.ended(kind, ended);
    }
    for (at, answer, stale) in &content.answers {
        page.answer = Some(*at);
        page.answer(answer, *stale);
        page.answer = None;
        page.blank();
    }
    if page.rows.is_empty() {
        page.prose("Nothing was asked about this part yet.", Role::Dim);
        for (key, words) in &content.asks {
            page.prose(&format!("{key}  {words}"), Role::Dim);
        }
    }
    page.rows
}

struct Page {
    rows: Vec<SideRow>,
    width: usize,
    answer: Option<usize>,
}

impl Page {
    fn push(&mut self, spans: Spans, citation: Option<usize>) {
        self.rows.push(SideRow { spans, answer: self.answer, citation });
    }

    fn blank(&mut self) {
        self.push(Spans::new(), None);
    }

    fn prose(&mut self, text: &str, role: Role) {
        for spans in prose::rows(text, self.width, role) {
            self.push(spans, None);
        }
    }

    fn running(&mut self, running: &Running, now: Duration, cancel: &str) {
        let verb = if running.stopping { "stopping" } else { "running" };
        let words = match running.started {
            Some(started) => format!("{verb}, {} s", now.saturating_sub(started).as_secs()),
            None if running.stopping => verb.to_owned(),
            None => "waits for its turn".to_owned(),
        };
        self.prose(&format!("{} {words}", title(running.kind)), Role::Heading);
        if !running.progress.as_str().is_empty() {
            self.prose(running.progress.as_str(), Role::Dim);
        }
        self.prose(&format!("{cancel} cancels it"), Role::Dim);
        self.blank();
    }

    fn ended(&mut self, kind: &str, ended: &Ended) {
        match ended {
            Ended::Refused(refusal) => self.refusal(kind, refusal),
            Ended::NoAnswer(reason, why) => {
                self.prose(&format!("{}: no answer, {}", title(kind), reason.words()), Role::Must);
                self.prose(why.as_str(), Role::Text);
                self.prose(&format!("What to do: {}.", reason.next()), Role::Dim);
            }
            Ended::Cancelled => self.prose(&format!("{}: cancelled", title(kind)), Role::Dim),
        }
        self.blank();
    }

    fn refusal(&mut self, kind: &str, refusal: &Refusal) {
        self.prose(&format!("{}: no answer, its checks failed", title(kind)), Role::Must);
        for failure in &refusal.failed {
            self.prose(&format!("{}: {}", failure.check, failure.what), Role::Text);
        }
        self.stamp(&refusal.stamp, false);
    }

    fn answer(&mut self, answer: &Answer, stale: bool) {
        let stamp = &answer.stamp;
        self.prose(
            &format!("{} by {}, {}", title(&stamp.ask), clean(&stamp.agent), when(&stamp.started)),
            Role::Heading,
        );
        if stale {
            self.prose("Stale: the part has changed since this was answered.", Role::Worth);
        }
        for section in &answer.sections {
            self.blank();
            self.prose(&section.heading, Role::Heading);
            self.prose(section.text.as_str(), Role::Text);
        }
        self.blank();
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
        self.blank();
        self.stamp(stamp, true);
    }

    fn citation(&mut self, at: usize, citation: &Citation) {
        let place = &citation.place;
        let lines = if place.end_line > place.line {
            format!("{}-{}", place.line, place.end_line)
        } else {
            place.line.to_string()
        };
        let text = format!(
            "[{}] {}:{lines} {} \"{}\"",
            at + 1,
            place.path.shown(),
            place.side.word(),
            citation.quote.as_str().trim()
        );
        for spans in prose::rows(&text, self.width, Role::Text) {
            self.push(spans, Some(at));
        }
    }

    fn stamp(&mut self, stamp: &Stamp, passed: bool) {
        let model =
            stamp.model.as_deref().map_or("no model was used".to_owned(), |model| format!("model {}", clean(model)));
        let mut words = vec![format!("{} {}", clean(&stamp.agent), clean(&stamp.agent_version)), model];
        words.extend(stamp.effort.as_deref().map(|effort| format!("effort {}", clean(effort))));
        words.extend(stamp.account.as_deref().map(|account| format!("account {}", clean(account))));
        words.push(format!("took {}.{:03} s", stamp.duration_ms / 1000, stamp.duration_ms % 1000));
        words.extend(stamp.tokens.map(|tokens| format!("{tokens} tokens")));
        words.extend(stamp.cost.as_deref().map(|cost| format!("US$ {}", clean(cost))));
        if stamp.attempts > 1 {
            words.push("second try".to_owned());
        }
        let commit = |id: Option<crate::change::ObjectId>| id.map_or("no commit".to_owned(), |id| id.short());
        words.push(format!("base {}, head {}", commit(stamp.base_commit), commit(stamp.head_commit)));
        if passed {
            words.push(format!("checks passed: {}", stamp.checks.join(", ")));
        }
        self.prose(&words.join("; "), Role::Dim);
    }
}

/// An ask's name with a capital.
fn title(kind: &str) -> String {
    let mut chars = kind.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// A time as RFC 3339 in UTC, to the minute, as people read it.
pub fn when(time: &str) -> String {
    match (time.get(..10), time.get(11..16)) {
        (Some(day), Some(minute)) => clean(&format!("{day} {minute} UTC")).into_string(),
        _ => clean(time).into_string(),
    }
}
