//! A draft of a review comment: what it says, where it will stand, where it came from; and the form it is kept in.
//!
//! A draft is the reviewer's alone: it is kept here, and nothing of it is anywhere else until it is sent.

use serde::{Deserialize, Serialize};

use crate::ask::{Answer, Citation};
use crate::change::parts::ContentKey;
use crate::change::{Place, RepoPath, Side};

/// The number of a draft, never given twice in one database.
pub type DraftId = u64;

/// What an answer that became a draft was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The ask's name.
    pub ask: String,
    /// The agent's name.
    pub agent: String,
    /// When it was asked, RFC 3339 in UTC.
    pub started: String,
}

/// A draft of a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The part it was made about.
    pub part: ContentKey,
    /// What that part was called.
    pub part_name: String,
    /// Where it will stand; none where it belongs to the conversation.
    pub place: Option<Place>,
    /// What it says, in GitHub's markdown.
    pub text: String,
    /// The answer it was made of; none where the reviewer wrote it.
    pub from: Option<Source>,
}

/// A draft with what keeping it added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDraft {
    /// Its number.
    pub id: DraftId,
    /// When it was kept, RFC 3339 in UTC.
    pub at: String,
    /// The draft.
    pub draft: Draft,
}

/// The version this program writes, and the only one it reads.
const VERSION: u32 = 1;

/// Why a kept draft cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is no JSON of this form.
    #[error("it is no kept draft: {0}")]
    Malformed(#[from] serde_json::Error),
    /// It is of another version.
    #[error("it is kept in form {0}, this program reads form {VERSION}")]
    Version(u32),
    /// A value in it cannot be.
    #[error("a kept draft is damaged: {0}")]
    Damaged(&'static str),
}

#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct Form {
    version: u32,
    part_name: String,
    place: Option<PlaceForm>,
    text: String,
    from: Option<Source>,
}

/// A path is kept as its bytes: it need not be text.
#[derive(Serialize, Deserialize)]
struct PlaceForm {
    path: Vec<u8>,
    side: String,
    line: u32,
    end_line: u32,
}

impl Draft {
    /// Makes a draft of an answer: the answer alone for a place in the diff, with what was asked above it for the
    /// conversation.
    pub fn of(answer: &Answer, place: Option<Place>) -> Self {
        let stamp = &answer.stamp;
        let mut paragraphs = Vec::new();
        if place.is_none() {
            let asked = answer.asked.as_ref().unwrap_or(&answer.part_name);
            paragraphs.push(format!("> {}: {asked}", stamp.ask));
        }
        for section in &answer.sections {
            let heading = if answer.sections.len() > 1 { format!("**{}**\n", section.heading) } else { String::new() };
            paragraphs.push(format!("{heading}{}", section.text));
        }
        let cited = |(at, citation): (usize, &Citation)| format!("[{}] `{}`", at + 1, citation.place.in_words());
        let cited: Vec<String> = answer.citations.iter().enumerate().map(cited).collect();
        paragraphs.extend((!cited.is_empty()).then(|| cited.join("\n")));
        let from = Source { ask: stamp.ask.clone(), agent: stamp.agent.clone(), started: stamp.started.clone() };
        Self {
            part: stamp.content.clone(),
            part_name: answer.part_name.as_str().to_owned(),
            place,
            text: paragraphs.join("\n\n"),
            from: Some(from),
        }
    }

    /// The stored form, without the part's identity, which is kept beside it.
    pub fn write(&self) -> String {
        let place = self.place.as_ref().map(|place| PlaceForm {
            path: place.path.as_bytes().to_vec(),
            side: place.side.word().to_owned(),
            line: place.line,
            end_line: place.end_line,
        });
        let form = Form {
            version: VERSION,
            part_name: self.part_name.clone(),
            place,
            text: self.text.clone(),
            from: self.from.clone(),
        };
        serde_json::to_string(&form).unwrap_or_default()
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// [`enum@Error`] where it is damaged or of another version.
    pub fn read(part: ContentKey, text: &str) -> Result<Self, Error> {
        let Versioned { version } = serde_json::from_str(text)?;
        if version != VERSION {
            return Err(Error::Version(version));
        }
        let form: Form = serde_json::from_str(text)?;
        let place = form.place.map(|place| {
            let side = match place.side.as_str() {
                "base" => Side::Base,
                "head" => Side::Head,
                _ => return Err(Error::Damaged("a side is neither base nor head")),
            };
            Ok(Place { path: RepoPath::new(place.path), side, line: place.line, end_line: place.end_line })
        });
        let Form { part_name, text, from, .. } = form;
        Ok(Self { part, part_name, place: place.transpose()?, text, from })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_was_written() {
        let source = Source { ask: "explain".into(), agent: "plain".into(), started: "2026-01-02T03:04:05Z".into() };
        let place = Place { path: RepoPath::new(b"caf\xe9.py"), side: Side::Base, line: 3, end_line: 5 };
        let whole = Draft {
            part: ContentKey("k".into()),
            part_name: "close in pool.py".into(),
            place: Some(place),
            text: "one\n\ntwo \u{1b}".into(),
            from: Some(source),
        };
        let bare = Draft { place: None, from: None, ..whole.clone() };
        for draft in [whole, bare] {
            assert_eq!(Draft::read(draft.part.clone(), &draft.write()).unwrap(), draft);
        }
    }

    #[test]
    fn another_version_is_left_alone() {
        let read = |text: &str| Draft::read(ContentKey("k".into()), text).unwrap_err().to_string();
        assert_eq!(read(r#"{"version":2,"other":1}"#), "it is kept in form 2, this program reads form 1");
        assert!(read("not json").starts_with("it is no kept draft"));
        let side = r#"{"version":1,"part_name":"","place":{"path":[97],"side":"up","line":1,"end_line":1},"text":"","from":null}"#;
        assert!(read(side).contains("neither base nor head"));
    }
}
