//! `claude-code`: Claude Code in its print mode, in an empty folder, with none of its own tools and only our MCP server.
//!
//! `--setting-sources ""` is what keeps hooks, instruction files and skills out, also the reviewer's own;
//! `--strict-mcp-config` keeps every other server out. What it says about itself at the start is held against that.

use std::collections::BTreeMap;
use std::ffi::OsString;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::agent::Choice;
use crate::agent::lockdown::environment::Family;
use crate::agent::program::{Dialect, End, Invocation, Login, Reader, Said, as_text};

/// Its name.
pub const NAME: &str = "claude-code";
/// Our server there, and what stands before the names of its tools.
const SERVER: &str = "sl";
const PREFIX: &str = "mcp__sl__";
/// The mode in which whatever would ask for permission is denied.
const MODE: &str = "dontAsk";

/// Claude Code.
pub struct ClaudeCode;

impl Dialect for ClaudeCode {
    fn name(&self) -> &'static str {
        NAME
    }

    fn program(&self) -> &'static str {
        "claude"
    }

    fn family(&self) -> Family {
        Family {
            // Some of these widen what it may do, add folders, prefix commands, or tell it that it runs inside itself.
            prefixes: &["CLAUDE", "ENABLE_", "DISABLE_"],
            kept: &[
                "CLAUDE_CONFIG_DIR",
                "CLAUDE_CODE_OAUTH_TOKEN",
                "CLAUDE_CODE_USE_BEDROCK",
                "CLAUDE_CODE_USE_VERTEX",
                "CLAUDE_CODE_USE_FOUNDRY",
                "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
                "CLAUDE_CODE_SKIP_VERTEX_AUTH",
                "CLAUDE_CODE_SKIP_FOUNDRY_AUTH",
                "CLAUDE_CODE_CLIENT_CERT",
                "CLAUDE_CODE_CLIENT_KEY",
                "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE",
            ],
        }
    }

    fn keys(&self) -> &'static [&'static str] {
        &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"]
    }

    fn given(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            // Ten tries, its own number, take minutes before a reviewer is told.
            ("CLAUDE_CODE_MAX_RETRIES", "3"),
        ]
    }

    fn state(&self) -> (&'static str, &'static [&'static str]) {
        ("CLAUDE_CONFIG_DIR", &[".claude", ".claude.json"])
    }

    fn helps(&self) -> &'static [&'static [&'static str]] {
        &[&["--help"]]
    }

    fn needed(&self) -> &'static [&'static str] {
        // Not `--restricted` and `--permission-prompts`: versions without them were seen to hold with `dontAsk` and
        // no built-in tools alone. They are passed where they are listed.
        &[
            "--print",
            "--output-format",
            "--tools",
            "--setting-sources",
            "--strict-mcp-config",
            "--mcp-config",
            "--allowedTools",
            "--no-session-persistence",
            "--permission-mode",
            "--system-prompt",
        ]
    }

    fn login(&self, _choice: &Choice) -> Option<Vec<String>> {
        Some(vec!["auth".to_owned(), "status".to_owned()])
    }

    fn read_login(&self, output: &str, _words: &[String]) -> Login {
        let Ok(status) = serde_json::from_str::<Status>(output) else { return Login::Unknown };
        match status.logged_in {
            Some(true) => Login::In(status.method()),
            // Other providers sign in by means that it may not know of here.
            Some(false) if status.api_provider.as_deref().is_none_or(|it| it == "firstParty") => Login::Out,
            _ => Login::Unknown,
        }
    }

    fn sign_in(&self) -> &'static str {
        "run `claude auth login`, or set ANTHROPIC_API_KEY"
    }

    fn efforts(&self) -> &'static [&'static str] {
        &["low", "medium", "high", "xhigh", "max"]
    }

    fn prefix(&self) -> &'static str {
        PREFIX
    }

    fn invoke(&self, run: &Invocation<'_>) -> Result<(Vec<OsString>, String), String> {
        let (command, arguments) = &run.bridge;
        let server = json!({ "mcpServers": { SERVER: { "command": as_text(command)?, "args": arguments } } });
        let mut list = vec!["-p", "--output-format", "stream-json", "--verbose", "--tools", ""];
        if run.has("--restricted") {
            list.push("--restricted");
        }
        list.extend(["--setting-sources", "", "--strict-mcp-config", "--mcp-config"]);
        let (server, tools, instructions) = (server.to_string(), run.tools().join(","), run.instructions());
        list.extend([&server, "--allowedTools", &tools, "--no-session-persistence", "--permission-mode", MODE]);
        if run.has("--permission-prompts") {
            list.extend(["--permission-prompts", "none"]);
        }
        list.extend(["--system-prompt", &instructions]);
        for (flag, wish) in [("--model", &run.choice.model), ("--effort", &run.choice.effort)] {
            if let Some(wish) = wish {
                if !run.has(flag) {
                    return Err(format!("this version of Claude Code has no {flag}"));
                }
                list.extend([flag, wish]);
            }
        }
        Ok((list.into_iter().map(OsString::from).collect(), run.prompt()))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(Events::default())
    }
}

/// What `claude auth status` says.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Status {
    logged_in: Option<bool>,
    auth_method: Option<String>,
    api_provider: Option<String>,
    subscription_type: Option<String>,
}

impl Status {
    fn method(&self) -> Option<String> {
        match (&self.auth_method, &self.subscription_type) {
            (Some(method), Some(kind)) => Some(format!("{method} ({kind})")),
            (method, _) => method.clone(),
        }
    }
}

/// The events this program knows; there are others, and there will be more.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    System(System),
    Assistant {
        message: Message,
    },
    Result(Box<Outcome>),
    #[serde(other)]
    Other,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct System {
    subtype: String,
    tools: Option<Vec<String>>,
    mcp_servers: Vec<Server>,
    model: Option<String>,
    #[serde(rename = "permissionMode")]
    permission_mode: Option<String>,
    attempt: Option<u64>,
    error_status: Option<u16>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Server {
    name: String,
    status: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message {
    id: String,
    usage: Usage,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
struct Usage {
    input_tokens: u64,
    output_tokens: u64,
    cache_read_input_tokens: u64,
    cache_creation_input_tokens: u64,
}

impl Usage {
    fn total(self) -> u64 {
        [self.output_tokens, self.cache_read_input_tokens, self.cache_creation_input_tokens]
            .into_iter()
            .fold(self.input_tokens, u64::saturating_add)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Outcome {
    subtype: String,
    is_error: bool,
    api_error_status: Option<u16>,
    result: Option<String>,
    errors: Vec<Value>,
    total_cost_usd: Option<f64>,
    usage: Option<Usage>,
}

/// Reads its stream.
#[derive(Debug, Default)]
struct Events {
    /// Tokens by message: one message comes in several events.
    used: BTreeMap<String, u64>,
    /// The status of the last refusal of its provider.
    refused: Option<u16>,
    /// Whether it said what it starts with.
    started: bool,
    end: End,
}

impl Events {
    fn system(&mut self, event: System) -> Vec<Said> {
        match event.subtype.as_str() {
            "init" => {
                self.started = true;
                start(&event)
            }
            "api_retry" => {
                self.refused = event.error_status.or(self.refused);
                let status = event.error_status.map_or(String::new(), |status| format!(" (status {status})"));
                vec![Said::Doing(format!("its provider did not answer{status}, try {}", event.attempt.unwrap_or(1)))]
            }
            _ => Vec::new(),
        }
    }

    fn outcome(&mut self, outcome: Outcome) -> Vec<Said> {
        self.end.done = true;
        if outcome.is_error || outcome.subtype != "success" {
            let errors =
                outcome.errors.iter().map(|error| error.as_str().map_or_else(|| error.to_string(), str::to_owned));
            let mut words: Vec<String> = outcome.result.into_iter().chain(errors).collect();
            if words.is_empty() {
                words.push(outcome.subtype);
            }
            self.end.failed = Some((outcome.api_error_status.or(self.refused), words.join("; ")));
        } else {
            self.end.text = outcome.result;
        }
        let tokens = outcome.usage.map(Usage::total).filter(|tokens| *tokens > 0);
        vec![Said::Used(tokens.or_else(|| self.total()), outcome.total_cost_usd)]
    }

    fn total(&self) -> Option<u64> {
        (!self.used.is_empty()).then(|| self.used.values().fold(0_u64, |sum, tokens| sum.saturating_add(*tokens)))
    }
}

/// What it starts with, held against what it was given.
fn start(event: &System) -> Vec<Said> {
    let mut said: Vec<Said> = event.model.iter().map(|model| Said::Model(model.clone())).collect();
    let own: Vec<&str> =
        event.tools.iter().flatten().map(String::as_str).filter(|tool| !tool.starts_with(PREFIX)).collect();
    if !own.is_empty() {
        said.push(Said::Breach(format!("it has tools of its own: {}", own.join(", "))));
    }
    for server in event.mcp_servers.iter().filter(|server| server.name != SERVER) {
        said.push(Said::Breach(format!("it has another server: {} ({})", server.name, server.status)));
    }
    if let Some(mode) = event.permission_mode.as_ref().filter(|mode| *mode != MODE) {
        said.push(Said::Breach(format!("it runs in the mode `{mode}`")));
    }
    said
}

impl Reader for Events {
    fn line(&mut self, line: &str) -> Vec<Said> {
        match serde_json::from_str(line) {
            Ok(Line::System(event)) => self.system(event),
            Ok(Line::Assistant { message }) => {
                self.used.insert(message.id, message.usage.total());
                vec![Said::Used(self.total(), None)]
            }
            Ok(Line::Result(outcome)) => self.outcome(*outcome),
            Ok(Line::Other) | Err(_) => Vec::new(),
        }
    }

    fn started(&self) -> bool {
        self.started
    }

    fn end(&self) -> End {
        self.end.clone()
    }
}

#[cfg(test)]
#[path = "claude_code_tests.rs"]
mod tests;
