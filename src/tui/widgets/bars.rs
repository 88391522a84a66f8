//! The rows around the panes: the line on top, the banner of a part, the toast, the footer.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::brush::{self, Brush, width};
use super::prose;
use crate::change::{Facts, Origin, RankedPart, RepoPath, Side};
use crate::review::Review;
use crate::text::{Clean, cells, clean};
use crate::tui::actions::Action;
use crate::tui::layout::{self, Focus, MEDIUM};
use crate::tui::model::{Model, Phase};
use crate::tui::panes::diff::Subject;
use crate::tui::panes::side::rows::{Item, when};
use crate::tui::panes::tree::Section;
use crate::tui::prompt::{LIMIT, Prompt, Purpose};
use crate::tui::theme::Role;

/// What a change is called: where it comes from and its title.
pub fn name(facts: &Facts) -> (Clean, Clean) {
    let from = match &facts.origin {
        Origin::PullRequest(pull) => pull.short(),
        Origin::Local { range, .. } => range.clone(),
        Origin::Recorded(name) => name.clone(),
    };
    (clean(&from), clean(&facts.title))
}

/// The line on top: the change at the left, progress at the right.
pub fn header(model: &Model, buf: &mut Buffer, area: Rect) {
    let style = model.look.role(Role::Header);
    let mut brush = Brush::new(buf, &model.look, area, 0, style);
    let progress = progress(model);
    brush.skip(1);
    let room = brush.left().saturating_sub(width(&progress, &model.look) + 2);
    let words = match &model.facts {
        Some(facts) => {
            let (from, title) = name(facts);
            if from == title { from.into_string() } else { format!("{from}  {title}") }
        }
        None => "Second Look".to_owned(),
    };
    brush.text_within(&words, room, style);
    brush.align_right(width(&progress, &model.look) + 1);
    brush.text(&progress, style);
}

/// Marked and all parts by importance, what was left out, how old it is.
fn progress(model: &Model) -> String {
    let Some(review) = model.review() else { return String::new() };
    let mut words = Vec::new();
    // Where there is little room the tree alone counts what matters least.
    let sections = if model.size.width < MEDIUM { &Section::ALL[..2] } else { &Section::ALL };
    for section in sections.iter().copied() {
        let count = model.tree.count_of(section);
        match section {
            Section::Noise => words.push(format!("noise {}", count.parts)),
            Section::Of(_) => words.push(format!("{} {}/{}", section.short(), count.marked, count.parts)),
        }
    }
    if !review.reading.left_out.is_empty() {
        words.push(format!("left out {}", review.reading.left_out.len()));
    }
    words.extend(age(review, model.size.width));
    words.join("  ")
}

fn age(review: &Review, width: u16) -> Option<String> {
    match (&review.as_of, review.offline) {
        (Some(time), true) if width >= 110 => Some(format!("offline, as of {}", when(time))),
        (_, true) => Some("offline".to_owned()),
        (Some(time), false) if width >= 140 => Some(format!("as of {}", when(time))),
        _ => None,
    }
}

/// The line that says the head moved.
pub fn moved(model: &Model, buf: &mut Buffer, area: Rect) {
    let Some(head) = model.moved else { return };
    let style = model.look.role(Role::Warning);
    let mut brush = Brush::new(buf, &model.look, area, 0, style);
    let key = model.keys.key_of(Action::Refresh);
    let shown = model.reader.as_ref().and_then(|reader| reader.change().head_commit);
    let shown = shown.map_or("the head you opened".to_owned(), |id| id.short());
    brush.text(&format!(" The head moved to {}: {key} reads it. Shown is {shown}.", head.short()), style);
}

/// Cells below which the banner keeps its room for the part's name.
const NARROW: u16 = 56;

/// What the part shown is and why it stands where it does.
pub fn banner(model: &Model, buf: &mut Buffer, area: Rect, focused: bool) {
    let title = model.look.role(if focused { Role::TitleFocused } else { Role::Title });
    if let Some(Subject::Whole(side, path)) = &model.diff.subject {
        return whole_banner(model, (*side, path), title, buf, area);
    }
    let Some((review, part)) = model.review().zip(model.part()) else {
        let mut brush = Brush::new(buf, &model.look, area, 0, title);
        brush.text(" parts are being cut; these are the changed files", title);
        return;
    };
    let mut brush = Brush::new(buf, &model.look, area, 0, title);
    let counts = format!("+{} -{}", part.part.additions, part.part.deletions);
    let narrow = area.width < NARROW;
    let reviewed = model.look.glyphs.reviewed;
    let state = match (review.is_marked(part), narrow) {
        (false, _) => String::new(),
        (true, true) => format!("{reviewed} "),
        (true, false) => format!("{reviewed} reviewed  "),
    };
    let state = match model.side.answers.len() {
        0 => state,
        _ if narrow => state,
        1 => format!("{state}1 answer  "),
        count => format!("{state}{count} answers  "),
    };
    let right = width(&state, &model.look) + counts.len() + 1;
    let mut rank = rank(review, part);
    if let (true, Some(end)) = (narrow, rank.find(':')) {
        // The section is in the tree beside it; the part's name has the room.
        rank.truncate(end + 1);
    }
    brush.text(&format!(" {rank}  "), title);
    brush.text_within(part.part.name.as_str(), brush.left().saturating_sub(right + 1), title);
    brush.align_right(right);
    brush.text(&format!("{state}{counts}"), title);
    let pane = model.layout().and_then(|layout| layout.diff).unwrap_or(area);
    for (row, (line, role)) in (1..area.height).zip(banner_lines(model, pane)) {
        let mut brush = Brush::new(buf, &model.look, area, row, Style::default());
        brush.skip(1);
        brush.role(&line, role);
    }
}

/// Which file is shown whole, of which side and commit.
fn whole_banner(model: &Model, (side, path): (Side, &RepoPath), title: Style, buf: &mut Buffer, area: Rect) {
    let change = model.reader.as_ref().map(|reader| reader.change());
    let commit = change.and_then(|change| if side == Side::Base { change.base_commit } else { change.head_commit });
    let commit = commit.map_or("no commit".to_owned(), |id| format!("commit {}", id.short()));
    let right = format!("{}, {commit} ", side.word());
    let mut brush = Brush::new(buf, &model.look, area, 0, title);
    brush.skip(1);
    brush.text_within(path.shown().as_str(), brush.left().saturating_sub(right.len() + 1), title);
    brush.align_right(right.len());
    brush.text(&right, title);
    if area.height > 1 {
        let mut brush = Brush::new(buf, &model.look, area, 1, Style::default());
        brush.skip(1);
        brush.role(&whole_words(model), Role::Dim);
    }
}

fn whole_words(model: &Model) -> String {
    let (back, esc) = (model.keys.key_of(Action::Return), model.keys.key_of(Action::Back));
    format!("the whole file, to read only; {esc} or {back} returns")
}

/// What the banner says below its title: the reason, what kind of noise it is, the signals; as much as has room
/// in a diff pane of this area.
pub fn banner_lines(model: &Model, area: Rect) -> Vec<(String, Role)> {
    if model.diff.is_whole() {
        return vec![(whole_words(model), Role::Dim)];
    }
    let Some(part) = model.part() else { return Vec::new() };
    let width = usize::from(area.width.saturating_sub(2)).max(1);
    let mut room = usize::from(layout::banner_limit(area)) - 1;
    let mut said = vec![(part.rank.reason.as_str().to_owned(), Role::Text)];
    said.extend(noise(part).map(|words| (words, Role::Note)));
    said.push((signals(part), Role::Dim));
    let mut lines = Vec::new();
    for (at, (text, role)) in said.iter().enumerate() {
        // Each of them has a row before one of them has two.
        let most = room.saturating_sub(said.len() - at - 1).max(usize::from(at < 2)).min(room);
        let wrapped = cells::wrap(text, width);
        for (row, line) in wrapped.iter().take(most).enumerate() {
            let whole = row + 1 < most || wrapped.len() <= most;
            let line = if whole { &text[line.clone()] } else { &text[line.start..] };
            lines.push((line.to_owned(), *role));
        }
        room -= most.min(wrapped.len());
    }
    lines
}

/// What kind of noise a part is, and what the rule cannot see.
pub fn noise(part: &RankedPart) -> Option<String> {
    let noise = part.noise.as_ref()?;
    Some(format!("{} noise, {}: {}", noise.state.word(), noise.label.words(), clean(&noise.blind_spot)))
}

/// `part 4: must review 1 of 3`; the number is the one that answers and the command line use.
fn rank(review: &Review, part: &RankedPart) -> String {
    let section = Section::holding(part);
    let mut members = review.parts().iter().filter(|one| Section::holding(one) == section);
    let at = members.clone().position(|one| one.part.key == part.part.key).map_or(0, |at| at + 1);
    let number = review.parts().iter().position(|one| one.part.key == part.part.key).map_or(0, |at| at + 1);
    format!("part {number}: {} {at} of {}", section.words(), members.by_ref().count())
}

fn signals(part: &RankedPart) -> String {
    let one = |signal: &crate::change::rank::Signal| match signal.points {
        0 => signal.phrase.as_str().to_owned(),
        points => format!("{} ({points})", signal.phrase),
    };
    let all: Vec<String> = part.rank.signals.iter().map(one).collect();
    format!("signals: {}", if all.is_empty() { "none".to_owned() } else { all.join("; ") })
}

/// The newest toast, over the last rows of the panes.
pub fn toast(model: &Model, buf: &mut Buffer, area: Rect) {
    let Some(toast) = model.toasts.last() else { return };
    let style = model.look.role(toast.role);
    let text = clean(&toast.text).into_string();
    let lines = cells::wrap(&text, usize::from(area.width.saturating_sub(2)));
    let shown = lines.len().min(4) as u16;
    let rows = Rect { y: area.bottom() - shown, height: shown, ..area };
    brush::clear(buf, rows);
    for (row, line) in (area.height.saturating_sub(shown)..area.height).zip(lines) {
        let mut brush = Brush::new(buf, &model.look, area, row, style);
        let wide = brush.left();
        brush.text(&format!("{:wide$}", ""), style);
        let mut brush = Brush::new(buf, &model.look, area, row, style);
        brush.skip(1);
        brush.text(&text[line], style);
    }
}

/// What is typed, or the keys of the pane that has the focus, as many as fit; what runs at the right.
pub fn footer(model: &Model, buf: &mut Buffer, area: Rect) {
    let style = model.look.role(Role::Footer);
    let mut brush = Brush::new(buf, &model.look, area, 0, style);
    if let Some(prompt) = &model.prompt {
        return typed(model, prompt, &mut brush);
    }
    let status = status(model);
    let status_width = width(&status, &model.look);
    brush.skip(1);
    for (keys, words) in hints(model) {
        let needed = keys.len() + 1 + words.len() + 2;
        if brush.left() < needed + status_width + 1 {
            break;
        }
        brush.role(&keys, Role::Key);
        brush.text(&format!(" {words}  "), style);
    }
    brush.align_right(status_width + 1);
    brush.text(&status, if model.side.removing.is_some() { model.look.role(Role::Warning) } else { style });
}

/// What is typed, after what it is typed for; its end where it is longer than the row.
fn typed(model: &Model, prompt: &Prompt, brush: &mut Brush<'_>) {
    let style = model.look.role(Role::Footer);
    match &prompt.purpose {
        Purpose::Search => brush.role("/", Role::Key),
        Purpose::Question { about, .. } => {
            let about = clean(about);
            let room = brush.left() / 2;
            brush.role("Question about ", Role::Key);
            brush.text_within(about.as_str(), room.saturating_sub("Question about ".len()), style);
            brush.role(": ", Role::Key);
        }
    }
    let count = prompt.text.chars().count();
    let limit = if count + 100 > LIMIT { format!(" {count} of {LIMIT}") } else { String::new() };
    brush.text(tail(&prompt.text, brush.left().saturating_sub(1 + limit.len())), style);
    brush.text(" ", model.look.role(Role::Match));
    brush.role(&limit, Role::Dim);
}

/// The hints of the footer. The keys that lead to all others never fall off.
fn hints(model: &Model) -> Vec<(String, &'static str)> {
    if let Some(overlay) = &model.overlay {
        return model.keys.footer(overlay.panes());
    }
    let row = |action, words| (model.keys.key_of(action), words);
    match model.phase {
        Phase::Loading => vec![row(Action::Help, "keys"), row(Action::Quit, "quit")],
        Phase::Failed(_) => {
            vec![row(Action::Help, "keys"), row(Action::Refresh, "try again"), row(Action::Quit, "quit")]
        }
        _ if model.tree.rows.is_empty() => {
            vec![row(Action::Help, "keys"), row(Action::Refresh, "read again"), row(Action::Quit, "quit")]
        }
        _ => {
            let mut hints = model.keys.footer(model.focus.panes());
            let help = hints.iter().position(|(_, words)| *words == "keys").map(|at| hints.remove(at));
            // What can be done to a draft alone is said where the cursor is on one.
            let on_draft = model.focus == Focus::Side
                && matches!(model.side.item(&model.side_rows()), Some(Item::Draft(_) | Item::DraftPlace(_)));
            if on_draft {
                hints.insert(0, row(Action::DropDraft, "remove draft"));
            }
            if let Some(help) = help {
                hints.insert(0, help);
            }
            hints
        }
    }
}

/// What waits to be confirmed; else what is selected and what runs: an ask first, else a stage.
fn status(model: &Model) -> String {
    if model.side.removing.is_some() {
        let key = model.keys.key_of(Action::DropDraft);
        return format!("{key} once more removes it for good; any other key keeps it");
    }
    let selected = model
        .diff
        .selection
        .zip(model.reader.as_ref())
        .map(|(selection, reader)| selection.in_words(&model.diff.index, reader, model.diff.scroll.cursor));
    let words: Vec<String> = selected.into_iter().chain(running(model)).collect();
    words.join("  ")
}

fn running(model: &Model) -> Option<String> {
    if let Some(first) = model.asking.running.first() {
        let seconds = first.started.map_or(0, |started| model.now.saturating_sub(started).as_secs());
        let more = match model.asking.running.len() - 1 {
            0 => String::new(),
            more => format!(" +{more}"),
        };
        return Some(format!("{} {} {seconds} s{more}", model.spinner(), first.what.kind));
    }
    Some(match model.running_stage()? {
        (stage, "") => format!("{} {}", model.spinner(), stage.words()),
        (stage, how_far) => format!("{} {}: {}", model.spinner(), stage.words(), clean(how_far)),
    })
}

/// The end of a text that fits a width.
fn tail(text: &str, width: usize) -> &str {
    let over = cells::width(text, 1).saturating_sub(width);
    cells::cells(text.as_bytes(), 1).find(|cell| cell.column >= over).map_or("", |cell| &text[cell.bytes.start..])
}

/// Draws rows of styled text into an area.
pub fn rows(model: &Model, rows: &[prose::Spans], buf: &mut Buffer, area: Rect, base: Style) {
    for (at, spans) in (0..area.height).zip(rows) {
        let mut brush = Brush::new(buf, &model.look, area, at, base);
        for (text, role) in spans {
            brush.role(text, *role);
        }
    }
}
