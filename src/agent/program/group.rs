//! A running program with everything it starts: a process group of its own, which ends with whoever holds it.
//!
//! Dropping a [`Group`] asks the group to end and ends it after [`GRACE`]. A second, tiny process of this program
//! (`second-look reap`) does the same when this one is gone without having had the chance, whatever ended it.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::{Child, ChildStdin, Command};

/// How long a group may take to end by itself.
const GRACE: Duration = Duration::from_millis(800);
/// How often it is looked whether a group is still there.
const STEP: Duration = Duration::from_millis(20);

/// A process group that ends when this is dropped.
#[derive(Debug)]
pub(super) struct Group {
    leader: u32,
    /// Closes with this process: what the reaper waits for.
    _life: Option<ChildStdin>,
}

impl Group {
    /// Starts a command as the leader of a group of its own. `folder` is what to remove if this process dies.
    pub(super) fn spawn(command: std::process::Command, folder: &Path) -> std::io::Result<(Child, Self)> {
        let mut command = command;
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = Command::from(command).spawn()?;
        let leader = child.id().ok_or_else(|| std::io::Error::other("it ended at once"))?;
        let mut group = Self { leader, _life: None };
        group._life = Some(reaper(leader, folder)?);
        Ok((child, group))
    }
}

/// Starts the process that ends the group when this process is gone.
fn reaper(leader: u32, folder: &Path) -> std::io::Result<ChildStdin> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    let group: OsString = leader.to_string().into();
    command.args([OsString::from("reap"), "--group".into(), group, "--folder".into(), folder.into()]);
    command.env_clear().current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // Out of the terminal's group, whose signals are not meant for it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = Command::from(command).spawn()?;
    child.stdin.take().ok_or_else(|| std::io::Error::other("the reaper cannot be reached"))
}

impl Drop for Group {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = by_id(self.leader)
            && ask_to_end(group)
        {
            std::thread::spawn(move || wait_or_kill(group));
        }
    }
}

/// Ends a group by its number and waits until it is gone: at most [`GRACE`] and a little.
pub fn end_group(leader: u32) {
    #[cfg(unix)]
    if let Some(group) = by_id(leader)
        && ask_to_end(group)
    {
        wait_or_kill(group);
    }
    #[cfg(not(unix))]
    let _ = leader;
}

#[cfg(unix)]
fn by_id(leader: u32) -> Option<rustix::process::Pid> {
    // 1 would be everything there is.
    rustix::process::Pid::from_raw(leader.cast_signed()).filter(|group| group.as_raw_nonzero().get() > 1)
}

/// Whether there was anybody to ask.
#[cfg(unix)]
fn ask_to_end(group: rustix::process::Pid) -> bool {
    rustix::process::kill_process_group(group, rustix::process::Signal::TERM).is_ok()
}

#[cfg(unix)]
fn wait_or_kill(group: rustix::process::Pid) {
    let from = std::time::Instant::now();
    while from.elapsed() < GRACE {
        std::thread::sleep(STEP);
        if rustix::process::test_kill_process_group(group).is_err() {
            return;
        }
    }
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
}
