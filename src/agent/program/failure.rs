//! Which ending a failure is, by the status and the words that a program reports.

use crate::agent::Ending;

/// Characters of the longest sentence that is passed on.
const LONGEST: usize = 400;

/// Says which ending a failure is. `hint` is what to do where the reviewer is not signed in.
pub fn ending(status: Option<u16>, said: &str, hint: &str) -> Ending {
    let lower = said.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let short: String = said.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect();
    let not_signed_in =
        || Ending::NotSignedIn(if short.is_empty() { hint.to_owned() } else { format!("{short}; {hint}") });
    match status.or_else(|| status_in(&lower)) {
        Some(401) => return not_signed_in(),
        Some(429 | 529) => return Ending::RateLimited(short),
        _ => {}
    }
    if has(&["context window", "context length", "context_length", "too many tokens", "prompt is too long"]) {
        return Ending::BudgetMet(short);
    }
    if has(&["credit balance", "billing", "insufficient_quota", "insufficient funds", "payment"]) {
        return Ending::RateLimited(short);
    }
    let no_such =
        ["not found", "not_found", "not exist", "unknown", "not supported", "no access", "match", "invalid model"];
    let not_known = lower.contains("model") && has(&no_such) || status == Some(404) && lower.contains("model");
    if not_known && !lower.contains("api key") {
        return Ending::UnknownModel(short);
    }
    if status == Some(403) || lower.contains("403 forbidden") {
        return Ending::NotSignedIn(format!("{short}; its provider refuses this account or place"));
    }
    if has(&SIGN_IN) {
        return not_signed_in();
    }
    if has(&["rate limit", "rate_limit", "usage limit", "too many requests", "quota", "overloaded", "hit your limit"]) {
        return Ending::RateLimited(short);
    }
    Ending::Died(short)
}

/// Words by which providers and programs say that somebody is not signed in.
const SIGN_IN: [&str; 12] = [
    "not logged in",
    "not signed in",
    "/login",
    "log in",
    "api key",
    "api_key",
    "unauthorized",
    "authentication",
    "token has expired",
    "token expired",
    "no credentials",
    "credentials_not",
];

/// The status a text tells, where it stands alone as a number that means something here.
fn status_in(text: &str) -> Option<u16> {
    let numbers = text.split(|c: char| !c.is_ascii_alphanumeric());
    numbers.filter_map(|word| word.parse().ok()).find(|number| matches!(number, 401 | 429 | 529))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_is_told_apart() {
        let kind = |status, said| match ending(status, said, "sign in") {
            Ending::NotSignedIn(_) => "not signed in",
            Ending::RateLimited(_) => "rate limited",
            Ending::UnknownModel(_) => "unknown model",
            Ending::Died(_) => "died",
            Ending::BudgetMet(_) => "budget met",
            _ => "other",
        };
        for (status, said, expected) in [
            (Some(401), "model not found", "not signed in"),
            (None, "Not logged in · Please run /login", "not signed in"),
            (None, "unexpected status 401 Unauthorized: bad key", "not signed in"),
            (None, "No API key found for model anthropic/x", "not signed in"),
            (Some(403), "forbidden", "not signed in"),
            (None, "unexpected status 403 Forbidden: region", "not signed in"),
            (None, "unexpected status 404 Not Found: model: no-such-model", "unknown model"),
            (None, "invalid_request_error: input exceeds the context window of this model", "budget met"),
            (Some(400), "Your credit balance is too low to access the API", "rate limited"),
            (Some(429), "", "rate limited"),
            (None, "exceeded retry limit, last status: 429 Too Many Requests", "rate limited"),
            (None, "You've hit your usage limit", "rate limited"),
            (Some(404), "There's an issue with the selected model (x). It may not exist.", "unknown model"),
            (None, "Model \"nope/x\" not found. Use --list-models", "unknown model"),
            (None, "stream disconnected before completion", "died"),
            (None, "", "died"),
            (Some(500), "line 4291 of x", "died"),
        ] {
            assert_eq!(kind(status, said), expected, "{said}");
        }
    }

    #[test]
    fn what_was_said_is_kept_short_and_on_one_line() {
        let Ending::Died(said) = ending(None, &"a\n b".repeat(300), "") else { unreachable!() };
        assert!(said.chars().count() == LONGEST && !said.contains('\n'));
        assert_eq!(ending(Some(401), "", "sign in"), Ending::NotSignedIn("sign in".to_owned()));
    }
}
