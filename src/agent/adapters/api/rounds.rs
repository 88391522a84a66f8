//! The loop: the model reads by the program's tools, then hands in its answer; or says honestly that it could not.
//!
//! How often an answer may be handed in is not counted here: the desk's replies end it.

use std::sync::Arc;

use serde_json::Value;

use super::client::{Call, CallResult, Conversation, End, Message, ModelClient, Offer, Turn};
use super::looked::Looked;
use super::patience;
use super::spent::Spent;
use crate::agent::tools::{Called, SUBMIT, SUBMIT_WORDS, Toolbox};
use crate::agent::{Desk, Ending, Event, Reply, Report, Request};
use crate::config::Api;

/// Turns in which the tools may be used.
const ROUNDS: u32 = 12;
/// Turns after those, in which only the answer can be handed in.
const LAST_ROUNDS: u32 = 2;
/// Calls of one turn that are done; the others are told to come again.
const CALLS: usize = 16;
/// Bytes of results after which only the answer can be handed in: more would not fit beside the question.
const READ_BYTES: usize = 400_000;

/// What is said when only the answer can be handed in.
const ANSWER_NOW: &str = "\n\nNothing more can be read. Answer now, from what you have read: call `submit_answer`.";

/// A question as it stands between turns. It is kept from run to run, so that a nudge continues it.
#[derive(Debug, Clone, Default)]
pub(super) struct Talk {
    conversation: Conversation,
    rounds: u32,
    read: usize,
    looked: Looked,
    /// What it cost so far.
    pub(super) spent: Spent,
}

impl Talk {
    /// Begins a question, or goes on with it after the note of a later run.
    pub(super) fn ask(&mut self, request: &Request) {
        let note = request.note.as_deref();
        if self.conversation.messages.is_empty() {
            self.conversation.system.clone_from(&request.instructions);
            let asked = note.map_or(request.prompt.clone(), |note| format!("{}\n{note}", request.prompt));
            self.conversation.messages.push(Message::Asked(asked));
        } else if let Some(note) = note {
            self.conversation.messages.push(Message::Asked(note.to_owned()));
        }
    }

    fn has_time_to_read(&self) -> bool {
        self.rounds < ROUNDS && self.read < READ_BYTES
    }

    fn met(&self) -> Ending {
        let how = if self.read < READ_BYTES {
            format!("{ROUNDS} rounds of reading")
        } else {
            format!("{} kB of reading", self.read / 1000)
        };
        let looked = self.looked.words();
        Ending::BudgetMet(format!("{how} and {LAST_ROUNDS} turns for the answer alone brought none; {looked}"))
    }
}

/// What stays the same over all turns.
pub(super) struct Rounds<'a> {
    /// Who takes the turns.
    pub(super) client: &'a dyn ModelClient,
    /// Where answers are handed in.
    pub(super) desk: &'a Desk,
    /// The tools.
    pub(super) tools: &'a Arc<Toolbox>,
    /// The schema of the answer.
    pub(super) schema: &'a Value,
    /// The reviewer's prices.
    pub(super) prices: &'a Api,
}

impl Rounds<'_> {
    /// Takes turns until the run ends.
    pub(super) async fn run(&self, talk: &mut Talk) -> Ending {
        let mut last = 0;
        let mut text_tried = false;
        loop {
            let reading = talk.has_time_to_read();
            if !reading {
                if last == LAST_ROUNDS {
                    return talk.met();
                }
                last += 1;
            }
            let turn = match self.turn(talk, reading).await {
                Ok(turn) => turn,
                Err(ending) => return ending,
            };
            talk.conversation.messages.push(Message::Said(turn.clone()));
            if turn.calls.is_empty() {
                if text_tried || !is_json(&turn.text) {
                    return Ending::Finished;
                }
                text_tried = true;
                match self.desk.submit(turn.text).await {
                    Reply::SentBack(note) => talk.conversation.messages.push(Message::Asked(note)),
                    Reply::Accepted | Reply::Closed => return Ending::Finished,
                }
            } else {
                match self.answer_calls(talk, &turn.calls, reading).await {
                    Some(results) => talk.conversation.messages.push(Message::Results(results)),
                    None => return Ending::Finished,
                }
            }
            talk.rounds += 1;
            if reading && !talk.has_time_to_read() {
                say_last(&mut talk.conversation);
            }
        }
    }

    /// One turn, reported; an ending where there is none that can be gone on from.
    async fn turn(&self, talk: &mut Talk, reading: bool) -> Result<Turn, Ending> {
        let offers = self.offers(reading);
        let turn = patience::turn(self.client, &talk.conversation, &offers, self.desk).await?;
        talk.spent.add(turn.tokens);
        let (tokens, cost) = (talk.spent.tokens(), talk.spent.cost(self.prices));
        let report = Report { model: turn.model.clone(), tokens, cost, ..Report::default() };
        self.desk.say(Event::Report(report)).await;
        match turn.end {
            End::Whole => Ok(turn),
            End::Cut => Err(Ending::Died("the model's answer was cut off at the limit of its output".to_owned())),
            End::HeldBack => Err(Ending::Declined("the model, or its provider, declined to answer this".to_owned())),
        }
    }

    fn offers(&self, reading: bool) -> Vec<Offer> {
        let submit = Offer { name: SUBMIT.to_owned(), words: SUBMIT_WORDS.to_owned(), schema: self.schema.clone() };
        let tools = self.tools.tools().iter().filter(|_| reading).map(|tool| Offer {
            name: tool.name().to_owned(),
            words: tool.description().to_owned(),
            schema: tool.schema(),
        });
        tools.chain([submit]).collect()
    }

    /// Answers every call of a turn, in order; none where an answer among them ended the run.
    async fn answer_calls(&self, talk: &mut Talk, calls: &[Call], reading: bool) -> Option<Vec<CallResult>> {
        let mut results = Vec::with_capacity(calls.len());
        for (at, call) in calls.iter().enumerate() {
            let text = if at >= CALLS {
                format!("Not done: at most {CALLS} calls of one turn are done. Call again for what you still need.")
            } else if call.name == SUBMIT {
                match self.desk.submit(as_text(&call.arguments)).await {
                    Reply::SentBack(note) => note,
                    Reply::Accepted | Reply::Closed => return None,
                }
            } else if reading {
                self.read(talk, call).await
            } else {
                format!("Not done: only `{SUBMIT}` can be called now.")
            };
            results.push(CallResult { id: call.id.clone(), text });
        }
        Some(results)
    }

    async fn read(&self, talk: &mut Talk, call: &Call) -> String {
        let doing = self.tools.doing(&call.name, &call.arguments);
        self.desk.say(Event::Doing(doing.clone())).await;
        let (tools, call) = (Arc::clone(self.tools), call.clone());
        let done = tokio::task::spawn_blocking(move || tools.call(&call.name, &call.arguments)).await;
        let Called { text, failed } =
            done.unwrap_or_else(|_| Called { text: "The tool broke off. Try another way.".to_owned(), failed: true });
        talk.read += text.len();
        if failed {
            talk.looked.failed()
        } else {
            talk.looked.found(&doing)
        }
        text
    }
}

/// Says, behind the last result, that only the answer is wanted now. A message of its own would not do: some servers
/// want the model's turn after the results of its calls.
fn say_last(conversation: &mut Conversation) {
    match conversation.messages.last_mut() {
        Some(Message::Results(results)) => {
            if let Some(result) = results.last_mut() {
                result.text.push_str(ANSWER_NOW);
            }
        }
        Some(Message::Asked(note)) => note.push_str(ANSWER_NOW),
        _ => {}
    }
}

/// Whether a text is one JSON value that can be an answer; it may stand in one fenced block.
fn is_json(text: &str) -> bool {
    json_of(text).is_some_and(|value| value.is_object())
}

fn json_of(text: &str) -> Option<Value> {
    let text = text.trim();
    let inside =
        text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")).and_then(|rest| rest.split_once('\n'));
    serde_json::from_str(inside.map_or(text, |(_, body)| body)).ok()
}

/// Arguments as the text of an answer: what was no object is judged as it came.
fn as_text(arguments: &Value) -> String {
    match arguments {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
#[path = "rounds_tests.rs"]
mod tests;
