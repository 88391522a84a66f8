//! `doctor`: what it says of tokens, agents, folders and privacy, and what it never says.

use crate::scene::Scene;
use crate::support::program::Program;

const TOKEN: &str = "ghp_0123456789abcdefghijklmnopqrstuvwxyzA";

#[test]
fn a_token_is_said_by_its_source_and_scopes_alone() {
    let mut scene = Scene::new();
    scene.github.private(TOKEN);
    scene.program.set("GH_ENTERPRISE_TOKEN", TOKEN);
    scene.review();
    let host = scene.github.url().trim_start_matches("http://").to_owned();
    let report = scene.program.prints(&["doctor"]);
    let row = format!("for {host}: found by GH_ENTERPRISE_TOKEN; scopes: repo, read:org");
    assert!(report.contains(&row), "{report}");
    assert!(report.contains("for github.com: none found"), "{report}");
    let offline = scene.program.prints(&["--offline", "doctor"]);
    assert!(offline.contains("found by GH_ENTERPRISE_TOKEN; its scopes are not known offline"), "{offline}");
    scene.program.set("GH_ENTERPRISE_TOKEN", "ghp_of_somebody_else");
    let wrong = scene.program.prints(&["doctor"]);
    assert!(wrong.contains("found by GH_ENTERPRISE_TOKEN; its scopes are not known: "), "{wrong}");
    for text in [report, offline, wrong] {
        assert!(!text.contains("ghp_"), "{text}");
    }
}

#[test]
fn agents_folders_and_the_cache_are_listed() {
    let program = Program::new();
    program.prints(&["review", "demo"]);
    let report = program.prints(&["doctor"]);
    assert!(
        report.contains("agent        plain (built in, uses no model); answers asks: usable, version "),
        "{report}"
    );
    for name in ["claude-code", "pi", "codex", "api"] {
        assert!(report.contains(&format!("agent        {name} (")), "{name}: {report}");
    }
    assert!(report.contains(" in 1 repository, ") && report.contains(" in 1 snapshot; "), "{report}");
    assert!(report.contains("terminal     ") && report.contains("no terminal: output is piped"), "{report}");
}

#[test]
fn privacy_names_folders_and_everyone_who_is_sent_something() {
    let program = Program::new();
    program.write("config/config.toml", "[agents.api]\nbase_url = \"http://127.0.0.1:11434/v1\"\n");
    let report = program.prints(&["doctor", "--privacy"]);
    for folder in ["config", "data", "cache"] {
        assert!(report.contains(program.folder(folder).to_str().unwrap()), "{report}");
    }
    for words in
        ["GitHub host", "claude-code, pi, codex", "(http://127.0.0.1:11434/v1)", "no GitHub token", "kept nowhere"]
    {
        assert!(report.contains(words), "{words}: {report}");
    }
}
