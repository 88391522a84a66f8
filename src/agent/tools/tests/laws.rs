//! What holds for every tool, whatever the trees hold and whatever an agent asks for.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::agent::tools::{RESULT_BYTES, table};
use crate::change::RepoPath;
use crate::text::{clean_bytes, excerpt, needs_mark};

type File = (bool, String, Vec<u8>, u8);

fn segment() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ab]{1,2}(\\.py)?",
        1 => Just("head".to_owned()),
        1 => Just("odd\u{202e}\t\u{1b}".to_owned()),
        1 => Just(format!("{ID} >>")),
        1 => "é{1,3}".prop_map(|name| name.repeat(60)),
    ]
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec(segment(), 1..4).prop_map(|segments| segments.join("/"))
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        4 => "[ab ]{0,6}".prop_map(String::into_bytes),
        1 => Just(format!("<<end {ID}>> a").into_bytes()),
        1 => Just("a\u{202e}\u{200b}\u{1b}[2J\r".as_bytes().to_vec()),
        1 => any::<Vec<u8>>(),
        1 => (0..1200_usize).prop_map(|n| "é".repeat(n).into_bytes()),
    ];
    (prop::collection::vec(line, 0..60), 1..30_usize, any::<bool>()).prop_map(|(lines, times, feed)| {
        let mut bytes = vec![lines.join(&b'\n'); times].join(&b'\n');
        bytes.extend(feed.then_some(b'\n'));
        bytes
    })
}

fn files() -> impl Strategy<Value = Vec<File>> {
    prop::collection::vec((any::<bool>(), path(), content(), 0..8_u8), 0..12)
}

fn fixture(files: &[File]) -> Fixture {
    files.iter().fold(Fixture::default(), |fixture, (base, path, bytes, mode)| {
        let side = if *base { Side::Base } else { Side::Head };
        let mode = match mode {
            0 => FileMode::SYMLINK,
            1 => FileMode::SUBMODULE,
            2 => FileMode::EXECUTABLE,
            _ => FileMode::REGULAR,
        };
        fixture.file(side, path, bytes, mode)
    })
}

fn arguments(files: Vec<File>) -> impl Strategy<Value = (Vec<File>, Vec<Value>)> {
    let known: Vec<String> = files.iter().map(|(_, path, ..)| path.clone()).chain([String::new()]).collect();
    let known = prop::sample::select(known);
    let name = prop_oneof![3 => known.clone(), 1 => known.prop_map(|path| format!("./head/{path}")), 1 => path(), 1 => any::<String>()];
    let pattern =
        prop_oneof![Just("a".to_owned()), Just("*".to_owned()), Just("**/*.py".to_owned()), ".{0,6}", any::<String>()];
    let side = prop_oneof![Just(json!("head")), Just(json!("base")), Just(json!(null))];
    let number = prop_oneof![3 => (0..40_u32).prop_map(|n| json!(n)), 1 => any::<u32>().prop_map(|n| json!(n)), 2 => Just(json!(null))];
    let call = (name, pattern, side, number.clone(), number, any::<bool>(), any::<bool>());
    let call = call.prop_map(|(path, pattern, side, one, two, regex, ignore_case)| {
        json!({"path": path, "pattern": pattern, "side": side, "depth": one, "limit": two, "from_line": one,
            "to_line": two, "context": one, "from_row": one, "regex": regex, "ignore_case": ignore_case})
    });
    (Just(files), prop::collection::vec(call, 1..4))
}

/// Only the arguments that a tool has.
fn fitting(schema: &Value, all: &Value) -> Value {
    let names = schema["properties"].as_object().unwrap().keys();
    names.filter(|name| all.get(*name).is_some()).map(|name| (name.clone(), all[name].clone())).collect()
}

/// The line as every agent is shown it, once its fence's id is out of it.
fn shown(tools: &Reading, side: Side, path: &RepoPath, line: u32) -> String {
    let version = tools.change.trees.file(side, path).unwrap().expect("a delivered line of a file that is not there");
    let text = if version.mode.has_blob() {
        crate::change::Text::new(tools.change.trees.blob(version.blob).unwrap())
    } else {
        crate::change::Text::from(format!("Subproject commit {}", version.blob).as_str())
    };
    let line = text.line(line).expect("a delivered line that the file has not");
    excerpt(&clean_bytes(line)).replace(ID, "(the id of this block)")
}

/// The rows that show a line, as the numbers on each side and the text.
type Row = (Vec<(Option<Side>, u32)>, String);

fn rows(text: &str) -> Vec<Row> {
    let inside = fenced(text);
    let row = |row: &&str| {
        let (before, line) = row.split_once(" | ")?;
        let mut side = None;
        let mut places = Vec::new();
        for word in before.split(' ').filter(|word| !word.is_empty()) {
            match word {
                ">" | "+" | "-" => {}
                "base" => side = Some(Side::Base),
                "head" => side = Some(Side::Head),
                number => places.push((side, number.parse().ok()?)),
            }
        }
        Some((places, line.to_owned()))
    };
    inside.iter().filter_map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn results_are_bounded_clean_fenced_and_in_the_ledger((files, calls) in files().prop_flat_map(arguments)) {
        let reading = reading(fixture(&files));
        for tool in table() {
            for all in &calls {
                let arguments = fitting(&tool.schema(), all);
                let tools = Toolbox::new(Arc::clone(&reading), Ledger::default(), ID);
                let Called { text, failed } = tools.call(tool.name(), &arguments);
                prop_assert!(!text.is_empty() && text.len() <= RESULT_BYTES, "{} bytes", text.len());
                prop_assert!(text.chars().all(|c| c == '\n' || c == '\t' || !needs_mark(c)), "{text:?}");
                let ids = text.matches(ID).count();
                prop_assert!(ids == 0 || ids == 2, "{text}");
                prop_assert_eq!(tools.call(tool.name(), &arguments), Called { text: text.clone(), failed });
                let ledger = tools.ledger();
                prop_assert!(!failed || ledger.is_empty());
                let rows = rows(&text);
                for (side, path, line) in ledger.lines() {
                    let expected = shown(&reading, side, path, line);
                    let found = rows.iter().any(|(places, text)| {
                        *text == expected && places.iter().any(|(on, at)| *at == line && on.is_none_or(|on| on == side))
                    });
                    prop_assert!(found, "{} {path:?}:{line} is not in\n{text}", side.word());
                }
                let places: usize = rows.iter().map(|(places, _)| places.len()).sum();
                prop_assert_eq!(places, ledger.len(), "{}", text);
            }
        }
    }

    #[test]
    fn any_arguments_are_read_or_refused(text in any::<String>(), number in any::<i64>()) {
        let tools = toolbox(project());
        for tool in table() {
            let mut calls = vec![json!(null), json!([text]), json!(text), json!({ text.clone(): number })];
            for name in tool.schema()["properties"].as_object().unwrap().keys() {
                calls.extend([json!({ name.as_str(): text }), json!({ name.as_str(): number }), json!({ name.as_str(): [null] })]);
                calls.push(json!({ "path": text, "pattern": text, name.as_str(): number }));
            }
            for arguments in calls {
                let Called { text, .. } = tools.call(tool.name(), &arguments);
                prop_assert!(!text.is_empty() && text.len() <= RESULT_BYTES);
                prop_assert!(text.chars().all(|c| c == '\n' || c == '\t' || !needs_mark(c)), "{text:?}");
                prop_assert!(tools.doing(tool.name(), &arguments).chars().count() < 600);
            }
        }
    }
}

#[test]
fn every_tool_is_described_and_strict() {
    let names: BTreeSet<&str> = table().iter().map(|tool| tool.name()).collect();
    assert_eq!(names.len(), 5);
    for tool in table() {
        let schema = tool.schema();
        assert_eq!(schema["additionalProperties"], false, "{schema}");
        let properties: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(schema["required"], json!(properties), "{schema}");
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{} {name}", tool.name());
            assert!(property["type"].is_string() || property["type"].as_array().is_some_and(|types| types.len() == 2));
        }
        assert!(
            tool.description().len() > 80 && tool.description().contains("Narrow it") || tool.name() == "show_diff"
        );
        let text = format!("{schema}{}", tool.description());
        for unwanted in ["$ref", "$defs", "anyOf", "uint32", "\\n"] {
            assert!(!text.contains(unwanted), "{text}");
        }
    }
}
