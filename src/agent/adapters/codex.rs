//! `codex`: Codex's `exec`, in an empty folder, without its shell and with only our MCP server.
//!
//! Its own settings and rules are left out, features that add tools are turned off, and its sandbox stays read-only:
//! some models are still offered a tool that edits files, and the sandbox is what refuses it.

use std::ffi::OsString;

use serde::Deserialize;
use serde_json::Value;

use crate::agent::Choice;
use crate::agent::lockdown::environment::Family;
use crate::agent::program::{Dialect, End, Invocation, Login, Reader, Said, as_text};

/// Its name.
pub const NAME: &str = "codex";
const SERVER: &str = "sl";

/// Features without which it has no tool that runs anything: it has to know them, so that they can be turned off.
const SHELL: [&str; 2] = ["shell_tool", "unified_exec"];

/// Further features that are turned off where it knows them.
const FEATURES: [&str; 15] = [
    "hooks",
    "plugins",
    "apps",
    "goals",
    "multi_agent",
    "multi_agent_v2",
    "view_image",
    "skill_search",
    "image_generation",
    "tool_suggest",
    "shell_snapshot",
    "browser_use",
    "computer_use",
    "in_app_browser",
    "memories",
];

/// Settings that hold for every run.
const SETTINGS: [&str; 9] = [
    "approval_policy=\"never\"",
    "web_search=\"disabled\"",
    // The instruction files and skills of a tree go into its prompt without these.
    "project_doc_max_bytes=0",
    "skills.include_instructions=false",
    "skills.bundled.enabled=false",
    "shell_environment_policy.inherit=\"core\"",
    "history.persistence=\"none\"",
    "check_for_update_on_startup=false",
    // Our tools read and nothing else; nobody is there to approve.
    "mcp_servers.sl.default_tools_approval_mode=\"approve\"",
];

/// Codex.
pub struct Codex;

impl Dialect for Codex {
    fn name(&self) -> &'static str {
        NAME
    }

    fn program(&self) -> &'static str {
        "codex"
    }

    fn family(&self) -> Family {
        Family {
            prefixes: &["CODEX_"],
            kept: &["CODEX_HOME", "CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "CODEX_CA_CERTIFICATE"],
        }
    }

    fn keys(&self) -> &'static [&'static str] {
        &["CODEX_API_KEY", "CODEX_ACCESS_TOKEN"]
    }

    fn given(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    fn state(&self) -> (&'static str, &'static [&'static str]) {
        ("CODEX_HOME", &[".codex"])
    }

    fn helps(&self) -> &'static [&'static [&'static str]] {
        &[&["exec", "--help"], &["features", "list"]]
    }

    fn needed(&self) -> &'static [&'static str] {
        &[
            "--json",
            "--ephemeral",
            "--ignore-user-config",
            "--ignore-rules",
            "--skip-git-repo-check",
            "--sandbox",
            "--cd",
            "--config",
            "--disable",
            SHELL[0],
            SHELL[1],
        ]
    }

    fn login(&self, _choice: &Choice) -> Option<Vec<String>> {
        Some(vec!["login".to_owned(), "status".to_owned()])
    }

    fn read_login(&self, output: &str, words: &[String]) -> Login {
        // Versions differ in where they say it.
        let said = || output.lines().chain(words.iter().map(String::as_str));
        if let Some(how) = said().find_map(|line| line.trim().strip_prefix("Logged in using ")) {
            return Login::In(Some(how.split(" - ").next().unwrap_or(how).to_owned()));
        }
        match said().any(|line| line.trim() == "Not logged in") {
            true => Login::Out,
            false => Login::Unknown,
        }
    }

    fn sign_in(&self) -> &'static str {
        "run `codex login`, or set CODEX_API_KEY"
    }

    fn efforts(&self) -> &'static [&'static str] {
        &["none", "minimal", "low", "medium", "high", "xhigh", "max"]
    }

    fn own_tools(&self) -> &'static str {
        // Some models are offered its patch tool all the same; its sandbox refuses that.
        "its own tools off, or refused by its sandbox"
    }

    fn prefix(&self) -> &'static str {
        "mcp__sl__"
    }

    fn invoke(&self, run: &Invocation<'_>) -> Result<(Vec<OsString>, String), String> {
        let mut list: Vec<OsString> = ["exec", "--json", "--ephemeral", "--ignore-user-config", "--ignore-rules"]
            .into_iter()
            .chain(["--skip-git-repo-check", "--sandbox", "read-only", "--color", "never", "-C"])
            .map(OsString::from)
            .collect();
        list.push(run.empty.clone().into());
        if let Some(model) = &run.choice.model {
            list.extend(["-m".into(), model.into()]);
        }
        let (command, arguments) = &run.bridge;
        let mut settings: Vec<String> = SETTINGS.iter().map(|setting| (*setting).to_owned()).collect();
        settings.push(format!("mcp_servers.{SERVER}.command={}", quoted(as_text(command)?)));
        let arguments: Vec<String> = arguments.iter().map(|argument| quoted(argument)).collect();
        settings.push(format!("mcp_servers.{SERVER}.args=[{}]", arguments.join(",")));
        settings.extend(run.choice.effort.iter().map(|effort| format!("model_reasoning_effort={}", quoted(effort))));
        list.extend(settings.into_iter().flat_map(|setting| ["-c".into(), setting.into()]));
        let known = FEATURES.into_iter().filter(|feature| run.has(feature));
        list.extend(SHELL.into_iter().chain(known).flat_map(|feature| ["--disable".into(), feature.into()]));
        list.push("-".into());
        // It has no flag for instructions that every version knows; they come first in what it reads.
        let more = "Should a tool be missing from your list, look for it by its name: it may stand behind a search \
                    for tools, or be called from within another.";
        Ok((list, format!("{}{more}\n\n{}", run.instructions(), run.prompt())))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(Events::default())
    }
}

/// How often it may say that it waits for a network.
const WAITS: u32 = 4;

/// A text in TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
enum Line {
    #[serde(rename = "item.started")]
    Started { item: Item },
    #[serde(rename = "item.completed")]
    Completed { item: Item },
    #[serde(rename = "turn.completed")]
    Done {
        #[serde(default)]
        usage: Usage,
    },
    #[serde(rename = "turn.failed")]
    Failed {
        #[serde(default)]
        error: Words,
    },
    #[serde(rename = "error")]
    Error(Words),
    #[serde(other)]
    Other,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Item {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    server: Option<String>,
    status: Option<String>,
    command: Option<Value>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
struct Usage {
    // Tokens read from a cache are among these.
    input_tokens: u64,
    output_tokens: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Words {
    message: String,
}

/// Reads its stream.
#[derive(Debug, Default)]
struct Events {
    /// The last error; one that is followed by the turn's end was only a warning.
    error: Option<String>,
    /// How often it said that it waits for a network, which it does without end.
    waits: u32,
    end: End,
}

impl Events {
    fn item(&mut self, item: Item, completed: bool) -> Vec<Said> {
        let worked = completed && item.status.as_deref() == Some("completed");
        match item.kind.as_str() {
            "agent_message" if completed => {
                self.end.text = item.text;
                Vec::new()
            }
            "command_execution" => {
                let command = item.command.map(|command| command.to_string()).unwrap_or_default();
                vec![Said::Breach(format!("it runs a command: {command}"))]
            }
            // Refused by its sandbox these end in another status.
            "file_change" if worked => vec![Said::Breach("it changed a file".to_owned())],
            "web_search" => vec![Said::Breach("it searches the web".to_owned())],
            "mcp_tool_call" if item.server.as_deref().is_some_and(|server| server != SERVER && server != "codex") => {
                vec![Said::Breach(format!("it calls another server: {}", item.server.unwrap_or_default()))]
            }
            "reasoning" if completed => vec![Said::Doing("thinks".to_owned())],
            _ => Vec::new(),
        }
    }
}

impl Reader for Events {
    fn line(&mut self, line: &str) -> Vec<Said> {
        match serde_json::from_str(line) {
            Ok(Line::Started { item }) => self.item(item, false),
            Ok(Line::Completed { item }) => self.item(item, true),
            Ok(Line::Done { usage }) => {
                self.end.done = true;
                let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
                vec![Said::Used(Some(tokens).filter(|tokens| *tokens > 0), None)]
            }
            Ok(Line::Failed { error }) => {
                self.end.done = true;
                let words =
                    if error.message.is_empty() { self.error.take().unwrap_or_default() } else { error.message };
                self.end.failed = Some((None, words));
                Vec::new()
            }
            Ok(Line::Error(words)) => {
                self.waits += u32::from(words.message.contains("waiting for network"));
                let doing = Said::Doing(format!("meets an error: {}", words.message));
                let lost = (self.waits > WAITS).then(|| Said::Lost("it has no connection to its provider".to_owned()));
                self.error = Some(words.message);
                [doing].into_iter().chain(lost).collect()
            }
            Ok(Line::Other) | Err(_) => Vec::new(),
        }
    }

    fn end(&self) -> End {
        let mut end = self.end.clone();
        if !end.done
            && let Some(error) = &self.error
        {
            end.failed = Some((None, error.clone()));
        }
        end
    }
}

#[cfg(test)]
#[path = "codex_tests.rs"]
mod tests;
