//! The read-only tools over both trees, one a file, and the ledger of what they delivered.
//!
//! Every agent gets these and nothing else, whichever way it is driven. They read git objects through [`Trees`]
//! (never a file system), follow no link, enter no submodule, and clean what they show as the screen does. A result
//! has at most [`RESULT_BYTES`]; what was cut is said in it, with how to ask for less. What comes from outside stands
//! fenced in it, as in the brief.
//!
//! [`Trees`]: crate::change::Trees

mod arguments;
mod find_files;
mod globs;
mod grep;
mod ledger;
mod list_files;
pub mod mcp;
mod page;
mod paths;
mod read_file;
mod show_diff;
mod sides;
#[cfg(test)]
mod tests;

pub use ledger::Ledger;
pub use page::Page;
pub use sides::Sides;

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::Reply;
use crate::change::Reading;

/// Bytes of the longest result. Agent programs cut longer ones on their own, and the ledger would lie.
pub const RESULT_BYTES: usize = 16_000;

/// The tool by which every agent hands in its answer. It is no reading tool: whoever drives the agent serves it.
pub const SUBMIT: &str = "submit_answer";

/// What an agent is told of [`SUBMIT`].
pub const SUBMIT_WORDS: &str = "Hand in the answer. The program checks it: if something is wrong it says what, and \
                                you may hand in the whole answer once more. When it is taken, stop.";

/// Why a tool had nothing to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong, in the program's own words, so that the agent can ask better.
    pub words: String,
    /// What the words point to, such as similar paths: clean, from the trees, shown fenced below them.
    pub names: Vec<String>,
}

impl Refusal {
    /// A refusal in words alone.
    pub fn new(words: impl Into<String>) -> Self {
        Self { words: words.into(), names: Vec::new() }
    }
}

/// One read-only tool.
pub trait Tool: Send + Sync {
    /// Its name, as every agent calls it.
    fn name(&self) -> &'static str;

    /// What it does and how to narrow its result.
    fn description(&self) -> &'static str;

    /// The JSON schema of its arguments: an object, every property required, optional ones nullable.
    fn schema(&self) -> Value;

    /// Reads, and writes what it found on the page.
    ///
    /// # Errors
    /// What is wrong with the arguments, or why nothing could be read. What is on the page by then is not delivered.
    fn call(&self, sides: &Sides, arguments: &Value, page: &mut Page<'_>) -> Result<(), Refusal>;

    /// What a call does, in a few words for the reviewer, as the arguments came: clean it before showing.
    fn doing(&self, arguments: &Value) -> String;
}

/// Every reading tool, in the order agents are told of them.
pub fn table() -> Vec<Box<dyn Tool>> {
    vec![
        Box::new(list_files::ListFiles),
        Box::new(find_files::FindFiles),
        Box::new(grep::Grep),
        Box::new(read_file::ReadFile),
        Box::new(show_diff::ShowDiff),
    ]
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// The result, or the sentence that says why there is none; at most [`RESULT_BYTES`] long.
    pub text: String,
    /// Whether it is no result.
    pub failed: bool,
}

/// What an agent is told of what became of an answer it handed in by a tool.
impl From<Reply> for Called {
    fn from(reply: Reply) -> Self {
        match reply {
            Reply::Accepted => Self { text: "The answer is taken. Stop now.".to_owned(), failed: false },
            Reply::SentBack(note) => Self { text: note, failed: true },
            Reply::Closed => Self { text: "No more answers are taken. Stop now.".to_owned(), failed: false },
        }
    }
}

/// The tools of one question, with the ledger of what they delivered. Shared by everything that serves the agent.
pub struct Toolbox {
    sides: Sides,
    tools: Vec<Box<dyn Tool>>,
    id: String,
    ledger: Mutex<Ledger>,
}

impl Toolbox {
    /// The tools over the trees of a change. `given` is what the agent reads without any tool: the brief's lines.
    /// `id` is the random word of the brief's fences.
    pub fn new(reading: Arc<Reading>, given: Ledger, id: &str) -> Self {
        Self { sides: Sides::new(reading), tools: table(), id: id.to_owned(), ledger: Mutex::new(given) }
    }

    /// The tools, in order.
    pub fn tools(&self) -> &[Box<dyn Tool>] {
        &self.tools
    }

    /// Calls a tool and enters what it delivers. Reads objects: call it where blocking is allowed.
    pub fn call(&self, name: &str, arguments: &Value) -> Called {
        let Some(tool) = self.tools.iter().find(|tool| tool.name() == name) else {
            let names: Vec<&str> = self.tools.iter().map(|tool| tool.name()).collect();
            let words = format!("There is no tool of that name. The tools are: {}.", names.join(", "));
            return self.refused("no tool", Refusal::new(words));
        };
        let mut page = Page::new(&self.id, tool.name());
        if let Err(refusal) = tool.call(&self.sides, arguments, &mut page) {
            return self.refused(tool.name(), refusal);
        }
        let written = page.finish();
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        for (side, path, line) in &written.lines {
            ledger.enter(*side, path, [*line]);
        }
        Called { text: written.text, failed: false }
    }

    fn refused(&self, name: &str, refusal: Refusal) -> Called {
        let mut page = Page::new(&self.id, name);
        page.lead(&refusal.words);
        refusal.names.iter().all(|name| page.row(name));
        Called { text: page.finish().text, failed: true }
    }

    /// What a call does, in a few words for the reviewer, as the arguments came: clean it before showing.
    pub fn doing(&self, name: &str, arguments: &Value) -> String {
        let tool = self.tools.iter().find(|tool| tool.name() == name);
        tool.map_or_else(|| "calls a tool that does not exist".to_owned(), |tool| tool.doing(arguments))
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
