//! The plain sentence for each failure, and what to do about it.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::error::{Error, Failure};
use super::token::Token;

/// What still works without the host.
const OFFLINE: &str = "what was opened before can be read with `--offline`";

impl Error {
    /// What failed, and the hints in the order to try.
    pub(super) fn sentences(&self) -> (String, Vec<String>) {
        match &self.failure {
            Failure::Unauthorized(_)
            | Failure::HourlyLimit(_)
            | Failure::SlowDown(_)
            | Failure::SingleSignOn(_)
            | Failure::Scope(..)
            | Failure::Forbidden(_)
            | Failure::NotFound(_)
            | Failure::Gone(_) => self.refusal(),
            Failure::Server(..)
            | Failure::Status(..)
            | Failure::WebPage
            | Failure::NotJson
            | Failure::Shape(_)
            | Failure::NoMergeBase
            | Failure::TooLarge(_)
            | Failure::Elsewhere(_)
            | Failure::Circle => self.answer(),
            _ => self.connection(),
        }
    }

    /// No answer came.
    fn connection(&self) -> (String, Vec<String>) {
        let Self { host, subject, .. } = self;
        match &self.failure {
            Failure::Address(text) => (
                format!("`{}` is not the address of a GitHub host", self.quote(text)),
                hints(["write `https://HOST`; plain http is for this computer only"]),
            ),
            Failure::OtherServer(server) => {
                (format!("{subject} is on {}, not on {host}", self.quote(server)), hints(["ask its own host"]))
            }
            Failure::NoAuthorities => (
                "this computer has no list of certificate authorities".to_owned(),
                hints(["install the package `ca-certificates`, or name a file of them in SSL_CERT_FILE"]),
            ),
            Failure::Proxy(proxy, why) => (
                format!("the proxy {} did not connect to {host}: {}", self.quote(proxy), self.quote(why)),
                hints(["check HTTPS_PROXY and NO_PROXY"]),
            ),
            Failure::Unknown => {
                (format!("the name {host} has no address"), hints(["check the name and the network", OFFLINE]))
            }
            Failure::Refused => (
                format!("{host} refused the connection"),
                hints(["check that the host is right and that it is running", OFFLINE]),
            ),
            Failure::Unreachable => {
                (format!("the network does not reach {host}"), hints(["check the network", OFFLINE]))
            }
            Failure::ConnectTime(limit) => (
                format!("no connection to {host} within {}", seconds(*limit)),
                hints(["check the network, a VPN and HTTPS_PROXY", OFFLINE]),
            ),
            Failure::AnswerTime(limit) => (
                format!("{host} did not answer about {subject} within {}", seconds(*limit)),
                hints(["try again in a minute", OFFLINE]),
            ),
            Failure::UnknownAuthority => (
                format!("no secure connection to {host}: this computer does not know who issued its certificate"),
                hints(["add your company's certificate authority to the system, or name its file in SSL_CERT_FILE"]),
            ),
            Failure::Tls(why) => (
                format!("no secure connection to {host}: {}", self.quote(why)),
                hints(["check this computer's clock, and for a proxy that stands in between"]),
            ),
            Failure::BrokenOff => {
                (format!("the answer of {host} about {subject} broke off"), hints(["try again in a minute", OFFLINE]))
            }
            _ => (
                format!("{host} closed the connection without an answer about {subject}"),
                hints(["try again in a minute", OFFLINE]),
            ),
        }
    }

    /// An answer came that cannot be used.
    fn answer(&self) -> (String, Vec<String>) {
        let Self { host, subject, .. } = self;
        match &self.failure {
            Failure::Server(status, wait) => {
                let again =
                    wait.map_or("try again in a minute".to_owned(), |wait| format!("try again in {}", seconds(wait)));
                (format!("{host} has a problem of its own (status {status})"), vec![again])
            }
            Failure::Status(status, said) => {
                (format!("{host} answered about {subject} with status {status}"), self.github_says(said.as_deref()))
            }
            Failure::WebPage => (
                format!("the answer of {host} about {subject} is a web page, not data"),
                hints(["check for a proxy or a sign-in page that stands in between"]),
            ),
            Failure::NotJson => (
                format!("the answer of {host} about {subject} cannot be read: it is not JSON"),
                hints(["try again in a minute"]),
            ),
            Failure::Shape(why) => (
                format!("the answer of {host} about {subject} is not of the known shape: {}", self.quote(why)),
                hints(["check that the host is a GitHub host"]),
            ),
            Failure::NoMergeBase => (
                format!("the base and the head of {subject} have no commit in common"),
                hints(["there is nothing to compare; ask its author to rebase it"]),
            ),
            Failure::TooLarge(limit) => (
                format!("the answer of {host} about {subject} is larger than {} MiB", limit / (1024 * 1024)),
                Vec::new(),
            ),
            Failure::Elsewhere(to) => (
                format!("{host} sends requests about {subject} on to {}, which is not followed", self.quote(to)),
                hints(["a token goes to its own host only; if the host has moved, use its new address"]),
            ),
            _ => (format!("{host} sends requests about {subject} in a circle"), hints(["check the host's address"])),
        }
    }

    /// The host understood and said no.
    fn refusal(&self) -> (String, Vec<String>) {
        let Self { host, subject, .. } = self;
        let source = self.token.as_ref().map(Token::source);
        let token = source.map_or("no token".to_owned(), |source| format!("the token from `{source}`"));
        match &self.failure {
            Failure::Unauthorized(said) => {
                let what = match source {
                    Some(_) => format!("{host} does not accept {token}: it is wrong, expired or revoked"),
                    None => format!("{host} answers nothing without a token"),
                };
                (what, [vec![self.new_token()], self.github_says(said.as_deref())].concat())
            }
            Failure::HourlyLimit(reset) => {
                let until =
                    reset.map(|reset| format!(" until {}", clock(reset, Timestamp::now(), &TimeZone::system())));
                let more = match source {
                    Some(_) => OFFLINE.to_owned(),
                    None => format!("without a token the limit is low: {}", self.new_token()),
                };
                (format!("the hourly limit of requests to {host} is used up{}", until.unwrap_or_default()), vec![more])
            }
            Failure::SlowDown(wait) => {
                let again = wait.map_or("a minute".to_owned(), seconds);
                (format!("{host} asks for fewer requests in a short time"), vec![format!("try again in {again}")])
            }
            Failure::SingleSignOn(page) => {
                let open = page.as_ref().map(|page| format!("approve it at {page}"));
                let open =
                    open.unwrap_or_else(|| "approve it in the settings of your account, under tokens".to_owned());
                match source {
                    Some(_) => (format!("the single sign-on for {subject} has not approved {token}"), vec![open]),
                    None => {
                        (format!("{subject} is behind a single sign-on and there is no token"), vec![self.new_token()])
                    }
                }
            }
            Failure::Scope(has, needs) => {
                let has = if has.is_empty() { "no scope".to_owned() } else { self.quote(&has.join(", ")) };
                let needs = self.quote(&needs.join(", "));
                (
                    format!("{token} may not read {subject}: it has {has} and needs one of {needs}"),
                    vec![format!("give it the scope: `gh auth refresh --hostname {host} --scopes repo`")],
                )
            }
            Failure::Forbidden(said) => {
                let allow = match source {
                    Some(_) => "let the token read pull requests and contents of the repository".to_owned(),
                    None => self.new_token(),
                };
                (
                    format!("{host} does not allow reading {subject} with {token}"),
                    [vec![allow], self.github_says(said.as_deref())].concat(),
                )
            }
            Failure::Gone(said) => (format!("{subject} is gone from {host}"), self.github_says(said.as_deref())),
            _ => self.not_found(),
        }
    }

    /// GitHub says 404 alike for what is not there and for what may not be seen.
    fn not_found(&self) -> (String, Vec<String>) {
        let Self { host, subject, .. } = self;
        let check = "check the address; the number may be an issue's".to_owned();
        match &self.token {
            None => (
                format!("{host} has no pull request {subject}, or it is private"),
                vec![check, format!("for a private repository, {}", self.new_token())],
            ),
            Some(token) => {
                let source = token.source();
                let access = match self.failure {
                    Failure::NotFound(true) => {
                        format!(
                            "give the token the scope for private repositories: `gh auth refresh --hostname {host} --scopes repo`"
                        )
                    }
                    _ => {
                        "check that the token may read the repository, and its organisation's single sign-on".to_owned()
                    }
                };
                (
                    format!("{host} has no pull request {subject}, or the token from `{source}` may not see it"),
                    vec![check, access],
                )
            }
        }
    }

    /// How to come by a token that is accepted, by where the present one came from.
    fn new_token(&self) -> String {
        let host = &self.host;
        let variable = if host == "github.com" { "GH_TOKEN" } else { "GH_ENTERPRISE_TOKEN" };
        match self.token.as_ref().map(Token::source) {
            Some(source) if source.starts_with("gh ") => format!("sign in again: `gh auth login --hostname {host}`"),
            Some(source) => format!("put a valid token into {source}"),
            None => format!("sign in with `gh auth login --hostname {host}`, or set {variable}"),
        }
    }
}

fn hints<const N: usize>(hints: [&str; N]) -> Vec<String> {
    hints.map(str::to_owned).to_vec()
}

fn seconds(time: Duration) -> String {
    match time.as_secs_f32().ceil() as u64 {
        1 => "1 second".to_owned(),
        more => format!("{more} seconds"),
    }
}

/// A moment as the clock on the wall shows it, with its date where it is not today, and how far off it is.
fn clock(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let (local, today) = (at.to_zoned_datetime(zone.clone()), now.to_zoned_datetime(zone.clone()).date());
    let form = if local.date() == today { "%H:%M" } else { "%Y-%m-%d %H:%M" };
    let minutes = at.as_second().saturating_sub(now.as_second()).max(0).saturating_add(59) / 60;
    let off = match minutes {
        0 => "now".to_owned(),
        1 => "in 1 minute".to_owned(),
        more => format!("in {more} minutes"),
    };
    format!("{} ({off})", local.strftime(form))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_local() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let now: Timestamp = "2026-11-30T12:00:00Z".parse().unwrap();
        let at = |text: &str| clock(text.parse().unwrap(), now, &zone);
        assert_eq!(at("2026-11-30T12:22:01Z"), "14:22 (in 23 minutes)");
        assert_eq!(at("2026-11-30T12:00:30Z"), "14:00 (in 1 minute)");
        assert_eq!(at("2026-11-30T23:00:00Z"), "2026-12-01 01:00 (in 660 minutes)");
        assert_eq!(at("2026-11-30T11:00:00Z"), "13:00 (now)");
    }
}
