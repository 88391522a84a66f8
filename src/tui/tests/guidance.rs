//! What a reviewer who is new here is told, and what a key acts on when several things could be meant.

use super::Screen;
use super::asks::asked;
use super::review::{answer, pool_review, refusal};
use crate::ask::{Answer, Outcome, Reason};
use crate::change::parts::ContentKey;
use crate::engine::events::{Event, Request};
use crate::review::{Draft, KeptDraft};
use crate::tui::layout::Focus;
use crate::tui::message::Effect;

fn open() -> Screen {
    Screen::on(pool_review(), 200, 50)
}

fn no_answer() -> Box<Outcome> {
    Box::new(Outcome::NoAnswer { reason: Reason::TimedOut, why: "it took too long".to_owned() })
}

fn refused(screen: &Screen) -> Box<Outcome> {
    Box::new(Outcome::Refused(refusal(screen.model.part().unwrap())))
}

/// An answer of an ask about the part shown; answers of other asks are other answers.
fn answer_of(screen: &Screen, kind: &str) -> Answer {
    let mut answer = answer(screen.model.part().unwrap());
    answer.stamp.ask = kind.to_owned();
    answer
}

fn answered(screen: &mut Screen, id: u64, kind: &str) {
    let answer = answer_of(screen, kind);
    screen.event(Event::AskEnded(id, Box::new(Outcome::Answered(answer))));
}

fn draft(part: &str, name: &str) -> KeptDraft {
    let mut draft = Draft::of(&answer(&pool_review().parts()[0]), None);
    (draft.part, draft.part_name) = (ContentKey(part.to_owned()), name.to_owned());
    KeptDraft { id: 1, at: "2026-11-30T12:06:00Z".to_owned(), draft }
}

fn copied(screen: &mut Screen) -> Option<String> {
    screen.sent();
    screen.keys("y");
    screen.sent().into_iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.lines().next().unwrap().to_owned()),
        _ => None,
    })
}

#[test]
fn an_answer_puts_away_what_failed_before_it_and_has_the_cursor() {
    let mut screen = open();
    screen.keys("e a c");
    screen.event(Event::AskEnded(1, no_answer()));
    screen.event(Event::AskEnded(2, Box::new(Outcome::Cancelled)));
    assert!(screen.shows("Explain: no answer") && screen.shows("Cover: cancelled"));
    screen.keys("J e");
    screen.event(Event::AskEnded(3, no_answer()));
    screen.keys("K a v Esc e");
    answered(&mut screen, 4, "explain");
    assert!(!screen.shows("no answer") && !screen.shows("cancelled"), "{}", screen.text());
    assert!(screen.shows("▸Explain by plain"), "{}", screen.text());
    screen.keys("1");
    assert_eq!(screen.model.diff.highlight.clone().unwrap().lines, 11..12);
    // What failed about another part stays there.
    screen.keys("J");
    assert!(screen.shows("Explain: no answer"), "{}", screen.text());
}

#[test]
fn what_was_refused_stays_below_the_answers_that_came_since() {
    let mut screen = open();
    screen.keys("e");
    answered(&mut screen, 1, "explain");
    screen.keys("a c");
    let outcome = refused(&screen);
    screen.event(Event::AskEnded(2, outcome));
    let order = |screen: &Screen| {
        let rows = ["Cover by", "Cover: no answer", "Explain by"].map(|words| screen.row_with(words));
        assert!(rows[1..].iter().all(Option::is_some), "{}", screen.text());
        rows
    };
    let [_, no, explain] = order(&screen);
    assert!(no < explain);
    screen.keys("e");
    answered(&mut screen, 3, "cover");
    let [cover, no, explain] = order(&screen);
    assert!(cover.is_some() && cover < no && no < explain, "{}", screen.text());
    // The same answer once more is no further answer.
    screen.keys("e");
    answered(&mut screen, 4, "cover");
    assert_eq!(order(&screen), [cover, no, explain]);
}

#[test]
fn keys_act_on_the_nearest_answer_below_else_the_newest_but_never_on_what_was_refused() {
    let mut review = pool_review();
    review.drafts = vec![draft("gone", "old.py")];
    let mut screen = Screen::on(review, 200, 50);
    screen.keys("e");
    answered(&mut screen, 1, "explain");
    screen.keys("a c");
    answered(&mut screen, 2, "cover");
    screen.keys("a c");
    screen.event(Event::AskEnded(3, no_answer()));
    screen.keys("g");
    assert!(screen.shows("▸Cover: no answer"));
    assert_eq!(copied(&mut screen).unwrap(), "Cover: Pool.close in net/pool.py");
    screen.keys("d");
    let sent = screen.sent();
    assert!(matches!(&sent[..], [Effect::Send(Request::KeepDraft(_))]), "{sent:?}");
    screen.keys("1");
    assert_eq!(screen.model.focus, Focus::Diff);
    // The draft stands below every answer.
    screen.keys("ctrl-o G");
    assert_eq!(copied(&mut screen).unwrap(), "Cover: Pool.close in net/pool.py");
    screen.keys("a c");
    let outcome = refused(&screen);
    screen.event(Event::AskEnded(4, outcome));
    screen.keys("g 1");
    assert!(screen.shows("so there is nothing to jump to"));
    assert_eq!(copied(&mut screen), None);
}

#[test]
fn a_draft_says_whether_its_part_changed_or_is_gone() {
    let name = "Pool.close in net/pool.py";
    for (name, words) in [(name, "its part has changed since"), ("old.py", "its part is no longer there")] {
        let mut review = pool_review();
        review.drafts = vec![draft("other content", name)];
        let mut screen = Screen::on(review, 120, 40);
        screen.keys("Enter Enter");
        assert!(screen.shows(words), "{}", screen.text());
    }
    let mut review = pool_review();
    review.drafts = vec![draft("other content", &"a long name of a part ".repeat(6))];
    let mut screen = Screen::on(review, 120, 40);
    screen.keys("Enter Enter");
    let rows = screen.model.side_rows();
    let first = rows.iter().position(|row| row.spans.iter().any(|span| span.0.contains("no longer"))).unwrap();
    assert!(rows[first..first + 3].iter().all(|row| row.spans[0].0 == "  "), "{}", screen.text());
}

#[test]
fn quitting_while_an_ask_runs_takes_a_second_key() {
    let mut screen = open();
    screen.keys("e");
    screen.sent();
    screen.keys("q");
    assert!(screen.sent().is_empty() && screen.shows("an ask runs: q again quits and cancels it"));
    screen.keys("j q");
    assert!(screen.sent().is_empty());
    screen.event(Event::AskStarted(1));
    screen.keys("q");
    assert_eq!(screen.sent(), [Effect::Quit]);
    screen.keys("j a c");
    screen.sent();
    screen.keys("q");
    assert!(screen.sent().is_empty() && screen.shows("asks run: q again quits and cancels them"));
    screen.keys("j ctrl-c");
    assert_eq!(screen.sent(), [Effect::Quit]);
    let mut screen = open();
    screen.keys("e x");
    screen.sent();
    screen.keys("q");
    assert_eq!(screen.sent(), [Effect::Quit]);
}

#[test]
fn esc_in_the_answers_cancels_says_so_and_does_nothing_else() {
    let mut screen = open();
    screen.keys("e");
    asked(&mut screen);
    assert!(screen.shows("Esc or x cancels it"), "{}", screen.text());
    screen.keys("Esc");
    assert_eq!(screen.sent(), [Effect::Send(Request::CancelAsk(1))]);
    screen.event(Event::AskEnded(1, Box::new(Outcome::Cancelled)));
    assert_eq!((screen.model.focus, screen.model.side.open), (Focus::Side, true));
    assert!(screen.shows("Explain: cancelled"));
    screen.keys("? G");
    assert!(screen.shows("cancel the ask that runs; close the answers where none does"), "{}", screen.text());
    screen.keys("Esc e Tab");
    assert!(screen.shows("x cancels it") && !screen.shows("Esc or x"), "{}", screen.text());
}
