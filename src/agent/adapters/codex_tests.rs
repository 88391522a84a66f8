//! Lines as the program writes them, trimmed, and what is made of them.

use super::*;

fn read(lines: &[&str]) -> (Vec<Said>, End) {
    let mut events = Events::default();
    let said = lines.iter().flat_map(|line| events.line(line)).collect();
    (said, events.end())
}

#[test]
fn a_good_run_says_its_tokens_and_its_last_text() {
    let (said, end) = read(&[
        r#"{"type":"thread.started","thread_id":"x"}"#,
        r#"{"type":"item.completed","item":{"id":"i0","type":"error","message":"Model metadata for `x` not found."}}"#,
        r#"{"type":"item.completed","item":{"type":"mcp_tool_call","server":"sl","tool":"read_file","status":"completed"}}"#,
        r#"{"type":"item.completed","item":{"type":"agent_message","text":"first"}}"#,
        r#"{"type":"item.completed","item":{"type":"agent_message","text":"done"}}"#,
        r#"{"type":"turn.completed","usage":{"input_tokens":4800,"cached_input_tokens":4000,"output_tokens":320}}"#,
    ]);
    assert_eq!(said, [Said::Used(Some(5120), None)]);
    assert_eq!(end, End { done: true, failed: None, text: Some("done".to_owned()) });
}

#[test]
fn a_failed_turn_keeps_its_words() {
    let (_, end) = read(&[
        r#"{"type":"error","message":"unexpected status 401 Unauthorized"}"#,
        r#"{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized"}}"#,
    ]);
    assert_eq!(end.failed, Some((None, "unexpected status 401 Unauthorized".to_owned())));
    let (_, end) = read(&[r#"{"type":"error","message":"stream disconnected"}"#]);
    assert_eq!((end.done, end.failed), (false, Some((None, "stream disconnected".to_owned()))));
}

#[test]
fn a_tool_of_its_own_is_a_breach() {
    for (item, breach) in [
        (r#"{"type":"command_execution","command":"ls","status":"in_progress"}"#, true),
        (r#"{"type":"file_change","status":"completed"}"#, true),
        (r#"{"type":"file_change","status":"failed"}"#, false),
        (r#"{"type":"mcp_tool_call","server":"evil"}"#, true),
        (r#"{"type":"mcp_tool_call","server":"sl"}"#, false),
    ] {
        let (said, _) = read(&[&format!(r#"{{"type":"item.completed","item":{item}}}"#)]);
        assert_eq!(matches!(said.as_slice(), [Said::Breach(_)]), breach, "{item}");
    }
}

#[test]
fn its_login_is_read_wherever_it_says_it() {
    let words = |said: &str| vec!["WARNING: proceeding".to_owned(), said.to_owned()];
    assert_eq!(Codex.read_login("", &words("Not logged in")), Login::Out);
    assert_eq!(Codex.read_login("Logged in using ChatGPT\n", &[]), Login::In(Some("ChatGPT".to_owned())));
    let key = Codex.read_login("", &words("Logged in using an API key - sk-proj-***ABC"));
    assert_eq!(key, Login::In(Some("an API key".to_owned())));
    assert_eq!(Codex.read_login("", &words("error: unrecognized subcommand")), Login::Unknown);
}
