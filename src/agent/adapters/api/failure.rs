//! What a failed turn means, in one sentence. Everything that came from elsewhere is cleaned, cut and free of the key.

use std::error::Error as StdError;
use std::time::Duration;

use genai::Error;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::client::Failure;
use super::key::Key;
use crate::text::clean;

/// Characters of what a server says that are shown.
const WORDS: usize = 300;
/// The longest time to wait that a server can ask for and be believed.
const LONGEST_AFTER: u64 = 7 * 24 * 3600;

/// Tells what failed.
#[derive(Debug, Clone)]
pub(super) struct Teller {
    /// The server.
    pub(super) host: String,
    /// The model asked for.
    pub(super) model: String,
    /// Why there is no key, where there is none, in words that continue "no key was sent, ".
    pub(super) why_none: String,
    /// The key, to be taken out.
    pub(super) key: Option<Key>,
}

impl Teller {
    /// Something the server did that ends the question.
    pub(super) fn broken(&self, what: &str) -> Failure {
        Failure::Broken(format!("{} {what}", self.host))
    }

    /// What an error means. `began` says that some of the answer had come.
    pub(super) fn failure(&self, error: Error, began: bool) -> Failure {
        match error {
            // The error that says more stands inside the stream's.
            Error::WebStream { error, .. } => match error.downcast::<Error>() {
                Ok(inner) => self.failure(*inner, began),
                Err(error) => self.lost(error.as_ref(), began),
            },
            Error::HttpError { status, body, headers, .. } => self.status(status, &body, &headers),
            Error::ChatResponse { body, .. } => self.told(&body),
            Error::StreamParse { .. } | Error::SerdeJson(_) | Error::JsonValueExt(_) => {
                self.broken("sent an answer that cannot be read: it is not the JSON of its dialect")
            }
            other => self.broken(&format!("could not be asked: {}", self.words(&other.to_string()))),
        }
    }

    fn status(&self, status: StatusCode, body: &str, headers: &HeaderMap) -> Failure {
        let (host, said) = (&self.host, self.body_words(body));
        let answered = format!("{host} answered {}{said}", status.as_u16());
        match status.as_u16() {
            401 | 403 => Failure::NotSignedIn(match &self.key {
                Some(key) => format!("{answered}; the key came from {}", key.source()),
                None => format!("{answered}; no key was sent, {}", self.why_none),
            }),
            404 => {
                let model = clean(&self.model);
                Failure::UnknownModel(format!(
                    "{answered}; asked for `{model}` (if the model exists, look at agents.api.base_url)"
                ))
            }
            400 if body.contains("model_not_found") => Failure::UnknownModel(answered),
            // 529 is Anthropic's word for 503.
            429 | 503 | 529 => {
                let again = !body.contains("insufficient_quota");
                Failure::TurnedAway { said: answered, after: retry_after(headers), again }
            }
            300..400 => {
                Failure::Broken(format!("{host} sends on to another address ({status}), which is not followed"))
            }
            _ => Failure::Broken(answered),
        }
    }

    /// An error that came where the answer should have come, or in its middle.
    fn told(&self, body: &Value) -> Failure {
        let text = body.to_string();
        let said = format!("{} broke off its answer{}", self.host, self.body_words(&text));
        if text.contains("overloaded") || text.contains("rate_limit") {
            return Failure::TurnedAway { said, after: None, again: false };
        }
        Failure::Broken(said)
    }

    fn lost(&self, error: &(dyn StdError + Send + Sync + 'static), began: bool) -> Failure {
        let why = self.words(&innermost(error));
        match error.downcast_ref::<reqwest::Error>() {
            Some(error) if error.is_connect() => Failure::Broken(format!("{} cannot be reached: {why}", self.host)),
            Some(error) if error.is_request() && !began => {
                Failure::Lost(format!("the connection to {} was lost before an answer came: {why}", self.host))
            }
            _ => Failure::Broken(format!("the connection to {} was lost in the middle of an answer: {why}", self.host)),
        }
    }

    /// What a body says, after a colon; nothing where it says nothing.
    fn body_words(&self, body: &str) -> String {
        let json: Option<Value> = serde_json::from_str(body).ok();
        let message = json.as_ref().and_then(|json| {
            let places = ["/error/message", "/message", "/error", "/detail"];
            places.iter().find_map(|place| json.pointer(place).and_then(Value::as_str))
        });
        match (message, &json) {
            (Some(message), _) => format!(": {}", self.words(message)),
            // A page of HTML says nothing to a reviewer.
            (None, _) if body.trim().is_empty() || body.trim_start().starts_with('<') => String::new(),
            (None, _) => format!(": {}", self.words(body)),
        }
    }

    fn words(&self, text: &str) -> String {
        let text = self.key.as_ref().map_or(text.to_owned(), |key| key.hide(text));
        let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let cut: String = one_line.chars().take(WORDS).collect();
        let words =
            if cut.len() < one_line.len() { format!("{cut} ...") } else { cut.trim_end_matches('.').to_owned() };
        clean(&words).into_string()
    }
}

/// When to come again, as the headers say it; a date is not read, since clocks differ.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms").map(|ms| ms / 1000.0).or_else(|| number("retry-after"))?;
    #[allow(clippy::cast_precision_loss, reason = "a week of seconds")]
    let seconds = if seconds.is_finite() { seconds.clamp(0.0, LONGEST_AFTER as f64) } else { return None };
    Some(Duration::from_secs_f64(seconds))
}

fn innermost(error: &(dyn StdError + 'static)) -> String {
    let mut inner = error;
    while let Some(cause) = inner.source() {
        inner = cause;
    }
    inner.to_string()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;

    fn told(status: u16, body: &str, headers: &[(&'static str, &'static str)]) -> Failure {
        let teller = Teller {
            host: "m.example".into(),
            model: "m".into(),
            why_none: "since TEAM_KEY is not set".into(),
            key: None,
        };
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        teller.status(StatusCode::from_u16(status).unwrap(), body, &headers)
    }

    #[test]
    fn what_a_server_says_is_found_where_vendors_put_it() {
        for (body, said) in [
            ("{\"error\": {\"message\": \"Too\\nlong.\"}}", "m.example answered 400: Too long"),
            ("{\"error\": \"no such thing\"}", "m.example answered 400: no such thing"),
            ("{\"message\": \"odd \\u202e\"}", "m.example answered 400: odd <U+202E>"),
            ("plain words", "m.example answered 400: plain words"),
            ("<html><title>Bad</title>", "m.example answered 400"),
            ("", "m.example answered 400"),
        ] {
            assert_eq!(told(400, body, &[]), Failure::Broken(said.to_owned()));
        }
        let Failure::Broken(long) = told(500, &"x".repeat(10_000), &[]) else { panic!("another failure") };
        assert!(long.len() < WORDS + 50 && long.ends_with(" ..."), "{long}");
    }

    #[test]
    fn waiting_is_told_from_what_waiting_does_not_help() {
        let away = |status, body: &str, headers: &[(&'static str, &'static str)]| match told(status, body, headers) {
            Failure::TurnedAway { after, again, .. } => (after.map(|after| after.as_millis()), again),
            other => panic!("{other:?}"),
        };
        assert_eq!(away(429, "", &[("retry-after", "7")]), (Some(7000), true));
        assert_eq!(away(529, "", &[("retry-after-ms", "250"), ("retry-after", "9")]), (Some(250), true));
        assert_eq!(away(503, "", &[("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT")]), (None, true));
        assert_eq!(away(429, "", &[("retry-after", "-5")]), (Some(0), true));
        assert_eq!(away(429, "", &[("retry-after", "1e99")]), (Some(u128::from(LONGEST_AFTER) * 1000), true));
        assert_eq!(away(429, "{\"error\": {\"code\": \"insufficient_quota\"}}", &[]), (None, false));
    }

    #[test]
    fn a_missing_model_and_a_missing_key_are_told_apart() {
        assert!(matches!(told(404, "", &[]), Failure::UnknownModel(why) if why.contains("asked for `m`")));
        assert!(matches!(told(400, "{\"error\": {\"code\": \"model_not_found\"}}", &[]), Failure::UnknownModel(_)));
        let why = "m.example answered 401; no key was sent, since TEAM_KEY is not set".to_owned();
        assert_eq!(told(401, "", &[]), Failure::NotSignedIn(why));
    }
}
