//! Runs the reviewer's `key_command`: without a shell, within limits, away from the tree under review.
//!
//! It runs in the root folder, so that no file of the tree can steer it, and in a process group of its own, which is
//! ended with it. It gets no input and cannot ask on the terminal.

use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, sink};
use tokio::process::{Child, Command};

use super::key::Variables;
use crate::problem::Problem;
use crate::text::clean;

/// How long it may take; a password store may ask in a window of its own.
const LIMIT: Duration = Duration::from_secs(30);
/// Bytes of its output that are read.
const OUTPUT: u64 = 8192;
/// Characters of what it complains about that are shown.
const COMPLAINT: usize = 200;

/// Checks the name of the program: a path must be whole, since the working folder may be the tree under review.
pub(super) fn check(program: &str) -> Result<(), Problem> {
    let path = Path::new(program);
    if program.is_empty() || (path.components().count() > 1 && !path.is_absolute()) {
        let problem = Problem::new(format!("agents.api.key_command cannot start `{}`", clean(program)));
        return Err(problem.hint("give a name that is on the search path, or a whole path"));
    }
    Ok(())
}

/// Where the program is: a whole path, or in an absolute folder of the search path.
pub(super) fn find(program: &str, variables: Variables<'_>) -> Result<PathBuf, String> {
    let path = Path::new(program);
    if path.is_absolute() && path.is_file() {
        return Ok(path.to_owned());
    }
    let search = variables("PATH").unwrap_or_default();
    let name = if cfg!(windows) && path.extension().is_none() { format!("{program}.exe") } else { program.to_owned() };
    std::env::split_paths(&search)
        .filter(|folder| folder.is_absolute() && !path.is_absolute())
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
        .ok_or_else(|| format!("agents.api.key_command cannot start `{}`: there is no such program", clean(program)))
}

/// Runs it and gives what it printed.
///
/// # Errors
/// What went wrong, in one sentence with what it complained about; never with what it printed.
pub(super) async fn run(command: &[String], variables: Variables<'_>) -> Result<String, String> {
    let Some((program, arguments)) = command.split_first() else { return Err("there is no key_command".to_owned()) };
    let path = find(program, variables)?;
    let named = format!("`{}` (agents.api.key_command)", clean(program));
    let mut running = start(&path, arguments).map_err(|error| format!("{named} cannot be started: {error}"))?;
    let ended = tokio::time::timeout(LIMIT, running.until_its_end()).await;
    let Ok(ended) = ended else { return Err(format!("{named} took more than {} seconds", LIMIT.as_secs())) };
    let (status, printed, complaint) = ended.map_err(|error| format!("{named} broke off: {error}"))?;
    if !status.success() {
        let how = status.code().map_or("was ended by a signal".to_owned(), |code| format!("ended with code {code}"));
        let text = String::from_utf8_lossy(&complaint);
        let last: String = text.trim().lines().last().unwrap_or_default().chars().take(COMPLAINT).collect();
        let said = if last.is_empty() { String::new() } else { format!(": {}", clean(&last)) };
        return Err(format!("{named} {how}{said}"));
    }
    if printed.len() as u64 > OUTPUT {
        return Err(format!("{named} printed more than {OUTPUT} bytes"));
    }
    String::from_utf8(printed).map_err(|_| format!("{named} printed no text"))
}

fn start(path: &Path, arguments: &[String]) -> std::io::Result<Running> {
    let mut command = Command::new(path);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    if let Some(root) = path.ancestors().last() {
        command.current_dir(root);
    }
    #[cfg(unix)]
    command.process_group(0);
    let child = command.spawn()?;
    Ok(Running { leader: child.id(), child, ended: false })
}

/// A started command; dropped before its end, its whole group is ended.
struct Running {
    leader: Option<u32>,
    child: Child,
    ended: bool,
}

impl Running {
    /// Its status, what it printed and what it complained about, each cut just past what is read of it.
    async fn until_its_end(&mut self) -> std::io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
        let (stdout, stderr) = (self.child.stdout.take(), self.child.stderr.take());
        let (printed, complaint) = tokio::try_join!(read(stdout), read(stderr))?;
        let status = self.child.wait().await?;
        self.ended = true;
        Ok((status, printed, complaint))
    }
}

/// The beginning of a stream; the rest is read too, so that nothing waits for a reader.
async fn read(stream: Option<impl AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        (&mut stream).take(OUTPUT + 1).read_to_end(&mut bytes).await?;
        tokio::io::copy(&mut stream, &mut sink()).await?;
    }
    Ok(bytes)
}

impl Drop for Running {
    fn drop(&mut self) {
        #[cfg(unix)]
        if !self.ended
            && let Some(group) = self.leader.and_then(|leader| rustix::process::Pid::from_raw(leader.cast_signed()))
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    async fn sh(script: &str) -> Result<String, String> {
        let command = ["sh", "-c", script].map(str::to_owned);
        run(&command, &|name| std::env::var_os(name)).await
    }

    #[tokio::test]
    async fn gives_what_it_prints_and_says_why_it_failed() {
        assert_eq!(sh("echo one; echo two").await.unwrap(), "one\ntwo\n");
        assert_eq!(sh("pwd").await.unwrap(), "/\n");
        let why = sh("echo sk-secret; printf 'no\\033[31m store\\n' >&2; exit 3").await.unwrap_err();
        assert_eq!(why, "`sh` (agents.api.key_command) ended with code 3: no^[[31m store");
        assert!(sh("head -c 100000 /dev/zero").await.unwrap_err().contains("more than 8192 bytes"));
        assert!(sh("head -c 100000 /dev/zero >&2; exit 1").await.unwrap_err().contains("ended with code 1"));
        assert!(sh("kill -9 $$").await.unwrap_err().contains("ended by a signal"));
    }

    #[tokio::test]
    async fn is_looked_for_in_whole_folders_alone() {
        let relative = |name: &str| (name == "PATH").then(|| std::ffi::OsString::from("bin:."));
        assert!(find("sh", &relative).unwrap_err().contains("no such program"));
        assert!(find("/no/such/program", &|name| std::env::var_os(name)).is_err());
        assert!(check("./key.sh").is_err() && check("bin/key").is_err() && check("").is_err());
        assert!(check("pass").is_ok() && check("/usr/bin/pass").is_ok());
    }

    #[tokio::test]
    async fn its_group_ends_when_nobody_waits_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("leader");
        let script = format!("sleep 600 & echo $$ > {0}.new; mv {0}.new {0}; wait", file.display());
        let asking = sh(&script);
        let written = async {
            while !file.exists() {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = asking => {}
            () = written => {}
        }
        let leader: i32 = std::fs::read_to_string(&file).unwrap().trim().parse().unwrap();
        let group = rustix::process::Pid::from_raw(leader).unwrap();
        // Ended processes stay until they are waited for, by tokio and by the system.
        for _ in 0..500 {
            if rustix::process::test_kill_process_group(group).is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(rustix::process::test_kill_process_group(group).is_err(), "the group is still there");
    }
}
