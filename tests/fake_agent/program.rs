//! Plays an agent program without a model: by the name it is called by it is `claude`, `codex` or `pi`, it speaks MCP
//! to Second Look as that program does, and does what `script.json` beside it says. It writes down all it was given.
//!
//! `script.json`: `{"runs": [[STEP, ...], ...], "signed_out": bool, "without": [FLAG, ...], "own_tools": [NAME, ...]}`.
//! A step is `{"call": [TOOL, ARGUMENTS]}`, `{"submit": ANSWER}`, `{"fails": [STATUS, WORDS]}`, `{"says": TEXT}`, or
//! one of the words `"crashes"`, `"hangs"`, `"floods"`, `"stops"` (at once, without a word) and `"exits badly"`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its output is what it is for")]

mod dialects;
mod mcp;
mod record;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use dialects::Dialect;
use record::Record;

#[derive(Deserialize)]
struct Script {
    #[serde(default)]
    runs: Vec<Vec<Step>>,
    #[serde(default)]
    signed_out: bool,
    #[serde(default)]
    without: Vec<String>,
    #[serde(default)]
    own_tools: Vec<String>,
}

#[derive(Deserialize, Clone)]
#[serde(rename_all = "snake_case")]
enum Step {
    Call(String, Value),
    Submit(Value),
    Says(String),
    Fails(u16, String),
    Crashes,
    Hangs,
    Floods,
    Stops,
    #[serde(rename = "exits badly")]
    ExitsBadly,
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().collect();
    let called = PathBuf::from(arguments.remove(0));
    if arguments == ["be a grandchild"] {
        return sleep_through_signals();
    }
    let folder = called.parent().unwrap().to_owned();
    let script: Script = serde_json::from_slice(&std::fs::read(folder.join("script.json")).unwrap()).unwrap();
    let dialect = Dialect::of(called.file_name().unwrap().to_str().unwrap());
    if let Some(said) = dialect.about_itself(&arguments, script.signed_out, &script.without) {
        return said;
    }
    let mut record = Record::open(&folder);
    let run = record.runs();
    record.write(&json!({ "run": record::facts(&arguments) }));
    let steps = script.runs.get(run).cloned().unwrap_or_default();
    play(&dialect, &arguments, &script, steps, &mut record)
}

fn play(dialect: &Dialect, arguments: &[String], script: &Script, steps: Vec<Step>, record: &mut Record) -> ExitCode {
    let mut tools = mcp::Tools::connect(dialect.server(arguments));
    dialect.starts(&tools.names(), &script.own_tools);
    let (mut text, mut code) = ("I am done.".to_owned(), ExitCode::SUCCESS);
    for (at, step) in steps.into_iter().enumerate() {
        let (name, given) = match step {
            Step::Call(name, given) => (name, given),
            Step::Submit(answer) => ("submit_answer".to_owned(), answer),
            Step::Says(words) => {
                text = words;
                continue;
            }
            Step::Fails(status, words) => return dialect.fails(status, &words),
            Step::Crashes => {
                eprintln!("panic: the fake \u{1b}[31magent fell over");
                return ExitCode::from(101);
            }
            Step::Hangs => return hang(record),
            Step::Floods => flood(),
            Step::Stops => return ExitCode::SUCCESS,
            Step::ExitsBadly => {
                code = ExitCode::FAILURE;
                continue;
            }
        };
        dialect.calls(at, &name, &given);
        let (result, failed) = tools.call(&name, &given);
        record.write(&json!({ "tool": name, "arguments": given, "result": result, "failed": failed }));
        dialect.returned(at, &name, &result, failed);
    }
    dialect.ends(&text);
    code
}

/// Starts a child and sleeps; neither ends when it is asked to.
#[allow(clippy::zombie_processes, reason = "whoever ends it has to find the child too")]
fn hang(record: &mut Record) -> ExitCode {
    let child = std::process::Command::new(std::env::current_exe().unwrap()).arg("be a grandchild").spawn().unwrap();
    record.write(&json!({ "hangs": [std::process::id(), child.id()] }));
    sleep_through_signals()
}

fn sleep_through_signals() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let kind = tokio::signal::unix::SignalKind::terminate();
        let _caught = tokio::signal::unix::signal(kind).unwrap();
        tokio::time::sleep(Duration::from_secs(300)).await;
    });
    ExitCode::FAILURE
}

fn flood() -> ! {
    use std::io::Write;
    let line = format!("{{\"type\":\"noise\",\"text\":\"{}\"}}\n", "x".repeat(4000));
    let mut out = std::io::stdout().lock();
    loop {
        if out.write_all(line.as_bytes()).is_err() {
            std::process::exit(1);
        }
    }
}
