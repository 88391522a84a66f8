//! How an outcome is kept and printed: one versioned JSON form, of its own types, read back to the same value.

use serde::{Deserialize, Serialize};

use super::answer::{Answer, CheckFailure, Citation, Outcome, Reason, Refusal, Section, Stamp};
use super::check;
use crate::change::parts::ContentKey;
use crate::change::{ObjectId, Place, RepoPath, Side};
use crate::text::{Clean, clean_prose};

/// The version this program writes, and the only one it reads.
pub const VERSION: u32 = 1;

/// Why a kept outcome cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is no JSON of this form.
    #[error("it is no kept answer: {0}")]
    Malformed(#[from] serde_json::Error),
    /// Another version of the program wrote it.
    #[error("it was kept by another version of the program (form {0}, this one reads {VERSION})")]
    Version(u32),
    /// A field holds what it cannot.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
}

/// The JSON form of an outcome, as a value to print inside another one.
pub fn value(outcome: &Outcome) -> serde_json::Value {
    serde_json::to_value(Wire::from(outcome)).unwrap_or_default()
}

/// The JSON form of an outcome, as text to keep.
pub fn write(outcome: &Outcome) -> String {
    value(outcome).to_string()
}

/// Reads an outcome back.
///
/// # Errors
/// Where the text is of another version or damaged.
pub fn read(text: &str) -> Result<Outcome, Error> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let versioned: Versioned = serde_json::from_str(text)?;
    if versioned.version != VERSION {
        return Err(Error::Version(versioned.version));
    }
    let wire: Wire = serde_json::from_str(text)?;
    wire.try_into()
}

#[derive(Serialize, Deserialize)]
struct Wire {
    version: u32,
    #[serde(flatten)]
    outcome: WireOutcome,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "outcome")]
enum WireOutcome {
    #[serde(rename = "answered")]
    Answered {
        part_name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<String>,
        sections: Vec<WireSection>,
        citations: Vec<WireCitation>,
        facts: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        not_shown: Vec<String>,
        stamp: Box<WireStamp>,
    },
    #[serde(rename = "refused")]
    Refused { failed: Vec<WireFailure>, refused: String, stamp: Box<WireStamp> },
    #[serde(rename = "no answer")]
    NoAnswer {
        /// One of the words of [`Reason`].
        #[serde(default)]
        reason: String,
        why: String,
    },
    #[serde(rename = "cancelled")]
    Cancelled {},
}

#[derive(Serialize, Deserialize)]
struct WireSection {
    heading: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
struct WireCitation {
    /// The path where it is UTF-8, else as it may be shown.
    path: String,
    /// The bytes of a path that is no UTF-8, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
    side: String,
    line: u32,
    end_line: u32,
    quote: String,
}

#[derive(Serialize, Deserialize)]
struct WireFailure {
    check: String,
    what: String,
}

#[derive(Serialize, Deserialize)]
struct WireStamp {
    ask: String,
    ask_version: u32,
    agent: String,
    agent_version: String,
    model: Option<String>,
    effort: Option<String>,
    login: Option<String>,
    account: Option<String>,
    started: String,
    duration_ms: u64,
    tokens: Option<u64>,
    cost: Option<String>,
    attempts: u32,
    base_commit: Option<String>,
    head_commit: Option<String>,
    content: String,
    checks: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fences: Vec<String>,
}

impl From<&Outcome> for Wire {
    fn from(outcome: &Outcome) -> Self {
        let outcome = match outcome {
            Outcome::Answered(answer) => WireOutcome::Answered {
                part_name: text(&answer.part_name),
                asked: answer.asked.as_ref().map(text),
                sections: answer.sections.iter().map(section).collect(),
                citations: answer.citations.iter().map(citation).collect(),
                facts: answer.facts.iter().map(text).collect(),
                not_shown: answer.not_shown.iter().map(text).collect(),
                stamp: Box::new(stamp(&answer.stamp)),
            },
            Outcome::Refused(refusal) => WireOutcome::Refused {
                failed: refusal.failed.iter().map(failure).collect(),
                refused: text(&refusal.refused),
                stamp: Box::new(stamp(&refusal.stamp)),
            },
            Outcome::NoAnswer { reason, why } => {
                WireOutcome::NoAnswer { reason: reason.words().to_owned(), why: why.clone() }
            }
            Outcome::Cancelled => WireOutcome::Cancelled {},
        };
        Self { version: VERSION, outcome }
    }
}

impl TryFrom<Wire> for Outcome {
    type Error = Error;

    fn try_from(wire: Wire) -> Result<Self, Error> {
        Ok(match wire.outcome {
            WireOutcome::Answered { part_name, asked, sections, citations, facts, not_shown, stamp } => {
                Self::Answered(Answer {
                    part_name: clean_prose(&part_name),
                    asked: asked.as_deref().map(clean_prose),
                    sections: sections
                        .into_iter()
                        .map(|section| Section { heading: section.heading, text: clean_prose(&section.text) })
                        .collect(),
                    citations: citations.into_iter().map(read_citation).collect::<Result<_, _>>()?,
                    facts: facts.iter().map(|fact| clean_prose(fact)).collect(),
                    not_shown: not_shown.iter().map(|sentence| clean_prose(sentence)).collect(),
                    stamp: read_stamp(*stamp)?,
                })
            }
            WireOutcome::Refused { failed, refused, stamp } => Self::Refused(Refusal {
                failed: failed.into_iter().map(read_failure).collect::<Result<_, _>>()?,
                refused: clean_prose(&refused),
                stamp: read_stamp(*stamp)?,
            }),
            WireOutcome::NoAnswer { reason, why } => {
                let reason = Reason::ALL.into_iter().find(|known| known.words() == reason);
                Self::NoAnswer { reason: reason.unwrap_or(Reason::Ended), why }
            }
            WireOutcome::Cancelled {} => Self::Cancelled,
        })
    }
}

fn text(clean: &Clean) -> String {
    clean.as_str().to_owned()
}

fn section(section: &Section) -> WireSection {
    WireSection { heading: section.heading.clone(), text: text(&section.text) }
}

fn citation(citation: &Citation) -> WireCitation {
    let place = &citation.place;
    let (path, path_hex) = match std::str::from_utf8(place.path.as_bytes()) {
        Ok(path) => (path.to_owned(), None),
        Err(_) => {
            let hex = place.path.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
            (place.path.shown().into_string(), Some(hex))
        }
    };
    let (side, line, end_line) = (place.side.word().to_owned(), place.line, place.end_line);
    WireCitation { path, path_hex, side, line, end_line, quote: text(&citation.quote) }
}

fn read_citation(wire: WireCitation) -> Result<Citation, Error> {
    let path = match wire.path_hex {
        Some(hex) => RepoPath::new(bytes(&hex).ok_or(Error::Damaged("a path is not in hexadecimal"))?),
        None => RepoPath::from(wire.path.as_str()),
    };
    let side = match wire.side.as_str() {
        "base" => Side::Base,
        "head" => Side::Head,
        _ => return Err(Error::Damaged("a side is neither base nor head")),
    };
    let place = Place { path, side, line: wire.line, end_line: wire.end_line };
    Ok(Citation { place, quote: clean_prose(&wire.quote) })
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        hex.chars().map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok())).collect::<Option<_>>()?;
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(|two| two[0] * 16 + two[1]).collect())
}

fn failure(failure: &CheckFailure) -> WireFailure {
    WireFailure { check: failure.check.to_owned(), what: text(&failure.what) }
}

fn read_failure(wire: WireFailure) -> Result<CheckFailure, Error> {
    let check = check::all_names().into_iter().find(|name| *name == wire.check);
    let check = check.ok_or(Error::Damaged("it names a check that this program does not have"))?;
    Ok(CheckFailure { check, what: clean_prose(&wire.what) })
}

fn stamp(stamp: &Stamp) -> WireStamp {
    let id = |id: &Option<ObjectId>| id.as_ref().map(ToString::to_string);
    WireStamp {
        ask: stamp.ask.clone(),
        ask_version: stamp.ask_version,
        agent: stamp.agent.clone(),
        agent_version: stamp.agent_version.clone(),
        model: stamp.model.clone(),
        effort: stamp.effort.clone(),
        login: stamp.login.clone(),
        account: stamp.account.clone(),
        started: stamp.started.clone(),
        duration_ms: stamp.duration_ms,
        tokens: stamp.tokens,
        cost: stamp.cost.clone(),
        attempts: stamp.attempts,
        base_commit: id(&stamp.base_commit),
        head_commit: id(&stamp.head_commit),
        content: stamp.content.0.clone(),
        checks: stamp.checks.clone(),
        fences: stamp.fences.clone(),
    }
}

fn read_stamp(wire: WireStamp) -> Result<Stamp, Error> {
    let id = |id: Option<String>| match id {
        Some(id) => id.parse().map(Some).map_err(|()| Error::Damaged("a commit is no object name")),
        None => Ok(None),
    };
    Ok(Stamp {
        ask: wire.ask,
        ask_version: wire.ask_version,
        agent: wire.agent,
        agent_version: wire.agent_version,
        model: wire.model,
        effort: wire.effort,
        login: wire.login,
        account: wire.account,
        started: wire.started,
        duration_ms: wire.duration_ms,
        tokens: wire.tokens,
        cost: wire.cost,
        attempts: wire.attempts,
        base_commit: id(wire.base_commit)?,
        head_commit: id(wire.head_commit)?,
        content: ContentKey(wire.content),
        checks: wire.checks,
        fences: wire.fences,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    prop_compose! {
        fn any_stamp()(
            words in proptest::collection::vec(any::<String>(), 6), maybe in any::<Option<String>>(),
            numbers in any::<(u32, u64, Option<u64>, u32)>(), commit in any::<Option<[u8; 20]>>(),
        ) -> Stamp {
            Stamp {
                ask: words[0].clone(), ask_version: numbers.0, agent: words[1].clone(), agent_version: words[2].clone(),
                model: maybe.clone(), effort: None, login: maybe.clone(), account: maybe.clone(),
                started: words[3].clone(), duration_ms: numbers.1, tokens: numbers.2, cost: maybe, attempts: numbers.3,
                base_commit: commit.map(ObjectId::new), head_commit: None, content: ContentKey(words[4].clone()),
                checks: vec![words[5].clone()], fences: vec![words[5].clone()],
            }
        }
    }

    fn any_clean() -> impl Strategy<Value = Clean> {
        any::<String>().prop_map(|text| clean_prose(&text))
    }

    prop_compose! {
        fn any_citation()(path in any::<Vec<u8>>(), head in any::<bool>(), line in any::<(u32, u32)>(), quote in any_clean()) -> Citation {
            let side = if head { Side::Head } else { Side::Base };
            Citation { place: Place { path: RepoPath::new(path), side, line: line.0, end_line: line.1 }, quote }
        }
    }

    fn any_outcome() -> impl Strategy<Value = Outcome> {
        let section = (any::<String>(), any_clean()).prop_map(|(heading, text)| Section { heading, text });
        let sections = proptest::collection::vec(section, 0..3);
        let citations = proptest::collection::vec(any_citation(), 0..3);
        let answer = (
            (any_clean(), proptest::option::of(any_clean())),
            sections,
            citations,
            proptest::collection::vec(any_clean(), 0..3),
            any_stamp(),
        );
        let failure = (0..check::all_names().len(), any_clean())
            .prop_map(|(at, what)| CheckFailure { check: check::all_names()[at], what });
        let refusal = (proptest::collection::vec(failure, 0..3), any_clean(), any_stamp());
        prop_oneof![
            answer.prop_map(|((part_name, asked), sections, citations, facts, stamp)| Outcome::Answered(Answer {
                part_name,
                asked,
                sections,
                citations,
                not_shown: facts.iter().rev().take(1).cloned().collect(),
                facts,
                stamp
            })),
            refusal.prop_map(|(failed, refused, stamp)| Outcome::Refused(Refusal { failed, refused, stamp })),
            (0..Reason::ALL.len(), any::<String>())
                .prop_map(|(at, why)| Outcome::NoAnswer { reason: Reason::ALL[at], why }),
            Just(Outcome::Cancelled),
        ]
    }

    proptest! {
        #[test]
        fn reads_back_equal(outcome in any_outcome()) {
            let text = write(&outcome);
            prop_assert_eq!(read(&text).unwrap(), outcome);
        }

        #[test]
        fn any_text_is_an_error_or_an_outcome(text in any::<String>()) {
            drop(read(&text));
        }
    }

    #[test]
    fn another_version_is_an_error() {
        let text = write(&Outcome::Cancelled);
        assert_eq!(text, r#"{"version":1,"outcome":"cancelled"}"#);
        let error = read(&text.replace("\"version\":1", "\"version\":2")).unwrap_err();
        assert!(matches!(error, Error::Version(2)));
        assert!(read(r#"{"version":1,"outcome":"verdict"}"#).is_err());
        assert!(read(r#"{"version":9,"what":"ever"}"#).unwrap_err().to_string().contains("form 9"));
    }
}
