//! Recorded changes: the demo, and folders of the same shape.

use std::fs;

use second_look::change::{FileMode, Origin, Side, State};
use second_look::source::git::GitTrees;
use second_look::source::recorded;

use crate::ground::{Ground, head_of, rows};

#[tokio::test]
async fn the_demo_opens_and_is_always_the_same() {
    let (one, two) = (Ground::new(), Ground::new());
    let change = recorded::open(&one.cache(), "demo").await.unwrap();
    assert!(!change.files.is_empty() && !change.facts.title.is_empty());
    assert_eq!(change.facts.origin, Origin::Recorded("demo".to_owned()));
    assert_eq!((change.base_commit, change.head_commit), (None, None));
    let again = recorded::open(&two.cache(), "demo").await.unwrap();
    assert_eq!((change.base_tree, change.head_tree), (again.base_tree, again.head_tree));
    assert_eq!(change.files, again.files);
    assert!(recorded::open(&one.cache(), "other").await.is_err());
    // Its threads stand on lines of its files.
    assert_eq!(change.threads.len(), 2);
    for thread in &change.threads {
        let place = thread.place.as_ref().unwrap();
        let text = head_of(&change, &place.path.text());
        assert!(place.side == Side::Head && text.lines().count() >= place.end_line as usize, "{thread:?}");
        assert!(thread.comments.iter().all(|comment| !comment.author.is_empty() && !comment.body.is_empty()));
    }
    let folder = one.cache().join("repositories/local/changes.git");
    assert!(GitTrees::open(&folder, change.base_tree, change.head_tree).is_ok());
}

#[tokio::test]
async fn a_folder_opens_with_hidden_names_modes_and_links() {
    let ground = Ground::new();
    let case = ground.path("my-case");
    fs::create_dir_all(case.join("head/sub")).unwrap();
    fs::write(case.join("head/Cargo.toml.recorded"), "[package]\n").unwrap();
    fs::write(case.join("head/odd.recorded.recorded"), "odd\n").unwrap();
    fs::write(case.join("head/sub/run.sh"), "#!/bin/sh\n").unwrap();
    let manifest = r#"{"format": 1, "title": "T", "description": "D", "author": "me", "state": "merged",
        "base_branch": "main", "executable": ["head/sub/run.sh"], "links": {"head/link": "sub/run.sh"}, "later": 1}"#;
    fs::write(case.join("manifest.json"), manifest).unwrap();
    let change = recorded::open_folder(&ground.cache(), &case).await.unwrap();
    assert_eq!(rows(&change), ["addition Cargo.toml", "addition link", "addition odd.recorded", "addition sub/run.sh"]);
    assert_eq!(head_of(&change, "Cargo.toml"), "[package]\n");
    assert_eq!(head_of(&change, "link"), "sub/run.sh");
    let mode = |path: &str| change.trees.file(Side::Head, &path.into()).unwrap().unwrap().mode;
    assert_eq!((mode("sub/run.sh"), mode("link")), (FileMode::EXECUTABLE, FileMode::SYMLINK));
    assert_eq!((change.facts.state, change.facts.author.as_str()), (Some(State::Merged), "me"));
    assert_eq!(change.base_tree.to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");

    fs::write(case.join("manifest.json"), r#"{"format": 1, "title": "T", "executable": ["head/nope"]}"#).unwrap();
    let problem = recorded::open_folder(&ground.cache(), &case).await.err().unwrap();
    assert!(problem.what().contains("`head/nope`"), "{problem}");
    let threads = r#"[{"id": "t\u001b[31m", "path": "a", "comments": [{"author": "a", "body": "b"}]}]"#;
    fs::write(case.join("manifest.json"), format!(r#"{{"format": 1, "title": "T", "threads": {threads}}}"#)).unwrap();
    let problem = recorded::open_folder(&ground.cache(), &case).await.err().unwrap();
    assert!(problem.what().ends_with("the thread `t^[[31m` has a `path` but no `line`"), "{problem}");
    assert!(recorded::open_folder(&ground.cache(), &ground.path("nothing")).await.is_err());
    #[cfg(unix)]
    {
        fs::write(case.join("manifest.json"), r#"{"format": 1, "title": "T"}"#).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", case.join("head/leak")).unwrap();
        let problem = recorded::open_folder(&ground.cache(), &case).await.err().unwrap();
        assert!(problem.what().contains("`head/leak` is no ordinary file"), "{problem}");
    }
}
