//! A sixth ask in one file and one row is found, briefed and judged like the others.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::brief::brief;
use super::check::{Check, Given, Judged, judge, schema};
use super::cited::Cited;
use super::fixtures::one_part;
use super::{Ask, Bounds, Candidate, Card, Cites, Section, Subject, Takes, question, table};
use crate::text::clean_prose;

/// Proposes a better name: an ask that the table does not have, for tests of what is made from a table.
pub struct Rename;

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Proposal {
    /// A better name.
    name: String,
    /// The line that has the old one.
    cited: Vec<Cited>,
}

/// A check of its own.
struct Short;

impl Check for Short {
    fn name(&self) -> &'static str {
        "short"
    }

    fn is_form(&self) -> bool {
        true
    }

    fn failures(&self, judged: &Judged<'_>) -> Vec<String> {
        let long = judged.candidate.sections.iter().filter(|section| section.text.as_str().contains(' '));
        long.map(|_| "A name is one word.".to_owned()).collect()
    }
}

/// What is fixed about it.
static CARD: Card = Card {
    kind: "rename",
    title: "Find a better name",
    key: "r",
    direct: false,
    version: 1,
    takes: Takes::Part,
    cites: Cites::Part,
    instructions: "Propose a name.\n",
};

impl Ask for Rename {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn schema(&self) -> Value {
        schema::of::<Proposal>()
    }

    fn bounds(&self, _subject: &Subject) -> Bounds {
        Bounds { section_chars: 40, citations: 1..=1 }
    }

    fn read(&self, answer: Value, subject: &Subject) -> Result<Candidate, String> {
        let answer: Proposal = schema::read(answer)?;
        let section = Section { heading: "A better name".to_owned(), text: clean_prose(&answer.name) };
        let citations = answer.cited.iter().map(|cited| cited.read(subject)).collect();
        Ok(Candidate { sections: vec![section], citations, ..Candidate::default() })
    }

    fn plain(&self, _subject: &Subject) -> Result<Value, String> {
        Err("no name without a model".to_owned())
    }

    fn own_checks(&self) -> Vec<Box<dyn Check>> {
        vec![Box::new(Short)]
    }
}

#[test]
fn a_sixth_ask_is_one_file_and_one_row() {
    let mut table = table();
    table.push(Box::new(Rename));
    let ask = question::find(&table, "rename").unwrap();
    assert_eq!((table.len(), ask.card().key, ask.card().takes), (6, "r", Takes::Part));
    let subject = one_part("a.py", "x = 1\n", "tmp_value = 2\n").subject();
    let brief = brief(ask, &subject, "0123456789abcdef");
    assert!(brief.instructions.contains("Propose a name.") && brief.instructions.contains("A better name."));
    let given = Given::Read(brief.given);
    let say = |name: &str, quote: &str| {
        let cited = json!([{ "file": "a.py", "side": "head", "line": 1, "quote": quote }]);
        judge(ask, &json!({ "name": name, "cited": cited }).to_string(), &subject, &given)
    };
    let passed = say("total", "tmp_value").unwrap();
    assert_eq!(passed.checks, ["schema", "length", "count", "short", "markers", "citation", "names"]);
    assert_eq!(passed.candidate.citations[0].quote.as_str(), "tmp_value = 2");
    let failed = |name: &str, quote: &str| {
        let failed = say(name, quote).unwrap_err();
        failed.iter().map(|failure| failure.check).collect::<Vec<_>>()
    };
    assert_eq!(failed("the total", "gone_value"), ["short"]);
    assert_eq!(failed("grand_total", "gone_value"), ["citation", "names"]);
}
