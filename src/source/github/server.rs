//! Where a GitHub host keeps its API, and which addresses belong to it.
//!
//! One origin (scheme, host, port) is a server's API. What is not of that origin is never asked and never given a token.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::{Host, Url};

use super::error::Failure;
use crate::change::PullRequest;

/// What may stand in a path segment as it is.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A GitHub host: its pages, its API and its name for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Server {
    /// The host as people name it, with a port where the address has one.
    pub(super) host: String,
    /// The API's root, without a slash at its end.
    pub(super) api: String,
    origin: url::Origin,
    pages: url::Origin,
}

impl Server {
    /// Reads `https://HOST`, or `http://HOST` on loopback. Paths, queries and accounts are refused.
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let bad = || Failure::Address(text.to_owned());
        let url = Url::parse(text).map_err(|_| bad())?;
        let name = url.host().ok_or_else(bad)?;
        let plain = url.scheme() == "http" && is_loopback(&name);
        let bare = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
        if !(url.scheme() == "https" || plain) || !bare || !url.username().is_empty() || url.password().is_some() {
            return Err(bad());
        }
        let host = match url.port() {
            Some(port) => format!("{name}:{port}"),
            None => name.to_string(),
        };
        let api = api_root(url.scheme(), &host);
        let origin = Url::parse(&api).map_err(|_| bad())?.origin();
        Ok(Self { host, api, origin, pages: url.origin() })
    }

    /// Whether an address belongs to this server's API: same scheme, host and port.
    pub(super) fn owns(&self, url: &Url) -> bool {
        url.origin() == self.origin
    }

    /// Whether an address is a page of this host, to be opened by a person.
    pub(super) fn has_page(&self, url: &Url) -> bool {
        url.origin() == self.pages
    }

    /// Whether requests go out without TLS; true on loopback only.
    pub(super) fn is_plain(&self) -> bool {
        self.api.starts_with("http://")
    }

    /// The API's address of something in a repository, from path segments that may hold any text.
    pub(super) fn repository_url(&self, id: &PullRequest, rest: &str) -> Result<Url, Failure> {
        let named = |name: &str| !matches!(name, "" | "." | "..");
        let bad = || Failure::Address(id.url());
        if !named(&id.owner) || !named(&id.repo) {
            return Err(bad());
        }
        let text = format!("{}/repos/{}/{}/{rest}", self.api, segment(&id.owner), segment(&id.repo));
        Url::parse(&text).map_err(|_| bad())
    }
}

/// The address that git fetches a pull request's repository from.
pub fn clone_url(id: &PullRequest) -> String {
    format!("{}/{}/{}.git", id.server, segment(&id.owner), segment(&id.repo))
}

fn segment(text: &str) -> String {
    utf8_percent_encode(text, SEGMENT).to_string()
}

/// github.com and the tenants of ghe.com have a host of their own for the API; an Enterprise Server has a folder.
fn api_root(scheme: &str, host: &str) -> String {
    match host {
        "github.com" | "www.github.com" => "https://api.github.com".to_owned(),
        tenant if tenant.ends_with(".ghe.com") => format!("{scheme}://api.{tenant}"),
        other => format!("{scheme}://{other}/api/v3"),
    }
}

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => *name == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn api(text: &str) -> Option<(String, String)> {
        Server::parse(text).ok().map(|server| (server.host, server.api))
    }

    fn pair(host: &str, api: &str) -> Option<(String, String)> {
        Some((host.to_owned(), api.to_owned()))
    }

    #[test]
    fn each_host_has_its_api_root() {
        assert_eq!(api("https://github.com"), pair("github.com", "https://api.github.com"));
        assert_eq!(api("https://GitHub.com/"), pair("github.com", "https://api.github.com"));
        assert_eq!(api("https://ghe.example"), pair("ghe.example", "https://ghe.example/api/v3"));
        assert_eq!(api("https://ghe.example:8443"), pair("ghe.example:8443", "https://ghe.example:8443/api/v3"));
        assert_eq!(api("https://acme.ghe.com"), pair("acme.ghe.com", "https://api.acme.ghe.com"));
        assert_eq!(api("http://127.0.0.1:8765"), pair("127.0.0.1:8765", "http://127.0.0.1:8765/api/v3"));
        assert_eq!(api("http://localhost:1"), pair("localhost:1", "http://localhost:1/api/v3"));
        assert_eq!(api("http://[::1]:1"), pair("[::1]:1", "http://[::1]:1/api/v3"));
        assert_eq!(api("https://notgithub.com"), pair("notgithub.com", "https://notgithub.com/api/v3"));
    }

    #[test]
    fn other_addresses_are_refused() {
        for text in [
            "http://github.com",
            "http://127.0.0.1.evil.example",
            "ftp://github.com",
            "https://user@github.com",
            "https://github.com/octo/demo",
            "https://github.com?x=1",
            "github.com",
            "",
        ] {
            assert_eq!(api(text), None, "{text}");
        }
    }

    #[test]
    fn only_the_same_origin_is_owned() {
        let server = Server::parse("https://ghe.example").unwrap();
        let owns = |text: &str| server.owns(&Url::parse(text).unwrap());
        assert!(owns("https://ghe.example/api/v3/x") && owns("https://ghe.example:443/x"));
        assert!(!owns("http://ghe.example/x") && !owns("https://ghe.example:8443/x"));
        assert!(!owns("https://ghe.example.evil/x") && !owns("https://evil@evil.example/"));
    }

    #[test]
    fn names_cannot_leave_their_segment() {
        let id = |owner: &str, repo: &str| PullRequest {
            server: "https://ghe.example".into(),
            owner: owner.into(),
            repo: repo.into(),
            number: 1,
        };
        let server = Server::parse("https://ghe.example").unwrap();
        let url = server.repository_url(&id("a/../b", "c?d#e"), "pulls/1").unwrap();
        assert_eq!(url.as_str(), "https://ghe.example/api/v3/repos/a%2F..%2Fb/c%3Fd%23e/pulls/1");
        assert!(server.repository_url(&id("..", "x"), "pulls/1").is_err());
        assert_eq!(clone_url(&id("octo", "de mo")), "https://ghe.example/octo/de%20mo.git");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = Server::parse(&text);
            let _ = Server::parse(&format!("https://{text}"));
        }
    }
}
