//! The methods a client may call, one function each: parameters in, the engine's verb, a result or a refusal out.

use std::sync::{Arc, PoisonError};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::shared::{Reviewed, Shared};
use super::wire::{Code, Id, Refusal, Request};
use crate::agent::{Choice, adapters};
use crate::ask::{Outcome, Wanted, stored};
use crate::change::{Place, Side};
use crate::engine::events::{Event, Progress};
use crate::engine::result::result_of;
use crate::engine::{AskProgress, Question, Say, Takes};
use crate::problem::Problem;
use crate::review::Review;
use crate::source::address::{self, Address};
use crate::source::github::Token;

/// The methods, as an unknown one is told them.
const METHODS: &str = "initialize, review, ask, answers, cancel, shutdown";

/// Characters of the shortest text that is taken out of messages as a token.
const TOKEN_CHARS: usize = 8;

/// Runs one request to its end. A token that was given is in no message.
pub(super) async fn run(
    shared: &Arc<Shared>,
    request: Request,
    cancelled: watch::Receiver<bool>,
) -> Result<Value, Refusal> {
    let token = request.params.get("token").and_then(Value::as_str).map(str::to_owned);
    let mut outcome = call(shared, request, cancelled).await;
    if let (Err(refusal), Some(token)) = (&mut outcome, token.filter(|token| token.len() >= TOKEN_CHARS)) {
        refusal.message = refusal.message.replace(&token, "[token]");
    }
    outcome
}

async fn call(shared: &Arc<Shared>, request: Request, cancelled: watch::Receiver<bool>) -> Result<Value, Refusal> {
    let Request { id, method, params } = request;
    match method.as_str() {
        "review" => review(shared, &id, params, cancelled).await,
        "ask" => ask(shared, &id, params, cancelled).await,
        "answers" => answers(shared, params),
        "cancel" => {
            let Cancel { id } = read(params)?;
            Ok(json!({ "cancelled": shared.cancel(&id) }))
        }
        _ => {
            let name = crate::text::clean(&method.chars().take(80).collect::<String>());
            Err(Refusal::new(Code::Method, format!("there is no method `{name}`: the methods are {METHODS}")))
        }
    }
}

/// Who is to answer, as a client names it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AgentParams {
    agent: String,
    model: Option<String>,
    effort: Option<String>,
    account: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cancel {
    id: Id,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewParams {
    url: String,
    token: Option<String>,
    agent: Option<AgentParams>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskParams {
    url: String,
    ask: String,
    part: Value,
    lines: Option<LinesParams>,
    claim: Option<usize>,
    thread: Option<usize>,
    question: Option<String>,
    agent: Option<AgentParams>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinesParams {
    path: String,
    side: String,
    line: u32,
    end_line: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswersParams {
    url: String,
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params)
        .map_err(|error| Refusal::new(Code::Params, format!("the parameters are wrong: {error}")))
}

fn failed(problem: &Problem) -> Refusal {
    Refusal::new(Code::Failed, problem.to_string())
}

fn read_address(shared: &Shared, url: &str) -> Result<Address, Refusal> {
    address::parse(url, &shared.folder).map_err(|problem| Refusal::new(Code::Params, problem.to_string()))
}

fn choice(shared: &Shared, agent: Option<AgentParams>) -> Result<Option<Choice>, Refusal> {
    let Some(AgentParams { agent, model, effort, account }) = agent else { return Ok(None) };
    let named = |name: Option<String>| name.filter(|name| !name.is_empty());
    let choice = Choice { agent, model: named(model), effort: named(effort), account: named(account) };
    let choice = choice.completed(shared.engine.choice());
    match adapters::make(&choice, shared.engine.settings()) {
        Ok(_) => Ok(Some(choice)),
        Err(problem) => Err(Refusal::new(Code::Params, problem.to_string())),
    }
}

async fn review(
    shared: &Arc<Shared>,
    id: &Id,
    params: Value,
    mut cancelled: watch::Receiver<bool>,
) -> Result<Value, Refusal> {
    let ReviewParams { url, token, agent } = read(params)?;
    let address = read_address(shared, &url)?;
    let choice = choice(shared, agent)?;
    let token = match token.filter(|token| !token.is_empty()) {
        None => None,
        Some(token) => {
            let wrong = "the token cannot be one: a token is printable ASCII without spaces";
            Some(Token::new(&token, "the client").ok_or_else(|| Refusal::new(Code::Params, wrong))?)
        }
    };
    let say: Say = {
        let (shared, id) = (Arc::clone(shared), id.clone());
        Arc::new(move |event| tell(&shared, &id, event))
    };
    let opened = tokio::select! {
        biased;
        Ok(_) = cancelled.wait_for(|cancelled| *cancelled) => {
            return Err(Refusal::new(Code::Failed, "the review was cancelled").with(json!({ "outcome": "cancelled" })));
        }
        opened = shared.engine.open_with(&address, Takes::NewHead, token, &say) => opened,
    };
    let review = Arc::new(opened.map_err(|problem| failed(&problem))?);
    let of = Arc::clone(&review);
    let result = tokio::task::spawn_blocking(move || result_of(&of.reading).map(serde_json::to_value)).await;
    let result = match result {
        Ok(Ok(Ok(result))) => result,
        Ok(Err(missing)) => return Err(Refusal::new(Code::Failed, missing.to_string())),
        Ok(Ok(Err(error))) => return Err(Refusal::new(Code::Failed, error.to_string())),
        Err(error) => return Err(Refusal::new(Code::Failed, format!("writing the result died: {error}"))),
    };
    let mut reviews = shared.reviews.lock().unwrap_or_else(PoisonError::into_inner);
    reviews.insert(address::key(&address), (review, choice));
    Ok(result)
}

/// Says what a review is doing.
fn tell(shared: &Shared, id: &Id, event: Event) {
    let stage = |stage: &str, state: &str, detail: &str| {
        shared.notify("review/stage", &json!({ "id": id, "stage": stage, "state": state, "detail": detail }));
    };
    match event {
        Event::Stage(which, Progress::Running(how_far)) => stage(which.words(), "running", &how_far),
        Event::Stage(which, Progress::Done) => stage(which.words(), "done", ""),
        Event::Stage(which, Progress::Failed(problem)) => stage(which.words(), "failed", &problem.to_string()),
        Event::Trouble(problem) => {
            shared.notify("review/trouble", &json!({ "id": id, "message": problem.to_string() }));
        }
        _ => {}
    }
}

async fn ask(shared: &Arc<Shared>, id: &Id, params: Value, cancelled: watch::Receiver<bool>) -> Result<Value, Refusal> {
    let AskParams { url, ask, part, lines, claim, thread, question, agent } = read(params)?;
    let address = read_address(shared, &url)?;
    let Some(kind) = shared.engine.asks().iter().map(|known| known.kind()).find(|kind| *kind == ask) else {
        let kinds: Vec<&str> = shared.engine.asks().iter().map(|ask| ask.kind()).collect();
        let name = crate::text::clean(&ask.chars().take(80).collect::<String>());
        return Err(Refusal::new(Code::Params, format!("there is no ask `{name}`: the asks are {}", kinds.join(", "))));
    };
    let (review, reviewed_with) = latest(shared, &address)?;
    let at = part_of(&review, &part)?;
    let choice = choice(shared, agent)?.or(reviewed_with);
    let wanted = Wanted { lines: lines.map(place).transpose()?, claim, thread, words: question };
    let progress = |progress| {
        let (state, what) = match progress {
            AskProgress::Started => ("started", String::new()),
            AskProgress::Doing(what) => ("doing", what.into_string()),
        };
        shared.notify("ask/progress", &json!({ "id": id, "state": state, "what": what }));
    };
    let question = Question {
        reading: Arc::clone(&review.reading),
        address: &address,
        kind,
        part: &review.parts()[at].part.key,
        wanted,
        choice,
        cancelled,
        progress: &progress,
    };
    let outcome = shared.engine.ask(question).await.map_err(|problem| failed(&problem))?;
    let message = match &outcome {
        Outcome::Answered(_) => return Ok(stored::value(&outcome)),
        Outcome::Refused(refusal) => {
            let failures: Vec<String> =
                refusal.failed.iter().map(|failure| format!("{}: {}", failure.check, failure.what)).collect();
            format!("there is no answer, its checks failed twice: {}", failures.join("; "))
        }
        Outcome::NoAnswer { reason, why } => {
            format!("there is no answer, {}: {why}: {}", reason.words(), reason.next())
        }
        Outcome::Cancelled => "the ask was cancelled".to_owned(),
    };
    Err(Refusal::new(Code::Failed, message).with(stored::value(&outcome)))
}

fn place(lines: LinesParams) -> Result<Place, Refusal> {
    let side = match lines.side.as_str() {
        "base" => Side::Base,
        "head" => Side::Head,
        _ => return Err(Refusal::new(Code::Params, "`lines.side` is `base` or `head`")),
    };
    let end_line = lines.end_line.unwrap_or(lines.line);
    Ok(Place { path: lines.path.as_str().into(), side, line: lines.line, end_line })
}

fn latest(shared: &Shared, address: &Address) -> Result<Reviewed, Refusal> {
    let reviews = shared.reviews.lock().unwrap_or_else(PoisonError::into_inner);
    let missing = "this change was not reviewed yet in this session: call `review` with the same url first";
    reviews.get(&address::key(address)).cloned().ok_or_else(|| Refusal::new(Code::Failed, missing))
}

fn part_of(review: &Review, part: &Value) -> Result<usize, Refusal> {
    let count = review.parts().len();
    let Some(at) = part.as_u64() else {
        return Err(Refusal::new(Code::Params, "`part` is the part's index in the latest review, counted from 0"));
    };
    usize::try_from(at).ok().filter(|at| *at < count).ok_or_else(|| {
        Refusal::new(Code::Params, format!("there is no part {at}: the latest review has {count}, counted from 0"))
    })
}

fn answers(shared: &Shared, params: Value) -> Result<Value, Refusal> {
    let AnswersParams { url } = read(params)?;
    let address = read_address(shared, &url)?;
    let (review, _) = latest(shared, &address)?;
    // Those of this session too: they are in the store.
    let answers = shared.engine.answers(&address).map_err(|problem| failed(&problem))?;
    let review = Review { answers, ..Review::clone(&review) };
    let mut found = Vec::new();
    for (at, part) in review.parts().iter().enumerate() {
        for (answer, stale) in review.answers_of(part) {
            let answer = stored::value(&Outcome::Answered(answer.clone()));
            found.push(json!({ "part": at, "stale": stale, "answer": answer }));
        }
    }
    Ok(json!({ "answers": found }))
}
