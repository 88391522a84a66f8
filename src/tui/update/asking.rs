//! Asking: from the menu or a key, over what has to be picked or typed, to the request; and cancelling.

use super::keys::{on_heading, set_focus};
use super::settle;
use crate::ask::{SELECTED_LINES, Takes, Wanted, threads_of};
use crate::change::parts::ContentKey;
use crate::change::{Place, RankedPart, Side, Text};
use crate::engine::events::{AskId, AskRequest, Request};
use crate::text::{Clean, clean};
use crate::tui::actions::Action;
use crate::tui::asking::Asked;
use crate::tui::layout::Focus;
use crate::tui::list::{Entry, List, Of};
use crate::tui::message::Effect;
use crate::tui::model::{Model, Overlay};
use crate::tui::panes::diff::selection::Selection;
use crate::tui::panes::side::rows::Item;
use crate::tui::prompt::{Prompt, Purpose};
use crate::tui::theme::Role;
use crate::tui::widgets::picker::{self, first_words};

/// The part to ask about; where there is none, says why.
fn part(model: &mut Model) -> Option<ContentKey> {
    if on_heading(model) {
        return None;
    }
    let part = model.part().map(|part| part.part.key.clone());
    if part.is_none() {
        model.toast("asks are about parts, and the parts are not there yet", Role::Header);
    }
    part
}

/// Opens the menu of asks.
pub fn menu(model: &mut Model) {
    if let Some(part) = part(model) {
        model.overlay = Some(Overlay::List(List::new(Of::Asks, part)));
    }
}

/// Asks something of the part shown, or opens what it takes to pick.
pub fn start(model: &mut Model, kind: &'static str) -> Vec<Effect> {
    model.overlay = None;
    let Some(part) = part(model) else { return Vec::new() };
    match model.keys.ask(kind).map_or(Takes::Part, |ask| ask.takes) {
        Takes::Part => send(model, kind, part, Wanted::default(), Clean::default()),
        Takes::Claim => match selected(model) {
            Some(Ok(place)) => send_lines(model, kind, part, place),
            Some(Err(why)) => say(model, &why),
            None => {
                model.overlay = Some(Overlay::List(List::new(Of::Claims(kind, None), part.clone())));
                vec![Effect::Send(Request::Claims(part))]
            }
        },
        Takes::Thread => threads(model, kind, part),
        Takes::Question => match selected(model) {
            Some(Ok(place)) => {
                let about = place.in_words();
                type_words(model, kind, part, Wanted { lines: Some(place), ..Wanted::default() }, about);
                Vec::new()
            }
            Some(Err(why)) => say(model, &why),
            None => {
                let about = model.part().map_or("", |part| part.part.name.as_str()).to_owned();
                type_words(model, kind, part, Wanted::default(), about);
                Vec::new()
            }
        },
    }
}

fn say(model: &mut Model, words: &str) -> Vec<Effect> {
    model.toast(words, Role::Warning);
    Vec::new()
}

/// The selected lines, or why they cannot be asked about; none where nothing is selected.
fn selected(model: &Model) -> Option<Result<Place, String>> {
    let (selection, reader) = (model.diff.selection?, model.reader.as_ref()?);
    let place = selection.place(&model.diff.index, reader, model.diff.scroll.cursor);
    Some(place.map_err(str::to_owned).and_then(|place| {
        let lines = (place.end_line - place.line) as usize + 1;
        let too_many = || format!("{lines} lines are selected, {SELECTED_LINES} at most can be asked about");
        if lines > SELECTED_LINES {
            return Err(too_many());
        }
        match model.shelf.text(selection.file, place.side).is_some_and(|text| is_blank(text, &place)) {
            true => Err(no_text(model, &selection)),
            false => Ok(place),
        }
    }))
}

/// Whether no line of a place has text.
fn is_blank(text: &Text, place: &Place) -> bool {
    let mut lines = (place.line..=place.end_line).filter_map(|line| text.line(line));
    lines.all(|line| line.trim_ascii().is_empty())
}

/// What to do where the selected lines have no text.
fn no_text(model: &Model, selection: &Selection) -> String {
    let key = model.keys.key_of(Action::Select);
    let (side, other) = (selection.side.word(), selection.other().word());
    if !selection.skips(&model.diff.index, model.diff.scroll.cursor) {
        return format!("the selected {side} lines have no text: move on to lines that have, or {key} drops them");
    }
    let begin = if selection.side == Side::Head { "a removed line" } else { "an added or kept line" };
    format!(
        "the selected {side} lines have no text, and {other} lines are skipped: to select those, press {key} twice, \
         the second time on {begin}"
    )
}

fn send_lines(model: &mut Model, kind: &'static str, part: ContentKey, place: Place) -> Vec<Effect> {
    let about = clean(&place.in_words());
    send(model, kind, part, Wanted { lines: Some(place), ..Wanted::default() }, about)
}

/// The threads of the part shown, as positions among the change's.
fn threads_here(model: &Model) -> Vec<usize> {
    match (model.review(), model.tree.current) {
        (Some(review), Some(at)) if at < review.parts().len() => threads_of(&review.reading, at),
        _ => Vec::new(),
    }
}

fn threads(model: &mut Model, kind: &'static str, part: ContentKey) -> Vec<Effect> {
    match threads_here(model) {
        none if none.is_empty() => say(model, "this part has no review thread that was read"),
        one if one.len() == 1 => {
            let about = thread_words(model, &one, 0);
            send(model, kind, part, Wanted { thread: Some(0), ..Wanted::default() }, about)
        }
        several => {
            model.overlay = Some(Overlay::List(List::new(Of::Threads(kind, several), part)));
            Vec::new()
        }
    }
}

/// A thread in one line: its author and first words.
fn thread_words(model: &Model, threads: &[usize], at: usize) -> Clean {
    let change = model.review().map(|review| &review.reading.change);
    let thread = threads.get(at).and_then(|at| change?.threads.get(*at));
    let first = thread.and_then(|thread| thread.comments.first());
    clean(&first.map_or("a thread".to_owned(), |first| first_words(&first.author, &first.body)))
}

/// Opens the line to type a question into, with the words that were given up there.
fn type_words(model: &mut Model, kind: &'static str, part: ContentKey, wanted: Wanted, about: String) {
    model.overlay = None;
    let text = model.asking.taken_up(kind, &part);
    let purpose = Purpose::Question { kind, part, wanted, about };
    model.prompt = Some(Prompt { purpose, text });
}

/// Takes the entry under the cursor of the open list.
pub fn take(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::List(List { of, part, at, .. })) = model.overlay.take() else { return Vec::new() };
    match of {
        Of::Asks => match model.keys.asks().get(at).map(|ask| ask.kind) {
            Some(kind) => start(model, kind),
            None => Vec::new(),
        },
        Of::Claims(kind, claims) => match claims.as_ref().and_then(|claims| claims.get(at)) {
            Some(claim) => {
                let about = claim.text.clone();
                send(model, kind, part, Wanted { claim: Some(at), ..Wanted::default() }, about)
            }
            None => Vec::new(),
        },
        Of::Threads(kind, threads) => {
            let about = thread_words(model, &threads, at);
            send(model, kind, part, Wanted { thread: Some(at), ..Wanted::default() }, about)
        }
    }
}

/// Takes the entry of a number, counted from 0.
pub fn take_number(model: &mut Model, number: usize) -> Vec<Effect> {
    let last = list_rows(model).last().map(|(entry, _)| *entry);
    match &mut model.overlay {
        Some(Overlay::List(list)) if last.is_some_and(|last| number <= last) => {
            list.at = number;
            take(model)
        }
        _ => Vec::new(),
    }
}

/// Asks in words about the thread under the cursor of the open list.
pub fn about_thread(model: &mut Model, kind: &'static str) {
    let Some(Overlay::List(List { of: Of::Threads(_, threads), part, at, .. })) = model.overlay.take() else { return };
    let about = thread_words(model, &threads, at).into_string();
    type_words(model, kind, part, Wanted { thread: Some(at), ..Wanted::default() }, about);
}

fn list_rows(model: &Model) -> Vec<Entry> {
    match (&model.overlay, model.layout()) {
        (Some(Overlay::List(list)), Some(layout)) => picker::rows(model, list, layout.body),
        _ => Vec::new(),
    }
}

/// Moves in the open list.
pub fn scroll(model: &mut Model, action: Action) {
    in_list(model, |list, rows, height| list.act(action, rows, height));
}

/// Brings the cursor of the open list back into its window.
pub fn settle_list(model: &mut Model) {
    in_list(model, List::settle);
}

fn in_list(model: &mut Model, act: impl FnOnce(&mut List, &[Entry], usize)) {
    let Some(body) = model.layout().map(|layout| layout.body) else { return };
    let rows = list_rows(model);
    if let Some(Overlay::List(list)) = &mut model.overlay {
        act(list, &rows, picker::height(rows.len(), body));
    }
}

/// The claims of a part are here.
pub fn found(model: &mut Model, part: &ContentKey, claims: Result<Vec<crate::ask::Claim>, String>) {
    let Some(Overlay::List(list)) = &mut model.overlay else { return };
    let Of::Claims(_, waiting @ None) = &mut list.of else { return };
    if list.part != *part {
        return;
    }
    match claims {
        Ok(claims) if !claims.is_empty() => *waiting = Some(claims),
        Ok(_) => {
            model.overlay = None;
            let key = model.keys.key_of(Action::Select);
            let words =
                format!("this part claims nothing that was found: select the lines to verify with {key} in the diff");
            model.toast(words, Role::Warning);
        }
        Err(why) => {
            model.overlay = None;
            model.toast(format!("the claims of this part cannot be found: {why}"), Role::Error);
        }
    }
}

/// The typed question is done.
pub fn asked(model: &mut Model, prompt: Prompt) -> Vec<Effect> {
    let text = prompt.text.trim().to_owned();
    if text.is_empty() {
        model.prompt = Some(prompt);
        return say(model, "no question is asked yet: type one line of words, or give it up with Esc");
    }
    let Purpose::Question { kind, part, wanted, about } = prompt.purpose else { return Vec::new() };
    let about = match wanted == Wanted::default() {
        true => clean(&text),
        false => clean(&format!("{text} ({about})")),
    };
    send(model, kind, part, Wanted { words: Some(text), ..wanted }, about)
}

fn name_of(model: &Model, part: &ContentKey) -> Clean {
    let parts = model.review().map(|review| review.parts()).unwrap_or_default();
    let named = |one: &&RankedPart| one.part.key == *part;
    parts.iter().find(named).map_or_else(Clean::default, |one| one.part.name.clone())
}

/// Sends a question off and shows the queue.
fn send(model: &mut Model, kind: &'static str, part: ContentKey, wanted: Wanted, about: Clean) -> Vec<Effect> {
    let part_name = name_of(model, &part);
    let what = Asked { kind, part: part.clone(), part_name, wanted: wanted.clone(), about };
    let Some(id) = model.asking.begin(what) else {
        let words = format!("{kind} runs already; {} cancels it", model.keys.key_of(Action::Cancel));
        model.toast(words, Role::Header);
        return Vec::new();
    };
    if wanted.lines.is_some() {
        model.diff.selection = None;
    }
    model.side.open = true;
    model.side.scroll = Default::default();
    set_focus(model, Focus::Side);
    let request = AskRequest { id, kind, part, wanted, choice: None };
    vec![Effect::Send(Request::Ask(Box::new(request)))]
}

/// Whether an ask about the part shown, or the one under the cursor of the answers, can be cancelled.
pub fn can_cancel(model: &Model) -> bool {
    let shown = model.part().map(|part| &part.part.key);
    let under = under(model);
    let asks = model.asking.running.iter().filter(|running| !running.stopping);
    asks.into_iter().any(|running| Some(&running.what.part) == shown || Some(running.id) == under)
}

/// The ask under the cursor of the answers.
fn under(model: &Model) -> Option<AskId> {
    match model.side.item(&model.side_rows()).filter(|_| model.focus == Focus::Side) {
        Some(Item::Ask(id)) => Some(id),
        _ => None,
    }
}

/// Puts away how an ask ended where the cursor is on that; else cancels.
pub fn put_away_or_cancel(model: &mut Model) -> Vec<Effect> {
    match model.side.item(&model.side_rows()).filter(|_| model.focus == Focus::Side) {
        Some(Item::Ended(id) | Item::Refused(id)) => {
            model.asking.ended.retain(|ended| ended.id != id);
            settle(model);
            Vec::new()
        }
        _ => cancel(model),
    }
}

/// Cancels the ask under the cursor, else what was asked last: of the part shown if something was.
pub fn cancel(model: &mut Model) -> Vec<Effect> {
    let shown = model.part().map(|part| part.part.key.clone());
    let going = model.asking.running.iter().filter(|running| !running.stopping);
    let ids = |wanted: &dyn Fn(&crate::tui::asking::Running) -> bool| {
        going.clone().rev().find(|running| wanted(running)).map(|running| running.id)
    };
    let here = under(model).and_then(|id| ids(&|running| running.id == id));
    let id = here.or_else(|| ids(&|running| Some(&running.what.part) == shown.as_ref())).or_else(|| ids(&|_| true));
    let Some(id) = id else {
        model.toast("no ask runs", Role::Header);
        return Vec::new();
    };
    if let Some(running) = model.asking.find(id) {
        running.stopping = true;
    }
    vec![Effect::Send(Request::CancelAsk(id))]
}
