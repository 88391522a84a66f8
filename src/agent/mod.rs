//! Runs what answers: the one trait, what an agent is given and what it says back. Knows nothing of pull requests.
//!
//! A [`Request`] is text and a schema; an answer comes back as text over a [`Desk`], which hands each submission to
//! whoever judges it and brings the reply. How often an answer may be tried is not decided here.

pub mod tools;
mod choice;
mod desk;
mod lockdown;
pub mod program;
pub mod adapters;

pub use choice::Choice;
pub use desk::{Desk, Message, Reply, Submission, desk};

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tools::Toolbox;

/// A boxed future, so that agents of any kind can stand in one table.
pub type Task<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What an agent is asked, in a form that any agent can take.
#[derive(Debug, Clone)]
pub struct Request {
    /// Who it is and how it has to answer; written by the program.
    pub instructions: String,
    /// What it is asked about. Text from outside stands in fenced blocks.
    pub prompt: String,
    /// The JSON schema of the answer.
    pub schema: serde_json::Value,
    /// What came before: the problems of a refused answer, or a reminder that none came; none in the first run.
    pub note: Option<String>,
    /// Which run of this question it is, counted from 0.
    pub run: u32,
    /// The answer the program itself composes, as JSON text, or why it has none. Only the `plain` agent gets it.
    pub composed: Option<Result<String, String>>,
    /// The tools it may use, shared by all runs of the question.
    pub tools: Arc<Toolbox>,
}

/// Whether an agent can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// It can, and this is its version.
    Usable(String),
    /// It can, once the reviewer has signed in; what to do about it, in one sentence.
    NotSignedIn(String),
    /// It cannot, and why, in one sentence.
    Unusable(String),
}

/// What an agent says while it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// What it is doing, in a few words, as it came: clean it before showing.
    Doing(String),
    /// What it reports about itself; a later report replaces the fields it has.
    Report(Report),
}

/// What an agent reports about itself. Nothing is assumed where it says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The model that answers.
    pub model: Option<String>,
    /// How it is signed in.
    pub login: Option<String>,
    /// Tokens used so far.
    pub tokens: Option<u64>,
    /// Cost so far in US dollars, as text.
    pub cost: Option<String>,
    /// The fences that hold around it, in a few words each.
    pub fences: Vec<String>,
}

impl Report {
    /// Takes over what a later report says.
    pub fn take(&mut self, later: Self) {
        self.model = later.model.or_else(|| self.model.take());
        self.login = later.login.or_else(|| self.login.take());
        self.tokens = later.tokens.or(self.tokens);
        self.cost = later.cost.or_else(|| self.cost.take());
        if !later.fences.is_empty() {
            self.fences = later.fences;
        }
    }
}

/// How a run ended. Sentences are as they came: clean them before showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It came to its own end, with or without having submitted an answer.
    Finished,
    /// It has nothing to say to this, and why; it is not asked again.
    Declined(String),
    /// It cannot be used as it is: it is not installed, too old, or lacks what the lockdown needs; why.
    Unusable(String),
    /// It is not signed in; what to do about it.
    NotSignedIn(String),
    /// Its provider turned it away for now; what it said.
    RateLimited(String),
    /// It knows no such model; what it said.
    UnknownModel(String),
    /// It met a limit that the reviewer or the program set: rounds, tokens, cost; which, and what was looked at.
    BudgetMet(String),
    /// It ran out of the time it sets itself.
    TimedOut,
    /// It broke off; what is known of why.
    Died(String),
}

/// Something that answers questions.
pub trait Agent: Send + Sync {
    /// Its name in settings, on the command line and in stamps.
    fn name(&self) -> &'static str;

    /// Whether a refused answer can be given back within the run. If not, it is run again with the problems as note.
    fn converses(&self) -> bool;

    /// Looks whether it can be used, without asking it anything.
    fn probe(&self) -> Task<'_, Probe>;

    /// How it is signed in, in a few words that stand after a comma; none where it needs no login or does not say.
    fn login(&self) -> Task<'_, Option<String>> {
        Box::pin(async { None })
    }

    /// Runs it once. Must be safe to drop at any point: dropping the future stops everything it started.
    fn run(&self, request: Request, desk: Desk) -> Task<'_, Ending>;
}
