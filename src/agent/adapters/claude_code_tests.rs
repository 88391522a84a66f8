//! Lines as the program writes them, trimmed, and what is made of them.
#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

const INIT: &str = r#"{"type":"system","subtype":"init","cwd":"/e","tools":["mcp__sl__read_file","mcp__sl__submit_answer"],
"mcp_servers":[{"name":"sl","status":"connected"}],"model":"claude-opus-5","permissionMode":"dontAsk","skills":["x"]}"#;

fn read(lines: &[&str]) -> (Vec<Said>, End) {
    let mut events = Events::default();
    let said = lines.iter().flat_map(|line| events.line(line)).collect();
    (said, events.end())
}

#[test]
fn a_good_run_says_model_tokens_and_cost() {
    let assistant = r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","name":"mcp__sl__read_file"}],
        "usage":{"input_tokens":200,"cache_read_input_tokens":1000,"output_tokens":1}}}"#;
    let result = r#"{"type":"result","subtype":"success","is_error":false,"result":"done","total_cost_usd":0.0052,
        "usage":{"input_tokens":800,"cache_read_input_tokens":4000,"cache_creation_input_tokens":0,"output_tokens":320}}"#;
    let (said, end) = read(&[INIT, assistant, assistant, r#"{"type":"new_kind","x":1}"#, "no json", result]);
    let expected = [
        Said::Model("claude-opus-5".to_owned()),
        Said::Used(Some(1201), None),
        Said::Used(Some(1201), None),
        Said::Used(Some(5120), Some(0.0052)),
    ];
    assert_eq!(said, expected);
    assert_eq!(end, End { done: true, failed: None, text: Some("done".to_owned()) });
}

#[test]
fn a_tool_a_server_or_a_mode_of_its_own_is_a_breach() {
    for (from, to, part) in [
        ("\"mcp__sl__read_file\"", "\"Bash\"", "tools of its own: Bash"),
        ("\"name\":\"sl\"", "\"name\":\"evil\"", "another server: evil"),
        ("dontAsk", "bypassPermissions", "mode `bypassPermissions`"),
    ] {
        let (said, _) = read(&[&INIT.replace(from, to)]);
        assert!(said.iter().any(|it| matches!(it, Said::Breach(why) if why.contains(part))), "{said:?}");
    }
}

#[test]
fn failures_keep_their_status() {
    let result = r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":401,"result":"bad key"}"#;
    assert_eq!(read(&[INIT, result]).1.failed, Some((Some(401), "bad key".to_owned())));
    let retry = r#"{"type":"system","subtype":"api_retry","attempt":2,"max_retries":3,"error_status":429}"#;
    let result = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["gave up"]}"#;
    let (said, end) = read(&[retry, result]);
    assert_eq!(said[0], Said::Doing("its provider did not answer (status 429), try 2".to_owned()));
    assert_eq!(end.failed, Some((Some(429), "gave up".to_owned())));
    assert!(!read(&[INIT]).1.done);
}

#[test]
fn its_login_is_read() {
    let read = |text: &str| ClaudeCode.read_login(text, &[]);
    assert_eq!(read(r#"{"loggedIn":false,"authMethod":"none","apiProvider":"firstParty"}"#), Login::Out);
    assert_eq!(read(r#"{"loggedIn":false,"apiProvider":"bedrock"}"#), Login::Unknown);
    let on = r#"{"loggedIn":true,"authMethod":"claude.ai","apiProvider":"firstParty","subscriptionType":"max"}"#;
    assert_eq!(read(on), Login::In(Some("claude.ai (max)".to_owned())));
    assert_eq!(read("error: unknown command 'auth'"), Login::Unknown);
}
