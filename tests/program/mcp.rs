//! `second-look mcp`: the real program as the bridge between an agent program and a server in this process.

use std::fs::Permissions;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use second_look::agent::tools::{Ledger, Toolbox, mcp};
use second_look::agent::{Message, Reply, desk};
use second_look::change::Side;
use second_look::engine::build;
use second_look::source::recorded;
use serde_json::{Value, json};

use super::support::program::Program;

const ID: &str = "0123456789abcdef";

fn bridge(folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_second-look"));
    command.args(["mcp".as_ref(), folder.as_os_str()]).env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Says something to the bridge and hears the answer to it.
fn ask(bridge: &mut Child, out: &mut impl BufRead, id: u32, method: &str, params: Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    bridge.stdin.as_mut().unwrap().write_all(format!("{message}\n").as_bytes()).unwrap();
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let answer: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(answer["id"], id, "{answer}");
    answer["result"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_program_reads_the_change_and_hands_in_its_answer_through_the_bridge() {
    let cache = tempfile::tempdir().unwrap();
    let change = recorded::open(cache.path(), "demo").await.unwrap();
    let reading = Arc::new(build::read(change).unwrap());
    let path = reading.change.files[0].path.clone();
    let tools = Arc::new(Toolbox::new(Arc::clone(&reading), Ledger::default(), ID));
    let (desk, mut messages) = desk();
    let folder = tempfile::Builder::new().permissions(Permissions::from_mode(0o700)).tempdir().unwrap();
    let served = mcp::serve(folder.path(), Arc::clone(&tools), json!({"type": "object"}), desk).unwrap();
    assert_eq!(served.command().1, ["mcp", folder.path().to_str().unwrap()]);
    tokio::spawn(async move {
        while let Some(message) = messages.recv().await {
            if let Message::Submitted(submission) = message {
                assert_eq!(submission.text, r#"{"does":"x"}"#);
                submission.reply.send(Reply::Accepted).unwrap();
            }
        }
    });
    let place = folder.path().to_owned();
    let shown = path.shown().into_string();
    let asked = tokio::task::spawn_blocking(move || {
        let mut bridge = bridge(&place);
        let mut out = BufReader::new(bridge.stdout.take().unwrap());
        let hello =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        ask(&mut bridge, &mut out, 1, "initialize", hello);
        let listed = ask(&mut bridge, &mut out, 2, "tools/list", json!({}));
        assert_eq!(listed["tools"].as_array().unwrap().len(), 6);
        let call = json!({"name": "read_file", "arguments": {"path": shown, "to_line": 3}});
        let read = ask(&mut bridge, &mut out, 3, "tools/call", call);
        let call = json!({"name": "submit_answer", "arguments": {"does": "x"}});
        let taken = ask(&mut bridge, &mut out, 4, "tools/call", call);
        assert_eq!(taken["content"][0]["text"], "The answer is taken. Stop now.");
        drop(bridge.stdin.take());
        let ended = bridge.wait_with_output().unwrap();
        assert!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
        read["content"][0]["text"].as_str().unwrap().to_owned()
    });
    let read = asked.await.unwrap();
    assert!(read.contains(&format!("<<data {ID} read_file>>\n")) && read.contains("\n1 | "), "{read}");
    assert!(tools.ledger().has(Side::Head, &path, 3));
    assert!(served.connected() && served.submitted());
}

#[test]
fn a_bridge_to_nowhere_says_so_in_one_sentence() {
    let program = Program::new();
    let complaint = program.fails(&["mcp", "no/such/folder"]);
    assert!(complaint.contains("no running second-look serves an agent in `no/such/folder`"), "{complaint}");
    let help = program.prints(&["--help"]);
    assert!(!help.contains("mcp"), "{help}");
}
