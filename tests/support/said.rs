//! A model's turn as each dialect writes it, whole and as the events of a stream.

use serde_json::{Value, json};

/// The model that answers, whatever was asked for.
pub const ANSWERS: &str = "replay-1-20260101";
/// Tokens that each turn reports as read; of these [`CACHED`] from a cache.
pub const INPUT: u64 = 1200;
pub const CACHED: u64 = 1000;
/// Tokens that each turn reports as written.
pub const OUTPUT: u64 = 80;

/// A turn with the number that makes its ids.
pub(super) struct Said<'a> {
    pub(super) text: Option<&'a str>,
    pub(super) calls: &'a [(String, Value)],
    pub(super) stop: Option<&'static str>,
    pub(super) number: usize,
}

impl Said<'_> {
    fn call_id(&self, at: usize) -> String {
        format!("call_{:04}_{at}", self.number)
    }

    pub(super) fn anthropic(&self) -> Value {
        let text = self.text.map(|text| json!({ "type": "text", "text": text }));
        let calls = self.calls.iter().enumerate().map(
            |(at, (name, input))| json!({ "type": "tool_use", "id": self.call_id(at), "name": name, "input": input }),
        );
        let stop = match (self.stop, self.calls.is_empty()) {
            (Some(_), _) => "max_tokens",
            (None, true) => "end_turn",
            (None, false) => "tool_use",
        };
        json!({
            "id": format!("msg_{}", self.number), "type": "message", "role": "assistant", "model": ANSWERS,
            "content": text.into_iter().chain(calls).collect::<Vec<_>>(),
            "stop_reason": stop, "stop_sequence": null, "usage": Self::anthropic_usage(),
        })
    }

    fn anthropic_usage() -> Value {
        json!({
            "input_tokens": INPUT - CACHED, "cache_read_input_tokens": CACHED, "cache_creation_input_tokens": 0,
            "output_tokens": OUTPUT,
        })
    }

    pub(super) fn anthropic_events(&self) -> Vec<Value> {
        let message = self.anthropic();
        let mut start = message.clone();
        (start["content"], start["stop_reason"]) = (json!([]), Value::Null);
        start["usage"]["output_tokens"] = json!(1);
        let mut events = vec![json!({ "type": "message_start", "message": start })];
        for (at, block) in message["content"].as_array().unwrap().iter().enumerate() {
            let mut empty = block.clone();
            let deltas = if block["type"] == "text" {
                empty["text"] = json!("");
                vec![json!({ "type": "text_delta", "text": block["text"] })]
            } else {
                empty["input"] = json!({});
                let input = block["input"].to_string();
                let (one, two) = halves(&input);
                [one, two].map(|part| json!({ "type": "input_json_delta", "partial_json": part })).to_vec()
            };
            events.push(json!({ "type": "content_block_start", "index": at, "content_block": empty }));
            let deltas = deltas.into_iter();
            events.extend(deltas.map(|delta| json!({ "type": "content_block_delta", "index": at, "delta": delta })));
            events.push(json!({ "type": "content_block_stop", "index": at }));
        }
        let delta = json!({ "stop_reason": message["stop_reason"], "stop_sequence": null });
        events.push(json!({ "type": "message_delta", "delta": delta, "usage": message["usage"] }));
        events.push(json!({ "type": "message_stop" }));
        events
    }

    fn finish(&self) -> &'static str {
        self.stop.unwrap_or(if self.calls.is_empty() { "stop" } else { "tool_calls" })
    }

    fn completion_usage() -> Value {
        json!({
            "prompt_tokens": INPUT, "completion_tokens": OUTPUT, "total_tokens": INPUT + OUTPUT,
            "prompt_tokens_details": { "cached_tokens": CACHED },
        })
    }

    fn completion_calls(&self) -> Vec<Value> {
        let calls = self.calls.iter().enumerate().map(|(at, (name, arguments))| {
            let function = json!({ "name": name, "arguments": arguments.to_string() });
            json!({ "index": at, "id": self.call_id(at), "type": "function", "function": function })
        });
        calls.collect()
    }

    pub(super) fn completion(&self) -> Value {
        let mut message = json!({ "role": "assistant", "content": self.text });
        if !self.calls.is_empty() {
            message["tool_calls"] = json!(self.completion_calls());
        }
        json!({
            "id": format!("cc_{}", self.number), "object": "chat.completion", "created": 1, "model": ANSWERS,
            "choices": [{ "index": 0, "message": message, "finish_reason": self.finish() }],
            "usage": Self::completion_usage(),
        })
    }

    pub(super) fn completion_events(&self) -> Vec<Value> {
        let chunk = |choices: Value| {
            let id = format!("cc_{}", self.number);
            json!({ "id": id, "object": "chat.completion.chunk", "created": 1, "model": ANSWERS, "choices": choices })
        };
        let delta = |delta: Value| chunk(json!([{ "index": 0, "delta": delta, "finish_reason": null }]));
        let mut events = vec![delta(json!({ "role": "assistant", "content": "" }))];
        events.extend(self.text.map(|text| delta(json!({ "content": text }))));
        for mut call in self.completion_calls() {
            // Arguments come in pieces; only the first names the call.
            let (one, two) = halves(call["function"]["arguments"].as_str().unwrap());
            let rest = json!({ "index": call["index"], "function": { "arguments": two } });
            call["function"]["arguments"] = json!(one);
            events.push(delta(json!({ "tool_calls": [call] })));
            events.push(delta(json!({ "tool_calls": [rest] })));
        }
        events.push(chunk(json!([{ "index": 0, "delta": {}, "finish_reason": self.finish() }])));
        let mut usage = chunk(json!([]));
        usage["usage"] = Self::completion_usage();
        events.push(usage);
        events
    }

    fn response_items(&self) -> Vec<Value> {
        let text = self.text.map(|text| {
            let part = json!({ "type": "output_text", "text": text, "annotations": [] });
            let id = format!("msg_{}", self.number);
            json!({ "type": "message", "id": id, "role": "assistant", "status": "completed", "content": [part] })
        });
        let calls = self.calls.iter().enumerate().map(|(at, (name, arguments))| {
            let id = self.call_id(at);
            // Codex names the tools of an MCP server by a namespace: `mcp__server/tool` here.
            let (namespace, name) =
                name.rsplit_once('/').map_or((None, name.as_str()), |(space, name)| (Some(space), name));
            let mut call = json!({
                "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name,
                "arguments": arguments.to_string(), "status": "completed",
            });
            if let Some(namespace) = namespace {
                call["namespace"] = json!(namespace);
            }
            call
        });
        text.into_iter().chain(calls).collect()
    }

    pub(super) fn response(&self) -> Value {
        let (status, why) = match self.stop {
            Some(_) => ("incomplete", json!({ "reason": "max_output_tokens" })),
            None => ("completed", Value::Null),
        };
        json!({
            "id": format!("resp_{}", self.number), "object": "response", "created_at": 1, "model": ANSWERS,
            "status": status, "output": self.response_items(), "error": null, "incomplete_details": why,
            "parallel_tool_calls": false, "tools": [],
            "usage": {
                "input_tokens": INPUT, "input_tokens_details": { "cached_tokens": CACHED },
                "output_tokens": OUTPUT, "output_tokens_details": { "reasoning_tokens": 0 },
                "total_tokens": INPUT + OUTPUT,
            },
        })
    }

    pub(super) fn response_events(&self) -> Vec<Value> {
        let whole = self.response();
        let mut begun = whole.clone();
        (begun["status"], begun["output"], begun["usage"]) = (json!("in_progress"), json!([]), Value::Null);
        let mut events = vec![json!({ "type": "response.created", "response": begun })];
        for (at, item) in self.response_items().iter().enumerate() {
            let mut begun = item.clone();
            begun["status"] = json!("in_progress");
            let id = item["id"].clone();
            let of = |kind: &str, more: Value| {
                let mut event = json!({ "type": kind, "item_id": id, "output_index": at });
                event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
                event
            };
            if item["type"] == "message" {
                let (part, text) = (&item["content"][0], &item["content"][0]["text"]);
                let empty = json!({ "type": "output_text", "text": "", "annotations": [] });
                begun["content"] = json!([]);
                events.push(json!({ "type": "response.output_item.added", "output_index": at, "item": begun }));
                events.push(of("response.content_part.added", json!({ "content_index": 0, "part": empty })));
                events.push(of("response.output_text.delta", json!({ "content_index": 0, "delta": text })));
                events.push(of("response.output_text.done", json!({ "content_index": 0, "text": text })));
                events.push(of("response.content_part.done", json!({ "content_index": 0, "part": part })));
            } else {
                let arguments = &item["arguments"];
                events.push(json!({ "type": "response.output_item.added", "output_index": at, "item": begun }));
                events.push(of("response.function_call_arguments.delta", json!({ "delta": arguments })));
                events.push(of("response.function_call_arguments.done", json!({ "arguments": arguments })));
            }
            events.push(json!({ "type": "response.output_item.done", "output_index": at, "item": item }));
        }
        let kind = if self.stop.is_some() { "response.incomplete" } else { "response.completed" };
        events.push(json!({ "type": kind, "response": whole }));
        for (at, event) in events.iter_mut().enumerate() {
            event["sequence_number"] = json!(at);
        }
        events
    }
}

/// A text in two pieces, between characters.
fn halves(text: &str) -> (&str, &str) {
    let middle = (text.len() / 2..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap();
    text.split_at(middle)
}
