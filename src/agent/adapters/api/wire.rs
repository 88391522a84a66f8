//! One turn on the wire, by genai: our conversation out, the streamed turn back, whole or not at all.
//!
//! Only the server of the settings is contacted, at one address; no redirect is followed, nothing is tried again here,
//! and a stream that ends without its end is a failure.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use genai::adapter::AdapterKind;
use genai::chat::{
    CacheControl, ChatFrameSink, ChatMessage, ChatOptions, ChatRequest, ChatStreamEvent, ContentPart, FrameCtx,
    MessageContent, RawFrameRef, ReasoningEffort, StopReason, StreamEnd, Tool, ToolCall, ToolResponse,
};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, Headers, ModelIden, ServiceTarget};
use hyper_rustls::ConfigBuilderExt;
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};

use super::client::{Call, Conversation, End, Failure, Message, ModelClient, Offer, Turn};
use super::failure::Teller;
use super::key::Key;
use super::server::Server;
use crate::agent::Task;
use crate::config::Dialect;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(15);
/// Bytes of the longest streamed turn.
const LONGEST: usize = 8 << 20;
/// The version of Anthropic's messages that is spoken.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// What the wire keeps of a turn to send it back: thinking with its signature, among others. Empty in tests.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept(Option<MessageContent>);

/// Takes turns over the network.
pub(super) struct Wire {
    client: Client,
    server: Server,
    model: String,
    effort: Option<ReasoningEffort>,
    key: Option<Key>,
    teller: Teller,
}

impl Wire {
    /// Makes the connections' client; connects to nothing yet.
    ///
    /// # Errors
    /// Why there can be no connection, in one sentence.
    pub(super) fn new(
        server: Server,
        model: String,
        effort: Option<ReasoningEffort>,
        key: Option<Key>,
        why_none: &str,
    ) -> Result<Self, String> {
        let mut builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls(server.is_here())?)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .user_agent(concat!("second-look/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .no_gzip()
            .http1_only();
        if server.is_here() {
            builder = builder.no_proxy();
        }
        let reqwest = builder.build().map_err(|_| "the connection's client cannot be made".to_owned())?;
        let client = Client::builder().with_reqwest(reqwest).build();
        let client = client.map_err(|_| "the model's client cannot be made".to_owned())?;
        let teller =
            Teller { host: server.host(), model: model.clone(), why_none: why_none.to_owned(), key: key.clone() };
        Ok(Self { client, server, model, effort, key, teller })
    }

    fn target(&self) -> ServiceTarget {
        let (kind, mut headers) = match self.server.dialect() {
            Dialect::Anthropic => (AdapterKind::Anthropic, Headers::from(("anthropic-version", ANTHROPIC_VERSION))),
            Dialect::OpenAi => (AdapterKind::OpenAI, Headers::default()),
        };
        match (&self.key, kind) {
            (None, _) => {}
            (Some(key), AdapterKind::Anthropic) => headers.merge(("x-api-key", key.expose())),
            (Some(key), _) => headers.merge(("authorization", format!("Bearer {}", key.expose()))),
        }
        let url = self.server.turns();
        ServiceTarget {
            // Not used: the address and the headers below are whole. genai wants one that it can read.
            endpoint: Endpoint::from_owned(url.as_str()),
            auth: AuthData::RequestOverride { url, headers },
            model: ModelIden::new(kind, self.model.as_str()),
        }
    }

    fn options(&self, seen: &Arc<Seen>) -> ChatOptions {
        let mut options = ChatOptions::default()
            .with_capture_usage(true)
            .with_capture_content(true)
            .with_capture_tool_calls(true)
            .with_capture_reasoning_content(true)
            .with_raw_frame_sink_arc(Arc::clone(seen) as Arc<dyn ChatFrameSink>)
            // The name as it was chosen: genai reads an effort from names that end in a word like `-max`, and cuts it off.
            .with_extra_body(json!({ "model": self.model }));
        let guessed = || ReasoningEffort::from_model_name(&self.model).0.map(|_| self.no_effort());
        options.reasoning_effort = self.effort.clone().or_else(guessed);
        options
    }

    /// What makes genai say nothing about effort.
    fn no_effort(&self) -> ReasoningEffort {
        match self.server.dialect() {
            Dialect::Anthropic => ReasoningEffort::Zero,
            Dialect::OpenAi => ReasoningEffort::Budget(0),
        }
    }

    async fn stream(&self, conversation: &Conversation, offers: &[Offer]) -> Result<Turn, Failure> {
        let seen = Arc::new(Seen::default());
        let options = self.options(&seen);
        let request = self.request(conversation, offers);
        let begun = self.client.exec_chat_stream(self.target(), request, Some(&options)).await;
        let mut stream = begun.map_err(|error| self.teller.failure(error, false))?.stream;
        while let Some(event) = stream.next().await {
            let began = seen.bytes() > 0;
            match event.map_err(|error| self.teller.failure(error, began))? {
                ChatStreamEvent::End(end) => return Ok(self.read(end, &seen)),
                _ if seen.bytes() > LONGEST => {
                    return Err(self.teller.broken(&format!("sent more than {LONGEST} bytes in one answer")));
                }
                _ => {}
            }
        }
        Err(self.teller.broken("ended its answer in the middle"))
    }

    fn request(&self, conversation: &Conversation, offers: &[Offer]) -> ChatRequest {
        let mut messages: Vec<ChatMessage> = conversation.messages.iter().map(message).collect();
        // Anthropic reads again, at full price, what it was not told to remember: everything up to here.
        if self.server.dialect() == Dialect::Anthropic
            && let Some(last) = messages.pop()
        {
            messages.push(last.with_options(CacheControl::Ephemeral));
        }
        let tools = offers.iter().map(|offer| {
            Tool::new(offer.name.as_str()).with_description(&offer.words).with_schema(offer.schema.clone())
        });
        ChatRequest::new(messages).with_system(&conversation.system).with_tools(tools)
    }

    fn read(&self, end: StreamEnd, seen: &Seen) -> Turn {
        let hide = |text: &str| self.key.as_ref().map_or(text.to_owned(), |key| key.hide(text));
        let mut content = end.captured_content.unwrap_or_default();
        let calls: Vec<Call> = content.tool_calls().into_iter().map(|call| read_call(call, &hide)).collect();
        // DeepSeek and Kimi want their thinking back with the results of calls; it is no part of the content.
        let thinking = end.captured_reasoning_content.filter(|_| self.server.dialect() == Dialect::OpenAi);
        if let Some(thinking) = thinking.filter(|_| !calls.is_empty() && !content.contains_reasoning_content()) {
            content.insert(0, ContentPart::ReasoningContent(thinking));
        }
        let usage = end.captured_usage.and_then(|usage| {
            let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok());
            Some((count(usage.prompt_tokens)?, count(usage.completion_tokens)?))
        });
        Turn {
            text: hide(&content.texts().join("\n\n")),
            calls,
            end: match end.captured_stop_reason {
                Some(StopReason::MaxTokens(_)) => End::Cut,
                Some(StopReason::ContentFilter(_)) => End::HeldBack,
                _ => End::Whole,
            },
            model: seen.model().map(|model| hide(&model)),
            tokens: usage,
            kept: Kept(Some(sendable(content))),
        }
    }
}

impl ModelClient for Wire {
    fn turn<'a>(&'a self, conversation: &'a Conversation, offers: &'a [Offer]) -> Task<'a, Result<Turn, Failure>> {
        Box::pin(self.stream(conversation, offers))
    }
}

fn message(message: &Message) -> ChatMessage {
    match message {
        Message::Asked(text) => ChatMessage::user(text.as_str()),
        Message::Said(turn) => ChatMessage::assistant(turn.kept.0.clone().unwrap_or_default()),
        Message::Results(results) => {
            let results = results.iter().map(|result| ToolResponse::new(result.id.as_str(), result.text.as_str()));
            ChatMessage::from(results.collect::<Vec<_>>())
        }
    }
}

/// A call as it came; arguments that are no object stay a text, none at all are an empty object.
fn read_call(call: &ToolCall, hide: &dyn Fn(&str) -> String) -> Call {
    let arguments = match &call.fn_arguments {
        Value::Null => json!({}),
        Value::String(text) if text.is_empty() => json!({}),
        Value::String(text) => Value::String(hide(text)),
        object @ Value::Object(_) => {
            let text = object.to_string();
            let hidden = hide(&text);
            if hidden == text { object.clone() } else { serde_json::from_str(&hidden).unwrap_or(Value::String(hidden)) }
        }
        other => Value::String(hide(&other.to_string())),
    };
    Call { id: call.call_id.clone(), name: call.fn_name.clone(), arguments }
}

/// The turn as it can be sent back: servers refuse calls whose arguments are no object, their own too.
fn sendable(content: MessageContent) -> MessageContent {
    let parts = content.into_parts().into_iter().map(|part| match part {
        ContentPart::ToolCall(mut call) if !call.fn_arguments.is_object() => {
            call.fn_arguments = json!({});
            ContentPart::ToolCall(call)
        }
        part => part,
    });
    MessageContent::from_parts(parts.collect::<Vec<_>>())
}

/// What is seen of the stream itself.
#[derive(Debug, Default)]
struct Seen {
    bytes: AtomicUsize,
    model: Mutex<Option<String>>,
}

impl Seen {
    fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    fn model(&self) -> Option<String> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The highest position among the calls of a turn that is believed.
const HIGHEST_CALL: u64 = 255;

/// Whether an event counts calls up to a number that no turn has. genai makes room for all of them at once, and the
/// program would end for want of memory.
fn is_absurd(event: &Value) -> bool {
    let choices = event.get("choices").and_then(Value::as_array).into_iter().flatten();
    let calls = choices.filter_map(|choice| choice.pointer("/delta/tool_calls").and_then(Value::as_array)).flatten();
    let mut numbers = calls.filter_map(|call| call.get("index")).filter(|index| index.is_number());
    numbers.any(|index| index.as_u64().is_none_or(|index| index > HIGHEST_CALL))
}

impl ChatFrameSink for Seen {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        let before = self.bytes.fetch_add(frame.data.len().max(1), Ordering::Relaxed);
        let data = frame.json();
        // This is called before the event is read, and has no other way to keep it from being read: the question's own
        // task ends here, without a word, and whoever waits for it says so.
        if before > LONGEST + frame.data.len() || data.as_ref().is_some_and(is_absurd) {
            std::panic::resume_unwind(Box::new("an event that cannot be read"));
        }
        let mut model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        if model.is_none()
            && let Some(data) = data
        {
            // Anthropic names it in its first event, OpenAI in each.
            let named = data.pointer("/message/model").or_else(|| data.get("model"));
            *model = named.and_then(Value::as_str).map(|name| name.chars().take(200).collect());
        }
    }
}

fn tls(plain: bool) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be used: {error}"))?;
    let native = || builder.clone().with_native_roots();
    let builder = match native() {
        Ok(builder) => builder,
        // Plain http to this machine needs no certificates.
        Err(_) if plain => builder.with_root_certificates(RootCertStore::empty()),
        Err(_) => return Err("this system has no certificate authorities that can be read".to_owned()),
    };
    Ok(builder.with_no_client_auth())
}
