//! The asks on the screen: from the menu, about selected lines, cancelled, copied, kept as drafts.

use serde_json::{Value, json};

use crate::result::number;
use crate::scene::{POOL_LINE, Scene};
use crate::screen::open;
use crate::support::program::Program;
use crate::support::terminal::Terminal;

const POOL: &str = "Pool.close in pool/pool.py";
/// The number at the head of the line that the part adds.
const LINE: u64 = 13;

fn quit(mut screen: Terminal) -> Vec<u8> {
    screen.keys("q");
    let (code, raw) = screen.end();
    assert_eq!(code, 0);
    raw
}

fn scripted(program: &Program, steps: &[Value]) {
    let transcript = program.write("transcript.json", &json!({ "version": 1, "steps": steps }).to_string());
    let settings = format!("[asks]\nagent = \"scripted\"\ntranscript = \"{transcript}\"\ntimeout = 60\n");
    program.write("config/config.toml", &settings);
}

/// Opens the scene's change on the part of the pool.
fn on_pool(scene: &Scene, size: (u16, u16)) -> Terminal {
    let result: Value = serde_json::from_str(&scene.review()).unwrap();
    let at = number(&result, POOL);
    let mut screen = open(&scene.program, &scene.url(), size);
    screen.keys(&"J".repeat(at - 1));
    screen.shows(&format!("part {at}: "));
    screen
}

#[test]
fn the_menu_runs_an_ask_at_every_size() {
    for size in crate::screen::SIZES {
        let program = Program::new();
        let mut screen = open(&program, "demo", size);
        screen.keys("a");
        screen.shows(" Ask about RetryPolicy");
        for ask in ["e  explain", "v  verify", "c  cover", "t  thread", "q  question"] {
            screen.shows(ask);
        }
        screen.keys("\x1b");
        screen.until("the menu closed", |screen| !screen.contains(" Ask about "));
        screen.keys("a\r");
        screen.shows("Explain by plain");
        screen.keys("ac");
        screen.shows("Cover by plain");
        // What the plain agent cannot answer is said with what to do.
        screen.keys("aq");
        screen.shows("Question about RetryPolicy");
        screen.keys("is 語 safe?\r");
        screen.shows("Question: no answer, declined");
        screen.shows("What to do: choose an agent");
        quit(screen);
    }
}

#[test]
fn selected_lines_are_verified_by_a_scripted_agent() {
    let scene = Scene::new();
    let answer = json!({ "submit": {
        "verdict": "refuted",
        "source": "the change itself",
        "reason": "`connection.close` is called for each of them.",
        "unclear": null,
        "cited": [{ "file": "pool/pool.py", "side": "head", "line": LINE, "quote": POOL_LINE }],
    }});
    scripted(&scene.program, &[json!({ "model": "replay" }), answer]);
    let mut screen = on_pool(&scene, (120, 40));
    screen.keys(&format!("\r/{POOL_LINE}\r"));
    screen.until("the line under the cursor", |screen| {
        screen.lines().any(|line| line.contains('▸') && line.contains(POOL_LINE))
    });
    screen.keys("vj");
    screen.shows("head 13-14 selected");
    screen.keys("av");
    screen.shows("Verify by scripted");
    screen.shows("lines 13 to 14 of pool/pool.py (head)");
    screen.shows("replay, ");
    screen.shows("Refuted, by ");
    screen.keys("s");
    screen.shows("checks passed: ");
    quit(screen);
}

#[test]
fn a_claim_is_picked_and_verified() {
    let scene = Scene::new();
    let claim = "Closes what idles.";
    let answer = json!({ "submit": {
        "verdict": "unverifiable", "source": "the change itself", "reason": "No line decides it.", "unclear": "What idles.", "cited": [],
    }});
    scripted(&scene.program, &[answer]);
    let head = "def close(self):\n    # closes every idle connection at once\n    return 1\n";
    scene.push("pool/closing.py", head);
    let mut screen = open(&scene.program, &scene.url(), (120, 40));
    screen.keys("r");
    screen.shows("close in pool/closing.py");
    let result: Value = serde_json::from_str(&scene.review()).unwrap();
    let at = number(&result, "close in pool/closing.py");
    screen.keys(&format!("{}g{}", "K".repeat(40), "J".repeat(at - 1)));
    screen.shows(&format!("part {at}: "));
    screen.keys("av");
    screen.shows("verify: which claim of close in pool/closing.py?");
    screen.shows("1  closes every idle connection at once");
    screen.keys("1");
    screen.shows("Verify by scripted");
    screen.shows("Unverifiable.");
    assert!(!screen.screen().contains(claim));
    quit(screen);
}

#[test]
fn the_one_thread_of_a_part_is_taken_at_once() {
    let program = Program::new();
    let answer = json!({ "submit": {
        "about": "It asks what a wrong setting does.", "state": "can't tell", "reason": "No line decides it.", "cited": [],
    }});
    scripted(&program, &[answer]);
    let mut screen = open(&program, "demo", (200, 50));
    screen.keys("at");
    screen.shows("Thread by scripted");
    screen.shows("tomasz-w: What do `attempts = 0`");
    screen.shows("It asks what a wrong setting does.");
    // A part without one says so.
    screen.keys("Jat");
    screen.shows("this part has no review thread that was read");
    quit(screen);
}

#[test]
fn what_waits_and_what_runs_is_shown_and_cancelled() {
    let program = Program::new();
    scripted(&program, &[json!({ "doing": "reads haul/retry.py\u{1b}[2J" }), "times out".into()]);
    let mut screen = open(&program, "demo", (120, 40));
    screen.keys("e");
    screen.shows("Explain running, ");
    screen.shows("reads haul/retry.py^[[2J");
    screen.keys("ac");
    screen.shows("Cover waits for its turn");
    // The one under the cursor first, then the one that is left.
    screen.keys("gx");
    screen.shows("Explain: cancelled");
    screen.shows("Cover running, ");
    screen.keys("\x1b");
    screen.shows("Cover: cancelled");
    quit(screen);
}

#[test]
fn a_refused_answer_is_looked_at_only_as_one() {
    let scene = Scene::new();
    let bad = json!({ "submit": {
        "does": "`Pool.shuts` is new [1].",
        "matters": "It is.",
        "cited": [{ "file": "pool/pool.py", "side": "head", "line": 999, "quote": POOL_LINE }],
    }});
    scripted(&scene.program, &[bad.clone(), bad]);
    let mut screen = on_pool(&scene, (120, 40));
    screen.keys("e");
    screen.shows("Explain: no answer, its checks failed");
    screen.shows("refused answer: Enter shows what was refused");
    assert!(!screen.screen().contains("is new [1]"));
    screen.keys("\r");
    screen.shows("x| REFUSED: IT FAILED ITS CHECKS");
    screen.shows("Pool.shuts");
    screen.keys("1");
    screen.shows("there is nothing to jump to");
    quit(screen);
}

#[test]
fn a_citation_of_a_file_that_did_not_change_opens_it() {
    let program = Program::new();
    let mut screen = open(&program, "demo", (120, 40));
    screen.keys("ac");
    screen.shows("Cover by plain");
    screen.keys("3");
    screen.shows("the whole file, to read only; Esc or ctrl-o returns");
    screen.shows("class FakeTransport:");
    screen.keys("/class FakeSleep\r");
    screen.until("the hit", |screen| screen.lines().any(|line| line.contains('▸') && line.contains("FakeSleep")));
    screen.keys("\x0f\x0f");
    screen.until("the answer again", |screen| screen.contains("part 1: ") && screen.contains("Cover by plain"));
    quit(screen);
}

#[test]
fn an_answer_is_copied_through_the_terminal() {
    for tmux in [false, true] {
        let mut program = Program::new();
        program.set("TMUX", if tmux { "/tmp/socket,1,0" } else { "" });
        let mut screen = open(&program, "demo", (80, 24));
        screen.keys("e");
        screen.shows("Explain by plain");
        screen.keys("y");
        let shown = screen.shows("characters with OSC 52; your terminal must allow it");
        let count: usize = shown.split("copied ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        let raw = quit(screen);
        let text = copied(&raw, "\x1b]52;c;", 0x1b);
        assert!(text.starts_with("Explain: RetryPolicy"), "{text}");
        assert!(text.contains("\n[1] haul/retry.py:") && text.contains("no model was used"), "{text}");
        assert_eq!(text.chars().count(), count);
        let passed = "\x1bPtmux;\x1b\x1b]52;c;";
        let holds = raw.windows(passed.len()).any(|window| window == passed.as_bytes());
        assert_eq!(holds, tmux);
        if tmux {
            assert_eq!(copied(&raw, passed, 0x1b), text);
        }
    }
}

/// What follows a sequence in base64, up to a byte.
fn copied(raw: &[u8], after: &str, end: u8) -> String {
    let start = raw.windows(after.len()).position(|window| window == after.as_bytes()).unwrap() + after.len();
    let coded = raw[start..].split(|byte| *byte == end || *byte == 7).next().unwrap();
    let value = |byte: &u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        other => panic!("{other} is no base64"),
    };
    let digits: Vec<u8> = coded.iter().filter(|byte| **byte != b'=').map(value).collect();
    let bytes = digits.chunks(4).flat_map(|four| {
        let bits = four.iter().fold(0_u32, |bits, digit| bits << 6 | u32::from(*digit)) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    });
    String::from_utf8(bytes.collect()).unwrap()
}

#[test]
fn a_draft_survives_a_restart_and_goes_only_when_it_is_confirmed() {
    let program = Program::new();
    let mut screen = open(&program, "demo", (120, 40));
    screen.keys("e");
    screen.shows("Explain by plain");
    screen.keys("d");
    screen.shows("nothing was sent to GitHub");
    screen.signal(rustix::process::Signal::KILL);
    let _ = screen.end();
    let mut screen = open(&program, "demo", (120, 40));
    screen.keys("\r\rG");
    screen.shows("Drafts 1");
    screen.keys("D");
    screen.shows("D once more removes it for good");
    screen.keys("k");
    screen.until("that the draft is kept", |screen| screen.contains("Drafts 1") && !screen.contains("once more"));
    screen.keys("G\r");
    screen.shows("Enter here jumps to haul/retry.py:");
    screen.keys("G");
    screen.shows("Made of explain by plain");
    screen.keys("DD");
    screen.until("no draft", |screen| screen.contains("the draft was removed") && !screen.contains("Drafts 1"));
    quit(screen);
    let mut screen = open(&program, "demo", (120, 40));
    screen.keys("\r\rG");
    screen.until("the answers without a draft", |screen| screen.contains(" Answers ") && !screen.contains("Drafts"));
    quit(screen);
}
