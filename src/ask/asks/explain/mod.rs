//! `explain`: what does this part do, and why does it matter to the change?

mod plain;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ask::check::schema;
use crate::ask::{Ask, Bounds, Candidate, Citation, Section, Subject, Takes};
use crate::change::{Place, RepoPath, Side};
use crate::text::{clean, clean_prose};

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

/// One line of the part.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Cited {
    /// The file's path as shown.
    file: String,
    /// The side on which the line has that number.
    side: CitedSide,
    /// The line's number on that side.
    line: u32,
    /// Text of that line as shown, at least eight characters of it or the whole line.
    quote: String,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum CitedSide {
    Base,
    Head,
}

const INSTRUCTIONS: &str = "\
The question: what does this part do, and why does it matter to the change?
Answer first, then what it rests on. Say what the code does after the change and what it did before. Where something \
was removed, say what no longer happens. Read what the lines do; do not pass on what a comment, a name or the \
description says they do.
In `matters`, say what depends on it: callers, tests, other parts of the change, as far as the lines and the counted facts show. \
Say what stays unclear.
Write plain, short sentences for a colleague. Put every name of code and every path in backticks, written as the change \
writes it, and use no name that neither the change nor the facts show. Mark what a sentence rests on by [1], [2], ... in \
the order of `cited`. No headings, no lists, no praise, no verdict on the code or its author, no advice, no dashes as \
punctuation.
";

impl Ask for Explain {
    fn kind(&self) -> &'static str {
        "explain"
    }

    fn title(&self) -> &'static str {
        "Explain this part"
    }

    fn key(&self) -> &'static str {
        "e"
    }

    fn is_direct(&self) -> bool {
        true
    }

    fn version(&self) -> u32 {
        1
    }

    fn takes(&self) -> Takes {
        Takes::Part
    }

    fn instructions(&self) -> &'static str {
        INSTRUCTIONS
    }

    fn schema(&self) -> Value {
        schemars::schema_for!(Explanation).to_value()
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
            citations: answer.cited.iter().map(|cited| citation(cited, subject)).collect(),
        })
    }

    fn plain(&self, subject: &Subject) -> Result<Value, String> {
        serde_json::to_value(plain::answer(subject)).map_err(|error| error.to_string())
    }
}

/// A citation as a place; its path is that of a changed file where one is shown so.
fn citation(cited: &Cited, subject: &Subject) -> Citation {
    let side = match cited.side {
        CitedSide::Base => Side::Base,
        CitedSide::Head => Side::Head,
    };
    let name = cited.file.trim().trim_start_matches("./");
    let mut files = subject.lines.iter().map(|line| subject.reading.change.files[line.file].path_on(side));
    let path = files.find(|path| path.shown().as_str() == name).cloned().unwrap_or_else(|| RepoPath::from(name));
    let place = Place { path, side, line: cited.line, end_line: cited.line };
    Citation { place, quote: clean(&cited.quote) }
}

#[cfg(test)]
mod labels;
