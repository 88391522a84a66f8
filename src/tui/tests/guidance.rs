//! What a reviewer who is new here is told, and what a key acts on when several things could be meant.

use std::sync::Arc;
use std::time::Duration;

use super::Screen;
use super::asks::asked;
use super::review::{answer, pool_review, refusal};
use crate::ask::{Answer, Outcome, Reason};
use crate::change::parts::ContentKey;
use crate::change::rank::Importance;
use crate::change::{Side, fixtures};
use crate::engine::events::{Event, Request};
use crate::review::{Draft, KeptDraft};
use crate::tui::layout::Focus;
use crate::tui::message::{Effect, Message};

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
    screen.keys("?");
    assert!(screen.shows("cancel the ask that runs; close the answers where none does"), "{}", screen.text());
    screen.keys("Esc e Tab");
    assert!(screen.shows("x cancels it") && !screen.shows("Esc or x"), "{}", screen.text());
}

#[test]
fn the_words_of_a_question_come_back_when_it_ended_without_an_answer() {
    let mut screen = open();
    let typed = |screen: &Screen| screen.model.prompt.as_ref().unwrap().text.clone();
    let part = screen.model.part().unwrap().clone();
    let refused = || Box::new(Outcome::Refused(refusal(&part)));
    for (id, outcome) in [(1, no_answer()), (2, Box::new(Outcome::Cancelled)), (3, refused())] {
        screen.keys("a q");
        let words = typed(&screen);
        assert_eq!(words, if id == 1 { "" } else { "why" });
        screen.keys(if id == 1 { "w h y Enter" } else { "Enter" });
        assert_eq!(asked(&mut screen).wanted.words.as_deref(), Some("why"));
        screen.event(Event::AskEnded(id, outcome));
    }
    // What was typed and given up since is newer.
    screen.keys("a q Enter");
    screen.keys("a q n e w Esc");
    screen.event(Event::AskEnded(4, no_answer()));
    screen.keys("a q");
    assert_eq!(typed(&screen), "new");
    screen.keys("Enter");
    answered(&mut screen, 5, "question");
    screen.keys("a q");
    assert_eq!(typed(&screen), "");
}

#[test]
fn what_answers_a_key_goes_with_the_next_and_what_the_engine_says_stays() {
    let mut screen = open();
    screen.keys("n");
    assert!(screen.shows("nothing is searched for"));
    screen.keys("j");
    assert!(!screen.shows("nothing is searched for"));
    screen.event(Event::DraftKept(Box::new(draft("gone", "old.py"))));
    assert!(screen.shows("drafts stay here"));
    screen.keys("j");
    assert!(!screen.shows("drafts stay here"));
    screen.event(Event::Trouble(crate::problem::Problem::new("the disk is full")));
    screen.keys("k n k");
    assert!(screen.shows("the disk is full") && !screen.shows("nothing is searched for"));
    screen.send(Message::Tick(Duration::from_secs(11)));
    assert!(!screen.shows("the disk is full"));
}

/// A screen on one file that had these lines and has those.
fn lines(base: &str, head: &str) -> Screen {
    let (change, files) = fixtures::change(&[("a", base)], &[("a", head)]);
    let part = super::review::part(&files, "a", 0, &[0], Importance::MustReview);
    let mut review = pool_review();
    review.reading = Arc::new(super::review::reading(change, files, vec![part]));
    Screen::on(review, 160, 40)
}

#[test]
fn a_selection_over_the_other_side_says_what_it_skips_and_what_to_do() {
    let mut screen = lines("\ntwo\nthree\nend\n", "\nend\n");
    screen.keys("Enter j j v j j");
    assert!(screen.shows("head 1 selected, base lines skipped"), "{}", screen.text());
    for keys in ["a v", "a q"] {
        screen.keys(keys);
        let words = "the selected head lines have no text, and base lines are skipped: to select those, press v twice, \
                     the second time on a removed line";
        assert!(screen.shows(words), "{}", screen.text());
        assert!(screen.sent().is_empty() && screen.model.prompt.is_none());
    }
    screen.keys("v v");
    assert!(screen.shows("base 3 selected") && !screen.shows("skipped"), "{}", screen.text());
    screen.keys("a v");
    assert_eq!(asked(&mut screen).wanted.lines.unwrap().side, Side::Base);
    let mut screen = lines("one\nend\n", "one\n\nend\n");
    screen.keys("Enter j j j v a v");
    assert!(screen.shows("the selected head lines have no text: move on to lines that have, or v drops them"));
    let mut screen = lines("one\n\nend\n", "one\n2\nend\n");
    screen.keys("Enter j j j v j");
    assert!(screen.shows("base 2 selected, head lines skipped"), "{}", screen.text());
    screen.keys("a v");
    assert!(screen.shows("the second time on an added or kept line"), "{}", screen.text());
}

#[test]
fn the_keys_of_the_pane_in_use_come_first() {
    let mut screen = open();
    for (keys, first) in [("?", "In the parts"), ("Esc Tab ?", "In the diff"), ("Esc e ?", "In the answers")] {
        screen.keys(keys);
        let row = screen.row_with("Keys").unwrap();
        assert_eq!(screen.row_with(first), Some(row + 2), "{}", screen.text());
        assert!(screen.row_with("Everywhere") > Some(row + 2));
    }
}

#[test]
fn a_draft_under_the_cursor_says_how_it_is_removed_and_what_confirms_it_is_never_cut() {
    for (width, height) in [(200, 50), (80, 24)] {
        let mut review = pool_review();
        review.drafts = vec![draft("gone", "old.py")];
        let mut screen = Screen::on(review, width, height);
        screen.keys("Enter Enter g");
        assert!(!screen.shows("D remove draft"));
        screen.keys("G");
        assert!(screen.shows("? keys  D remove draft"), "{}", screen.text());
        screen.keys("Enter");
        for keys in ["D", "G D"] {
            screen.keys(keys);
            let words = "D once more removes it for good; any other key keeps it";
            assert!(screen.text().lines().last().unwrap().ends_with(words), "{}", screen.text());
        }
        screen.keys("k");
        assert!(!screen.shows("once more") && screen.sent().is_empty());
    }
}

#[test]
fn a_stamp_says_how_one_was_signed_in_and_that_there_are_no_commits() {
    let mut screen = open();
    screen.keys("e");
    let mut answer = answer_of(&screen, "explain");
    answer.stamp.login = Some("no key".to_owned());
    (answer.stamp.base_commit, answer.stamp.head_commit) = (None, None);
    screen.event(Event::AskEnded(1, Box::new(Outcome::Answered(answer))));
    screen.keys("s");
    let words: Vec<String> = screen.model.side_rows().iter().flat_map(|row| row.spans.clone()).map(|it| it.0).collect();
    let words = words.join(" ");
    assert!(words.contains("login: no key;") && words.contains("; no commits;"), "{words}");
}
