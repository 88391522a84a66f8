//! Judges the labelled answers in `evaluation/{verify,cover,thread,question}`: which pass, which are refused, by what.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;

use include_dir::{Dir, include_dir};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ask::brief::brief;
use crate::ask::check::{Given, Passed, judge};
use crate::ask::fixtures::{Labelled, one_part};
use crate::ask::{Ask, Subject, Wanted, question};
use crate::change::{Place, RepoPath, Side, Text, Thread, ThreadComment};
use crate::text::clean_bytes;

static VERIFY: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/evaluation/verify/cases");
static COVER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/evaluation/cover/cases");
static THREAD: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/evaluation/thread/cases");
static QUESTION: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/evaluation/question/cases");

/// Labelled answers that each ask has at least.
const LEAST: usize = 6;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    about: String,
    title: String,
    #[serde(default)]
    description: String,
    file: Vec<CaseFile>,
    part: Vec<CasePart>,
    #[serde(default)]
    named: Vec<CaseNamed>,
    #[serde(default)]
    thread: Vec<CaseThread>,
    #[serde(default)]
    wanted: CaseWanted,
    #[serde(default)]
    plain: Option<CasePlain>,
    #[serde(default)]
    answer: Vec<CaseAnswer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    path: String,
    base: Option<String>,
    head: Option<String>,
    /// The text of a file that does not change.
    both: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CasePart {
    files: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseNamed {
    name: String,
    references: Vec<String>,
    tests: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseThread {
    path: String,
    line: u32,
    comments: Vec<(String, String)>,
    not_read: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct CaseWanted {
    /// `path:first-last`, at the head.
    lines: Option<String>,
    claim: Option<usize>,
    thread: Option<usize>,
    words: Option<String>,
}

/// What the built-in answer has to say and must not say.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CasePlain {
    #[serde(default)]
    says: Vec<String>,
    #[serde(default)]
    never: Vec<String>,
    #[serde(default)]
    cites: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseAnswer {
    about: String,
    /// What tools delivered beside the brief: `path:first-last`, at the head.
    #[serde(default)]
    read: Vec<String>,
    says: toml::Value,
    /// The checks that must fail, exactly; none where the answer passes.
    #[serde(default)]
    refused: Vec<String>,
    /// Words that the problems have to hold.
    #[serde(default)]
    because: Vec<String>,
    /// What the kept answer shows: headings, texts and citations.
    #[serde(default)]
    shows: Vec<String>,
}

fn range(text: &str) -> Place {
    let (path, lines) = text.rsplit_once(':').unwrap();
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    Place { path: path.into(), side: Side::Head, line: first.parse().unwrap(), end_line: last.parse().unwrap() }
}

impl Case {
    fn subject(&self, ask: &dyn Ask) -> Subject {
        let mut labelled = Labelled { title: self.title.clone(), ..Labelled::default() };
        labelled.description.clone_from(&self.description);
        for file in &self.file {
            let (base, head) = (file.base.as_ref().or(file.both.as_ref()), file.head.as_ref().or(file.both.as_ref()));
            labelled.add_file(&file.path, base.map(String::as_str), head.map(String::as_str));
        }
        fn strs(words: &[String]) -> Vec<&str> {
            words.iter().map(String::as_str).collect()
        }
        self.part.iter().for_each(|part| labelled.add_part(&strs(&part.files)));
        for named in &self.named {
            labelled.add_named(&named.name, &strs(&named.references), &strs(&named.tests));
        }
        for (at, thread) in self.thread.iter().enumerate() {
            let comment = |(author, body): &(String, String)| ThreadComment {
                author: author.clone(),
                at: String::new(),
                body: body.clone(),
            };
            let path = RepoPath::from(thread.path.as_str());
            labelled.threads.push(Thread {
                id: at.to_string(),
                place: Some(Place { path, side: Side::Head, line: thread.line, end_line: thread.line }),
                resolved: false,
                outdated: false,
                comments: thread.comments.iter().map(comment).collect(),
                not_read: thread.not_read.clone(),
            });
        }
        let CaseWanted { lines, claim, thread, words } = &self.wanted;
        let lines = lines.as_deref().map(range);
        let wanted = Wanted { lines, claim: *claim, thread: *thread, words: words.clone() };
        labelled.subject().about(ask.card().takes, &wanted).unwrap()
    }
}

fn shown(passed: &Passed) -> String {
    let mut text = String::new();
    for section in &passed.candidate.sections {
        text.push_str(&format!("{}: {}\n", section.heading, section.text));
    }
    for (at, citation) in passed.candidate.citations.iter().enumerate() {
        let place = &citation.place;
        let end = if place.end_line > place.line { format!("-{}", place.end_line) } else { String::new() };
        let side = place.side.word();
        text.push_str(&format!(
            "[{}] {}:{}{end} ({side}) {}\n",
            at + 1,
            place.path.shown(),
            place.line,
            citation.quote
        ));
    }
    text
}

/// What is wrong with how an answer was judged; none where it is as labelled.
fn fault(ask: &dyn Ask, subject: &Subject, answer: &CaseAnswer) -> Option<String> {
    let mut given = brief(ask, subject, "0123456789abcdef").given;
    for place in answer.read.iter().map(|text| range(text)) {
        given.enter(place.side, &place.path, place.line..=place.end_line);
    }
    let text = serde_json::to_string(&answer.says).unwrap();
    match judge(ask, &text, subject, &Given::Read(given)) {
        Ok(passed) if answer.refused.is_empty() => {
            let text = shown(&passed);
            let missing: Vec<&String> = answer.shows.iter().filter(|words| !text.contains(*words)).collect();
            (!missing.is_empty()).then(|| format!("lacks {missing:?}:\n{text}"))
        }
        Ok(passed) => Some(format!("passes, and should not:\n{}", shown(&passed))),
        Err(failed) => {
            let names: BTreeSet<&str> = failed.iter().map(|failure| failure.check).collect();
            let wanted: BTreeSet<&str> = answer.refused.iter().map(String::as_str).collect();
            let said: Vec<&str> = failed.iter().map(|failure| failure.what.as_str()).collect();
            let said = said.join("\n");
            let missing: Vec<&String> = answer.because.iter().filter(|words| !said.contains(*words)).collect();
            (names != wanted || !missing.is_empty())
                .then(|| format!("is refused by {names:?}, not {wanted:?}; lacks {missing:?}:\n{said}"))
        }
    }
}

fn plain_fault(ask: &dyn Ask, subject: &Subject, plain: &CasePlain) -> Option<String> {
    let answer = ask.plain(subject).unwrap();
    match judge(ask, &answer.to_string(), subject, &Given::All) {
        Err(failed) => Some(format!("the built-in answer is refused: {failed:#?}\n{answer:#}")),
        Ok(passed) => {
            let text = shown(&passed);
            let missing: Vec<&String> = plain.says.iter().chain(&plain.cites).filter(|w| !text.contains(*w)).collect();
            let wrong: Vec<&String> = plain.never.iter().filter(|words| text.contains(*words)).collect();
            (!missing.is_empty() || !wrong.is_empty())
                .then(|| format!("the built-in answer lacks {missing:?}, says {wrong:?}:\n{text}"))
        }
    }
}

fn judged_as_labelled(kind: &str, cases: &Dir<'_>) {
    let table = question::table();
    let ask = question::find(&table, kind).unwrap();
    let (mut report, mut count) = (String::new(), 0);
    for file in cases.files() {
        let name = file.path().display();
        let case: Case = toml::from_str(file.contents_utf8().unwrap()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!case.about.is_empty());
        let subject = case.subject(ask);
        if let Some(plain) = &case.plain
            && let Some(fault) = plain_fault(ask, &subject, plain)
        {
            report.push_str(&format!("== {name}\n{fault}\n"));
        }
        for answer in &case.answer {
            count += 1;
            if let Some(fault) = fault(ask, &subject, answer) {
                report.push_str(&format!("== {name}: \"{}\" {fault}\n", answer.about));
            }
        }
    }
    assert!(report.is_empty(), "{report}");
    assert!(count >= LEAST, "{kind} has {count} labelled answers");
}

#[test]
fn answers_to_verify_are_judged_as_labelled() {
    judged_as_labelled("verify", &VERIFY);
}

#[test]
fn answers_to_cover_are_judged_as_labelled() {
    judged_as_labelled("cover", &COVER);
}

#[test]
fn answers_to_thread_are_judged_as_labelled() {
    judged_as_labelled("thread", &THREAD);
}

#[test]
fn answers_to_question_are_judged_as_labelled() {
    judged_as_labelled("question", &QUESTION);
}

/// A value that may be anything, or nearly an answer.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<String>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!("verified")),
        Just(json!("answered")),
        Just(json!("the change itself")),
        (any::<String>(), any::<u32>(), any::<String>())
            .prop_map(|(file, line, quote)| json!({ "file": file, "side": "head", "line": line, "quote": quote })),
        (0_u32..4, any::<String>()).prop_map(|(line, quote)| json!({ "file": "b.py", "line": line, "quote": quote })),
    ];
    let names = "(verdict|source|reason|unclear|cited|summary|tests|manual|about|state|outcome|answer)";
    leaf.prop_recursive(2, 24, 8, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(names, inner, 0..6).prop_map(|map| json!(map)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Whatever a model hands in is judged, and nothing panics.
    #[test]
    fn any_value_is_judged(value in any_value(), description in any::<String>()) {
        let mut labelled = one_part("a.py", "x = 1\n", "x = 2\n");
        labelled.add_file("b.py", Some("y = 1\n\nz = 2\n"), Some("y = 1\n\nz = 2\n"));
        labelled.description = description;
        let subject = labelled.subject();
        for ask in question::table() {
            drop(judge(ask.as_ref(), &value.to_string(), &subject, &Given::All));
        }
    }

    /// A citation of the head that passes points at lines that exist, were given, and hold its quote.
    #[test]
    fn a_passing_citation_of_the_head_points_at_lines_that_were_given(
        lines in proptest::collection::vec("[a-c ]{0,12}", 1..12), from in 0_usize..12, words in 1_usize..16,
        line in 0_u32..14, given in proptest::collection::btree_set(1_u32..14, 0..14),
    ) {
        let text = format!("{}\n", lines.join("\n"));
        let mut labelled = one_part("a.py", "x = 1\n", "x = 2\n");
        labelled.add_file("b.py", Some(&text), Some(&text));
        let subject = labelled.subject();
        let quote: Vec<&str> = text.split_whitespace().skip(from).take(words).collect();
        let quote = quote.join(" ");
        let mut ledger = brief(&super::verify::Verify, &subject, "0123456789abcdef").given;
        ledger.enter(Side::Head, &"b.py".into(), given.iter().copied());
        let cited = json!([{ "file": "b.py", "side": "head", "line": line, "quote": quote }]);
        let answer = json!({ "verdict": "refuted", "source": "the code at the head", "reason": "It is so.", "unclear": null, "cited": cited });
        if let Ok(passed) = judge(&super::verify::Verify, &answer.to_string(), &subject, &Given::Read(ledger)) {
            let place = &passed.candidate.citations[0].place;
            let text = Text::from(text.as_str());
            prop_assert_eq!(place.line, line);
            prop_assert!(place.end_line < line + 10 && (place.line..=place.end_line).all(|line| given.contains(&line)));
            let there: Vec<String> = (place.line..=place.end_line).map(|line| clean_bytes(text.line(line).unwrap()).into_string()).collect();
            let there = there.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert!(!quote.is_empty() && there.contains(&quote), "{} in {}", quote, there);
        }
    }
}
