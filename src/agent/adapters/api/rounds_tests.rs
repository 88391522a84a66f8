//! The loop, driven by a scripted model and judged by a scripted desk.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::agent::adapters::api::client::Failure;
use crate::agent::adapters::api::fixtures::settings;
use crate::agent::tools::Ledger;
use crate::agent::{Message as OnDesk, Task, desk};
use crate::change::{Reading, fixtures};

/// Takes turns from a script, and keeps what it was sent and offered.
#[derive(Default)]
struct Scripted {
    script: Mutex<VecDeque<Result<Turn, Failure>>>,
    sent: Mutex<Vec<(Conversation, Vec<String>)>>,
}

impl ModelClient for Scripted {
    fn turn<'a>(&'a self, conversation: &'a Conversation, offers: &'a [Offer]) -> Task<'a, Result<Turn, Failure>> {
        let names = offers.iter().map(|offer| offer.name.clone()).collect();
        self.sent.lock().unwrap().push((conversation.clone(), names));
        let mut script = self.script.lock().unwrap();
        // The last turn repeats.
        let turn = if script.len() > 1 { script.pop_front().unwrap() } else { script[0].clone() };
        Box::pin(async { turn })
    }
}

fn call(name: &str, arguments: Value) -> Call {
    Call { id: format!("id-{name}"), name: name.to_owned(), arguments }
}

fn calls(calls: Vec<Call>) -> Result<Turn, Failure> {
    Ok(Turn { calls, tokens: Some((100, 10)), model: Some("replay-1".to_owned()), ..Turn::default() })
}

fn submits(answer: Value) -> Result<Turn, Failure> {
    calls(vec![call(SUBMIT, answer)])
}

fn says(text: &str) -> Result<Turn, Failure> {
    Ok(Turn { text: text.to_owned(), ..Turn::default() })
}

/// What came of a run.
struct Went {
    ending: Ending,
    submitted: Vec<String>,
    doing: Vec<String>,
    report: Report,
    ledger: Ledger,
    sent: Vec<(Conversation, Vec<String>)>,
}

impl Went {
    /// The results sent with the last request.
    fn last_results(&self) -> Vec<String> {
        match self.sent.last().unwrap().0.messages.last().unwrap() {
            Message::Results(results) => results.iter().map(|result| result.text.clone()).collect(),
            other => panic!("no results: {other:?}"),
        }
    }
}

fn toolbox() -> Arc<Toolbox> {
    let long = "a line of a long file\n".repeat(2000);
    let base = [("a.rs", "fn a() {}\n"), ("long.txt", long.as_str())];
    let (change, files) = fixtures::change(&base, &[("a.rs", "fn b() {}\n"), base[1]]);
    let reading = Reading { change: Arc::new(change), files: Arc::new(files), parts: Vec::new(), left_out: Vec::new() };
    Arc::new(Toolbox::new(Arc::new(reading), Ledger::default(), "0123456789abcdef"))
}

/// Runs a script; the desk gives these replies, then closes.
async fn run(script: Vec<Result<Turn, Failure>>, replies: Vec<Reply>) -> Went {
    runs(script, replies, &[None]).await
}

async fn runs(script: Vec<Result<Turn, Failure>>, replies: Vec<Reply>, notes: &[Option<&str>]) -> Went {
    let client = Scripted { script: Mutex::new(script.into()), ..Scripted::default() };
    let (own, mut messages) = desk();
    let judge = tokio::spawn(async move {
        let (mut replies, mut submitted, mut doing) = (VecDeque::from(replies), Vec::new(), Vec::new());
        let mut report = Report::default();
        while let Some(message) = messages.recv().await {
            match message {
                OnDesk::Said(Event::Doing(what)) => doing.push(what),
                OnDesk::Said(Event::Report(said)) => report.take(said),
                OnDesk::Submitted(submission) => {
                    submitted.push(submission.text);
                    submission.reply.send(replies.pop_front().unwrap_or(Reply::Closed)).unwrap();
                }
            }
        }
        (submitted, doing, report)
    });
    let (tools, schema, prices) = (toolbox(), json!({ "type": "object" }), Api { input_price: 1.0, ..settings() });
    let mut talk = Talk::default();
    let mut ending = Ending::Finished;
    for (at, note) in notes.iter().enumerate() {
        talk.ask(&Request {
            instructions: "the rules".to_owned(),
            prompt: "the part".to_owned(),
            schema: schema.clone(),
            note: note.map(str::to_owned),
            run: u32::try_from(at).unwrap(),
            composed: None,
            tools: Arc::clone(&tools),
        });
        let rounds = Rounds { client: &client, desk: &own, tools: &tools, schema: &schema, prices: &prices };
        ending = rounds.run(&mut talk).await;
    }
    drop(own);
    let (submitted, doing, report) = judge.await.unwrap();
    Went { ending, submitted, doing, report, ledger: tools.ledger(), sent: client.sent.into_inner().unwrap() }
}

fn good() -> Value {
    json!({ "does": "x" })
}

#[tokio::test]
async fn an_answer_that_is_taken_ends_it() {
    let went = run(vec![submits(good())], vec![Reply::Accepted]).await;
    assert_eq!((went.ending, went.submitted), (Ending::Finished, vec![good().to_string()]));
    let (conversation, offered) = &went.sent[0];
    assert_eq!((went.sent.len(), conversation.system.as_str()), (1, "the rules"));
    assert!(matches!(&conversation.messages[..], [Message::Asked(text)] if text == "the part"));
    assert_eq!(offered.last().map(String::as_str), Some(SUBMIT));
    assert_eq!((went.report.model.as_deref(), went.report.tokens), (Some("replay-1"), Some(110)));
    assert_eq!(went.report.cost.as_deref(), Some("0.0001"));
}

#[tokio::test]
async fn an_answer_that_is_sent_back_goes_on_in_the_same_conversation() {
    let note = "- citation: no such line".to_owned();
    let script = vec![submits(json!({})), submits(good())];
    let went = run(script, vec![Reply::SentBack(note.clone()), Reply::Accepted]).await;
    assert_eq!(went.submitted, ["{}".to_owned(), good().to_string()]);
    assert_eq!((went.last_results(), went.sent[1].0.messages.len()), (vec![note], 3));
    assert_eq!(went.report.tokens, Some(220));
}

#[tokio::test]
async fn every_call_of_a_turn_is_answered_and_many_are_put_off() {
    let many = (0..CALLS + 2).map(|_| call("no_such_tool", json!({}))).collect();
    let went = run(vec![calls(many), submits(good())], vec![Reply::Accepted]).await;
    let results = went.last_results();
    assert_eq!((results.len(), went.doing.len()), (CALLS + 2, CALLS));
    assert!(results[0].starts_with("There is no tool of that name") && results[CALLS + 1].starts_with("Not done"));
}

#[tokio::test]
async fn reading_ends_after_twelve_rounds_and_two_turns_for_the_answer_alone() {
    let went = run(vec![calls(vec![call("no_such_tool", json!({}))])], vec![]).await;
    let Ending::BudgetMet(why) = &went.ending else { panic!("{:?}", went.ending) };
    let said = "12 rounds of reading and 2 turns for the answer alone brought none; it looked at nothing; 12 calls found nothing";
    assert_eq!(why, said);
    assert_eq!(went.sent.len(), 14);
    let alone: Vec<usize> = (0..14).filter(|at| went.sent[*at].1 == [SUBMIT]).collect();
    assert!(alone.ends_with(&[12, 13]), "{alone:?}");
    let last_of = |at: usize| match went.sent[at].0.messages.last().unwrap() {
        Message::Results(results) => results[0].text.clone(),
        other => panic!("{other:?}"),
    };
    assert!(!last_of(11).ends_with(ANSWER_NOW) && last_of(12).ends_with(ANSWER_NOW));
    assert_eq!(last_of(13), "Not done: only `submit_answer` can be called now.");
}

#[tokio::test]
async fn what_was_looked_at_is_said() {
    let reads = call("read_file", json!({ "path": "a.rs" }));
    let went = run(vec![calls(vec![reads, call("grep", json!({ "pattern": "fn" }))])], vec![]).await;
    let Ending::BudgetMet(why) = &went.ending else { panic!("{:?}", went.ending) };
    assert!(why.ends_with("it looked 24 times: reads a.rs (12 times), searches for `fn` (12 times)"), "{why}");
    let read = match &went.sent[1].0.messages[2] {
        Message::Results(results) => results[0].text.clone(),
        other => panic!("{other:?}"),
    };
    assert!(read.contains("1 | fn b() {}"), "{read}");
    assert_eq!(went.sent[0].1, ["list_files", "find_files", "grep", "read_file", "show_diff", SUBMIT]);
    assert_eq!(&went.doing[..2], ["reads a.rs", "searches for `fn`"]);
}

#[tokio::test]
async fn the_ledger_holds_what_the_model_was_sent() {
    let part = |from: u32, to: u32| call("read_file", json!({ "path": "long.txt", "from_line": from, "to_line": to }));
    let grep = call("grep", json!({ "pattern": "fn b" }));
    let went = run(vec![calls(vec![part(5, 9), part(1, 999_999), grep]), submits(good())], vec![Reply::Accepted]).await;
    let results = went.last_results();
    let numbers = |text: &str| -> Vec<u32> {
        let number = |line: &str| line.split_once(" | ")?.0.trim_start_matches('>').trim().parse().ok();
        text.lines().filter_map(number).collect()
    };
    assert_eq!(numbers(&results[0]), [5, 6, 7, 8, 9]);
    let longest = *numbers(&results[1]).last().unwrap();
    assert!(longest > 9 && longest < 2000, "{longest}");
    let delivered: Vec<(String, u32)> =
        went.ledger.lines().map(|(_, path, line)| (path.text().into_owned(), line)).collect();
    let mut sent: Vec<(String, u32)> = numbers(&results[2]).into_iter().map(|line| ("a.rs".to_owned(), line)).collect();
    sent.extend((1..=longest).map(|line| ("long.txt".to_owned(), line)));
    assert_eq!(delivered, sent);
}

#[tokio::test]
async fn reading_ends_where_more_would_not_fit() {
    // Every round reads the whole of a long file many times.
    let reads = || call("read_file", json!({ "path": "long.txt" }));
    let went = run(vec![calls((0..CALLS).map(|_| reads()).collect())], vec![]).await;
    let Ending::BudgetMet(why) = &went.ending else { panic!("{:?}", went.ending) };
    assert!(went.sent.len() < 14 && why.contains(" kB of reading and 2 turns"), "{} {why}", went.sent.len());
}

#[tokio::test]
async fn the_answer_can_still_come_in_the_last_turns_and_be_mended_there() {
    let mut script = vec![calls(vec![call("no_such_tool", json!({}))]); 12];
    script.extend([submits(json!({})), submits(good())]);
    let went = run(script, vec![Reply::SentBack("again".to_owned()), Reply::Accepted]).await;
    assert_eq!((went.ending, went.submitted.len(), went.sent.len()), (Ending::Finished, 2, 14));
}

#[tokio::test]
async fn a_text_that_is_one_json_object_counts_as_the_answer_once() {
    let text = format!("```json\n{}\n```", good());
    let went = run(vec![says(&text)], vec![Reply::Accepted]).await;
    assert_eq!((went.ending, went.submitted), (Ending::Finished, vec![text.clone()]));
    let went = run(vec![says(&text)], vec![Reply::SentBack("again".to_owned())]).await;
    assert_eq!((went.submitted.len(), went.sent.len()), (1, 2));
    for text in ["It closes what idles.", "Here: {}", "5", "{} {}", ""] {
        let went = run(vec![says(text)], vec![]).await;
        assert_eq!((went.ending, went.submitted.len(), went.sent.len()), (Ending::Finished, 0, 1), "{text}");
    }
}

#[tokio::test]
async fn a_nudge_continues_the_conversation() {
    let script = vec![calls(vec![call("no_such_tool", json!({}))]), says("Done."), submits(good())];
    let went = runs(script, vec![Reply::Accepted], &[None, Some("Submit it now.")]).await;
    let messages = &went.sent[2].0.messages;
    assert_eq!((messages.len(), went.submitted.len()), (5, 1));
    assert!(matches!(&messages[4], Message::Asked(note) if note == "Submit it now."));
    assert_eq!(went.report.tokens, Some(220));
}

#[tokio::test]
async fn arguments_that_are_no_json_are_judged_as_they_came() {
    let went = run(vec![submits(json!("{\"does\": \"x"))], vec![Reply::Closed]).await;
    assert_eq!(went.submitted, ["{\"does\": \"x"]);
}

#[tokio::test]
async fn a_turn_that_was_cut_or_held_back_is_said() {
    let ends = |end| Ok(Turn { text: "{\"does\"".to_owned(), end, ..Turn::default() });
    let went = run(vec![ends(End::Cut)], vec![]).await;
    assert_eq!(went.ending, Ending::Died("the model's answer was cut off at the limit of its output".to_owned()));
    assert!(matches!(run(vec![ends(End::HeldBack)], vec![]).await.ending, Ending::Declined(_)));
}

fn away(after: Option<u64>, again: bool) -> Result<Turn, Failure> {
    Err(Failure::TurnedAway { said: "m answered 429".to_owned(), after: after.map(Duration::from_secs), again })
}

#[tokio::test(start_paused = true)]
async fn turned_away_or_lost_it_is_tried_again_within_bounds() {
    let lost = || Err(Failure::Lost("lost".to_owned()));
    let from = tokio::time::Instant::now();
    let went = run(vec![away(Some(7), true), away(None, true), lost(), submits(good())], vec![Reply::Accepted]).await;
    assert_eq!((went.ending, went.sent.len(), from.elapsed().as_secs()), (Ending::Finished, 4, 7 + 2 + 4));
    assert_eq!(went.doing[0], "turned away for now, trying again in 7 s");

    let went = run(vec![away(None, true)], vec![]).await;
    assert_eq!((went.ending, went.sent.len()), (Ending::RateLimited("m answered 429 (4 times)".to_owned()), 4));
    let went = run(vec![away(Some(3600), true)], vec![]).await;
    let said = "m answered 429; it says to come again in 3600 seconds".to_owned();
    assert_eq!((went.ending, went.sent.len()), (Ending::RateLimited(said), 1));
    assert_eq!(run(vec![away(None, false)], vec![]).await.sent.len(), 1);
    let went = run(vec![lost()], vec![]).await;
    assert_eq!((went.ending, went.sent.len()), (Ending::Died("lost (4 times)".to_owned()), 4));
}

#[tokio::test]
async fn nothing_else_is_tried_again() {
    for (failure, ending) in [
        (Failure::NotSignedIn("a".into()), Ending::NotSignedIn("a".into())),
        (Failure::UnknownModel("b".into()), Ending::UnknownModel("b".into())),
        (Failure::Broken("c".into()), Ending::Died("c".into())),
    ] {
        let went = run(vec![Err(failure)], vec![]).await;
        assert_eq!((went.ending, went.sent.len()), (ending, 1));
    }
}
