//! `verify`: is this claim true?
//!
//! A claim is a selection of the part's lines, or a statement of a comment or the description about the part. The answer
//! is a verdict with what it rests on; the `grounds` check holds it to that.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ask::check::grounds::{Grounds, Settled, Source};
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
pub struct Verify;

/// The answer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Verification {
    /// Whether the code does what the claim says. "unverifiable" where the lines you were shown decide it neither way.
    verdict: Verdict,
    /// What the verdict rests on. What you know without having been shown it settles nothing: the verdict is then "unverifiable".
    source: Rests,
    /// What you checked and what it showed, the deciding point first. One to four short sentences, under 500 characters.
    reason: String,
    /// What stays unclear, or what would settle it. Null where nothing does.
    unclear: Option<String>,
    /// The lines that decide it, strongest first: of the part, or of any file at the head. At most five; at least one unless the verdict is "unverifiable".
    cited: Vec<Cited>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Verified,
    Refuted,
    Unverifiable,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
enum Rests {
    #[serde(rename = "the change itself")]
    Change,
    #[serde(rename = "the code at the head")]
    Head,
    #[serde(rename = "the model's own knowledge")]
    Memory,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Refuted => "refuted",
            Self::Unverifiable => "unverifiable",
        }
    }
}

const INSTRUCTIONS: &str = "\
The question: is this claim true of the code at the head?
The claim is made in a comment, in the description, or by lines that the reviewer selected; selected code claims what its \
names and comments say that it does. Find what the claim says would happen, then read the code that would have to do it. \
A comment, a name, a test's name or the description is never the proof: what the code does is. Look for the case that \
breaks the claim before you call it verified; one such case, shown by a line, refutes it. Judge all that the claim says: \
if a part of it is false, it is refuted, and the reason says which.
Say \"unverifiable\" where it depends on code, data or a service that you were not shown, and say what would settle it. \
That is an honest answer and costs nothing. What you know of libraries or languages without having been shown it settles \
nothing.
";

/// What is fixed about it.
static CARD: Card = Card {
    kind: "verify",
    title: "Verify this claim",
    key: "v",
    direct: false,
    version: 1,
    takes: Takes::Claim,
    cites: Cites::Head,
    instructions: INSTRUCTIONS,
};

impl Ask for Verify {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn schema(&self) -> Value {
        schema::of::<Verification>()
    }

    fn bounds(&self, _subject: &Subject) -> Bounds {
        Bounds { section_chars: SECTION_CHARS, citations: 0..=CITATIONS }
    }

    fn read(&self, answer: Value, subject: &Subject) -> Result<Candidate, String> {
        let answer: Verification = schema::read(answer)?;
        let source = match answer.source {
            Rests::Change => Source::Change,
            Rests::Head => Source::Head,
            Rests::Memory => Source::Memory,
        };
        let (word, otherwise) = (answer.verdict.word(), Verdict::Unverifiable.word());
        let verdict = match answer.verdict {
            Verdict::Verified => format!("Verified, by {}.", source.words()),
            Verdict::Refuted => format!("Refuted, by {}.", source.words()),
            Verdict::Unverifiable => format!("Unverifiable. What is said of it rests on {}.", source.words()),
        };
        let section = |heading: &str, text: &str| Section { heading: heading.to_owned(), text: clean_prose(text) };
        let mut sections = vec![section("Verdict", &verdict), section("What was checked", &answer.reason)];
        let unclear = answer.unclear.as_deref().map(str::trim).filter(|text| !text.is_empty());
        sections.extend(unclear.map(|text| section("What stays unclear", text)));
        Ok(Candidate {
            sections,
            citations: answer.cited.iter().map(|cited| cited.read(subject)).collect(),
            settled: Some(Settled { word, needs: word != otherwise, source: Some(source), otherwise }),
            ..Candidate::default()
        })
    }

    fn own_checks(&self) -> Vec<Box<dyn Check>> {
        vec![Box::new(Grounds)]
    }
}
