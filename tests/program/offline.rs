//! What was opened once opens again without network, git, gh or token; what was not says what is missing.

use crate::scene::Scene;
use crate::support::program::Program;

/// The readable text without the line that says as of when.
fn without_age(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with("offline: as of ")).collect()
}

#[test]
fn a_change_opens_again_with_nothing_around_it() {
    let mut scene = Scene::new();
    scene.github.private("ghp_token");
    scene.program.set("GH_ENTERPRISE_TOKEN", "ghp_token");
    let (url, first) = (scene.url(), scene.review());
    let text = scene.program.prints(&["review", &url]);
    assert!(!text.contains("offline"), "{text}");
    scene.github.stop();
    scene.program.set("GH_ENTERPRISE_TOKEN", "");
    scene.program.without_programs();
    for offline in [true, false] {
        let flag: &[&str] = if offline { &["--offline"] } else { &[] };
        let output = scene.program.run(&[flag, &["review", &url, "--json"]].concat());
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), first);
        // Without the flag it was tried, and says so; with it there is nothing to say.
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.lines().count(), usize::from(!offline), "{said}");
        let again = scene.program.prints(&[flag, &["review", &url]].concat());
        assert!(again.contains("\noffline: as of 20"), "{again}");
        assert_eq!(without_age(&again), without_age(&text));
    }
    let answer = scene.program.prints(&["--offline", "ask", "explain", &url, "--part", "1"]);
    assert!(answer.contains("no model was used"), "{answer}");
}

#[test]
fn offline_nothing_is_asked() {
    let scene = Scene::new();
    let first = scene.review();
    scene.github.forget_requests();
    assert_eq!(scene.program.prints(&["--offline", "review", &scene.url(), "--json"]), first);
    assert_eq!(scene.github.requests().len(), 0);
}

#[test]
fn what_was_never_opened_says_what_is_missing() {
    let mut scene = Scene::new();
    let url = scene.url();
    let complaint = scene.program.fails(&["--offline", "review", &url]);
    assert!(complaint.contains("octo/demo#7 was never opened here"), "{complaint}");
    assert!(complaint.contains("without --offline"), "{complaint}");
    assert_eq!(scene.github.requests().len(), 0);
    scene.github.stop();
    let complaint = scene.program.fails(&["review", &url]);
    assert!(complaint.contains("127.0.0.1") && !complaint.contains("hyper"), "{complaint}");
}

#[test]
fn without_its_objects_a_change_says_that_they_are_gone() {
    let mut scene = Scene::new();
    let (url, first) = (scene.url(), scene.review());
    std::fs::remove_dir_all(scene.program.folder("cache")).unwrap();
    let complaint = scene.program.fails(&["--offline", "review", &url]);
    assert!(complaint.contains("octo/demo#7") && complaint.contains("cache"), "{complaint}");
    assert!(!complaint.contains("never opened"), "{complaint}");
    assert_eq!(scene.review(), first);
    scene.github.stop();
    assert_eq!(scene.program.prints(&["--offline", "review", &url, "--json"]), first);
}

#[test]
fn answers_asked_before_are_on_the_screen_offline() {
    let mut scene = Scene::new();
    let url = scene.url();
    scene.program.prints(&["ask", "explain", &url, "--part", "1"]);
    scene.github.stop();
    scene.program.without_programs();
    for arguments in [&["--offline", "tui", &url][..], &["tui", &url]] {
        let mut screen = scene.program.screen(arguments, 200, 50);
        screen.until("the answer of the part", |screen| {
            screen.contains("1 answer") && screen.contains("offline, as of ")
        });
        screen.keys("\r\r");
        screen.shows("What it does");
        screen.shows("no model was used");
        screen.keys("q");
        assert_eq!(screen.end().0, 0);
    }
}

#[test]
fn what_needs_no_network_reopens_without_git() {
    let mut program = Program::new();
    let (_folder, clone) = clone_with_a_topic();
    let open = |program: &Program, arguments: &[&str]| {
        let output = program.run_in(&clone, arguments);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let kinds: [&[&str]; 2] = [&["review", "demo", "--json"], &["review", "main...topic", "--json"]];
    let with_git = kinds.map(|arguments| open(&program, arguments));
    program.without_programs();
    for (arguments, before) in kinds.into_iter().zip(&with_git) {
        assert_eq!(&open(&program, arguments), before, "{arguments:?}");
    }
    // Never opened here, and no git: libgit2 lists the files, and the result says so.
    let mut bare = Program::new();
    bare.without_programs();
    let first: serde_json::Value = serde_json::from_str(&open(&bare, kinds[0])).unwrap();
    let known: serde_json::Value = serde_json::from_str(&with_git[0]).unwrap();
    assert_eq!(first["parts"], known["parts"]);
    let said = first["left_out"].as_array().unwrap().iter().any(|left| left["what"] == "comparison by git");
    assert!(said, "{}", first["left_out"]);
}

/// A clone with `main` and a `topic` that renames a file and edits another.
fn clone_with_a_topic() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let clone = folder.path().join("clone");
    let git = git2::Repository::init_opts(&clone, git2::RepositoryInitOptions::new().initial_head("main")).unwrap();
    let body = "def one():\n    return 1\n\n\ndef two():\n    return 2\n";
    let commit = |branch: &str, parents: &[git2::Oid], files: &[(&str, &str)]| {
        let mut tree = git.treebuilder(None).unwrap();
        for (name, text) in files {
            tree.insert(name, git.blob(text.as_bytes()).unwrap(), 0o100_644).unwrap();
        }
        let tree = git.find_tree(tree.write().unwrap()).unwrap();
        let person = git2::Signature::new("a", "a@example.org", &git2::Time::new(0, 0)).unwrap();
        let parents: Vec<_> = parents.iter().map(|id| git.find_commit(*id).unwrap()).collect();
        let parents: Vec<_> = parents.iter().collect();
        git.commit(Some(&format!("refs/heads/{branch}")), &person, &person, branch, &tree, &parents).unwrap()
    };
    let base = commit("main", &[], &[("a.py", body), ("b.py", "x = 1\n")]);
    commit("topic", &[base], &[("moved.py", &format!("{body}# end\n")), ("b.py", "x = 2\n")]);
    (folder, clone)
}
