//! A pull request's facts over real HTTP: what is read, what is remembered, where requests may go.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod support;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use git2::Oid;
use second_look::change::{Facts, Origin, PullRequest, State};
use second_look::source::github::{CachedAnswer, Client, FactCache, Limits, NoCache, Token, clone_url};
use support::github::{Fault, Github};
use support::repository::TestRepository;

/// A repository whose head forked off one commit before the base's tip.
struct World {
    repository: TestRepository,
    github: Github,
    fork: Oid,
    base: Oid,
    head: Oid,
}

fn world() -> World {
    let repository = TestRepository::new();
    let fork = repository.commit(&[], &[("a.txt", b"one\n"), ("b.txt", b"two\n")]);
    let base = repository.change(fork, &[("b.txt", Some(b"two, later\n"))]);
    let head = repository.change(fork, &[("a.txt", Some(b"one\nmore\n")), ("c/d.txt", Some(b"new\n"))]);
    let github = Github::start(repository.path());
    github.pull(7, "Add more", "Because.", base, head);
    World { repository, github, fork, base, head }
}

fn id(github: &Github, number: u64) -> PullRequest {
    PullRequest { server: github.url(), owner: "octo".into(), repo: "demo".into(), number }
}

fn client(github: &Github, token: Option<&str>) -> Client {
    let limits = Limits { pause: Duration::from_millis(5), ..Limits::default() };
    Client::with_limits(&github.url(), token.and_then(|token| Token::new(token, "GH_ENTERPRISE_TOKEN")), limits)
        .unwrap()
}

#[derive(Default)]
struct Memory(Mutex<BTreeMap<String, CachedAnswer>>);

impl FactCache for Memory {
    fn get(&self, url: &str) -> Option<CachedAnswer> {
        self.0.lock().unwrap().get(url).cloned()
    }

    fn put(&self, url: &str, answer: &CachedAnswer) {
        self.0.lock().unwrap().insert(url.to_owned(), answer.clone());
    }
}

fn paths(github: &Github) -> Vec<String> {
    github.requests().iter().map(|request| format!("{} {}", request.method, request.target)).collect()
}

#[tokio::test]
async fn facts_and_merge_base_are_read() {
    let world = world();
    let asked = id(&world.github, 7);
    let facts = client(&world.github, None).pull_request(&asked, &NoCache).await.unwrap();
    assert_eq!((facts.title.as_str(), facts.body.as_str()), ("Add more", "Because."));
    assert_eq!(facts.author.as_deref(), Some("ada"));
    assert_eq!(facts.state, State::Open);
    assert_eq!((facts.base_branch.as_str(), facts.head_branch.as_str()), ("main", "topic"));
    assert_eq!(facts.base.to_string(), world.base.to_string());
    assert_eq!(facts.head.to_string(), world.head.to_string());
    assert_eq!(facts.merge_base.to_string(), world.fork.to_string());
    assert_eq!(facts.head_repository.as_deref(), Some("octo/demo"));
    assert_eq!((facts.changed_files, facts.additions, facts.deletions), (Some(2), Some(2), Some(0)));
    assert!(!facts.from_cache);
    let of_change = Facts::from(&facts);
    assert_eq!(of_change.origin, Origin::PullRequest(asked));
    assert_eq!((of_change.description.as_str(), of_change.state), ("Because.", Some(State::Open)));
    let compare = format!("GET /api/v3/repos/octo/demo/compare/{}...{}?per_page=1&page=2", world.base, world.head);
    assert_eq!(paths(&world.github), ["GET /api/v3/repos/octo/demo/pulls/7".to_owned(), compare]);
}

#[tokio::test]
async fn a_ghost_and_a_deleted_fork_are_read() {
    let world = world();
    let client = client(&world.github, None);
    world.github.edit(7, |pull| {
        pull.author = None;
        pull.body = None;
        pull.head_repository = None;
        pull.draft = true;
    });
    let facts = client.pull_request(&id(&world.github, 7), &NoCache).await.unwrap();
    assert_eq!((facts.author, facts.head_repository, facts.body.as_str()), (None, None, ""));
    assert_eq!(facts.state, State::Draft);
    for (closed, merged, state) in [(true, false, State::Closed), (true, true, State::Merged)] {
        world.github.edit(7, |pull| {
            pull.state = if closed { "closed" } else { "open" }.to_owned();
            pull.merged = merged;
        });
        assert_eq!(client.pull_request(&id(&world.github, 7), &NoCache).await.unwrap().state, state);
    }
}

#[tokio::test]
async fn what_is_remembered_is_confirmed_by_its_etag() {
    let world = world();
    let (client, memory, asked) = (client(&world.github, None), Memory::default(), id(&world.github, 7));
    assert_eq!(client.remembered(&asked, &memory), None);
    let first = client.pull_request(&asked, &memory).await.unwrap();
    world.github.forget_requests();

    let again = client.pull_request(&asked, &memory).await.unwrap();
    assert!(again.from_cache && again.as_of >= first.as_of);
    assert_eq!((again.title, again.merge_base), (first.title.clone(), first.merge_base));
    let requests = world.github.requests();
    assert_eq!(requests.len(), 1, "the merge base of two commits is asked for once");
    assert!(requests[0].header("if-none-match").unwrap().starts_with("W/\""));

    world.github.edit(7, |pull| "Add even more".clone_into(&mut pull.title));
    let changed = client.pull_request(&asked, &memory).await.unwrap();
    assert!(!changed.from_cache);
    assert_eq!(changed.title, "Add even more");

    let later = world.repository.change(world.head, &[("a.txt", Some(b"all new\n"))]);
    world.github.move_head(7, later);
    let pushed = client.pull_request(&asked, &memory).await.unwrap();
    assert_eq!((pushed.head.to_string(), pushed.merge_base), (later.to_string(), first.merge_base));
}

#[tokio::test]
async fn what_was_asked_once_is_read_without_the_network() {
    let mut world = world();
    let (client, memory, asked) = (client(&world.github, None), Memory::default(), id(&world.github, 7));
    let first = client.pull_request(&asked, &memory).await.unwrap();
    world.github.stop();
    let offline = client.remembered(&asked, &memory).unwrap();
    assert!(offline.from_cache);
    assert_eq!((offline.as_of, offline.head, offline.merge_base), (first.as_of, first.head, first.merge_base));
    assert_eq!(client.remembered(&id(&world.github, 8), &memory), None);
}

#[tokio::test]
async fn a_memory_that_cannot_be_read_is_replaced() {
    let world = world();
    let (client, memory, asked) = (client(&world.github, None), Memory::default(), id(&world.github, 7));
    client.pull_request(&asked, &memory).await.unwrap();
    memory.0.lock().unwrap().values_mut().for_each(|kept| kept.body = b"{".to_vec());
    let facts = client.pull_request(&asked, &memory).await.unwrap();
    assert!(!facts.from_cache);
    assert!(client.pull_request(&asked, &memory).await.unwrap().from_cache);
}

#[tokio::test]
async fn a_server_without_etags_is_asked_again() {
    let world = world();
    let (client, memory, asked) = (client(&world.github, None), Memory::default(), id(&world.github, 7));
    world.github.fault(Fault::no_etag());
    for _ in 0..2 {
        assert!(!client.pull_request(&asked, &memory).await.unwrap().from_cache);
    }
    assert!(client.remembered(&asked, &memory).is_some());
}

#[tokio::test]
async fn a_comparison_without_its_second_page_is_read_from_the_first() {
    let world = world();
    let empty = support::http::Response::new(200, "application/json", "{\"commits\":[]}");
    world.github.fault(Fault::answer(empty).on("page=2"));
    let facts = client(&world.github, None).pull_request(&id(&world.github, 7), &NoCache).await.unwrap();
    assert_eq!(facts.merge_base.to_string(), world.fork.to_string());
}

#[tokio::test]
async fn a_moved_repository_is_followed_on_its_own_host() {
    let world = world();
    world.github.private("ghp_secret");
    world.github.moved();
    let (client, memory) = (client(&world.github, Some("ghp_secret")), Memory::default());
    let facts = client.pull_request(&id(&world.github, 7), &memory).await.unwrap();
    assert_eq!(facts.title, "Add more");
    let requests = world.github.requests();
    assert_eq!(requests[1].target, "/api/v3/repositories/1/pulls/7");
    assert!(requests.iter().all(|request| request.header("authorization") == Some("Bearer ghp_secret")));
    assert!(client.pull_request(&id(&world.github, 7), &memory).await.unwrap().from_cache);
}

#[tokio::test]
async fn another_host_is_never_asked_nor_given_the_token() {
    let (world, other) = (world(), world());
    for status in [301, 302, 307, 308] {
        world.github.clear_faults();
        world.github.fault(Fault::redirect(status, &format!("{}/api/v3/repos/octo/demo/pulls/7", other.github.url())));
        let client = client(&world.github, Some("ghp_secret"));
        let problem = client.pull_request(&id(&world.github, 7), &NoCache).await.unwrap_err();
        let expected = format!(
            "{} sends requests about octo/demo#7 on to {}, which is not followed",
            client.host(),
            other.github.url()
        );
        assert_eq!(problem.what(), expected);
    }
    assert_eq!(other.github.requests().len(), 0);
    let problem = client(&world.github, None).pull_request(&id(&other.github, 7), &NoCache).await.unwrap_err();
    assert!(problem.what().starts_with("octo/demo#7 is on http://127.0.0.1:"), "{problem}");
}

#[tokio::test]
async fn the_token_goes_with_every_request_to_its_host_and_only_if_there_is_one() {
    let world = world();
    client(&world.github, None).pull_request(&id(&world.github, 7), &NoCache).await.unwrap();
    assert!(world.github.requests().iter().all(|request| request.header("authorization").is_none()));
    world.github.forget_requests();
    client(&world.github, Some("ghp_secret")).pull_request(&id(&world.github, 7), &NoCache).await.unwrap();
    let requests = world.github.requests();
    assert_eq!(requests.len(), 2);
    for request in requests {
        assert_eq!(request.header("authorization"), Some("Bearer ghp_secret"));
        assert_eq!(request.header("x-github-api-version"), Some("2022-11-28"));
        assert_eq!(request.header("accept"), Some("application/vnd.github+json"));
        assert_eq!(request.header("user-agent"), Some(concat!("second-look/", env!("CARGO_PKG_VERSION"))));
    }
}

#[tokio::test]
async fn a_request_can_run_as_a_task() {
    let world = world();
    let (client, asked) = (client(&world.github, None), id(&world.github, 7));
    let task = tokio::spawn(async move { client.pull_request(&asked, &NoCache).await });
    assert_eq!(task.await.unwrap().unwrap().head.to_string(), world.head.to_string());
}

#[test]
fn making_a_client_needs_no_runtime() {
    let client = Client::new("https://github.com", Token::new("ghp_secret", "GH_TOKEN")).unwrap();
    assert_eq!(client.host(), "github.com");
    assert!(!format!("{client:?}").contains("ghp_secret"));
    let problem = Client::new("http://github.com", None).unwrap_err();
    assert_eq!(problem.what(), "`http://github.com` is not the address of a GitHub host");
}

/// Runs git in a folder as it comes, without this machine's settings.
fn git(folder: &Path, arguments: &[&str], input: &str) -> std::process::Output {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_TERMINAL_PROMPT", "0");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Git may fail before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The loopback GitHub itself: git takes one commit by its id, at depth one, and a private one only with the token.
#[test]
fn the_loopback_github_serves_code() {
    let world = world();
    world.github.private("ghp_secret");
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| git(folder.path(), arguments, "");
    assert!(git(&["init", "-q", "--bare"]).status.success());
    let (url, head) = (clone_url(&id(&world.github, 7)), world.head.to_string());
    assert!(!git(&["fetch", "-q", "--depth=1", &url, &head]).status.success());
    let header = "http.extraHeader=Authorization: Bearer ghp_secret";
    let fetched = git(&["-c", header, "fetch", "-q", "--depth=1", &url, &head]);
    assert!(fetched.status.success(), "{}", String::from_utf8_lossy(&fetched.stderr));
    assert_eq!(git(&["show", &format!("{head}:c/d.txt")]).stdout, b"new\n");
    assert!(!git(&["cat-file", "-e", &world.base.to_string()]).status.success());
}

/// Git asks for many objects in chunks where that is too large for one buffer.
#[test]
fn the_loopback_github_serves_many_objects_by_id() {
    let world = world();
    let files: Vec<(String, String)> = (0..3_000).map(|n| (format!("{n}.txt"), format!("{n}\n"))).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let wide = world.repository.commit(&[], &files);
    let folder = tempfile::tempdir().unwrap();
    assert!(git(folder.path(), &["init", "-q", "--bare"], "").status.success());
    let url = clone_url(&id(&world.github, 7));
    let fetch = ["fetch", "-q", "--depth=1", "--filter=blob:none", &url, &wide.to_string()];
    assert!(git(folder.path(), &fetch, "").status.success());
    let tree = git(folder.path(), &["ls-tree", "--object-only", &wide.to_string()], "");
    let ids = String::from_utf8(tree.stdout).unwrap();
    let some: Vec<&str> = ids.lines().take(100).collect();
    for wanted in [some.join("\n"), ids.clone()] {
        let fetched = git(
            folder.path(),
            &["-c", "http.postBuffer=65536", "fetch", "-q", "--no-filter", "--stdin", &url],
            &wanted,
        );
        assert!(fetched.status.success(), "{}", String::from_utf8_lossy(&fetched.stderr));
    }
    let last = git(folder.path(), &["cat-file", "blob", ids.lines().last().unwrap()], "");
    assert!(last.status.success());
    let header = |name: &str| world.github.requests().iter().any(|request| request.header(name).is_some());
    assert_eq!(["transfer-encoding", "git-protocol"].map(header), [true; 2]);
}
