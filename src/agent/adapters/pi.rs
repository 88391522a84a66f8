//! `pi`: Pi in its JSON mode, in an empty folder, without its own tools and with one extension: ours.
//!
//! Pi has no flag that confines it and its MCP settings live beside the login, so the extension (`assets/agents/pi.js`)
//! registers our tools and hands each call over the socket of the run.

use std::ffi::OsString;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::agent::Choice;
use crate::agent::lockdown::environment::Family;
use crate::agent::program::{Dialect, End, Invocation, Login, Reader, Said, as_text};
use crate::agent::tools::{SUBMIT, SUBMIT_WORDS};

/// Its name.
pub const NAME: &str = "pi";
/// What stands before the names of our tools: Pi has a `grep` of its own.
const PREFIX: &str = "sl_";
/// Our extension.
const EXTENSION: &str = include_str!("../../../assets/agents/pi.js");

/// Flags that are passed where they are listed; versions without them were seen to load nothing of a tree all the same.
const OPTIONAL: [&str; 4] = ["--no-builtin-tools", "--no-approve", "--no-mcp", "--offline"];

/// Pi.
pub struct Pi;

impl Dialect for Pi {
    fn name(&self) -> &'static str {
        NAME
    }

    fn program(&self) -> &'static str {
        "pi"
    }

    fn family(&self) -> Family {
        Family { prefixes: &["PI_"], kept: &["PI_CODING_AGENT_DIR", "PI_PACKAGE_DIR"] }
    }

    fn keys(&self) -> &'static [&'static str] {
        // It knows dozens, and which one counts depends on the model: its own check reads them.
        &[]
    }

    fn given(&self) -> &'static [(&'static str, &'static str)] {
        &[("PI_OFFLINE", "1"), ("PI_TELEMETRY", "0"), ("PI_SKIP_VERSION_CHECK", "1")]
    }

    fn state(&self) -> (&'static str, &'static [&'static str]) {
        ("PI_CODING_AGENT_DIR", &[".pi"])
    }

    fn helps(&self) -> &'static [&'static [&'static str]] {
        // Without the flag its help takes in the reviewer's extensions, and so runs them.
        &[&["--no-extensions", "--help"]]
    }

    fn needed(&self) -> &'static [&'static str] {
        &[
            "--mode",
            "--no-session",
            "--no-extensions",
            "--extension",
            "--no-skills",
            "--no-prompt-templates",
            "--no-themes",
            "--no-context-files",
            "--tools",
            "--system-prompt",
        ]
    }

    fn login(&self, choice: &Choice) -> Option<Vec<String>> {
        // It can say it of a model or a provider alone.
        let model = choice.model.as_ref()?;
        Some(["auth", "check", "--json", "--model", model].map(str::to_owned).to_vec())
    }

    fn read_login(&self, output: &str, _words: &[String]) -> Login {
        let Ok(status) = serde_json::from_str::<Status>(output) else { return Login::Unknown };
        match (status.status.as_str(), status.reason.as_str()) {
            ("ready", _) => Login::In(status.provider),
            ("not_ready", "credentials_not_configured") => Login::Out,
            _ => Login::Unknown,
        }
    }

    fn sign_in(&self) -> &'static str {
        "run `pi auth login PROVIDER`, or set the provider's key in the environment"
    }

    fn efforts(&self) -> &'static [&'static str] {
        &["off", "minimal", "low", "medium", "high", "xhigh", "max"]
    }

    fn prefix(&self) -> &'static str {
        PREFIX
    }

    fn prepare(&self, run: &Invocation<'_>) -> std::io::Result<()> {
        let tools = run.request.tools.tools().iter();
        let mut list: Vec<Value> =
            tools.map(|tool| described(tool.name(), tool.description(), lenient(tool.schema()))).collect();
        list.push(described(SUBMIT, SUBMIT_WORDS, run.request.schema.clone()));
        std::fs::write(run.files.join("pi.js"), EXTENSION)?;
        std::fs::write(
            run.files.join("tools.json"),
            json!({ "prefix": PREFIX, "submit": SUBMIT, "tools": list }).to_string(),
        )
    }

    fn invoke(&self, run: &Invocation<'_>) -> Result<(Vec<OsString>, String), String> {
        let (extension, tools, instructions) = (run.files.join("pi.js"), run.tools().join(","), run.instructions());
        let mut list = vec!["--mode", "json", "--no-session", "--no-extensions", "-e", as_text(&extension)?];
        list.extend(["--no-skills", "--no-prompt-templates", "--no-themes", "--no-context-files"]);
        list.extend(OPTIONAL.into_iter().filter(|flag| run.has(flag)));
        list.extend(["--tools", &tools, "--system-prompt", &instructions]);
        if run.has("--append-system-prompt") {
            // Else the reviewer's own addition stands below our instructions.
            list.extend(["--append-system-prompt", ""]);
        }
        for (flag, wish) in [("--model", &run.choice.model), ("--thinking", &run.choice.effort)] {
            if let Some(wish) = wish {
                if !run.has(flag) {
                    return Err(format!("this version of Pi has no {flag}"));
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

fn described(name: &str, description: &str, parameters: Value) -> Value {
    json!({ "name": name, "description": description, "parameters": parameters })
}

/// A schema in which what may be null may be left out: Pi itself refuses a call that lacks what is required.
fn lenient(mut schema: Value) -> Value {
    let null = |property: &Value| match &property["type"] {
        Value::Array(types) => types.iter().any(|kind| kind == "null"),
        _ => property["anyOf"].as_array().is_some_and(|any| any.iter().any(|one| one["type"] == "null")),
    };
    let properties = schema["properties"].clone();
    if let Some(required) = schema["required"].as_array_mut() {
        required.retain(|name| !name.as_str().is_some_and(|name| null(&properties[name])));
    }
    schema
}

/// What `pi auth check --json` says.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Status {
    status: String,
    reason: String,
    provider: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    AgentStart,
    AutoRetryStart {
        #[serde(default, rename = "errorMessage")]
        error: String,
    },
    MessageEnd {
        message: Message,
    },
    #[serde(rename_all = "camelCase")]
    ToolExecutionStart {
        tool_call_id: String,
        tool_name: String,
        #[serde(default)]
        args: Value,
    },
    #[serde(rename_all = "camelCase")]
    ToolExecutionEnd {
        tool_call_id: String,
        #[serde(default)]
        result: Value,
        #[serde(default)]
        is_error: bool,
    },
    AgentEnd,
    AgentSettled,
    #[serde(other)]
    Other,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Message {
    role: String,
    content: Value,
    provider: Option<String>,
    model: Option<String>,
    usage: Usage,
    stop_reason: Option<String>,
    error_message: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Usage {
    total_tokens: u64,
    cost: Cost,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Cost {
    total: f64,
}

/// Reads its stream.
#[derive(Debug, Default)]
struct Events {
    tokens: u64,
    cost: f64,
    /// The submission under way: the call and its arguments.
    submitting: Option<(String, Value)>,
    end: End,
}

impl Events {
    /// A message of the model has ended; the last one tells how the run went.
    fn message(&mut self, message: Message) -> Vec<Said> {
        if message.role != "assistant" {
            return Vec::new();
        }
        self.tokens = self.tokens.saturating_add(message.usage.total_tokens);
        self.cost += message.usage.cost.total;
        self.end.text = text_of(&message.content);
        self.end.failed = match message.stop_reason.as_deref() {
            Some("error" | "aborted") => Some((None, message.error_message.unwrap_or_default())),
            Some("length") => Some((None, "its answer was cut at its limit of length".to_owned())),
            _ => None,
        };
        let model = match (message.provider, message.model) {
            (Some(provider), Some(model)) => Some(format!("{provider}/{model}")),
            (_, model) => model,
        };
        let used = (self.tokens > 0).then_some(self.tokens);
        let cost = (self.cost > 0.0).then_some(self.cost);
        model.map(Said::Model).into_iter().chain([Said::Used(used, cost)]).collect()
    }

    fn called(&mut self, id: String, name: &str, arguments: Value) -> Vec<Said> {
        if name.strip_prefix(PREFIX) == Some(SUBMIT) {
            self.submitting = Some((id, arguments));
        }
        Vec::new()
    }

    /// A call has ended. What our extension never saw was refused by Pi itself for its form, and counts as handed in.
    fn returned(&mut self, id: &str, result: &Value, failed: bool) -> Vec<Said> {
        match self.submitting.take_if(|(call, _)| call == id) {
            Some((_, arguments)) if failed && result["details"]["secondLook"] != true => {
                vec![Said::KeptBack(arguments.to_string())]
            }
            _ => Vec::new(),
        }
    }
}

/// The text of a message: its own, or that of its pieces.
fn text_of(content: &Value) -> Option<String> {
    let pieces = content.as_array()?.iter().filter(|piece| piece["type"] == "text");
    let text: String = pieces.filter_map(|piece| piece["text"].as_str()).collect();
    (!text.is_empty()).then_some(text)
}

impl Reader for Events {
    fn line(&mut self, line: &str) -> Vec<Said> {
        match serde_json::from_str(line) {
            Ok(Line::AgentStart) => {
                self.end.done = false;
                Vec::new()
            }
            Ok(Line::AutoRetryStart { error }) => {
                self.end.done = false;
                vec![Said::Doing(format!("tries again after: {error}"))]
            }
            Ok(Line::MessageEnd { message }) => self.message(message),
            Ok(Line::ToolExecutionStart { tool_call_id, tool_name, args }) => {
                self.called(tool_call_id, &tool_name, args)
            }
            Ok(Line::ToolExecutionEnd { tool_call_id, result, is_error }) => {
                self.returned(&tool_call_id, &result, is_error)
            }
            // Older versions stop at the first of these.
            Ok(Line::AgentEnd | Line::AgentSettled) => {
                self.end.done = true;
                Vec::new()
            }
            Ok(Line::Other) | Err(_) => Vec::new(),
        }
    }

    fn end(&self) -> End {
        self.end.clone()
    }
}

#[cfg(test)]
#[path = "pi_tests.rs"]
mod tests;
