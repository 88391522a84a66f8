//! Which claims are found, in several languages and in descriptions.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use super::*;
use crate::ask::fixtures::{Labelled, one_part};
use proptest::prelude::*;

/// The claims of a change of one file, as `line-end text`, those of the description with `-`.
fn found(path: &str, base: &str, head: &str, description: &str) -> Vec<String> {
    let mut labelled = one_part(path, base, head);
    labelled.description = description.to_owned();
    shown(&labelled)
}

fn shown(labelled: &Labelled) -> Vec<String> {
    let reading = labelled.reading();
    let lines = reading.lines(&reading.parts[0].part).unwrap();
    claims(&reading, 0, &lines)
        .into_iter()
        .map(|claim| match claim.place {
            Some(place) => format!("{}-{} {}", place.line, place.end_line, claim.text),
            None => format!("- {}", claim.text),
        })
        .collect()
}

#[test]
fn python_comments_and_documentation_strings() {
    let head = r#"# Copyright 2026 The Authors. All rights reserved.
"""Keeps connections open between requests."""

import time


class Pool:
    """A pool.

    Connections that idle for longer than `max_age` are closed
    before one is handed out. Nothing is closed twice.
    """

    def close(self):
        # TODO: close them in order
        first = self.conns[0]
        # Every connection is closed, also those
        # that are in use.
        sql = run(
            """select everything there is"""
        )
        # pool.close(force=True)
        self.conns.clear()  # forgets them without closing
        # noqa: E501
        # ---------------
"#;
    assert_eq!(
        found("net/pool.py", "", head, ""),
        [
            "2-2 Keeps connections open between requests.",
            "10-11 Connections that idle for longer than `max_age` are closed before one is handed out. Nothing is closed twice.",
            "17-18 Every connection is closed, also those that are in use.",
            "23-23 forgets them without closing",
        ]
    );
}

#[test]
fn a_sentence_is_whole_where_one_of_its_lines_is_new() {
    let base = "# The oldest is closed first,\n# whatever it does. Nothing is kept.\nx = 1\n";
    let head = "# The oldest is closed first,\n# unless it is in use. Nothing is kept.\nx = 1\n";
    assert_eq!(
        found("a.py", base, head, ""),
        ["1-2 The oldest is closed first, unless it is in use. Nothing is kept."]
    );
    let head = "# The oldest is closed first,\n# whatever it does. Nothing is kept.\nx = 2\n";
    assert_eq!(found("a.py", base, head, ""), Vec::<String>::new());
}

#[test]
fn comments_of_other_languages() {
    for (path, head, expected) in [
        (
            "a.rs",
            "/// Closes the pool, and waits for it.\n///\n/// # Errors\npub fn f() {} // never fails at all\n",
            vec!["1-1 Closes the pool, and waits for it.", "4-4 never fails at all"],
        ),
        (
            "a.go",
            "package a\n\n// Close closes the pool. It is safe to call it twice.\nfunc Close() {}\n",
            vec!["3-3 Close closes the pool. It is safe to call it twice."],
        ),
        (
            "a.ts",
            "/**\n * Closes the pool at once.\n * @param force whether it is in use\n * @returns nothing that could be used\n */\nexport function f() {}\n",
            vec!["2-2 Closes the pool at once.", "4-4 @returns nothing that could be used"],
        ),
        (
            "A.java",
            "/* Closes it\n   in order. */\nclass A { int x; /* kept for ever here */ }\n",
            vec!["1-2 Closes it in order.", "3-3 kept for ever here"],
        ),
        (
            "A.cs",
            "/// <summary>Closes the pool at once.</summary>\n/// <param name=\"x\">What is closed here.</param>\nclass A {}\n",
            vec!["1-2 Closes the pool at once. What is closed here."],
        ),
        (
            "run.sh",
            "#!/bin/sh\n# Stops when one of the steps fails.\nset -e\n",
            vec!["2-2 Stops when one of the steps fails."],
        ),
        (
            "a.yaml",
            "# Seconds before a request is given up.\ntimeout: 3\n",
            vec!["1-1 Seconds before a request is given up."],
        ),
        ("a.unheard-of", "-- Rows older than a day are dropped.\nx\n", vec!["1-1 Rows older than a day are dropped."]),
        ("a.md", "# Every pool is closed in order\n", vec![]),
    ] {
        assert_eq!(found(path, "", head, ""), expected, "{path}");
    }
}

#[test]
fn sentences_of_the_description_that_name_the_part() {
    let head = "class RetryPolicy:\n    def run(self):\n        return wait_before(1)\n";
    let description = "## What\n\nThe worker gives up too soon. `RetryPolicy` waits\ntwice as long each time. We run it often. That is why `run` gives up.\n\n\
        - It is in `haul/retry.py` now. Does run() fail?\n- [x] After `run()` nothing is kept.\n- Not in `haul/retry.pyi` at all.\n\
        <!-- RetryPolicy never fails at all. -->\n```\nRetryPolicy is not code here\n```\n> RetryPolicy is quoted here\n";
    assert_eq!(
        found("haul/retry.py", "", head, description),
        [
            "- `RetryPolicy` waits twice as long each time.",
            "- We run it often. That is why `run` gives up.",
            "- It is in `haul/retry.py` now.",
            "- After `run()` nothing is kept.",
        ]
    );
}

#[test]
fn there_are_at_most_twelve_and_the_description_has_its_share() {
    let head: String = (0..20).map(|n| format!("# Step {n} closes the pool.\nx{n} = {n}\n")).collect();
    let description: String = (0..9).map(|n| format!("In `a.py` thing {n} is closed.\n\n")).collect();
    let claims = found("a.py", "", &head, &description);
    assert_eq!(claims.len(), 12);
    assert_eq!(claims[8..10], ["17-17 Step 8 closes the pool.", "- In `a.py` thing 0 is closed."]);
    let long = format!("# {}\n", "Every word of it is kept. ".repeat(30).trim());
    let claims = found("a.py", "", &long, "");
    assert_eq!(claims.len(), 2);
    assert!(claims.iter().all(|claim| claim.chars().count() <= CHARS + 4 && claim.ends_with("kept.")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_change_has_claims_that_stand_where_they_say(
        lines in proptest::collection::vec("(# |// |/\\*|\\*/|\"\"\"|'''|x = |)[a-zA-Z. `é日\u{202e}*@-]{0,30}", 0..12),
        path in 0..5_usize, description in any::<String>(),
    ) {
        let path = ["a.py", "a.rs", "a.ts", "a.sh", "odd"][path];
        let mut labelled = one_part(path, "", &format!("{}\n", lines.join("\n")));
        labelled.description = description;
        let reading = labelled.reading();
        let lines = reading.lines(&reading.parts[0].part).unwrap();
        for claim in claims(&reading, 0, &lines) {
            let Some(place) = claim.place else { continue };
            prop_assert!(place.line > 0 && place.line <= place.end_line);
            prop_assert!(lines.iter().any(|line| line.head_line == place.end_line));
        }
    }
}
