//! Every way a GitHub host can fail a reviewer, over real HTTP, and the exact sentence each one gets.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod support;

use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use second_look::change::PullRequest;
use second_look::problem::Problem;
use second_look::source::github::{Client, Limits, NoCache, Token};
use support::github::{Fault, Github};
use support::http::Response;
use support::repository::TestRepository;

const SECRET: &str = "ghp_0123456789abcdef";

/// A GitHub with one pull request, and clients of it with little patience.
struct World {
    _repository: TestRepository,
    github: Github,
    limits: Limits,
}

fn world() -> World {
    let repository = TestRepository::new();
    let base = repository.commit(&[], &[("a.txt", b"one\n")]);
    let head = repository.change(base, &[("a.txt", Some(b"two\n"))]);
    let github = Github::start(repository.path());
    github.pull(1, "Two", "", base, head);
    let limits = Limits { pause: Duration::from_millis(5), whole: Duration::from_secs(10), ..Limits::default() };
    World { _repository: repository, github, limits }
}

impl World {
    fn host(&self) -> String {
        self.github.url().replace("http://", "")
    }

    /// Asks with a token from a source; none without.
    async fn ask(&self, source: Option<&str>) -> Result<(), Problem> {
        let id = PullRequest { server: self.github.url(), owner: "octo".into(), repo: "demo".into(), number: 1 };
        let token = source.and_then(|source| Token::new(SECRET, source));
        let client = Client::with_limits(&self.github.url(), token, self.limits).unwrap();
        client.pull_request(&id, &NoCache).await.map(drop)
    }

    /// The one line a reviewer reads, with the host's port left out, after one fault.
    async fn says(&self, fault: Fault, source: Option<&str>) -> String {
        self.github.clear_faults();
        self.github.fault(fault);
        let problem = self.ask(source).await.unwrap_err();
        let text = format!("{problem} {problem:?}");
        assert!(!text.contains(SECRET), "{text}");
        problem.to_string().replace(&self.host(), "HOST")
    }
}

const OFFLINE: &str = "what was opened before can be read with `--offline`";

#[tokio::test]
async fn nothing_listens() {
    let mut world = world();
    let host = world.host();
    world.github.stop();
    let problem = world.ask(None).await.unwrap_err();
    assert_eq!(problem.what(), format!("{host} refused the connection"));
    assert_eq!(problem.hints(), ["check that the host is right and that it is running", OFFLINE]);
}

#[tokio::test]
async fn the_name_has_no_address() {
    let client = Client::new("https://no-such-host.invalid", None).unwrap();
    let id = PullRequest {
        server: "https://no-such-host.invalid".into(),
        owner: "octo".into(),
        repo: "demo".into(),
        number: 1,
    };
    let problem = client.pull_request(&id, &NoCache).await.unwrap_err();
    // A machine with no certificates at all says that first, and one behind a proxy asks the proxy.
    if std::env::var_os("HTTPS_PROXY").or(std::env::var_os("https_proxy")).is_none()
        && !problem.what().contains("authorities")
    {
        assert_eq!(problem.what(), "the name no-such-host.invalid has no address");
        assert_eq!(problem.hints(), ["check the name and the network", OFFLINE]);
    }
}

#[tokio::test]
async fn no_tls_where_tls_is_spoken() {
    let world = world();
    let server = world.github.url().replace("http:", "https:");
    let client = Client::new(&server, None).unwrap();
    let id = PullRequest { server, owner: "octo".into(), repo: "demo".into(), number: 1 };
    let problem = client.pull_request(&id, &NoCache).await.unwrap_err();
    if !problem.what().contains("authorities") {
        let host = world.host();
        assert_eq!(problem.what(), format!("no secure connection to {host}: what answers there does not speak TLS"));
    }
}

#[tokio::test]
async fn an_answer_takes_too_long() {
    let mut world = world();
    world.limits.whole = Duration::from_millis(300);
    let start = Instant::now();
    let said = world.says(Fault::slow(Duration::from_secs(3)).times(1), None).await;
    assert_eq!(
        said,
        format!("HOST did not answer about octo/demo#1 within 1 second: try again in a minute; {OFFLINE}")
    );
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn the_connection_is_closed_or_the_answer_broken_off() {
    let world = world();
    let said = world.says(Fault::drop(), None).await;
    let expected = "HOST closed the connection without an answer about octo/demo#1: try again in a minute";
    assert_eq!(said, format!("{expected}; {OFFLINE}"));
    let said = world.says(Fault::truncate(), None).await;
    assert_eq!(said, format!("the answer of HOST about octo/demo#1 broke off: try again in a minute; {OFFLINE}"));
    world.github.clear_faults();
    world.github.fault(Fault::truncate().times(1));
    world.github.fault(Fault::drop().times(1));
    world.ask(None).await.unwrap();
}

#[tokio::test]
async fn the_token_is_wrong() {
    let world = world();
    let bad = || Fault::status(401, "Bad credentials");
    let tail = "it is wrong, expired or revoked";
    assert_eq!(
        world.says(bad(), Some("GH_ENTERPRISE_TOKEN")).await,
        format!(
            "HOST does not accept the token from `GH_ENTERPRISE_TOKEN`: {tail}: put a valid token into GH_ENTERPRISE_TOKEN; it says: Bad credentials"
        )
    );
    assert_eq!(
        world.says(bad(), Some("gh auth token")).await,
        format!(
            "HOST does not accept the token from `gh auth token`: {tail}: sign in again: `gh auth login --hostname HOST`; it says: Bad credentials"
        )
    );
    assert_eq!(
        world.says(Fault::status(401, "Requires authentication"), None).await,
        "HOST answers nothing without a token: sign in with `gh auth login --hostname HOST`, or set GH_ENTERPRISE_TOKEN; it says: Requires authentication"
    );
    assert_eq!(world.github.requests().len(), 3, "a refused token is not tried again");
}

#[tokio::test]
async fn the_hourly_limit_is_used_up() {
    let world = world();
    let reset = Timestamp::now().as_second() + 23 * 60 - 5;
    let zone = TimeZone::system();
    let at = Timestamp::from_second(reset).unwrap().to_zoned_datetime(zone.clone());
    let today = Timestamp::now().to_zoned_datetime(zone).date();
    let form = if at.date() == today { "%H:%M" } else { "%Y-%m-%d %H:%M" };
    let until = format!("{} (in 23 minutes)", at.strftime(form));
    assert_eq!(
        world.says(Fault::rate_limit(reset), Some("GH_ENTERPRISE_TOKEN")).await,
        format!("the hourly limit of requests to HOST is used up until {until}: {OFFLINE}")
    );
    assert_eq!(
        world.says(Fault::rate_limit(i64::MAX), None).await,
        "the hourly limit of requests to HOST is used up: without a token the limit is low: sign in with `gh auth login --hostname HOST`, or set GH_ENTERPRISE_TOKEN"
    );
    assert_eq!(world.github.requests().len(), 2, "a used-up limit is not tried again");
}

#[tokio::test]
async fn too_many_requests_in_a_short_time() {
    let world = world();
    let said = world.says(Fault::slow_down(60), None).await;
    assert_eq!(said, "HOST asks for fewer requests in a short time: try again in 60 seconds");
    assert_eq!(world.github.requests().len(), 1, "a minute is not waited out");
    world.github.clear_faults();
    world.github.fault(Fault::slow_down(1).times(1));
    let start = Instant::now();
    world.ask(None).await.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(1), "a second is waited out");
}

#[tokio::test]
async fn single_sign_on_has_not_approved_the_token() {
    let world = world();
    let page = format!("{}/orgs/octo/sso?authorization_request=A1", world.github.url());
    assert_eq!(
        world.says(Fault::sign_on(&page), Some("GH_ENTERPRISE_TOKEN")).await,
        "the single sign-on for octo/demo#1 has not approved the token from `GH_ENTERPRISE_TOKEN`: approve it at http://HOST/orgs/octo/sso?authorization_request=A1"
    );
    assert_eq!(
        world.says(Fault::sign_on("https://evil.example/sso"), Some("gh auth token")).await,
        "the single sign-on for octo/demo#1 has not approved the token from `gh auth token`: approve it in the settings of your account, under tokens"
    );
}

#[tokio::test]
async fn the_token_lacks_a_scope() {
    let world = world();
    let lacks = |has: &str| {
        Fault::status(403, "Must have repo scope")
            .header("X-OAuth-Scopes", has)
            .header("X-Accepted-OAuth-Scopes", "repo")
    };
    let give = "give it the scope: `gh auth refresh --hostname HOST --scopes repo`";
    assert_eq!(
        world.says(lacks("gist, user"), Some("gh auth token")).await,
        format!(
            "the token from `gh auth token` may not read octo/demo#1: it has gist, user and needs one of repo: {give}"
        )
    );
    assert_eq!(
        world.says(lacks(""), Some("gh auth token")).await,
        format!(
            "the token from `gh auth token` may not read octo/demo#1: it has no scope and needs one of repo: {give}"
        )
    );
}

#[tokio::test]
async fn reading_is_forbidden() {
    let world = world();
    assert_eq!(
        world
            .says(Fault::status(403, "Resource not accessible by personal access token"), Some("GH_ENTERPRISE_TOKEN"))
            .await,
        "HOST does not allow reading octo/demo#1 with the token from `GH_ENTERPRISE_TOKEN`: let the token read pull requests and contents of the repository; it says: Resource not accessible by personal access token"
    );
    assert_eq!(
        world.says(Fault::status(403, "Forbidden"), None).await,
        "HOST does not allow reading octo/demo#1 with no token: sign in with `gh auth login --hostname HOST`, or set GH_ENTERPRISE_TOKEN; it says: Forbidden"
    );
}

#[tokio::test]
async fn it_is_not_there_or_may_not_be_seen() {
    let world = world();
    let missing = || Fault::status(404, "Not Found");
    let check = "check the address; the number may be an issue's";
    assert_eq!(
        world.says(missing(), None).await,
        format!(
            "HOST has no pull request octo/demo#1, or it is private: {check}; for a private repository, sign in with `gh auth login --hostname HOST`, or set GH_ENTERPRISE_TOKEN"
        )
    );
    assert_eq!(
        world.says(missing(), Some("GH_ENTERPRISE_TOKEN")).await,
        format!(
            "HOST has no pull request octo/demo#1, or the token from `GH_ENTERPRISE_TOKEN` may not see it: {check}; check that the token may read the repository, and its organisation's single sign-on"
        )
    );
    assert_eq!(
        world.says(missing().header("X-OAuth-Scopes", "public_repo"), Some("gh auth token")).await,
        format!(
            "HOST has no pull request octo/demo#1, or the token from `gh auth token` may not see it: {check}; give the token the scope for private repositories: `gh auth refresh --hostname HOST --scopes repo`"
        )
    );
}

#[tokio::test]
async fn it_is_gone() {
    let world = world();
    let said = world.says(Fault::status(410, "This was deleted"), None).await;
    assert_eq!(said, "octo/demo#1 is gone from HOST: it says: This was deleted");
    let said = world.says(Fault::status(451, "Repository access blocked"), None).await;
    assert_eq!(said, "octo/demo#1 is gone from HOST: it says: Repository access blocked");
    let said = world.says(Fault::status(422, "Validation Failed"), None).await;
    assert_eq!(said, "HOST answered about octo/demo#1 with status 422: it says: Validation Failed");
}

#[tokio::test]
async fn the_server_is_in_trouble() {
    let world = world();
    for status in [500, 502, 503, 504] {
        world.github.forget_requests();
        let said = world.says(Fault::status(status, "oops"), None).await;
        assert_eq!(said, format!("HOST has a problem of its own (status {status}): try again in a minute"));
        assert_eq!(world.github.requests().len(), 3);
        world.github.clear_faults();
        world.github.fault(Fault::status(status, "oops").times(2));
        world.ask(None).await.unwrap();
    }
    world.github.forget_requests();
    let said = world.says(Fault::status(503, "later").header("Retry-After", "120"), None).await;
    assert_eq!(said, "HOST has a problem of its own (status 503): try again in 120 seconds");
    assert_eq!(world.github.requests().len(), 1, "two minutes are not waited out");
    world.github.clear_faults();
    world.github.fault(Fault::status(503, "later").header("Retry-After", "1").times(1));
    let start = Instant::now();
    world.ask(None).await.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(1), "a second is waited out");
}

#[tokio::test]
async fn the_answer_cannot_be_read() {
    let mut world = world();
    let json = |body: &str| Fault::answer(Response::new(200, "application/json", body));
    let before = "the answer of HOST about octo/demo#1";
    assert_eq!(
        world.says(Fault::garbage(), None).await,
        format!("{before} is a web page, not data: check for a proxy or a sign-in page that stands in between")
    );
    assert_eq!(
        world.says(json("not json"), None).await,
        format!("{before} cannot be read: it is not JSON: try again in a minute")
    );
    assert_eq!(
        world.says(json("{}"), None).await,
        format!(
            "{before} is not of the known shape: missing field `base` at line 1 column 2: check that the host is a GitHub host"
        )
    );
    let short = r#"{"base":{"sha":"abc\u001b[31m"},"head":{"sha":"x"}}"#;
    assert_eq!(
        world.says(json(short), None).await,
        format!(
            "{before} is not of the known shape: `abc^[[31m` is not the id of a commit: check that the host is a GitHub host"
        )
    );
    let empty = Fault::answer(Response::new(200, "application/json", r#"{"commits":[]}"#)).on("/compare/");
    assert_eq!(
        world.says(empty, None).await,
        format!(
            "{before} is not of the known shape: missing field `merge_base_commit`: check that the host is a GitHub host"
        )
    );
    world.limits.bytes = 1024 * 1024;
    let said = world.says(json(&" ".repeat(1024 * 1024 + 1)), None).await;
    assert_eq!(said, format!("{before} is larger than 1 MiB"));
}

#[tokio::test]
async fn base_and_head_are_strangers() {
    let world = world();
    let strangers = Fault::status(404, "No common ancestor between a and b.").on("/compare/");
    assert_eq!(
        world.says(strangers, None).await,
        "the base and the head of octo/demo#1 have no commit in common: there is nothing to compare; ask its author to rebase it"
    );
}

#[tokio::test]
async fn redirects_lead_in_a_circle_or_elsewhere() {
    let world = world();
    let circle = "HOST sends requests about octo/demo#1 in a circle: check the host's address";
    assert_eq!(world.says(Fault::redirect(301, "/api/v3/repos/octo/demo/pulls/1"), None).await, circle);
    assert_eq!(world.github.requests().len(), 6, "one request and five redirects");
    assert_eq!(world.says(Fault::status(301, "no location"), None).await, circle);
    let hint = "a token goes to its own host only; if the host has moved, use its new address";
    for (to, origin) in [
        ("https://evil.example/repos/octo/demo/pulls/1?x", "https://evil.example"),
        ("//evil.example:8080/x", "http://evil.example:8080"),
        ("http://localhost:1/api/v3", "http://localhost:1"),
        ("file:///etc/passwd", "null"),
    ] {
        assert_eq!(
            world.says(Fault::redirect(307, to), Some("GH_ENTERPRISE_TOKEN")).await,
            format!("HOST sends requests about octo/demo#1 on to {origin}, which is not followed: {hint}")
        );
    }
}

#[tokio::test]
async fn what_the_host_says_is_cleaned_cut_and_free_of_the_token() {
    let world = world();
    let hostile = format!("a\nb \x1b[2J \u{202e}c {SECRET} {} end", "x".repeat(300));
    let said = world.says(Fault::status(403, &hostile), Some("GH_ENTERPRISE_TOKEN")).await;
    let quoted = said.split("it says: ").nth(1).unwrap();
    assert!(quoted.starts_with("a b ^[[2J <U+202E>c [token] xxx"), "{quoted}");
    assert!(quoted.ends_with("xx...") && quoted.chars().count() == 203, "{quoted}");
    // The token stands across the cut.
    let cut = format!("{}{SECRET}", "x".repeat(195));
    let said = world.says(Fault::status(418, &cut), Some("GH_ENTERPRISE_TOKEN")).await;
    assert!(said.ends_with("x[toke...") && !said.contains("ghp_"), "{said}");
}
