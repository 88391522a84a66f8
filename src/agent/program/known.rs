//! What is known of an installed program: its version and what its help lists, asked once for each path and time.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::running::{Exit, Next, Running, Start};
use crate::agent::lockdown::RunFolder;
use crate::agent::lockdown::fence::Fence;
use crate::text::clean;

/// How long a program may take to say one of these things about itself.
const TIME: Duration = Duration::from_secs(30);
/// Spaces before the deepest line that begins with a flag.
const DEEPEST: usize = 8;
/// Characters of the longest version kept.
const VERSION_CHARS: usize = 60;

/// What is known of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// Its version, as it says it, cleaned.
    pub version: String,
    /// Every flag its help lists, and every other name that it lists.
    pub words: BTreeSet<String>,
}

impl Known {
    /// Whether its help lists a flag.
    pub(super) fn has(&self, flag: &str) -> bool {
        self.words.contains(flag)
    }
}

/// A program at a moment: another file or another time is another program.
type Key = (PathBuf, PathBuf, Option<SystemTime>, u64);

/// Whether a program was the same inside a fence.
static FENCED: LazyLock<Mutex<HashMap<(Key, Fence), bool>>> = LazyLock::new(Mutex::default);

static KNOWN: LazyLock<Mutex<HashMap<Key, Arc<Known>>>> = LazyLock::new(Mutex::default);

/// What a short run of a program gave.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Its output.
    pub output: String,
    /// How it ended.
    pub exit: Exit,
}

/// A program and the environment it is run in.
#[derive(Debug, Clone)]
pub(super) struct Installed {
    pub path: PathBuf,
    pub environment: Vec<(OsString, OsString)>,
    /// The second fence it is run in; none where it cannot be.
    pub fence: Option<Fence>,
}

impl Installed {
    /// Puts the second fence around it, where it answers these questions inside as it does outside.
    pub(super) async fn fenced(mut self, fence: Option<Fence>, questions: &[&[&str]]) -> Self {
        let Some(fence) = fence else { return self };
        let key = (key(&self.path), fence.clone());
        let known = FENCED.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        let inside = Self { fence: Some(fence), ..self.clone() };
        let holds = match known {
            Some(holds) => holds,
            None => {
                let mut holds = true;
                for question in questions {
                    holds = holds && self.says_the_same(&inside, question).await;
                }
                FENCED.lock().unwrap_or_else(PoisonError::into_inner).insert(key, holds);
                holds
            }
        };
        if holds {
            self.fence = inside.fence;
        }
        self
    }

    async fn says_the_same(&self, inside: &Self, question: &[&str]) -> bool {
        match tokio::join!(self.say(question), inside.say(question)) {
            (Ok(one), Ok(two)) => (one.output, one.exit.success) == (two.output, two.exit.success),
            _ => false,
        }
    }

    /// What to start for a run in a folder.
    pub(super) fn start(&self, arguments: Vec<OsString>, input: String, folder: &RunFolder) -> Start {
        let (mut environment, stands) = (self.environment.clone(), folder.empty());
        let fenced = self.fence.as_ref().and_then(|fence| fence.command(folder.path(), &self.path, &arguments));
        if fenced.is_some() {
            // It reaches no other folder for what it keeps for a moment.
            environment.push(("TMPDIR".into(), folder.temporary().into()));
        }
        let (program, arguments) = fenced.unwrap_or_else(|| (self.path.clone(), arguments));
        Start { program, arguments, environment, stands, input }
    }

    /// Asks for its version and its help (each a list of arguments), unless that is known.
    pub(super) async fn known(&self, helps: &[&[&str]]) -> Result<Arc<Known>, String> {
        let key = key(&self.path);
        if let Some(known) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(known));
        }
        let said = self.say(&["--version"]).await?;
        if !said.exit.success {
            return Err(format!("it does not say its version: {}", last_words(&said.exit)));
        }
        let version = clean(said.output.lines().next().unwrap_or_default().trim()).into_string();
        let mut known = Known { version: version.chars().take(VERSION_CHARS).collect(), words: BTreeSet::new() };
        for help in helps {
            let said = self.say(help).await?;
            known.words.extend(listed(&said.output).map(str::to_owned));
        }
        let known = Arc::new(known);
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&known));
        Ok(known)
    }

    /// Runs it with a few arguments and reads what it says, in a folder where nothing is.
    pub(super) async fn say(&self, arguments: &[&str]) -> Result<Said, String> {
        let folder = RunFolder::new().map_err(|error| format!("a folder to run it in cannot be made: {error}"))?;
        let arguments = arguments.iter().map(OsString::from).collect();
        let start = self.start(arguments, String::new(), &folder);
        let mut running =
            Running::start(start, folder.path()).map_err(|error| format!("it cannot be started: {error}"))?;
        let read = async {
            let mut output = String::new();
            loop {
                match running.next().await {
                    Next::Line(line) => output = output + &line + "\n",
                    Next::Flood(said) => return Err(said),
                    Next::Ended(exit) => return Ok(Said { output, exit }),
                }
            }
        };
        let in_time = tokio::time::timeout(TIME, read).await;
        in_time.unwrap_or_else(|_| Err(format!("it says nothing for {} seconds", TIME.as_secs())))
    }
}

/// The best of what a program said last, with how it ended.
pub(super) fn last_words(exit: &Exit) -> String {
    let from = exit.words.len().saturating_sub(3);
    let words = exit.words[from..].join(" / ");
    if words.is_empty() { exit.how.clone() } else { format!("{}, saying: {words}", exit.how) }
}

fn key(path: &Path) -> Key {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let facts = std::fs::metadata(&real).ok();
    let time = facts.as_ref().and_then(|facts| facts.modified().ok());
    (path.to_owned(), real, time, facts.map_or(0, |facts| facts.len()))
}

/// What a help text lists: the flags that begin its lines, and the first word of any other line.
fn listed(help: &str) -> impl Iterator<Item = &str> {
    // Deeper lines go on with the words about a flag, which may name others.
    let lines = help.lines().filter(|line| line.len() - line.trim_start().len() <= DEEPEST);
    lines.flat_map(|line| {
        let mut tokens = line.split([' ', ',', '=', '<', '[']).filter(|token| !token.is_empty());
        let first = tokens.next();
        let flags = tokens.take_while(move |token| first.is_some_and(is_flag) && is_flag(token));
        first.into_iter().chain(flags)
    })
}

fn is_flag(token: &str) -> bool {
    token.starts_with('-')
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read_as_they_are_typed() {
        let help = "  -p, --print   Print --not\n      --allowedTools, --allowed-tools <tools...>\n  --tools=<x>\n\
                    \x20                       --bare is elsewhere\nhooks   stable  true\n";
        let found: BTreeSet<&str> = listed(help).collect();
        let flags = ["--allowed-tools", "--allowedTools", "--print", "--tools", "-p", "hooks"];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), flags);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn it_is_asked_once_until_it_changes() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        let write = |version: &str| {
            let count = folder.path().join("count").display().to_string();
            std::fs::write(&path, format!("#!/bin/sh\necho x >> {count}\necho {version}; echo \"--flag $1\"\n"))
                .unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        };
        let asked = || std::fs::read_to_string(folder.path().join("count")).unwrap().lines().count();
        let installed = Installed { path: path.clone(), environment: vec![], fence: None };
        write("1.2");
        for _ in 0..2 {
            let known = installed.known(&[&["--help"]]).await.unwrap();
            assert_eq!((known.version.as_str(), known.has("--flag")), ("1.2", true));
        }
        assert_eq!(asked(), 2);
        write("1.2.3");
        assert!(installed.known(&[&["--help"]]).await.unwrap().version.starts_with("1.2.3"));
        assert_eq!(asked(), 4);
    }
}
