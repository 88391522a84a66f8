//! `explain`: what does this part do, and why does it matter to the change?

mod plain;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ask::check::schema;
use crate::ask::cited::Cited;
use crate::ask::{Ask, Bounds, Candidate, Card, Cites, Section, Subject, Takes};
use crate::text::clean_prose;

/// Characters of a section.
const SECTION_CHARS: usize = 600;

/// Citations of a part that shows lines.
const CITATIONS: usize = 5;

/// The ask.
#[derive(Debug, Clone, Copy, Default)]
pub struct Explain;

/// The answer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Explanation {
    /// What the part does now, compared with before. Two to four short sentences, under 450 characters.
    does: String,
    /// Why that matters to the change as a whole. One to three short sentences, under 450 characters.
    matters: String,
    /// One to five lines of the part that this rests on; none only where the part shows no line.
    cited: Vec<Cited>,
}

const INSTRUCTIONS: &str = "\
The question: what does this part do, and why does it matter to the change?
Answer first, then what it rests on. Say what the code does after the change and what it did before. Where something \
was removed, say what no longer happens. Read what the lines do; do not pass on what a comment, a name or the \
description says they do.
In `matters`, say what depends on it: callers, tests, other parts of the change, as far as the lines and the counted facts show. \
Say what stays unclear.
Only lines of the part may be cited. A tool may show you what lies around it, but use no name that neither the change nor \
the facts show.
";

/// What is fixed about it.
static CARD: Card = Card {
    kind: "explain",
    title: "Explain this part",
    key: "e",
    direct: true,
    version: 2,
    takes: Takes::Part,
    cites: Cites::Part,
    instructions: INSTRUCTIONS,
};

impl Ask for Explain {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn schema(&self) -> Value {
        schema::of::<Explanation>()
    }

    fn bounds(&self, subject: &Subject) -> Bounds {
        // A line of white space says nothing: a part that shows no other can rest on none.
        let citable = subject.lines.iter().any(|line| !line.text.as_str().trim().is_empty());
        Bounds { section_chars: SECTION_CHARS, citations: if citable { 1..=CITATIONS } else { 0..=0 } }
    }

    fn read(&self, answer: Value, subject: &Subject) -> Result<Candidate, String> {
        let answer: Explanation = schema::read(answer)?;
        let section = |heading: &str, text: &str| Section { heading: heading.to_owned(), text: clean_prose(text) };
        Ok(Candidate {
            sections: vec![
                section("What it does", &answer.does),
                section("Why it matters to the change", &answer.matters),
            ],
            citations: answer.cited.iter().map(|cited| cited.read(subject)).collect(),
            ..Candidate::default()
        })
    }

    fn plain(&self, subject: &Subject) -> Result<Value, String> {
        serde_json::to_value(plain::answer(subject)).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod labels;
