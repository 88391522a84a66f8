//! What is shown where there is no diff to show: loading, failed, nothing changed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::bars;
use super::prose::{self, Spans};
use crate::engine::events::Progress;
use crate::problem::Problem;
use crate::text::clean;
use crate::tui::actions::Action;
use crate::tui::model::Model;
use crate::tui::panes::side::answer::commits;
use crate::tui::theme::Role;

/// The stages, and how each is doing.
pub fn loading(model: &Model, buf: &mut Buffer, area: Rect) {
    let mut rows = vec![vec![("Opening the change".to_owned(), Role::Heading)], Spans::new()];
    for (stage, progress) in &model.stages {
        let (mark, words) = match progress {
            Progress::Running(how_far) if how_far.is_empty() => (model.spinner(), String::new()),
            Progress::Running(how_far) => (model.spinner(), format!(": {}", clean(how_far))),
            Progress::Done => (model.look.glyphs.reviewed, String::new()),
            Progress::Failed(problem) => ("!", format!(" failed: {}", clean(&problem.to_string()))),
        };
        let role = if matches!(progress, Progress::Failed(_)) { Role::Must } else { Role::Text };
        let wrapped = prose::rows(&format!("{mark} {}{words}", stage.words()), room(area), role);
        rows.extend(wrapped);
    }
    if model.stages.is_empty() {
        rows.push(vec![(format!("{} starting", model.spinner()), Role::Text)]);
    }
    place(model, &rows, buf, area);
}

/// What failed, and what to do about it.
pub fn failed(model: &Model, problem: &Problem, buf: &mut Buffer, area: Rect) {
    let mut rows = vec![vec![("This change cannot be opened".to_owned(), Role::Must)], Spans::new()];
    rows.extend(prose::rows(clean(problem.what()).as_str(), room(area), Role::Text));
    for hint in problem.hints() {
        rows.push(Spans::new());
        rows.extend(prose::rows(clean(hint).as_str(), room(area), Role::Text));
    }
    let (again, quit) = (model.keys.key_of(Action::Refresh), model.keys.key_of(Action::Quit));
    rows.push(Spans::new());
    rows.push(vec![
        (again, Role::Key),
        (" tries again   ".to_owned(), Role::Dim),
        (quit, Role::Key),
        (" quits".to_owned(), Role::Dim),
    ]);
    place(model, &rows, buf, area);
}

/// There is nothing to review, and why.
pub fn empty(model: &Model, buf: &mut Buffer, area: Rect) {
    let mut rows = vec![vec![("Nothing changed".to_owned(), Role::Heading)], Spans::new()];
    let words = "No file differs between the merge base and the head, so there is nothing to review.";
    rows.extend(prose::rows(words, room(area), Role::Text));
    if let Some(reader) = &model.reader {
        let change = reader.change();
        let commits = commits(change.base_commit, change.head_commit);
        rows.push(Spans::new());
        rows.push(vec![(commits, Role::Dim)]);
        for left in &change.left_out {
            rows.extend(prose::rows(&format!("left out: {}: {}", left.what, clean(&left.why)), room(area), Role::Note));
        }
    }
    place(model, &rows, buf, area);
}

fn room(area: Rect) -> usize {
    usize::from(area.width.saturating_sub(8)).min(76)
}

fn place(model: &Model, rows: &[Spans], buf: &mut Buffer, area: Rect) {
    let down = (area.height / 5).min(area.height.saturating_sub(rows.len() as u16));
    let width = room(area) as u16;
    let x = area.x + (area.width - width) / 2;
    bars::rows(model, rows, buf, Rect { x, y: area.y + down, width, height: area.height - down }, Style::default());
}
