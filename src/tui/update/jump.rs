//! Jumps from answers to lines, and the way back.

use super::engine::holder;
use super::keys::{select, set_focus};
use super::{cites, follow, settle};
use crate::change::{Place, RepoPath, Side};
use crate::text::clean;
use crate::tui::layout::Focus;
use crate::tui::model::{Model, Stand};
use crate::tui::panes::diff::index::{Row, RowIndex, What};
use crate::tui::panes::diff::{Highlight, Subject};
use crate::tui::panes::side::rows::{Item, SideRow};
use crate::tui::shelf::Slot;
use crate::tui::theme::Role;

/// Jumps that are remembered.
const KEPT: usize = 100;

/// Jumps to a citation of the shown answer, counted from 0.
pub fn to_number(model: &mut Model, number: usize) {
    let shown = model.side.shown(&model.side_rows());
    let answer = shown.and_then(|at| model.review()?.answers.get(at));
    match answer.map(|answer| answer.citations.get(number).map(|citation| citation.place.clone())) {
        Some(Some(place)) => {
            say_age(model, shown);
            to_place(model, &place);
        }
        Some(None) => model.toast(format!("the shown answer has no citation {}", number + 1), Role::Header),
        None if matches!(model.side.item(&model.side_rows()), Some(Item::Refused(_))) => {
            model
                .toast("what was refused cites nothing that was checked, so there is nothing to jump to", Role::Header);
        }
        None => model.toast("this part has no answer to jump from", Role::Header),
    }
}

/// Jumps to the citation under the cursor of the side pane, or unfolds what is folded there.
pub fn to_selected(model: &mut Model) {
    let rows = model.side_rows();
    let Some(row) = rows.get(model.side.scroll.cursor) else { return };
    let place = match row.item {
        Some(item @ (Item::Refused(_) | Item::Draft(_))) => return unfold(model, item),
        Some(Item::DraftPlace(id)) => model.review().and_then(|review| {
            review.drafts.iter().find(|kept| kept.id == id).and_then(|kept| kept.draft.place.clone())
        }),
        Some(Item::Ask(_) | Item::Ended(_)) => None,
        None => row.answer.zip(row.citation).and_then(|(answer, citation)| {
            let answer = model.review()?.answers.get(answer)?;
            Some(answer.citations.get(citation)?.place.clone())
        }),
    };
    let answer = row.answer;
    if let Some(place) = place {
        say_age(model, answer);
        to_place(model, &place);
    }
}

/// Says that an answer was about another head than the one shown: its lines may have moved since.
fn say_age(model: &mut Model, answer: Option<usize>) {
    let about = answer.and_then(|at| model.review()?.answers.get(at)?.stamp.head_commit);
    let shown = model.reader.as_ref().and_then(|reader| reader.change().head_commit);
    if let (Some(about), Some(shown)) = (about, shown)
        && about != shown
    {
        let words =
            format!("the answer is about head {}, shown is {}: lines may have moved", about.short(), shown.short());
        model.toast(words, Role::Warning);
    }
}

fn unfold(model: &mut Model, item: Item) {
    model.side.fold(item);
    let (rows, height) = (model.side_rows(), model.side_height());
    let first = rows.iter().position(|row| row.item == Some(item)).unwrap_or(0);
    model.side.scroll.show(first, rows.len(), height);
    cites(model);
}

/// Opens the answers, at the citation of the line under the cursor of the diff if there is one.
pub fn to_answers(model: &mut Model) {
    if model.part().is_none() {
        return model.toast("answers are about parts, and the parts are not there yet", Role::Header);
    }
    // An answer about another part leads there, where none of this part cites the line.
    let here = |model: &Model, answer: usize| model.side.answers.iter().any(|(at, _)| *at == answer);
    let citing = citing_cursor(model);
    if let Some(answer) = citing.first().filter(|_| !citing.iter().any(|at| here(model, *at)))
        && let Some(part) = model.part_of_answer(*answer)
    {
        leave(model);
        let place = (model.diff.index.row(model.diff.scroll.cursor), *answer);
        select(model, part);
        return open_answers(model, place.0, |at| at == place.1);
    }
    let row = model.diff.index.row(model.diff.scroll.cursor);
    open_answers(model, row, |_| true);
}

/// Opens the answers of the part, at the citation of a row of the diff by a wanted answer if there is one.
fn open_answers(model: &mut Model, cited: Option<Row>, wanted: impl Fn(usize) -> bool) {
    model.side.open = true;
    set_focus(model, Focus::Side);
    let rows = model.side_rows();
    let names =
        |row: &SideRow| row.answer.zip(row.citation).is_some_and(|at| wanted(at.0) && cites_row(model, at, cited));
    if let Some(row) = rows.iter().position(names) {
        let height = model.side_height();
        model.side.scroll.show(row, rows.len(), height);
    }
    cites(model);
}

/// The answers that cite the line under the cursor of the diff, newest first.
fn citing_cursor(model: &Model) -> Vec<usize> {
    let row = model.diff.index.row(model.diff.scroll.cursor);
    let answers = model.review().map(|review| review.answers.as_slice()).unwrap_or_default();
    let cite = |at: &usize| (0..answers[*at].citations.len()).any(|citation| cites_row(model, (*at, citation), row));
    (0..answers.len()).filter(cite).collect()
}

/// Whether a citation of an answer names the line of a row of the diff.
fn cites_row(model: &Model, (answer, citation): (usize, usize), row: Option<Row>) -> bool {
    let Some(Row { file, what: What::Line { line, .. } }) = row else { return false };
    let citation = model.review().and_then(|review| review.answers.get(answer)?.citations.get(citation));
    citation.is_some_and(|citation| {
        let place = &citation.place;
        let number = if place.side == Side::Base { line.base_line } else { line.head_line };
        let whole = model.shelf.find_whole(place.side, &place.path);
        (place.line..=place.end_line).contains(&number) && [model.file_of(place), whole].contains(&Some(file))
    })
}

/// Jumps to a place: in the diff where a hunk shows its first line, else in the whole file.
fn to_place(model: &mut Model, place: &Place) {
    let Some(stand) = stand(model) else { return };
    let lines = place.line..place.end_line.max(place.line) + 1;
    let file = model.file_of(place);
    let here = |file: &usize| !model.diff.is_whole() && model.line_shown(*file, place.side, place.line);
    let part = match file.filter(|file| !here(file)) {
        Some(file) => match near(model, file, place.side, place.line) {
            Some(part) => Some(part),
            None => return to_file(model, stand, place, lines),
        },
        None => None,
    };
    let Some(file) = file else { return to_file(model, stand, place, lines) };
    if let Some(part) = part {
        select(model, part);
    }
    set_focus(model, Focus::Diff);
    let height = model.diff_height().unwrap_or(1);
    if model.diff.jump(Highlight { file, side: place.side, lines }, height) {
        remember(model, stand);
    }
}

/// The part whose hunks show a line; the one that is selected where it does.
fn near(model: &Model, file: usize, side: Side, line: u32) -> Option<usize> {
    let review = model.review()?;
    let found = holder(review, file, side, line)?;
    let current = model.tree.current.filter(|at| {
        let part = review.parts().get(*at);
        part.is_some_and(|part| super::engine::shows(review, part, file, side, line))
    });
    current.or(Some(found))
}

/// Shows the whole file of a place, to read only.
fn to_file(model: &mut Model, stand: Stand, place: &Place, lines: std::ops::Range<u32>) {
    set_focus(model, Focus::Diff);
    let file = model.shelf.whole(place.side, &place.path);
    show_file(model, place.side, &place.path);
    model.diff.highlight = Some(Highlight { file, side: place.side, lines });
    remember(model, stand);
    fill(model);
    cites(model);
}

fn show_file(model: &mut Model, side: Side, path: &RepoPath) {
    let height = model.diff_height().unwrap_or(1);
    let index = whole_index(model, side, path);
    model.diff.show(Subject::Whole(side, path.clone()), index, height);
    model.diff.highlight = None;
}

fn whole_index(model: &mut Model, side: Side, path: &RepoPath) -> RowIndex {
    let file = model.shelf.whole(side, path);
    match model.shelf.texts(file) {
        None | Some(Slot::Waiting) => RowIndex::of_note(file, "the file is being read".to_owned()),
        Some(Slot::Failed(why)) => RowIndex::of_note(file, format!("not shown: {}", clean(why))),
        Some(Slot::Here(texts)) => match texts.on(side).map_or(0, |text| text.lines()) {
            0 => RowIndex::of_note(file, "the file is empty".to_owned()),
            lines => RowIndex::of_whole(file, side, lines),
        },
    }
}

/// Fills the whole file that is shown, now that its text may be here.
pub fn fill(model: &mut Model) {
    let Some(Subject::Whole(side, path)) = model.diff.subject.clone() else { return };
    let (index, height) = (whole_index(model, side, &path), model.diff_height().unwrap_or(1));
    model.diff.fill(index, height);
    let file = model.shelf.whole(side, &path);
    let lines = model.shelf.text(file, side).map(|text| text.lines());
    if let (Some(lines), Some(lit)) = (lines, &model.diff.highlight)
        && lit.lines.start > lines
    {
        let words = format!(
            "{} has {lines} lines at the {}, so line {} is not there",
            path.shown(),
            side.word(),
            lit.lines.start
        );
        model.toast(words, Role::Warning);
    }
}

/// Goes back from a whole file to where it was opened.
pub fn out_of_file(model: &mut Model) {
    while model.jumps.last().is_some_and(|stand| matches!(stand.subject, Subject::Whole(..))) {
        model.jumps.pop();
    }
    if model.jumps.is_empty() {
        // What led here is forgotten: the part is still selected.
        follow(model);
    } else {
        back(model);
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
        part: model.part().map(|part| part.part.key.clone()),
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
        (Subject::File(file), None) => Some(*file),
        (Subject::Part(_) | Subject::Whole(..), Some(review)) => {
            review.parts().iter().position(|part| Some(&part.part.key) == stand.part.as_ref())
        }
        _ => None,
    };
    let Some(at) = at else {
        return model.toast("what you came from is no longer there", Role::Header);
    };
    select(model, at);
    if let Subject::Whole(side, path) = &stand.subject {
        show_file(model, *side, path);
    }
    model.side.open = stand.side.is_some();
    model.side.scroll = stand.side.unwrap_or_default();
    model.diff.scroll = stand.scroll;
    model.diff.left = stand.left;
    model.diff.highlight = None;
    set_focus(model, stand.focus);
    settle(model);
    cites(model);
}
