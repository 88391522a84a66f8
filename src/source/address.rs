//! What the reviewer typed, and which change it means.
//!
//! Forms are tried in a fixed order, so that a text always means one thing:
//! 1. `demo`, `.`, `--working-tree` and `--staged` are those words, whatever branches there are;
//! 2. a URL is a pull request; so is `HOST/OWNER/REPO/pull/N`, and `OWNER/REPO#N` on github.com;
//! 3. digits alone, or after `#`, are a pull request of the clone the reviewer is in;
//! 4. anything with `..` is a range, and anything else a branch or commit, of that clone.
//!
//! A branch that looks like something earlier is meant by its full name, such as `heads/demo`.

use std::path::{Path, PathBuf};

use url::Url;

pub use super::git::LocalRange;
use super::git::{ClonePlace, GitError, clone_at};
use super::remote::{self, Repository};
use crate::change::PullRequest;
use crate::problem::Problem;
use crate::text::clean;

/// Which change is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A pull request on a GitHub host.
    PullRequest(PullRequest),
    /// Something in a local clone.
    Local {
        /// The clone's top folder.
        folder: PathBuf,
        /// What of it.
        range: LocalRange,
    },
    /// A change kept as files, by name.
    Recorded(String),
}

/// Characters of the longest address.
const LENGTH_LIMIT: usize = 4096;
const FORMS: &str = "give a pull request (its address, OWNER/REPO#N, or N inside a clone), a range (A..B or A...B), \
                     a branch or commit, `.` for the working tree, `--staged`, or `demo`";

/// Finds out which change a text means, for a reviewer who is in `folder`.
///
/// Reads the clone around that folder where the text needs one, and the reviewer's ssh settings where a remote does.
///
/// # Errors
/// A [`Problem`] whose hint shows the accepted forms.
pub fn parse(text: &str, folder: &Path) -> Result<Address, Problem> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > LENGTH_LIMIT || text.contains(char::is_control) {
        return Err(unknown(text));
    }
    match text {
        "demo" => return Ok(Address::Recorded(text.to_owned())),
        "." | "--working-tree" => return local(text, folder, LocalRange::WorkingTree),
        "--staged" => return local(text, folder, LocalRange::Staged),
        _ if text.starts_with('-') => return Err(unknown(text)),
        _ => {}
    }
    if text.contains("://") {
        return from_url(text);
    }
    if let Some(pull_request) = without_scheme(text).or_else(|| short(text)) {
        return Ok(Address::PullRequest(pull_request));
    }
    if let Some(number) = number(text.strip_prefix('#').unwrap_or(text)) {
        return numbered(text, number, folder);
    }
    match range(text) {
        Some(range) => local(text, folder, range),
        None => Err(unknown(text)),
    }
}

/// A stable identity of the change that an address means, under which a reviewer's work on it is kept.
pub fn key(address: &Address) -> String {
    match address {
        Address::PullRequest(pull) => {
            format!("pull {}/{}/{}#{}", pull.server, pull.owner, pull.repo, pull.number).to_ascii_lowercase()
        }
        Address::Local { folder, range } => {
            let range = match range {
                LocalRange::Between { base, head } => format!("{base}..{head}"),
                LocalRange::Since { base, head } => format!("{base}...{head}"),
                LocalRange::Topic(topic) => format!("topic {topic}"),
                LocalRange::Staged => "staged".to_owned(),
                LocalRange::WorkingTree => "working tree".to_owned(),
            };
            format!("local {} {range}", folder.to_string_lossy())
        }
        Address::Recorded(name) => format!("recorded {name}"),
    }
}

/// `https://HOST/OWNER/REPO/pull/N`, with anything after it.
fn from_url(text: &str) -> Result<Address, Problem> {
    let url = Url::parse(text).map_err(|_| unknown(text))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Problem::new("the address holds a login").hint("give it without one"));
    }
    let server = remote::server(&url).ok_or_else(|| match url.scheme() {
        "http" => Problem::new(format!("`{}` is plain http", clean(text))).hint("use https: http is for loopback only"),
        _ => unknown(text),
    })?;
    let segments: Vec<&str> = url.path().trim_start_matches('/').split('/').collect();
    match segments.as_slice() {
        [owner, repo, "pull", last, ..] if remote::is_name(owner) && remote::is_name(repo) => {
            let number = number(last).ok_or_else(|| unknown(text))?;
            let [owner, repo] = [owner, repo].map(|name| (*name).to_owned());
            Ok(Address::PullRequest(PullRequest { server, owner, repo, number }))
        }
        _ => Err(unknown(text)),
    }
}

/// `HOST/OWNER/REPO/pull/N`, as browsers show it.
fn without_scheme(text: &str) -> Option<PullRequest> {
    let (host, rest) = text.split_once('/')?;
    if !host.contains('.') || !rest.contains("/pull/") {
        return None;
    }
    match from_url(&format!("https://{text}")) {
        Ok(Address::PullRequest(pull_request)) => Some(pull_request),
        _ => None,
    }
}

/// `OWNER/REPO#N`.
fn short(text: &str) -> Option<PullRequest> {
    let (name, last) = text.split_once('#')?;
    let (owner, repo) = name.split_once('/').filter(|(owner, repo)| remote::is_name(owner) && remote::is_name(repo))?;
    let server = "https://github.com".to_owned();
    Some(PullRequest { server, owner: owner.to_owned(), repo: repo.to_owned(), number: number(last)? })
}

/// A pull request's number: one to ten digits, not zero. Longer runs of digits are commits.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.len() <= 10 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && *number > 0)
}

fn numbered(text: &str, number: u64, folder: &Path) -> Result<Address, Problem> {
    let clone = clone_at(folder).map_err(|error| no_clone(text, error))?;
    let Repository { server, owner, repo } = home(&clone.remotes, &ssh_settings())?;
    Ok(Address::PullRequest(PullRequest { server, owner, repo, number }))
}

/// The repository whose pull requests a clone means: that of the remote `upstream`, else `origin`, else the only one.
fn home(remotes: &[(String, String)], ssh_settings: &str) -> Result<Repository, Problem> {
    let named = |wanted: &str| remotes.iter().find(|(name, _)| name == wanted);
    let only = || if remotes.len() == 1 { remotes.first() } else { None };
    let hint = "give the pull request's full address";
    let (name, address) = named("upstream").or_else(|| named("origin")).or_else(only).ok_or_else(|| {
        let what = if remotes.is_empty() {
            "this clone has no remote"
        } else {
            "this clone has several remotes, none called `origin`"
        };
        Problem::new(what).hint(hint)
    })?;
    remote::repository(address, ssh_settings).ok_or_else(|| {
        Problem::new(format!("the remote `{}` is no repository on a GitHub host", clean(name))).hint(hint)
    })
}

/// The reviewer's own ssh settings; empty where there are none.
fn ssh_settings() -> String {
    let path = directories::BaseDirs::new().map(|dirs| dirs.home_dir().join(".ssh").join("config"));
    let bytes = path.and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `A..B`, `A...B` (an end left out is HEAD), or one name.
fn range(text: &str) -> Option<LocalRange> {
    let end = |end: &str| if end.is_empty() { "HEAD".to_owned() } else { end.to_owned() };
    let Some((base, rest)) = text.split_once("..") else {
        return Some(LocalRange::Topic(text.to_owned()));
    };
    let (since, head) = rest.strip_prefix('.').map_or((false, rest), |head| (true, head));
    if (base.is_empty() && head.is_empty()) || head.contains("..") || head.starts_with('.') || head.starts_with('-') {
        return None;
    }
    let (base, head) = (end(base), end(head));
    Some(if since { LocalRange::Since { base, head } } else { LocalRange::Between { base, head } })
}

fn local(text: &str, folder: &Path, range: LocalRange) -> Result<Address, Problem> {
    let clone = clone_at(folder).map_err(|error| no_clone(text, error))?;
    let names: Vec<&str> = match &range {
        LocalRange::Between { base, head } | LocalRange::Since { base, head } => vec![base, head],
        LocalRange::Topic(topic) => vec![topic],
        LocalRange::Staged | LocalRange::WorkingTree => Vec::new(),
    };
    if let Some(name) = names.into_iter().find(|name| !ClonePlace::names_commit(&clone, name)) {
        return Err(Problem::new(format!("`{}` names no commit of this clone", clean(name))).hint(FORMS));
    }
    Ok(Address::Local { folder: clone.top, range })
}

fn unknown(text: &str) -> Problem {
    let shown: String = clean(text).as_str().chars().take(100).collect();
    Problem::new(format!("`{shown}` is no change that can be opened")).hint(FORMS)
}

fn no_clone(text: &str, error: GitError) -> Problem {
    match error {
        GitError::NoClone(folder) => {
            let shown: String = clean(text).as_str().chars().take(100).collect();
            let folder = clean(&folder.to_string_lossy());
            Problem::new(format!("`{shown}` means something only in a git clone, and `{folder}` is in none"))
                .hint(FORMS)
        }
        other => other.into(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A folder with a clone that has one commit on `main`, tagged `v1`, and two remotes.
    fn clone() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let mut options = git2::RepositoryInitOptions::new();
        let git = git2::Repository::init_opts(folder.path(), options.initial_head("main")).unwrap();
        let who = git2::Signature::new("a", "a@b", &git2::Time::new(0, 0)).unwrap();
        let tree = git.find_tree(git.treebuilder(None).unwrap().write().unwrap()).unwrap();
        let commit = git.commit(Some("HEAD"), &who, &who, "one", &tree, &[]).unwrap();
        git.tag_lightweight("v1", git.find_commit(commit).unwrap().as_object(), false).unwrap();
        git.tag_lightweight("demo", git.find_commit(commit).unwrap().as_object(), false).unwrap();
        git.remote("origin", "git@github.com:me/fork.git").unwrap();
        git.remote("upstream", "https://github.com/octo/demo").unwrap();
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        folder
    }

    fn meant(text: &str, folder: &Path) -> String {
        match parse(text, folder) {
            Ok(Address::PullRequest(pull)) => pull.url(),
            Ok(Address::Local { range, .. }) => format!("{range:?}"),
            Ok(Address::Recorded(name)) => format!("recorded {name}"),
            Err(problem) => {
                assert!(!problem.hints().is_empty(), "{problem}");
                "none".to_owned()
            }
        }
    }

    #[test]
    fn pull_requests_by_address() {
        let nowhere = tempfile::tempdir().unwrap();
        let meant = |text| meant(text, nowhere.path());
        for text in [
            "https://github.com/octo/demo/pull/7",
            " https://github.com/octo/demo/pull/7/files?w=1#diff-1 ",
            "https://GitHub.com:443/octo/demo/pull/7/commits/abc",
            "https://www.github.com/octo/demo/pull/7#issuecomment-1",
            "github.com/octo/demo/pull/7",
            "octo/demo#7",
        ] {
            assert_eq!(meant(text), "https://github.com/octo/demo/pull/7", "{text}");
        }
        assert_eq!(meant("https://ghe.example.com:8443/o/r.js/pull/1"), "https://ghe.example.com:8443/o/r.js/pull/1");
        assert_eq!(meant("http://127.0.0.1:8765/o/r/pull/1"), "http://127.0.0.1:8765/o/r/pull/1");
        assert_eq!(meant("http://[::1]:1/o/r/pull/1"), "http://[::1]:1/o/r/pull/1");
        assert_eq!(meant("http://localhost:1/o/r/pull/1"), "http://localhost:1/o/r/pull/1");
        assert_eq!(meant("demo"), "recorded demo");
        for text in [
            "",
            "7",
            "#7",
            "main",
            ".",
            "--staged",
            "--help",
            "http://github.com/o/r/pull/1",
            "http://localhost.evil.com/o/r/pull/1",
            "ftp://h/o/r/pull/1",
            "https://github.com/o/r/issues/1",
            "https://github.com/o/r/pull/0",
            "https://github.com/o/r/pull/1x",
            "https://github.com/o/%2e%2e/pull/1",
            "https://me:hush@github.com/o/r/pull/1",
            "o/r#0",
            "o/r#99999999999999999999",
            "a/b/c#1",
        ] {
            assert_eq!(meant(text), "none", "{text}");
        }
        assert!(
            !parse("https://me:hush@github.com/o/r/pull/1", nowhere.path()).unwrap_err().to_string().contains("hush")
        );
    }

    #[test]
    fn what_a_clone_gives_meaning_to() {
        let folder = clone();
        let sub = folder.path().join("sub");
        let meant = |text| meant(text, &sub);
        assert_eq!(meant("12"), "https://github.com/octo/demo/pull/12");
        assert_eq!(meant("#12"), "https://github.com/octo/demo/pull/12");
        assert_eq!(meant("main..v1"), r#"Between { base: "main", head: "v1" }"#);
        assert_eq!(meant("main...v1"), r#"Since { base: "main", head: "v1" }"#);
        assert_eq!(meant("main..."), r#"Since { base: "main", head: "HEAD" }"#);
        assert_eq!(meant("..v1"), r#"Between { base: "HEAD", head: "v1" }"#);
        assert_eq!(meant("v1"), r#"Topic("v1")"#);
        assert_eq!(meant("tags/demo"), r#"Topic("tags/demo")"#);
        assert_eq!(meant("demo"), "recorded demo");
        assert_eq!(meant("."), "WorkingTree");
        assert_eq!(meant("--working-tree"), "WorkingTree");
        assert_eq!(meant("--staged"), "Staged");
        for text in ["..", "...", "main....v1", "main..v1..x", "nope", "main...nope", "main..-x", "a\nb"] {
            assert_eq!(meant(text), "none", "{text}");
        }
        let Ok(Address::Local { folder: top, .. }) = parse("v1", &sub) else { panic!() };
        assert_eq!(top, folder.path().canonicalize().unwrap());
    }

    #[test]
    fn the_remote_decides_the_repository() {
        let remotes = |list: &[(&str, &str)]| {
            let list: Vec<_> = list.iter().map(|(name, url)| ((*name).to_owned(), (*url).to_owned())).collect();
            home(&list, "Host alias\nHostName github.com")
                .map(|found| format!("{}/{}/{}", found.server, found.owner, found.repo))
        };
        assert_eq!(remotes(&[("fork", "alias:a/b")]).unwrap(), "https://github.com/a/b");
        assert_eq!(remotes(&[("fork", "alias:a/b"), ("origin", "alias:c/d")]).unwrap(), "https://github.com/c/d");
        assert!(remotes(&[("x", "alias:a/b"), ("y", "alias:a/b")]).is_err());
        assert!(remotes(&[]).is_err());
        assert!(remotes(&[("origin", "/srv/x.git")]).is_err());
    }

    #[test]
    fn keys_do_not_depend_on_how_it_was_typed() {
        let folder = clone();
        let of = |text, folder: &Path| key(&parse(text, folder).unwrap());
        assert_eq!(of("Octo/Demo#7", folder.path()), of("https://github.com/octo/demo/pull/7/files", folder.path()));
        assert_eq!(of(".", folder.path()), of("--working-tree", &folder.path().join("sub")));
        assert_ne!(of("main..v1", folder.path()), of("main...v1", folder.path()));
        assert_ne!(of("--staged", folder.path()), of(".", folder.path()));
        assert_eq!(of("demo", folder.path()), "recorded demo");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>(), tail in "[a-z0-9./#:-]{0,40}") {
            let nowhere = Path::new("/nowhere/at/all");
            for text in [text.clone(), format!("https://{tail}"), format!("{tail}#{text}"), format!("{tail}..{text}"), tail] {
                if let Ok(address) = parse(&text, nowhere) {
                    prop_assert!(!key(&address).is_empty());
                }
            }
        }
    }
}
