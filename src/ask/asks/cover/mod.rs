//! `cover`: which tests exercise this part, and which manual checks does the description report?
//!
//! That none was found is an answer, if it says where it looked.

mod plain;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ask::check::described::Described;
use crate::ask::check::{Check, schema};
use crate::ask::cited::HeadLine;
use crate::ask::{Ask, Bounds, Candidate, Card, Cites, Section, Subject, Takes};
use crate::text::clean_prose;

/// Characters of a section.
const SECTION_CHARS: usize = 700;

/// Citations at most.
const CITATIONS: usize = 5;

/// The ask.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cover;

/// The answer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Coverage {
    /// Which tests run what the part changes and what they would notice, or that you found none; then where you looked. Two to five short sentences, under 550 characters.
    summary: String,
    /// The tests that exercise the part, strongest first: for each the line at the head that declares the test or makes the call. At most five; none where you found none.
    tests: Vec<HeadLine>,
    /// Checks done by hand that the description reports, each in its own words as shown. At most five; none where it reports none.
    manual: Vec<String>,
}

const INSTRUCTIONS: &str = "\
The question: which tests exercise this part, and which manual checks does the description report?
A test counts if running it runs what the part changes, directly or through a caller that you have read. A file that \
merely names it, a test of neighbouring code and a test that replaces it by a fake do not count; say so where such a one \
could be mistaken for coverage. Look through the test files at the head before you answer: the counted facts name files, \
`grep` finds more. Say what the tests would notice if the part were wrong, and what of it no test runs. If tests were \
removed or weakened by the change, say so.
That you found none is a good answer: say where you looked, and leave `tests` empty.
A manual check is something that the description says a person did and saw. Plans, promises, automated runs and what \
GitHub hides are none.
";

/// What is fixed about it.
static CARD: Card = Card {
    kind: "cover",
    title: "What covers this?",
    key: "c",
    direct: false,
    version: 1,
    takes: Takes::Part,
    cites: Cites::Head,
    instructions: INSTRUCTIONS,
};

impl Ask for Cover {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn schema(&self) -> Value {
        schema::of::<Coverage>()
    }

    fn bounds(&self, _subject: &Subject) -> Bounds {
        Bounds { section_chars: SECTION_CHARS, citations: 0..=CITATIONS }
    }

    fn read(&self, answer: Value, subject: &Subject) -> Result<Candidate, String> {
        let answer: Coverage = schema::read(answer)?;
        let heading = match (answer.tests.is_empty(), answer.manual.is_empty()) {
            (false, _) => "What covers it",
            (true, false) => "No test found",
            (true, true) => "None found",
        };
        Ok(Candidate {
            sections: vec![Section { heading: heading.to_owned(), text: clean_prose(&answer.summary) }],
            citations: answer.tests.iter().map(|test| test.read(subject)).collect(),
            described: answer.manual.iter().map(|quote| clean_prose(quote.trim())).collect(),
            ..Candidate::default()
        })
    }

    fn plain(&self, subject: &Subject) -> Result<Value, String> {
        serde_json::to_value(plain::answer(subject)).map_err(|error| error.to_string())
    }

    fn own_checks(&self) -> Vec<Box<dyn Check>> {
        vec![Box::new(Described)]
    }
}

#[cfg(test)]
mod tests;
