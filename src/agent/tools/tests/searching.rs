//! `find_files` and `grep`.

use serde_json::json;

use super::*;

#[test]
fn finds_files_by_glob() {
    let tools = toolbox(project());
    let text = shows(&tools, "find_files", json!({"pattern": "*.py"}));
    assert!(text.starts_with("3 paths at the head match.\n<<data"), "{text}");
    assert_eq!(
        fenced(&text),
        ["file net/deep/er/a.py (29 bytes)", "file net/new_name.py (50 bytes)", "file net/pool.py (65 bytes)"]
    );
    let text = shows(&tools, "find_files", json!({"pattern": "net/*.py", "side": "base", "limit": 1}));
    assert!(text.ends_with("1 of them not shown: the limit is met. Narrow the pattern, for instance by a folder."));
    let text = shows(&tools, "find_files", json!({"pattern": "gone.*"}));
    assert_eq!(text, "No path at the head matches; at the base 1 do.");
    assert!(shows(&tools, "find_files", json!({"pattern": "*.rs"})).contains("begin it with **/"));
    assert!(refuses(&tools, "find_files", json!({"pattern": "[z-a]"})).contains("no glob: invalid range"));
    assert_eq!(tools.doing("find_files", &json!({"pattern": "*.py"})), "finds files by *.py");
}

#[test]
fn greps_for_a_text_or_a_pattern() {
    let tools = toolbox(project());
    let text = shows(&tools, "grep", json!({"pattern": "close"}));
    assert!(text.starts_with("2 lines of 2 files at the head.\n<<data"), "{text}");
    assert_eq!(
        fenced(&text),
        [
            "file net/deep/er/a.py (head)",
            "> 2 | x = close^M",
            "file net/pool.py (head)",
            "> 4 | def close(self, force=False):",
        ]
    );
    assert!(text.ends_with("Files not searched: 1 binary."), "{text}");
    assert_eq!(delivered(&tools), ["head net/deep/er/a.py:2", "head net/pool.py:4"]);
    let of = |arguments| fenced(&shows(&toolbox(project()), "grep", arguments)).join("\n");
    assert!(of(json!({"pattern": "CLOSE", "ignore_case": true})).contains("> 1 | # Close the pool^M"));
    assert!(of(json!({"pattern": "^x = \\w+$", "regex": true})).contains("> 2 | x = close^M"));
    assert_eq!(of(json!({"pattern": "x = \\w+"})), "No line at the head matches.\nFiles not searched: 1 binary.");
    assert!(of(json!({"pattern": "two", "side": "base"})).contains("net/old_name.py (base)"));
    assert_eq!(tools.doing("grep", &json!({"pattern": "x", "path": "net"})), "searches for `x` in net");
}

#[test]
fn greps_in_a_file_a_folder_or_a_glob() {
    let tools = toolbox(project());
    for path in ["net/pool.py", "net/*.py", "*pool.py", "./net/pool.py"] {
        let text = shows(&tools, "grep", json!({"pattern": "close", "path": path}));
        assert!(text.starts_with("1 line of 1 file"), "{path}: {text}");
    }
    assert!(shows(&tools, "grep", json!({"pattern": "close", "path": "net"})).starts_with("2 lines"));
    assert!(refuses(&tools, "grep", json!({"pattern": "x", "path": "pol.py"})).contains("Similar ones"));
    assert!(refuses(&tools, "grep", json!({"pattern": "x", "path": "*.rs"})).contains("matches that glob"));
    assert!(refuses(&tools, "grep", json!({"pattern": "x", "path": "latest"})).contains("not followed:"));
    let literal = Fixture::new(&[], &[("[id].ts", "here\n"), ("i.ts", "here\n")]);
    let text = shows(&toolbox(literal), "grep", json!({"pattern": "here", "path": "[id].ts"}));
    assert!(text.contains("file [id].ts (head)") && text.starts_with("1 line"), "{text}");
}

#[test]
fn shows_lines_around_and_delivers_them() {
    let tools = toolbox(Fixture::new(&[], &[("a", "1\n2\nx\n4\n5\n6\n7\nx\n9\n")]));
    let text = shows(&tools, "grep", json!({"pattern": "x", "context": 1}));
    assert_eq!(
        fenced(&text),
        ["file a (head)", "  2 | 2", "> 3 | x", "  4 | 4", "...", "  7 | 7", "> 8 | x", "  9 | 9"]
    );
    assert_eq!(tools.ledger().len(), 6);
}

#[test]
fn says_what_it_cut_and_how_to_narrow() {
    let many = "x\n".repeat(100);
    let names: Vec<String> = (0..200).map(|n| format!("f{n:03}")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), many.as_str())).collect();
    let tools = toolbox(Fixture::new(&[], &files));
    let text = shows(&tools, "grep", json!({"pattern": "x"}));
    assert!(text.contains("40 more lines of this file match"), "{text}");
    assert!(text.contains("At most 60 lines a file are shown: give a file as path to see more."), "{text}");
    assert!(text.contains("of 200 files were searched through. Narrow the pattern"), "{text}");
    let text = shows(&tools, "grep", json!({"pattern": "x", "path": "f007", "context": 3}));
    assert_eq!(fenced(&text).iter().filter(|row| row.starts_with('>')).count(), 60);
    assert!(fenced(&text).iter().all(|row| !row.starts_with(' ')), "{text}");
    let large = format!("{}\nneedle\n", "y".repeat(1 << 20));
    let long = format!("{}needle\n", "z".repeat(500));
    let tools = toolbox(Fixture::new(&[], &[("large", &large), ("long", &long)]));
    let text = shows(&tools, "grep", json!({"pattern": "needle"}));
    assert!(text.contains("Files not searched: 1 over 1 MB."), "{text}");
    assert!(text.contains("Long lines are cut"), "{text}");
}

#[test]
fn refuses_patterns_that_cannot_be_searched_for() {
    let tools = toolbox(project());
    for (arguments, part) in [
        (json!({"pattern": ""}), "between 1 and 1000 bytes"),
        (json!({"pattern": "x".repeat(1001)}), "between 1 and 1000 bytes"),
        (json!({"pattern": "a\nb"}), "within one line"),
        (json!({"pattern": "a\\nb", "regex": true}), "cannot be searched for"),
        (json!({"pattern": "(", "regex": true}), "unclosed group"),
        (json!({"pattern": "(\\w{100}){100}", "regex": true}), "cannot be searched for"),
    ] {
        let text = refuses(&tools, "grep", arguments);
        assert!(text.contains(part), "{text}");
    }
    for pattern in ["\\b\\w{1,20}\\s*=\\s*\\w+", "(?i)close|conn(ect)?", "[^\\s]+\\.clear\\(", "\\p{Lu}\\p{Ll}+"] {
        assert!(!shows(&tools, "grep", json!({"pattern": pattern, "regex": true})).starts_with("No line"), "{pattern}");
    }
}
