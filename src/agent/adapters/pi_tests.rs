//! Lines as the program writes them, trimmed, and what is made of them.

use super::*;

fn read(lines: &[&str]) -> (Vec<Said>, End) {
    let mut events = Events::default();
    let said = lines.iter().flat_map(|line| events.line(line)).collect();
    (said, events.end())
}

fn message(stop: &str, more: &str) -> String {
    format!(
        r#"{{"type":"message_end","message":{{"role":"assistant","content":[{{"type":"text","text":"done"}}],"provider":"fake",
        "model":"fake-1","usage":{{"input":200,"output":80,"cacheRead":1000,"totalTokens":1280,"cost":{{"input":0.1,"total":0.25}}}},
        "stopReason":"{stop}"{more}}}}}"#
    )
}

#[test]
fn tokens_and_cost_add_up_over_messages() {
    let user = r#"{"type":"message_end","message":{"role":"user","content":[{"type":"text","text":"why?"}]}}"#;
    let (said, end) =
        read(&[user, &message("toolUse", ""), &message("stop", ""), r#"{"type":"agent_settled","aborted":false}"#]);
    let model = || Said::Model("fake/fake-1".to_owned());
    let expected = [model(), Said::Used(Some(1280), Some(0.25)), model(), Said::Used(Some(2560), Some(0.5))];
    assert_eq!(said, expected);
    assert_eq!(end, End { done: true, failed: None, text: Some("done".to_owned()) });
}

#[test]
fn the_last_message_tells_how_it_went() {
    let failed = message("error", r#","errorMessage":"401 bad key""#);
    let (_, end) = read(&[&failed, r#"{"type":"agent_end","messages":[]}"#]);
    assert_eq!((end.done, end.failed), (true, Some((None, "401 bad key".to_owned()))));
    let retry = r#"{"type":"auto_retry_start","attempt":1,"errorMessage":"429"}"#;
    let (said, end) = read(&[&failed, r#"{"type":"agent_end"}"#, retry]);
    assert!(!end.done && said.contains(&Said::Doing("tries again after: 429".to_owned())));
    let (_, end) = read(&[&failed, &message("stop", ""), r#"{"type":"agent_end"}"#]);
    assert_eq!(end.failed, None);
}

#[test]
fn a_submission_that_pi_refused_itself_counts() {
    let start = r#"{"type":"tool_execution_start","toolCallId":"c1","toolName":"sl_submit_answer","args":{"a":1}}"#;
    let refused = r#"{"type":"tool_execution_end","toolCallId":"c1","toolName":"sl_submit_answer",
        "result":{"content":[],"details":{}},"isError":true}"#;
    assert_eq!(read(&[start, refused]).0, [Said::KeptBack("{\"a\":1}".to_owned())]);
    assert_eq!(read(&[start, &refused.replace("{}", "{\"secondLook\":true}")]).0, []);
    assert_eq!(read(&[start, &refused.replace("true", "false")]).0, []);
    assert_eq!(read(&[&start.replace("submit_answer", "grep"), refused]).0, []);
}

#[test]
fn its_login_is_read() {
    let read = |text: &str| Pi.read_login(text, &[]);
    let out = r#"{"status":"not_ready","provider":"anthropic","reason":"credentials_not_configured"}"#;
    assert_eq!(read(out), Login::Out);
    assert_eq!(read(r#"{"status":"ready","provider":"openai"}"#), Login::In(Some("openai".to_owned())));
    assert_eq!(read(r#"{"status":"invalid"}"#), Login::Unknown);
    assert_eq!(read(""), Login::Unknown);
    assert_eq!(Pi.login(&Choice::default()), None);
}
