//! Everything that can go wrong between here and a GitHub host, as values; `sentences` says each in words.
//!
//! Texts that GitHub, a proxy or a library wrote are cleaned and cut, and the token is taken out of every sentence.

use std::time::Duration;

use jiff::Timestamp;

use super::token::Token;
use crate::problem::Problem;
use crate::text::clean;

/// The longest text from elsewhere that an error repeats, in characters.
const LONGEST_QUOTE: usize = 200;

/// What went wrong, without where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The server's address cannot be used.
    Address(String),
    /// A pull request of another server than the client's.
    OtherServer(String),
    /// The system has no list of certificate authorities.
    NoAuthorities,
    /// The proxy of the environment did not connect; its host, and what it did.
    Proxy(String, String),
    /// The host's name has no address.
    Unknown,
    /// Nothing listens there.
    Refused,
    /// The network does not lead there.
    Unreachable,
    /// No connection in time.
    ConnectTime(Duration),
    /// No whole answer in time.
    AnswerTime(Duration),
    /// The certificate is issued by nobody this computer knows.
    UnknownAuthority,
    /// No TLS connection for another reason, in a clause.
    Tls(String),
    /// Closed before there was an answer.
    Closed,
    /// Closed in the middle of an answer.
    BrokenOff,
    /// More bytes than the limit, in bytes.
    TooLarge(usize),
    /// Sent on to an address that is not the host's; that address's origin.
    Elsewhere(String),
    /// Sent on too often, or to nowhere.
    Circle,
    /// 401.
    Unauthorized(Option<String>),
    /// The hourly limit is used up, until then.
    HourlyLimit(Option<Timestamp>),
    /// Too many requests in a short time, and how long to wait.
    SlowDown(Option<Duration>),
    /// The organisation's single sign-on has not approved the token; the page that does.
    SingleSignOn(Option<String>),
    /// The token has these scopes and needs one of those.
    Scope(Vec<String>, Vec<String>),
    /// 403 for another reason.
    Forbidden(Option<String>),
    /// 404; whether the token is known to lack the scope for private repositories.
    NotFound(bool),
    /// 410 or 451, with the reason.
    Gone(Option<String>),
    /// 5xx, and how long to wait.
    Server(u16, Option<Duration>),
    /// Any other status, with the reason.
    Status(u16, Option<String>),
    /// The answer is a web page.
    WebPage,
    /// The answer is no JSON.
    NotJson,
    /// The answer is JSON of another shape; what is wrong with it.
    Shape(String),
    /// Base and head have no commit in common.
    NoMergeBase,
}

/// A failure with where it happened.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.problem())]
pub(super) struct Error {
    pub(super) failure: Failure,
    /// The host, as people name it.
    pub(super) host: String,
    /// What was asked for, such as `octo/demo#1`.
    pub(super) subject: String,
    /// The token that was sent.
    pub(super) token: Option<Token>,
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        error.problem()
    }
}

impl Error {
    fn problem(&self) -> Problem {
        let (what, hints) = self.sentences();
        let shown = |text: &str| {
            let text = self.token.as_ref().map_or_else(|| text.to_owned(), |token| token.remove_from(text));
            clean(&text).into_string()
        };
        hints.iter().fold(Problem::new(shown(&what)), |problem, hint| problem.hint(shown(hint)))
    }

    /// A text from elsewhere, without the token, as a sentence repeats it. The token goes first: a cut could leave half.
    pub(super) fn quote(&self, text: &str) -> String {
        self.token.as_ref().map_or_else(|| quote(text), |token| quote(&token.remove_from(text)))
    }

    pub(super) fn github_says(&self, said: Option<&str>) -> Vec<String> {
        said.map(|said| format!("it says: {}", self.quote(said))).into_iter().collect()
    }
}

/// A text from elsewhere as an error repeats it: one clean line, cut.
fn quote(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = clean(&line.join(" ")).into_string();
    match line.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_from_elsewhere_are_one_clean_short_line() {
        assert_eq!(quote("a\n\tb\x1b[31m\u{202e}"), "a b^[[31m<U+202E>");
        assert_eq!(quote(&"é".repeat(500)), format!("{}...", "é".repeat(200)));
    }

    proptest! {
        #[test]
        fn no_sentence_holds_the_token(said in any::<String>(), cut in 0usize..300) {
            let token = Token::new("ghp_0123456789", "GH_TOKEN").unwrap();
            let said = format!("{said}{}{}", "x".repeat(cut), token.expose());
            for failure in [
                Failure::Unauthorized(Some(said.clone())),
                Failure::Forbidden(Some(said.clone())),
                Failure::Gone(Some(said.clone())),
                Failure::Status(418, Some(said.clone())),
                Failure::Shape(said.clone()),
                Failure::Tls(said.clone()),
                Failure::Address(said.clone()),
                Failure::Elsewhere(said.clone()),
                Failure::Scope(vec![said.clone()], vec![said.clone()]),
                Failure::Proxy(said.clone(), said.clone()),
                Failure::SingleSignOn(Some(said.clone())),
            ] {
                let error = Error { failure, host: "h".into(), subject: "s".into(), token: Some(token.clone()) };
                let text = format!("{} {:?}", error, error.problem());
                prop_assert!(!text.contains("ghp_0123"), "{}", text);
            }
        }
    }
}
