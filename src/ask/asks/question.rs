//! `question`: one question in the reviewer's words, and one short answer. No follow-up, no memory: never a chat.
//!
//! It rests on at least one line, unless it says that it cannot be told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ask::check::grounds::{Grounds, Settled};
use crate::ask::check::{Check, schema};
use crate::ask::cited::Cited;
use crate::ask::{Ask, Bounds, Candidate, Card, Cites, Section, Subject, Takes};
use crate::text::clean_prose;

/// Characters of the answer.
const SECTION_CHARS: usize = 900;

/// Citations at most.
const CITATIONS: usize = 5;

/// The ask.
#[derive(Debug, Clone, Copy, Default)]
pub struct Question;

/// The answer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reply {
    /// "answered", or "can't tell" where the lines you were shown do not decide it or it is no question about this change.
    outcome: Told,
    /// The answer, its point first; or why it cannot be told, and what would tell. One to five short sentences, under 700 characters.
    answer: String,
    /// The lines it rests on, strongest first: of the part, or of any file at the head. At most five; at least one where the outcome is "answered".
    cited: Vec<Cited>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
enum Told {
    #[serde(rename = "answered")]
    Answered,
    #[serde(rename = "can't tell")]
    CannotTell,
}

const INSTRUCTIONS: &str = "\
The question is the reviewer's own, in the block that is marked as theirs. Answer that one question, about the part, the \
lines or the thread it is asked of, and nothing besides it.
Answer once and whole: nobody can ask back, you cannot ask either, and nothing is remembered afterwards. Where the \
question can be read in two ways, say which one you answer. Where it asks for an opinion, give the facts that the \
reviewer needs to form one. Where it is about something that is not in the change, look at the head, and say where you \
looked if it is not there. Where it asks for something other than an answer about this change, say \"can't tell\".
If the comments of a thread could not be had, say so and answer from the code.
";

/// What is fixed about it.
static CARD: Card = Card {
    kind: "question",
    title: "Ask a question of your own",
    key: "q",
    direct: false,
    version: 1,
    takes: Takes::Question,
    cites: Cites::Head,
    instructions: INSTRUCTIONS,
};

impl Ask for Question {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn schema(&self) -> Value {
        schema::of::<Reply>()
    }

    fn bounds(&self, _subject: &Subject) -> Bounds {
        Bounds { section_chars: SECTION_CHARS, citations: 0..=CITATIONS }
    }

    fn read(&self, answer: Value, subject: &Subject) -> Result<Candidate, String> {
        let answer: Reply = schema::read(answer)?;
        let (heading, word, needs) = match answer.outcome {
            Told::Answered => ("Answer", "answered", true),
            Told::CannotTell => ("It cannot be told", "can't tell", false),
        };
        Ok(Candidate {
            sections: vec![Section { heading: heading.to_owned(), text: clean_prose(&answer.answer) }],
            citations: answer.cited.iter().map(|cited| cited.read(subject)).collect(),
            settled: Some(Settled { word, needs, source: None, otherwise: "can't tell" }),
            ..Candidate::default()
        })
    }

    fn own_checks(&self) -> Vec<Box<dyn Check>> {
        vec![Box::new(Grounds)]
    }
}
