//! The screen at three sizes.

use std::sync::Arc;
use std::time::Duration;

use super::Screen;
use super::asks::{claims, far_citations, two_threads};
use super::review::{answer, pool_change, pool_review, refusal};
use crate::ask::Outcome;
use crate::engine::events::{Event, Progress, Stage};
use crate::problem::Problem;
use crate::tui::glyphs;
use crate::tui::message::Message;
use crate::tui::theme::{Depth, Kind, Theme};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 50)];

fn answered(width: u16, height: u16) -> Screen {
    let mut screen = Screen::on(pool_review(), width, height);
    screen.keys("e");
    let part = screen.model.part().unwrap().clone();
    let outcome = Box::new(Outcome::Answered(answer(&part)));
    screen.event(Event::AskEnded(1, outcome));
    screen
}

#[test]
fn opened() {
    for (width, height) in SIZES {
        let screen = Screen::on(pool_review(), width, height);
        insta::assert_snapshot!(format!("opened-{width}x{height}"), screen.text());
    }
}

#[test]
fn reading_the_diff() {
    for (width, height) in SIZES {
        let mut screen = Screen::on(pool_review(), width, height);
        screen.keys("Enter j j j j j j");
        insta::assert_snapshot!(format!("diff-{width}x{height}"), screen.text());
    }
}

#[test]
fn an_answer() {
    for (width, height) in SIZES {
        let mut screen = answered(width, height);
        insta::assert_snapshot!(format!("answer-{width}x{height}"), screen.text());
        screen.keys("1");
        insta::assert_snapshot!(format!("cited-{width}x{height}"), screen.text());
    }
}

#[test]
fn help() {
    for (width, height) in SIZES {
        let mut screen = Screen::on(pool_review(), width, height);
        screen.keys("?");
        insta::assert_snapshot!(format!("help-{width}x{height}"), screen.text());
    }
}

#[test]
fn what_is_laid_over_the_panes_to_pick_from() {
    for (width, height) in SIZES {
        let mut screen = Screen::on(two_threads(), width, height);
        screen.keys("a j");
        insta::assert_snapshot!(format!("menu-{width}x{height}"), screen.text());
        screen.keys("t j");
        insta::assert_snapshot!(format!("threads-{width}x{height}"), screen.text());
        screen.keys("q");
        screen.send(Message::Paste("is it safe to call it twice?".to_owned()));
        insta::assert_snapshot!(format!("question-{width}x{height}"), screen.text());
        screen.keys("Esc a v");
        let part = screen.model.part().unwrap().part.key.clone();
        screen.event(Event::Claims(part, Ok(claims())));
        insta::assert_snapshot!(format!("claims-{width}x{height}"), screen.text());
    }
}

#[test]
fn selected_lines() {
    for (width, height) in SIZES {
        let mut screen = Screen::on(pool_review(), width, height);
        screen.keys("Enter ] j j j j v j j");
        insta::assert_snapshot!(format!("selected-{width}x{height}"), screen.text());
    }
}

#[test]
fn a_queue_and_how_asks_ended() {
    for (width, height) in SIZES {
        let mut screen = Screen::on(two_threads(), width, height);
        screen.keys("e a c a t Enter K J a c");
        screen.event(Event::AskStarted(2));
        screen.event(Event::AskProgress(2, crate::text::clean("read_file net/pool.py, lines 1 to 40")));
        screen.send(Message::Tick(Duration::from_secs(12)));
        let part = screen.model.part().unwrap().clone();
        screen.event(Event::AskEnded(1, Box::new(Outcome::Refused(refusal(&part)))));
        insta::assert_snapshot!(format!("queue-{width}x{height}"), screen.text());
    }
}

#[test]
fn a_refused_answer() {
    for (width, height) in SIZES {
        let mut screen = Screen::on(pool_review(), width, height);
        screen.keys("e");
        let part = screen.model.part().unwrap().clone();
        let mut refused = refusal(&part);
        let words = "{\"does\": \"`Pool.close` now shuts every connection [1].\",\n \"cited\": [{\"line\": 12}]}";
        refused.refused = crate::text::clean_prose(words);
        screen.event(Event::AskEnded(1, Box::new(Outcome::Refused(refused))));
        screen.keys("Enter");
        insta::assert_snapshot!(format!("refused-{width}x{height}"), screen.text());
    }
}

#[test]
fn a_whole_file() {
    for (width, height) in SIZES {
        let mut screen = far_citations(width, height);
        screen.keys("2");
        insta::assert_snapshot!(format!("file-{width}x{height}"), screen.text());
    }
}

#[test]
fn drafts_below_the_answers() {
    for (width, height) in SIZES {
        let mut review = pool_review();
        let draft = crate::review::Draft::of(&answer(&review.parts()[0]), None);
        let at = "2026-11-30T12:06:00Z".to_owned();
        review.drafts = vec![crate::review::KeptDraft { id: 1, at, draft }];
        let mut screen = Screen::on(review, width, height);
        screen.keys("Enter Enter G Enter");
        insta::assert_snapshot!(format!("draft-{width}x{height}"), screen.text());
    }
}

#[test]
fn before_there_are_parts() {
    let mut screen = Screen::new(80, 24);
    screen.event(Event::Stage(Stage::Facts, Progress::Done));
    screen.event(Event::Stage(Stage::Fetch, Progress::Running("2,000 objects".to_owned())));
    insta::assert_snapshot!("loading", screen.text());
    let (change, files) = pool_change();
    screen.event(Event::Stage(Stage::Fetch, Progress::Done));
    screen.event(Event::Stage(Stage::Parts, Progress::Running(String::new())));
    screen.event(Event::Listed(Arc::new(change), Some((2, files[2].diff.clone()))));
    insta::assert_snapshot!("listed", screen.text());
}

#[test]
fn nothing_to_show() {
    let mut screen = Screen::new(80, 24);
    let problem = Problem::new("GitHub does not know `encode/httpx#99999`")
        .hint("check the number, or sign in with `gh auth login` if the repository is private");
    screen.event(Event::Failed(problem));
    insta::assert_snapshot!("failed", screen.text());
    let mut review = pool_review();
    let (change, _) = crate::change::fixtures::change(&[], &[]);
    review.reading = Arc::new(super::review::reading(change, Vec::new(), Vec::new()));
    insta::assert_snapshot!("empty", Screen::on(review, 80, 24).text());
    insta::assert_snapshot!("tiny", Screen::on(pool_review(), 40, 10).text());
}

#[test]
fn what_is_worth_a_line_of_its_own() {
    let mut review = pool_review();
    review.offline = true;
    review.moved_to = "3333333333333333333333333333333333333333".parse().ok();
    let mut screen = Screen::on(review, 120, 40);
    screen.keys("space Enter e");
    screen.event(Event::AskStarted(1));
    screen.send(Message::Tick(Duration::from_secs(7)));
    screen.event(Event::AskProgress(1, crate::text::clean("reading the part")));
    screen.event(Event::Trouble(Problem::new("the answer was not kept: disk full").hint("free some space")));
    insta::assert_snapshot!("running-offline-moved", screen.text());
    screen.keys("Esc o");
    insta::assert_snapshot!("about", screen.text());
}

#[test]
fn without_colour_and_in_ascii() {
    let mut screen = Screen::new(80, 24);
    screen.model.look.theme = Theme::built_in(Kind::Plain, Depth::Named);
    screen.model.look.glyphs = glyphs::ASCII;
    screen.event(Event::Opened(Arc::new(pool_review())));
    screen.keys("space K");
    let text = screen.text();
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!("plain-ascii", text);
}
