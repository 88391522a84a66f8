//! Where the reviewer's agents are. Read from their own settings alone.

use serde::Deserialize;

/// The sections `agents.*`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Agents {
    /// Claude Code.
    pub claude_code: Program,
    /// Pi.
    pub pi: Program,
    /// Codex.
    pub codex: Program,
    /// A model API.
    pub api: Api,
}

/// An installed program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Its path; empty to look for it on the search path.
    pub path: String,
}

/// A model API.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Api {
    /// What it speaks.
    pub dialect: Dialect,
    /// Its address; empty for the dialect's own.
    pub base_url: String,
    /// The environment variable that holds the key; empty for the dialect's own.
    pub key_env: String,
    /// A program that prints the key, with its arguments; empty for none.
    pub key_command: Vec<String>,
    /// US dollars for a million tokens read; 0 where it is not wanted.
    pub input_price: f64,
    /// US dollars for a million tokens written; 0 where it is not wanted.
    pub output_price: f64,
}

/// What a model API speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Anthropic's messages.
    Anthropic,
    /// OpenAI's chat completions, which most other servers speak too.
    OpenAi,
}
