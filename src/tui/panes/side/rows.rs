//! The rows of the side pane, made from the asks, answers and drafts of one part.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::ask::Answer;
use crate::change::parts::ContentKey;
use crate::engine::events::AskId;
use crate::review::{DraftId, KeptDraft};
use crate::text::{cells, clean, clean_prose};
use crate::tui::asking::{Asked, Asking, Running};
use crate::tui::glyphs::Glyphs;
use crate::tui::theme::Role;
use crate::tui::widgets::prose::{self, Spans};

/// Something in the pane that is no answer and can be acted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// An ask that waits or runs.
    Ask(AskId),
    /// An ask that ended without an answer.
    Ended(AskId),
    /// An ask whose answer was refused.
    Refused(AskId),
    /// A draft.
    Draft(DraftId),
    /// Where a draft will stand.
    DraftPlace(DraftId),
}

/// One row, with what it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SideRow {
    /// Its text.
    pub spans: Spans,
    /// The position of its answer among the review's answers.
    pub answer: Option<usize>,
    /// The position of its citation among the answer's citations.
    pub citation: Option<usize>,
    /// What it belongs to beside an answer.
    pub item: Option<Item>,
}

/// The keys that rows name.
pub struct Named {
    /// Cancel, as the pane that has the focus takes them.
    pub cancel: String,
    /// Jumps and unfolds.
    pub enter: String,
    /// Opens the menu of asks.
    pub menu: String,
    /// What can be asked with one key: the key and its words.
    pub asks: Vec<(String, &'static str)>,
}

/// What became of the part a draft was made about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// It is the part shown.
    Own,
    /// A part of its name is there, with other content.
    Changed,
    /// No part of its name is there.
    Gone,
}

/// What the rows are made from.
pub struct Content<'a> {
    /// The part.
    pub part: &'a ContentKey,
    /// The asks of this session.
    pub asking: &'a Asking,
    /// The time, since the start of the session.
    pub now: Duration,
    /// Answers with their positions and whether they are stale, newest first.
    pub answers: Vec<(usize, &'a Answer, bool)>,
    /// Drafts, newest first.
    pub drafts: Vec<(&'a KeptDraft, Whose)>,
    /// What is unfolded.
    pub unfolded: &'a BTreeSet<Item>,
    /// Whether stamps are shown in full.
    pub full_stamps: bool,
    /// The keys that are named.
    pub keys: Named,
    /// The marks.
    pub glyphs: &'a Glyphs,
    /// Cells a row has.
    pub width: usize,
}

/// Makes the rows.
pub fn rows(content: &Content<'_>) -> Vec<SideRow> {
    let mut page = Page { rows: Vec::new(), width: content.width, answer: None, item: None };
    page.queue(content);
    page.ends(content, |since| since == 0);
    for (number, (at, answer, stale)) in (1..).zip(&content.answers) {
        page.answer = Some(*at);
        page.answer(answer, *stale, content.full_stamps);
        page.answer = None;
        page.blank();
        page.ends(content, |since| since == number);
    }
    page.ends(content, |since| since > content.answers.len());
    if page.rows.is_empty() {
        page.prose("Nothing was asked about this part yet.", Role::Dim);
        for (key, words) in &content.keys.asks {
            page.prose(&format!("{key}  {words}"), Role::Dim);
        }
        page.prose(&format!("{}  everything that can be asked", content.keys.menu), Role::Dim);
        page.blank();
    }
    page.drafts(content);
    while page.rows.last().is_some_and(|row| row.spans.is_empty()) {
        page.rows.pop();
    }
    page.rows
}

/// The rows so far, and what the next ones belong to.
pub(super) struct Page {
    rows: Vec<SideRow>,
    pub(super) width: usize,
    answer: Option<usize>,
    item: Option<Item>,
}

impl Page {
    pub(super) fn push(&mut self, spans: Spans, citation: Option<usize>) {
        self.rows.push(SideRow { spans, answer: self.answer, citation, item: self.item });
    }

    pub(super) fn blank(&mut self) {
        self.push(Spans::new(), None);
    }

    pub(super) fn prose(&mut self, text: &str, role: Role) {
        for spans in prose::rows(text, self.width, role) {
            self.push(spans, None);
        }
    }

    /// Prose that stands two cells to the right, every row of it.
    fn indented(&mut self, text: &str, role: Role) {
        for mut spans in prose::rows(text, self.width.saturating_sub(2), role) {
            spans.insert(0, ("  ".to_owned(), role));
            self.push(spans, None);
        }
    }

    /// Text that is no prose: nothing in it stands out, and each row begins with a mark.
    pub(super) fn marked(&mut self, mark: &str, text: &str, role: Role) {
        for line in cells::wrap(text, self.width.saturating_sub(mark.len())) {
            self.push(vec![(format!("{mark}{}", &text[line]), role)], None);
        }
    }

    pub(super) fn of(&mut self, item: Item, draw: impl FnOnce(&mut Self)) {
        self.item = Some(item);
        draw(self);
        self.item = None;
    }

    /// Everything that waits or runs, what is about other parts in one line.
    fn queue(&mut self, content: &Content<'_>) {
        let running = &content.asking.running;
        for one in running {
            let before = content.asking.before(one.id);
            self.of(Item::Ask(one.id), |page| page.running(one, content, before));
        }
        if running.iter().any(|one| !one.stopping) {
            let which = if running.len() > 1 { "the one under the cursor, or the last one" } else { "it" };
            self.prose(&format!("{} cancels {which}", content.keys.cancel), Role::Dim);
        }
        if !running.is_empty() {
            self.blank();
        }
    }

    fn running(&mut self, running: &Running, content: &Content<'_>, before: usize) {
        let seconds = running.started.map(|started| content.now.saturating_sub(started).as_secs());
        let words = match (running.stopping, seconds) {
            (true, None) => "stopping".to_owned(),
            (true, Some(seconds)) => format!("stopping, {seconds} s"),
            (false, Some(seconds)) => format!("running, {seconds} s"),
            (false, None) if before > 0 => format!("waits for its turn after {before} more"),
            (false, None) => "waits for its turn".to_owned(),
        };
        let here = running.what.part == *content.part;
        let role = if here { Role::Heading } else { Role::Dim };
        self.prose(&format!("{} {words}", title(running.what.kind)), role);
        if !here {
            self.indented(&format!("about {}", running.what.part_name), Role::Dim);
        }
        self.about(&running.what);
        if !running.progress.as_str().is_empty() {
            self.indented(running.progress.as_str(), Role::Dim);
        }
    }

    /// What was picked beside the part.
    pub(super) fn about(&mut self, what: &Asked) {
        if !what.about.as_str().is_empty() {
            self.indented(what.about.as_str(), Role::Text);
        }
    }

    fn drafts(&mut self, content: &Content<'_>) {
        if content.drafts.is_empty() {
            return;
        }
        if self.rows.last().is_some_and(|row| !row.spans.is_empty()) {
            self.blank();
        }
        self.prose(&format!("Drafts {}", content.drafts.len()), Role::Heading);
        self.prose("Kept here; nothing was sent to GitHub.", Role::Dim);
        for (kept, whose) in &content.drafts {
            self.of(Item::Draft(kept.id), |page| page.draft(kept, *whose, content));
        }
    }

    fn draft(&mut self, kept: &KeptDraft, whose: Whose, content: &Content<'_>) {
        let draft = &kept.draft;
        let open = content.unfolded.contains(&Item::Draft(kept.id));
        let place = draft.place.as_ref().map_or("the conversation".to_owned(), crate::change::Place::in_words);
        let fold = if open { content.glyphs.unfolded } else { content.glyphs.folded };
        let text = clean_prose(&draft.text);
        self.push(vec![(format!("{fold} "), Role::Key), (place.clone(), Role::Text)], None);
        let became = match whose {
            Whose::Own => None,
            Whose::Changed => Some("its part has changed since"),
            Whose::Gone => Some("its part is no longer there"),
        };
        if let Some(became) = became {
            self.indented(&format!("{became}: {}", clean(&draft.part_name)), Role::Worth);
        }
        if open {
            if draft.place.is_some() {
                self.item = Some(Item::DraftPlace(kept.id));
                self.prose(&format!("{} here jumps to {place}", content.keys.enter), Role::Dim);
                self.item = Some(Item::Draft(kept.id));
            }
            self.prose(text.as_str(), Role::Text);
            let from = draft
                .from
                .as_ref()
                .map(|from| format!("Made of {} by {}, {}", clean(&from.ask), clean(&from.agent), when(&from.started)));
            self.prose(&format!("{}; kept {}", from.unwrap_or_default(), when(&kept.at)), Role::Dim);
        } else {
            let first = text.as_str().lines().find(|line| !line.is_empty() && !line.starts_with("**")).unwrap_or("");
            self.push(vec![(format!("  {first}"), Role::Dim)], None);
        }
    }
}

/// An ask's name with a capital.
pub fn title(kind: &str) -> String {
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
