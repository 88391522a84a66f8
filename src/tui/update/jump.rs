//! Jumps from answers to lines, and the way back.

use super::engine::holder;
use super::keys::{select, set_focus};
use super::{cites, settle};
use crate::change::{Place, Side};
use crate::tui::layout::Focus;
use crate::tui::model::{Model, Stand};
use crate::tui::panes::diff::index::{Row, What};
use crate::tui::panes::diff::{Highlight, Subject};
use crate::tui::panes::side::rows::SideRow;
use crate::tui::theme::Role;

/// Jumps that are remembered.
const KEPT: usize = 100;

/// Jumps to a citation of the shown answer, counted from 0.
pub fn to_number(model: &mut Model, number: usize) {
    let shown = model.side.shown(&model.side_rows());
    let answer = shown.and_then(|at| model.review()?.answers.get(at));
    match answer.map(|answer| answer.citations.get(number).map(|citation| citation.place.clone())) {
        Some(Some(place)) => to_place(model, &place),
        Some(None) => model.toast(format!("the shown answer has no citation {}", number + 1), Role::Header),
        None => model.toast("this part has no answer to jump from", Role::Header),
    }
}

/// Jumps to the citation under the cursor of the side pane.
pub fn to_selected(model: &mut Model) {
    let rows = model.side_rows();
    let row = rows.get(model.side.scroll.cursor);
    let place = row.and_then(|row| {
        let answer = model.review()?.answers.get(row.answer?)?;
        Some(answer.citations.get(row.citation?)?.place.clone())
    });
    if let Some(place) = place {
        to_place(model, &place);
    }
}

/// Opens the answers, at the citation of the line under the cursor of the diff if there is one.
pub fn to_answers(model: &mut Model) {
    if model.part().is_none() {
        return model.toast("answers are about parts, and the parts are not there yet", Role::Header);
    }
    model.side.open = true;
    set_focus(model, Focus::Side);
    let rows = model.side_rows();
    let cited = |row: &SideRow| row.answer.zip(row.citation).is_some_and(|at| cites_cursor(model, at));
    if let Some(row) = rows.iter().position(cited) {
        let height = model.side_height();
        model.side.scroll.show(row, rows.len(), height);
    }
    cites(model);
}

/// Whether a citation of an answer names the line under the cursor of the diff.
fn cites_cursor(model: &Model, (answer, citation): (usize, usize)) -> bool {
    let row = model.diff.index.row(model.diff.scroll.cursor);
    let Some(Row { file, what: What::Line { line, .. } }) = row else { return false };
    let citation = model.review().and_then(|review| review.answers.get(answer)?.citations.get(citation));
    citation.is_some_and(|citation| {
        let place = &citation.place;
        let number = if place.side == Side::Base { line.base_line } else { line.head_line };
        (place.line..=place.end_line).contains(&number) && model.file_of(place) == Some(file)
    })
}

fn to_place(model: &mut Model, place: &Place) {
    let shown = format!("{}:{} {}", place.path.shown(), place.line, place.side.word());
    let Some(file) = model.file_of(place) else {
        return model.toast(format!("{shown} is in no changed file, so no part shows it"), Role::Warning);
    };
    let Some(stand) = stand(model) else { return };
    if !model.line_shown(file, place.side, place.line) {
        let part = model.review().and_then(|review| holder(review, file, place.side, place.line));
        let Some(part) = part else {
            return model.toast(format!("{shown} is outside every hunk, so no part shows it"), Role::Warning);
        };
        select(model, part);
    }
    set_focus(model, Focus::Diff);
    let lines = place.line..place.end_line.max(place.line) + 1;
    let height = model.diff_height().unwrap_or(1);
    if model.diff.jump(Highlight { file, side: place.side, lines }, height) {
        remember(model, stand);
    }
}

/// Remembers where the reviewer is, before a search leads elsewhere.
pub fn leave(model: &mut Model) {
    if let Some(stand) = stand(model) {
        remember(model, stand);
    }
}

fn remember(model: &mut Model, stand: Stand) {
    model.jumps.push(stand);
    let over = model.jumps.len().saturating_sub(KEPT);
    model.jumps.drain(..over);
}

fn stand(model: &Model) -> Option<Stand> {
    Some(Stand {
        subject: model.diff.subject.clone()?,
        scroll: model.diff.scroll,
        left: model.diff.left,
        focus: model.focus,
        side: model.side.open.then_some(model.side.scroll),
    })
}

/// Goes back to where the last jump began.
pub fn back(model: &mut Model) {
    let Some(stand) = model.jumps.pop() else {
        return model.toast("there is no jump to return from", Role::Header);
    };
    let at = match (&stand.subject, model.review()) {
        (Subject::Part(key), Some(review)) => review.parts().iter().position(|part| part.part.key == *key),
        (Subject::File(file), None) => Some(*file),
        _ => None,
    };
    let Some(at) = at else {
        return model.toast("what you came from is no longer there", Role::Header);
    };
    select(model, at);
    model.side.open = stand.side.is_some();
    model.side.scroll = stand.side.unwrap_or_default();
    model.diff.scroll = stand.scroll;
    model.diff.left = stand.left;
    model.diff.highlight = None;
    set_focus(model, stand.focus);
    settle(model);
    cites(model);
}
