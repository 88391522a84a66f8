//! `thread`: what is this review thread about, and does the code now answer it?

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ask::check::grounds::{Grounds, Settled};
use crate::ask::check::{Check, schema};
use crate::ask::cited::Cited;
use crate::ask::{Ask, Bounds, Candidate, Card, Cites, Section, Subject, Takes};
use crate::text::clean_prose;

/// Characters of a section.
const SECTION_CHARS: usize = 700;

/// Citations at most.
const CITATIONS: usize = 5;

/// The ask.
#[derive(Debug, Clone, Copy, Default)]
pub struct Thread;

/// The answer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reply {
    /// What the thread asks for or disputes, as it stands after its last comment. One to three short sentences, under 450 characters.
    about: String,
    /// Whether the code at the head now does what the thread asks for. "can't tell" where the thread asks for nothing that code could show, or the lines you were shown do not decide it.
    state: State,
    /// How the code answers it, or what is still missing. One to four short sentences, under 500 characters.
    reason: String,
    /// The lines that show it, strongest first: of the part, or of any file at the head. At most five; at least one where the state is "answered" or "partly".
    cited: Vec<Cited>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
enum State {
    #[serde(rename = "answered")]
    Answered,
    #[serde(rename = "partly")]
    Partly,
    #[serde(rename = "not answered")]
    NotAnswered,
    #[serde(rename = "can't tell")]
    CannotTell,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Partly => "partly",
            Self::NotAnswered => "not answered",
            Self::CannotTell => "can't tell",
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Answered => "Answered.",
            Self::Partly => "Partly.",
            Self::NotAnswered => "Not answered.",
            Self::CannotTell => "It cannot be told.",
        }
    }
}

const INSTRUCTIONS: &str = "\
The question: what is this review thread about, and does the code now answer it?
Say first what is open between the people in it: what was asked for, what was objected to, and where the last comments \
left it. Name nobody's motives and take no side. Then look at the code at the head, not at what anybody says was done: a \
reply such as \"fixed\", a mark as resolved and the description prove nothing. The code answers the thread where it does \
what was asked for, or where what was objected to is gone. If several things were asked for and some are done, it is \
\"partly\", and the reason names what is missing. A question that only its author can answer is \"can't tell\".
Where comments are left out or cut, say what you could not read, if it could matter.
";

/// What is fixed about it.
static CARD: Card = Card {
    kind: "thread",
    title: "What is this thread about, and is it answered?",
    key: "t",
    direct: false,
    version: 1,
    takes: Takes::Thread,
    cites: Cites::Head,
    instructions: INSTRUCTIONS,
};

impl Ask for Thread {
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
        let section = |heading: &str, text: &str| Section { heading: heading.to_owned(), text: clean_prose(text) };
        let state = answer.state;
        let settled = Settled {
            word: state.word(),
            needs: matches!(state, State::Answered | State::Partly),
            source: None,
            otherwise: State::CannotTell.word(),
        };
        // A reason that is missing is found by the length check only where nothing stands before it.
        let reason = match answer.reason.trim() {
            "" => String::new(),
            reason => format!("{} {reason}", state.sentence()),
        };
        Ok(Candidate {
            sections: vec![section("What it is about", &answer.about), section("Whether the code answers it", &reason)],
            citations: answer.cited.iter().map(|cited| cited.read(subject)).collect(),
            settled: Some(settled),
            ..Candidate::default()
        })
    }

    fn own_checks(&self) -> Vec<Box<dyn Check>> {
        vec![Box::new(Grounds)]
    }
}
