//! Checks of an answer, one a file: form first, then, on a well-formed answer alone, the plain ones.
//!
//! Whoever answers, the same checks run in the same order. Each problem is one sentence the agent can act on.

mod citation;
mod count;
pub mod described;
pub mod grounds;
mod length;
mod markers;
pub mod names;
pub mod schema;

pub use markers::markers;

use super::answer::{CheckFailure, Citation};
use super::question::{self, Ask, Bounds, Candidate, Cites};
use super::subject::Subject;
use crate::agent::tools::Ledger;
use crate::change::Place;
use crate::text::{Clean, clean};

/// Problems that one check lists; more would not help to mend an answer.
const LISTED: usize = 12;

/// Which lines the author of an answer was given to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// All of them.
    All,
    /// Those in the ledger.
    Read(Ledger),
}

impl Given {
    /// Whether a line was given.
    pub fn has(&self, place: &Place) -> bool {
        match self {
            Self::All => true,
            Self::Read(ledger) => (place.line..=place.end_line).all(|line| ledger.has(place.side, &place.path, line)),
        }
    }
}

/// An answer before its checks, with what they look at.
pub struct Judged<'a> {
    /// The answer.
    pub candidate: &'a Candidate,
    /// What it is about.
    pub subject: &'a Subject,
    /// What its form may be.
    pub bounds: &'a Bounds,
    /// Which lines it may cite.
    pub cites: Cites,
    /// Which lines its author was given.
    pub given: &'a Given,
}

/// One rule an answer must pass.
pub trait Check: Send + Sync {
    /// Its name in stamps and refusals.
    fn name(&self) -> &'static str;

    /// Whether it judges form; plain checks run only where no form check failed.
    fn is_form(&self) -> bool;

    /// What is wrong, one sentence a problem.
    fn failures(&self, judged: &Judged<'_>) -> Vec<String>;
}

/// The checks of every ask, in the order they run. `schema` runs before them, on the text.
pub fn table() -> Vec<Box<dyn Check>> {
    vec![
        Box::new(length::Length),
        Box::new(count::Count),
        Box::new(markers::Markers),
        Box::new(citation::Cited),
        Box::new(names::Names),
    ]
}

/// The names of all checks of all asks.
pub fn all_names() -> Vec<&'static str> {
    let mut names = vec![schema::NAME];
    for check in question::table().iter().flat_map(|ask| ask.checks()) {
        if !names.contains(&check.name()) {
            names.push(check.name());
        }
    }
    names
}

/// An answer that passed, its quotes re-read from the lines they point at, and the checks it passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// The answer.
    pub candidate: Candidate,
    /// The names of the checks.
    pub checks: Vec<&'static str>,
}

/// Judges a submitted text.
///
/// # Errors
/// Every problem of the first kind that has any: form, or else plain.
pub fn judge(ask: &dyn Ask, text: &str, subject: &Subject, given: &Given) -> Result<Passed, Vec<CheckFailure>> {
    let bounds = ask.bounds(subject);
    let mut candidate = schema::parse(text)
        .and_then(|value| ask.read(value, subject))
        .map_err(|what| vec![CheckFailure { check: schema::NAME, what: clean(&what) }])?;
    let mut checks = vec![schema::NAME];
    let (table, cites) = (ask.checks(), ask.card().cites);
    for form in [true, false] {
        let judged = Judged { candidate: &candidate, subject, bounds: &bounds, cites, given };
        let mut failures = Vec::new();
        for check in table.iter().filter(|check| check.is_form() == form) {
            failures.extend(listed(check.as_ref(), &judged));
            checks.push(check.name());
        }
        if !failures.is_empty() {
            return Err(failures);
        }
    }
    let judged = Judged { candidate: &candidate, subject, bounds: &bounds, cites, given };
    let held: Vec<Citation> = candidate.citations.iter().filter_map(|one| citation::held(&judged, one).ok()).collect();
    let described = described::section(&judged);
    candidate.citations = held;
    candidate.sections.extend(described);
    Ok(Passed { candidate, checks })
}

fn listed(check: &dyn Check, judged: &Judged<'_>) -> Vec<CheckFailure> {
    let problems = check.failures(judged);
    let more = problems.len().saturating_sub(LISTED);
    let failure = |what: &str| CheckFailure { check: check.name(), what: clean(what) };
    let mut failures: Vec<CheckFailure> = problems.iter().take(LISTED).map(|what| failure(what)).collect();
    if more > 0 {
        failures.push(failure(&format!("{more} more of the kind.")));
    }
    failures
}

/// Every run of white space as one space, trimmed: how quotes and lines are compared.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The problems as the note that goes back with a refused answer.
pub fn note(failures: &[CheckFailure]) -> String {
    let lines: Vec<String> =
        failures.iter().map(|failure| format!("- {}: {}", failure.check, quoted(&failure.what))).collect();
    format!(
        "Your answer was checked and is given back, once. Every problem found:\n{}\nSubmit the whole answer again, mended.",
        lines.join("\n")
    )
}

fn quoted(what: &Clean) -> String {
    what.as_str().chars().take(600).collect()
}
