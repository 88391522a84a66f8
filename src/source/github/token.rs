//! The token a GitHub host is asked with: where it comes from, and how it stays unseen.
//!
//! `gh auth token` is asked first, then the environment. A token never prints itself, and whoever shows a text that
//! came from elsewhere takes the token out of it first.

use std::ffi::OsString;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long `gh` may take to say its token.
const GH_LIMIT: Duration = Duration::from_secs(5);
/// More bytes than any token has.
const LONGEST: usize = 4096;
/// Variables that hold a token for github.com, then for any other host.
const GITHUB_COM: [&str; 2] = ["GH_TOKEN", "GITHUB_TOKEN"];
const ENTERPRISE: [&str; 2] = ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];

/// A secret for one host. It prints as where it came from, never as itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    secret: String,
    source: String,
}

impl Token {
    /// Takes a token and the words for where it came from; none unless it is printable ASCII without spaces.
    pub fn new(secret: &str, source: impl Into<String>) -> Option<Self> {
        let secret = secret.trim_ascii();
        let fits = !secret.is_empty() && secret.len() <= LONGEST && secret.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self { secret: secret.to_owned(), source: source.into() })
    }

    /// The secret itself: for a request's header or git's environment, to its own host, and nothing else.
    pub fn expose(&self) -> &str {
        &self.secret
    }

    /// Where it came from, such as `gh auth token` or `GH_TOKEN`.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The text with every occurrence of the secret taken out.
    pub(super) fn remove_from(&self, text: &str) -> String {
        text.replace(&self.secret, "[token]")
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token(from {})", self.source)
    }
}

/// What looking for a token gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The token; none where there is none, or none that can be used.
    pub token: Option<Token>,
    /// In words where it came from: `gh auth token`, the name of a variable, or `none`.
    pub source: String,
    /// What was set but cannot be used, in a sentence each.
    pub refused: Vec<String>,
}

/// Looks for the token of one host (with its port, where the address has one): `gh auth token`, then the variables
/// that are meant for that host. Starts a program, so it may take up to five seconds; call it off the screen's loop.
pub fn find(host: &str) -> Found {
    find_in(host, &|name| std::env::var_os(name))
}

fn find_in(host: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Found {
    let value = |name: &str| {
        let value = variable(name)?.to_string_lossy().trim().to_owned();
        (!value.is_empty()).then_some(value)
    };
    let names = if matches!(host, "github.com" | "www.github.com") { GITHUB_COM } else { ENTERPRISE };
    let mut refused = Vec::new();
    if let Some(said) = variable("PATH").and_then(|path| ask_gh(&find_gh(&path)?, host, GH_LIMIT)) {
        // gh prefers its own variables to what it keeps; the words name the variable then.
        let mut known = names.into_iter().chain(GITHUB_COM).chain(ENTERPRISE);
        let source = known.find(|name| value(name).as_ref() == Some(&said)).unwrap_or("gh auth token");
        match Token::new(&said, source) {
            Some(token) => return Found { source: source.to_owned(), token: Some(token), refused },
            None => refused.push(unusable(source)),
        }
    }
    for name in names {
        let Some(value) = value(name) else { continue };
        match Token::new(&value, name) {
            Some(token) => return Found { token: Some(token), source: name.to_owned(), refused },
            None => refused.push(unusable(name)),
        }
    }
    Found { token: None, source: "none".to_owned(), refused }
}

fn unusable(source: &str) -> String {
    format!("the token from `{source}` is not used: it holds characters that no token has")
}

/// The `gh` program in an absolute folder of the search path: a relative one may lead into a tree under review.
fn find_gh(path: &OsString) -> Option<PathBuf> {
    let name = if cfg!(windows) { "gh.exe" } else { "gh" };
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|gh| gh.is_file())
}

/// What `gh` says of its version; none where there is no such program, or it does not answer. May take five seconds.
pub fn gh_version() -> Option<String> {
    let gh = find_gh(&std::env::var_os("PATH")?)?;
    let said = say(&gh, &["--version".to_owned()], GH_LIMIT)?;
    Some(said.lines().next().unwrap_or_default().to_owned())
}

/// What `gh auth token` prints for a host; none where it fails, prints nothing or takes too long.
fn ask_gh(gh: &Path, host: &str, limit: Duration) -> Option<String> {
    say(gh, &["auth".to_owned(), "token".to_owned(), format!("--hostname={host}")], limit)
}

/// What a run of `gh` prints; none where it fails, prints nothing or takes too long.
fn say(gh: &Path, arguments: &[String], limit: Duration) -> Option<String> {
    let mut child = Command::new(gh)
        .args(arguments)
        .env("GH_PROMPT_DISABLED", "1")
        .env("GH_NO_UPDATE_NOTIFIER", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let out = child.stdout.take()?;
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut said = Vec::new();
        let read = out.take(LONGEST as u64 + 1).read_to_end(&mut said);
        // Nobody waits any more when the time is up.
        let _ = send.send(read.map(|_| said));
    });
    let end = Instant::now() + limit;
    let said = receive.recv_timeout(limit);
    let success = ended(&mut child, end);
    let said = String::from_utf8_lossy(&said.ok()?.ok()?).trim().to_owned();
    (success && !said.is_empty()).then_some(said)
}

/// Waits for a program until a moment, then kills it; whether it ended well by itself.
fn ended(child: &mut Child, end: Instant) -> bool {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(5)),
            _ => break,
        }
    }
    // It may have ended just now; either way nothing of it is used.
    let _ = child.kill();
    let _ = child.wait();
    false
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Writes a program by way of another process: one that this process wrote may still be open for writing in a
    /// child that another test is just starting, and cannot be run then.
    fn program(file: &Path, script: &str) {
        let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$2"; chmod 755 "$2""#;
        let status = Command::new("/bin/sh").args(["-c", write, "sh", script]).arg(file).status();
        assert!(status.unwrap().success());
    }

    fn search(host: &str, set: &[(&str, &str)], gh: Option<&str>) -> Found {
        let folder = tempfile::tempdir().unwrap();
        if let Some(script) = gh {
            program(&folder.path().join("gh"), script);
        }
        let mut set: BTreeMap<&str, OsString> = set.iter().map(|(name, value)| (*name, (*value).into())).collect();
        set.insert("PATH", folder.path().into());
        find_in(host, &|name| set.get(name).cloned())
    }

    fn found(host: &str, set: &[(&str, &str)], gh: Option<&str>) -> (Option<String>, String) {
        let found = search(host, set, gh);
        (found.token.map(|token| token.expose().to_owned()), found.source)
    }

    fn pair(token: &str, source: &str) -> (Option<String>, String) {
        (Some(token.to_owned()), source.to_owned())
    }

    const ALL: [(&str, &str); 4] =
        [("GH_TOKEN", "a"), ("GITHUB_TOKEN", "b"), ("GH_ENTERPRISE_TOKEN", "c"), ("GITHUB_ENTERPRISE_TOKEN", "d")];

    #[test]
    fn variables_belong_to_their_hosts() {
        let none = (None, "none".to_owned());
        assert_eq!(found("github.com", &ALL, None), pair("a", "GH_TOKEN"));
        assert_eq!(found("github.com", &ALL[1..], None), pair("b", "GITHUB_TOKEN"));
        assert_eq!(found("github.com", &ALL[2..], None), none);
        assert_eq!(found("ghe.example", &ALL, None), pair("c", "GH_ENTERPRISE_TOKEN"));
        assert_eq!(found("127.0.0.1:80", &ALL[3..], None), pair("d", "GITHUB_ENTERPRISE_TOKEN"));
        assert_eq!(found("ghe.example", &ALL[..2], None), none);
        assert_eq!(found("github.com", &[("GH_TOKEN", "  ")], None), none);
    }

    #[test]
    fn gh_comes_first_and_is_asked_for_the_host() {
        let script = r#"[ "$*" = "auth token --hostname=ghe.example" ] && echo gho_1"#;
        assert_eq!(found("ghe.example", &ALL, Some(script)), pair("gho_1", "gh auth token"));
        assert_eq!(found("github.com", &ALL, Some(script)), pair("a", "GH_TOKEN"));
        assert_eq!(found("github.com", &ALL, Some("echo a")), pair("a", "GH_TOKEN"));
        assert_eq!(found("github.com", &ALL, Some("echo no; exit 1")), pair("a", "GH_TOKEN"));
        assert_eq!(found("github.com", &[], Some("true")), (None, "none".to_owned()));
    }

    #[test]
    fn what_is_no_token_is_refused_and_said() {
        for bad in ["two words", "tab\there", "caf\u{e9}", "bell\u{7}"] {
            let found = search("github.com", &[("GH_TOKEN", bad), ("GITHUB_TOKEN", "good")], None);
            assert_eq!(found.token.unwrap().expose(), "good");
            let said = "the token from `GH_TOKEN` is not used: it holds characters that no token has";
            assert_eq!(found.refused, [said]);
        }
        assert!(Token::new(&"x".repeat(LONGEST + 1), "GH_TOKEN").is_none());
        assert!(
            search("github.com", &[], Some("/usr/bin/head -c 100000 /dev/zero | /usr/bin/tr '\\0' x")).token.is_none()
        );
    }

    #[test]
    fn a_gh_that_hangs_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let gh = folder.path().join("gh");
        program(&gh, "exec /bin/sleep 30");
        let start = Instant::now();
        assert_eq!(ask_gh(&gh, "github.com", Duration::from_millis(200)), None);
        assert!(start.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn a_relative_folder_is_not_searched() {
        assert_eq!(find_gh(&".:bin:".into()), None);
    }

    #[test]
    fn a_token_never_prints_itself() {
        let token = Token::new("ghp_secret\n", "GH_TOKEN").unwrap();
        assert_eq!(format!("{token:?}"), "Token(from GH_TOKEN)");
        assert!(!format!("{:?}", search("github.com", &[("GH_TOKEN", "ghp_secret")], None)).contains("ghp_secret"));
        assert_eq!(token.remove_from("Bearer ghp_secret!"), "Bearer [token]!");
    }
}
