//! What a reviewer may pick, what is refused and why, and what of a thread is read.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use super::*;
use crate::ask::fixtures::{Labelled, one_part};
use crate::ask::thread::TRANSCRIPT_CHARS;
use crate::change::{Thread, ThreadComment};

fn labelled() -> Labelled {
    let mut labelled = one_part("a.py", "x = 1\n", "# Every pool is closed.\nx = 2\n");
    labelled.add_file("b.py", Some("y = 1\n"), Some("y = 2\n"));
    labelled.add_part(&["b.py"]);
    labelled
}

fn thread(id: &str, path: &str, line: u32, bodies: &[String]) -> Thread {
    let comment = |body: &String| ThreadComment { author: "io".to_owned(), at: String::new(), body: body.clone() };
    Thread {
        id: id.to_owned(),
        place: Some(Place { path: path.into(), side: Side::Head, line, end_line: line }),
        resolved: false,
        outdated: false,
        comments: bodies.iter().map(comment).collect(),
        not_read: None,
    }
}

fn found(labelled: &Labelled, takes: Takes, wanted: &Wanted) -> Result<About, String> {
    labelled.subject().about(takes, wanted).map(|subject| subject.about)
}

fn lines(line: u32, end_line: u32) -> Wanted {
    let place = Place { path: "a.py".into(), side: Side::Head, line, end_line };
    Wanted { lines: Some(place), ..Wanted::default() }
}

#[test]
fn finds_what_was_picked() {
    let mut labelled = labelled();
    labelled.threads = vec![
        thread("far", "a.py", 900, &["Far.".to_owned()]),
        thread("other", "b.py", 1, &["Other.".to_owned()]),
        thread("near", "a.py", 2, &["Near, in two\nlines.".to_owned()]),
    ];
    let asked = |takes, wanted: &Wanted| found(&labelled, takes, wanted).unwrap().asked().map(Clean::into_string);
    assert_eq!(asked(Takes::Part, &lines(1, 1)), None);
    assert_eq!(asked(Takes::Claim, &lines(1, 2)).unwrap(), "lines 1 to 2 of a.py (head)");
    let claim = Wanted { claim: Some(0), ..Wanted::default() };
    assert_eq!(asked(Takes::Claim, &claim).unwrap(), "Every pool is closed.");
    // Threads on lines the part shows come first; those of other files do not count.
    let nth = |thread| Wanted { thread: Some(thread), ..Wanted::default() };
    assert_eq!(asked(Takes::Thread, &nth(0)).unwrap(), "io: Near, in two");
    assert_eq!(asked(Takes::Thread, &nth(1)).unwrap(), "io: Far.");
    assert_eq!(found(&labelled, Takes::Thread, &nth(2)).unwrap_err(), "the part has no thread 3: it has 2");
    let words = Wanted { words: Some(" why\u{1b}? ".to_owned()), ..nth(0) };
    assert_eq!(asked(Takes::Question, &words).unwrap(), "why^[? (io: Near, in two)");
    let words = Wanted { words: Some("why?".to_owned()), ..lines(2, 2) };
    assert_eq!(asked(Takes::Question, &words).unwrap(), "why? (line 2 of a.py (head))");
}

#[test]
fn says_what_cannot_be_asked() {
    let labelled = labelled();
    let why = |takes, wanted: &Wanted| found(&labelled, takes, wanted).unwrap_err();
    let none = Wanted::default();
    assert!(why(Takes::Claim, &none).starts_with("nothing is selected"));
    assert!(why(Takes::Thread, &none).starts_with("no thread is picked"));
    assert!(why(Takes::Question, &none).starts_with("no question is asked"));
    let claim = Wanted { claim: Some(7), ..Wanted::default() };
    assert_eq!(why(Takes::Claim, &claim), "the part has no claim 8: it has 1");
    assert!(why(Takes::Claim, &lines(2, 1)).contains("holds no line"));
    assert!(why(Takes::Claim, &lines(1, 21)).starts_with("21 lines are selected, 20 at most"));
    assert!(why(Takes::Claim, &lines(2, 3)).starts_with("the part does not show lines 2 to 3 of a.py (head)"));
    assert!(why(Takes::Claim, &lines(1, u32::MAX)).contains("at most are taken"));
    let long = Wanted { words: Some("w".repeat(1001)), ..Wanted::default() };
    assert_eq!(why(Takes::Question, &long), "the question has 1001 characters, 1000 at most are taken");
}

#[test]
fn a_transcript_keeps_its_root_and_its_newest() {
    let bodies: Vec<String> = (0..30).map(|n| format!("{n:02} {}", "x".repeat(2000))).collect();
    let of = |bodies: &[String]| transcript(&thread("1", "a.py", 1, bodies));
    let kept = of(&bodies);
    let first = |said: &[super::super::thread::Said]| -> Vec<String> {
        said.iter().map(|said| said.text.as_str().chars().take(2).collect()).collect()
    };
    let said = kept.comments.unwrap();
    assert_eq!((kept.left_out, kept.cut), (19, 0));
    assert_eq!(first(&said), ["00", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29"]);
    let chars =
        |said: &[super::super::thread::Said]| said.iter().map(|said| said.text.as_str().chars().count()).sum::<usize>();
    assert!(chars(&said) <= TRANSCRIPT_CHARS);
    // However long they are, the first and the newest are there, and say how much of them is not.
    let huge: Vec<String> = ["a", "b", "c"].iter().map(|letter| letter.repeat(90_000)).collect();
    let kept = of(&huge);
    let said = kept.comments.unwrap();
    assert_eq!((kept.left_out, kept.cut, first(&said)), (1, 2, vec!["aa".to_owned(), "cc".to_owned()]));
    assert!(said.iter().all(|said| said.text.as_str().ends_with(" more characters]")));
    assert!(chars(&said) <= TRANSCRIPT_CHARS);
    assert_eq!(of(&[]).comments.unwrap(), []);
}
