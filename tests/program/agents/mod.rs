//! Agent programs: one table of transcripts that every one of them passes, played by a fake agent without a model.
#![allow(clippy::print_stdout, reason = "what is skipped is said, and what real programs came to")]

mod fences;
mod real;
mod stage;

use serde_json::{Value, json};

use stage::{ALL, Stage, answer, read, runs, submit};

/// What an ask comes to.
enum Comes {
    /// An answer, after so many attempts.
    Answered(u64),
    /// None, and the complaint holds these words.
    Complains(&'static [&'static str]),
}
use Comes::{Answered, Complains};

/// One transcript.
struct Case {
    name: &'static str,
    script: Value,
    comes: Comes,
    /// How often the program was run.
    runs: usize,
}

fn case(name: &'static str, script: Value, comes: Comes, runs: usize) -> Case {
    Case { name, script, comes, runs }
}

fn says(text: &str) -> Value {
    json!({ "says": text })
}

fn fails(status: u16, words: &str) -> Value {
    json!({ "fails": [status, words] })
}

fn cases() -> Vec<Case> {
    let as_text = |line| says(&format!("```json\n{}\n```", answer(line)));
    let around = says(&format!("Here is my answer: {}", answer(3)));
    vec![
        case("valid", runs(&[&[submit(3)]]), Answered(1), 1),
        case("invalid then valid", runs(&[&[submit(9999), submit(3)]]), Answered(2), 1),
        case(
            "invalid twice",
            runs(&[&[submit(9999), submit(9998), submit(3)]]),
            Complains(&["refused twice", "citation"]),
            1,
        ),
        case("prose around JSON", runs(&[&[around], &[submit(3)]]), Answered(1), 2),
        case("JSON as text", runs(&[&[as_text(3)]]), Answered(1), 1),
        case("wrong JSON as text, then the tool", runs(&[&[as_text(9999)], &[submit(3)]]), Answered(2), 2),
        case("text that is no answer to the tool", runs(&[&[submit(3), as_text(9999)]]), Answered(1), 1),
        case(
            "no answer at all",
            runs(&[&[says("I am unsure.")], &[]]),
            Complains(&["ended twice without an answer"]),
            2,
        ),
        case("invalid, then nothing more", runs(&[&[submit(9999)], &[submit(3)]]), Answered(2), 2),
        case(
            "crash",
            runs(&[&["crashes".into()]]),
            Complains(&["broke off", "exit code 101", "fake ^[[31magent fell over"]),
            1,
        ),
        case("crash after a refused answer", runs(&[&[submit(9999), "crashes".into()]]), Complains(&["broke off"]), 1),
        case("flood", runs(&[&["floods".into()]]), Complains(&["broke off", "more than"]), 1),
        case("exit 0 without a word", runs(&[&["stops".into()]]), Complains(&["broke off", "exit code 0"]), 1),
        case("exit 1 after an answer", runs(&[&[submit(3), "exits badly".into()]]), Answered(1), 1),
        case("401", runs(&[&[fails(401, "bad key")]]), Complains(&["not signed in", "bad key"]), 1),
        case("429", runs(&[&[fails(429, "slow down")]]), Complains(&["turned it away for now", "slow down"]), 1),
        case(
            "unknown model",
            runs(&[&[fails(404, "model nope not found")]]),
            Complains(&["knows no such model", "nope"]),
            1,
        ),
        case("cut stream", runs(&[&[fails(500, "stream disconnected")]]), Complains(&["broke off", "disconnected"]), 1),
        case("not signed in", json!({ "signed_out": true }), Complains(&["not signed in", "login"]), 0),
        case("a tool that is not there", runs(&[&[json!({ "call": ["bash", {}] }), submit(3)]]), Answered(1), 1),
    ]
}

fn plays_every_transcript(played: stage::Played) {
    let stage = Stage::new(played);
    for case in cases() {
        // Pi says whether it is signed in of a model alone.
        stage.settings(if case.name == "not signed in" { "model = \"fake/fake-model\"" } else { "" });
        stage.script(&case.script);
        let what = format!("{}, {}", played.agent, case.name);
        match case.comes {
            Answered(attempts) => {
                let answer = stage.answer();
                assert_eq!(answer["outcome"], "answered", "{what}");
                let stamp = &answer["stamp"];
                assert_eq!((&stamp["agent"], &stamp["attempts"]), (&played.agent.into(), &attempts.into()), "{what}");
                assert!(stamp["agent_version"].as_str().unwrap().contains("9.9.9"), "{what}: {stamp}");
            }
            Complains(words) => {
                let complaint = stage.complaint();
                words.iter().for_each(|word| assert!(complaint.contains(word), "{what}: {complaint}"));
            }
        }
        assert_eq!(stage.runs().len(), case.runs, "{what}");
    }
}

#[test]
fn claude_code_passes_every_transcript() {
    plays_every_transcript(ALL[0]);
}

#[test]
fn pi_passes_every_transcript() {
    plays_every_transcript(ALL[1]);
}

#[test]
fn codex_passes_every_transcript() {
    plays_every_transcript(ALL[2]);
}

#[test]
fn the_stamp_says_what_the_agent_reported() {
    for played in ALL {
        let stage = Stage::new(played);
        stage.settings("model = \"some/model-1\"\neffort = \"low\"\naccount = \"work\"");
        stage.script(&runs(&[&[submit(3)]]));
        let stamp = stage.answer()["stamp"].clone();
        let (model, tokens, cost) = match played.program {
            "claude" => (json!("fake-model"), 1200, json!("0.0100")),
            "pi" => (json!("fake/fake-model"), 1200, json!("0.0100")),
            _ => (json!("some/model-1"), 1200, Value::Null),
        };
        assert_eq!(
            (&stamp["model"], &stamp["tokens"], &stamp["cost"]),
            (&model, &tokens.into(), &cost),
            "{}",
            played.agent
        );
        assert_eq!((&stamp["effort"], &stamp["account"]), (&"low".into(), &"work".into()));
        let arguments = stage.runs()[0]["arguments"].clone();
        assert!(arguments.to_string().contains("some/model-1") && arguments.to_string().contains("low"), "{arguments}");
    }
}

#[test]
fn a_second_run_is_told_what_came_before() {
    for played in ALL {
        let stage = Stage::new(played);
        stage.script(&runs(&[&[submit(9999)], &[submit(3)]]));
        stage.answer();
        let (first, second) = (stage.runs()[0]["prompt"].clone(), stage.runs()[1]["prompt"].clone());
        let (first, second) = (first.as_str().unwrap(), second.as_str().unwrap());
        assert!(first.contains("long.txt") && !first.contains("ended without an answer"), "{first}");
        assert!(second.contains("long.txt") && second.contains("ended without an answer"), "{second}");
        assert!(second.contains("- citation: "), "{second}");
    }
}

#[test]
fn what_was_sent_may_be_cited_and_nothing_else() {
    for played in ALL {
        let stage = Stage::new(played);
        // Line 650 is in no brief; lines 600 to 610 are read.
        stage.script(&runs(&[&[read(600, 610), submit(650), submit(605)]]));
        let answer = stage.answer();
        assert_eq!((&answer["stamp"]["attempts"], &answer["citations"][0]["line"]), (&2.into(), &605.into()));
        let results = stage.results();
        let sent: Vec<usize> = (1..=stage::LINES).filter(|line| shows(&results[0].0, *line)).collect();
        assert_eq!(sent, (600..=610).collect::<Vec<_>>(), "{}: {}", played.agent, results[0].0);
        assert!(results[1].1 && results[1].0.contains("not among those given to read"), "{}", results[1].0);
        for line in [600, 610] {
            stage.script(&runs(&[&[read(600, 610), submit(line)]]));
            assert_eq!(stage.answer()["stamp"]["attempts"], 1, "{line}");
        }
        for line in [599, 611] {
            stage.script(&runs(&[&[read(600, 610), submit(line), submit(line)]]));
            assert!(stage.complaint().contains("not among those given to read"), "{line}");
        }
    }
}

/// Whether a text shows a row of the long file.
fn shows(text: &str, line: usize) -> bool {
    text.lines().any(|shown| shown.ends_with(&format!("row {line}")))
}

#[test]
fn an_effort_that_a_program_would_pass_over_is_refused() {
    for played in ALL {
        let stage = Stage::new(played);
        stage.settings("effort = \"silly\"");
        stage.script(&runs(&[&[submit(3)]]));
        let complaint = stage.complaint();
        assert!(
            complaint.contains("knows no effort `silly`: choose one of: ") && complaint.contains("high"),
            "{complaint}"
        );
        assert_eq!(stage.runs().len(), 0);
    }
}
