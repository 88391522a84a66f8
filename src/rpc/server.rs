//! Reads lines, runs each request as a task of its own, and writes what comes of it, one line at a time.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinSet;

use super::shared::Shared;
use super::wire::{self, Code, Id, LINE_LIMIT, Refusal, Request};
use super::{VERSION, methods};
use crate::agent::adapters;
use crate::engine::Engine;
use crate::problem::Problem;
use crate::text::escaped_json;

/// Serves one client until its input ends or it asks for `shutdown`. What runs at the end of the input is waited for.
///
/// # Errors
/// A [`Problem`] where the input cannot be read.
pub async fn serve(
    engine: Arc<Engine>,
    folder: PathBuf,
    mut input: impl AsyncBufRead + Unpin,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), Problem> {
    let (lines, mut outgoing) = unbounded_channel::<String>();
    let mut writer = tokio::spawn(async move {
        let mut output = output;
        while let Some(mut line) = outgoing.recv().await {
            line = escaped_json(line) + "\n";
            let written = async {
                output.write_all(line.as_bytes()).await?;
                output.flush().await
            };
            if written.await.is_err() {
                return;
            }
        }
    });
    let shared = Arc::new(Shared::new(engine, folder, lines));
    let mut tasks = JoinSet::new();
    let served = async {
        let ended = read_all(&shared, &mut input, &mut tasks).await;
        while tasks.join_next().await.is_some() {}
        ended
    };
    let ended = tokio::select! {
        ended = served => ended,
        // Nobody can hear an answer any more: what runs is dropped, and with it what it started.
        _ = &mut writer => return Ok(()),
    };
    if let Ok(Some(shutdown)) = &ended {
        shared.reply(Some(shutdown), Ok(json!({})));
    }
    drop(shared);
    // A writer that failed has nobody left to write to.
    let _ = writer.await;
    ended.map(drop)
}

/// Takes lines until the end of the input, or a `shutdown`, whose id comes back.
async fn read_all(
    shared: &Arc<Shared>,
    input: &mut (impl AsyncBufRead + Unpin),
    tasks: &mut JoinSet<()>,
) -> Result<Option<Id>, Problem> {
    let mut initialised = false;
    loop {
        while tasks.try_join_next().is_some() {}
        let line = match next_line(input).await? {
            None => return Ok(None),
            Some(Ok(line)) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Some(Ok(line)) => line,
            Some(Err(refusal)) => {
                shared.reply(None, Err(refusal));
                continue;
            }
        };
        let request = match wire::read(&line) {
            Ok(request) => request,
            Err(unread) => {
                let (id, refusal) = *unread;
                shared.reply(id.as_ref(), Err(refusal));
                continue;
            }
        };
        match request.method.as_str() {
            "initialize" => {
                let outcome = initialize(&shared.engine, &request.params);
                initialised |= outcome.is_ok();
                shared.reply(Some(&request.id), outcome);
            }
            _ if !initialised => {
                let refusal = Refusal::new(Code::NotInitialised, "call `initialize` with protocolVersion 1 first");
                shared.reply(Some(&request.id), Err(refusal));
            }
            "shutdown" => {
                shared.cancel_all();
                return Ok(Some(request.id));
            }
            _ => run(shared, request, tasks),
        }
    }
}

fn run(shared: &Arc<Shared>, request: Request, tasks: &mut JoinSet<()>) {
    let Some(cancelled) = shared.enter(&request.id) else {
        let refusal = Refusal::new(Code::Request, "a request of this id runs already: give each its own");
        return shared.reply(Some(&request.id), Err(refusal));
    };
    let shared = Arc::clone(shared);
    tasks.spawn(async move {
        let id = request.id.clone();
        let outcome = methods::run(&shared, request, cancelled).await;
        shared.leave(&id);
        shared.reply(Some(&id), outcome);
    });
}

fn initialize(engine: &Engine, params: &Value) -> Result<Value, Refusal> {
    match params.get("protocolVersion").and_then(Value::as_u64) {
        Some(VERSION) => {
            let asks: Vec<Value> = engine
                .asks()
                .iter()
                .map(|ask| json!({ "ask": ask.kind(), "title": ask.card().title, "takes": ask.card().takes.word() }))
                .collect();
            let agents: Vec<&str> = adapters::table().iter().map(|kind| kind.name).collect();
            Ok(json!({
                "protocolVersion": VERSION,
                "program": "second-look",
                "version": env!("CARGO_PKG_VERSION"),
                "asks": asks,
                "agents": agents,
            }))
        }
        Some(other) => Err(Refusal::new(
            Code::Version,
            format!("protocol version {other} is not spoken here: this program speaks version {VERSION}"),
        )
        .with(json!({ "protocolVersion": VERSION }))),
        None => Err(Refusal::new(Code::Params, "`protocolVersion` is missing or no number")),
    }
}

/// The next line without its line feed; none at the end of the input. One that is too long is read away.
async fn next_line(input: &mut (impl AsyncBufRead + Unpin)) -> Result<Option<Result<Vec<u8>, Refusal>>, Problem> {
    let (mut line, mut too_long) = (Vec::new(), false);
    loop {
        let failed = |error: std::io::Error| Problem::new(format!("standard input cannot be read: {error}"));
        let (used, ended) = {
            let piece = input.fill_buf().await.map_err(failed)?;
            if piece.is_empty() {
                match (line.is_empty(), too_long) {
                    (true, false) => return Ok(None),
                    _ => (0, true),
                }
            } else {
                let end = piece.iter().position(|byte| *byte == b'\n');
                let part = &piece[..end.unwrap_or(piece.len())];
                too_long |= line.len() + part.len() > LINE_LIMIT;
                if !too_long {
                    line.extend_from_slice(part);
                }
                (part.len() + usize::from(end.is_some()), end.is_some())
            }
        };
        input.consume(used);
        if ended {
            let refusal = || Refusal::new(Code::Request, format!("a line has at most {LINE_LIMIT} bytes"));
            return Ok(Some(if too_long { Err(refusal()) } else { Ok(line) }));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::ask::sixth::Rename;
    use crate::config::{Folders, Settings};
    use crate::engine::Setup;
    use tokio::io::BufReader;

    /// What comes back for lines sent to an engine with one ask more than the table has.
    async fn said(lines: &str) -> Vec<Value> {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str| folder.path().join(name);
        let folders = Folders { config: of("config"), data: of("data"), cache: of("cache") };
        let mut asks = crate::ask::table();
        asks.push(Box::new(Rename));
        let settings = Settings::read(&of("config.toml")).unwrap();
        let engine = Arc::new(Engine::new(Setup { settings, folders, offline: true, asks }).unwrap());
        let (output, mut read) = tokio::io::duplex(1 << 20);
        serve(engine, of("here"), BufReader::new(lines.as_bytes()), output).await.unwrap();
        let mut text = String::new();
        tokio::io::AsyncReadExt::read_to_string(&mut read, &mut text).await.unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[tokio::test]
    async fn a_further_ask_is_known_to_clients() {
        let lines = concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#,
            "\n\n",
            r#"{"jsonrpc":"2.0","id":2,"method":"ask","params":{"url":"demo","ask":"seventh","part":0}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":3,"method":"ask","params":{"url":"demo","ask":"rename","part":0}}"#,
            "\n",
        );
        let mut said = said(lines).await;
        said.sort_by_key(|said| said["id"].as_i64());
        let asks = said[0]["result"]["asks"].as_array().unwrap();
        assert_eq!(asks.last().unwrap(), &json!({ "ask": "rename", "title": "Find a better name", "takes": "part" }));
        let message = said[1]["error"]["message"].as_str().unwrap();
        assert!(
            message.starts_with("there is no ask `seventh`: the asks are explain, ") && message.ends_with(", rename")
        );
        // Known, so it is asked after a review only.
        assert_eq!(said[2]["error"]["code"], -32002);
    }

    #[tokio::test]
    async fn nothing_is_done_before_the_handshake_and_no_line_is_left_unanswered() {
        let said = said("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"shutdown\"}\nnot json\n[1]\n").await;
        let codes: Vec<_> = said.iter().map(|said| said["error"]["code"].as_i64().unwrap()).collect();
        assert_eq!(codes, [-32001, -32700, -32600]);
    }
}
