//! What the screen shows is what `review --json` prints of the same change.

use serde_json::Value;

use crate::result::{parts, section};
use crate::scene::Scene;
use crate::screen::{SIZES, open};
use crate::support::program::Program;
use crate::support::terminal::Terminal;

/// The columns of the tree at a width.
fn tree_columns(width: u16) -> u16 {
    match width {
        140.. => (width / 4).clamp(36, 52),
        100.. => (width * 34 / 100).clamp(34, 42),
        _ => (width * 43 / 100).clamp(26, 36),
    }
}

/// The rows of the tree: headings without counts, parts as `name +A -D` with the name cut as it is.
fn tree(screen: &Terminal, (columns, rows): (u16, u16)) -> Vec<String> {
    let body = screen.columns(0, tree_columns(columns)).into_iter().take(usize::from(rows) - 1).skip(2);
    body.map(|row| row.trim_start_matches(['▸', '◦', '✓', ' ']).to_owned()).filter(|row| !row.is_empty()).collect()
}

/// Whether a row of the tree says this, its name cut at most.
fn says(row: &str, expected: &Expected) -> bool {
    match expected {
        Expected::Heading(words) => row.starts_with(words),
        Expected::Part { name, counts } => {
            let Some(shown) = row.strip_suffix(counts.as_str()) else { return false };
            match shown.trim_end().strip_suffix('⋯') {
                Some(start) => name.starts_with(start.trim_end()),
                None => shown.trim_end() == name,
            }
        }
    }
}

#[derive(Debug)]
enum Expected {
    Heading(String),
    Part { name: String, counts: String },
}

/// The rows the tree has to show: sections in order with their parts, noise folded.
fn expected(result: &Value) -> Vec<Expected> {
    let mut rows = Vec::new();
    let mut last = String::new();
    for part in parts(result) {
        let heading = section(part);
        if heading != last {
            rows.push(Expected::Heading(heading.clone()));
            last = heading;
        }
        if last != "NOISE" {
            let counts = format!(" +{} -{}", part["additions"], part["deletions"]);
            rows.push(Expected::Part { name: part["name"].as_str().unwrap().to_owned(), counts });
        }
    }
    rows
}

fn same_rows(program: &Program, address: &str) {
    let result = program.json(&["review", address, "--json"]);
    let expected = expected(&result);
    for size in SIZES {
        let mut screen = open(program, address, size);
        let first = tree(&screen, size);
        let shown = first.len().min(expected.len());
        assert!(shown >= expected.len().min(usize::from(size.1) - 4), "{size:?} {first:?} {expected:?}");
        for (row, expected) in first.iter().zip(&expected) {
            assert!(says(row, expected), "{row:?} is not {expected:?} at {size:?}\n{}", screen.screen());
        }
        // The end of a tree that is longer than the screen.
        screen.keys("G");
        screen.until("the end of the parts", |_| {
            let rows = tree(&screen, size);
            rows.len() == first.len() && says(rows.last().unwrap(), expected.last().unwrap())
        });
        for (row, expected) in tree(&screen, size).iter().rev().zip(expected.iter().rev()) {
            assert!(says(row, expected), "{row:?} is not {expected:?} at {size:?}\n{}", screen.screen());
        }
        screen.keys("q");
        assert_eq!(screen.end().0, 0);
    }
}

#[test]
fn the_demo_has_the_same_parts_in_the_same_order() {
    same_rows(&Program::new(), "demo");
}

#[test]
fn a_pull_request_has_the_same_parts_in_the_same_order() {
    let scene = Scene::new();
    same_rows(&scene.program, &scene.url());
}

/// Walks all parts and holds the banner, the reason and the diff of each against the JSON.
fn same_parts(program: &Program, address: &str) {
    let result = program.json(&["review", address, "--json"]);
    let size = (200, 160);
    let mut screen = open(program, address, size);
    let left = tree_columns(size.0) + 1;
    let all = parts(&result);
    for (at, part) in all.iter().enumerate() {
        if at > 0 {
            screen.keys("J");
        }
        let of_section = |other: &&Value| section(other) == section(part);
        let place = (all[..=at].iter().filter(of_section).count(), all.iter().filter(of_section).count());
        let heading =
            format!(" part {}: {} {} of {}  ", part["number"], section(part).to_lowercase(), place.0, place.1);
        let counts = format!("+{} -{}", part["additions"], part["deletions"]);
        screen.until(&heading, |_| screen.columns(left, 200)[1].starts_with(&heading));
        let rows = screen.columns(left, 200);
        assert!(rows[1].ends_with(&counts), "{:?} has no {counts}", rows[1]);
        let reason = part["reason"].as_str().unwrap();
        let start: String = reason.chars().take(60).collect();
        assert!(rows[2..5].iter().any(|row| row.contains(&start)), "{start} is not in {:?}", &rows[2..5]);
        let hunks = part["files"].as_array().unwrap().iter().flat_map(|file| file["hunks"].as_array().unwrap());
        let lines: Vec<&Value> = hunks.flat_map(|hunk| hunk["lines"].as_array().unwrap()).collect();
        let wanted: Vec<(Option<u64>, Option<u64>, char)> =
            lines.iter().map(|line| (line["base_line"].as_u64(), line["head_line"].as_u64(), sign(line))).collect();
        screen.until(&format!("the lines of {}", part["name"]), |_| numbers(&screen.columns(left, 200)) == wanted);
    }
    screen.keys("q");
    assert_eq!(screen.end().0, 0);
}

fn sign(line: &Value) -> char {
    match line["kind"].as_str().unwrap() {
        "addition" => '+',
        "deletion" => '-',
        _ => ' ',
    }
}

/// The numbers and the sign of each row of the diff that is a line: a mark, three digits a side, the sign.
fn numbers(rows: &[String]) -> Vec<(Option<u64>, Option<u64>, char)> {
    let mut lines = Vec::new();
    for row in rows.iter().skip(3) {
        let row: Vec<char> = row.chars().collect();
        let number = |from: usize| {
            let cells: String = row.iter().skip(from).take(3).collect();
            cells.trim().parse::<u64>().ok()
        };
        let found = (number(1), number(5), row.get(9).copied().unwrap_or(' '));
        let is_line = match found {
            (Some(_), Some(_), sign) => sign == ' ',
            (Some(_), None, sign) => sign == '-',
            (None, Some(_), sign) => sign == '+',
            (None, None, _) => false,
        };
        if is_line && row.get(4) == Some(&' ') && row.get(8).is_none_or(|c| *c == ' ') {
            lines.push(found);
        }
    }
    lines
}

#[test]
fn every_part_of_the_demo_is_the_same() {
    same_parts(&Program::new(), "demo");
}

#[test]
fn every_part_of_a_pull_request_is_the_same() {
    let scene = Scene::new();
    same_parts(&scene.program, &scene.url());
}
