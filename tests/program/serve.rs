//! `serve`: the recorded exchange replayed, concurrency, tokens, and what an ask asks of GitHub.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};

use crate::result::number;
use crate::scene::{POOL_LINE, Scene};
use crate::support::program::Program;

const POOL: &str = "Pool.close in pool/pool.py";

/// A client of the protocol.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Client {
    fn start(program: &Program) -> Self {
        let mut child = program.serves(&["serve"]);
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut client = Self { child, input, output };
        let said = client.call(0, "initialize", json!({ "protocolVersion": 1 }));
        assert_eq!(said["result"]["protocolVersion"], 1);
        client
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn request(&mut self, id: u64, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
    }

    /// Sends a request and reads on to its reply.
    fn call(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.request(id, method, params);
        loop {
            let said = self.line();
            if said.get("method").is_none() {
                assert_eq!(said["id"], id, "{said}");
                return said;
            }
        }
    }

    /// Ends the input and waits for the program's end; what it still said.
    fn end(mut self) -> Vec<Value> {
        drop(self.input.take());
        let rest = self.output.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        rest
    }
}

/// Whether a value is as recorded; `"..."` stands for anything.
fn fits(recorded: &Value, found: &Value) -> bool {
    match (recorded, found) {
        (Value::String(any), _) if any == "..." => true,
        (Value::Object(recorded), Value::Object(found)) => {
            let more = recorded.contains_key("...");
            recorded
                .iter()
                .filter(|(key, _)| *key != "...")
                .all(|(key, value)| found.get(key).is_some_and(|found| fits(value, found)))
                && (more || found.keys().all(|key| recorded.contains_key(key)))
        }
        (Value::Array(recorded), Value::Array(found)) => {
            recorded.len() == found.len() && recorded.iter().zip(found).all(|(one, two)| fits(one, two))
        }
        (one, two) => one == two,
    }
}

#[test]
fn the_recorded_exchange_is_what_happens() {
    let program = Program::new();
    let text = program.prints(&["serve", "--protocol"]);
    let (_, exchange) = text.split_once("## An exchange").unwrap();
    let mut child = program.serves(&["serve"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut replies = 0;
    for line in exchange.lines() {
        if let Some(sent) = line.strip_prefix("-> ") {
            writeln!(input, "{sent}").unwrap();
        } else if let Some(recorded) = line.strip_prefix("<- ") {
            let mut found = String::new();
            output.read_line(&mut found).unwrap();
            let (recorded, found): (Value, Value) =
                (serde_json::from_str(recorded).unwrap(), serde_json::from_str(&found).unwrap());
            assert!(fits(&recorded, &found), "recorded {recorded}\nfound {found}");
            replies += 1;
        }
    }
    assert!(replies > 20);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_review_is_what_review_prints_and_an_ask_asks_github_nothing() {
    let scene = Scene::new();
    let url = scene.url();
    let printed: Value = serde_json::from_str(&scene.review()).unwrap();
    let mut client = Client::start(&scene.program);
    let review = client.call(1, "review", json!({ "url": url }));
    assert_eq!(review["result"], printed);
    let before = scene.github.requests().len();
    let part = number(&printed, POOL) - 1;
    let answer = client.call(2, "ask", json!({ "url": url, "ask": "explain", "part": part }));
    assert_eq!(answer["result"]["part_name"], POOL);
    let answers = client.call(3, "answers", json!({ "url": url }));
    assert_eq!(answers["result"]["answers"][0]["answer"], answer["result"]);
    assert_eq!(scene.github.requests().len(), before);
    assert_eq!(client.end(), Vec::<Value>::new());
}

#[test]
fn a_token_is_used_once_and_never_repeated() {
    const TOKEN: &str = "ghp_0123456789abcdefghijklmnopqrstuvwxyzA";
    let scene = Scene::new();
    let url = scene.url();
    let mut client = Client::start(&scene.program);
    let review = client.call(1, "review", json!({ "url": url, "token": TOKEN }));
    assert!(review["error"].is_null(), "{review}");
    assert!(scene.github.requests().iter().any(|request| format!("{request:?}").contains(TOKEN)));
    let wrong = client.call(2, "review", json!({ "url": TOKEN, "token": TOKEN }));
    assert_eq!(wrong["error"]["code"], -32602);
    assert!(!wrong.to_string().contains(TOKEN), "{wrong}");
    client.end();
    for folder in ["data", "cache"] {
        for (path, bytes) in scene.program.files(folder) {
            assert!(!bytes.windows(TOKEN.len()).any(|window| window == TOKEN.as_bytes()), "{}", path.display());
        }
    }
}

#[test]
fn requests_run_at_the_same_time_and_can_be_cancelled() {
    let scene = Scene::new();
    let url = scene.url();
    let submit = json!({ "submit": {
        "does": "`Pool.close` now closes each connection [1].", "matters": "It frees what idles.",
        "cited": [{ "file": "pool/pool.py", "side": "head", "line": 13, "quote": POOL_LINE }],
    }});
    for (steps, outcome) in [(json!(["times out"]), "cancelled"), (json!([submit]), "answered")] {
        let transcript = scene.program.write("transcript.json", &json!({ "version": 1, "steps": steps }).to_string());
        let settings = format!("[asks]\nagent = \"scripted\"\ntranscript = \"{transcript}\"\n");
        scene.program.write("config/config.toml", &settings);
        let mut client = Client::start(&scene.program);
        let review = client.call(1, "review", json!({ "url": url }));
        let part = number(&review["result"], POOL) - 1;
        client.request(2, "ask", json!({ "url": url, "ask": "explain", "part": part }));
        assert_eq!(client.line()["params"]["state"], "started");
        if outcome == "cancelled" {
            // Answered while the other waits for its agent.
            assert_eq!(client.call(3, "answers", json!({ "url": url }))["result"], json!({ "answers": [] }));
            assert_eq!(client.call(2, "answers", json!({ "url": url }))["error"]["code"], -32600);
            client.request(4, "cancel", json!({ "id": 2 }));
            let mut said = [client.line(), client.line()];
            said.sort_by_key(|said| said["id"].as_u64());
            assert_eq!(
                (&said[0]["error"]["code"], &said[0]["error"]["data"]["outcome"]),
                (&json!(-32002), &json!("cancelled"))
            );
            assert_eq!(said[1]["result"], json!({ "cancelled": true }));
            client.end();
        } else {
            // The input ends first; what runs is waited for.
            let rest = client.end();
            assert_eq!(rest[0]["result"]["outcome"], "answered", "{rest:?}");
        }
    }
}

#[test]
fn a_refusal_has_its_checks_and_long_lines_are_refused() {
    let scene = Scene::new();
    let url = scene.url();
    let bad = json!({ "submit": { "does": "`Pool.shut` [1].", "matters": "So.", "cited": [{ "file": "pool/pool.py", "side": "head", "line": 999, "quote": POOL_LINE }] } });
    let transcript = scene.program.write("t.json", &json!({ "version": 1, "steps": [bad, bad] }).to_string());
    scene
        .program
        .write("config/config.toml", &format!("[asks]\nagent = \"scripted\"\ntranscript = \"{transcript}\"\n"));
    let mut client = Client::start(&scene.program);
    let review = client.call(1, "review", json!({ "url": url }));
    let part = number(&review["result"], POOL) - 1;
    let refused = client.call(2, "ask", json!({ "url": url, "ask": "explain", "part": part }));
    let error = &refused["error"];
    assert_eq!((&error["code"], &error["data"]["outcome"]), (&json!(-32002), &json!("refused")));
    assert_eq!(error["data"]["failed"][0]["check"], "citation");
    assert!(error["message"].as_str().unwrap().contains("citation: [1] pool/pool.py:999 (head)"), "{error}");
    client.send(&format!("{{\"jsonrpc\":\"2.0\",\"x\":\"{}\"}}", "y".repeat(1 << 20)));
    assert_eq!(client.line()["error"]["code"], -32600);
    assert_eq!(client.call(3, "cancel", json!({ "id": 9 }))["result"]["cancelled"], false);
    client.end();
}
