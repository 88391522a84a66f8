//! What the loop asks of a model: one turn of a conversation, in terms of no vendor. The wire is `wire`'s.

use std::time::Duration;

use serde_json::Value;

use super::wire::Kept;
use crate::agent::{Ending, Task};

/// Something that takes a turn in a conversation.
pub(super) trait ModelClient: Send + Sync {
    /// Sends the conversation and waits for the whole turn. Dropping the future ends the request.
    fn turn<'a>(&'a self, conversation: &'a Conversation, offers: &'a [Offer]) -> Task<'a, Result<Turn, Failure>>;
}

/// A tool the model is offered.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Offer {
    /// Its name.
    pub(super) name: String,
    /// What it does.
    pub(super) words: String,
    /// The JSON schema of its arguments.
    pub(super) schema: Value,
}

/// What was said so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Conversation {
    /// Who the model is and how it has to answer.
    pub(super) system: String,
    /// In order; the first and the last are the program's.
    pub(super) messages: Vec<Message>,
}

/// One message.
#[derive(Debug, Clone)]
pub(super) enum Message {
    /// The program asks.
    Asked(String),
    /// The model's turn, as it has to be sent back.
    Said(Turn),
    /// The results of every call of the turn before, in its order.
    Results(Vec<CallResult>),
}

/// The result of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CallResult {
    /// The call's id.
    pub(super) id: String,
    /// What came of it.
    pub(super) text: String,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    /// The model's id for it.
    pub(super) id: String,
    /// The tool's name.
    pub(super) name: String,
    /// An object; a text where what came is none.
    pub(super) arguments: Value,
}

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum End {
    /// As the model wanted.
    #[default]
    Whole,
    /// At the limit of its output.
    Cut,
    /// Its provider held it back.
    HeldBack,
}

/// One turn of the model.
#[derive(Debug, Clone, Default)]
pub(super) struct Turn {
    /// Its text; empty where there is none.
    pub(super) text: String,
    /// Its calls.
    pub(super) calls: Vec<Call>,
    /// How it ended.
    pub(super) end: End,
    /// The model, as the answer names it.
    pub(super) model: Option<String>,
    /// Tokens read and written, where reported.
    pub(super) tokens: Option<(u64, u64)>,
    /// What the wire needs to send the turn back.
    pub(super) kept: Kept,
}

/// Why there was no turn. Sentences are clean and hold no key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The key is missing or was not taken.
    NotSignedIn(String),
    /// There is no such model.
    UnknownModel(String),
    /// It was turned away for now.
    TurnedAway {
        /// What was said.
        said: String,
        /// When to come again, if that was said.
        after: Option<Duration>,
        /// Whether coming again helps.
        again: bool,
    },
    /// The connection was lost before anything came.
    Lost(String),
    /// Anything else.
    Broken(String),
}

impl From<Failure> for Ending {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NotSignedIn(why) => Self::NotSignedIn(why),
            Failure::UnknownModel(why) => Self::UnknownModel(why),
            Failure::TurnedAway { said, .. } => Self::RateLimited(said),
            Failure::Lost(why) | Failure::Broken(why) => Self::Died(why),
        }
    }
}
