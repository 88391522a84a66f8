//! Prints: results to standard output, complaints to standard error. A reader that went away is no error.

use std::io::{self, Write};

use crate::problem::Problem;

/// Writes text to standard output.
///
/// # Errors
/// A [`Problem`] where the output cannot be written, except where its reader closed it.
pub fn out(text: &str) -> Result<(), Problem> {
    settle(io::stdout().lock().write_all(text.as_bytes()))
}

/// Writes a value as indented JSON to standard output. What could act on a terminal or hide itself there is escaped.
///
/// # Errors
/// As [`out`].
pub fn json(value: &impl serde::Serialize) -> Result<(), Problem> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Problem::new(format!("the result cannot be written: {error}")))?;
    out(&(escaped(text) + "\n"))
}

/// JSON in which characters that act or hide are escaped. Outside its strings JSON holds none but line feeds.
fn escaped(json: String) -> String {
    let acts = |c: char| c != '\n' && crate::text::needs_mark(c);
    if !json.chars().any(acts) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if acts(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// Writes what failed and what to do to standard error, as one line.
pub fn complain(problem: &Problem) {
    let text = crate::text::clean(&problem.to_string());
    // Nowhere is left to say that standard error is closed.
    let _ = writeln!(io::stderr().lock(), "second-look: {text}");
}

fn settle(written: io::Result<()>) -> Result<(), Problem> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Problem::new(format!("the result cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn json_holds_nothing_that_acts_and_says_the_same() {
        let value = serde_json::json!({ "a\u{7f}": "\u{1b}[8m \u{9b}8m \u{202e} \u{e0001} é\n" });
        let text = escaped(serde_json::to_string_pretty(&value).unwrap());
        assert!(text.contains(r"\u009b8m \u202e \udb40\udc01 é\n") && text.contains(r"a\u007f"), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
