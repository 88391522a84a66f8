//! Questions from end to end, with transcripts for agents.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::sync::Mutex;

use serde_json::{Value, json};

use super::*;
use crate::agent::adapters::plain::Plain;
use crate::agent::adapters::scripted::Scripted;
use crate::ask::asks::explain::Explain;
use crate::ask::fixtures::{Labelled, one_part};
use crate::ask::stored;

const BASE: &str = "def close(self):\n    self.conns.clear()\n";
const HEAD: &str = "def close(self, force=False):\n    self.conns.clear()\n";

fn labelled() -> Labelled {
    let mut labelled = one_part("net/pool.py", BASE, HEAD);
    labelled.add_named("close", &["app.py"], &["tests/test_pool.py"]);
    labelled
}

fn good() -> Value {
    json!({
        "does": "`close` now takes `force` [1].",
        "matters": "`app.py` names it.",
        "cited": [{"file": "net/pool.py", "side": "head", "line": 1, "quote": "def close(self, force=False):"}],
    })
}

fn bad() -> Value {
    json!({
        "does": "`Pool.shut` now takes `force` [1].",
        "matters": "`net/gone.py` names it.",
        "cited": [{"file": "net/pool.py", "side": "head", "line": 1, "quote": "def shut(self):"}],
    })
}

/// Asks, with whatever the agent was told and did on the way.
async fn asked(agent: &dyn Agent, timeout: Duration) -> (Outcome, Vec<String>) {
    let heard = Mutex::new(Vec::new());
    let (_keep, cancelled) = watch::channel(false);
    let context = RunContext {
        started: "2026-01-02T03:04:05Z".to_owned(),
        block_id: "0123456789abcdef".to_owned(),
        elapsed: &|| 12,
        timeout,
        max_tokens: None,
        effort: None,
        account: Some("work".to_owned()),
        cancelled,
        progress: &|what| heard.lock().unwrap().push(what.into_string()),
    };
    let outcome = answer(&Explain, agent, &labelled().subject(), context).await;
    assert_eq!(stored::read(&stored::write(&outcome)).unwrap(), outcome);
    (outcome, heard.into_inner().unwrap())
}

fn script(steps: Value) -> Scripted {
    Scripted::parse(&json!({"version": 1, "steps": steps}).to_string()).unwrap()
}

fn no_answer(reason: Reason, why: &str) -> Outcome {
    Outcome::NoAnswer { reason, why: why.to_owned() }
}

async fn ended(steps: Value) -> Outcome {
    asked(&script(steps), Duration::from_secs(5)).await.0
}

#[tokio::test]
async fn a_good_answer_is_stamped() {
    let agent = script(json!([{"doing": "reads \u{1b}[1m"}, {"model": "m-1"}, {"submit": good()}]));
    let (outcome, heard) = asked(&agent, Duration::from_secs(5)).await;
    let Outcome::Answered(answer) = outcome else { panic!("{outcome:?}") };
    assert_eq!(heard, ["reads ^[[1m"]);
    assert_eq!(answer.sections[0].text.as_str(), "`close` now takes `force` [1].");
    assert_eq!(
        answer.facts[0].as_str(),
        "1 other file of the head names `close`: `app.py`; 1 test file does: `tests/test_pool.py`."
    );
    let stamp = &answer.stamp;
    assert_eq!(
        (stamp.ask.as_str(), stamp.agent.as_str(), stamp.model.as_deref()),
        ("explain", "scripted", Some("m-1"))
    );
    assert_eq!((stamp.attempts, stamp.duration_ms, stamp.account.as_deref()), (1, 12, Some("work")));
    assert_eq!(stamp.checks, ["schema", "length", "count", "markers", "citation", "names"]);
    assert_eq!(stamp.content, labelled().subject().part().part.key);
}

#[tokio::test]
async fn a_refused_answer_goes_back_once_with_every_problem() {
    let outcome = ended(json!([{"submit": bad()}, {"submit": good()}])).await;
    let Outcome::Answered(answer) = outcome else { panic!("{outcome:?}") };
    assert_eq!(answer.stamp.attempts, 2);
    let outcome = ended(json!([{"submit": bad()}, {"submit": bad()}, {"submit": good()}])).await;
    let Outcome::Refused(refusal) = outcome else { panic!("{outcome:?}") };
    let failed: Vec<_> = refusal.failed.iter().map(|failed| (failed.check, failed.what.as_str())).collect();
    assert_eq!(failed.len(), 3, "{failed:?}");
    assert_eq!(failed[0].0, "citation");
    assert!(
        failed[0].1.contains("the quote is not on that line, which reads \"def close(self, force=False):\""),
        "{failed:?}"
    );
    assert!(failed[1].1.contains("shut"), "{failed:?}");
    assert!(failed[2].1.contains("net/gone.py"), "{failed:?}");
    assert!(refusal.refused.as_str().contains("Pool.shut") && refusal.stamp.checks.is_empty());
}

/// An agent that keeps what it is told.
struct Keeping {
    first: Value,
    told: Mutex<Vec<String>>,
    converses: bool,
}

impl Agent for Keeping {
    fn name(&self) -> &'static str {
        "keeping"
    }

    fn converses(&self) -> bool {
        self.converses
    }

    fn probe(&self) -> Task<'_, Probe> {
        Box::pin(async { Probe::Usable("1".to_owned()) })
    }

    fn run(&self, request: Request, desk: Desk) -> Task<'_, Ending> {
        Box::pin(async move {
            self.told.lock().unwrap().extend(request.note.clone());
            let text = if request.note.is_some() { good() } else { self.first.clone() };
            if let Reply::SentBack(note) = desk.submit(text.to_string()).await {
                self.told.lock().unwrap().push(note);
                desk.submit(good().to_string()).await;
            }
            Ending::Finished
        })
    }
}

#[tokio::test]
async fn the_agent_is_told_every_problem_within_the_run_or_in_the_next() {
    for converses in [true, false] {
        let agent = Keeping { first: bad(), told: Mutex::new(Vec::new()), converses };
        let (outcome, _) = asked(&agent, Duration::from_secs(5)).await;
        assert!(matches!(outcome, Outcome::Answered(_)), "{outcome:?}");
        let told = agent.told.into_inner().unwrap();
        assert_eq!(told.len(), 1);
        for words in
            ["- citation: [1] net/pool.py:1 (head)", "- names: `Pool`, `shut`".trim_end_matches('`'), "net/gone.py"]
        {
            assert!(told[0].contains(words), "{words} in {}", told[0]);
        }
    }
}

#[tokio::test]
async fn a_run_without_an_answer_is_nudged_once() {
    assert!(matches!(ended(json!(["ends without answer", {"submit": good()}])).await, Outcome::Answered(_)));
    let outcome = ended(json!(["ends without answer", "ends without answer", {"submit": good()}])).await;
    assert_eq!(outcome, no_answer(Reason::Ended, "the agent ended twice without an answer"));
    let agent = script(json!([{"submit": bad()}, {"submit": good()}])).one_shot();
    assert!(matches!(asked(&agent, Duration::from_secs(5)).await.0, Outcome::Answered(_)));
    let outcome = ended(json!([{"text": "Here you go:"}, "ends without answer"])).await;
    let Outcome::NoAnswer { why, .. } = outcome else { panic!("{outcome:?}") };
    assert!(why.contains("schema: The answer is not one JSON value"), "{why}");
}

#[tokio::test]
async fn time_outs_and_crashes_end_it() {
    let outcome = ended(json!(["dies", {"submit": good()}])).await;
    assert_eq!(outcome, no_answer(Reason::Died, "the agent broke off: the transcript says that it dies here"));
    let (outcome, _) = asked(&script(json!(["times out"])), Duration::from_millis(20)).await;
    assert_eq!(outcome, no_answer(Reason::TimedOut, "no answer came within 0 seconds, so the agent was stopped"));
}

#[tokio::test]
async fn the_reviewer_can_cancel() {
    let (cancel, cancelled) = watch::channel(false);
    let subject = labelled().subject();
    let agent = script(json!([{"doing": "thinks"}, "times out"]));
    let context = RunContext {
        started: String::new(),
        block_id: "0123456789abcdef".to_owned(),
        elapsed: &|| 0,
        timeout: Duration::from_secs(60),
        max_tokens: None,
        effort: None,
        account: None,
        cancelled,
        progress: &|_| assert!(cancel.send(true).is_ok()),
    };
    assert_eq!(answer(&Explain, &agent, &subject, context).await, Outcome::Cancelled);
}

#[tokio::test]
async fn the_built_in_agent_passes_the_same_checks() {
    let (outcome, _) = asked(&Plain, Duration::from_secs(5)).await;
    let Outcome::Answered(answer) = outcome else { panic!("{outcome:?}") };
    assert_eq!((answer.stamp.agent.as_str(), answer.stamp.model), ("plain", None));
    assert_eq!(answer.stamp.checks.len(), 6);
    assert!(answer.sections[0].text.as_str().contains("now also takes `force=False`"), "{:?}", answer.sections);
}

/// Asks by name about what was picked.
async fn asked_about(kind: &str, labelled: &Labelled, wanted: &crate::ask::Wanted, agent: &dyn Agent) -> Outcome {
    let table = crate::ask::table();
    let ask = crate::ask::question::find(&table, kind).unwrap();
    let subject = labelled.subject().about(ask.card().takes, wanted).unwrap();
    let (_keep, cancelled) = watch::channel(false);
    let context = RunContext {
        started: String::new(),
        block_id: "0123456789abcdef".to_owned(),
        elapsed: &|| 0,
        timeout: Duration::from_secs(60),
        max_tokens: None,
        effort: None,
        account: None,
        cancelled,
        progress: &|_| (),
    };
    let outcome = answer(ask, agent, &subject, context).await;
    assert_eq!(stored::read(&stored::write(&outcome)).unwrap(), outcome);
    outcome
}

#[tokio::test]
async fn an_answer_says_what_it_was_asked_and_what_its_author_was_not_shown() {
    let mut labelled = labelled();
    labelled.description = "d".repeat(11_000);
    let wanted = crate::ask::Wanted { words: Some("Is force looked at?".to_owned()), ..Default::default() };
    let says = json!({"outcome": "can't tell", "answer": "No line looks at `force`.", "cited": []});
    let outcome = asked_about("question", &labelled, &wanted, &script(json!([{"submit": says}]))).await;
    let Outcome::Answered(answer) = outcome else { panic!("{outcome:?}") };
    assert_eq!(answer.asked.unwrap().as_str(), "Is force looked at?");
    assert_eq!(answer.not_shown[0].as_str(), "The description was cut after 10000 characters.");
    assert_eq!(answer.stamp.checks, ["schema", "length", "count", "grounds", "markers", "citation", "names"]);
    // The built-in agent needs no brief, answers what facts can answer, and leaves the rest to a model.
    let outcome = asked_about("cover", &labelled, &crate::ask::Wanted::default(), &Plain).await;
    let Outcome::Answered(answer) = outcome else { panic!("{outcome:?}") };
    assert_eq!((answer.asked, answer.not_shown), (None, Vec::new()));
    let outcome = asked_about("question", &labelled, &wanted, &Plain).await;
    assert_eq!(outcome, no_answer(Reason::Declined, "this ask needs an agent that uses a model"));
}
