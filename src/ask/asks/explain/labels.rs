//! Scores the built-in answer against the labels in `evaluation/explain`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::json;

use super::Explain;
use crate::ask::check::{Given, Passed, judge};
use crate::ask::fixtures::{Labelled, LabelledFile, one_part};
use crate::ask::{Ask, Subject};
use crate::change::FileMode;
use crate::text::clean_bytes;

/// A label's name and its text.
macro_rules! label {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../evaluation/explain/cases/", $name, ".toml")))
    };
}

/// The labels, by name.
const CASES: &[(&str, &str)] = &[
    label!("01-changed-signature"),
    label!("02-new-function"),
    label!("03-changed-body"),
    label!("04-removal"),
    label!("05-new-test"),
    label!("06-weakened-test"),
    label!("07-config"),
    label!("08-rename"),
    label!("09-rename-with-edit"),
    label!("10-several-entities"),
    label!("11-top-level"),
    label!("12-docs"),
    label!("13-deleted-file"),
    label!("14-binary"),
    label!("15-symlink"),
    label!("16-mode-only"),
    label!("17-error-handling"),
    label!("18-comments-only"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    about: String,
    first: String,
    title: String,
    description: String,
    file: Vec<CaseFile>,
    part: Vec<CasePart>,
    facts: CaseFacts,
    must: Must,
    never: Never,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    path: String,
    previous: Option<String>,
    base: Option<String>,
    head: Option<String>,
    base_hex: Option<String>,
    head_hex: Option<String>,
    base_mode: Option<String>,
    head_mode: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CasePart {
    files: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct CaseFacts {
    named: Vec<CaseNamed>,
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
struct Must {
    does: Vec<Vec<String>>,
    matters: Vec<Vec<String>>,
    cites: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Never {
    says: Vec<String>,
}

impl Case {
    fn labelled(&self) -> Labelled {
        let mut labelled =
            Labelled { title: self.title.clone(), description: self.description.clone(), ..Labelled::default() };
        for file in &self.file {
            let side = |text: &Option<String>, hex: &Option<String>, mode: &Option<String>| {
                let bytes = text.clone().map(String::into_bytes).or_else(|| hex.as_deref().map(from_hex))?;
                let mode = mode.as_deref().map_or(FileMode::REGULAR, |m| FileMode(u32::from_str_radix(m, 8).unwrap()));
                Some((bytes, mode))
            };
            labelled.files.push(LabelledFile {
                path: file.path.clone(),
                previous: file.previous.clone(),
                base: side(&file.base, &file.base_hex, &file.base_mode),
                head: side(&file.head, &file.head_hex, &file.head_mode),
            });
        }
        for part in &self.part {
            labelled.add_part(&part.files.iter().map(String::as_str).collect::<Vec<_>>());
        }
        for named in &self.facts.named {
            fn strs(words: &[String]) -> Vec<&str> {
                words.iter().map(String::as_str).collect()
            }
            labelled.add_named(&named.name, &strs(&named.references), &strs(&named.tests));
        }
        labelled
    }

    /// Everything the answer gets wrong, in words.
    fn faults(&self, passed: &Passed) -> Vec<String> {
        let candidate = &passed.candidate;
        let mut faults = Vec::new();
        for (section, wanted) in candidate.sections.iter().zip([&self.must.does, &self.must.matters]) {
            for alternatives in wanted {
                if !alternatives.iter().any(|words| section.text.as_str().contains(words)) {
                    faults.push(format!("\"{}\" lacks {alternatives:?}", section.heading));
                }
            }
            for words in self.never.says.iter().filter(|words| section.text.as_str().contains(*words)) {
                faults.push(format!("\"{}\" says {words:?}", section.heading));
            }
        }
        for quote in &self.must.cites {
            if !candidate.citations.iter().any(|citation| citation.quote.as_str() == quote) {
                faults.push(format!("no citation of {quote:?}"));
            }
        }
        faults
    }
}

fn from_hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect()
}

fn shown(passed: &Passed) -> String {
    let mut text = String::new();
    for section in &passed.candidate.sections {
        text.push_str(&format!("{}\n{}\n", section.heading, section.text));
    }
    for (at, citation) in passed.candidate.citations.iter().enumerate() {
        let place = &citation.place;
        text.push_str(&format!(
            "[{}] {}:{} {} {}\n",
            at + 1,
            place.path.shown(),
            place.line,
            place.side.word(),
            citation.quote
        ));
    }
    text
}

fn answered(subject: &Subject) -> Result<Passed, String> {
    let answer = Explain.plain(subject)?;
    judge(&Explain, &answer.to_string(), subject, &Given::All).map_err(|failed| format!("{answer:#}\n{failed:#?}"))
}

#[test]
fn the_built_in_answer_says_what_the_labels_ask_for() {
    let mut report = String::new();
    for (name, text) in CASES {
        let case: Case = toml::from_str(text).unwrap();
        assert!(!case.about.is_empty() && !case.first.is_empty());
        let subject = case.labelled().subject();
        match answered(&subject) {
            Err(failed) => report.push_str(&format!("== {name}: refused\n{failed}\n")),
            Ok(passed) => {
                let faults = case.faults(&passed);
                if !faults.is_empty() {
                    report.push_str(&format!("== {name}\n{}\n{}\n", faults.join("\n"), shown(&passed)));
                }
            }
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// Lines of several languages, of none, and of nobody's making.
fn any_line() -> impl Strategy<Value = String> {
    let words = "(def |fn |func |class |if |return |raise |throw |import |# |// |@|- |## |)[a-zA-Z_.`\"'é]{0,8}[(:=<>{, ]{0,2}[a-z0-9_.`\"'/-]{0,10}[)};:,{]{0,2}";
    prop_oneof![4 => words.prop_map(|line| line.to_owned()), 1 => any::<String>(), 1 => Just(String::new())]
}

fn any_text() -> impl Strategy<Value = String> {
    proptest::collection::vec(any_line(), 0..14).prop_map(|lines| lines.join("\n"))
}

const PATHS: [&str; 8] =
    ["a/b.py", "src/x.rs", "y.go", "z.ts", "conf.yaml", "README.md", "tests/test_a.py", "odd name"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever changed, the built-in answer is there and passes its own checks.
    #[test]
    fn any_change_gets_an_answer_that_passes(base in any_text(), head in any_text(), path in 0..PATHS.len(), title in any::<String>()) {
        prop_assume!(base != head);
        let mut labelled = one_part(PATHS[path], &base, &head);
        labelled.title = title;
        if let Err(failed) = answered(&labelled.subject()) {
            prop_assert!(false, "{}", failed);
        }
    }

    /// A citation that passes points at an existing line, with its quote on it.
    #[test]
    fn a_passing_citation_points_at_an_existing_line(
        base in any_text(), head in any_text(), side in any::<bool>(), line in 0_u32..16, cut in 0_usize..12,
    ) {
        prop_assume!(base != head);
        let subject = one_part("a/b.py", &base, &head).subject();
        let texts = subject.reading.texts(0).unwrap();
        let (word, text) = if side { ("head", texts.head) } else { ("base", texts.base) };
        let there = text.as_ref().and_then(|text| text.line(line)).map(|line| clean_bytes(line).into_string());
        let quote: String = there.clone().unwrap_or_default().chars().skip(cut).collect();
        let answer = json!({"does": "x", "matters": "y", "cited": [{"file": "a/b.py", "side": word, "line": line, "quote": quote}]});
        if let Ok(passed) = judge(&Explain, &answer.to_string(), &subject, &Given::All) {
            let there = there.expect("the line exists");
            prop_assert_eq!(passed.candidate.citations[0].quote.as_str(), there.trim());
            prop_assert!(!quote.trim().is_empty());
        }
    }

    /// No text makes the checks panic, whoever wrote it.
    #[test]
    fn any_answer_is_judged(does in any::<String>(), matters in any::<String>(), file in any::<String>(), line in any::<u32>(), quote in any::<String>()) {
        let subject = one_part("a/b.py", "x = 1\n", "x = 2\n").subject();
        let answer = json!({"does": does, "matters": matters, "cited": [{"file": file, "side": "head", "line": line, "quote": quote}]});
        drop(judge(&Explain, &answer.to_string(), &subject, &Given::All));
        drop(judge(&Explain, &does, &subject, &Given::All));
    }
}
