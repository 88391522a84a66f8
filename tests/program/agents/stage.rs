//! A scene in which a fake agent answers: one of the three programs, played by `fake-agent` after a script.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::result::number;
use crate::scene::{Scene, numbered};
use crate::support::terminal::Terminal;

/// The part that the scripts answer about, and the file that it is.
pub const FILE: &str = "long.txt";
/// Lines of that file: more than a brief shows.
pub const LINES: usize = 700;

/// One agent, as it is chosen and as its program is called.
#[derive(Clone, Copy)]
pub struct Played {
    pub agent: &'static str,
    pub program: &'static str,
}

/// Every agent program.
pub const ALL: [Played; 3] = [
    Played { agent: "claude-code", program: "claude" },
    Played { agent: "pi", program: "pi" },
    Played { agent: "codex", program: "codex" },
];

/// A scene with an agent.
pub struct Stage {
    pub scene: Scene,
    pub played: Played,
    part: String,
    folder: PathBuf,
}

impl Stage {
    /// A change with a long file, opened once, so that asks need no network.
    pub fn new(played: Played) -> Self {
        let scene = Scene::new();
        scene.push(FILE, &numbered("row", 1..LINES + 1, &[]));
        let result: Value = serde_json::from_str(&scene.review()).unwrap();
        let names = crate::result::names(&result);
        let name = names.iter().find(|name| name.contains(FILE)).unwrap();
        let part = number(&result, name).to_string();
        let folder = scene.program.folder("agent");
        std::fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink(fake_agent(), folder.join(played.program)).unwrap();
        let stage = Self { scene, played, part, folder };
        stage.settings("");
        stage
    }

    /// Writes the settings, with more lines for the section of asks.
    pub fn settings(&self, asks: &str) {
        let path = self.folder.join(self.played.program);
        let Played { agent, .. } = self.played;
        let text = format!("[asks]\nagent = \"{agent}\"\n{asks}\n[agents.{agent}]\npath = \"{}\"\n", path.display());
        self.scene.program.write("config/config.toml", &text);
    }

    /// Sets what the agent does in its runs, and forgets what it did.
    pub fn script(&self, script: &Value) {
        std::fs::write(self.folder.join("script.json"), script.to_string()).unwrap();
        let _ = std::fs::remove_file(self.folder.join("record.jsonl"));
    }

    /// The command line of an ask about the long file.
    pub fn ask<'a>(&'a self, url: &'a str) -> Vec<&'a str> {
        vec!["--offline", "ask", "explain", url, "--part", &self.part, "--json"]
    }

    /// The screen, offline, on the part of the long file.
    pub fn screen(&self) -> Terminal {
        let mut screen = self.scene.program.screen(&["--offline", "tui", &self.scene.url()], 120, 40);
        screen.shows("MUST REVIEW");
        screen.keys(&"J".repeat(self.part.parse::<usize>().unwrap() - 1));
        screen
    }

    /// Asks and gets the answer.
    pub fn answer(&self) -> Value {
        self.scene.program.json(&self.ask(&self.scene.url()))
    }

    /// Asks, gets none, and reads why.
    pub fn complaint(&self) -> String {
        self.scene.program.fails(&self.ask(&self.scene.url()))
    }

    /// What the agent was given since its script was set.
    pub fn record(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.folder.join("record.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// What it was started with, run by run.
    pub fn runs(&self) -> Vec<Value> {
        self.record().into_iter().filter_map(|it| it.get("run").cloned()).collect()
    }

    /// What its tools gave it, call by call.
    pub fn results(&self) -> Vec<(String, bool)> {
        let calls = self.record().into_iter().filter(|it| it["tool"].is_string());
        calls.map(|it| (it["result"].as_str().unwrap().to_owned(), it["failed"] == true)).collect()
    }
}

/// The fake agent, built beside the tests.
fn fake_agent() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let path = tests.ancestors().nth(2).unwrap().join("examples/fake-agent");
    assert!(path.exists(), "there is no {}: run `cargo build --example fake-agent`", path.display());
    path
}

/// A script of runs alone.
pub fn runs(runs: &[&[Value]]) -> Value {
    json!({ "runs": runs })
}

/// An answer that cites a line of the long file.
pub fn answer(line: usize) -> Value {
    json!({
        "does": "The list now holds this row [1].",
        "matters": "More rows are listed than before.",
        "cited": [{ "file": FILE, "side": "head", "line": line, "quote": format!("row {line}") }],
    })
}

/// Hands in an answer that cites a line.
pub fn submit(line: usize) -> Value {
    json!({ "submit": answer(line) })
}

/// Reads lines of the long file.
pub fn read(from: usize, to: usize) -> Value {
    json!({ "call": ["read_file", { "side": "head", "path": FILE, "from_line": from, "to_line": to }] })
}

/// Waits until something is so, or fails after a while.
pub fn wait_for(what: &str, within: Duration, mut so: impl FnMut() -> bool) {
    let until = Instant::now() + within;
    while !so() {
        assert!(Instant::now() < until, "{what}: not within {within:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a process is there and no mere remains.
pub fn lives(pid: u64) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    match Path::new("/proc/self").exists() {
        true => !state.is_empty() && !state.contains(") Z "),
        false => {
            let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
            rustix::process::test_kill_process(pid).is_ok()
        }
    }
}
