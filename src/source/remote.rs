//! What the address of a git remote says: which GitHub host, owner and repository it is. Pure; reads no file.

use url::Url;

/// A repository on a GitHub host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repository {
    /// `https://HOST`, or `http://HOST:PORT` on loopback.
    pub server: String,
    /// The owner.
    pub owner: String,
    /// The name.
    pub repo: String,
}

/// Reads a remote's address: `https`, loopback `http`, `git` and `ssh` URLs, and `user@host:owner/repo`. Names of hosts
/// over ssh are looked up in the text of the reviewer's ssh settings. None for a folder or an unknown form.
pub(super) fn repository(address: &str, ssh_settings: &str) -> Option<Repository> {
    let (server, path) = if address.contains("://") {
        let url = Url::parse(address).ok()?;
        let host = url.host_str()?;
        let server = match url.scheme() {
            "https" => server(&url)?,
            "http" if is_loopback(&url) => server(&url)?,
            "http" | "git" => format!("https://{}", plain(host)),
            "ssh" | "git+ssh" | "ssh+git" => format!("https://{}", over_ssh(host, ssh_settings)),
            _ => return None,
        };
        (server, url.path().to_owned())
    } else {
        // Only a colon before any slash makes it a host; git has the same rule.
        let (host, path) = address.split_once(':').filter(|(host, _)| !host.contains('/') && host.len() > 1)?;
        let host = host.rsplit('@').next().unwrap_or(host);
        let host = over_ssh(host, ssh_settings);
        (server(&Url::parse(&format!("https://{host}")).ok()?)?, path.to_owned())
    };
    let path = path.trim_matches('/');
    let (owner, repo) = path.strip_suffix(".git").unwrap_or(path).split_once('/')?;
    (is_name(owner) && is_name(repo)).then(|| Repository { server, owner: owner.to_owned(), repo: repo.to_owned() })
}

/// A server as a [`Repository`] names it; none for http anywhere but on loopback, and where a login is in it.
pub(super) fn server(url: &Url) -> Option<String> {
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    let allowed = url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url));
    allowed.then(|| Some(format!("{}://{}{port}", url.scheme(), plain(url.host_str()?)))).flatten()
}

/// Whether a text can be the name of an owner or a repository on GitHub.
pub(super) fn is_name(text: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !text.is_empty() && text.len() <= 100 && text.chars().all(known) && text != "." && text != ".."
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// One name for hosts that are one: github.com answers under `www.`, and takes ssh on port 443 as `ssh.`.
fn plain(host: &str) -> String {
    let host = host.to_ascii_lowercase();
    if host == "www.github.com" || host == "ssh.github.com" { "github.com".to_owned() } else { host }
}

fn over_ssh(host: &str, settings: &str) -> String {
    plain(&host_name(host, settings).unwrap_or_else(|| host.to_owned()))
}

/// The `HostName` that ssh settings give a host: the first one under a `Host` line that matches. `Match` blocks and
/// `Include` are not read.
fn host_name(host: &str, settings: &str) -> Option<String> {
    let mut applies = true;
    for line in settings.lines() {
        let line = line.trim();
        let (word, rest) = line.split_once(|c: char| c.is_whitespace() || c == '=').unwrap_or((line, ""));
        let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '=').trim_end();
        match word.to_ascii_lowercase().as_str() {
            "host" => applies = matches(host, rest),
            "match" => applies = false,
            "hostname" if applies => {
                return Some(rest.trim_matches('"').replace("%h", host)).filter(|name| !name.is_empty());
            }
            _ => {}
        }
    }
    None
}

/// Whether a host fits a `Host` line: one pattern fits, and none that begins with `!`.
fn matches(host: &str, patterns: &str) -> bool {
    let mut fits = false;
    for pattern in patterns.split_whitespace().map(|pattern| pattern.trim_matches('"')) {
        match pattern.strip_prefix('!') {
            Some(not) if wild(not.as_bytes(), host.as_bytes()) => return false,
            None if wild(pattern.as_bytes(), host.as_bytes()) => fits = true,
            _ => {}
        }
    }
    fits
}

/// Whether a text fits a pattern of `*` and `?`, without regard to case. Takes time in the product of their lengths.
fn wild(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut star) = ((0, 0), None);
    while at.1 < text.len() {
        match pattern.get(at.0) {
            Some(b'*') => {
                star = Some(at);
                at.0 += 1;
            }
            Some(byte) if *byte == b'?' || byte.eq_ignore_ascii_case(&text[at.1]) => at = (at.0 + 1, at.1 + 1),
            _ => match &mut star {
                Some((from, upto)) => {
                    *upto += 1;
                    at = (*from + 1, *upto);
                }
                None => return false,
            },
        }
    }
    pattern[at.0..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SSH: &str = "# mine\nHost work\n  HostName ghe.example.com\n  User git\nHost gh-* !gh-no\n\tHostname=github.com\n\
                       Match host x\n  HostName evil\nHost *.corp\n HostName %h.example.com\n";

    fn read(address: &str) -> Option<String> {
        repository(address, SSH).map(|found| format!("{} {} {}", found.server, found.owner, found.repo))
    }

    #[test]
    fn every_form_of_remote_names_its_repository() {
        let github = Some("https://github.com octo demo".to_owned());
        for address in [
            "https://github.com/octo/demo.git",
            "https://token@github.com/octo/demo",
            "https://www.github.com/octo/demo/",
            "git@github.com:octo/demo.git",
            "git@github.com:/octo/demo",
            "github.com:octo/demo",
            "ssh://git@github.com/octo/demo.git",
            "ssh://git@ssh.github.com:443/octo/demo.git",
            "git@ssh.github.com:octo/demo.git",
            "git://github.com/octo/demo",
            "gh-me:octo/demo.git",
            "http://github.com/octo/demo",
        ] {
            assert_eq!(read(address), github, "{address}");
        }
        assert_eq!(read("git@work:octo/demo").as_deref(), Some("https://ghe.example.com octo demo"));
        assert_eq!(read("ssh://git@work:2222/octo/demo").as_deref(), Some("https://ghe.example.com octo demo"));
        assert_eq!(read("a.corp:octo/demo").as_deref(), Some("https://a.corp.example.com octo demo"));
        assert_eq!(read("gh-no:octo/demo").as_deref(), Some("https://gh-no octo demo"));
        assert_eq!(
            read("https://ghe.example.com:8443/octo/demo").as_deref(),
            Some("https://ghe.example.com:8443 octo demo")
        );
        assert_eq!(read("http://127.0.0.1:8765/octo/demo.git").as_deref(), Some("http://127.0.0.1:8765 octo demo"));
        for address in [
            "/srv/git/demo.git",
            "../demo",
            "C:/demo",
            "file:///srv/demo",
            "https://h/only",
            "git@h:a/b/c",
            "https://h/a/..",
            "x:y",
        ] {
            assert_eq!(read(address), None, "{address}");
        }
    }

    #[test]
    fn ssh_patterns_match_as_in_ssh() {
        assert!(wild(b"*", b"") && wild(b"a*c?", b"abbcd") && wild(b"A", b"a"));
        assert!(!wild(b"a*c", b"abcd") && !wild(b"?", b""));
        assert_eq!(host_name("x", "HostName first\nHost x\nHostName second"), Some("first".to_owned()));
    }

    proptest! {
        #[test]
        fn no_text_panics(address in any::<String>(), settings in any::<String>()) {
            let _ = repository(&address, &settings);
            let _ = repository(&format!("git@{address}:o/r"), &format!("Host {address}\nHostName {settings}"));
        }
    }
}
