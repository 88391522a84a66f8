//! What the three programs say on the command line and in their streams, as far as Second Look reads it.

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::mcp::Server;

const CLAUDE_FLAGS: &[&str] = &[
    "-p, --print",
    "--output-format <format>",
    "--verbose",
    "--tools <tools...>",
    "--restricted",
    "--setting-sources <sources>",
    "--strict-mcp-config",
    "--mcp-config <configs...>",
    "--allowedTools, --allowed-tools <tools...>",
    "--no-session-persistence",
    "--permission-mode <mode>",
    "--permission-prompts <target>",
    "--system-prompt <prompt>",
    "--model <model>",
    "--effort <level>",
];
const CODEX_FLAGS: &[&str] = &[
    "--json",
    "--ephemeral",
    "--ignore-user-config",
    "--ignore-rules",
    "--skip-git-repo-check",
    "-s, --sandbox <MODE>",
    "-C, --cd <DIR>",
    "-c, --config <key=value>",
    "--disable <FEATURE>",
    "-m, --model <MODEL>",
];
const CODEX_FEATURES: &[&str] = &["shell_tool", "unified_exec", "hooks", "plugins"];
const PI_FLAGS: &[&str] = &[
    "--mode <mode>",
    "--no-session",
    "--no-extensions, -ne",
    "--extension, -e <path>",
    "--no-skills, -ns",
    "--no-prompt-templates, -np",
    "--no-themes",
    "--no-context-files, -nc",
    "--tools, -t <tools>",
    "--system-prompt <text>",
    "--model <pattern>",
    "--thinking <level>",
    "--no-builtin-tools, -nbt",
    "--no-approve, -na",
    "--no-mcp",
    "--offline",
];

/// A program that is played.
pub enum Dialect {
    Claude,
    Codex,
    Pi,
}

impl Dialect {
    pub fn of(name: &str) -> Self {
        match name {
            "claude" => Self::Claude,
            "codex" => Self::Codex,
            "pi" => Self::Pi,
            _ => panic!("call it claude, codex or pi"),
        }
    }

    /// Answers questions about itself: version, help, login.
    pub fn about_itself(&self, arguments: &[String], signed_out: bool, without: &[String]) -> Option<ExitCode> {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let list = |names: &[&str]| {
            let left =
                names.iter().filter(|line| !without.iter().any(|gone| line.split([' ', ',']).any(|w| w == gone)));
            left.for_each(|line| println!("  {line}    what it does"));
        };
        match (self, arguments.as_slice()) {
            (Self::Claude, ["--version"]) => println!("9.9.9 (Claude Code)"),
            (Self::Codex, ["--version"]) => println!("codex-cli 9.9.9"),
            (Self::Pi, ["--version"]) => println!("9.9.9"),
            (Self::Claude, ["--help"]) => list(CLAUDE_FLAGS),
            (Self::Codex, ["exec", "--help"]) => list(CODEX_FLAGS),
            (Self::Codex, ["features", "list"]) => list(CODEX_FEATURES),
            (Self::Pi, ["--no-extensions", "--help"]) => list(PI_FLAGS),
            (Self::Claude, ["auth", "status"]) => {
                let (method, provider) = (if signed_out { "none" } else { "claude.ai" }, "firstParty");
                println!("{}", json!({ "loggedIn": !signed_out, "authMethod": method, "apiProvider": provider }));
            }
            (Self::Codex, ["login", "status"]) => {
                eprintln!("{}", if signed_out { "Not logged in" } else { "Logged in using ChatGPT" });
            }
            (Self::Pi, ["auth", "check", ..]) => {
                let (status, reason) =
                    if signed_out { ("not_ready", "credentials_not_configured") } else { ("ready", "") };
                println!("{}", json!({ "status": status, "provider": "fake", "reason": reason }));
            }
            _ => return None,
        }
        let about_login = matches!(arguments.first(), Some(&("auth" | "login")));
        Some(if signed_out && about_login { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    /// Where its arguments say that the tools are.
    pub fn server(&self, arguments: &[String]) -> Server {
        let after = |flag: &str| &arguments[arguments.iter().position(|argument| argument == flag).unwrap() + 1];
        match self {
            Self::Claude => {
                let config: Value = serde_json::from_str(after("--mcp-config")).unwrap();
                let server = &config["mcpServers"]["sl"];
                let list = server["args"].as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned());
                Server::Program(server["command"].as_str().unwrap().to_owned(), list.collect())
            }
            Self::Codex => {
                let settings = arguments.join("\n");
                let setting = |name: &str| {
                    let line = settings.lines().find(|line| line.starts_with(name)).unwrap();
                    let table: toml::Table = toml::from_str(line).unwrap();
                    table["mcp_servers"]["sl"].clone()
                };
                let command = setting("mcp_servers.sl.command")["command"].as_str().unwrap().to_owned();
                let list = setting("mcp_servers.sl.args")["args"].as_array().unwrap().clone();
                Server::Program(command, list.iter().map(|it| it.as_str().unwrap().to_owned()).collect())
            }
            Self::Pi => socket(Path::new(after("-e")).parent().unwrap()),
        }
    }

    pub fn starts(&self, tools: &[String], own: &[String]) {
        match self {
            Self::Claude => {
                let names = tools.iter().map(|name| format!("mcp__sl__{name}"));
                let names: Vec<String> = names.chain(own.iter().cloned()).collect();
                emit(&json!({ "type": "system", "subtype": "init", "tools": names, "model": "fake-model",
                    "mcp_servers": [{ "name": "sl", "status": "connected" }], "permissionMode": "dontAsk" }));
            }
            Self::Codex => {
                emit(&json!({ "type": "thread.started", "thread_id": "t" }));
                emit(&json!({ "type": "turn.started" }));
                for name in own {
                    let item = json!({ "type": "command_execution", "command": name, "status": "in_progress" });
                    emit(&json!({ "type": "item.started", "item": item }));
                }
            }
            Self::Pi => {
                emit(&json!({ "type": "session", "version": 3 }));
                emit(&json!({ "type": "agent_start" }));
            }
        }
    }

    pub fn calls(&self, at: usize, name: &str, arguments: &Value) {
        let id = format!("c{at}");
        match self {
            Self::Claude => {
                let call =
                    json!({ "type": "tool_use", "id": id, "name": format!("mcp__sl__{name}"), "input": arguments });
                let usage = json!({ "input_tokens": 100, "output_tokens": 10 });
                emit(&json!({ "type": "assistant", "message": { "id": id, "content": [call], "usage": usage } }));
            }
            Self::Codex => emit(&json!({ "type": "item.started", "item": item(&id, name, "in_progress") })),
            Self::Pi => {
                emit(&message("", "toolUse", ""));
                emit(&json!({ "type": "tool_execution_start", "toolCallId": id, "toolName": format!("sl_{name}"),
                    "args": arguments }));
            }
        }
    }

    pub fn returned(&self, at: usize, name: &str, result: &str, failed: bool) {
        let id = format!("c{at}");
        let content = json!([{ "type": "text", "text": result }]);
        match self {
            Self::Claude => {
                let result =
                    json!({ "type": "tool_result", "tool_use_id": id, "content": content, "is_error": failed });
                emit(&json!({ "type": "user", "message": { "role": "user", "content": [result] } }));
            }
            Self::Codex => {
                let status = if failed { "failed" } else { "completed" };
                emit(&json!({ "type": "item.completed", "item": item(&id, name, status) }));
            }
            Self::Pi => {
                let result = json!({ "content": content, "details": { "secondLook": true } });
                emit(&json!({ "type": "tool_execution_end", "toolCallId": id, "toolName": format!("sl_{name}"),
                    "result": result, "isError": failed }));
            }
        }
    }

    /// Its good end, with the last text of the model.
    pub fn ends(&self, text: &str) {
        match self {
            Self::Claude => emit(&json!({ "type": "result", "subtype": "success", "is_error": false, "result": text,
                "total_cost_usd": 0.01, "usage": { "input_tokens": 1000, "output_tokens": 200 } })),
            Self::Codex => {
                emit(&json!({ "type": "item.completed", "item": { "type": "agent_message", "text": text } }));
                let usage = json!({ "input_tokens": 1000, "cached_input_tokens": 900, "output_tokens": 200 });
                emit(&json!({ "type": "turn.completed", "usage": usage }));
            }
            Self::Pi => {
                emit(&message(text, "stop", ""));
                emit(&json!({ "type": "agent_end", "messages": [] }));
                emit(&json!({ "type": "agent_settled", "aborted": false }));
            }
        }
    }

    /// Its end when its provider turned it away.
    pub fn fails(&self, status: u16, words: &str) -> ExitCode {
        match self {
            Self::Claude => emit(&json!({ "type": "result", "subtype": "success", "is_error": true,
                "api_error_status": status, "result": words })),
            Self::Codex => {
                let message = format!("unexpected status {status}: {words}");
                emit(&json!({ "type": "error", "message": message }));
                emit(&json!({ "type": "turn.failed", "error": { "message": message } }));
            }
            Self::Pi => {
                emit(&message("", "error", &format!("{status}: {words}")));
                emit(&json!({ "type": "agent_end", "messages": [] }));
                // It calls that a success.
                return ExitCode::SUCCESS;
            }
        }
        ExitCode::FAILURE
    }
}

fn emit(event: &Value) {
    println!("{event}");
}

fn item(id: &str, name: &str, status: &str) -> Value {
    json!({ "id": id, "type": "mcp_tool_call", "server": "sl", "tool": name, "status": status })
}

fn message(text: &str, stop: &str, error: &str) -> Value {
    json!({ "type": "message_end", "message": { "role": "assistant", "content": [{ "type": "text", "text": text }],
        "provider": "fake", "model": "fake-model", "usage": { "totalTokens": 600, "cost": { "total": 0.005 } },
        "stopReason": stop, "errorMessage": error } })
}

/// The socket of a run and the secret that opens it, as the extension finds them.
fn socket(files: &Path) -> Server {
    let secret = std::fs::read_to_string(files.join("k")).unwrap();
    Server::Socket(files.join("s").to_str().unwrap().to_owned(), format!("{secret}\n"))
}
