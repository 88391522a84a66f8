//! What can be made to go wrong at the loopback GitHub.

use std::sync::Arc;
use std::time::Duration;

use super::http::{Ending, Gate, Request, Response};

/// One fault: what happens, to which requests, and how often.
#[derive(Debug, Clone)]
pub struct Fault {
    kind: Kind,
    times: usize,
    on: String,
}

#[derive(Debug, Clone)]
enum Kind {
    Answer(Response),
    End(Ending),
    Slow(Duration),
    NoEtag,
}

impl Fault {
    /// Answers a status with GitHub's kind of body.
    pub fn status(status: u16, message: &str) -> Self {
        let body = serde_json::json!({ "message": message, "documentation_url": "https://docs.github.com/rest" });
        Self::answer(Response::new(status, "application/json; charset=utf-8", body.to_string()))
    }

    /// Answers this, whatever was asked.
    pub fn answer(response: Response) -> Self {
        Self { kind: Kind::Answer(response), times: usize::MAX, on: String::new() }
    }

    /// The hourly limit is used up until then, in seconds of Unix time.
    pub fn rate_limit(reset: i64) -> Self {
        let message = "API rate limit exceeded for user ID 1.";
        Self::status(403, message)
            .header("X-RateLimit-Limit", "5000")
            .header("X-RateLimit-Remaining", "0")
            .header("X-RateLimit-Reset", &reset.to_string())
    }

    /// Too many requests in a short time; come again after so many seconds.
    pub fn slow_down(seconds: u64) -> Self {
        let message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
        Self::status(403, message).header("Retry-After", &seconds.to_string())
    }

    /// Single sign-on has not approved the token; the page that does.
    pub fn sign_on(page: &str) -> Self {
        let message = "Resource protected by organization SAML enforcement.";
        Self::status(403, message).header("X-GitHub-SSO", &format!("required; url={page}"))
    }

    /// Sends on to another address.
    pub fn redirect(status: u16, to: &str) -> Self {
        Self::status(status, "Moved Permanently").header("Location", to)
    }

    /// A web page where JSON was asked for.
    pub fn garbage() -> Self {
        Self::answer(Response::new(200, "text/html", "<!DOCTYPE html><title>Sign in</title>"))
    }

    /// Closes after half of the body.
    pub fn truncate() -> Self {
        Self { kind: Kind::End(Ending::Half), times: usize::MAX, on: String::new() }
    }

    /// Closes without an answer.
    pub fn drop() -> Self {
        Self { kind: Kind::End(Ending::Nothing), times: usize::MAX, on: String::new() }
    }

    /// Falls silent after half of the body, until faults are cleared or the server is gone.
    pub fn stall() -> Self {
        Self { kind: Kind::End(Ending::Held(Arc::default())), times: usize::MAX, on: String::new() }
    }

    /// Waits before the answer.
    pub fn slow(wait: Duration) -> Self {
        Self { kind: Kind::Slow(wait), times: usize::MAX, on: String::new() }
    }

    /// Leaves ETags out.
    pub fn no_etag() -> Self {
        Self { kind: Kind::NoEtag, times: usize::MAX, on: String::new() }
    }

    /// Happens to so many requests, then no more; else until faults are cleared.
    pub fn times(mut self, times: usize) -> Self {
        self.times = times;
        self
    }

    /// Happens only to requests whose path and query contain this.
    pub fn on(mut self, part: &str) -> Self {
        part.clone_into(&mut self.on);
        self
    }

    /// Adds a header to a fault that is an answer.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Kind::Answer(response) = self.kind {
            self.kind = Kind::Answer(response.with(name, value));
        }
        self
    }

    /// Lets go what it holds.
    pub(super) fn release(&self) {
        if let Kind::End(Ending::Held(gate)) = &self.kind {
            Gate::open(gate);
        }
    }

    /// Whether it happens to a request; counts it then.
    pub(super) fn strikes(&mut self, request: &Request) -> bool {
        let strikes = self.times > 0 && request.target.contains(&self.on);
        if strikes {
            self.times = self.times.saturating_sub(1);
        }
        strikes
    }

    /// The answer with the fault in it.
    pub(super) fn apply(&self, mut response: Response) -> Response {
        match &self.kind {
            Kind::Answer(other) => response = other.clone(),
            Kind::End(ending) => response.ending = ending.clone(),
            Kind::Slow(wait) => std::thread::sleep(*wait),
            Kind::NoEtag => response.headers.retain(|(name, _)| name != "ETag"),
        }
        response
    }
}
