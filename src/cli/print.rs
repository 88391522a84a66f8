//! Prints: results to standard output, complaints to standard error. A reader that went away is no error.

use std::io::{self, Write};

use crate::problem::Problem;
use crate::text::escaped_json;

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
    out(&(escaped_json(text) + "\n"))
}

/// Writes lines beside the result to standard error.
pub fn note(text: &str) {
    let text = crate::text::clean_prose(text.trim_end());
    // Nowhere is left to say that standard error is closed.
    let _ = writeln!(io::stderr().lock(), "{text}");
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
