//! Runs the `git` program: in an environment made from nothing, with bounded output, ended as a group when dropped.
//!
//! The reviewer's and the system's settings are not read, nothing prompts, no hook, credential helper or lazy fetch
//! runs, and secrets travel in the environment alone. What git says is cleaned, and secrets are taken out of it.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::sync::OnceCell;

use super::error::GitError;
use super::locks::Held;
use crate::text::clean;

/// The oldest version whose `fetch` and `GIT_CONFIG_COUNT` do what is asked of them here.
const OLDEST: (u32, u32) = (2, 36);
/// Variables of the reviewer that git needs to find programs, temporary folders, proxies and certificates.
const KEPT: [&str; 26] = [
    "PATH",
    "TMPDIR",
    "TEMP",
    "TMP",
    "SYSTEMROOT",
    "PATHEXT",
    "GIT_EXEC_PATH",
    "LD_LIBRARY_PATH",
    "http_proxy",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_SSL_CERT",
    "GIT_SSL_KEY",
    "GIT_PROXY_SSL_CAINFO",
    "GIT_PROXY_SSL_CERT",
    "GIT_PROXY_SSL_KEY",
    "NIX_SSL_CERT_FILE",
];
/// Settings that hold for every run.
const SETTINGS: [(&str, &str); 16] = [
    ("core.hooksPath", "/dev/null"),
    ("core.attributesFile", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.askPass", ""),
    ("credential.helper", ""),
    ("protocol.version", "2"),
    ("protocol.allow", "never"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("fetch.writeCommitGraph", "false"),
    // Ids are checked against content in any case; the further checks refuse ordinary old repositories and guard
    // checkouts, which are never made.
    ("fetch.fsckObjects", "false"),
    ("transfer.fsckObjects", "false"),
    // A fetch gives one pack, never a heap of small files.
    ("fetch.unpackLimit", "1"),
    ("fetch.recurseSubmodules", "false"),
    ("advice.fetchShowForcedUpdates", "false"),
    ("diff.noprefix", "false"),
];
/// Bytes of one line of what git says; the rest of a longer line is dropped.
const LINE_LIMIT: usize = 2_000;
/// Lines kept of what git says, the newest.
const LINES_KEPT: usize = 30;

/// One run of `git`.
pub(super) struct Run<'a> {
    /// The repository it works in.
    pub folder: &'a Path,
    /// The subcommand.
    pub verb: &'static str,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Settings besides [`SETTINGS`]; the last of a name wins.
    pub settings: Vec<(String, String)>,
    /// Texts that must not be seen in what git says.
    pub secrets: Vec<String>,
    /// Bytes read of its output.
    pub limit: usize,
    /// Locks to keep until git and everything it started have ended.
    pub held: Held,
}

/// What a run that ended gave.
pub(super) struct Output {
    /// Whether it succeeded.
    pub success: bool,
    /// Its output.
    pub stdout: Vec<u8>,
    /// The last lines it said, cleaned, progress left out.
    pub said: Vec<String>,
}

impl Output {
    /// The sentence that says best why it failed: the last `fatal:` or `error:`, else the last line.
    pub fn why(&self) -> String {
        let marked = self.said.iter().rev().find_map(|line| {
            ["fatal: ", "error: ", "remote: "].iter().find_map(|mark| line.strip_prefix(mark)).map(str::to_owned)
        });
        marked.or_else(|| self.said.last().cloned()).unwrap_or_else(|| "it gave no reason".to_owned())
    }
}

impl Run<'_> {
    /// Runs it to its end. `on_line` gets each line git says, progress included, cleaned.
    ///
    /// Dropping the future ends git and everything it started.
    pub async fn run(self, on_line: &(dyn Fn(&str) + Sync)) -> Result<Output, GitError> {
        check_version().await?;
        let mut command = command(self.folder);
        command.arg(self.verb).args(&self.arguments);
        let settings = SETTINGS.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let settings: Vec<_> = settings.chain(self.settings).collect();
        command.env("GIT_CONFIG_COUNT", settings.len().to_string());
        for (at, (key, value)) in settings.iter().enumerate() {
            command.env(format!("GIT_CONFIG_KEY_{at}"), key).env(format!("GIT_CONFIG_VALUE_{at}"), value);
        }
        let mut group = Group::spawn(command, self.held)?;
        let (stdout, stderr) = (group.child.stdout.take(), group.child.stderr.take());
        let (stdout, said) =
            tokio::join!(read_output(stdout, self.limit, &group), read_lines(stderr, &self.secrets, on_line));
        let status = group.wait().await?;
        let stdout = stdout.ok_or(GitError::TooMuch { verb: self.verb, limit: self.limit >> 20 })?;
        Ok(Output { success: status, stdout, said })
    }
}

/// Git with nothing but what it needs from the environment.
fn command(folder: &Path) -> std::process::Command {
    let mut command = std::process::Command::new("git");
    command.env_clear().current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.envs(KEPT.iter().filter_map(|name| std::env::var_os(name).map(|value| (name, value))));
    command
        .env("GIT_DIR", folder)
        .env("HOME", folder)
        .env("LC_ALL", "C")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_ATTR_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_SSH_COMMAND", "ssh -oBatchMode=yes")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_PAGER", "cat");
    command
}

/// What `git version` says.
///
/// # Errors
/// [`GitError`] where there is no git, or one that is too old.
pub async fn version_in_words() -> Result<String, GitError> {
    check_version().await.map(|said| clean(said.trim()).into_string())
}

/// Asks git for its version once and refuses one that is too old.
async fn check_version() -> Result<&'static str, GitError> {
    static SAID: OnceCell<String> = OnceCell::const_new();
    let said = SAID
        .get_or_try_init(|| async {
            // Not the temporary folder, where anyone may put a `git` that a relative search path would find.
            let mut command = Command::from(command(Path::new("/")));
            command.env_remove("GIT_DIR").arg("version").kill_on_drop(true);
            let output = command.output().await.map_err(|_| GitError::NoProgram)?;
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        })
        .await?;
    match version(said) {
        Some(found) if found >= OLDEST => Ok(said),
        _ => Err(GitError::OldProgram(clean(said.trim().trim_start_matches("git version ")).into_string())),
    }
}

/// The two leading numbers of what `git version` says.
fn version(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.trim().strip_prefix("git version ")?.split(|c: char| !c.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

async fn read_output(stdout: Option<impl AsyncRead + Unpin>, limit: usize, group: &Group) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let Some(stdout) = stdout else { return Some(bytes) };
    // A broken pipe ends the output, which the exit code then tells.
    let _ = stdout.take(limit as u64 + 1).read_to_end(&mut bytes).await;
    if bytes.len() > limit {
        group.end();
        return None;
    }
    Some(bytes)
}

/// Reads what git says line by line (progress ends its lines with a carriage return).
async fn read_lines(
    stderr: Option<impl AsyncRead + Unpin>,
    secrets: &[String],
    on_line: &(dyn Fn(&str) + Sync),
) -> Vec<String> {
    let mut kept = Vec::new();
    let Some(mut stderr) = stderr else { return kept };
    let (mut buffer, mut line) = ([0; 4096], Vec::new());
    loop {
        let count = stderr.read(&mut buffer).await.unwrap_or(0);
        for byte in &buffer[..count] {
            match byte {
                b'\r' | b'\n' => take_line(&mut line, secrets, &mut kept, on_line, *byte == b'\n'),
                _ if line.len() < LINE_LIMIT => line.push(*byte),
                _ => {}
            }
        }
        if count == 0 {
            take_line(&mut line, secrets, &mut kept, on_line, true);
            return kept;
        }
    }
}

fn take_line(
    line: &mut Vec<u8>,
    secrets: &[String],
    kept: &mut Vec<String>,
    on_line: &(dyn Fn(&str) + Sync),
    whole: bool,
) {
    let mut text = String::from_utf8_lossy(line).into_owned();
    line.clear();
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        text = text.replace(secret, "***");
    }
    let text = clean(text.trim()).into_string();
    if text.is_empty() {
        return;
    }
    on_line(&text);
    let progress = text.contains("objects: ") || text.contains("deltas: ") || text.contains("% (");
    if whole && !progress {
        if kept.len() == LINES_KEPT {
            kept.remove(0);
        }
        kept.push(text);
    }
}

/// A running git with everything it starts: a process group of its own, ended when dropped.
struct Group {
    child: Child,
    leader: Option<u32>,
    held: Held,
    ended: bool,
}

impl Group {
    fn spawn(mut command: std::process::Command, held: Held) -> Result<Self, GitError> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut command = Command::from(command);
        #[cfg(not(unix))]
        command.kill_on_drop(true);
        let child = command.spawn().map_err(|_| GitError::NoProgram)?;
        let leader = child.id();
        Ok(Self { child, leader, held, ended: false })
    }

    async fn wait(&mut self) -> Result<bool, GitError> {
        let status = self.child.wait().await.map_err(|_| GitError::CutShort)?;
        self.ended = true;
        Ok(status.success())
    }

    /// Asks the group to end; git removes its own lock files then.
    fn end(&self) {
        #[cfg(unix)]
        if let Some(group) = self.group() {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::TERM);
        }
    }

    #[cfg(unix)]
    fn group(&self) -> Option<rustix::process::Pid> {
        self.leader.and_then(|leader| rustix::process::Pid::from_raw(leader.cast_signed()))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        self.end();
        #[cfg(unix)]
        if let Some(group) = self.group() {
            let held = self.held.take();
            // Who does not end within two seconds is ended. The locks stay until nobody of the group is left.
            std::thread::spawn(move || {
                for _ in 0..100 {
                    std::thread::sleep(Duration::from_millis(20));
                    if rustix::process::test_kill_process_group(group).is_err() {
                        return drop(held);
                    }
                }
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
                drop(held);
            });
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_the_version_of_any_build() {
        assert_eq!(version("git version 2.47.3\n"), Some((2, 47)));
        assert_eq!(version("git version 2.39.5 (Apple Git-154)"), Some((2, 39)));
        assert_eq!(version("git version 2.36.windows.1"), Some((2, 36)));
        assert_eq!(version("tig version 2.5"), None);
        assert!((2, 35) < OLDEST && (3, 0) > OLDEST);
    }

    #[tokio::test]
    async fn what_git_says_is_cleaned_and_holds_no_secret() {
        let said = b"remote: \x1b[31mhi s3cret\rReceiving objects: 10% (1/9)\rfatal: no s3cret\n".as_slice();
        let seen = std::sync::Mutex::new(Vec::new());
        let kept =
            read_lines(Some(said), &["s3cret".to_owned()], &|line| seen.lock().unwrap().push(line.to_owned())).await;
        assert_eq!(kept, ["fatal: no ***"]);
        assert_eq!(
            seen.into_inner().unwrap(),
            ["remote: ^[[31mhi ***", "Receiving objects: 10% (1/9)", "fatal: no ***"]
        );
    }

    #[tokio::test]
    async fn too_much_output_ends_the_run() {
        let folder = tempfile::tempdir().unwrap();
        git2::Repository::init_bare(folder.path()).unwrap();
        let run = Run {
            folder: folder.path(),
            verb: "help",
            arguments: vec!["-a".into()],
            settings: vec![],
            secrets: vec![],
            limit: 100,
            held: None,
        };
        assert!(matches!(run.run(&|_| ()).await, Err(GitError::TooMuch { verb: "help", .. })));
    }

    proptest! {
        #[test]
        fn a_version_never_panics(said in any::<String>()) {
            let _ = version(&said);
            let _ = version(&format!("git version {said}"));
        }
    }
}
