//! One GET: its headers, its limits, the redirects it may follow, and trying again where that can help.

use std::time::Duration;

use http::header::{ACCEPT, AUTHORIZATION, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, LOCATION, USER_AGENT};
use http::response::Parts;
use http::{HeaderName, Request};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use octocrab::{OctoBody, Octocrab};
use url::Url;

use super::error::Failure;
use super::server::Server;
use super::token::Token;
use super::{refusal, transport};

/// How often a GET is sent in all.
const TRIES: u32 = 3;
/// The longest wait that is waited out; a longer one is said.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// How many redirects one request follows.
const REDIRECTS: usize = 5;
const AGENT: &str = concat!("second-look/", env!("CARGO_PKG_VERSION"));

/// What a client may take of time and memory.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Until there is a connection.
    pub connect: Duration,
    /// Until an answer is whole, its connection, redirects and body included.
    pub whole: Duration,
    /// Bytes of an answer.
    pub bytes: usize,
    /// The first wait before a request is tried again; the second is three times as long.
    pub pause: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            whole: Duration::from_secs(30),
            bytes: 32 * 1024 * 1024,
            pause: Duration::from_millis(500),
        }
    }
}

/// What a GET brought.
pub(super) enum Reply {
    /// The answer, and its ETag where it has one.
    Fresh(Vec<u8>, Option<String>),
    /// What was kept under the ETag is still so.
    NotModified,
}

/// Everything a request needs besides its address.
pub(super) struct Sender<'c> {
    pub(super) octocrab: &'c Octocrab,
    pub(super) server: &'c Server,
    pub(super) token: Option<&'c Token>,
    pub(super) limits: Limits,
}

impl Sender<'_> {
    /// Gets an address of the server. Where the server is in trouble or asks for a short wait, it is tried again.
    pub(super) async fn get(&self, url: &Url, etag: Option<&str>) -> Result<Reply, Failure> {
        let mut pause = self.limits.pause;
        for _ in 1..TRIES {
            let failure = match self.try_once(url, etag).await {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            let Some(wait) = worth_waiting(&failure, pause) else { return Err(failure) };
            tokio::time::sleep(wait).await;
            pause *= 3;
        }
        self.try_once(url, etag).await
    }

    async fn try_once(&self, url: &Url, etag: Option<&str>) -> Result<Reply, Failure> {
        let late = |_| Failure::AnswerTime(self.limits.whole);
        tokio::time::timeout(self.limits.whole, self.follow(url, etag)).await.map_err(late)?
    }

    /// What the token may do, as the host says with an answer that costs nothing: none for a kind of token that has no
    /// scopes. One try; the whole of it within the limits.
    pub(super) async fn scopes(&self, url: &Url) -> Result<Option<String>, Failure> {
        let late = |_| Failure::AnswerTime(self.limits.whole);
        let (head, body) = tokio::time::timeout(self.limits.whole, self.send(url, None)).await.map_err(late)??;
        match head.status.as_u16() {
            200 => Ok(text(&head, HeaderName::from_static("x-oauth-scopes"))),
            _ => Err(refusal::read(self.server, head.status, &head.headers, &body.unwrap_or_default())),
        }
    }

    async fn follow(&self, url: &Url, etag: Option<&str>) -> Result<Reply, Failure> {
        let mut url = url.clone();
        for _ in 0..=REDIRECTS {
            let (head, body) = self.send(&url, etag).await?;
            match head.status.as_u16() {
                200 => return Ok(Reply::Fresh(body?, text(&head, ETAG))),
                301 | 302 | 303 | 307 | 308 => url = self.next(&url, &head.headers)?,
                304 if etag.is_some() => return Ok(Reply::NotModified),
                _ => return Err(refusal::read(self.server, head.status, &head.headers, &body.unwrap_or_default())),
            }
        }
        Err(Failure::Circle)
    }

    /// Where a redirect leads; refused unless that is this server, and nothing is sent there then.
    fn next(&self, from: &Url, headers: &HeaderMap) -> Result<Url, Failure> {
        let to = headers.get(LOCATION).and_then(|to| to.to_str().ok()).and_then(|to| from.join(to).ok());
        let to = to.ok_or(Failure::Circle)?;
        match self.server.owns(&to) {
            true => Ok(to),
            false => Err(Failure::Elsewhere(to.origin().ascii_serialization())),
        }
    }

    /// Sends one request; the body of a refusal may be broken and still be a refusal.
    async fn send(&self, url: &Url, etag: Option<&str>) -> Result<(Parts, Result<Vec<u8>, Failure>), Failure> {
        // Every address was checked where it came from; the token depends on this one line all the same.
        let token = self.token.filter(|_| self.server.owns(url));
        let unsent = |_| Failure::Address(url.to_string());
        let mut request =
            Request::get(url.as_str()).header(ACCEPT, "application/vnd.github+json").header(USER_AGENT, AGENT);
        if let Some(token) = token {
            let mut value =
                HeaderValue::from_str(&format!("Bearer {}", token.expose())).map_err(|_| Failure::Closed)?;
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        if let Some(etag) = etag.and_then(|etag| HeaderValue::from_str(etag).ok()) {
            request = request.header(IF_NONE_MATCH, etag);
        }
        let request: Request<OctoBody> = self.octocrab.build_request(request, None::<&()>).map_err(unsent)?;
        let sent = self.octocrab.execute(request).await;
        let (head, body) = sent.map_err(|error| transport::failure(&error, self.limits.connect))?.into_parts();
        let body = match Limited::new(body, self.limits.bytes).collect().await {
            Ok(body) => Ok(body.to_bytes().to_vec()),
            Err(error) if error.is::<LengthLimitError>() => Err(Failure::TooLarge(self.limits.bytes)),
            Err(_) => Err(Failure::BrokenOff),
        };
        Ok((head, body))
    }
}

fn text(head: &Parts, name: HeaderName) -> Option<String> {
    head.headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// How long to wait before trying again; none where that cannot help or would take too long.
fn worth_waiting(failure: &Failure, pause: Duration) -> Option<Duration> {
    match failure {
        Failure::Server(500 | 502 | 503 | 504, wait) => {
            Some(wait.unwrap_or(pause)).filter(|wait| *wait <= LONGEST_WAIT)
        }
        Failure::SlowDown(Some(wait)) => Some(*wait).filter(|wait| *wait <= LONGEST_WAIT),
        Failure::Closed | Failure::BrokenOff => Some(pause),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let (pause, long) = (Duration::from_millis(5), Duration::from_secs(11));
        assert_eq!(worth_waiting(&Failure::Server(502, None), pause), Some(pause));
        assert_eq!(
            worth_waiting(&Failure::Server(503, Some(Duration::from_secs(2))), pause),
            Some(Duration::from_secs(2))
        );
        assert_eq!(worth_waiting(&Failure::Server(503, Some(long)), pause), None);
        assert_eq!(worth_waiting(&Failure::SlowDown(Some(long)), pause), None);
        for never in [Failure::Server(501, None), Failure::SlowDown(None), Failure::Refused, Failure::NotFound(false)] {
            assert_eq!(worth_waiting(&never, pause), None);
        }
    }
}
