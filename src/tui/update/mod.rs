//! What messages do to the model, and which effects they ask for.

mod asking;
mod engine;
mod jump;
mod keeping;
mod keys;

use super::message::{Effect, Message};
use super::model::Model;
use super::panes::diff::index::RowIndex;
use super::panes::diff::{Sought, Subject};
use super::theme::Role;
use crate::engine::events::Event;

/// Takes one message. Whatever changed, the requests that fill what is in view come last.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let answers = answers_key(&message);
    if matches!(message, Message::Key(_)) {
        model.toasts.retain(|toast| !toast.of_key);
    }
    let said = model.toasts.len();
    let mut effects = match message {
        Message::Engine(event) => engine::take(model, event),
        Message::Key(key) => keys::press(model, key),
        Message::Paste(text) => {
            if let Some(prompt) = &mut model.prompt {
                prompt.paste(&text);
            }
            Vec::new()
        }
        Message::Resize(size) => {
            model.size = size;
            settle(model);
            Vec::new()
        }
        Message::Tick(now) => {
            model.now = now;
            model.toasts.retain(|toast| toast.until > now);
            Vec::new()
        }
    };
    for toast in model.toasts.iter_mut().skip(said).filter(|_| answers) {
        toast.of_key = true;
    }
    if let Some(height) = model.diff_height() {
        effects.extend(model.diff.wants(&mut model.shelf, height).into_iter().map(Effect::Send));
    }
    effects
}

/// Whether what is said meanwhile answers a key: at once, or once the engine has done what the key asked for.
fn answers_key(message: &Message) -> bool {
    match message {
        Message::Key(_) => true,
        Message::Engine(event) => matches!(
            event,
            Event::DraftKept(_) | Event::DraftDropped(_) | Event::Claims(..) | Event::Texts(..) | Event::File { .. }
        ),
        Message::Paste(_) | Message::Resize(_) | Message::Tick(_) => false,
    }
}

/// Shows the diff and the answers of what the tree is on.
pub(super) fn follow(model: &mut Model) {
    let (Some(reader), Some(at)) = (&model.reader, model.tree.current) else { return };
    let (subject, index) = match model.review() {
        Some(review) => {
            let Some(part) = review.parts().get(at) else { return };
            let subject = Subject::Part(part.part.key.clone());
            if model.diff.subject.as_ref() == Some(&subject) {
                return;
            }
            (subject, RowIndex::of_pieces(&part.part.pieces, reader))
        }
        None if model.diff.subject == Some(Subject::File(at)) => return,
        None => (Subject::File(at), RowIndex::of_file(at, reader)),
    };
    let height = model.diff_height().unwrap_or(1);
    model.diff.show(subject, index, height);
    model.side.scroll = Default::default();
    answers(model);
}

/// Finds the answers of the part shown and the lines they cite.
pub(super) fn answers(model: &mut Model) {
    let found = match (model.review(), model.part()) {
        (Some(review), Some(part)) => {
            let of_part = review.answers_of(part);
            let position = |answer| review.answers.iter().position(|one| std::ptr::eq(one, answer));
            of_part.into_iter().filter_map(|(answer, stale)| Some((position(answer)?, stale))).collect()
        }
        _ => Vec::new(),
    };
    model.side.answers = found;
    cites(model);
}

/// Finds the lines that the answers cite, numbered as in the shown one.
pub(super) fn cites(model: &mut Model) {
    let shown = model.side.shown(&model.side_rows());
    model.cites = model.cited_lines(shown);
}

/// Brings every cursor back into its window.
pub(super) fn settle(model: &mut Model) {
    asking::settle_list(model);
    let height = model.tree_height();
    let rows = model.tree.rows.len();
    model.tree.scroll.settle(rows, height);
    if let Some(height) = model.diff_height() {
        let rows = model.diff.index.rows();
        model.diff.scroll.settle(rows, height);
    }
    let (rows, height) = (model.side_rows().len(), model.side_height());
    model.side.scroll.settle(rows, height);
}

/// Goes on with a search that waits for texts, and says how it went.
pub(super) fn search_on(model: &mut Model) -> Vec<Effect> {
    let height = model.diff_height().unwrap_or(1);
    let what = if model.diff.is_whole() { "file" } else { "part" };
    match model.diff.go_on(&mut model.shelf, height) {
        Sought::Waiting(request) => return request.map(Effect::Send).into_iter().collect(),
        Sought::Found { wrapped: true } => {
            model.toast(format!("the search went round the end of the {what}"), Role::Header);
        }
        Sought::Nowhere { unread } => {
            let needle = model.diff.search.as_ref().map_or("", |search| search.needle()).to_owned();
            let rest = if unread { "; some texts are not here and were not searched" } else { "" };
            model.toast(format!("nothing in this {what} has \"{needle}\"{rest}"), Role::Warning);
        }
        Sought::Found { wrapped: false } | Sought::Idle => {}
    }
    Vec::new()
}
