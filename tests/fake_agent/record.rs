//! What the fake agent was given, one JSON value a line, in `record.jsonl` beside it.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// The file.
pub struct Record(PathBuf);

impl Record {
    pub fn open(folder: &Path) -> Self {
        Self(folder.join("record.jsonl"))
    }

    /// How many runs it holds.
    pub fn runs(&self) -> usize {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        text.lines().filter(|line| line.starts_with("{\"run\":")).count()
    }

    pub fn write(&mut self, value: &Value) {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&self.0).unwrap();
        file.write_all(format!("{value}\n").as_bytes()).unwrap();
    }
}

/// What it was started with: arguments, environment, the folder it stands in, and its standard input.
pub fn facts(arguments: &[String]) -> Value {
    let environment: BTreeMap<String, String> = std::env::vars().collect();
    let folder = std::env::current_dir().unwrap();
    let files: Vec<String> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path().display().to_string()).collect();
    let mut prompt = String::new();
    std::io::stdin().read_to_string(&mut prompt).unwrap();
    json!({
        "arguments": arguments,
        "environment": environment,
        "folder": folder.display().to_string(),
        "files": files,
        "prompt": prompt,
        "pid": std::process::id(),
    })
}
