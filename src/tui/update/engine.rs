//! What the engine's events do to the model.

use std::sync::Arc;

use super::{answers, asking, cites, follow, jump, keeping, search_on, settle};
use crate::ask::Outcome;
use crate::change::diff::FileDiff;
use crate::change::parts::ContentKey;
use crate::change::{Change, RankedPart, Reading, Side, Text, Texts};
use crate::engine::events::{AskId, Event, Progress, Stage};
use crate::problem::Problem;
use crate::review::Review;
use crate::text::clean;
use crate::tui::asking::{How, Running};
use crate::tui::message::Effect;
use crate::tui::model::{Model, Overlay, Phase};
use crate::tui::panes::diff::Subject;
use crate::tui::panes::reader::Reader;
use crate::tui::shelf::Shelf;
use crate::tui::theme::Role;

/// Takes one event.
pub fn take(model: &mut Model, event: Event) -> Vec<Effect> {
    match event {
        Event::Stage(stage, progress) => staged(model, stage, progress),
        Event::Facts(facts) => model.facts = Some(facts),
        Event::Listed(change, first) => listed(model, change, first),
        Event::Opened(review) => opened(model, &review),
        Event::Reranked(reading) => reranked(model, reading),
        Event::Current { reading, as_of } => {
            if let Some(review) = model.review_mut() {
                (review.as_of, review.offline) = (Some(as_of), false);
            }
            reranked(model, reading);
        }
        Event::Texts(file, texts) => {
            model.shelf.put_texts(file, texts);
            return search_on(model);
        }
        Event::Colours { file, side, lines, spans } => model.shelf.put_colours(file, side, lines, spans),
        Event::File { side, path, text } => {
            let file = model.shelf.whole(side, &path);
            model.shelf.put_texts(file, text.map(|text| one_side(side, text)));
            jump::fill(model);
            return search_on(model);
        }
        Event::FileColours { side, path, lines, spans } => {
            let file = model.shelf.whole(side, &path);
            model.shelf.put_colours(file, side, lines, spans);
        }
        Event::Claims(part, claims) => asking::found(model, &part, claims),
        Event::DraftKept(draft) => keeping::kept(model, *draft),
        Event::DraftDropped(id) => keeping::dropped(model, id),
        Event::AskStarted(id) => {
            let now = model.now;
            if let Some(running) = model.asking.find(id) {
                running.started = Some(now);
            }
        }
        Event::AskProgress(id, words) => {
            if let Some(running) = model.asking.find(id) {
                running.progress = words;
            }
        }
        Event::AskEnded(id, outcome) => ended(model, id, *outcome),
        Event::Marks(marks) => {
            if let Some(review) = model.review_mut() {
                review.marks = marks;
            }
            relist(model);
        }
        Event::HeadMoved(head) => {
            model.moved = Some(head);
            settle(model);
        }
        Event::Failed(problem) => failed(model, problem),
        Event::Trouble(problem) => model.toast(problem.to_string(), Role::Warning),
    }
    Vec::new()
}

fn staged(model: &mut Model, stage: Stage, progress: Progress) {
    if let Progress::Failed(problem) = &progress {
        model.toast(format!("{} failed: {problem}", stage.words()), Role::Error);
    }
    match model.stages.iter_mut().find(|(known, _)| *known == stage) {
        Some((_, known)) => *known = progress,
        None => model.stages.push((stage, progress)),
    }
}

fn listed(model: &mut Model, change: Arc<Change>, first: Option<(usize, FileDiff)>) {
    // While a review is open, its parts stay until the next ones are there.
    if model.review().is_some() {
        return;
    }
    let at = first.as_ref().map(|(file, _)| *file);
    let files = change.files.len();
    model.facts = Some(Arc::new(change.facts.clone()));
    model.reader = Some(Reader::listed(change, first));
    model.phase = Phase::Listed;
    model.shelf = Shelf::default();
    model.diff.clear();
    model.tree.list_files(files);
    if let Some(at) = at {
        let height = model.tree_height();
        model.tree.select(at, None, height);
    }
    follow(model);
}

/// Where the reviewer stands: by content of the part, else by path, side and line.
struct Stood {
    key: Option<ContentKey>,
    place: Option<(crate::change::RepoPath, Side, u32)>,
}

fn stood(model: &Model) -> Stood {
    let key = match &model.diff.subject {
        Some(Subject::Part(key)) => Some(key.clone()),
        Some(Subject::Whole(..)) => model.part().map(|part| part.part.key.clone()),
        _ => None,
    };
    // A reviewer who only waited chose nothing.
    let moved = key.is_some() || model.diff.scroll.cursor > 0 || model.tree.scroll.cursor > 0;
    let place =
        model.diff.place().filter(|_| moved).and_then(|(file, side, line)| {
            Some((model.reader.as_ref()?.file(file)?.path_on(side).clone(), side, line))
        });
    Stood { key, place }
}

/// The part that holds what the reviewer stood on; the first one where nothing does.
fn part_of(stood: &Stood, review: &Review) -> Option<usize> {
    let by_key = stood.key.as_ref().and_then(|key| review.parts().iter().position(|part| part.part.key == *key));
    let by_place = || {
        let (path, side, line) = stood.place.as_ref()?;
        let files = &review.reading.change.files;
        let file = files.iter().position(|file| file.path_on(*side) == path)?;
        holder(review, file, *side, *line)
            .or_else(|| review.parts().iter().position(|part| part.part.pieces.iter().any(|piece| piece.file == file)))
    };
    by_key.or_else(by_place).or((!review.parts().is_empty()).then_some(0))
}

/// The part whose hunks show a line.
pub(super) fn holder(review: &Review, file: usize, side: Side, line: u32) -> Option<usize> {
    review.parts().iter().position(|part| shows(review, part, file, side, line))
}

/// Whether a hunk of a part shows a line.
pub(super) fn shows(review: &Review, part: &RankedPart, file: usize, side: Side, line: u32) -> bool {
    let Some(hunks) = review.reading.files.get(file).map(|file| &file.diff.hunks) else { return false };
    let within = |at: &usize| {
        hunks.get(*at).is_some_and(|hunk| if side == Side::Base { &hunk.base } else { &hunk.head }.contains(&line))
    };
    part.part.pieces.iter().any(|piece| piece.file == file && piece.hunks.iter().any(within))
}

/// Files and changed lines past which GitHub's pages leave something out.
const HUGE_FILES: usize = 300;
const HUGE_LINES: u64 = 20_000;

fn opened(model: &mut Model, review: &Arc<Review>) {
    let stood = stood(model);
    let reader = Reader::read(&review.reading);
    if matches!(model.overlay, Some(Overlay::List(_))) {
        // What it lists may be another part's by now.
        model.overlay = None;
    }
    if model.reader.as_ref().is_none_or(|before| !before.same_change(&reader)) {
        model.shelf = Shelf::default();
        model.jumps.clear();
        if let Some(words) = huge(review) {
            model.toast(words, Role::Header);
        }
    }
    model.shelf.forget_waiting();
    model.facts = Some(Arc::new(review.reading.change.facts.clone()));
    model.moved = review.moved_to.filter(|head| Some(*head) != review.reading.change.head_commit);
    model.reader = Some(reader);
    model.tree.current = part_of(&stood, review);
    model.phase = Phase::Open(Box::new(Review::clone(review)));
    reshow(model, &stood);
}

/// What is said of a change past the limits at which GitHub's own pages stop; none for any other.
fn huge(review: &Review) -> Option<String> {
    let files = review.reading.files.len();
    let lines: u64 = review.parts().iter().map(|part| u64::from(part.part.changed_lines())).sum();
    (files > HUGE_FILES || lines > HUGE_LINES).then(|| {
        format!("a huge change: files {files}, changed lines {lines}, past what GitHub's pages show. All of it is here")
    })
}

fn reranked(model: &mut Model, reading: Arc<Reading>) {
    let stood = stood(model);
    let Some(review) = model.review_mut() else { return };
    review.reading = Arc::clone(&reading);
    let current = part_of(&stood, review);
    model.reader = Some(Reader::read(&reading));
    model.tree.current = current;
    relist(model);
    if stood.key.is_none() {
        reshow(model, &stood);
    }
}

/// Builds the rows anew and puts the cursor where the reviewer stood.
fn reshow(model: &mut Model, stood: &Stood) {
    let before = model.diff.scroll;
    model.diff.clear();
    relist(model);
    follow(model);
    let Some(height) = model.diff_height() else { return };
    let row = stood.place.as_ref().and_then(|(path, side, line)| {
        let files = &model.reader.as_ref()?.change().files;
        let file = files.iter().position(|file| file.path_on(*side) == path)?;
        model.diff.index.find(file, *side, *line)
    });
    if let Some(row) = row.filter(|_| before.cursor > 0) {
        model.diff.scroll.show(row, model.diff.index.rows(), height);
    }
}

/// Lists the parts anew, with counts and marks.
pub(super) fn relist(model: &mut Model) {
    let height = model.tree_height();
    if let Phase::Open(review) = &model.phase {
        model.tree.list_parts(review, height);
    }
    answers(model);
}

/// A text as both sides of a file would have it.
fn one_side(side: Side, text: Text) -> Texts {
    match side {
        Side::Base => Texts { base: Some(text), head: None },
        Side::Head => Texts { base: None, head: Some(text) },
    }
}

fn ended(model: &mut Model, id: AskId, outcome: Outcome) {
    let before = model.side_rows();
    let Some(Running { what, .. }) = model.asking.end(id) else { return };
    let shown = model.side.open && model.part().is_some_and(|shown| shown.part.key == what.part);
    let (kind, name) = (what.kind, what.part_name.clone());
    // Where an answer that was there stands among the answers now.
    let mut stands: Box<dyn Fn(usize) -> usize> = Box::new(|at| at);
    let new = matches!(outcome, Outcome::Answered(_)).then_some(0);
    if new.is_none() {
        model.asking.not_answered(&what);
    }
    let words = match outcome {
        Outcome::Answered(answer) => {
            if let Phase::Open(review) = &mut model.phase {
                let same = review.answers.iter().position(|kept| kept.says_the_same(&answer));
                stands = Box::new(move |at| match same {
                    Some(same) if same == at => 0,
                    Some(same) if same < at => at,
                    _ => at + 1,
                });
                let mut of_part = review.answers.iter().filter(|kept| kept.stamp.content == what.part);
                let again = of_part.position(|kept| kept.says_the_same(&answer));
                review.answers.retain(|kept| !kept.says_the_same(&answer));
                review.answers.insert(0, answer);
                model.asking.answered(&what.part, again);
            }
            "answered"
        }
        Outcome::Refused(refusal) => {
            model.asking.remember(id, what.clone(), How::Refused(Box::new(refusal)));
            "refused: its checks failed"
        }
        Outcome::NoAnswer { reason, why } => {
            model.asking.remember(id, what.clone(), How::NoAnswer(reason, clean(&why)));
            "ended without an answer"
        }
        Outcome::Cancelled => {
            model.asking.remember(id, what.clone(), How::Cancelled);
            "cancelled"
        }
    };
    answers(model);
    if shown {
        let (rows, height) = (model.side_rows(), model.side_height());
        model.side.stay(&before, &rows, stands.as_ref(), new, height);
        cites(model);
    }
    if !shown || model.side.scroll.top > 0 {
        model.toast(format!("{kind} {words}: {name}"), Role::Header);
    }
}

fn failed(model: &mut Model, problem: Problem) {
    // Nothing runs any more, whichever stage it stopped in.
    model.stages.retain(|(_, progress)| !matches!(progress, Progress::Running(_)));
    match model.phase {
        Phase::Open(_) => model.toast(problem.to_string(), Role::Error),
        _ => model.phase = Phase::Failed(problem),
    }
}
