//! The one shape of an ask, and the table of them. A new ask is one file beside `explain` and its row here.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::answer::{Citation, Section};
use super::asks;
use super::check::grounds::Settled;
use super::check::{self, Check};
use super::subject::Subject;
use crate::text::Clean;

/// What an ask is about, beside the part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Takes {
    /// The part alone.
    Part,
    /// A selection of the part's lines, or one of its claims.
    Claim,
    /// A review thread.
    Thread,
    /// One question in the reviewer's words: about the part, a selection of its lines, or a thread.
    Question,
}

impl Takes {
    /// The word for it in the protocol.
    pub fn word(self) -> &'static str {
        match self {
            Self::Part => "part",
            Self::Claim => "lines or claim",
            Self::Thread => "thread",
            Self::Question => "question",
        }
    }
}

/// Which lines an answer may cite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cites {
    /// Those the part shows, on either side.
    Part,
    /// Those, and every line of a text at the head.
    Head,
}

/// What the form of an answer may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// Characters of the longest section, white space folded.
    pub section_chars: usize,
    /// How many citations.
    pub citations: RangeInclusive<usize>,
}

/// An answer as it was read, before any check but its shape.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidate {
    /// What it says.
    pub sections: Vec<Section>,
    /// What it rests on. Each place names one line until it is re-read: then it has every line its quote runs over.
    pub citations: Vec<Citation>,
    /// What it quotes of the description.
    pub described: Vec<Clean>,
    /// What it settles; none where the ask settles nothing.
    pub settled: Option<Settled>,
}

/// What an ask is called, what it takes and how it is asked: all of it that never depends on a subject.
#[derive(Debug, Clone, Copy)]
pub struct Card {
    /// Its name on the command line and in stamps.
    pub kind: &'static str,
    /// Its name in menus.
    pub title: &'static str,
    /// The key that asks it in the menu.
    pub key: &'static str,
    /// Whether its key asks it outside the menu too.
    pub direct: bool,
    /// The version of its instructions and its schema; a change of either is a new version.
    pub version: u32,
    /// What it is about.
    pub takes: Takes,
    /// Which lines its answer may cite.
    pub cites: Cites,
    /// What an agent has to do and how it has to answer.
    pub instructions: &'static str,
}

/// A fixed, typed request about one part.
pub trait Ask: Send + Sync {
    /// What is fixed about it.
    fn card(&self) -> &'static Card;

    /// Its name on the command line and in stamps.
    fn kind(&self) -> &'static str {
        self.card().kind
    }

    /// The JSON schema of its answer.
    fn schema(&self) -> Value;

    /// What the form of an answer about this subject may be.
    fn bounds(&self, subject: &Subject) -> Bounds;

    /// Reads an answer into sections and citations.
    ///
    /// # Errors
    /// Where it does not have the shape of the schema; one sentence.
    fn read(&self, answer: Value, subject: &Subject) -> Result<Candidate, String>;

    /// The built-in answer, as an agent would give it.
    ///
    /// # Errors
    /// Why there is none, in one sentence.
    fn plain(&self, _subject: &Subject) -> Result<Value, String> {
        Err("this ask needs an agent that uses a model".to_owned())
    }

    /// The checks of its own, which run after those of every ask.
    fn own_checks(&self) -> Vec<Box<dyn Check>> {
        Vec::new()
    }

    /// The checks its answers must pass after their shape, in the order they run.
    fn checks(&self) -> Vec<Box<dyn Check>> {
        check::table().into_iter().chain(self.own_checks()).collect()
    }
}

/// Every ask, in the order of menus.
pub fn table() -> Vec<Box<dyn Ask>> {
    vec![
        Box::new(asks::explain::Explain),
        Box::new(asks::verify::Verify),
        Box::new(asks::cover::Cover),
        Box::new(asks::thread::Thread),
        Box::new(asks::question::Question),
    ]
}

/// The ask of a name.
pub fn find<'a>(table: &'a [Box<dyn Ask>], kind: &str) -> Option<&'a dyn Ask> {
    table.iter().map(AsRef::as_ref).find(|ask| ask.kind() == kind)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};
    use std::collections::BTreeSet;

    /// A changed prompt is a new version: recorded answers belong to the prompt they answered.
    #[test]
    fn a_changed_prompt_has_a_new_version() {
        let recorded: Value = serde_json::from_str(include_str!("../../evaluation/prompts.json")).unwrap();
        let mut wrong = String::new();
        for ask in table() {
            let mut digest = Sha256::new();
            digest.update(ask.card().instructions);
            digest.update(crate::ask::brief::RULES);
            digest.update(ask.schema().to_string());
            let digest: String = digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
            let (kind, version) = (ask.kind(), ask.card().version.to_string());
            if recorded[kind][&version].as_str() != Some(digest.as_str()) {
                wrong.push_str(&format!("\"{kind}\": version {version} is not \"{digest}\"\n"));
            }
        }
        assert!(
            wrong.is_empty(),
            "prompts changed: raise their versions, record them in evaluation/prompts.json:\n{wrong}"
        );
    }

    /// What every provider's strict mode takes: closed objects, everything required, nothing referred to.
    #[test]
    fn schemas_are_narrow() {
        const WORDS: [&str; 7] =
            ["type", "description", "properties", "required", "additionalProperties", "items", "enum"];
        fn look(schema: &Value, at: &str) {
            let object = schema.as_object().unwrap_or_else(|| panic!("{at} is no object"));
            for word in object.keys() {
                assert!(WORDS.contains(&word.as_str()), "{at}: `{word}` is not for everyone");
            }
            if let Some(properties) = schema["properties"].as_object() {
                assert_eq!(schema["additionalProperties"], Value::Bool(false), "{at} is open");
                assert_eq!(schema["required"].as_array().map(Vec::len), Some(properties.len()), "{at}");
                for (name, property) in properties {
                    assert!(property["description"].is_string(), "{at}.{name} says nothing of itself");
                    look(property, &format!("{at}.{name}"));
                }
            }
            if schema["items"].is_object() {
                look(&schema["items"], &format!("{at}[]"));
            }
        }
        for ask in table() {
            look(&ask.schema(), ask.kind());
        }
    }

    #[test]
    fn kinds_and_keys_are_told_apart() {
        let table = table();
        assert_eq!(table.iter().map(|ask| ask.kind()).collect::<BTreeSet<_>>().len(), table.len());
        assert_eq!(table.iter().map(|ask| ask.card().key).collect::<BTreeSet<_>>().len(), table.len());
        assert!(find(&table, "explain").is_some() && find(&table, "chat").is_none());
    }
}
