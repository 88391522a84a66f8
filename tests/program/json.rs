//! `review --json` of pull requests equals what git says of the same commits.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::patch;
use crate::result::{files, names, number, parts};
use crate::scene::{NUMBER, Scene};
use crate::support::github::Github;
use crate::support::program::Program;
use crate::support::repository::{Entry, TestRepository};

/// Holds a result against git: every file, hunk and line, and the totals.
fn equals_git(result: &Value, repository: &TestRepository, base: &str, head: &str) {
    let of_git = patch::files(&repository.path(), base, head);
    let mut of_ours = files(result);
    assert_eq!(of_ours.len(), of_git.len());
    for file in &of_git {
        let mut ours = of_ours.remove(&file.path).unwrap();
        if file.hunks.is_empty() {
            // Git says nothing of the ends of what it shows no line of.
            (ours.base_lacks_newline, ours.head_lacks_newline) = (false, false);
        }
        assert_eq!(&ours, file, "{}", String::from_utf8_lossy(&file.path));
    }
    let count = |kind| {
        of_git.iter().flat_map(|file| &file.hunks).flat_map(|hunk| &hunk.lines).filter(|line| line.kind == kind).count()
            as u64
    };
    let total = |field: &str| parts(result).iter().map(|part| part[field].as_u64().unwrap()).sum::<u64>();
    assert_eq!((total("additions"), total("deletions")), (count("addition"), count("deletion")));
    for (at, part) in parts(result).iter().enumerate() {
        assert_eq!(part["number"], at + 1);
        assert_eq!(part["id"].as_str().unwrap().len(), 64);
    }
}

#[test]
fn a_pull_request_is_what_git_says_from_the_merge_base_on() {
    let scene = Scene::new();
    let result: Value = serde_json::from_str(&scene.review()).unwrap();
    assert_eq!(result["version"], 1);
    assert_eq!(result["base_commit"], scene.merge_base.to_string());
    assert_eq!(result["head_commit"], scene.head.to_string());
    let tree = |id| scene.repository.git().find_commit(id).unwrap().tree_id().to_string();
    assert_eq!(
        (&result["base_tree"], &result["head_tree"]),
        (&tree(scene.merge_base).into(), &tree(scene.head).into())
    );
    let request = &result["pull_request"];
    assert_eq!(request["url"], scene.url());
    assert_eq!(
        (&request["owner"], &request["repo"], &request["number"]),
        (&"octo".into(), &"demo".into(), &NUMBER.into())
    );
    assert_eq!((&request["title"], &request["author"]), (&"Close idle connections".into(), &"ada".into()));
    assert_eq!(request["description"], "Closes what idles.\n\nFixes #3.");
    assert_eq!(
        (&request["base_branch"], &request["head_branch"], &request["state"]),
        (&"main".into(), &"topic".into(), &"open".into())
    );
    equals_git(&result, &scene.repository, &scene.merge_base.to_string(), &scene.head.to_string());

    // What the README says since then is no part of it.
    assert!(names(&result).iter().all(|name| !name.contains("README")), "{:?}", names(&result));
    let order: Vec<usize> = parts(&result)
        .iter()
        .map(|part| {
            ["must review", "worth reviewing", "context"].iter().position(|word| part["importance"] == *word).unwrap()
                + if part["noise"]["sunk"] == true { 3 } else { 0 }
        })
        .collect();
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn files_say_what_happened_to_them() {
    let scene = Scene::new();
    let result: Value = serde_json::from_str(&scene.review()).unwrap();
    let forms: BTreeMap<&str, &Value> = parts(&result)
        .iter()
        .flat_map(|part| part["files"].as_array().unwrap())
        .map(|file| (file["path"].as_str().unwrap(), file))
        .collect();
    let field = |path: &str, field: &str| forms[path][field].clone();
    for (path, change) in [
        ("gone.py", "deletion"),
        ("empty.txt", "addition"),
        ("list.txt", "modification"),
        ("relay/new_name.go", "rename"),
        ("odd \"name\".txt", "addition"),
    ] {
        assert_eq!(field(path, "change"), change, "{path}");
    }
    assert_eq!(field("relay/new_name.go", "previous_path"), "relay/old_name.go");
    assert_eq!((field("run.sh", "base_mode"), field("run.sh", "head_mode")), ("100644".into(), "100755".into()));
    assert_eq!(field("link", "head_mode"), "120000");
    assert_eq!(
        (field("logo.bin", "binary"), field("logo.bin", "base_size"), field("logo.bin", "head_size")),
        (true.into(), 7.into(), 17.into())
    );
    assert_eq!((field("gone.py", "head_mode"), field("gone.py", "head_size")), (Value::Null, Value::Null));
    assert_eq!(field("empty.txt", "hunks"), Value::Array(Vec::new()));

    let part = &parts(&result)[number(&result, "Pool.close in pool/pool.py") - 1];
    let entities: Vec<(&str, &str)> = part["entities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entity| (entity["name"].as_str().unwrap(), entity["change"].as_str().unwrap()))
        .collect();
    assert_eq!(entities.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["Pool.close"]);
}

#[test]
fn bytes_that_are_no_text_come_back_exactly() {
    let scene = Scene::new();
    let result: Value = serde_json::from_str(&scene.review()).unwrap();
    let texts = |path: &str| -> Vec<Vec<u8>> {
        files(&result)[path.as_bytes()]
            .hunks
            .iter()
            .flat_map(|hunk| hunk.lines.iter().map(|line| line.text.clone()))
            .collect()
    };
    assert_eq!(
        texts("latin.txt"),
        [b"caf\xe9".to_vec(), b"caf\xe9s".to_vec(), b"na\xefve".to_vec(), b"plain".to_vec()]
    );
    assert_eq!(
        texts("odd \"name\".txt"),
        [
            &b"tab\there"[..],
            b"bell\x07 and escape \x1b[31m",
            b"c1 \xc2\x9b2J",
            b"half \xc3",
            b"lone\rreturn",
            b"+++ b/fake",
            b"@@ -1 +1 @@"
        ]
    );
    assert_eq!(texts("dos.txt")[1], b"two\r");
    assert!(result["encoding"].as_str().unwrap().contains("_base64"));
}

#[test]
fn a_path_that_is_no_text_comes_back_exactly() {
    let repository = TestRepository::new();
    let base = repository.commit(&[], &[("a.txt", b"one\n")]);
    // Written as a tree by hand: the paths of the test repository are text.
    let git = repository.git();
    let mut tree = git.treebuilder(Some(&git.find_commit(base).unwrap().tree().unwrap())).unwrap();
    tree.insert(&b"caf\xe9\n.txt"[..], git.blob(b"two\n").unwrap(), 0o100_644).unwrap();
    let tree = git.find_tree(tree.write().unwrap()).unwrap();
    let ada = git2::Signature::new("Ada", "ada@example.org", &git2::Time::new(1_700_000_100, 0)).unwrap();
    let head = git.commit(None, &ada, &ada, "odd", &tree, &[&git.find_commit(base).unwrap()]).unwrap();
    repository.branch("topic", head);
    let github = Github::start(repository.path());
    github.pull(1, "Odd", "", base, head);
    let result = Program::new().json(&["review", &github.pull_url(1), "--json"]);
    equals_git(&result, &repository, &base.to_string(), &head.to_string());
    assert_eq!(files(&result).into_keys().collect::<Vec<_>>(), [b"caf\xe9\n.txt"]);
}

#[test]
fn forks_and_deleted_forks_open() {
    let scene = Scene::new();
    let mut seen = Vec::new();
    for repository in [Some("ada/demo".to_owned()), None] {
        scene.github.edit(NUMBER, |pull| {
            pull.head_repository = repository.clone();
            pull.author = repository.as_ref().map(|_| "ada".to_owned());
        });
        let fresh = Program::new();
        let result = fresh.json(&["review", &scene.url(), "--json"]);
        assert_eq!(result["pull_request"]["head_repository"], repository.map_or(Value::Null, Value::from));
        equals_git(&result, &scene.repository, &scene.merge_base.to_string(), &scene.head.to_string());
        seen.push(result["parts"].clone());
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn a_change_of_many_files_and_lines_opens() {
    let repository = TestRepository::new();
    let texts: Vec<(String, String, String)> = (0..320)
        .map(|n| {
            let base: String = (0..40).map(|line| format!("value_{n}_{line} = {line}\n")).collect();
            let head = base.replace(" = ", " = 1 + ");
            (format!("src/area{}/file{n}.{}", n % 7, if n % 40 == 0 { "py" } else { "txt" }), base, head)
        })
        .collect();
    let tree = |side: fn(&(String, String, String)) -> &str| -> Vec<Entry<'_>> {
        texts.iter().map(|row| Entry::file(&row.0, side(row).as_bytes())).collect()
    };
    let base = repository.commit_entries(&[], &tree(|row| &row.1));
    let head = repository.commit_entries(&[base], &tree(|row| &row.2));
    repository.branch("topic", head);
    let github = Github::start(repository.path());
    github.pull(1, "All of it", "", base, head);
    let program = Program::new();
    let url = github.pull_url(1);
    let result = program.json(&["review", &url, "--json"]);
    equals_git(&result, &repository, &base.to_string(), &head.to_string());
    let lines: u64 = parts(&result)
        .iter()
        .map(|part| part["additions"].as_u64().unwrap() + part["deletions"].as_u64().unwrap())
        .sum();
    assert_eq!((files(&result).len(), lines), (320, 25_600));
}

#[test]
fn the_demo_prints_the_same_whatever_is_cached() {
    let program = Program::new();
    let first = program.prints(&["review", "demo", "--json"]);
    assert_eq!(program.prints(&["review", "demo", "--json"]), first);
    std::fs::remove_dir_all(program.folder("cache")).unwrap();
    assert_eq!(program.prints(&["review", "demo", "--json"]), first);
    assert_eq!(program.prints(&["--offline", "review", "demo", "--json"]), first);
    assert_eq!(Program::new().prints(&["review", "demo", "--json"]), first);
}
