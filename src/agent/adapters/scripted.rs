//! `scripted`: replays a transcript. For tests and evaluation; it reads nothing of what it is asked.
//!
//! A transcript is JSON: `{"version": 1, "steps": [...]}`. A step is `{"submit": VALUE}` (the answer as a JSON value),
//! `{"text": "..."}` (the answer as text, JSON or not), `{"doing": "..."}`, `{"model": "..."}`, or one of the words
//! `"ends without answer"`, `"times out"`, `"dies"`. A run that is asked again goes on after the step that ended the one
//! before; past the last step it ends without an answer.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::agent::{Agent, Desk, Ending, Event, Probe, Reply, Report, Request, Task};
use crate::problem::Problem;

/// Its name.
pub const NAME: &str = "scripted";

/// The version of transcripts this program reads.
const VERSION: u32 = 1;

/// Bytes of the longest transcript read.
const LIMIT: u64 = 4 << 20;

/// Why a transcript cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("the transcript `{0}` cannot be read: {1}")]
    NotRead(String, std::io::Error),
    /// It is longer than [`LIMIT`].
    #[error("the transcript `{0}` is longer than {LIMIT} bytes")]
    TooLong(String),
    /// It is no transcript.
    #[error("this is no transcript: {0}")]
    Malformed(#[from] serde_json::Error),
    /// It is of another version.
    #[error("this transcript has version {0}, this program reads version {VERSION}")]
    Version(u32),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self::new(error.to_string()).hint("give a file of the form {\"version\": 1, \"steps\": [{\"submit\": {}}]}")
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Transcript {
    version: u32,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, Deserialize)]
enum Step {
    #[serde(rename = "submit")]
    Submit(serde_json::Value),
    #[serde(rename = "text")]
    Text(String),
    #[serde(rename = "doing")]
    Doing(String),
    #[serde(rename = "model")]
    Model(String),
    #[serde(rename = "ends without answer")]
    Ends,
    #[serde(rename = "times out")]
    TimesOut,
    #[serde(rename = "dies")]
    Dies,
}

/// Replays one transcript.
#[derive(Debug, Clone)]
pub struct Scripted {
    /// The steps of each run, in order.
    runs: Vec<Vec<Step>>,
    converses: bool,
}

impl Scripted {
    /// Reads a transcript from text.
    ///
    /// # Errors
    /// Where the text is no transcript of a known version.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let transcript: Transcript = serde_json::from_str(text)?;
        if transcript.version != VERSION {
            return Err(Error::Version(transcript.version));
        }
        let ends = |step: &Step| matches!(step, Step::Ends | Step::TimesOut | Step::Dies);
        let runs = transcript.steps.split_inclusive(ends).map(<[Step]>::to_vec).collect();
        Ok(Self { runs, converses: true })
    }

    /// Reads a transcript from a file.
    ///
    /// # Errors
    /// Where the file cannot be read, is too long, or is no transcript of a known version.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = || path.display().to_string();
        let not_read = |error| Error::NotRead(name(), error);
        if std::fs::metadata(path).map_err(not_read)?.len() > LIMIT {
            return Err(Error::TooLong(name()));
        }
        Self::parse(&std::fs::read_to_string(path).map_err(not_read)?)
    }

    /// Makes it behave as a program that cannot be answered within a run: each submission ends the run.
    #[must_use]
    pub fn one_shot(mut self) -> Self {
        self.converses = false;
        let steps: Vec<Step> = self.runs.into_iter().flatten().collect();
        self.runs = steps
            .split_inclusive(|step| !matches!(step, Step::Doing(_) | Step::Model(_)))
            .map(<[Step]>::to_vec)
            .collect();
        self
    }
}

impl Agent for Scripted {
    fn name(&self) -> &'static str {
        NAME
    }

    fn converses(&self) -> bool {
        self.converses
    }

    fn probe(&self) -> Task<'_, Probe> {
        Box::pin(async { Probe::Usable(VERSION.to_string()) })
    }

    fn run(&self, request: Request, desk: Desk) -> Task<'_, Ending> {
        let steps = self.runs.get(request.run as usize).cloned().unwrap_or_default();
        Box::pin(async move {
            for step in steps {
                let text = match step {
                    Step::Submit(value) => value.to_string(),
                    Step::Text(text) => text,
                    Step::Doing(text) => {
                        desk.say(Event::Doing(text)).await;
                        continue;
                    }
                    Step::Model(model) => {
                        desk.say(Event::Report(Report { model: Some(model), ..Report::default() })).await;
                        continue;
                    }
                    Step::Ends => return Ending::Finished,
                    Step::TimesOut => return wait_for_ever().await,
                    Step::Dies => return Ending::Died("the transcript says that it dies here".to_owned()),
                };
                match desk.submit(text).await {
                    Reply::Accepted | Reply::Closed => return Ending::Finished,
                    Reply::SentBack(_) => {}
                }
            }
            Ending::Finished
        })
    }
}

/// What a program does that never comes back: the caller's limit has to end it.
async fn wait_for_ever() -> Ending {
    loop {
        tokio::time::sleep(Duration::from_secs(3600)).await;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn cuts_a_transcript_into_runs() {
        let text =
            r#"{"version":1,"steps":[{"doing":"reading"},"ends without answer",{"submit":{"a":1}},{"text":"x"}]}"#;
        let agent = Scripted::parse(text).unwrap();
        assert_eq!(agent.runs.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
        let agent = agent.one_shot();
        assert_eq!(agent.runs.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 1]);
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for (text, part) in [
            ("", "no transcript"),
            (r#"{"version":2,"steps":[]}"#, "version 2"),
            (r#"{"version":1,"steps":["explodes"]}"#, "explodes"),
            (r#"{"version":1,"steps":[],"more":1}"#, "more"),
        ] {
            let error = Scripted::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
