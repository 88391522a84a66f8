//! Runs a program of any dialect: the order of things, the limits and the end.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;

use super::known::{Installed, Known, last_words};
use super::running::{Exit, Next, Running};
use super::{Dialect, Fence, Invocation, Login, Reader, Said, failure, find};
use crate::agent::lockdown::environment::scrubbed;
use crate::agent::lockdown::{FENCES, RunFolder, fence};
use crate::agent::tools::mcp;
use crate::agent::{Agent, Choice, Desk, Ending, Event, Message, Probe, Report, Request, Task, desk};
use crate::problem::Problem;
use crate::text::clean;

/// How long a program may take to end after it has said its last.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// An agent that is an installed program.
pub struct Program {
    dialect: Box<dyn Dialect>,
    choice: Choice,
    path: String,
    /// What earlier runs of the same question used.
    used: Mutex<(Option<u64>, Option<f64>)>,
}

impl Program {
    /// The same, ready to stand in the table.
    ///
    /// # Errors
    /// A [`Problem`] where the program does not know the effort that was chosen.
    pub fn boxed(dialect: impl Dialect + 'static, choice: &Choice, path: &str) -> Result<Box<dyn Agent>, Problem> {
        let efforts = dialect.efforts();
        match &choice.effort {
            Some(effort) if !efforts.contains(&effort.as_str()) => {
                let what = format!("the agent `{}` knows no effort `{}`", dialect.name(), clean(effort));
                Err(Problem::new(what).hint(format!("choose one of: {}", efforts.join(", "))))
            }
            _ => Ok(Box::new(Self::new(dialect, choice, path))),
        }
    }

    /// An agent of a dialect. `path` is the program's, from the settings; empty to look for it.
    pub fn new(dialect: impl Dialect + 'static, choice: &Choice, path: &str) -> Self {
        Self { dialect: Box::new(dialect), choice: choice.clone(), path: path.to_owned(), used: Mutex::default() }
    }

    /// Finds it and learns what it can do.
    async fn installed(&self) -> Result<(Installed, Arc<Known>), String> {
        if !cfg!(unix) {
            return Err("agent programs can be locked down on Linux and macOS alone".to_owned());
        }
        let path = find::find(&self.path, self.dialect.program(), std::env::var_os("PATH").as_deref())?;
        let mut environment = scrubbed(std::env::vars_os(), self.dialect.family());
        environment.extend(self.dialect.given().iter().map(|(name, value)| (name.into(), value.into())));
        let installed = Installed { path, environment, fence: None };
        let known = installed.known(self.dialect.helps()).await?;
        let missing: Vec<&str> = self.dialect.needed().iter().copied().filter(|word| !known.has(word)).collect();
        if missing.is_empty() {
            return Ok((self.fenced(installed).await, known));
        }
        let (program, version) = (self.dialect.program(), &known.version);
        Err(format!(
            "`{program}` {version} cannot be locked down, it lacks: {}; install a newer one",
            missing.join(", ")
        ))
    }

    /// Puts the second fence around it, where it is the same inside, its sign-in included.
    async fn fenced(&self, installed: Installed) -> Installed {
        let value = |name: &str| installed.environment.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        let (variable, below_home) = self.dialect.state();
        let state = match (value(variable), value("HOME")) {
            (Some(folder), _) => vec![folder.into()],
            (None, Some(home)) => below_home.iter().map(|name| Path::new(home).join(name)).collect(),
            (None, None) => return installed,
        };
        let fence = Fence::around(&installed.path, state, &installed.environment);
        let login = self.dialect.login(&self.choice).unwrap_or_default();
        let login: Vec<&str> = login.iter().map(String::as_str).collect();
        let questions: &[&[&str]] = if login.is_empty() { &[&["--version"]] } else { &[&["--version"], &login] };
        installed.fenced(fence, questions).await
    }

    /// How the reviewer is signed in; an ending where they are not.
    async fn signed_in(&self, installed: &Installed) -> Result<Option<String>, Ending> {
        let is_set = |key: &&&str| installed.environment.iter().any(|(name, value)| name == **key && !value.is_empty());
        if let Some(key) = self.dialect.keys().iter().find(is_set) {
            return Ok(Some(format!("the key in {key}")));
        }
        let Some(arguments) = self.dialect.login(&self.choice) else { return Ok(None) };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        // A program that does not know the question, or fails at it, is asked nothing more: the run will tell.
        let Ok(said) = installed.say(&arguments).await else { return Ok(None) };
        match self.dialect.read_login(&said.output, &said.exit.words) {
            Login::In(how) => Ok(how),
            Login::Out => Err(Ending::NotSignedIn(self.dialect.sign_in().to_owned())),
            Login::Unknown => Ok(None),
        }
    }

    async fn go(&self, request: Request, to: &Desk) -> Result<Ending, Ending> {
        let (installed, known) = self.installed().await.map_err(Ending::Unusable)?;
        let login = if request.run == 0 { self.signed_in(&installed).await? } else { None };
        let failed = |what: &str| {
            let what = what.to_owned();
            move |error| Ending::Died(format!("{what}: {error}"))
        };
        let folder = RunFolder::new().map_err(failed("a folder for it cannot be made"))?;
        // What comes by the tools waits here until the events that came before were read.
        let (front, mut tools) = desk();
        let served = mcp::serve(&folder.files(), Arc::clone(&request.tools), request.schema.clone(), front)
            .map_err(|problem| Ending::Died(format!("its tools cannot be served: {problem}")))?;
        let run = Invocation {
            known: &known,
            choice: &self.choice,
            request: &request,
            bridge: served.command(),
            files: folder.files(),
            empty: folder.empty(),
            prefix: self.dialect.prefix(),
        };
        self.dialect.prepare(&run).map_err(failed("its files cannot be written"))?;
        let (arguments, input) = self.dialect.invoke(&run).map_err(Ending::Unusable)?;
        let second = installed.fence.as_ref().map(|_| fence::NAME);
        let own = self.dialect.own_tools();
        let fences = FENCES.into_iter().chain([own]).chain(second).map(str::to_owned).collect();
        to.say(Event::Doing(format!("starts {} {}", self.dialect.program(), known.version))).await;
        // Not every program says which model it takes.
        let model = self.choice.model.clone().or_else(|| Some("its default model".to_owned()));
        to.say(Event::Report(Report { model, login, fences, ..Report::default() })).await;
        let start = installed.start(arguments, input, &folder);
        let running = Running::start(start, folder.path()).map_err(failed("it cannot be started"))?;
        let mut reader = self.dialect.reader();
        let (exit, kept_back) = self.follow(running, reader.as_mut(), &mut tools, to).await?;
        let end = reader.end();
        if let Some((status, said)) = end.failed {
            return Err(failure::ending(status, &said, self.dialect.sign_in()));
        }
        if !end.done {
            return Err(failure::ending(None, &last_words(&exit), self.dialect.sign_in()));
        }
        if served.submitted() || kept_back {
            return Ok(Ending::Finished);
        }
        // An answer written as text instead counts once; whatever comes of it, the run is over.
        if let Some(text) = end.text.as_deref().and_then(the_one_value) {
            to.submit(text.to_owned()).await;
        } else if !served.connected() {
            return Err(Ending::Died("it never reached Second Look's tools".to_owned()));
        }
        Ok(Ending::Finished)
    }

    /// Follows a run to its end: how it ended, and whether an answer was handed in for it.
    async fn follow(
        &self,
        mut running: Running,
        reader: &mut dyn Reader,
        tools: &mut mpsc::Receiver<Message>,
        to: &Desk,
    ) -> Result<(Exit, bool), Ending> {
        let (before, mut kept_back) = (self.before(), false);
        loop {
            let last_words = tokio::time::sleep(LAST_WORDS);
            let next = tokio::select! {
                biased;
                next = running.next() => next,
                Some(message) = tools.recv(), if reader.started() => {
                    forward(message, to).await;
                    continue;
                }
                () = last_words, if reader.end().done => {
                    Next::Ended(Exit { how: "it went on after its end".to_owned(), ..Exit::default() })
                }
            };
            let line = match next {
                Next::Line(line) => line,
                Next::Flood(said) => return Err(Ending::Died(said)),
                Next::Ended(exit) => {
                    while reader.started()
                        && let Ok(message) = tools.try_recv()
                    {
                        forward(message, to).await;
                    }
                    return Ok((exit, kept_back));
                }
            };
            for said in reader.line(&line) {
                kept_back |= matches!(said, Said::KeptBack(_));
                self.pass_on(said, before, to).await?;
            }
        }
    }

    async fn pass_on(&self, said: Said, before: (Option<u64>, Option<f64>), to: &Desk) -> Result<(), Ending> {
        let event = match said {
            Said::Breach(how) => {
                return Err(Ending::Died(format!("a fence did not hold, so it was ended: {how}")));
            }
            Said::Lost(words) => return Err(failure::ending(None, &words, self.dialect.sign_in())),
            Said::KeptBack(text) => {
                to.submit(text).await;
                return Ok(());
            }
            Said::Doing(what) => Event::Doing(what),
            Said::Model(model) => Event::Report(Report { model: Some(model), ..Report::default() }),
            Said::Used(tokens, cost) => Event::Report(self.sum(before, (tokens, cost))),
        };
        to.say(event).await;
        Ok(())
    }

    fn before(&self) -> (Option<u64>, Option<f64>) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What all runs of the question used, this one included.
    fn sum(&self, before: (Option<u64>, Option<f64>), now: (Option<u64>, Option<f64>)) -> Report {
        let tokens = now.0.map(|tokens| tokens.saturating_add(before.0.unwrap_or(0))).or(before.0);
        let cost = now.1.map(|cost| cost + before.1.unwrap_or(0.0)).or(before.1);
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = (tokens, cost);
        Report { tokens, cost: cost.map(|cost| format!("{cost:.4}")), ..Report::default() }
    }
}

impl Agent for Program {
    fn name(&self) -> &'static str {
        self.dialect.name()
    }

    fn converses(&self) -> bool {
        true
    }

    fn probe(&self) -> Task<'_, Probe> {
        Box::pin(async {
            match self.installed().await {
                Ok((_, known)) => Probe::Usable(known.version.clone()),
                Err(why) => Probe::Unusable(why),
            }
        })
    }

    fn login(&self) -> Task<'_, Option<String>> {
        Box::pin(async {
            let (installed, _) = self.installed().await.ok()?;
            Some(
                match self.signed_in(&installed).await {
                    Ok(Some(how)) => format!("signed in by {how}"),
                    Ok(None) => "it does not say whether it is signed in".to_owned(),
                    Err(Ending::NotSignedIn(what)) => format!("not signed in: {what}"),
                    Err(_) => "whether it is signed in cannot be told".to_owned(),
                } + match installed.fence {
                    Some(_) => ", inside the kernel's fence",
                    None => ", without the kernel's fence: this system has none, or the program is not the same inside",
                },
            )
        })
    }

    fn run(&self, request: Request, desk: Desk) -> Task<'_, Ending> {
        Box::pin(async move { self.go(request, &desk).await.unwrap_or_else(|ending| ending) })
    }
}

/// Hands on what came by the tools, and the reply to it.
async fn forward(message: Message, to: &Desk) {
    match message {
        Message::Submitted(submission) => drop(submission.reply.send(to.submit(submission.text).await)),
        Message::Said(event) => to.say(event).await,
    }
}

/// A text that is one JSON object and nothing else, a single fence of code around it allowed.
fn the_one_value(text: &str) -> Option<&str> {
    let text = text.trim();
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let value = inner.map_or(text, |inner| inner.strip_prefix("json").unwrap_or(inner)).trim();
    serde_json::from_str::<serde_json::Map<_, _>>(value).is_ok().then_some(value)
}

#[cfg(test)]
#[path = "driver_tests.rs"]
mod tests;
