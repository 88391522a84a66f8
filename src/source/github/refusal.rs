//! Reads a refusal: what a status, its headers and GitHub's message together mean.

use std::time::Duration;

use http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use serde::Deserialize;
use url::Url;

use super::error::Failure;
use super::server::Server;

/// The longest address of a sign-on page that is passed on.
const LONGEST_PAGE: usize = 500;

/// The body of GitHub's errors, as far as it matters.
#[derive(Deserialize)]
struct Said {
    message: Option<String>,
}

/// What an answer that is no success means.
pub(super) fn read(server: &Server, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Failure {
    let said = serde_json::from_slice::<Said>(body).ok().and_then(|said| said.message).filter(|said| !said.is_empty());
    match status.as_u16() {
        401 => Failure::Unauthorized(said),
        403 | 429 => forbidden(server, status, headers, said),
        404 if said.as_deref().is_some_and(|said| said.starts_with("No common ancestor")) => Failure::NoMergeBase,
        404 => {
            Failure::NotFound(scopes(headers, "x-oauth-scopes").is_some_and(|has| !has.iter().any(|one| one == "repo")))
        }
        410 | 451 => Failure::Gone(said),
        status @ 500..=599 => Failure::Server(status, retry_after(headers)),
        other => Failure::Status(other, said),
    }
}

/// 403 has five meanings, and 429 is one of two of them.
fn forbidden(server: &Server, status: StatusCode, headers: &HeaderMap, said: Option<String>) -> Failure {
    if text(headers, "x-ratelimit-remaining") == Some("0") {
        let reset = text(headers, "x-ratelimit-reset").and_then(|reset| reset.parse().ok());
        return Failure::HourlyLimit(reset.and_then(|reset| Timestamp::from_second(reset).ok()));
    }
    let wait = retry_after(headers);
    let slow = said.as_deref().is_some_and(|said| said.to_ascii_lowercase().contains("secondary rate limit"));
    if slow || wait.is_some() || status == StatusCode::TOO_MANY_REQUESTS {
        return Failure::SlowDown(wait);
    }
    if let Some(sign_on) = text(headers, "x-github-sso") {
        return Failure::SingleSignOn(sign_on_page(server, sign_on));
    }
    if let (Some(has), Some(needs)) = (scopes(headers, "x-oauth-scopes"), scopes(headers, "x-accepted-oauth-scopes"))
        && !needs.is_empty()
        && !needs.iter().any(|need| has.contains(need))
    {
        return Failure::Scope(has, needs);
    }
    Failure::Forbidden(said)
}

/// The page of `required; url=PAGE`; none unless it is the host's own.
fn sign_on_page(server: &Server, header: &str) -> Option<String> {
    let page = header.split(';').find_map(|field| field.trim().strip_prefix("url="))?;
    let page = Url::parse(page).ok().filter(|page| server.has_page(page))?;
    let whole = page.username().is_empty() && page.password().is_none() && page.as_str().len() <= LONGEST_PAGE;
    whole.then(|| page.to_string())
}

/// The scopes a header lists; none where it is absent, as it is for tokens that have no scopes.
fn scopes(headers: &HeaderMap, name: &str) -> Option<Vec<String>> {
    let list = text(headers, name)?.split(',').map(str::trim).filter(|scope| !scope.is_empty());
    Some(list.map(str::to_owned).collect())
}

/// Seconds to wait, where GitHub says so; the header's other form, a date, is not read.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    text(headers, "retry-after")?.trim().parse().ok().map(Duration::from_secs)
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use http::{HeaderName, HeaderValue};
    use proptest::prelude::*;

    fn refusal(status: u16, headers: &[(&str, &str)], body: &str) -> Failure {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap());
        }
        let server = Server::parse("https://github.com").unwrap();
        read(&server, StatusCode::from_u16(status).unwrap(), &map, body.as_bytes())
    }

    const SAID: &str = r#"{"message":"no"}"#;

    fn said() -> Option<String> {
        Some("no".to_owned())
    }

    #[test]
    fn each_status_has_its_meaning() {
        assert_eq!(refusal(401, &[], SAID), Failure::Unauthorized(said()));
        assert_eq!(refusal(404, &[], SAID), Failure::NotFound(false));
        assert_eq!(refusal(404, &[("x-oauth-scopes", "gist, repo")], SAID), Failure::NotFound(false));
        assert_eq!(refusal(404, &[("x-oauth-scopes", "")], SAID), Failure::NotFound(true));
        let apart = r#"{"message":"No common ancestor between a and b."}"#;
        assert_eq!(refusal(404, &[], apart), Failure::NoMergeBase);
        assert_eq!(refusal(410, &[], SAID), Failure::Gone(said()));
        assert_eq!(refusal(451, &[], "<html>"), Failure::Gone(None));
        let wait = Some(Duration::from_secs(7));
        assert_eq!(refusal(503, &[("retry-after", "7")], ""), Failure::Server(503, wait));
        assert_eq!(refusal(422, &[], SAID), Failure::Status(422, said()));
    }

    #[test]
    fn each_kind_of_403_is_told_apart() {
        let used_up = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1700000000"), ("retry-after", "3")];
        let reset = Timestamp::from_second(1_700_000_000).ok();
        assert_eq!(refusal(403, &used_up, SAID), Failure::HourlyLimit(reset));
        assert_eq!(refusal(429, &used_up, SAID), Failure::HourlyLimit(reset));
        let far = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "99999999999999999")];
        assert_eq!(refusal(403, &far, SAID), Failure::HourlyLimit(None));
        assert_eq!(refusal(403, &[("retry-after", "30")], SAID), Failure::SlowDown(Some(Duration::from_secs(30))));
        let slow = r#"{"message":"You have exceeded a secondary rate limit."}"#;
        assert_eq!(refusal(403, &[], slow), Failure::SlowDown(None));
        assert_eq!(refusal(429, &[], ""), Failure::SlowDown(None));
        let scopes = [("x-oauth-scopes", "gist"), ("x-accepted-oauth-scopes", "repo, public_repo")];
        let (has, needs) = (vec!["gist".to_owned()], vec!["repo".to_owned(), "public_repo".to_owned()]);
        assert_eq!(refusal(403, &scopes, SAID), Failure::Scope(has, needs));
        let enough = [("x-oauth-scopes", "repo"), ("x-accepted-oauth-scopes", "repo")];
        assert_eq!(refusal(403, &enough, SAID), Failure::Forbidden(said()));
        let any = [("x-oauth-scopes", ""), ("x-accepted-oauth-scopes", "")];
        assert_eq!(refusal(403, &any, SAID), Failure::Forbidden(said()));
    }

    #[test]
    fn only_the_hosts_own_sign_on_page_is_passed_on() {
        let page = |url: &str| refusal(403, &[("x-github-sso", &format!("required; url={url}"))], SAID);
        let own = "https://github.com/orgs/acme/sso?authorization_request=A1";
        assert_eq!(page(own), Failure::SingleSignOn(Some(own.to_owned())));
        for other in ["https://evil.example/sso", "http://github.com/sso", "https://me@github.com/", "x"] {
            assert_eq!(page(other), Failure::SingleSignOn(None), "{other}");
        }
        assert_eq!(page(&format!("https://github.com/{}", "x".repeat(600))), Failure::SingleSignOn(None));
    }

    proptest! {
        #[test]
        fn no_body_or_header_panics(body in any::<Vec<u8>>(), value in any::<Vec<u8>>(), status in 300u16..600) {
            let mut headers = HeaderMap::new();
            for name in ["x-github-sso", "x-ratelimit-reset", "retry-after", "x-oauth-scopes"] {
                if let Ok(value) = HeaderValue::from_bytes(&value) {
                    headers.insert(name, value);
                }
            }
            let server = Server::parse("https://github.com").unwrap();
            read(&server, StatusCode::from_u16(status).unwrap(), &headers, &body);
        }
    }
}
