//! The read-only tools over both trees, one a file, and the ledger of what they delivered.
//!
//! Every agent gets these and nothing else, whichever way it is driven. They read git objects through [`Trees`]
//! (never a file system), follow no link, enter no submodule, and clean what they show as the screen does. A result
//! has at most [`RESULT_BYTES`]; what was cut is said in it, with how to ask for less.
//!
//! [`Trees`]: crate::change::Trees

mod ledger;

pub use ledger::Ledger;

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::change::{Reading, RepoPath, Side};

/// Bytes of the longest result. Agent programs cut longer ones on their own, and the ledger would lie.
pub const RESULT_BYTES: usize = 16_000;

/// The tool by which every agent hands in its answer. It is no reading tool: whoever drives the agent serves it.
pub const SUBMIT: &str = "submit_answer";

/// What an agent is told of [`SUBMIT`].
pub const SUBMIT_WORDS: &str = "Hand in the answer. The program checks it: if something is wrong it says what, and \
                                you may hand in the whole answer once more. When it is taken, stop.";

/// What a tool found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The result, clean, at most [`RESULT_BYTES`] long.
    pub text: String,
    /// The lines whose text it shows.
    pub lines: Vec<(Side, RepoPath, RangeInclusive<u32>)>,
}

/// One read-only tool.
pub trait Tool: Send + Sync {
    /// Its name, as every agent calls it.
    fn name(&self) -> &'static str;

    /// What it does and how to narrow its result.
    fn description(&self) -> &'static str;

    /// The JSON schema of its arguments.
    fn schema(&self) -> Value;

    /// Reads.
    ///
    /// # Errors
    /// What is wrong with the arguments, or why nothing could be read, in one sentence that helps to ask better.
    fn call(&self, reading: &Reading, arguments: &Value) -> Result<Found, String>;

    /// What a call does, in a few words for the reviewer, as the arguments came: clean it before showing.
    fn doing(&self, arguments: &Value) -> String;
}

/// Every reading tool, in the order agents are told of them.
pub fn table() -> Vec<Box<dyn Tool>> {
    Vec::new()
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// The result, or the sentence that says why there is none; at most [`RESULT_BYTES`] long.
    pub text: String,
    /// Whether it is no result.
    pub failed: bool,
}

/// The tools of one question, with the ledger of what they delivered. Shared by everything that serves the agent.
pub struct Toolbox {
    reading: Arc<Reading>,
    tools: Vec<Box<dyn Tool>>,
    ledger: Mutex<Ledger>,
}

impl Toolbox {
    /// The tools over the trees of a change. `given` is what the agent reads without any tool: the brief's lines.
    pub fn new(reading: Arc<Reading>, given: Ledger) -> Self {
        Self { reading, tools: table(), ledger: Mutex::new(given) }
    }

    /// The tools, in order.
    pub fn tools(&self) -> &[Box<dyn Tool>] {
        &self.tools
    }

    /// Calls a tool and enters what it delivers. Reads objects: call it where blocking is allowed.
    pub fn call(&self, name: &str, arguments: &Value) -> Called {
        let Some(tool) = self.tools.iter().find(|tool| tool.name() == name) else {
            let names: Vec<&str> = self.tools.iter().map(|tool| tool.name()).collect();
            return Called {
                text: format!("There is no tool of that name. The tools are: {}.", names.join(", ")),
                failed: true,
            };
        };
        match tool.call(&self.reading, arguments) {
            Ok(found) => {
                let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
                for (side, path, lines) in found.lines {
                    ledger.enter(side, &path, lines);
                }
                Called { text: found.text, failed: false }
            }
            Err(why) => Called { text: why, failed: true },
        }
    }

    /// What a call does, in a few words for the reviewer.
    pub fn doing(&self, name: &str, arguments: &Value) -> String {
        let tool = self.tools.iter().find(|tool| tool.name() == name);
        tool.map_or_else(|| name.to_owned(), |tool| tool.doing(arguments))
    }

    /// What was delivered so far.
    pub fn ledger(&self) -> Ledger {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl std::fmt::Debug for Toolbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Toolbox").field("delivered", &self.ledger().len()).finish_non_exhaustive()
    }
}
