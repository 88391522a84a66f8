//! `Problem`: what failed, in one plain sentence, and what the reviewer can do about it.
//!
//! Modules with I/O keep their own error enums and convert them into a `Problem` at home, so that whatever
//! shows it (standard error, a screen, the protocol) has nothing left to decide.

use std::fmt;

/// What failed, in one sentence, with the things a reviewer can do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    what: String,
    hints: Vec<String>,
}

impl Problem {
    /// States what failed: one sentence that names the thing concerned, without a full stop.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), hints: Vec::new() }
    }

    /// Adds one thing to do about it, written as a sentence of its own.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The sentence that says what failed.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What to do about it, in the order to try.
    pub fn hints(&self) -> &[String] {
        &self.hints
    }
}

/// One line: what failed, then what to do.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        for (at, hint) in self.hints.iter().enumerate() {
            f.write_str(if at == 0 { ": " } else { "; " })?;
            f.write_str(hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_one_line() {
        let problem = Problem::new("cannot reach `example.org`").hint("check the network").hint("use --offline");
        assert_eq!(problem.to_string(), "cannot reach `example.org`: check the network; use --offline");
        assert_eq!(problem.hints().len(), 2);
    }
}
