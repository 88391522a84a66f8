//! What keys do, seen on the screen and in what the engine is asked.

use std::sync::Arc;
use std::time::Duration;

use super::review::{answer, cite, part, pool_review, reading, refusal};
use super::{HEAD, Screen};
use crate::ask::Outcome;
use crate::change::rank::Importance;
use crate::change::{Side, fixtures};
use crate::engine::events::{AskRequest, Event, Request};
use crate::review::Review;
use crate::tui::layout::Focus;
use crate::tui::message::{Effect, Message};
use crate::tui::panes::tree::{Row, Section};

fn open() -> Screen {
    Screen::on(pool_review(), 120, 40)
}

fn with_answer(width: u16) -> Screen {
    let mut screen = Screen::on(pool_review(), width, 40);
    screen.keys("e");
    let part = screen.model.part().unwrap().clone();
    let outcome = Box::new(Outcome::Answered(answer(&part)));
    screen.event(Event::AskEnded(1, outcome));
    screen
}

fn ask(id: u64, part: &crate::change::parts::ContentKey) -> Request {
    let (part, wanted) = (part.clone(), Default::default());
    Request::Ask(Box::new(AskRequest { id, kind: "explain", part, wanted, choice: None }))
}

/// A review of one part per text of a single added file each.
fn of_files(files: &[(&str, &str)]) -> Review {
    let (change, readings) = fixtures::change(&[], files);
    let all: Vec<usize> = (0..files.len()).collect();
    let parts = all.iter().map(|at| part(&readings, files[*at].0, *at, &[0], Importance::WorthReviewing)).collect();
    Review::new(Arc::new(reading(change, readings, parts)))
}

#[test]
fn the_diff_follows_the_tree() {
    let mut screen = open();
    assert!(screen.shows("must review 1 of 1  Pool.close in net/pool.py"));
    screen.keys("j");
    assert!(screen.shows("worth reviewing 1 of 2  age in net/pool.py"));
    assert!(screen.shows("return time.time() - pool.born_at"));
    screen.keys("J J");
    assert!(screen.shows("context 1 of 1  i18n/ja.py"));
    screen.keys("g");
    assert!(screen.shows("Pool.close in net/pool.py"));
}

#[test]
fn noise_is_folded_until_asked_for() {
    let mut screen = open();
    assert!(!screen.shows("poetry.lock"));
    screen.keys("G Enter j");
    assert!(screen.shows("noise 1 of 1  poetry.lock"));
    assert!(screen.shows("claimed noise, lockfile: a changed source of a package looks the same"));
    screen.keys("k Enter");
    assert_eq!(screen.model.tree.row(), Some(Row::Section(Section::Noise)));
    assert!(!screen.text().contains("◦ poetry.lock"));
}

#[test]
fn marking_moves_on_and_is_kept() {
    let mut screen = open();
    screen.keys("space");
    let first = screen.model.review().unwrap().parts()[0].part.key.clone();
    assert_eq!(screen.sent(), [Effect::Send(Request::Mark { part: first.clone(), on: true })]);
    assert!(screen.shows("must 1/1"));
    assert!(screen.shows("✓ Pool.close"));
    assert!(screen.shows("worth reviewing 1 of 2"));
    screen.keys("K space");
    assert_eq!(screen.sent(), [Effect::Send(Request::Mark { part: first, on: false })]);
    assert!(screen.shows("must 0/1"));
    screen.keys("space space space space");
    assert!(screen.shows("every part is reviewed"));
    screen.event(Event::Marks(Default::default()));
    assert!(screen.shows("must 0/1  worth 0/2"));
}

#[test]
fn citations_jump_across_hunks_and_files_and_ctrl_o_returns() {
    let mut screen = with_answer(120);
    assert_eq!(screen.model.focus, Focus::Side);
    screen.keys("2");
    assert_eq!(screen.model.focus, Focus::Diff);
    assert!(screen.shows("worth reviewing 1 of 2  age in net/pool.py"));
    let lit = screen.model.diff.highlight.clone().unwrap();
    assert_eq!((lit.side, lit.lines), (Side::Base, 29..30));
    let row = screen.row_with("-    return time.time() - pool.born").unwrap();
    let cited = screen.model.look.role(crate::tui::theme::Role::Cited).bg.unwrap();
    assert!((0..120).any(|x| screen.buffer()[(x, row)].bg == cited));
    screen.keys("ctrl-o");
    assert_eq!(screen.model.focus, Focus::Side);
    assert!(screen.shows("must review 1 of 1  Pool.close"));
    screen.keys("3");
    assert!(screen.shows("top-level code in tests/test_pool.py"));
    screen.keys("ctrl-o ]");
    screen.keys("Enter");
    let lit = screen.model.diff.highlight.clone().unwrap();
    assert_eq!((lit.side, lit.lines), (HEAD, 11..12));
    screen.keys("9");
    assert!(screen.shows("the shown answer has no citation 9"));
}

#[test]
fn a_cited_line_shows_its_number() {
    let screen = with_answer(200);
    assert!(screen.text().lines().any(|line| line.contains("1     11 +            c.close()")), "{}", screen.text());
}

#[test]
fn a_file_that_is_not_there_is_said() {
    let mut screen = open();
    let part = screen.model.part().unwrap().clone();
    screen.keys("e");
    let mut odd = answer(&part);
    odd.citations = vec![cite("net/pool.py", HEAD, 20, "x"), cite("other.py", HEAD, 1, "x")];
    let outcome = Box::new(Outcome::Answered(odd));
    screen.event(Event::AskEnded(1, outcome));
    screen.keys("2");
    assert!(screen.shows("not shown: there is no such file"));
    screen.keys("ctrl-o");
    assert_eq!(screen.model.focus, Focus::Side);
    screen.keys("ctrl-o");
    assert!(screen.shows("no jump to return from"));
}

#[test]
fn an_ask_runs_can_be_cancelled_and_is_never_doubled() {
    let mut screen = open();
    screen.keys("e");
    let key = screen.model.part().unwrap().part.key.clone();
    assert_eq!(screen.sent(), [Effect::Send(ask(1, &key))]);
    screen.event(Event::AskStarted(1));
    screen.send(Message::Tick(Duration::from_secs(5)));
    assert!(screen.shows("Explain running, 5 s"));
    screen.keys("e");
    assert_eq!(screen.sent(), []);
    assert!(screen.shows("explain runs already; x cancels it"));
    screen.keys("x");
    assert_eq!(screen.sent(), [Effect::Send(Request::CancelAsk(1))]);
    assert!(screen.shows("Explain stopping"));
    screen.event(Event::AskEnded(1, Box::new(Outcome::Cancelled)));
    assert!(screen.shows("Explain: cancelled"));
}

#[test]
fn a_refusal_shows_its_checks_and_never_its_answer() {
    let mut screen = open();
    screen.keys("e");
    let part = screen.model.part().unwrap().clone();
    let outcome = Box::new(Outcome::Refused(refusal(&part)));
    screen.event(Event::AskEnded(1, outcome));
    assert!(screen.shows("Explain: no answer, its checks failed"));
    assert!(screen.shows("citation: [2] quotes \"self.pool\""));
    assert!(!screen.shows("whatever it said") && screen.shows("refused answer: Enter shows what was refused"));
    screen.keys("1");
    assert!(screen.shows("there is nothing to jump to"));
    screen.keys("J 1");
    assert!(screen.shows("this part has no answer to jump from"));
}

#[test]
fn an_answer_of_other_content_is_stale() {
    let mut review = pool_review();
    let mut old = answer(&review.parts()[0]);
    old.stamp.content = crate::change::parts::ContentKey("older".to_owned());
    review.answers.push(old);
    let mut screen = Screen::on(review, 200, 50);
    screen.model.side.open = true;
    screen.keys("Tab Tab");
    assert!(screen.shows("Stale: the part has changed"));
}

#[test]
fn search_goes_through_the_part_and_round_its_end() {
    let text: String =
        (0..300).map(|at| format!("line {at}{}\n", if at % 100 == 50 { " Needle" } else { "" })).collect();
    let mut screen = Screen::on(of_files(&[("a.txt", &text)]), 80, 24);
    screen.keys("/ n e e d l e Enter");
    assert!(screen.shows("line 50 Needle"));
    assert_eq!(screen.model.diff.scroll.cursor, 52);
    screen.keys("n");
    assert!(screen.shows("line 150 Needle"));
    screen.keys("n n");
    assert!(screen.shows("line 50 Needle") && screen.shows("round the end"));
    screen.keys("N");
    assert!(screen.shows("line 250 Needle"));
    screen.keys("/ z z Enter");
    assert!(screen.shows("nothing in this part has \"zz\""));
    screen.keys("/ x Esc");
    assert!(screen.model.prompt.is_none());
}

#[test]
fn search_waits_for_texts_that_are_not_here() {
    let mut screen = open();
    screen.slow = true;
    screen.keys("J J");
    screen.sent();
    let file = screen.model.part().unwrap().part.pieces[0].file;
    screen.keys("/ a s s e r t Enter");
    assert!(screen.shows("⋯"));
    assert_eq!(screen.model.diff.scroll.cursor, 0);
    let texts = super::read_texts(screen.change.as_ref().unwrap(), file);
    screen.event(Event::Texts(file, texts));
    assert_eq!(screen.model.diff.scroll.cursor, 3);
}

#[test]
fn typing_is_no_command() {
    let mut screen = open();
    screen.keys("/ q j");
    assert_eq!(screen.model.prompt.as_ref().unwrap().text, "qj");
    screen.send(Message::Paste("pasted\nmore".to_owned()));
    assert_eq!(screen.model.prompt.as_ref().unwrap().text, "qjpasted");
    screen.keys("ctrl-c");
    assert_eq!(screen.sent(), [Effect::Quit]);
}

#[test]
fn hunks_files_and_parts_are_leapt_to() {
    let (change, files) = super::review::pool_change();
    let mut whole = part(&files, "all of it", 2, &[0, 1], Importance::MustReview);
    whole.part.pieces.push(crate::change::parts::Piece { file: 4, hunks: vec![0] });
    let mut screen = Screen::on(Review::new(Arc::new(reading(change, files, vec![whole]))), 120, 40);
    screen.keys("Enter ]");
    assert_eq!(screen.model.diff.scroll.cursor, 1);
    screen.keys("]");
    assert_eq!(screen.model.diff.scroll.cursor, 10);
    screen.keys("}");
    assert!(screen.text().lines().any(|line| line.contains("tests/test_pool.py") && line.contains("addition")));
    assert_eq!(screen.model.diff.scroll.cursor, 16);
    screen.keys("{ [");
    assert_eq!(screen.model.diff.scroll.cursor, 0);
}

#[test]
fn sideways_scroll_hints_at_both_edges() {
    let long = format!("start {} end\n", "x".repeat(300));
    let mut screen = Screen::on(of_files(&[("a.txt", &long)]), 80, 24);
    screen.keys("Enter");
    let row = screen.row_with("start").unwrap();
    let line = |screen: &Screen| screen.text().lines().nth(row as usize).unwrap().to_owned();
    assert!(line(&screen).ends_with('›'));
    screen.keys("l");
    assert!(line(&screen).contains('‹') && line(&screen).ends_with('›'));
    screen.keys("j j $");
    assert!(line(&screen).ends_with("end"), "{}", line(&screen));
    screen.keys("0");
    assert!(line(&screen).contains("start"));
}

#[test]
fn the_help_lists_every_row_of_the_table() {
    let mut screen = Screen::on(pool_review(), 120, 40);
    screen.keys("?");
    let mut seen = screen.text();
    for _ in 0..8 {
        screen.keys("ctrl-d");
        seen.push_str(&screen.text());
    }
    for row in screen.model.keys.bindings() {
        assert!(seen.contains(row.help), "{}", row.name);
    }
    screen.keys("Esc");
    assert!(screen.model.overlay.is_none());
}

#[test]
fn a_resize_keeps_the_cursor_in_sight() {
    let text: String = (0..300).map(|at| format!("line {at}\n")).collect();
    let mut screen = Screen::on(of_files(&[("a.txt", &text)]), 200, 50);
    screen.keys("Enter ctrl-d ctrl-d j j");
    let cursor = screen.model.diff.scroll.cursor;
    for (width, height) in [(80, 24), (60, 15), (20, 5), (140, 60), (99, 16)] {
        screen.send(Message::Resize(ratatui::layout::Size::new(width, height)));
        assert_eq!(screen.model.diff.scroll.cursor, cursor);
        if width >= 60 {
            assert!(screen.shows(&format!("line {}", cursor - 2)), "{width}x{height}");
        }
    }
}

#[test]
fn a_hit_is_brought_into_view_from_anywhere_and_left_again() {
    let far = format!("{}needle\n", "x".repeat(500));
    let mut screen = Screen::on(of_files(&[("a.txt", &format!("one\n{far}{far}"))]), 80, 24);
    screen.keys("Enter j");
    let before = screen.model.diff.scroll.cursor;
    screen.keys("/ n e e d l e Enter");
    assert!(screen.shows("needle"));
    let hit = screen.model.diff.scroll.cursor;
    screen.keys("ctrl-o");
    assert_eq!((screen.model.diff.scroll.cursor, screen.model.diff.left), (before, 0));
    screen.keys("e n");
    assert_eq!(screen.model.diff.scroll.cursor, hit);
    assert!(screen.shows("needle"));
}

#[test]
fn a_huge_change_says_how_large_it_is() {
    let screen = Screen::on(of_files(&[("a.txt", &"line\n".repeat(20_001))]), 120, 40);
    assert!(screen.shows("a huge change: files 1, changed lines 20001"));
    assert!(!open().shows("a huge change"));
}

#[test]
fn a_new_order_keeps_what_is_shown() {
    let mut screen = open();
    screen.keys("j Enter j j");
    let (name, scroll) = (screen.model.part().unwrap().part.name.clone(), screen.model.diff.scroll);
    let mut reading = crate::change::Reading::clone(&screen.model.review().unwrap().reading);
    reading.parts.swap(0, 1);
    reading.parts[0].rank.importance = Importance::MustReview;
    screen.event(Event::Reranked(Arc::new(reading)));
    assert_eq!(screen.model.part().unwrap().part.name, name);
    assert_eq!(screen.model.diff.scroll, scroll);
    assert!(screen.shows("must review 1 of 2  age in net/pool.py"));
}

#[test]
fn parts_that_arrive_keep_the_line_being_read() {
    let review = pool_review();
    let change = Arc::clone(&review.reading.change);
    let diff = review.reading.files[2].diff.clone();
    let mut screen = Screen::new(120, 40);
    screen.event(Event::Listed(change, Some((2, diff))));
    screen.keys("Enter ] ] j j j j");
    let place = screen.model.diff.place();
    screen.event(Event::Opened(Arc::new(review)));
    assert_eq!(screen.model.part().unwrap().part.name.as_str(), "age in net/pool.py");
    assert_eq!(screen.model.diff.place(), place);
}

#[test]
fn a_moved_head_is_a_banner_until_it_is_asked_for() {
    let mut screen = open();
    screen.event(Event::HeadMoved("3333333333333333333333333333333333333333".parse().unwrap()));
    assert!(screen.shows("The head moved to 3333333333: r reads it. Shown is 2222222222."));
    screen.keys("r");
    assert_eq!(screen.sent(), [Effect::Send(Request::Refresh)]);
    assert!(screen.shows("Pool.close"));
    screen.event(Event::Opened(Arc::new(pool_review())));
    assert!(!screen.shows("The head moved"));
}

#[test]
fn tab_walks_the_panes_that_are_open_and_esc_goes_back() {
    let mut screen = open();
    screen.keys("Tab Tab");
    assert_eq!(screen.model.focus, Focus::Tree);
    let mut screen = with_answer(120);
    screen.keys("Tab");
    assert_eq!(screen.model.focus, Focus::Tree);
    screen.keys("shift-Tab Esc");
    assert_eq!((screen.model.focus, screen.model.side.open), (Focus::Diff, false));
    screen.keys("Esc");
    assert_eq!(screen.model.focus, Focus::Tree);
}

#[test]
fn a_cited_line_leads_back_to_its_answer() {
    let mut screen = with_answer(120);
    screen.keys("Esc g G k k k");
    assert!(!screen.model.side.open && screen.shows("1 answer "));
    let row = screen.model.diff.index.find(2, HEAD, 11).unwrap();
    while screen.model.diff.scroll.cursor != row {
        screen.keys("k");
    }
    screen.keys("Enter");
    assert_eq!(screen.model.focus, Focus::Side);
    assert!(screen.shows("▸[1] net/pool.py:11 head"));
}

#[test]
fn a_carriage_return_at_a_line_end_is_no_alarm() {
    let mut screen = Screen::on(of_files(&[("a.txt", "one\rtwo\r\n")]), 80, 24);
    screen.keys("Enter");
    let row = screen.row_with("one^Mtwo^M").unwrap();
    let mark = screen.model.look.role(crate::tui::theme::Role::ControlMark).bg.unwrap();
    assert_eq!((0..80).filter(|x| screen.buffer()[(*x, row)].bg == mark).count(), 2);
}
