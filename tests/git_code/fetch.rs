//! Fetching: exactly what is asked for, only what is missing, and nothing lost when it is cut short.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use git2::{ObjectType, Oid, Repository};
use second_look::source::git::{GitError, open_commits};

use crate::ground::{GitServer, Ground, Manners, commit, facts, file, id, noise, objects, rows};

const QUIET: &(dyn Fn(&str) + Sync) = &|_| ();

/// A history of four commits; the last two are base and head.
fn history(git: &Repository) -> (Oid, Oid) {
    let many: Vec<_> = (0..30).map(|n| (format!("src/f{n}.txt"), format!("file {n}\n").repeat(20))).collect();
    let mut files: Vec<_> = many.iter().map(|(path, text)| file(path, text)).collect();
    let first = commit(git, "main", &[], &files);
    files.push(file("old.txt", "was here once\n"));
    let second = commit(git, "main", &[first], &files);
    files.pop();
    files.push(file("a.txt", "one\n"));
    let base = commit(git, "main", &[second], &files);
    files.pop();
    files.push(file("a.txt", "two\n"));
    (base, commit(git, "topic", &[base], &files))
}

#[tokio::test]
async fn brings_two_commits_without_their_history() {
    let ground = Ground::new();
    let git = ground.served();
    let (base, head) = history(&git);
    let server = GitServer::start(&ground.path("served"), Manners { token: Some("s3cr3t"), ..Manners::default() });
    let cache = ground.open_cache();
    let said = Mutex::new(Vec::new());
    let progress = |line: &str| said.lock().unwrap().push(line.to_owned());
    let fetched = cache.fetch(&server.url, &[id(base), id(head)], Some("s3cr3t"), &progress).await.unwrap();
    // Two commits, two roots, one folder, thirty files and both versions of the changed one.
    assert_eq!((fetched.objects, fetched.commits.len()), (37, 2));
    assert_eq!(objects(cache.folder()), 37);
    assert!(said.into_inner().unwrap().iter().any(|line| line.contains("objects: ")));
    assert!(cache.holds(id(base)) && cache.holds(id(head)));
    assert!(!cache.folder().join("FETCH_HEAD").exists());
    let config = std::fs::read_to_string(cache.folder().join("config")).unwrap();
    assert!(!config.contains("s3cr3t") && config.contains("[gc]"));

    let change = open_commits(&cache, facts(), id(base), id(head)).await.unwrap();
    assert_eq!(rows(&change), ["modification a.txt"]);
    assert_eq!((change.base_commit, change.head_commit), (Some(id(base)), Some(id(head))));
    assert_eq!(change.left_out, []);
}

#[tokio::test]
async fn a_second_head_brings_only_what_is_missing() {
    let ground = Ground::new();
    let git = ground.served();
    let (base, head) = history(&git);
    let server = GitServer::start(&ground.path("served"), Manners::default());
    let cache = ground.open_cache();
    cache.fetch(&server.url, &[id(base), id(head)], None, QUIET).await.unwrap();
    let before = objects(cache.folder());
    let requests = server.seen.lock().unwrap().len();

    // The same again asks nobody.
    let again = cache.fetch(&server.url, &[id(head), id(base), id(head)], None, QUIET).await.unwrap();
    assert_eq!((again.objects, again.commits.len()), (0, 0));
    assert_eq!(server.seen.lock().unwrap().len(), requests);

    let many: Vec<_> = (0..30).map(|n| (format!("src/f{n}.txt"), format!("file {n}\n").repeat(20))).collect();
    let mut files: Vec<_> = many.iter().map(|(path, text)| file(path, text)).collect();
    files.push(file("a.txt", "three\n"));
    let next = commit(&git, "topic", &[head], &files);
    let fetched = cache.fetch(&server.url, &[id(base), id(next)], None, QUIET).await.unwrap();
    // The commit, its root and the one new file.
    assert_eq!((fetched.objects, fetched.commits), (3, vec![id(next)]));
    assert_eq!(objects(cache.folder()), before + 3);
    let change = open_commits(&cache, facts(), id(base), id(next)).await.unwrap();
    assert_eq!(rows(&change), ["modification a.txt"]);
}

#[tokio::test]
async fn what_cannot_be_had_is_said_without_the_token() {
    let ground = Ground::new();
    let git = ground.served();
    let (base, head) = history(&git);
    let server = GitServer::start(&ground.path("served"), Manners { token: Some("right"), ..Manners::default() });
    let cache = ground.open_cache();
    for token in [None, Some("wr0ng")] {
        let error = cache.fetch(&server.url, &[id(head)], token, QUIET).await.unwrap_err();
        assert!(matches!(error, GitError::NotAllowed(_)), "{error:?}");
        assert!(!format!("{error} {error:?}").contains("wr0ng"));
    }
    let unknown = "1".repeat(40).parse().unwrap();
    let tree = id(git.find_commit(head).unwrap().tree_id());
    for want in [unknown, tree] {
        let error = cache.fetch(&server.url, &[id(base), want], Some("right"), QUIET).await.unwrap_err();
        assert!(matches!(error, GitError::NoCommit { id, .. } if id == want), "{error:?}");
        assert!(!cache.holds(want));
    }
    let nobody = "http://127.0.0.1:1/octo/demo.git";
    let error = cache.fetch(nobody, &[id(head)], Some("right"), QUIET).await.unwrap_err();
    assert!(matches!(error, GitError::Unreachable { .. }), "{error:?}");
    assert!(cache.fetch(&server.url, &[id(head)], Some("right"), QUIET).await.is_ok());
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_the_token_stays() {
    let ground = Ground::new();
    let (_, head) = history(&ground.served());
    let other = GitServer::start(&ground.path("served"), Manners::default());
    let moved = Manners { redirect: Some(other.url.clone()), ..Manners::default() };
    let server = GitServer::start(&ground.path("served"), moved);
    let cache = ground.open_cache();
    let error = cache.fetch(&server.url, &[id(head)], Some("right"), QUIET).await.unwrap_err();
    assert!(matches!(error, GitError::Moved(_)), "{error:?}");
    assert_eq!(*other.seen.lock().unwrap(), []);
    assert!(server.seen.lock().unwrap()[0].is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fetch_cut_short_leaves_the_repository_usable() {
    let ground = Ground::new();
    let git = ground.served();
    let base = commit(&git, "main", &[], &[file("a.txt", "one\n")]);
    let blob = noise(2 << 20, 7);
    let head = commit(&git, "topic", &[base], &[file("a.txt", "two\n"), ("big", 0o100_644, &blob)]);
    let server =
        GitServer::start(&ground.path("served"), Manners { stall: AtomicBool::new(true), ..Manners::default() });
    let cache = ground.open_cache();
    cache.fetch(&server.url, &[id(base)], None, QUIET).await.unwrap();
    let receiving = AtomicBool::new(false);
    let progress = |line: &str| receiving.store(line.starts_with("Receiving"), Ordering::SeqCst);
    let wants = [id(head)];
    let mut fetch = Box::pin(cache.fetch(&server.url, &wants, None, &progress));
    while !receiving.load(Ordering::SeqCst) {
        let step = tokio::time::timeout(Duration::from_millis(20), &mut fetch).await;
        assert!(step.is_err(), "{step:?}");
    }
    drop(fetch);
    // The writer's lock is free only when nothing of that git is left, so this waits for it.
    server.manners.stall.store(false, Ordering::SeqCst);
    // As if it had been killed too hard to clean up.
    std::fs::write(cache.folder().join("shallow.lock"), "").unwrap();
    assert!(cache.holds(id(base)) && !cache.holds(id(head)));
    let fetched = cache.fetch(&server.url, &[id(base), id(head)], None, QUIET).await.unwrap();
    assert_eq!(fetched.commits, [id(head)]);
    let change = open_commits(&cache, facts(), id(base), id(head)).await.unwrap();
    assert_eq!(rows(&change), ["modification a.txt", "addition big"]);
    assert_eq!(change.files[1].head.unwrap().size, Some(2 << 20));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_fetches_at_once_do_not_disturb_each_other() {
    let ground = Ground::new();
    let (base, head) = history(&ground.served());
    let server = GitServer::start(&ground.path("served"), Manners::default());
    let (one, two) = (ground.open_cache(), ground.open_cache());
    let (heads, bases) = ([id(head), id(base)], [id(base), id(head)]);
    let (first, second) =
        tokio::join!(one.fetch(&server.url, &heads, None, QUIET), two.fetch(&server.url, &bases, None, QUIET));
    let brought = [first.unwrap().objects, second.unwrap().objects];
    assert_eq!(brought.iter().sum::<u64>(), 37);
    assert!(one.holds(id(head)) && two.holds(id(base)));
}

#[tokio::test]
async fn objects_that_got_lost_are_brought_again() {
    let ground = Ground::new();
    let (base, head) = history(&ground.served());
    let server = GitServer::start(&ground.path("served"), Manners::default());
    let cache = ground.open_cache();
    cache.fetch(&server.url, &[id(base)], None, QUIET).await.unwrap();
    let packs = || -> BTreeSet<_> {
        std::fs::read_dir(cache.folder().join("objects/pack")).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let before = packs();
    cache.fetch(&server.url, &[id(head)], None, QUIET).await.unwrap();
    for lost in packs().difference(&before) {
        std::fs::remove_file(lost).unwrap();
    }
    assert!(cache.holds(id(base)) && !cache.holds(id(head)));
    let fetched = cache.fetch(&server.url, &[id(base), id(head)], None, QUIET).await.unwrap();
    assert_eq!(fetched.commits, [id(head)]);
    assert!(cache.holds(id(head)));
}

#[tokio::test]
async fn old_repositories_with_odd_objects_are_fetched() {
    let ground = Ground::new();
    let git = ground.served();
    let odb = git.odb().unwrap();
    let blob = git.blob(b"x\n").unwrap();
    // Modes with a leading zero and group bits, and an author without a time: fsck calls these errors.
    let tree = |rows: &[(&str, &str, Oid)]| {
        let rows: Vec<u8> = rows
            .iter()
            .flat_map(|(mode, name, id)| [format!("{mode} {name}\0").as_bytes(), id.as_bytes()].concat())
            .collect();
        odb.write(ObjectType::Tree, &rows).unwrap()
    };
    let folder = tree(&[("100664", "g", blob), ("100755", "x", blob)]);
    let root = tree(&[("0040000", "d", folder)]);
    let text = format!("tree {root}\nauthor A <a@b> \ncommitter A<a@b> 1 +051800\n\nold\n");
    let head = odb.write(ObjectType::Commit, text.as_bytes()).unwrap();
    let base = commit(&git, "main", &[], &[file("d/g", "y\n")]);
    git.reference("refs/heads/old", head, true, "").unwrap();
    let server = GitServer::start(&ground.path("served"), Manners::default());
    let cache = ground.open_cache();
    cache.fetch(&server.url, &[id(base), id(head)], None, QUIET).await.unwrap();
    let change = open_commits(&cache, facts(), id(base), id(head)).await.unwrap();
    assert_eq!(rows(&change), ["modification d/g", "addition d/x"]);
    let entries = change.trees.entries(second_look::change::Side::Head).unwrap();
    assert_eq!(entries[0].mode, second_look::change::FileMode::REGULAR);
    assert_eq!(entries[1].mode, second_look::change::FileMode::EXECUTABLE);
}
