//! `ask explain`: the plain answer, and transcripts that are refused once or twice.

use serde_json::{Value, json};

use crate::result::{files, names, number};
use crate::scene::{POOL_LINE, Scene};

const POOL: &str = "Pool.close in pool/pool.py";

#[test]
fn the_plain_answer_is_stamped_and_cites_lines_of_the_part() {
    let scene = Scene::new();
    let (url, result) = (scene.url(), serde_json::from_str::<Value>(&scene.review()).unwrap());
    let answer = scene.program.json(&["ask", "explain", &url, "--part", POOL, "--json"]);
    assert_eq!(
        (&answer["version"], &answer["outcome"], &answer["part_name"]),
        (&1.into(), &"answered".into(), &POOL.into())
    );
    let by_number =
        scene.program.json(&["ask", "explain", &url, "--part", &number(&result, POOL).to_string(), "--json"]);
    assert_eq!(by_number["sections"], answer["sections"]);
    let stamp = &answer["stamp"];
    assert_eq!((&stamp["agent"], &stamp["model"], &stamp["attempts"]), (&"plain".into(), &Value::Null, &1.into()));
    assert_eq!((&stamp["base_commit"], &stamp["head_commit"]), (&result["base_commit"], &result["head_commit"]));
    assert_eq!(stamp["content"], result["parts"][number(&result, POOL) - 1]["id"]);
    let citations = answer["citations"].as_array().unwrap();
    assert!((1..=5).contains(&citations.len()), "{citations:?}");
    let files = files(&result);
    for citation in citations {
        let lines = files[citation["path"].as_str().unwrap().as_bytes()].hunks.iter().flat_map(|hunk| &hunk.lines);
        let on = |line: &&crate::patch::Line| if citation["side"] == "base" { line.base } else { line.head } == citation["line"].as_u64();
        let line = lines.into_iter().find(on).unwrap_or_else(|| panic!("{citation} is no line"));
        let text = String::from_utf8(line.text.clone()).unwrap();
        assert!(text.contains(citation["quote"].as_str().unwrap()), "{citation}: {text}");
    }
    let read = answer["sections"].as_array().unwrap().iter().map(|section| section["heading"].as_str().unwrap());
    assert_eq!(read.collect::<Vec<_>>(), ["What it does", "Why it matters to the change"]);
    // `pool/uses.py` names it and is no part of the change.
    assert!(answer["facts"].to_string().contains("`pool/uses.py`"), "{}", answer["facts"]);
}

#[test]
fn every_part_has_an_outcome_in_words() {
    let scene = Scene::new();
    let (url, result) = (scene.url(), serde_json::from_str::<Value>(&scene.review()).unwrap());
    for at in 1..=names(&result).len() {
        let output = scene.program.run(&["--offline", "ask", "explain", &url, "--part", &at.to_string()]);
        let (text, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        match output.status.code() {
            Some(0) => assert!(text.contains("What it does") && text.contains("no model was used"), "{text}"),
            code => panic!("part {at} ends with {code:?}: {said}"),
        }
    }
}

/// An answer about the part of `pool/pool.py`, citing its line by number and with a quote.
fn submitted(line: u64, quote: &str) -> Value {
    json!({ "submit": {
        "does": "`Pool.close` now closes each connection [1].",
        "matters": "A connection that idles is not left open.",
        "cited": [{ "file": "pool/pool.py", "side": "head", "line": line, "quote": quote }],
    }})
}

fn scripted(scene: &Scene, steps: &[Value]) {
    let transcript = scene.program.write("transcript.json", &json!({ "version": 1, "steps": steps }).to_string());
    scene
        .program
        .write("config/config.toml", &format!("[asks]\nagent = \"scripted\"\ntranscript = \"{transcript}\"\n"));
}

/// The number of the line at the head that the scene's part adds.
const LINE: u64 = 13;

#[test]
fn a_refused_answer_goes_back_once() {
    let scene = Scene::new();
    let url = scene.url();
    scripted(&scene, &[json!({ "model": "replay" }), submitted(999, POOL_LINE), submitted(LINE, POOL_LINE)]);
    let answer = scene.program.json(&["ask", "explain", &url, "--part", POOL, "--json"]);
    assert_eq!(
        (&answer["stamp"]["attempts"], &answer["stamp"]["agent"], &answer["stamp"]["model"]),
        (&2.into(), &"scripted".into(), &"replay".into())
    );
    assert_eq!((&answer["citations"][0]["line"], &answer["citations"][0]["quote"]), (&LINE.into(), &POOL_LINE.into()));
    assert_eq!(kept(&scene), 1);
}

#[test]
fn refused_twice_there_is_no_answer_but_the_checks_that_failed() {
    let scene = Scene::new();
    let url = scene.url();
    scripted(&scene, &[submitted(999, POOL_LINE), submitted(LINE, "no such text on it"), submitted(LINE, POOL_LINE)]);
    for json in [&["--json"][..], &[]] {
        let complaint = scene.program.fails(&[&["ask", "explain", &url, "--part", POOL], json].concat());
        assert!(complaint.contains("refused twice (citation: "), "{complaint}");
    }
    assert_eq!(kept(&scene), 0);

    scripted(&scene, &["ends without answer".into(), "ends without answer".into()]);
    let complaint = scene.program.fails(&["ask", "explain", &url, "--part", POOL]);
    assert!(complaint.contains("there is no answer"), "{complaint}");
    scripted(&scene, &["dies".into()]);
    let complaint = scene.program.fails(&["ask", "explain", &url, "--part", POOL]);
    assert!(complaint.contains("broke off"), "{complaint}");
    scene.program.write("config/config.toml", "[asks]\nagent = \"scripted\"\ntranscript = \"/nowhere.json\"\n");
    let complaint = scene.program.fails(&["ask", "explain", &url, "--part", POOL]);
    assert!(complaint.contains("/nowhere.json"), "{complaint}");
    scene.program.write("config/config.toml", "[asks]\nagent = \"oracle\"\n");
    let complaint = scene.program.fails(&["ask", "explain", &url, "--part", POOL]);
    assert!(complaint.contains("there is no agent `oracle`") && complaint.contains("plain"), "{complaint}");
    assert_eq!(kept(&scene), 0);
}

/// How many answers the database keeps.
fn kept(scene: &Scene) -> u32 {
    let database = rusqlite::Connection::open(scene.program.folder("data").join("state.db")).unwrap();
    database.query_row("SELECT count(*) FROM answers", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_refusal_is_shown_on_the_screen() {
    let scene = Scene::new();
    let url = scene.url();
    let result: Value = serde_json::from_str(&scene.review()).unwrap();
    scripted(&scene, &[submitted(999, POOL_LINE), submitted(998, POOL_LINE)]);
    let mut screen = scene.program.screen(&["tui", &url], 200, 50);
    screen.shows("MUST REVIEW");
    screen.keys(&"J".repeat(number(&result, POOL) - 1));
    screen.keys("e");
    screen.shows("Explain: no answer, its checks failed");
    screen.shows("citation: ");
    screen.keys("q");
    assert_eq!(screen.end().0, 0);
}
