//! What is done with an answer besides reading it: copied, kept as a draft; and drafts removed.

use super::cites;
use crate::change::Place;
use crate::engine::events::Request;
use crate::review::{Draft, KeptDraft};
use crate::tui::message::Effect;
use crate::tui::model::Model;
use crate::tui::panes::side::plain;
use crate::tui::panes::side::rows::Item;
use crate::tui::theme::Role;

/// Bytes of the longest text that is copied: more than any answer has, less than a terminal chokes on.
const LONGEST: usize = 100_000;

/// Copies the shown answer.
pub fn copy(model: &mut Model) -> Vec<Effect> {
    let shown = model.side.shown(&model.side_rows());
    let stale = |at| model.side.answers.iter().any(|(answer, stale)| *answer == at && *stale);
    let text = shown.and_then(|at| Some(plain::text(model.review()?.answers.get(at)?, stale(at))));
    match text {
        None => model.toast("there is no answer here to copy", Role::Header),
        Some(text) if text.len() > LONGEST => {
            let words = format!("the answer has {} bytes, {LONGEST} at most are copied", text.len());
            model.toast(words, Role::Warning);
        }
        Some(text) => {
            let count = text.chars().count();
            model.toast(format!("copied {count} characters with OSC 52; your terminal must allow it"), Role::Header);
            return vec![Effect::Copy(text)];
        }
    }
    Vec::new()
}

/// Keeps the shown answer as a draft comment, for the first line it cites that a part shows.
pub fn draft(model: &mut Model) -> Vec<Effect> {
    let shown = model.side.shown(&model.side_rows());
    let answer = shown.and_then(|at| model.review()?.answers.get(at));
    let Some(answer) = answer else {
        model.toast("there is no answer here to make a draft of", Role::Header);
        return Vec::new();
    };
    let place = answer.citations.iter().map(|citation| &citation.place).find(|place| is_shown(model, place));
    let draft = Draft::of(answer, place.cloned());
    vec![Effect::Send(Request::KeepDraft(Box::new(draft)))]
}

/// Whether a hunk shows the first and the last line of a place.
fn is_shown(model: &Model, place: &Place) -> bool {
    let (Some(review), Some(file)) = (model.review(), model.file_of(place)) else { return false };
    let holds = |line| super::engine::holder(review, file, place.side, line);
    holds(place.line).is_some() && holds(place.line) == holds(place.end_line.max(place.line))
}

/// A draft is on disk.
pub fn kept(model: &mut Model, kept: KeptDraft) {
    let place = kept.draft.place.as_ref().map_or("the conversation".to_owned(), Place::in_words);
    if let Some(review) = model.review_mut() {
        review.drafts.retain(|one| one.id != kept.id);
        review.drafts.insert(0, kept);
    }
    model.toast(format!("kept as a draft for {place}; drafts stay here, nothing was sent to GitHub"), Role::Header);
    cites(model);
}

/// Removes the draft under the cursor, the second time it is asked to.
pub fn drop_draft(model: &mut Model) -> Vec<Effect> {
    let item = model.side.item(&model.side_rows());
    let Some(Item::Draft(id) | Item::DraftPlace(id)) = item else {
        model.toast("the cursor is on no draft", Role::Header);
        return Vec::new();
    };
    if model.side.removing == Some(id) {
        model.side.removing = None;
        return vec![Effect::Send(Request::DropDraft(id))];
    }
    model.side.removing = Some(id);
    Vec::new()
}

/// A draft is gone from the disk.
pub fn dropped(model: &mut Model, id: crate::review::DraftId) {
    if let Some(review) = model.review_mut() {
        review.drafts.retain(|kept| kept.id != id);
    }
    model.side.unfolded.remove(&Item::Draft(id));
    model.toast("the draft was removed", Role::Header);
    super::settle(model);
}
