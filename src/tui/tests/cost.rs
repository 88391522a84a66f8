//! What a frame costs: the rows in view, whatever the size of the part.

use std::sync::Arc;

use super::Screen;
use super::review::{part, reading};
use crate::change::diff::{Hunk, LineKind, Run};
use crate::change::fixtures;
use crate::change::rank::Importance;
use crate::review::Review;
use crate::text::cells::touched;

/// A part of one hunk that adds lines of a text.
fn added(text: &str) -> Review {
    let lines = text.lines().count() as u32;
    let (change, mut files) = fixtures::change(&[], &[("a.txt", "x\n")]);
    let (change_of, _) = fixtures::Fixture::new(&[], &[("a.txt", text)]).build();
    files[0].diff.hunks = vec![Hunk {
        base: 1..1,
        head: 1..lines + 1,
        heading: Vec::new(),
        runs: vec![Run { kind: LineKind::Addition, base_line: 1, head_line: 1, count: lines }],
        digest: [0; 32],
    }];
    drop(change);
    let part = part(&files, "all", 0, &[0], Importance::MustReview);
    Review::new(Arc::new(reading(change_of, files, vec![part])))
}

fn cost(screen: &Screen) -> usize {
    touched::take();
    screen.buffer();
    touched::take()
}

#[test]
fn a_frame_costs_the_same_at_the_start_and_the_end_of_200_000_lines() {
    let line = "let value = compute(value, other);\n";
    let small = {
        let mut screen = Screen::on(added(&line.repeat(100)), 120, 40);
        screen.keys("Enter");
        cost(&screen)
    };
    let mut screen = Screen::on(added(&line.repeat(200_000)), 120, 40);
    // What is said of its size at first is no part of a frame's cost.
    screen.model.toasts.clear();
    screen.keys("Enter");
    let start = cost(&screen);
    screen.keys("G");
    assert_eq!(screen.model.diff.scroll.cursor, 200_001);
    let end = cost(&screen);
    screen.keys("ctrl-u ctrl-u ctrl-u");
    let middle = cost(&screen);
    for large in [start, middle, end] {
        assert!(large.abs_diff(small) < small / 5, "{small} {start} {middle} {end}");
    }
}

#[test]
fn a_line_of_a_megabyte_costs_a_row() {
    let long = format!("{}needle{}\n", "x".repeat(900_000), "y".repeat(124_000));
    let mut screen = Screen::on(added(&long), 120, 40);
    screen.keys("Enter");
    let start = cost(&screen);
    screen.keys("j j $");
    let end = cost(&screen);
    assert!(start < 2500 && end < 2500, "{start} {end}");
    assert!(screen.shows("yyyyyyyyyyyyyy"));
    screen.keys("0 / n e e d l e Enter");
    assert_eq!(screen.model.diff.scroll.cursor, 2);
}

#[test]
fn colours_are_asked_for_around_the_window_alone() {
    let mut screen = Screen::on(added(&"abc def\n".repeat(200_000)), 120, 40);
    screen.keys("Enter G");
    let text = screen.text();
    assert!(text.contains("200000"), "{text}");
    let coloured = (1..=200_000).filter(|line| screen.model.shelf.colours(0, super::HEAD, *line).is_some()).count();
    assert!((74..400).contains(&coloured), "{coloured}");
}
