//! What keys do: the prompt first, then the overlay, then the pane that has the focus.

use super::{asking, cites, engine, follow, jump, keeping, search_on, settle};
use crate::engine::events::Request;
use crate::tui::actions::Action;
use crate::tui::keys::Key;
use crate::tui::layout::Focus;
use crate::tui::message::Effect;
use crate::tui::model::{Model, Overlay, OverlayKind, Phase};
use crate::tui::panes::diff::selection::Selection;
use crate::tui::panes::tree::{Row, Section};
use crate::tui::prompt::{Prompt, Purpose, Typed};
use crate::tui::search::Search;
use crate::tui::theme::Role;
use crate::tui::widgets::overlay;

/// Takes one key.
pub fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let pane = model.overlay.as_ref().map_or_else(|| model.focus.panes(), Overlay::panes);
    let found = model.keys.find(key, pane);
    let leaves = matches!(found, Some((Action::Quit | Action::QuitNow | Action::Suspend, _)));
    let passes = key.ctrl && leaves;
    if model.layout().is_none() && !leaves {
        return Vec::new();
    }
    let quitting = std::mem::take(&mut model.asking.quitting);
    if model.prompt.is_some() && !passes {
        return typed(model, key);
    }
    let removing = model.side.removing;
    let effects = match found {
        Some((Action::Quit, _)) if !quitting && model.layout().is_some() => quit(model),
        Some((action, at)) => act(model, action, at),
        None => Vec::new(),
    };
    // What was not confirmed by the very next key is not meant.
    if model.side.removing == removing {
        model.side.removing = None;
    }
    effects
}

/// Quits; while asks wait or run, says first that quitting cancels them.
fn quit(model: &mut Model) -> Vec<Effect> {
    let words = match model.asking.running.iter().filter(|running| !running.stopping).count() {
        0 => return vec![Effect::Quit],
        1 => ("an ask runs", "it"),
        _ => ("asks run", "them"),
    };
    model.asking.quitting = true;
    let key = model.keys.key_of(Action::Quit);
    model.toast(format!("{}: {key} again quits and cancels {}", words.0, words.1), Role::Warning);
    Vec::new()
}

fn typed(model: &mut Model, key: Key) -> Vec<Effect> {
    let Some(prompt) = &mut model.prompt else { return Vec::new() };
    match prompt.key(key) {
        Typed::More => Vec::new(),
        Typed::GivenUp => {
            if let Some(Prompt { purpose: Purpose::Question { kind, part, .. }, text }) = model.prompt.take() {
                model.asking.give_up(kind, part, text);
            }
            Vec::new()
        }
        Typed::Done => match model.prompt.take() {
            Some(prompt @ Prompt { purpose: Purpose::Question { .. }, .. }) => asking::asked(model, prompt),
            prompt => search(model, &prompt.unwrap_or_default().text),
        },
    }
}

fn search(model: &mut Model, text: &str) -> Vec<Effect> {
    if let Some(search) = Search::new(text) {
        model.diff.search = Some(search);
    }
    jump::leave(model);
    set_focus(model, Focus::Diff);
    hit(model, true)
}

fn hit(model: &mut Model, forward: bool) -> Vec<Effect> {
    if model.diff.search.is_none() {
        let key = model.keys.key_of(Action::Search);
        model.toast(format!("nothing is searched for: {key} searches"), Role::Header);
    } else if model.focus == Focus::Side {
        // The answers may cover the diff: the hit must be seen.
        set_focus(model, Focus::Diff);
    }
    model.diff.seek(forward);
    search_on(model)
}

fn act(model: &mut Model, action: Action, at: usize) -> Vec<Effect> {
    match action {
        Action::Quit | Action::QuitNow => return vec![Effect::Quit],
        Action::Suspend => return vec![Effect::Suspend],
        Action::Redraw => return vec![Effect::Redraw],
        Action::Help => model.overlay = Some(Overlay::Text(OverlayKind::Help, 0)),
        Action::About => model.overlay = Some(Overlay::Text(OverlayKind::About, 0)),
        Action::Close => model.overlay = None,
        Action::Refresh => return refresh(model),
        Action::Menu => asking::menu(model),
        Action::Ask(kind) => return asking::start(model, kind),
        Action::AskAbout(kind) => asking::about_thread(model, kind),
        Action::Cancel => return asking::put_away_or_cancel(model),
        Action::Select => select_lines(model),
        Action::Copy => return keeping::copy(model),
        Action::Draft => return keeping::draft(model),
        Action::DropDraft => return keeping::drop_draft(model),
        Action::Stamp => stamps(model),
        Action::Mark => return mark(model),
        Action::Search => model.prompt = Some(Prompt::default()),
        Action::NextHit => return hit(model, true),
        Action::PreviousHit => return hit(model, false),
        Action::Cite if model.overlay.is_some() => return asking::take_number(model, at),
        Action::Cite => jump::to_number(model, at),
        Action::Return => jump::back(model),
        Action::Back => return back(model),
        Action::FocusNext => cycle(model, true),
        Action::FocusPrevious => cycle(model, false),
        Action::NextPart | Action::PreviousPart => step(model, action == Action::NextPart),
        Action::NextUnreviewed => next_unreviewed(model),
        Action::Enter if model.overlay.is_some() => return asking::take(model),
        Action::Enter => enter(model),
        _ if matches!(model.overlay, Some(Overlay::List(_))) => asking::scroll(model, action),
        _ if model.overlay.is_some() => overlay::scroll(model, action),
        _ => move_in_pane(model, action),
    }
    Vec::new()
}

fn move_in_pane(model: &mut Model, action: Action) {
    match model.focus {
        Focus::Tree => {
            let height = model.tree_height();
            model.tree.act(action, height);
            follow(model);
        }
        Focus::Diff => {
            let (height, tab) = (model.diff_height().unwrap_or(1), model.look.tab);
            model.diff.act(action, &model.shelf, height, tab);
        }
        Focus::Side => {
            let (rows, height) = (model.side_rows(), model.side_height());
            model.side.act(action, &rows, height);
            cites(model);
        }
    }
}

/// Moves the focus, and brings what that uncovers or covers into its new size.
pub fn set_focus(model: &mut Model, focus: Focus) {
    model.focus = focus;
    settle(model);
}

fn cycle(model: &mut Model, forward: bool) {
    let mut panes = vec![Focus::Tree, Focus::Diff];
    if model.side.open {
        panes.push(Focus::Side);
    }
    let at = panes.iter().position(|pane| *pane == model.focus).unwrap_or(0);
    let next = if forward { at + 1 } else { at + panes.len() - 1 };
    set_focus(model, panes[next % panes.len()]);
}

fn enter(model: &mut Model) {
    match (model.focus, model.tree.row()) {
        (Focus::Tree, Some(Row::Section(Section::Noise))) => {
            model.tree.noise_open = !model.tree.noise_open;
            engine::relist(model);
        }
        (Focus::Tree, _) => set_focus(model, Focus::Diff),
        (Focus::Side, _) => jump::to_selected(model),
        (Focus::Diff, _) => jump::to_answers(model),
    }
}

fn back(model: &mut Model) -> Vec<Effect> {
    if model.focus == Focus::Side && asking::can_cancel(model) {
        return asking::cancel(model);
    }
    if model.focus != Focus::Side {
        let whole = model.diff.is_whole();
        let dropped = model.diff.selection.take().is_some()
            || (!whole && model.diff.highlight.take().is_some())
            || model.diff.search.take().is_some();
        if dropped {
            return Vec::new();
        }
        if whole {
            jump::out_of_file(model);
            return Vec::new();
        }
    }
    if model.side.open {
        model.side.open = false;
        set_focus(model, if model.focus == Focus::Tree { Focus::Tree } else { Focus::Diff });
    } else {
        set_focus(model, Focus::Tree);
    }
    Vec::new()
}

fn step(model: &mut Model, forward: bool) {
    let count = model.review().map_or(model.tree.rows.len(), |review| review.parts().len());
    let at = model.tree.current.map_or(0, |at| if forward { at + 1 } else { at.wrapping_sub(1) });
    if at < count {
        select(model, at);
    }
}

/// Selects a part or file by its position and shows it.
pub fn select(model: &mut Model, at: usize) {
    let height = model.tree_height();
    let review = match &model.phase {
        Phase::Open(review) => Some(review.as_ref()),
        _ => None,
    };
    model.tree.select(at, review, height);
    follow(model);
}

/// Whether the cursor is on a heading of the tree: what is done to a part would hit one the reviewer is not on.
pub fn on_heading(model: &mut Model) -> bool {
    let on_heading = model.focus == Focus::Tree && matches!(model.tree.row(), Some(Row::Section(_)));
    if on_heading {
        model.toast("the cursor is on a heading: move to a part first", Role::Header);
    }
    on_heading
}

/// Begins to select lines at the cursor of the diff, or drops what is selected.
fn select_lines(model: &mut Model) {
    if model.diff.selection.take().is_some() {
        return;
    }
    if model.diff.is_whole() || model.part().is_none() {
        return model.toast("lines are selected in the diff of a part", Role::Header);
    }
    model.diff.selection = Selection::begin(&model.diff.index, model.diff.scroll.cursor);
    if model.diff.selection.is_none() {
        model.toast("the cursor is on no line: move to one first", Role::Header);
    }
}

/// Shows stamps in full or in one line; the cursor stays with its answer.
fn stamps(model: &mut Model) {
    let before = model.side_rows();
    let answer = before.get(model.side.scroll.cursor).and_then(|row| row.answer);
    model.side.full_stamps = !model.side.full_stamps;
    let (rows, height) = (model.side_rows(), model.side_height());
    let first = answer.and_then(|answer| rows.iter().position(|row| row.answer == Some(answer)));
    match first {
        Some(row) => model.side.scroll.show(row, rows.len(), height),
        None => model.side.scroll.settle(rows.len(), height),
    }
}

fn mark(model: &mut Model) -> Vec<Effect> {
    if on_heading(model) {
        return Vec::new();
    }
    let Some(key) = model.part().map(|part| part.part.key.clone()) else { return Vec::new() };
    let Some(on) = model.review_mut().map(|review| review.toggle_mark(&key)) else { return Vec::new() };
    engine::relist(model);
    if on {
        next_unreviewed(model);
    }
    vec![Effect::Send(Request::Mark { part: key, on })]
}

fn next_unreviewed(model: &mut Model) {
    let Some(review) = model.review() else { return };
    let open = model.tree.noise_open;
    let parts = review.parts();
    let from = model.tree.current.map_or(0, |at| at + 1);
    let wanted = |at: &usize| parts.get(*at).is_some_and(|part| !review.is_marked(part) && (open || !part.rank.sunk));
    let next = (from..parts.len()).chain(0..from.min(parts.len())).find(wanted);
    match next {
        Some(at) => select(model, at),
        None => model.toast("every part is reviewed, folded noise apart", Role::Header),
    }
}

fn refresh(model: &mut Model) -> Vec<Effect> {
    if matches!(model.phase, Phase::Failed(_)) {
        model.phase = Phase::Loading;
        model.stages.clear();
    }
    model.toast("reading the change again", Role::Header);
    vec![Effect::Send(Request::Refresh)]
}
