//! What hostile content does to the screen: nothing.

use std::sync::Arc;

use super::Screen;
use super::review::{answer, part, reading};
use crate::ask::Outcome;
use crate::change::fixtures::Fixture;
use crate::change::rank::Importance;
use crate::change::{Facts, FileMode, Side};
use crate::engine::events::{Event, Progress, Stage};
use crate::problem::Problem;
use crate::review::Review;
use crate::text::clean;
use crate::tui::message::Message;
use unicode_width::UnicodeWidthStr;

const EVIL: &str = "\x1b]0;owned\x07\u{9b}2J\u{202e}gpj\u{200b}\ttab\r end";

/// Fails where a cell holds what could act on a terminal, or where a row is wider than the screen.
fn holds(screen: &Screen) {
    let buffer = screen.buffer();
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            assert_eq!(clean(symbol).as_str(), symbol, "{x},{y}");
            assert!(!symbol.contains('\t'));
            x += symbol.width().max(1) as u16;
        }
        assert_eq!(x, buffer.area.width, "row {y} runs over: {}", screen.text().lines().nth(y.into()).unwrap());
    }
}

fn evil_facts(facts: Facts) -> Facts {
    Facts { title: EVIL.to_owned(), author: EVIL.to_owned(), head_branch: EVIL.to_owned(), ..facts }
}

fn review() -> Review {
    let wide = "日本語の行\t値\t👩\u{200d}💻 👍🏽 🇩🇪 e\u{301} \u{301}x ｶﾅ ٱلْعَرَبِيَّة कि\n";
    let text = format!("{EVIL}\n{}{}\n{}\u{301}\n", wide, wide.trim_end().repeat(9), "\u{301}".repeat(400));
    let (mut change, files) =
        Fixture::new(&[], &[("evil\x1b[31m\u{202e}.py", &text), ("日本語/長い長い長い長い長い名前.txt", wide)])
            .file(Side::Head, "raw.txt", b"\xff\xfe\x80 caf\xe9 \xc3\x28 end\n", FileMode::REGULAR)
            .build();
    change.facts = evil_facts(change.facts);
    let parts = (0..3)
        .map(|at| part(&files, &format!("{EVIL} {at} 日本語の長い名前の部品"), at, &[0], Importance::MustReview))
        .collect();
    let mut review = Review::new(Arc::new(reading(change, files, parts)));
    let mut said = answer(&review.parts()[0]);
    said.sections[0].text = clean(&format!("{EVIL} `x` {wide}"));
    said.stamp.agent = EVIL.to_owned();
    said.stamp.model = Some(EVIL.to_owned());
    review.answers.push(said);
    review
}

#[test]
fn no_frame_holds_a_control_character_or_runs_over() {
    for (width, height) in [(60, 15), (80, 24), (81, 24), (120, 40), (143, 30), (200, 50)] {
        for tab in [1, 3, 8, 16] {
            let mut screen = Screen::on(review(), width, height);
            screen.model.look.tab = tab;
            for keys in
                ["j", "k", "Enter", "l", "l l l", "$", "0", "/ j", "Esc", "e", "x", "?", "Esc", "o", "Esc", "2", "J"]
            {
                screen.keys(keys);
                holds(&screen);
            }
        }
    }
}

#[test]
fn words_from_elsewhere_are_cleaned_too() {
    let mut screen = Screen::new(80, 24);
    screen.event(Event::Stage(Stage::Fetch, Progress::Running(EVIL.to_owned())));
    holds(&screen);
    screen.event(Event::Stage(Stage::Fetch, Progress::Failed(Problem::new(EVIL).hint(EVIL))));
    holds(&screen);
    screen.event(Event::Failed(Problem::new(EVIL).hint(EVIL)));
    holds(&screen);
    let mut screen = Screen::on(review(), 80, 24);
    screen.keys("e").event(Event::AskProgress(1, clean(EVIL)));
    holds(&screen);
    screen.event(Event::Trouble(Problem::new(EVIL)));
    holds(&screen);
    let outcome = Box::new(Outcome::NoAnswer { reason: crate::ask::Reason::Died, why: EVIL.to_owned() });
    screen.event(Event::AskEnded(1, outcome));
    holds(&screen);
    screen.event(Event::Colours { file: 0, side: Side::Head, lines: 1..4, spans: Err(EVIL.to_owned()) });
    screen.keys("Esc Esc");
    holds(&screen);
    screen.send(Message::Paste(EVIL.to_owned()));
    screen.keys("/").send(Message::Paste(EVIL.to_owned()));
    holds(&screen);
}

#[test]
fn marks_look_unlike_text_that_spells_them() {
    let (change, files) = Fixture::new(&[], &[("a", "\x1b[0m ^[[0m\n")]).build();
    let parts = vec![part(&files, "a", 0, &[0], Importance::Context)];
    let mut screen = Screen::on(Review::new(Arc::new(reading(change, files, parts))), 80, 24);
    screen.keys("Enter");
    let row = screen.row_with("^[[0m ^[[0m").unwrap();
    let buffer = screen.buffer();
    let mark = screen.model.look.role(crate::tui::theme::Role::ControlMark).bg.unwrap();
    let marked: Vec<u16> = (0..80).filter(|x| buffer[(*x, row)].bg == mark).collect();
    assert_eq!(marked.len(), 2);
}

#[test]
fn a_text_that_is_not_here_says_why() {
    let (change, files) = Fixture::new(&[("a", "1\n")], &[("a", "2\n")]).build();
    let parts = vec![part(&files, "a", 0, &[0], Importance::Context)];
    let mut screen = Screen::new(80, 24);
    screen.slow = true;
    screen.event(Event::Opened(Arc::new(Review::new(Arc::new(reading(change, files, parts))))));
    assert!(screen.shows("+⋯"));
    screen.event(Event::Texts(0, Err("the blob was not fetched".to_owned())));
    assert!(screen.shows("not here: the blob was not fetched"));
}

#[test]
fn threads_claims_refusals_drafts_and_typed_words_hold_nothing_that_acts() {
    let mut review = super::asks::with_threads(vec![
        super::asks::thread("one", 11, &[(EVIL, EVIL)]),
        super::asks::thread("two", 12, &[(EVIL, "\x1b[2J")]),
    ]);
    let mut draft = crate::review::Draft::of(&answer(&review.parts()[0]), None);
    (draft.text, draft.part_name) = (format!("{EVIL}\n{EVIL}"), EVIL.to_owned());
    draft.part = crate::change::parts::ContentKey("gone".to_owned());
    review.drafts = vec![crate::review::KeptDraft { id: 1, at: EVIL.to_owned(), draft }];
    for (width, height) in [(60, 15), (80, 24), (200, 50)] {
        let mut screen = Screen::on(review.clone(), width, height);
        let part = screen.model.part().unwrap().clone();
        screen.keys("a t");
        holds(&screen);
        screen.keys("q");
        screen.send(Message::Paste(EVIL.to_owned()));
        holds(&screen);
        screen.keys("Enter");
        screen.event(Event::AskProgress(1, clean(EVIL)));
        holds(&screen);
        let mut refused = super::review::refusal(&part);
        refused.refused = crate::text::clean_prose(&format!("{EVIL}\n{EVIL}"));
        screen.event(Event::AskEnded(1, Box::new(Outcome::Refused(refused))));
        screen.keys("Enter");
        holds(&screen);
        screen.keys("G Enter G");
        holds(&screen);
        screen.keys("a v");
        let claim = crate::ask::Claim { text: clean(EVIL), place: None };
        screen.event(Event::Claims(part.part.key.clone(), Ok(vec![claim])));
        holds(&screen);
        screen.keys("Esc e");
        let mut far = answer(&part);
        far.citations = vec![super::review::cite("no\x1b[2J.py", Side::Head, 3, "x")];
        screen.event(Event::AskEnded(2, Box::new(Outcome::Answered(far))));
        screen.keys("g 1");
        holds(&screen);
    }
}
