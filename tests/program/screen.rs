//! The screen in a pseudo-terminal: keys in, screen out, and the terminal given back.

use rustix::process::Signal;
use serde_json::Value;

use crate::result::{names, number};
use crate::scene::{POOL_LINE, Scene};
use crate::support::program::Program;
use crate::support::terminal::Terminal;

pub const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 50)];

const POOL: &str = "Pool.close in pool/pool.py";

/// Opens the screen and waits for its parts.
pub fn open(program: &Program, address: &str, (columns, rows): (u16, u16)) -> Terminal {
    let screen = program.screen(&["tui", address], columns, rows);
    screen.until("the parts, with nothing running", |screen| {
        screen.contains("Parts ")
            && screen.contains("? keys")
            && !screen.contains("counting")
            && !screen.contains("reading the")
    });
    screen
}

fn quit(mut screen: Terminal) -> Vec<u8> {
    screen.keys("q");
    let (code, raw) = screen.end();
    assert_eq!(code, 0);
    raw
}

fn holds(raw: &[u8], sequence: &str) -> bool {
    raw.windows(sequence.len()).any(|window| window == sequence.as_bytes())
}

#[test]
fn a_part_is_read_explained_and_marked_at_every_size() {
    for size in SIZES {
        let scene = Scene::new();
        let result: Value = serde_json::from_str(&scene.review()).unwrap();
        let at = number(&result, POOL);
        let mut screen = open(&scene.program, &scene.url(), size);
        screen.keys(&"j".repeat(at - 1));
        screen.shows(&format!("part {at}: "));
        screen.keys("\r");
        screen.until("the line that closes", |screen| screen.contains(POOL_LINE));
        screen.keys("e");
        screen.until("the answer", |screen| screen.contains("Explain by plain") && screen.contains("What it does"));
        // The stamp in one line, and in full.
        screen.shows("no model was used");
        screen.keys("s");
        screen.shows("checks passed: ");
        screen.keys("s");
        screen.until("the short stamp", |screen| !screen.contains("checks passed: "));
        let answer = scene.program.json(&["--offline", "ask", "explain", &scene.url(), "--part", POOL, "--json"]);
        screen.keys("g1");
        assert_eq!(
            (&answer["citations"][0]["line"], &answer["citations"][0]["quote"]),
            (&12.into(), &"def close(self):".into())
        );
        screen.until("the cited line on a ground of its own", |_| {
            let cited = screen.ground("12      def close(self):");
            cited.is_some() && cited != screen.ground("11        ").or(screen.ground("15          self.idle.clear()"))
        });
        screen.keys("\x0f");
        screen.shows("Explain by plain");
        // Back to the parts, and the mark.
        screen.keys("\x1b");
        screen.until("the answers closed", |screen| !screen.contains("Explain by plain"));
        screen.keys("\x1b");
        screen.until("the focus on the parts", |screen| screen.contains("Parts ") && screen.contains("Enter read"));
        screen.keys(" ");
        screen.shows("reviewed 1");
        quit(screen);
        let screen = open(&scene.program, &scene.url(), size);
        screen.shows("reviewed 1");
        quit(screen);
    }
}

#[test]
fn what_was_on_screen_before_the_parts_has_its_text_after_them() {
    // The first file by path is shown while parts are cut; its texts are on their way when the parts arrive.
    for _ in 0..3 {
        let program = Program::new();
        let mut screen = open(&program, "demo", (120, 40));
        let workflow = screen.screen().lines().take_while(|line| !line.contains("ci.yml")).count();
        let must_and_worth = screen.screen().lines().position(|line| line.contains("MUST REVIEW")).unwrap();
        // Rows between the first part and the workflow, but the one heading in between.
        screen.keys(&"J".repeat(workflow - must_and_worth - 2));
        screen.shows("permissions:");
        quit(screen);
    }
}

#[test]
fn in_the_answers_one_can_search_and_mark() {
    let program = Program::new();
    let mut screen = open(&program, "demo", (80, 24));
    screen.keys("e");
    screen.shows("Explain by plain");
    screen.keys("/query");
    screen.shows("/query");
    screen.keys("\x1b");
    screen.until("the prompt gone", |screen| !screen.contains("/query"));
    screen.keys(" ");
    screen.shows("must 1/4");
    quit(screen);
}

#[test]
fn searching_finds_and_says_what_it_does_not_find() {
    let scene = Scene::new();
    let result: Value = serde_json::from_str(&scene.review()).unwrap();
    let mut screen = open(&scene.program, &scene.url(), (120, 40));
    screen.keys(&"J".repeat(number(&result, POOL) - 1));
    screen.shows(POOL_LINE);
    screen.keys("/connection.close\r");
    screen.until("the hit under the cursor", |screen| {
        screen.lines().any(|line| line.contains('▸') && line.contains("connection.close"))
    });
    screen.keys("/nowhere at all\r");
    screen.shows("nothing in this part has \"nowhere at all\"");
    quit(screen);
}

#[test]
fn the_keys_are_listed_in_full() {
    for size in SIZES {
        let mut screen = open(&Program::new(), "demo", size);
        screen.keys("?");
        screen.shows(" Keys");
        let mut seen = screen.screen();
        while seen.lines().last().is_some() && screen.screen().contains("more below") {
            let before = screen.screen();
            screen.keys("\x04");
            seen.push_str(&screen.until("the next keys", |now| now != before));
        }
        for key in [
            "j Down",
            "ctrl-d",
            "ctrl-u",
            "Enter",
            "ctrl-o",
            "space",
            "shift-Tab",
            "1 to 9",
            "Explain this part",
            "ctrl-z",
            "quit; marks, answers and drafts are kept",
        ] {
            assert!(seen.contains(key), "{key} is not listed at {size:?}:\n{seen}");
        }
        screen.keys("?");
        screen.until("the overlay closed", |screen| !screen.contains(" Keys"));
        quit(screen);
    }
}

#[test]
fn a_tiny_screen_says_so_and_grows_back() {
    let screen = open(&Program::new(), "demo", (80, 24));
    screen.resize(30, 8);
    screen.until("the notice", |screen| !screen.contains("MUST REVIEW") && screen.contains("60"));
    screen.resize(20, 3);
    screen.until("a shorter notice", |screen| !screen.contains("MUST REVIEW"));
    screen.resize(200, 50);
    screen.until("the parts again", |screen| {
        screen.contains("MUST REVIEW") && screen.contains("deliver in haul/delivery.py")
    });
    quit(screen);
}

#[test]
fn the_terminal_is_given_back() {
    for signal in [None, Some(Signal::TERM), Some(Signal::HUP), Some(Signal::INT)] {
        let screen = open(&Program::new(), "demo", (80, 24));
        assert_eq!(screen.modes(), (false, true));
        let raw = match signal {
            None => quit(screen),
            Some(signal) => {
                screen.signal(signal);
                let (code, raw) = screen.end();
                assert_ne!(code, 0);
                raw
            }
        };
        // What was switched on is switched off again, and nothing is drawn after.
        for (on, off) in [("\x1b[?1049h", "\x1b[?1049l"), ("\x1b[?25l", "\x1b[?25h"), ("\x1b[?2004h", "\x1b[?2004l")] {
            assert!(holds(&raw, on) && holds(&raw, off), "{signal:?}");
            let last =
                |sequence: &str| raw.windows(sequence.len()).rposition(|window| window == sequence.as_bytes()).unwrap();
            assert!(last(off) > last(on), "{signal:?}: {off:?}");
        }
        let mut terminal = vt100::Parser::new(24, 80, 0);
        terminal.process(&raw);
        assert!(!terminal.screen().alternate_screen() && !terminal.screen().hide_cursor());
        assert!(!terminal.screen().contents().contains("MUST REVIEW"));
    }
}

#[test]
fn a_head_that_moved_is_a_banner_until_it_is_asked_for() {
    let scene = Scene::new();
    scene.review();
    let head = scene.push("brand_new.py", "def brand_new():\n    return 1\n");
    let mut screen = open(&scene.program, &scene.url(), (120, 40));
    screen.shows(&format!("The head moved to {}", &head.to_string()[..10]));
    assert!(!screen.screen().contains("brand_new"), "{}", screen.screen());
    screen.keys("r");
    screen.until("the new head", |screen| {
        screen.contains("brand_new in brand_new.py") && !screen.contains("The head moved")
    });
    quit(screen);
    let now: Value =
        serde_json::from_str(&scene.program.prints(&["--offline", "review", &scene.url(), "--json"])).unwrap();
    assert_eq!(now["head_commit"], head.to_string());
    assert!(names(&now).contains(&"brand_new in brand_new.py"));
}

#[test]
fn what_cannot_be_opened_is_said_on_the_screen() {
    let mut scene = Scene::new();
    scene.github.stop();
    let mut screen = scene.program.screen(&["tui", &scene.url()], 80, 24);
    screen
        .until("the failure", |screen| screen.contains("This change cannot be opened") && screen.contains("127.0.0.1"));
    screen.keys("q");
    assert_eq!(screen.end().0, 0);
}

#[test]
fn an_empty_change_is_said_on_the_screen() {
    let scene = Scene::new();
    scene.github.move_head(crate::scene::NUMBER, scene.merge_base);
    let mut screen = scene.program.screen(&["tui", &scene.url()], 80, 24);
    screen.shows("Nothing changed");
    screen.keys("q");
    assert_eq!(screen.end().0, 0);
}

#[test]
fn without_colour_no_colour_is_sent() {
    let mut program = Program::new();
    program.set("NO_COLOR", "1");
    let raw = quit(open(&program, "demo", (120, 40)));
    let text = String::from_utf8(raw).unwrap();
    let colours = |parameters: &str| {
        parameters.split(';').any(|one| matches!(one.parse::<u8>(), Ok(30..=38 | 40..=48 | 58 | 90..=107)))
    };
    for rest in text.split("\x1b[").skip(1) {
        let parameters: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == ';').collect();
        let is_style = rest[parameters.len()..].starts_with('m');
        assert!(!is_style || !colours(&parameters), "{parameters}m");
    }
}
