//! A pull request full of escape sequences: none reaches the terminal, all can be seen.

use serde_json::Value;

use crate::scene::NUMBER;
use crate::screen::{SIZES, open};
use crate::support::github::Github;
use crate::support::program::Program;
use crate::support::repository::TestRepository;

/// Sequences that would set the title, fill the clipboard, hide text, clear, leave the screen, or make a link; as C0
/// and as C1, and characters that hide or turn text round.
const SEQUENCES: [&str; 11] = [
    "\x1b]0;owned\x07",
    "\x1b]52;c;b3duZWQ=\x07",
    "\x1b[8mhidden\x1b[28m",
    "\x1b[2J\x1b[H",
    "\x1b[?1049l",
    "\x1b]8;;https://owned.example\x1b\\link\x1b]8;;\x1b\\",
    "\u{9d}0;owned\u{9c}",
    "\u{9b}8mhidden",
    "back\x08\x08\x08\rbell\x07\x0b\x0c\x7f",
    "\u{202e}turned\u{202c}\u{200b}\u{2066}\u{feff}",
    "\x1bP1$r0q\x1b\\ \x1b_apc\x1b\\ \x1b^pm\x1b\\ \x1bc",
];

fn pull_request() -> (TestRepository, Github) {
    let repository = TestRepository::new();
    let all = SEQUENCES.join("\n");
    let path = format!("dir\x1b[8m/{}.py", "\x1b]52;c;b3duZWQ=\x07");
    let base_text = format!("def close():\n    pass\n# {all}\n");
    let head_text = format!("def close():\n    return '{all}'\n# {all} \n");
    let base = repository.commit(&[], &[(&path, base_text.as_bytes()), ("plain.txt", b"one\n")]);
    let code = format!("def \u{202e}name():\n    return 1\n# {all}\n");
    let head = repository.commit(
        &[base],
        &[(&path, head_text.as_bytes()), ("plain.txt", all.as_bytes()), ("n\u{202e}ew\x1b[2J.py", code.as_bytes())],
    );
    repository.branch("topic", head);
    let github = Github::start(repository.path());
    github.pull(NUMBER, &format!("Title {}", SEQUENCES.join(" ")), &format!("Body {all}"), base, head);
    github.edit(NUMBER, |pull| {
        pull.head_branch = format!("topic{}", SEQUENCES[0]);
        pull.author = Some(format!("ada{}", SEQUENCES[1]));
    });
    (repository, github)
}

/// What is left of the bytes when the sequences that the program itself may send are taken out.
///
/// # Panics
/// At any other sequence.
fn plain(raw: &[u8]) -> String {
    let text = std::str::from_utf8(raw).expect("the program sends UTF-8");
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = rest.find('\x1b') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        rest = match rest.as_bytes().first() {
            Some(b'[') => control(&rest[1..]),
            // The question for the background, asked once.
            Some(b']') => ["]11;?\x07", "]11;?\x1b\\", "]10;?\x07", "]10;?\x1b\\"]
                .iter()
                .find_map(|ask| rest.strip_prefix(ask))
                .unwrap_or_else(|| panic!("sends ESC {:?}", &rest[..20])),
            _ => panic!("sends ESC {:?}", rest.chars().take(10).collect::<String>()),
        };
    }
    out + rest
}

/// What follows a control sequence that is one of the program's own.
fn control(rest: &str) -> &str {
    let end = rest.find(|c: char| ('\x40'..='\x7e').contains(&c)).unwrap();
    let (parameters, last) = (&rest[..end], rest.as_bytes()[end]);
    let numbers = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == ';' || c == ':');
    let fits = match last {
        // Styles; concealed text (8) is none of them. The numbers of a colour follow 38, 48 or 58.
        b'm' => numbers(parameters) && !conceals(parameters),
        b'H' => numbers(parameters) && !parameters.is_empty(),
        b'h' | b'l' => ["?1049", "?25", "?2004", "?2026"].contains(&parameters),
        b'c' => parameters.is_empty(),
        // Clearing the screen, as a new or resized one is.
        b'J' => parameters == "2",
        _ => false,
    };
    assert!(fits, "sends ESC[{parameters}{}", char::from(last));
    &rest[end + 1..]
}

fn conceals(parameters: &str) -> bool {
    let mut numbers = parameters.split(';');
    while let Some(number) = numbers.next() {
        match number {
            "8" => return true,
            "38" | "48" | "58" => {
                let more = if numbers.next() == Some("2") { 3 } else { 1 };
                numbers.by_ref().take(more).for_each(|_| ());
            }
            _ => {}
        }
    }
    false
}

#[test]
fn no_sequence_of_a_pull_request_reaches_the_terminal() {
    let (_repository, github) = pull_request();
    let url = github.pull_url(NUMBER);
    for size in SIZES {
        let program = Program::new();
        let parts = program.json(&["review", &url, "--json"])["parts"].as_array().unwrap().len();
        let mut screen = open(&program, &url, size);
        screen.until("the title, harmless", |screen| screen.contains("Title ^[]0;owned^G"));
        screen.keys("o");
        screen.shows("About this part and its change");
        screen.keys("q");
        for at in 0..parts {
            let before = screen.screen();
            screen.keys("\rGle");
            screen.until("an outcome", |screen| {
                screen.contains("Explain by plain") || screen.contains("Explain: no answer")
            });
            screen.keys("G\x1b");
            screen.until("the answers closed", |screen| {
                !screen.contains("Explain by plain") && !screen.contains("Explain: no answer")
            });
            if at + 1 < parts {
                screen.keys("J");
                screen.until("another part", |screen| screen != before);
            }
        }
        // Pasted into the search, which says that it found nothing.
        screen.keys("/\x1b[200~owned \u{9b}8m \x07\x1b[201~\r");
        screen.shows("nothing in this part has");
        screen.keys("q");
        let (code, raw) = screen.end();
        assert_eq!(code, 0);
        let left = plain(&raw);
        let control: Vec<char> = left.chars().filter(|c| c.is_control() && !matches!(c, '\r' | '\n')).collect();
        assert_eq!(control, Vec::<char>::new());
        assert!(!left.contains(['\u{202e}', '\u{200b}', '\u{2066}', '\u{feff}', '\u{202c}']));
    }
}

#[test]
fn what_was_hidden_can_be_seen() {
    let (_repository, github) = pull_request();
    let program = Program::new();
    let mut screen = open(&program, &github.pull_url(NUMBER), (200, 50));
    let mut seen = String::new();
    for _ in 0..program.json(&["review", &github.pull_url(NUMBER), "--json"])["parts"].as_array().unwrap().len() {
        let before = screen.screen();
        seen.push_str(&before);
        screen.keys("J");
        if screen.screen() != before {
            continue;
        }
    }
    screen.keys("q");
    screen.end();
    for mark in ["^[]52;c;b3duZWQ=^G", "^[[8m", "<U+202E>", "<U+009B>8mhidden"] {
        assert!(seen.contains(mark), "{mark} is not on the screen:\n{seen}");
    }
}

#[test]
fn printed_text_holds_no_sequence_either() {
    let (_repository, github) = pull_request();
    let mut program = Program::new();
    let url = github.pull_url(NUMBER);
    let mut said = Vec::new();
    let result: Value = program.json(&["review", &url, "--json"]);
    said.push(program.prints(&["review", &url]));
    for at in 1..=result["parts"].as_array().unwrap().len() {
        let output = program.run(&["ask", "explain", &url, "--part", &at.to_string()]);
        said.push(String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap());
    }
    said.push(program.complains(&["ask", "explain", &url, "--part", SEQUENCES[0]]).1);
    said.push(program.complains(&["review", SEQUENCES[0]]).1);
    said.push(program.complains(&["review", &format!("https://github.com/o/{}/pull/1", SEQUENCES[2])]).1);
    said.push(program.fails(&["--config", SEQUENCES[1], "review", "demo"]));
    program.set("SECOND_LOOK_CONFIG_DIR", &format!("/nowhere/{}", SEQUENCES[0]));
    said.push(program.prints(&["doctor"]));
    for text in said {
        let control: Vec<char> = text.chars().filter(|c| c.is_control() && *c != '\n').collect();
        assert_eq!(control, Vec::<char>::new(), "{text:?}");
        assert!(!text.contains(['\u{202e}', '\u{200b}']), "{text:?}");
    }
    // JSON holds them, escaped.
    let printed = program.prints(&["review", &url, "--json"]);
    assert!(!printed.contains(|c: char| c.is_ascii_control() && c != '\n'));
    assert!(result["pull_request"]["title"].as_str().unwrap().contains(SEQUENCES[0]));
}
