//! One agent a file, and the table of them. A new agent is one file, its row here and its section in the settings.

pub mod api;
pub mod claude_code;
pub mod codex;
pub mod pi;
pub mod plain;
pub mod scripted;

use std::path::Path;

use super::program::Program;
use super::{Agent, Choice};
use crate::config::Settings;
use crate::problem::Problem;

/// Makes an agent for a choice that was checked.
type Make = fn(&Choice, &Settings) -> Result<Box<dyn Agent>, Problem>;

/// One kind of agent, as the table has it.
pub struct Kind {
    /// Its name in settings, on the command line and in stamps.
    pub name: &'static str,
    /// What it is, in words that stand after its name.
    pub words: &'static str,
    /// Makes it for a choice that was checked.
    pub make: Make,
}

/// Every agent a reviewer can choose, in the order they are listed. The first is the default.
pub fn table() -> Vec<Kind> {
    vec![
        Kind { name: plain::NAME, words: "built in, uses no model", make: |_, _| Ok(Box::new(plain::Plain)) },
        Kind {
            name: claude_code::NAME,
            words: "Claude Code, installed and signed in by you",
            make: |choice, settings| {
                let path = &settings.agents.claude_code.path;
                Program::boxed(claude_code::ClaudeCode, choice, path)
            },
        },
        Kind {
            name: pi::NAME,
            words: "Pi, installed and signed in by you",
            make: |choice, settings| Program::boxed(pi::Pi, choice, &settings.agents.pi.path),
        },
        Kind {
            name: codex::NAME,
            words: "Codex, installed and signed in by you",
            make: |choice, settings| Program::boxed(codex::Codex, choice, &settings.agents.codex.path),
        },
        Kind { name: api::NAME, words: "a model API, with your own key", make: api::make },
    ]
}

/// Says whether there is an agent of a name; whether it can be used is found when it is asked.
///
/// # Errors
/// A [`Problem`] that names the agents there are.
pub fn known(name: &str) -> Result<(), Problem> {
    let known = name == scripted::NAME || table().iter().any(|kind| kind.name == name);
    if known { Ok(()) } else { Err(unknown(name)) }
}

fn unknown(name: &str) -> Problem {
    let table = table();
    let names: Vec<&str> = table.iter().map(|kind| kind.name).collect();
    Problem::new(format!("there is no agent `{}`", crate::text::clean(name)))
        .hint(format!("set asks.agent to one of: {}", names.join(", ")))
}

/// Makes the agent that was chosen.
///
/// # Errors
/// A [`Problem`] where there is no agent of that name, or a name in the choice is no plain identifier.
pub fn make(choice: &Choice, settings: &Settings) -> Result<Box<dyn Agent>, Problem> {
    choice.check()?;
    if choice.agent == scripted::NAME {
        let agent = scripted::Scripted::open(Path::new(&settings.asks.transcript))
            .map_err(|error| Problem::new(error.to_string()).hint("set asks.transcript to a transcript file"))?;
        return Ok(Box::new(agent));
    }
    match table().iter().find(|kind| kind.name == choice.agent) {
        Some(kind) => (kind.make)(choice, settings),
        None => Err(unknown(&choice.agent)),
    }
}
