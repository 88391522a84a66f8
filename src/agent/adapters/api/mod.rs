//! `api`: a model API, driven by our own loop with the program's own tools.
//!
//! `server` says what may be contacted, `key` and `command` where the key comes from, `client` what the loop asks of a
//! model, `wire` and `failure` how that goes over the network, `patience` what is tried again, `rounds` is the loop,
//! `spent` and `looked` keep its books.

mod client;
mod command;
mod failure;
mod key;
mod looked;
mod patience;
mod rounds;
mod server;
mod spent;
mod wire;

#[cfg(test)]
mod fixtures;

use std::ffi::OsString;
use std::str::FromStr;
use std::sync::Arc;

use genai::chat::ReasoningEffort;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use self::key::{Key, Keys, login};
use self::rounds::{Rounds, Talk};
use self::server::Server;
use self::wire::Wire;
use crate::agent::{Agent, Choice, Desk, Ending, Event, Probe, Report, Request, Task};
use crate::config::Api as Section;
use crate::config::Settings;
use crate::problem::Problem;
use crate::text::clean;

/// Its name.
pub const NAME: &str = "api";

/// The words for effort that every dialect can be told.
const EFFORTS: [&str; 7] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/// A model API, for one question.
pub struct Api(Arc<Asked>);

/// What answering it needs; shared with the task in which it runs.
struct Asked {
    settings: Section,
    server: Server,
    keys: Keys,
    model: String,
    effort: Option<ReasoningEffort>,
    /// The question as it stands, with the key that was found for it; kept from run to run.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    key: Option<Option<Key>>,
    talk: Talk,
}

/// Makes it for a choice. Nothing is started, read or sent yet.
///
/// # Errors
/// A [`Problem`] where no model is chosen, the effort is unknown, or the settings cannot be used.
pub fn make(choice: &Choice, settings: &Settings) -> Result<Box<dyn Agent>, Problem> {
    let settings = settings.agents.api.clone();
    let server = Server::new(&settings)?;
    let keys = Keys::new(&settings, &server)?;
    let model = choice.model.clone().ok_or_else(|| {
        Problem::new("the agent `api` needs a model")
            .hint("set asks.model, or give --model, the name that the server has for it")
    })?;
    let effort = choice.effort.as_deref().map(effort).transpose()?;
    Ok(Box::new(Api(Arc::new(Asked { settings, server, keys, model, effort, state: Mutex::default() }))))
}

fn effort(word: &str) -> Result<ReasoningEffort, Problem> {
    let known = EFFORTS.contains(&word).then(|| ReasoningEffort::from_str(word).ok()).flatten();
    known.ok_or_else(|| {
        Problem::new(format!("the agent `api` knows no effort `{}`", clean(word)))
            .hint(format!("set asks.effort to one of: {}", EFFORTS.join(", ")))
    })
}

fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

impl Asked {
    async fn answer(&self, request: Request, desk: Desk) -> Ending {
        let mut state = self.state.lock().await;
        let State { key, talk } = &mut *state;
        let key = match key {
            Some(key) => key.clone(),
            None => match self.keys.find(&variable).await {
                Ok(found) => key.insert(found).clone(),
                Err(why) => return Ending::NotSignedIn(why),
            },
        };
        desk.say(Event::Report(Report { login: Some(login(key.as_ref())), ..Report::default() })).await;
        let wire = Wire::new(self.server.clone(), self.model.clone(), self.effort.clone(), key, &self.keys.why_none());
        let wire = match wire {
            Ok(wire) => wire,
            Err(why) => return Ending::Unusable(why),
        };
        talk.ask(&request);
        let prices = &self.settings;
        Rounds { client: &wire, desk: &desk, tools: &request.tools, schema: &request.schema, prices }.run(talk).await
    }
}

impl Agent for Api {
    fn name(&self) -> &'static str {
        NAME
    }

    fn converses(&self) -> bool {
        true
    }

    fn probe(&self) -> Task<'_, Probe> {
        Box::pin(async {
            match self.0.keys.look(&variable) {
                Ok(()) => Probe::Usable(format!(
                    "{}, {} at {}",
                    env!("CARGO_PKG_VERSION"),
                    self.0.server.dialect_word(),
                    self.0.server.host()
                )),
                Err(why) => Probe::NotSignedIn(why),
            }
        })
    }

    fn login(&self) -> Task<'_, Option<String>> {
        Box::pin(async { self.0.keys.look(&variable).ok().map(|()| format!("its key: {}", self.0.keys.words())) })
    }

    fn run(&self, request: Request, desk: Desk) -> Task<'_, Ending> {
        // In a task of its own: whatever a server makes its reading cost, the clock and the reviewer are heard.
        let asked = Arc::clone(&self.0);
        let mut task = JoinSet::new();
        task.spawn(async move { asked.answer(request, desk).await });
        Box::pin(async move {
            match task.join_next().await {
                Some(Ok(ending)) => ending,
                _ => Ending::Died("the server sent what cannot be read".to_owned()),
            }
        })
    }
}
