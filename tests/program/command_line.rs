//! Arguments, help, exit codes and complaints.

use std::process::Stdio;

use crate::scene::Scene;
use crate::support::program::Program;
use crate::support::repository::TestRepository;

const SUBCOMMANDS: [&str; 7] = ["tui", "review", "ask", "serve", "cache", "doctor", "completions"];

#[test]
fn help_shows_examples_that_begin_with_the_command() {
    let program = Program::new();
    let all = program.prints(&["--help"]);
    for name in SUBCOMMANDS {
        assert!(all.contains(&format!("\n  {name}")), "{all}");
        let help = program.prints(&[name, "--help"]);
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{name} has no examples: {help}"));
        assert!(examples.starts_with(&format!("  second-look {name}")), "{examples}");
        assert!(help.contains("--offline") && help.contains("--config"), "{help}");
    }
    assert_eq!(program.prints(&["--version"]), format!("second-look {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_is_2_and_prints_nothing() {
    let program = Program::new();
    for arguments in [
        &["review"][..],
        &["review", "demo", "--nonsense"],
        &["nonsense"],
        &["ask", "explain", "demo"],
        &["ask", "nonsense", "demo", "--part", "1"],
        &["ask", "explain", "demo", "--part", "0"],
        &["ask", "explain", "demo", "--part", "999"],
        &["ask", "explain", "demo", "--part", "no such part"],
        &["cache", "remove", "github.com/no/body"],
        &["review", "demo", "--staged"],
    ] {
        let (code, complaint) = program.complains(arguments);
        assert_eq!(code, 2, "{arguments:?}: {complaint}");
        assert!(!complaint.trim().is_empty() && !complaint.contains("panicked"), "{complaint}");
    }
    let (_, complaint) = program.complains(&["ask", "nonsense", "demo", "--part", "1"]);
    assert_eq!(
        complaint,
        "second-look: there is no ask `nonsense`: the asks are: explain, verify, cover, thread, question\n"
    );
    // Without anything there is the help, on standard error.
    let (code, help) = program.complains(&[]);
    assert!(code == 2 && help.contains("Usage:") && help.contains("second-look tui demo"), "{help}");
}

#[test]
fn an_unknown_address_shows_the_accepted_forms() {
    let program = Program::new();
    for address in
        ["nonsense", "https://github.com/octo/demo/issues/7", "http://example.com/o/r/pull/1", "7", "main..topic"]
    {
        for subcommand in ["review", "tui"] {
            let (code, complaint) = program.complains(&[subcommand, address]);
            assert_eq!((code, complaint.lines().count()), (2, 1), "{address}: {complaint}");
            assert!(complaint.starts_with("second-look: "), "{complaint}");
        }
    }
    let (_, complaint) = program.complains(&["review", "nonsense"]);
    for form in ["its address", "OWNER/REPO#N", "A..B", "A...B", "a branch or commit", "--staged", "demo"] {
        assert!(complaint.contains(form), "{form} is missing: {complaint}");
    }
}

#[test]
fn settings_that_are_not_there_or_wrong_are_named() {
    let program = Program::new();
    let complaint = program.fails(&["--config", "nowhere.toml", "review", "demo"]);
    assert!(complaint.contains("there is no settings file `nowhere.toml`"), "{complaint}");
    let file = program.write("own.toml", "[screen]\n\ntab_width = \"four\"\n");
    let complaint = program.fails(&["review", "demo", "--config", &file]);
    assert!(complaint.contains(&format!("`{file}` line 3")), "{complaint}");
    let file = program.write("config/config.toml", "[asks]\nagnet = \"plain\"\n");
    let complaint = program.fails(&["review", "demo"]);
    assert!(complaint.contains(&format!("`{file}` line 2")) && complaint.contains("agnet"), "{complaint}");
    // The doctor says so and goes on.
    let report = program.prints(&["doctor"]);
    assert!(report.contains(&format!("`{file}` line 2")) && report.contains("cache "), "{report}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let program = Program::new();
    for arguments in [&["review", "demo", "--json"][..], &["review", "demo"], &["doctor", "--settings"], &["--help"]] {
        let mut child = program.start(arguments);
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), complaint.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn the_screen_needs_a_terminal() {
    let program = Program::new();
    let complaint = program.fails(&["tui", "demo"]);
    assert!(complaint.contains("terminal") && complaint.contains("second-look review"), "{complaint}");
}

#[test]
fn the_doctor_says_what_is_there() {
    let mut program = Program::new();
    let report = program.prints(&["doctor"]);
    let row = |report: &str, name: &str| report.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(row(&report, "git").contains("git version 2."), "{report}");
    assert!(row(&report, "token").contains("none found"), "{report}");
    for folder in ["data", "cache"] {
        let row = row(&report, folder);
        assert!(row.contains(program.folder(folder).to_str().unwrap()) && row.contains("not made yet"), "{row}");
    }
    assert!(!program.folder("data").exists() && !program.folder("cache").exists());
    program.set("GH_TOKEN", "ghp_s3cr3t");
    let report = program.prints(&["doctor", "--offline"]);
    assert!(row(&report, "token").contains("GH_TOKEN") && !report.contains("s3cr3t"), "{report}");
    let other = program.prints(&["doctor", "--offline", "--host", "ghe.example.com"]);
    assert!(other.contains("token        for ghe.example.com: none found"), "{other}");
    program.without_programs();
    let report = program.prints(&["doctor", "--offline"]);
    assert!(row(&report, "git").contains("not") && !row(&report, "git").contains("git version"), "{report}");
}

#[test]
fn the_settings_the_doctor_prints_are_settings() {
    let program = Program::new();
    let defaults = program.prints(&["doctor", "--settings"]);
    for name in ["theme", "tab_width", "ascii", "agent"] {
        assert!(defaults.contains(&format!("\n{name} = ")), "{defaults}");
    }
    program.write("config/config.toml", &defaults);
    assert!(program.prints(&["review", "demo"]).contains("MUST REVIEW"));
}

#[test]
fn the_cache_is_listed_pruned_and_removed() {
    let scene = Scene::new();
    let program = &scene.program;
    assert!(program.prints(&["cache", "list"]).contains("0 snapshots"), "{}", program.prints(&["cache", "list"]));
    scene.review();
    let host = scene.github.url().replace("http://", "").replace(':', "%3a");
    let name = format!("{host}/octo/demo");
    let listed = program.prints(&["cache", "list"]);
    assert!(listed.contains(&name) && listed.contains("1 snapshot of built reviews"), "{listed}");

    // A head that nobody looks at any more is pruned, what the last look needs is not.
    scene.push("list.txt", "short\n");
    let last = scene.review();
    assert!(program.prints(&["cache", "list"]).contains("2 snapshots"));
    let freed = program.prints(&["cache", "prune"]);
    assert!(freed.starts_with("freed "), "{freed}");
    assert!(program.prints(&["cache", "list"]).contains("1 snapshot of"));
    assert_eq!(program.prints(&["--offline", "review", &scene.url(), "--json"]), last);

    assert_eq!(program.prints(&["cache", "remove", &name]), format!("removed {name}\n"));
    let listed = program.prints(&["cache", "list"]);
    assert!(!listed.contains(&name), "{listed}");
    assert!(program.prints(&["cache", "remove", "all"]).contains("removed all snapshots"));
    assert!(program.prints(&["cache", "list"]).contains("0 snapshots"));
    assert_eq!(scene.review(), last);
}

#[test]
fn local_ranges_need_no_github() {
    let program = Program::new();
    let repository = TestRepository::new();
    let base = repository.commit(&[], &[("a.py", b"def one():\n    return 1\n"), ("b.txt", b"b\n")]);
    let head = repository.change(base, &[("a.py", Some(b"def one():\n    return 2\n"))]);
    repository.branch("main", base);
    repository.branch("topic", head);
    let clone = program.folder("home").join("clone");
    let cloned = std::process::Command::new("git")
        .args(["clone", "-q", "-b", "topic"])
        .args([repository.path(), clone.clone()])
        .stderr(Stdio::null())
        .status();
    assert!(cloned.unwrap().success());
    for address in ["origin/main..topic", "origin/main...topic"] {
        let output = program.run_in(&clone, &["review", address, "--json"]);
        let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(crate::result::names(&result), ["one in a.py"], "{address}");
        assert_eq!(
            (&result["base_commit"], &result["head_commit"]),
            (&base.to_string().into(), &head.to_string().into())
        );
        assert_eq!(result["pull_request"]["origin"], "local");
    }
    std::fs::write(clone.join("b.txt"), "b\nc\n").unwrap();
    let output = program.run_in(&clone, &["review", "."]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("1 file changed, +1 -0") && text.contains("b.txt"), "{text}");
    let output = program.run_in(&clone, &["review", "--staged"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("0 files changed") && text.contains("This change is empty"), "{text}");
}
