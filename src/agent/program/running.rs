//! One run of a program: its prompt written, its output read line by line without pause and within limits.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdout};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::group::Group;
use crate::text::clean;

/// Bytes of the longest line that is read; the rest of a longer one is dropped.
const LINE_LIMIT: usize = 2 << 20;
/// Bytes of output after which a run is ended.
const OUTPUT_LIMIT: usize = 64 << 20;
/// Lines of output after which a run is ended.
const LINES_LIMIT: usize = 200_000;
/// Lines kept of what a program says on standard error, the newest, and bytes of each.
const WORDS_KEPT: usize = 12;
const WORD_LIMIT: usize = 600;
/// How long a program may hold on to its output after its end, or live on after the end of its output.
const LINGER: Duration = Duration::from_millis(700);

/// What to start.
#[derive(Debug)]
pub(super) struct Start {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    pub environment: Vec<(OsString, OsString)>,
    /// Where it stands.
    pub stands: PathBuf,
    /// What it reads on standard input, which is closed after.
    pub input: String,
}

/// What comes next from a running program.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A line of its output.
    Line(String),
    /// It wrote more than anybody reads; it has to be ended. The sentence says how much.
    Flood(String),
    /// It has ended.
    Ended(Exit),
}

/// How a program ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Exit {
    /// Whether it called that a success.
    pub success: bool,
    /// How it ended, in words: its exit code or the signal.
    pub how: String,
    /// The last lines it said on standard error, cleaned.
    pub words: Vec<String>,
}

/// A running program. Dropping it ends the program and all that it started.
pub(super) struct Running {
    group: Group,
    child: Child,
    output: Option<ChildStdout>,
    lines: Lines,
    words: Arc<Mutex<VecDeque<String>>>,
    exit: Option<std::process::ExitStatus>,
    deadline: Option<Instant>,
    /// Writes the prompt.
    _writing: JoinSet<()>,
    /// Reads the words.
    hearing: JoinSet<()>,
}

impl Running {
    /// Starts a program. `folder` is the folder of the run.
    pub(super) fn start(start: Start, folder: &Path) -> std::io::Result<Self> {
        let mut command = std::process::Command::new(&start.program);
        command.args(&start.arguments).env_clear().envs(start.environment).current_dir(&start.stands);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (mut child, group) = Group::spawn(command, folder)?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let words = Arc::new(Mutex::new(VecDeque::new()));
        let (mut writing, mut hearing) = (JoinSet::new(), JoinSet::new());
        if let Some(mut input) = input {
            let text = start.input;
            // A program that does not read its prompt says why in its output.
            writing.spawn(async move { drop(input.write_all(text.as_bytes()).await) });
        }
        if let Some(errors) = errors {
            hearing.spawn(read_words(errors, Arc::clone(&words)));
        }
        let lines = Lines::default();
        Ok(Self { group, child, output, lines, words, exit: None, deadline: None, _writing: writing, hearing })
    }

    /// Waits for what comes next. Safe to drop while waiting.
    pub(super) async fn next(&mut self) -> Next {
        loop {
            if let Some(said) = self.lines.flood() {
                return Next::Flood(said);
            }
            if let Some(line) = self.lines.ready.pop_front() {
                return Next::Line(line);
            }
            if self.output.is_none() && (self.exit.is_some() || self.is_late()) {
                // Its last words may be on their way still.
                let _ = tokio::time::timeout(LINGER / 2, self.hearing.join_next()).await;
                return Next::Ended(self.exit());
            }
            let mut chunk = vec![0; 64 << 10];
            let late = self.deadline.unwrap_or_else(|| Instant::now() + Duration::from_secs(3600));
            tokio::select! {
                biased;
                count = read(&mut self.output, &mut chunk) => self.take(&chunk[..count]),
                status = self.child.wait(), if self.exit.is_none() => {
                    self.exit = status.ok();
                    self.deadline = Some(Instant::now() + LINGER);
                }
                () = tokio::time::sleep_until(late), if self.deadline.is_some() => self.close(),
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.lines.take(bytes);
        if bytes.is_empty() {
            self.close();
        }
    }

    fn close(&mut self) {
        if self.output.take().is_some() {
            self.lines.end();
        }
        self.deadline.get_or_insert_with(|| Instant::now() + LINGER);
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn exit(&self) -> Exit {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        let how = match self.exit {
            None => "it closed its output and went on".to_owned(),
            Some(status) => in_words(status),
        };
        Exit { success: self.exit.is_some_and(|status| status.success()), how, words }
    }
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("group", &self.group).finish_non_exhaustive()
    }
}

fn in_words(status: std::process::ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("it was ended by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("it ended with exit code {code}"),
        None => "it ended".to_owned(),
    }
}

/// Reads what there is; nothing means the end. Waits for ever where nothing can come any more.
async fn read(output: &mut Option<ChildStdout>, chunk: &mut [u8]) -> usize {
    match output {
        Some(output) => output.read(chunk).await.unwrap_or(0),
        None => std::future::pending().await,
    }
}

/// Bytes on their way to lines.
#[derive(Debug, Default)]
struct Lines {
    ready: VecDeque<String>,
    part: Vec<u8>,
    bytes: usize,
    count: usize,
}

impl Lines {
    fn take(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(bytes.len());
        for (at, piece) in bytes.split(|byte| *byte == b'\n').enumerate() {
            if at > 0 {
                self.end();
            }
            let room = LINE_LIMIT.saturating_sub(self.part.len());
            self.part.extend_from_slice(&piece[..piece.len().min(room)]);
        }
    }

    fn end(&mut self) {
        let line = std::mem::take(&mut self.part);
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if !line.is_empty() {
            self.count += 1;
            self.ready.push_back(line.to_owned());
        }
    }

    fn flood(&self) -> Option<String> {
        if self.bytes > OUTPUT_LIMIT {
            return Some(format!("it wrote more than {} MiB, so it was ended", OUTPUT_LIMIT >> 20));
        }
        (self.count > LINES_LIMIT).then(|| format!("it wrote more than {LINES_LIMIT} lines, so it was ended"))
    }
}

/// Keeps the last lines of what a program says besides its output, however much that is.
async fn read_words(mut errors: impl AsyncRead + Unpin, words: Arc<Mutex<VecDeque<String>>>) {
    let (mut chunk, mut line) = (vec![0; 8 << 10], Vec::new());
    loop {
        let count = errors.read(&mut chunk).await.unwrap_or(0);
        for byte in &chunk[..count] {
            match byte {
                b'\n' | b'\r' => keep(&mut line, &words),
                _ if line.len() < WORD_LIMIT => line.push(*byte),
                _ => {}
            }
        }
        if count == 0 {
            return keep(&mut line, &words);
        }
    }
}

fn keep(line: &mut Vec<u8>, words: &Mutex<VecDeque<String>>) {
    let text = clean(String::from_utf8_lossy(line).trim()).into_string();
    line.clear();
    if text.is_empty() {
        return;
    }
    let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
    if words.len() == WORDS_KEPT {
        words.pop_front();
    }
    words.push_back(text);
}

#[cfg(all(test, unix))]
#[path = "running_tests.rs"]
mod tests;
