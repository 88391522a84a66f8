//! The server over a real socket, spoken to by hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::sync::mpsc;

use super::super::tests::{ID, delivered, project, toolbox};
use super::super::{SUBMIT, Toolbox};
use super::gate::UNDER_WAY;
use super::{SECRET, SOCKET, Served, bridge, serve};
use crate::agent::{Event, Message, Reply, desk};

/// A server with everything around it.
struct Ground {
    folder: TempDir,
    tools: Arc<Toolbox>,
    served: Served,
    messages: mpsc::Receiver<Message>,
}

fn schema() -> Value {
    json!({"type": "object", "properties": {"says": {"type": "string"}}, "required": ["says"]})
}

fn private_folder() -> TempDir {
    tempfile::Builder::new().permissions(Permissions::from_mode(0o700)).tempdir().unwrap()
}

fn ground() -> Ground {
    let folder = private_folder();
    let tools = Arc::new(toolbox(project()));
    let (desk, messages) = desk();
    let served = serve(folder.path(), Arc::clone(&tools), schema(), desk).unwrap();
    Ground { folder, tools, served, messages }
}

impl Ground {
    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn secret(&self) -> String {
        std::fs::read_to_string(self.path().join(SECRET)).unwrap()
    }

    async fn connect(&self) -> UnixStream {
        UnixStream::connect(self.path().join(SOCKET)).await.unwrap()
    }

    /// A client that was let in and has shaken hands.
    async fn client(&self) -> Client<UnixStream> {
        let secret = self.secret();
        let mut stream = self.connect().await;
        stream.write_all(format!("{secret}\n").as_bytes()).await.unwrap();
        Client::hello(stream).await
    }
}

/// The other end, by hand.
struct Client<S> {
    stream: BufReader<S>,
    asked: u64,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Client<S> {
    async fn hello(stream: S) -> Self {
        let mut client = Self { stream: BufReader::new(stream), asked: 0 };
        let hello =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let answer = client.ask("initialize", hello).await;
        assert_eq!(answer["result"]["serverInfo"]["name"], "second-look", "{answer}");
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        assert!(answer["result"]["capabilities"]["tools"].is_object());
        client.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    async fn send(&mut self, message: Value) {
        self.stream.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.stream.read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        self.send(json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params})).await;
        let answer = self.hear().await;
        assert_eq!(answer["id"], self.asked, "{answer}");
        answer
    }

    /// Calls a tool: its text, and whether it is an error.
    async fn call(&mut self, name: &str, arguments: Value) -> (String, bool) {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": arguments})).await;
        let result = &answer["result"];
        assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{answer}");
        (result["content"][0]["text"].as_str().unwrap().to_owned(), result["isError"].as_bool().unwrap())
    }
}

#[tokio::test]
async fn lists_and_calls_every_tool() {
    let mut ground = ground();
    let mut client = ground.client().await;
    assert!(ground.served.connected() && !ground.served.submitted());
    let listed = client.ask("tools/list", json!({})).await;
    let listed = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["list_files", "find_files", "grep", "read_file", "show_diff", "submit_answer"]);
    for (tool, reading) in listed.iter().zip(ground.tools.tools()) {
        assert_eq!((&tool["inputSchema"], &tool["description"]), (&reading.schema(), &json!(reading.description())));
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
    }
    assert_eq!(listed[5]["inputSchema"], schema());
    for (name, arguments, part) in [
        ("list_files", json!({}), "executable run.sh (10 bytes)"),
        ("find_files", json!({"pattern": "*.png"}), "file logo.png (6 bytes)"),
        ("grep", json!({"pattern": "force"}), "> 4 | def close(self, force=False):"),
        ("read_file", json!({"path": "new.txt", "side": null}), "1 | new\n"),
        ("show_diff", json!({"path": "gone.txt"}), "- base 1 | gone\n"),
    ] {
        let (text, failed) = client.call(name, arguments).await;
        assert!(!failed && text.contains(part) && text.contains(&format!("<<data {ID} {name}>>\n")), "{text}");
    }
    assert_eq!(delivered(&ground.tools), ["base gone.txt:1", "head net/pool.py:4", "head new.txt:1"]);
    assert!(client.call("read_file", json!({"path": "../x"})).await.1);
    assert!(client.call("read_file", json!({"no": 1})).await.0.contains("unknown field `no`"));
    assert!(client.call("bash", json!({"command": "id"})).await.0.contains("There is no tool of that name"));
    let mut heard = Vec::new();
    while let Ok(Message::Said(Event::Doing(what))) = ground.messages.try_recv() {
        heard.push(what);
    }
    assert_eq!(heard.len(), 8);
    assert_eq!(heard[2..5], ["searches for `force`", "reads new.txt", "looks at the diff of gone.txt"]);
}

#[tokio::test]
async fn answers_are_handed_in_and_what_became_of_them_is_told() {
    let Ground { folder, tools, served, mut messages } = ground();
    let judge = tokio::spawn(async move {
        let mut texts = Vec::new();
        let mut replies =
            [Reply::SentBack("- count: cite a line".to_owned()), Reply::Accepted, Reply::Closed].into_iter();
        while let Some(message) = messages.recv().await {
            let Message::Submitted(submission) = message else { continue };
            texts.push(submission.text);
            let Some(reply) = replies.next() else { break };
            submission.reply.send(reply).unwrap();
        }
        texts
    });
    let ground = Ground { folder, tools, served, messages: mpsc::channel(1).1 };
    let mut client = ground.client().await;
    assert_eq!(client.call(SUBMIT, json!({"says": 1})).await, ("- count: cite a line".to_owned(), true));
    assert!(ground.served.submitted());
    assert_eq!(client.call(SUBMIT, json!(["no object"])).await, ("The answer is taken. Stop now.".to_owned(), false));
    let closed = ("No more answers are taken. Stop now.".to_owned(), false);
    assert_eq!(client.call(SUBMIT, json!({"says": "x"})).await, closed);
    // A judge that is gone takes no more either.
    assert_eq!(client.call(SUBMIT, json!({})).await, closed);
    assert_eq!(client.call(SUBMIT, json!({})).await, closed);
    assert_eq!(judge.await.unwrap(), [r#"{"says":1}"#, r#"["no object"]"#, r#"{"says":"x"}"#, "{}"]);
}

#[tokio::test]
async fn only_the_one_client_that_knows_the_secret_comes_in() {
    let ground = ground();
    let secret = ground.secret();
    assert!(secret.len() == 64 && secret.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let mode = std::fs::metadata(ground.path().join(SECRET)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for wrong in
        [format!("{}\n{initialize}\n", "0".repeat(64)), format!("{initialize}\n"), "\n".to_owned(), "x".repeat(5000)]
    {
        let mut stream = ground.connect().await;
        // It may be sent away before it has said everything.
        let _ = stream.write_all(wrong.as_bytes()).await;
        let mut told = Vec::new();
        let _ = stream.read_to_end(&mut told).await;
        assert_eq!(told, b"");
    }
    // One that stays silent is in nobody's way.
    let _silent = ground.connect().await;
    assert!(!ground.served.connected());
    let mut client = ground.client().await;
    assert!(ground.served.connected());
    assert!(!ground.path().join(SECRET).exists() && !ground.path().join(SOCKET).exists());
    assert!(UnixStream::connect(ground.path().join(SOCKET)).await.is_err());
    assert!(!client.call("list_files", json!({})).await.1);
}

#[tokio::test]
async fn dropping_it_ends_everything() {
    let waiting = ground();
    let path = waiting.folder.path().to_owned();
    drop(waiting.served);
    assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0);
    let ground = ground();
    let mut client = ground.client().await;
    drop(ground.served);
    let mut rest = Vec::new();
    let _ = client.stream.read_to_end(&mut rest).await;
    assert_eq!(rest, b"");
    assert_eq!(std::fs::read_dir(ground.folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_folder_that_others_may_enter_or_with_a_long_path_is_refused() {
    let folder = private_folder();
    let serve_in = |path: &Path| serve(path, Arc::new(toolbox(project())), schema(), desk().0).map(drop);
    let open = folder.path().join("open");
    std::fs::create_dir(&open).unwrap();
    std::fs::set_permissions(&open, Permissions::from_mode(0o750)).unwrap();
    assert!(serve_in(&open).unwrap_err().what().ends_with("can be entered by others"));
    assert!(serve_in(&folder.path().join("none")).unwrap_err().what().contains("cannot be read"));
    let long = folder.path().join("x".repeat(100));
    std::fs::create_dir(&long).unwrap();
    std::fs::set_permissions(&long, Permissions::from_mode(0o700)).unwrap();
    assert!(serve_in(&long).unwrap_err().what().ends_with("is too long for a socket"));
    assert!(serve_in(folder.path()).is_ok());
    std::fs::write(folder.path().join(SECRET), "someone's").unwrap();
    assert!(serve_in(folder.path()).unwrap_err().what().contains("the secret"));
}

#[tokio::test]
async fn a_message_that_is_too_long_or_no_json_is_dropped_and_the_next_is_answered() {
    let ground = ground();
    let mut client = ground.client().await;
    let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"{}\"}}\n", "x".repeat(3 << 20));
    client.stream.write_all(long.as_bytes()).await.unwrap();
    client.stream.write_all(b"no json\n\xff\xfe\n").await.unwrap();
    assert!(!client.call("list_files", json!({})).await.1);
    let answer = client.ask("resources/list", json!({})).await;
    assert!(answer["error"].is_object() || answer["result"]["resources"] == json!([]), "{answer}");
    assert_eq!(client.ask("tools/burn", json!({})).await["error"]["code"], -32601);
}

#[tokio::test]
async fn the_bridge_copies_bytes_until_either_end_goes() {
    let ground = ground();
    let (program, arguments) = ground.served.command();
    assert_eq!(program, std::env::current_exe().unwrap());
    assert_eq!(arguments, ["mcp", ground.path().to_str().unwrap()]);
    let (agent, end) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(end);
    let folder = ground.path().to_owned();
    let bridge = tokio::spawn(async move { bridge::between(&folder, input, output).await });
    let mut client = Client::hello(agent).await;
    assert!(client.call("read_file", json!({"path": "new.txt"})).await.0.contains("1 | new"));
    drop(client);
    assert_eq!(bridge.await.unwrap(), Ok(()));
    let Err(problem) = bridge::between(ground.path(), tokio::io::empty(), tokio::io::sink()).await else { panic!() };
    assert!(problem.what().starts_with("no running second-look serves an agent in"), "{problem}");
}

#[tokio::test]
async fn the_bridge_ends_with_the_server() {
    let ground = ground();
    let (agent, end) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(end);
    let folder = ground.path().to_owned();
    let bridge = tokio::spawn(async move { bridge::between(&folder, input, output).await });
    let _client = Client::hello(agent).await;
    drop(ground.served);
    assert_eq!(bridge.await.unwrap(), Ok(()));
}

#[tokio::test]
async fn a_client_that_floods_and_does_not_read_is_held_up_alone() {
    let mut ground = ground();
    let mut client = ground.client().await;
    let mut messages = std::mem::replace(&mut ground.messages, mpsc::channel(1).1);
    tokio::spawn(async move { while messages.recv().await.is_some() {} });
    let asked = 20 * UNDER_WAY as u64;
    let call = |id: u64| {
        let params = json!({"name": "list_files", "arguments": {}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    // It does not wait for one answer before it asks the next.
    let (read, mut write) = tokio::io::split(client.stream.into_inner());
    let writer = tokio::spawn(async move {
        for id in 1000..1000 + asked {
            write.write_all(format!("{}\n", call(id)).as_bytes()).await.unwrap();
        }
        write
    });
    let mut lines = BufReader::new(read).lines();
    let mut answered = std::collections::BTreeSet::new();
    while answered.len() < asked as usize {
        let line: Value = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
        assert!(answered.insert(line["id"].as_u64().unwrap()), "{line}");
    }
    client.stream = BufReader::new(lines.into_inner().into_inner().unsplit(writer.await.unwrap()));
    // One that gives up what it asked for gets no answer to that, and goes on.
    client.send(call(1)).await;
    client.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})).await;
    client.send(call(2)).await;
    let heard = client.hear().await["id"].as_u64().unwrap();
    let heard = if heard == 1 { client.hear().await["id"].as_u64().unwrap() } else { heard };
    assert_eq!(heard, 2);
}
