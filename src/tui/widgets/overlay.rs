//! A text laid over the panes: the live keys, or what there is to know about the change.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::bars;
use super::brush::{self, Brush};
use super::prose::{self, Spans};
use crate::change::{ObjectId, RankedPart};
use crate::engine::events::Progress;
use crate::text::{cells, clean, clean_prose};
use crate::tui::actions::Action;
use crate::tui::model::{Model, Overlay, OverlayKind};
use crate::tui::panes::side::rows::when;
use crate::tui::theme::Role;

/// Most cells an overlay takes.
const WIDEST: u16 = 84;
/// Cells the keys take in the overlay.
const KEYS: usize = 18;

/// Scrolls the overlay that is open.
pub fn scroll(model: &mut Model, action: Action) {
    let Some(layout) = model.layout() else { return };
    let Some(Overlay::Text(kind, top)) = model.overlay else { return };
    let (rows, area) = laid(model, kind, layout.body);
    let page = usize::from(area.height.saturating_sub(2));
    let last = rows.len().saturating_sub(page);
    let top = match action {
        Action::Down => top + 1,
        Action::Up => top.saturating_sub(1),
        Action::HalfDown => top + page / 2,
        Action::HalfUp => top.saturating_sub(page / 2),
        Action::Top => 0,
        Action::Bottom => last,
        _ => top,
    };
    model.overlay = Some(Overlay::Text(kind, top.min(last)));
}

fn laid(model: &Model, kind: OverlayKind, body: Rect) -> (Vec<Spans>, Rect) {
    let width = width_in(body);
    let rows = match kind {
        OverlayKind::Help => help(model, usize::from(width) - 2),
        OverlayKind::About => about(model, usize::from(width) - 2),
    };
    let area = area(rows.len(), body);
    (rows, area)
}

/// The cells an overlay takes.
pub fn width_in(body: Rect) -> u16 {
    if body.width < WIDEST + 12 { body.width } else { WIDEST }
}

/// Where an overlay of so many rows stands, its title row and a free one at its end included.
pub fn area(rows: usize, body: Rect) -> Rect {
    let width = width_in(body);
    let height = u16::try_from(rows + 2).unwrap_or(u16::MAX).min(body.height);
    let (x, y) = (body.x + (body.width - width) / 2, body.y + (body.height - height) / 2);
    Rect { x, y, width, height }
}

/// Draws an overlay from its row `top` on.
pub fn draw(model: &Model, kind: OverlayKind, top: usize, buf: &mut Buffer, body: Rect) {
    let (rows, area) = laid(model, kind, body);
    let top = top.min(rows.len().saturating_sub(page(area)));
    let words = match kind {
        OverlayKind::Help => " Keys",
        OverlayKind::About => " About this part and its change",
    };
    let inner = frame(model, words, rows.len(), top, buf, area);
    bars::rows(model, &rows[top..], buf, inner, model.look.role(Role::Overlay));
}

/// The rows of an overlay that show something.
pub fn page(area: Rect) -> usize {
    usize::from(area.height.saturating_sub(2))
}

/// Draws the ground and the title row of an overlay; where its rows stand.
pub fn frame(model: &Model, words: &str, rows: usize, top: usize, buf: &mut Buffer, area: Rect) -> Rect {
    let page = page(area);
    let style = model.look.role(Role::Overlay);
    brush::clear(buf, area);
    buf.set_style(area, model.look.role(Role::Text));
    for row in 0..area.height {
        let mut brush = Brush::new(buf, &model.look, area, row, style);
        brush.text(&" ".repeat(usize::from(area.width)), style);
    }
    let title = model.look.role(Role::TitleFocused);
    let more = rows.saturating_sub(top + page);
    let right = if more > 0 { format!(" {more} more below ") } else { String::new() };
    let mut brush = Brush::new(buf, &model.look, area, 0, title);
    brush.text(&" ".repeat(usize::from(area.width)), title);
    let mut brush = Brush::new(buf, &model.look, area, 0, title);
    let room = brush.left().saturating_sub(right.len());
    brush.text_within(words, room, title);
    brush.align_right(right.len());
    brush.text(&right, title);
    Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: page as u16 }
}

fn help(model: &Model, width: usize) -> Vec<Spans> {
    let mut rows = Vec::new();
    for (heading, keys) in model.keys.help(model.focus.panes()) {
        rows.push(Spans::new());
        rows.push(vec![(heading.to_owned(), Role::Heading)]);
        for (keys, words) in keys {
            let pad = KEYS.saturating_sub(cells::width(&keys, 1));
            for (at, line) in prose::rows(words, width.saturating_sub(KEYS), Role::Text).into_iter().enumerate() {
                let mut spans = if at == 0 {
                    vec![(keys.clone(), Role::Key), (" ".repeat(pad), Role::Text)]
                } else {
                    vec![(" ".repeat(KEYS), Role::Text)]
                };
                spans.extend(line);
                rows.push(spans);
            }
        }
    }
    rows
}

fn about(model: &Model, width: usize) -> Vec<Spans> {
    let mut page = About { rows: vec![Spans::new()], width };
    if let Some(part) = model.part() {
        page.part(part);
    }
    if let Some(facts) = &model.facts {
        let (from, title) = bars::name(facts);
        page.say("change", from.as_str());
        page.say("title", title.as_str());
        page.say("by", &facts.author);
        page.say("state", facts.state.map_or("", |state| state.word()));
        page.say("into", &facts.base_branch);
        page.say("from", &facts.head_branch);
        page.description(&facts.description);
    }
    if let Some(reader) = &model.reader {
        let change = reader.change();
        let commit = |id: Option<ObjectId>| id.map_or("no commit".to_owned(), |id| id.to_string());
        page.say("merge base", &commit(change.base_commit));
        page.say("head", &commit(change.head_commit));
        page.say("files", &change.files.len().to_string());
    }
    for (stage, progress) in &model.stages {
        if let Progress::Failed(problem) = progress {
            page.say("failed", &format!("{}: {problem}", stage.words()));
        }
    }
    let Some(review) = model.review() else { return page.rows };
    let sum =
        review.parts().iter().fold((0, 0), |sum, part| (sum.0 + part.part.additions, sum.1 + part.part.deletions));
    page.say("lines", &format!("+{} -{}", sum.0, sum.1));
    let source = if review.offline { "offline, from the store" } else { "asked from its source" };
    page.say(
        "read",
        &review.as_of.as_deref().map_or(source.to_owned(), |time| format!("{source}, as of {}", when(time))),
    );
    page.rows.push(Spans::new());
    let left_out = &review.reading.left_out;
    let words = if left_out.is_empty() { "Nothing was left out" } else { "Left out" };
    page.rows.push(vec![(words.to_owned(), Role::Heading)]);
    for left in left_out {
        let path = left.path.as_ref().map_or(String::new(), |path| format!(" of {}", path.shown()));
        page.rows.extend(prose::rows(&format!("{}{path}: {}", left.what, clean(&left.why)), width, Role::Text));
    }
    page.rows
}

struct About {
    rows: Vec<Spans>,
    width: usize,
}

impl About {
    fn heading(&mut self, words: &str) {
        self.rows.push(vec![(words.to_owned(), Role::Heading)]);
    }

    /// The description as it came, what is hidden on GitHub included and marked.
    fn description(&mut self, text: &str) {
        self.rows.push(Spans::new());
        if text.trim().is_empty() {
            self.heading("There is no description");
            return;
        }
        self.heading("Its description");
        let mut hidden = false;
        for line in clean_prose(text).as_str().lines() {
            hidden |= line.contains("<!--");
            let role = if hidden { Role::Warning } else { Role::Text };
            let shown = if hidden { format!("(hidden on GitHub) {line}") } else { line.to_owned() };
            self.rows.extend(prose::rows(&shown, self.width, role));
            hidden &= !line.contains("-->");
        }
        self.rows.push(Spans::new());
    }

    /// The part shown, with every signal and its points.
    fn part(&mut self, part: &RankedPart) {
        self.heading("This part");
        self.say("name", part.part.name.as_str());
        self.say("importance", part.rank.importance.words());
        self.say("reason", part.rank.reason.as_str());
        self.say("noise", &bars::noise(part).unwrap_or_default());
        self.say("points", &part.rank.points.to_string());
        for signal in &part.rank.signals {
            self.say(signal.key, &format!("{}: {}", signal.points, signal.phrase));
        }
        self.rows.push(Spans::new());
        self.heading("The change");
    }

    fn say(&mut self, name: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        let lines = prose::rows(clean(value).as_str(), self.width.saturating_sub(KEYS), Role::Text);
        for (at, line) in lines.into_iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            let mut spans = vec![(format!("{name:<KEYS$}"), Role::Dim)];
            spans.extend(line);
            self.rows.push(spans);
        }
    }
}
