//! Asking from the menu, with what is picked and typed; the queue; what was refused; whole files; copies and drafts.

use std::sync::Arc;
use std::time::Duration;

use super::review::{answer, cite, pool_review, refusal};
use super::{ASKS, HEAD, Screen};
use crate::ask::{Claim, Outcome, Reason, Takes, Wanted};
use crate::change::parts::ContentKey;
use crate::change::{Place, Side, Thread, ThreadComment};
use crate::engine::events::{AskRequest, Event, Request};
use crate::review::{KeptDraft, Review};
use crate::text::clean;
use crate::tui::actions::{AskKey, KeyTable};
use crate::tui::layout::Focus;
use crate::tui::message::{Effect, Message};
use crate::tui::model::Overlay;

fn open() -> Screen {
    Screen::on(pool_review(), 120, 40)
}

/// The one ask that was sent since the last look.
pub fn asked(screen: &mut Screen) -> AskRequest {
    match &screen.sent()[..] {
        [Effect::Send(Request::Ask(ask))] => ask.as_ref().clone(),
        other => panic!("{other:?}"),
    }
}

fn key(screen: &Screen) -> ContentKey {
    screen.model.part().unwrap().part.key.clone()
}

/// Types a text that has no key names in it.
fn type_in(screen: &mut Screen, text: &str) {
    for c in text.chars() {
        let key = if c == ' ' { "space".to_owned() } else { c.to_string() };
        screen.keys(&key);
    }
}

fn place(line: u32, end_line: u32, side: Side) -> Place {
    Place { path: "net/pool.py".into(), side, line, end_line }
}

pub fn thread(id: &str, line: u32, comments: &[(&str, &str)]) -> Thread {
    let comment = |(author, body): &(&str, &str)| ThreadComment {
        author: (*author).to_owned(),
        at: "2026-11-29T10:00:00Z".to_owned(),
        body: (*body).to_owned(),
    };
    Thread {
        id: id.to_owned(),
        place: Some(place(line, line, HEAD)),
        resolved: id == "one",
        outdated: id == "two",
        comments: comments.iter().map(comment).collect(),
        not_read: None,
    }
}

pub fn with_threads(threads: Vec<Thread>) -> Review {
    let mut review = pool_review();
    let mut reading = crate::change::Reading::clone(&review.reading);
    let mut change = crate::change::Change::clone(&reading.change);
    change.threads = threads;
    reading.change = Arc::new(change);
    review.reading = Arc::new(reading);
    review
}

pub fn two_threads() -> Review {
    with_threads(vec![
        thread("one", 11, &[("grace", "\n<!-- psst -->Is `close` safe twice?"), ("ada", "It is.")]),
        thread("two", 12, &[("linus", "Why the order?\nSecond line.")]),
    ])
}

pub fn claims() -> Vec<Claim> {
    vec![
        Claim { text: clean("drops every connection"), place: Some(place(9, 9, HEAD)) },
        Claim { text: clean("Closing closes connections that idle, however long they did."), place: None },
    ]
}

#[test]
fn the_menu_runs_an_ask_by_its_key_by_enter_and_by_its_number() {
    for keys in ["a c", "a j j Enter", "a 3", "a G k k Enter"] {
        let mut screen = open();
        screen.keys(keys);
        let request = asked(&mut screen);
        assert_eq!((request.kind, request.part, request.wanted), ("cover", key(&screen), Wanted::default()), "{keys}");
        assert_eq!((screen.model.focus, screen.model.overlay.is_none()), (Focus::Side, true));
    }
    let mut screen = open();
    screen.keys("a Esc j");
    assert!(screen.model.overlay.is_none() && screen.sent().is_empty());
    assert!(screen.shows("age in net/pool.py"));
}

#[test]
fn keys_of_the_menu_mean_other_things_outside_it() {
    let mut screen = open();
    screen.keys("Enter j j j v");
    assert!(screen.model.diff.selection.is_some() && screen.sent().is_empty());
    screen.keys("Esc Esc a q");
    assert!(screen.shows("Question about Pool.close in net/pool.py:"));
    screen.keys("Esc q");
    assert_eq!(screen.sent(), [Effect::Quit]);
}

#[test]
fn a_sixth_ask_is_in_the_menu_the_help_and_the_footer() {
    let smell = AskKey { kind: "smell", title: "What smells here?", key: "m", takes: Takes::Part, direct: true };
    let mut screen = Screen::on(pool_review(), 200, 60);
    screen.model.keys = KeyTable::new(&[&ASKS[..], &[smell]].concat());
    assert!(screen.shows("m smell"));
    screen.keys("a");
    assert!(screen.shows("m  smell: What smells here?") && screen.shows("m smell"));
    screen.keys("m");
    assert_eq!(asked(&mut screen).kind, "smell");
    screen.keys("?");
    let mut seen = screen.text();
    screen.keys("G");
    seen.push_str(&screen.text());
    assert_eq!(seen.lines().filter(|line| line.contains("What smells here?")).count(), 2, "{seen}");
}

#[test]
fn selected_lines_are_those_of_one_side() {
    let mut screen = open();
    screen.keys("Enter ] j j j j v");
    assert!(screen.shows("head 10 selected"), "{}", screen.text());
    screen.keys("j j");
    assert!(screen.shows("head 10-12 selected"), "{}", screen.text());
    assert_eq!(screen.text().matches('▐').count(), 3);
    screen.keys("a v");
    let request = asked(&mut screen);
    assert_eq!((request.kind, request.wanted.lines), ("verify", Some(place(10, 12, HEAD))));
    assert!(screen.model.diff.selection.is_none());
    assert!(screen.shows("net/pool.py:10-12 head"));
}

#[test]
fn lines_of_the_other_side_between_are_skipped() {
    let mut review = pool_review();
    let (change, files) = crate::change::fixtures::change(&[("a", "one\ntwo\nthree\n")], &[("a", "one\n2\nthree\n")]);
    let part = super::review::part(&files, "a", 0, &[0], crate::change::rank::Importance::MustReview);
    review.reading = Arc::new(super::review::reading(change, files, vec![part]));
    let mut screen = Screen::on(review, 120, 40);
    screen.keys("Enter j j v j j j");
    assert!(screen.shows("head 1-3 selected"), "{}", screen.text());
    assert_eq!(screen.text().matches('▐').count(), 3, "{}", screen.text());
    screen.keys("Esc k k v k k k");
    assert!(screen.shows("base 1-2 selected"), "{}", screen.text());
    screen.keys("v");
    assert!(screen.model.diff.selection.is_none());
}

#[test]
fn a_selection_over_files_or_hunks_is_refused_in_words() {
    let (change, files) = super::review::pool_change();
    let mut whole = super::review::part(&files, "all", 2, &[0, 1], crate::change::rank::Importance::MustReview);
    whole.part.pieces.push(crate::change::parts::Piece { file: 4, hunks: vec![0] });
    let review = Review::new(Arc::new(super::review::reading(change, files, vec![whole])));
    let mut screen = Screen::on(review, 120, 40);
    screen.keys("Enter v");
    assert!(screen.shows("the cursor is on no line"));
    screen.keys("j j j v ctrl-d a v");
    assert!(screen.shows("the selection reaches over several files: select lines of one file"));
    assert!(screen.sent().is_empty());
    screen.keys("} k a q");
    assert!(screen.shows("too far selected"));
    assert!(screen.shows("not next to each other") || screen.shows("several files"));
}

#[test]
fn a_claim_is_picked_or_its_absence_said() {
    let mut screen = open();
    screen.keys("a v");
    let part = key(&screen);
    assert_eq!(screen.sent(), [Effect::Send(Request::Claims(part.clone()))]);
    assert!(screen.shows("looking for the claims"));
    screen.keys("Enter");
    assert!(screen.model.overlay.is_none() && screen.sent().is_empty());
    screen.keys("a v");
    screen.sent();
    screen.event(Event::Claims(ContentKey("another".to_owned()), Ok(claims())));
    assert!(screen.shows("looking for the claims"));
    screen.event(Event::Claims(part.clone(), Ok(claims())));
    assert!(screen.shows("1  drops every connection") && screen.shows("net/pool.py:9 head"));
    assert!(screen.shows("in the description"));
    screen.keys("j Enter");
    assert_eq!(asked(&mut screen).wanted, Wanted { claim: Some(1), ..Wanted::default() });
    screen.keys("a v");
    screen.event(Event::Claims(part, Ok(Vec::new())));
    assert!(screen.model.overlay.is_none());
    assert!(screen.shows("select the lines to verify with v in the diff"));
}

#[test]
fn a_thread_is_taken_picked_or_its_absence_said() {
    let mut screen = open();
    screen.keys("a t");
    assert!(screen.shows("this part has no review thread that was read"));
    let mut screen = Screen::on(with_threads(vec![thread("one", 11, &[("ada", "Fine?")])]), 120, 40);
    screen.keys("a t");
    assert_eq!(asked(&mut screen).wanted, Wanted { thread: Some(0), ..Wanted::default() });
    assert!(screen.shows("ada: Fine?"));
    let mut screen = Screen::on(two_threads(), 120, 40);
    screen.keys("a t");
    assert!(screen.shows("1  grace: [hidden on GitHub: <!-- psst -->]Is `close` safe twice?"));
    assert!(screen.shows("net/pool.py:11 head, 2 comments, resolved"));
    assert!(screen.shows("net/pool.py:12 head, 1 comment, open, outdated"));
    screen.keys("9 2");
    assert_eq!(asked(&mut screen).wanted, Wanted { thread: Some(1), ..Wanted::default() });
}

#[test]
fn a_question_names_what_it_is_about() {
    let mut screen = Screen::on(two_threads(), 120, 40);
    screen.keys("a t j q");
    assert!(screen.shows("Question about linus: Why the order?:"));
    type_in(&mut screen, "is 語 it so?");
    assert!(screen.shows("is 語 it so?"));
    screen.keys("Enter");
    let words = Some("is 語 it so?".to_owned());
    assert_eq!(asked(&mut screen).wanted, Wanted { thread: Some(1), words, ..Wanted::default() });
    screen.keys("Esc Esc ] j j j j v a q");
    screen.sent();
    assert!(screen.shows("Question about net/pool.py:10 head:"));
    screen.send(Message::Paste("why\nso?".to_owned()));
    screen.keys("Enter");
    let request = asked(&mut screen);
    assert_eq!((request.wanted.lines, request.wanted.words), (Some(place(10, 10, HEAD)), Some("why so?".to_owned())));
}

#[test]
fn words_given_up_come_back_on_the_same_part_alone() {
    let mut screen = open();
    screen.keys("a q");
    type_in(&mut screen, "half a thou");
    screen.keys("Esc");
    assert!(screen.model.prompt.is_none());
    screen.keys("J a q");
    assert_eq!(screen.model.prompt.as_ref().unwrap().text, "");
    screen.keys("Enter");
    assert!(screen.shows("no question is asked yet") && screen.model.prompt.is_some());
    screen.keys("Esc K a q");
    assert!(screen.shows("Question about Pool.close in net/pool.py: half a thou"));
    type_in(&mut screen, "ght");
    screen.keys("Enter");
    assert_eq!(asked(&mut screen).wanted.words.as_deref(), Some("half a thought"));
    screen.keys("Esc Esc a q");
    assert_eq!(screen.model.prompt.as_ref().unwrap().text, "");
}

#[test]
fn the_queue_is_shown_and_the_one_under_the_cursor_cancelled() {
    let mut screen = Screen::on(pool_review(), 200, 50);
    screen.keys("e a c J a c");
    screen.event(Event::AskStarted(1));
    screen.event(Event::AskProgress(1, clean("reads net/pool.py")));
    screen.send(Message::Tick(Duration::from_secs(9)));
    screen.sent();
    let text = screen.text();
    for words in ["Explain running, 9 s", "reads net/pool.py", "about Pool.close", "Cover waits for its turn"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.contains("Cover waits for its turn after 1 more") && text.contains("explain 9 s +2"), "{text}");
    // The first rows are the ask about the other part.
    screen.keys("g x");
    assert_eq!(screen.sent(), [Effect::Send(Request::CancelAsk(1))]);
    assert!(screen.shows("Explain stopping, 9 s"));
    screen.keys("G x");
    assert_eq!(screen.sent(), [Effect::Send(Request::CancelAsk(3))]);
    screen.keys("Esc");
    assert_eq!(screen.sent(), []);
}

#[test]
fn how_asks_ended_is_said_with_what_to_do_and_can_be_put_away() {
    let mut screen = Screen::on(pool_review(), 200, 50);
    screen.keys("e a c");
    let why = "no key is set\u{1b}".to_owned();
    screen.event(Event::AskEnded(1, Box::new(Outcome::NoAnswer { reason: Reason::NotSignedIn, why })));
    screen.event(Event::AskEnded(2, Box::new(Outcome::Cancelled)));
    for words in
        ["Explain: no answer, not signed in", "no key is set^[", "What to do: sign in with", "Cover: cancelled"]
    {
        assert!(screen.shows(words), "{words}: {}", screen.text());
    }
    screen.keys("g x");
    assert!(!screen.shows("Cover: cancelled") && screen.shows("Explain: no answer"));
    screen.keys("e");
    assert!(!screen.shows("Explain: no answer"));
}

#[test]
fn a_refused_answer_is_shown_as_nothing_else() {
    let mut screen = Screen::on(pool_review(), 200, 50);
    screen.keys("e");
    let part = screen.model.part().unwrap().clone();
    let mut refused = refusal(&part);
    refused.refused = clean("{\"does\": \"`Pool` shuts [1].\"}");
    screen.event(Event::AskEnded(1, Box::new(Outcome::Refused(refused))));
    screen.keys("j j j Enter");
    let text = screen.text();
    let rows: Vec<&str> = text.lines().filter(|line| line.contains("x| ")).collect();
    assert_eq!(rows.len(), 3, "{text}");
    assert!(rows[0].contains("REFUSED: IT FAILED ITS CHECKS"));
    assert!(rows[1].contains("x| {\"does\": \"`Pool` shuts [1].\"}"));
    assert!(text.contains("citation: [2] quotes"));
    // Nothing of it looks like a citation or code of an answer.
    let row = screen.row_with("x| {").unwrap();
    let text_of = screen.text().lines().nth(usize::from(row)).unwrap().to_owned();
    let column = text_of[..text_of.find("[1]").unwrap()].chars().count() as u16;
    let citation = screen.model.look.role(crate::tui::theme::Role::Citation).fg;
    assert_ne!(Some(screen.buffer()[(column + 1, row)].fg), citation);
    screen.keys("1");
    assert!(screen.shows("so there is nothing to jump to"));
    screen.keys("Enter y d");
    assert!(!screen.shows("x| {"));
    assert!(
        !screen.sent().iter().any(|effect| matches!(effect, Effect::Copy(_) | Effect::Send(Request::KeepDraft(_))))
    );
}

/// A screen with an answer that cites a line outside every hunk and a file that did not change.
pub fn far_citations(width: u16, height: u16) -> Screen {
    let mut screen = Screen::on(pool_review(), width, height);
    screen.keys("e");
    let part = screen.model.part().unwrap().clone();
    let mut far = answer(&part);
    far.citations[1] = cite("net/pool.py", Side::Base, 20, "return not idle(pool)");
    far.citations[1].place.end_line = 21;
    far.citations.push(cite("net/pool.py", HEAD, 11, "c.close()"));
    far.citations[3].place.end_line = 12;
    screen.event(Event::AskEnded(1, Box::new(Outcome::Answered(far))));
    screen
}

#[test]
fn a_citation_outside_every_hunk_opens_the_whole_file() {
    let mut screen = far_citations(120, 40);
    screen.keys("2");
    assert!(screen.shows("base, commit 1111111111") && screen.shows("to read only; Esc or ctrl-o returns"));
    assert!(screen.model.diff.is_whole());
    assert_eq!(screen.model.diff.scroll.cursor, 19);
    let cited = screen.model.look.role(crate::tui::theme::Role::Cited).bg.unwrap();
    let buffer = screen.buffer();
    let lit = (0..40).filter(|y| (0..70).any(|x| buffer[(x, *y)].bg == cited)).count();
    assert_eq!(lit, 2, "{}", screen.text());
    // Search, selection, and the way back to the answer.
    screen.keys("/ i d l e Enter n");
    assert_eq!(screen.model.diff.scroll.cursor, 15, "{}", screen.text());
    screen.keys("v");
    assert!(screen.shows("lines are selected in the diff of a part"));
    screen.keys("Esc Esc");
    assert!(!screen.model.diff.is_whole());
    assert_eq!(screen.model.focus, Focus::Side);
    screen.keys("2 g 1");
    assert!(!screen.model.diff.is_whole() && screen.model.focus == Focus::Diff);
    screen.keys("ctrl-o");
    assert!(screen.model.diff.is_whole());
    screen.keys("ctrl-o");
    assert!(!screen.model.diff.is_whole() && screen.model.focus == Focus::Side);
}

#[test]
fn a_cited_line_of_a_whole_file_leads_back_to_its_answer() {
    let mut screen = far_citations(120, 40);
    screen.keys("2 Enter");
    assert_eq!(screen.model.focus, Focus::Side);
    assert!(screen.text().contains("▸[2] net/pool.py:20-21 base"), "{}", screen.text());
}

#[test]
fn a_line_that_another_parts_answer_cites_shows_it_and_leads_there() {
    let mut screen = Screen::on(pool_review(), 200, 50);
    screen.keys("e");
    let part = screen.model.part().unwrap().clone();
    screen.event(Event::AskEnded(1, Box::new(Outcome::Answered(answer(&part)))));
    screen.keys("3");
    assert!(screen.shows("worth reviewing 2 of 2") && screen.shows("Nothing was asked about this part yet."));
    screen.keys("k");
    assert!(screen.text().lines().any(|line| line.contains("*      2 +")), "{}", screen.text());
    screen.keys("j");
    screen.keys("Enter");
    assert_eq!(screen.model.focus, Focus::Side);
    assert!(screen.shows("must review 1 of 1") && screen.shows("▸[3] tests/test_pool.py:2 head"), "{}", screen.text());
    screen.keys("ctrl-o");
    assert!(screen.shows("worth reviewing 2 of 2") && screen.model.focus == Focus::Diff);
}

#[test]
fn a_file_on_its_way_is_said_and_then_shown() {
    let mut screen = far_citations(120, 40);
    screen.slow = true;
    screen.sent();
    screen.keys("2");
    let (side, path) = (Side::Base, crate::change::RepoPath::from("net/pool.py"));
    assert_eq!(screen.sent(), [Effect::Send(Request::File { side, path: path.clone() })]);
    assert!(screen.shows("the file is being read"));
    let text = Ok(crate::change::Text::from("one\ntwo\n"));
    screen.event(Event::File { side, path, text });
    assert!(screen.shows("net/pool.py has 2 lines at the base, so line 20 is not there"));
    assert!(screen.shows("1  one"));
    // An order that changes meanwhile leaves the file where it is.
    let reading = crate::change::Reading::clone(&screen.model.review().unwrap().reading);
    screen.event(Event::Reranked(Arc::new(reading)));
    assert!(screen.model.diff.is_whole());
}

#[test]
fn every_line_of_a_citation_is_lit() {
    let mut screen = far_citations(120, 40);
    screen.keys("4");
    assert_eq!(screen.model.diff.highlight.clone().unwrap().lines, 11..13);
}

#[test]
fn an_answer_is_copied_whole_and_plain() {
    let mut screen = far_citations(120, 40);
    screen.sent();
    screen.keys("y");
    let effects = screen.sent();
    let [Effect::Copy(text)] = &effects[..] else { panic!("{effects:?}") };
    assert!(text.starts_with("Explain: Pool.close in net/pool.py\n\nWhat it does\n`Pool.close` now closes"), "{text}");
    assert!(text.contains("\n[2] net/pool.py:20-21 base \"return not idle(pool)\"\n"), "{text}");
    assert!(text.contains("- 7 files of the head tree name `close`.\n"));
    assert!(text.ends_with("explain by plain, no model was used, 2026-11-30 12:05 UTC, 12 ms\n"), "{text}");
    let words = format!("copied {} characters with OSC 52; your terminal must allow it", text.chars().count());
    assert!(screen.shows(&words));
    let mut long = answer(&screen.model.part().unwrap().clone());
    long.sections[0].text = clean(&"x".repeat(100_001));
    long.stamp.model = Some("m".to_owned());
    screen.keys("e");
    screen.event(Event::AskEnded(2, Box::new(Outcome::Answered(long))));
    screen.sent();
    screen.keys("y");
    assert_eq!(screen.sent(), []);
    assert!(screen.shows("100000 at most are copied"));
}

#[test]
fn an_answer_becomes_a_draft_that_is_listed_read_and_removed_on_a_second_word() {
    let mut screen = far_citations(200, 50);
    screen.sent();
    screen.keys("d");
    let effects = screen.sent();
    let [Effect::Send(Request::KeepDraft(draft))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(draft.place, Some(place(11, 11, HEAD)));
    assert!(draft.text.starts_with("**What it does**\n`Pool.close` now closes"), "{}", draft.text);
    assert!(draft.text.ends_with("[4] `net/pool.py:11-12 head`"), "{}", draft.text);
    let from = draft.from.clone().unwrap();
    assert_eq!((from.ask.as_str(), from.agent.as_str()), ("explain", "plain"));
    assert!(!screen.shows("Drafts"));
    let kept = KeptDraft { id: 4, at: "2026-11-30T12:06:00Z".to_owned(), draft: draft.as_ref().clone() };
    screen.event(Event::DraftKept(Box::new(kept)));
    assert!(screen.shows("drafts stay here, nothing was sent to GitHub"));
    assert!(screen.shows("Drafts 1") && screen.shows("▸ net/pool.py:11 head"), "{}", screen.text());
    screen.keys("G D");
    assert!(screen.shows("D once more removes it for good"), "{}", screen.text());
    screen.keys("k j D");
    assert_eq!(screen.sent(), []);
    screen.keys("D");
    assert_eq!(screen.sent(), [Effect::Send(Request::DropDraft(4))]);
    screen.keys("k Enter");
    assert!(screen.shows("Made of explain by plain, 2026-11-30 12:05 UTC; kept"), "{}", screen.text());
    screen.keys("j Enter");
    assert_eq!(screen.model.diff.highlight.clone().unwrap().lines, 11..12);
    screen.event(Event::DraftDropped(4));
    assert!(!screen.shows("Drafts 1"));
}

#[test]
fn an_answer_without_a_line_in_the_diff_is_a_draft_for_the_conversation() {
    let mut screen = open();
    screen.keys("e");
    let mut bare = answer(&screen.model.part().unwrap().clone());
    bare.citations.truncate(1);
    bare.citations[0].place.line = 20;
    bare.citations[0].place.end_line = 20;
    bare.asked = Some(clean("is it safe?"));
    screen.event(Event::AskEnded(1, Box::new(Outcome::Answered(bare))));
    screen.sent();
    screen.keys("d");
    let effects = screen.sent();
    let [Effect::Send(Request::KeepDraft(draft))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(draft.place, None);
    assert!(draft.text.starts_with("> explain: is it safe?\n\n**What it does**"), "{}", draft.text);
}

#[test]
fn a_draft_of_a_part_that_is_gone_is_listed_with_every_part() {
    let mut review = pool_review();
    let mut draft = crate::review::Draft::of(&answer(&review.parts()[0]), None);
    (draft.part, draft.part_name) = (ContentKey("gone".to_owned()), "closing in old.py".to_owned());
    review.drafts = vec![KeptDraft { id: 1, at: "2026-11-30T12:06:00Z".to_owned(), draft }];
    let mut screen = Screen::on(review, 200, 50);
    screen.keys("J Enter Enter");
    assert!(screen.shows("its part is no longer there: closing in old.py"), "{}", screen.text());
}

#[test]
fn what_the_agent_was_not_shown_is_said_and_copied() {
    let mut screen = Screen::on(pool_review(), 200, 50);
    screen.keys("e");
    let mut some = answer(&screen.model.part().unwrap().clone());
    some.not_shown = vec![clean("The description was cut.")];
    screen.event(Event::AskEnded(1, Box::new(Outcome::Answered(some))));
    assert!(screen.shows("What the agent was not shown at first") && screen.shows("The description was cut."));
    screen.sent();
    screen.keys("y");
    assert!(matches!(&screen.sent()[..], [Effect::Copy(text)] if text.contains("- The description was cut.")));
}

#[test]
fn the_stamp_is_one_line_or_everything() {
    let mut screen = far_citations(200, 50);
    assert!(screen.shows("no model was used, 2026-11-30 12:05 UTC, 12 ms"));
    assert!(!screen.shows("checks passed"));
    screen.keys("s");
    assert!(screen.shows("checks passed: citation, names"), "{}", screen.text());
    screen.keys("s");
    assert!(!screen.shows("checks passed"));
}

#[test]
fn an_answer_that_comes_while_another_is_read_leaves_the_cursor_on_it() {
    let mut screen = far_citations(120, 24);
    screen.keys("a c G");
    let rows = screen.model.side_rows();
    let under = rows[screen.model.side.scroll.cursor].spans.clone();
    let mut other = answer(&screen.model.part().unwrap().clone());
    other.stamp.ask = "cover".to_owned();
    other.asked = Some(clean("what tests it"));
    screen.event(Event::AskEnded(2, Box::new(Outcome::Answered(other))));
    assert_eq!(screen.model.side_rows()[screen.model.side.scroll.cursor].spans, under);
    assert_eq!(screen.model.side.shown(&screen.model.side_rows()), Some(1));
    assert!(screen.shows("cover answered: Pool.close in net/pool.py"));
    screen.keys("g");
    assert!(screen.shows("Cover by plain") && screen.shows("what tests it"));
}

#[test]
fn too_many_selected_lines_are_refused_and_stay_selected() {
    let text: String = (0..40).map(|at| format!("line {at}\n")).collect();
    let (change, files) = crate::change::fixtures::change(&[], &[("a.txt", &text)]);
    let part = super::review::part(&files, "a", 0, &[0], crate::change::rank::Importance::MustReview);
    let mut screen = Screen::on(Review::new(Arc::new(super::review::reading(change, files, vec![part]))), 120, 40);
    screen.keys("Enter j j v ctrl-d j j j a v");
    assert!(screen.shows("lines are selected, 20 at most can be asked about"), "{}", screen.text());
    assert!(screen.model.diff.selection.is_some() && screen.sent().is_empty());
}

#[test]
fn a_jump_from_an_answer_about_another_head_says_so() {
    let mut review = pool_review();
    let mut old = answer(&review.parts()[0]);
    old.stamp.head_commit = "4444444444444444444444444444444444444444".parse().ok();
    review.answers.push(old);
    let mut screen = Screen::on(review, 120, 40);
    screen.keys("1");
    assert!(screen.shows("the answer is about head 4444444444, shown is 2222222222: lines may have moved"));
}

#[test]
fn lists_close_when_the_change_is_opened_anew() {
    let mut screen = Screen::on(two_threads(), 120, 40);
    screen.keys("a t");
    assert!(matches!(screen.model.overlay, Some(Overlay::List(_))));
    screen.event(Event::Opened(Arc::new(pool_review())));
    assert!(screen.model.overlay.is_none());
}

#[test]
fn nothing_shines_through_what_is_laid_over_the_panes() {
    let mut screen = open();
    screen.keys("a");
    let buffer = screen.buffer();
    let row = screen.row_with("Is this true?").unwrap();
    let line = screen.text().lines().nth(usize::from(row)).unwrap().to_owned();
    let start = line[..line.find("Is this true?").unwrap()].chars().count() as u16;
    let styles: Vec<_> = (start..start + 13).map(|x| buffer[(x, row)].style()).collect();
    assert!(styles.iter().all(|style| *style == styles[0]), "{styles:?}");
}
