//! The lists laid over the panes: their rows, and how they are drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::brush::Brush;
use super::overlay;
use super::prose;
use crate::ask::{Claim, Takes};
use crate::change::{Place, Thread};
use crate::text::{clean, clean_markdown};
use crate::tui::list::{Entry, List, Of};
use crate::tui::model::Model;
use crate::tui::theme::Role;

/// Cells before the words of an entry: the cursor, its key or number, a space.
const INDENT: usize = 4;
/// Characters of a comment that are shown.
const WORDS: usize = 400;

/// What an ask is about, in words that stand alone.
pub fn takes_words(takes: Takes) -> &'static str {
    match takes {
        Takes::Part => "about the part alone",
        Takes::Claim => "about the selected lines, or one of the part's claims",
        Takes::Thread => "about one of the part's review threads",
        Takes::Question => "one line of your words about the part, the selected lines or a thread",
    }
}

/// The rows of a list in a body of this size.
pub fn rows(model: &Model, list: &List, body: Rect) -> Vec<Entry> {
    let width = usize::from(overlay::width_in(body)).saturating_sub(2 + INDENT);
    let mut page = Page { rows: Vec::new(), width };
    match &list.of {
        Of::Asks => {
            for ask in model.keys.asks() {
                page.entry(ask.key, &format!("{}: {}", ask.kind, ask.title), takes_words(ask.takes));
            }
        }
        Of::Claims(_, None) => page.entry("", "looking for the claims of this part", ""),
        Of::Claims(_, Some(claims)) => claims.iter().for_each(|claim| page.claim(claim)),
        Of::Threads(_, threads) => {
            let all = model.review().map(|review| review.reading.change.threads.as_slice()).unwrap_or_default();
            threads.iter().filter_map(|at| all.get(*at)).for_each(|thread| page.thread(thread));
        }
    }
    page.rows
}

/// How many rows of a list are seen.
pub fn height(rows: usize, body: Rect) -> usize {
    overlay::page(overlay::area(rows, body))
}

/// Draws a list.
pub fn draw(model: &Model, list: &List, buf: &mut Buffer, body: Rect) {
    let rows = rows(model, list, body);
    let area = overlay::area(rows.len(), body);
    let name = model.part().map_or("", |part| part.part.name.as_str());
    let words = match &list.of {
        Of::Asks => format!(" Ask about {name}"),
        Of::Claims(kind, _) => format!(" {kind}: which claim of {name}?"),
        Of::Threads(kind, _) => format!(" {kind}: which thread of {name}?"),
    };
    let inner = overlay::frame(model, &words, rows.len(), list.top, buf, area);
    for (at, (entry, spans)) in (0..inner.height).zip(rows.iter().skip(list.top)) {
        let on = *entry == list.at;
        let first = usize::from(at) + list.top;
        let first = first == 0 || rows.get(first - 1).is_some_and(|(before, _)| before != entry);
        let base = if on { model.look.role(Role::SelectedFocused) } else { Style::default() };
        let mut brush = Brush::new(buf, &model.look, inner, at, base);
        brush.role(if on && first { model.look.glyphs.cursor } else { " " }, Role::Key);
        for (text, role) in spans {
            brush.role(text, *role);
        }
    }
}

struct Page {
    rows: Vec<Entry>,
    width: usize,
}

impl Page {
    fn entry(&mut self, key: &str, words: &str, detail: &str) {
        let at = self.rows.last().map_or(0, |(entry, _)| entry + 1);
        for (row, line) in prose::rows(words, self.width, Role::Text).into_iter().enumerate() {
            let key = if row == 0 { format!("{key:<2} ") } else { " ".repeat(3) };
            let mut spans = vec![(key, Role::Key)];
            spans.extend(line);
            self.rows.push((at, spans));
        }
        if detail.is_empty() {
            return;
        }
        for line in prose::rows(detail, self.width, Role::Dim) {
            let mut spans = vec![(" ".repeat(3), Role::Dim)];
            spans.extend(line);
            self.rows.push((at, spans));
        }
    }

    /// The digit that takes the next entry.
    fn digit(&self) -> String {
        let next = self.rows.last().map_or(1, |(entry, _)| entry + 2);
        if next < 10 { next.to_string() } else { String::new() }
    }

    fn claim(&mut self, claim: &Claim) {
        let place = claim.place.as_ref().map_or("in the description".to_owned(), Place::in_words);
        self.entry(&self.digit(), claim.text.as_str(), &place);
    }

    fn thread(&mut self, thread: &Thread) {
        let (words, count) = match (&thread.not_read, thread.comments.first()) {
            (Some(why), _) => (format!("its comments could not be read: {}", clean(why)), String::new()),
            (None, Some(first)) => (first_words(&first.author, &first.body), counted(thread.comments.len())),
            (None, None) => ("no comment".to_owned(), String::new()),
        };
        let mut details = vec![thread.place.as_ref().map_or("no place any more".to_owned(), Place::in_words)];
        details.extend((!count.is_empty()).then_some(count));
        details.push(if thread.resolved { "resolved" } else { "open" }.to_owned());
        details.extend(thread.outdated.then(|| "outdated: its code has changed since".to_owned()));
        self.entry(&self.digit(), &words, &details.join(", "));
    }
}

/// The author and the first line that says something, as the reviewer may read it.
pub fn first_words(author: &str, body: &str) -> String {
    let text = clean_markdown(body);
    let line = text.as_str().lines().find(|line| !line.trim().is_empty()).unwrap_or("").trim();
    format!("{}: {}", clean(author), line.chars().take(WORDS).collect::<String>())
}

fn counted(comments: usize) -> String {
    if comments == 1 { "1 comment".to_owned() } else { format!("{comments} comments") }
}
