//! A model API on loopback: plays turns from a script in the dialects of Anthropic's messages, OpenAI's chat completions
//! and OpenAI's responses, streamed or whole, and keeps every request.
//!
//! The turn to play is picked by what the request's conversation holds already (rounds of tool results, and the model's
//! turns of text alone), so a request that is made again gets the same turn. The last turn repeats.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use super::http::{Ending, Gate, Request, Response, Server};
use super::said::{ANSWERS, Said};

/// How long anything may take to be asked before a test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// One turn of the model.
#[derive(Debug, Clone)]
pub struct Turn {
    kind: Kind,
    /// What happens to the first requests for this turn instead, one after the other.
    first: Vec<Kind>,
}

#[derive(Debug, Clone)]
enum Kind {
    Said { text: Option<String>, calls: Vec<(String, Value)>, stop: Option<&'static str> },
    Answer(Response),
    Broken(Box<Kind>, Breaks),
}

/// Where a streamed turn breaks.
#[derive(Debug, Clone)]
enum Breaks {
    /// After its first events, as if it had ended.
    Ends,
    /// In the middle, by a closed connection.
    Closes,
    /// In the middle, by silence.
    Hangs(Arc<Gate>),
    /// Its second event is no JSON.
    Garbles,
}

impl Turn {
    /// Calls one tool.
    pub fn call(name: &str, arguments: Value) -> Self {
        Self::calls(&[(name, arguments)])
    }

    /// Calls several tools at once.
    pub fn calls(calls: &[(&str, Value)]) -> Self {
        let calls = calls.iter().map(|(name, arguments)| ((*name).to_owned(), arguments.clone())).collect();
        Self::of(Kind::Said { text: None, calls, stop: None })
    }

    /// Says something, and calls nothing.
    pub fn text(text: &str) -> Self {
        Self::of(Kind::Said { text: Some(text.to_owned()), calls: Vec::new(), stop: None })
    }

    /// Answers an error with the message that vendors give.
    pub fn status(status: u16, message: &str) -> Self {
        let body = json!({ "type": "error", "error": { "type": "scripted", "message": message } });
        Self::of(Kind::Answer(Response::new(status, "application/json", body.to_string())))
    }

    /// Answers this, whatever the dialect.
    pub fn answer(response: Response) -> Self {
        Self::of(Kind::Answer(response))
    }

    /// Closes without an answer.
    pub fn dropped() -> Self {
        let mut response = Response::new(200, "text/event-stream", "");
        response.ending = Ending::Nothing;
        Self::of(Kind::Answer(response))
    }

    fn of(kind: Kind) -> Self {
        Self { kind, first: Vec::new() }
    }

    /// Says something before it calls.
    pub fn saying(mut self, words: &str) -> Self {
        if let Kind::Said { text, .. } = &mut self.kind {
            *text = Some(words.to_owned());
        }
        self
    }

    /// Adds a header to a turn that is an answer.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Kind::Answer(response) = self.kind {
            self.kind = Kind::Answer(response.with(name, value));
        }
        self
    }

    /// Stops at the limit of its output.
    pub fn at_its_limit(mut self) -> Self {
        if let Kind::Said { stop, .. } = &mut self.kind {
            *stop = Some("length");
        }
        self
    }

    /// The stream ends after its first events, without its end.
    pub fn ends_early(self) -> Self {
        self.breaks(Breaks::Ends)
    }

    /// The connection closes in the middle of the stream.
    pub fn closes(self) -> Self {
        self.breaks(Breaks::Closes)
    }

    /// The stream falls silent in its middle, until the server is gone.
    pub fn hangs(self) -> Self {
        self.breaks(Breaks::Hangs(Arc::default()))
    }

    /// An event of the stream is no JSON.
    pub fn garbles(self) -> Self {
        self.breaks(Breaks::Garbles)
    }

    fn breaks(self, how: Breaks) -> Self {
        Self { kind: Kind::Broken(Box::new(self.kind), how), first: self.first }
    }

    /// So many requests for this turn get the other one first.
    pub fn after(mut self, times: usize, other: &Self) -> Self {
        self.first.extend(std::iter::repeat_n(other.kind.clone(), times));
        self
    }
}

/// A running model API; it stops when dropped.
pub struct Model {
    server: Server,
    state: Arc<Mutex<State>>,
    asked: Arc<Condvar>,
}

struct State {
    turns: Vec<Turn>,
    /// How often each turn was asked for.
    played: BTreeMap<usize, usize>,
    requests: Vec<Request>,
    calls: usize,
}

impl Model {
    /// Serves these turns.
    pub fn start(turns: Vec<Turn>) -> Self {
        let state = State { turns, played: BTreeMap::new(), requests: Vec::new(), calls: 0 };
        let (state, asked) = (Arc::new(Mutex::new(state)), Arc::new(Condvar::new()));
        let (of, told) = (Arc::clone(&state), Arc::clone(&asked));
        let server = Server::start(move |request| {
            let response = answer(&of, &request);
            told.notify_all();
            response
        });
        Self { server, state, asked }
    }

    /// Its address, as settings name it.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.server.address())
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Request> {
        self.state.lock().unwrap().requests.clone()
    }

    /// The bodies of the turns that were asked for, in order.
    pub fn bodies(&self) -> Vec<Value> {
        let requests = self.requests();
        let turns = requests.iter().filter(|request| request.method == "POST");
        turns.map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
    }

    /// Waits until so many requests were made.
    pub fn waits_for(&self, requests: usize) {
        let state = self.state.lock().unwrap();
        let too_few = |state: &mut State| state.requests.len() < requests;
        let (state, late) = self.asked.wait_timeout_while(state, PATIENCE, too_few).unwrap();
        assert!(!late.timed_out(), "only {} requests came", state.requests.len());
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        for turn in &self.state.lock().unwrap().turns {
            for kind in turn.first.iter().chain([&turn.kind]) {
                if let Kind::Broken(_, Breaks::Hangs(gate)) = kind {
                    gate.open();
                }
            }
        }
    }
}

fn answer(state: &Mutex<State>, request: &Request) -> Response {
    let mut state = state.lock().unwrap();
    state.requests.push(request.clone());
    let path = request.path();
    if request.method != "POST" {
        let model = json!({ "id": ANSWERS, "object": "model", "type": "model", "display_name": ANSWERS });
        return whole(&json!({ "object": "list", "data": [model] }));
    }
    if path.ends_with("/count_tokens") {
        return whole(&json!({ "input_tokens": 10 }));
    }
    let dialect = match path {
        path if path.ends_with("/messages") => Dialect::Messages,
        path if path.ends_with("/chat/completions") => Dialect::Chat,
        path if path.ends_with("/responses") => Dialect::Responses,
        _ => return Response::new(404, "application/json", "{\"error\": {\"message\": \"no such path\"}}"),
    };
    let Ok(body) = serde_json::from_slice::<Value>(&request.body) else {
        return Response::new(400, "application/json", "{\"error\": {\"message\": \"this is no JSON\"}}");
    };
    let at = done(&body).min(state.turns.len() - 1);
    let turn = state.turns[at].clone();
    let played = state.played.entry(at).or_default();
    let kind = turn.first.get(*played).unwrap_or(&turn.kind).clone();
    *played += 1;
    state.calls += 1;
    dialect.play(&kind, state.calls, body["stream"] == json!(true))
}

fn whole(value: &Value) -> Response {
    Response::new(200, "application/json", value.to_string())
}

/// How many turns the conversation of a request holds, whatever its dialect.
fn done(body: &Value) -> usize {
    let items = body["messages"].as_array().or(body["input"].as_array()).cloned().unwrap_or_default();
    let holds = |item: &Value, kind: &str| {
        item["content"].as_array().is_some_and(|parts| parts.iter().any(|part| part["type"] == kind))
    };
    let (mut turns, mut in_results, mut spoke) = (0, false, false);
    for item in &items {
        let kind = item["type"].as_str().unwrap_or_default();
        let results = item["role"] == "tool" || holds(item, "tool_result") || kind.ends_with("_call_output");
        let calls = holds(item, "tool_use") || item["tool_calls"].is_array() || kind.ends_with("_call");
        if results {
            turns += usize::from(!in_results);
            spoke = false;
        } else if calls {
            spoke = false;
        } else if item["role"] == "assistant" {
            spoke = true;
        } else if spoke && item["role"] == "user" {
            // The model said something, called nothing, and was answered.
            turns += 1;
            spoke = false;
        }
        in_results = results;
    }
    turns
}

#[derive(Debug, Clone, Copy)]
enum Dialect {
    Messages,
    Chat,
    Responses,
}

impl Dialect {
    fn play(self, kind: &Kind, number: usize, streamed: bool) -> Response {
        match kind {
            Kind::Answer(response) => response.clone(),
            Kind::Said { text, calls, stop } => {
                let said = Said { text: text.as_deref(), calls, stop: *stop, number };
                if streamed { self.stream(&self.events(&said)) } else { whole(&self.message(&said)) }
            }
            Kind::Broken(inner, how) => {
                let Kind::Said { text, calls, stop } = inner.as_ref() else {
                    return self.play(inner, number, streamed);
                };
                let mut events = self.events(&Said { text: text.as_deref(), calls, stop: *stop, number });
                match how {
                    Breaks::Ends => {
                        events.truncate(2);
                        self.unended(&events)
                    }
                    Breaks::Closes => self.ending(&events, Ending::Half),
                    Breaks::Hangs(gate) => self.ending(&events, Ending::Held(Arc::clone(gate))),
                    Breaks::Garbles => {
                        let mut response = self.stream(&events);
                        let (good, bad) = match self {
                            Self::Messages => ("\"content_block\":", "\"content_block\"="),
                            Self::Chat => ("\"choices\":", "\"choices\"="),
                            Self::Responses => ("\"item\":", "\"item\"="),
                        };
                        response.body = String::from_utf8(response.body).unwrap().replacen(good, bad, 1).into();
                        response
                    }
                }
            }
        }
    }

    fn ending(self, events: &[Value], ending: Ending) -> Response {
        Response { ending, ..self.stream(events) }
    }

    fn stream(self, events: &[Value]) -> Response {
        let mut response = self.unended(events);
        if matches!(self, Self::Chat) {
            response.body.extend(b"data: [DONE]\n\n");
        }
        response
    }

    fn unended(self, events: &[Value]) -> Response {
        let text: String = events
            .iter()
            .map(|event| match (self, event["type"].as_str()) {
                (Self::Messages | Self::Responses, Some(name)) => format!("event: {name}\ndata: {event}\n\n"),
                _ => format!("data: {event}\n\n"),
            })
            .collect();
        Response::new(200, "text/event-stream", text)
    }

    fn message(self, said: &Said<'_>) -> Value {
        match self {
            Self::Messages => said.anthropic(),
            Self::Chat => said.completion(),
            Self::Responses => said.response(),
        }
    }

    fn events(self, said: &Said<'_>) -> Vec<Value> {
        match self {
            Self::Messages => said.anthropic_events(),
            Self::Chat => said.completion_events(),
            Self::Responses => said.response_events(),
        }
    }
}
