//! What the repository as a whole must and must not hold.

use crate::sources::root;

#[test]
fn dependencies_say_why_they_are_there() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut inside = false;
    let mut wrong = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.contains("dependencies");
        } else if inside && line.contains('=') && !line.contains(" # ") && !line.trim_start().starts_with('#') {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "a dependency needs its reason in one line:\n{}", wrong.join("\n"));
}

#[test]
fn nothing_builds_openssl_or_needs_cmake() {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).unwrap();
    for name in ["openssl-sys", "native-tls", "libssh2-sys"] {
        assert!(!lock.contains(&format!("name = \"{name}\"")), "`{name}` is among the locked dependencies");
    }
}

#[test]
fn every_ask_has_labelled_cases_and_a_recorded_prompt() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("evaluation");
    let prompts = std::fs::read_to_string(root.join("prompts.json")).unwrap();
    let prompts: serde_json::Value = serde_json::from_str(&prompts).unwrap();
    for ask in second_look::ask::table() {
        let cases = std::fs::read_dir(root.join(ask.kind()).join("cases"));
        let count = cases.map_or(0, |cases| cases.flatten().filter(|case| case.path().extension().is_some()).count());
        assert!(count >= 1, "{} has no case in evaluation/{}/cases", ask.kind(), ask.kind());
        assert!(
            prompts[ask.kind()][ask.card().version.to_string()].is_string(),
            "{} is not in prompts.json",
            ask.kind()
        );
    }
}
