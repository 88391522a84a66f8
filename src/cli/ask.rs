//! `second-look ask`: one question about one part, answered and checked, on standard output.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::Args;
use tokio::sync::watch;

use super::{Failure, Shared, Target, print, review};
use crate::ask::{Answer, Outcome, Refusal, Stamp, stored};
use crate::change::{RankedPart, Reading};
use crate::engine::{Question, Takes};
use crate::problem::Problem;
use crate::text::{clean, clean_prose};

/// Arguments of `ask`.
#[derive(Args)]
#[command(after_help = "Examples:\n  second-look ask explain demo --part 1\n  \
    second-look ask explain https://github.com/OWNER/REPO/pull/7 --part 'Pool.close in pool.py' --json\n\n\
    `second-look review ADDRESS` lists the parts with their numbers and names.")]
pub struct Arguments {
    /// What to ask: explain
    #[arg(value_name = "ASK")]
    kind: String,
    #[command(flatten)]
    target: Target,
    /// The part, by number (counted from 1) or by name
    #[arg(long, value_name = "NUMBER|NAME")]
    part: String,
    /// Print the answer as JSON, with its stamp
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) async fn run(self, shared: &Shared) -> Result<(), Failure> {
        let address = self.target.read()?;
        let engine = shared.engine()?;
        let kinds: Vec<&'static str> = engine.asks().iter().map(|ask| ask.kind()).collect();
        let Some(kind) = kinds.iter().copied().find(|kind| *kind == self.kind) else {
            let problem = Problem::new(format!("there is no ask `{}`", self.kind));
            return Err(Failure::Usage(problem.hint(format!("the asks are: {}", kinds.join(", ")))));
        };
        let review = engine.open(&address, Takes::NewHead, &review::complaining()).await?;
        let part = find_part(&review.reading, &self.part)?;
        let (_keep, cancelled) = watch::channel(false);
        let question = Question {
            reading: Arc::clone(&review.reading),
            address: &address,
            kind,
            part: &part.part.key,
            wanted: crate::ask::Wanted::default(),
            choice: None,
            cancelled,
            progress: &|_| (),
        };
        match engine.ask(question).await? {
            outcome @ Outcome::Answered(_) if self.json => Ok(print::json(&stored::value(&outcome))?),
            Outcome::Answered(answer) => Ok(print::out(&in_words(&answer))?),
            Outcome::Refused(refusal) => Err(refused(&refusal).into()),
            Outcome::NoAnswer { reason, why } => {
                Err(Problem::new(format!("there is no answer, {}: {why}", reason.words())).hint(reason.next()).into())
            }
            Outcome::Cancelled => Err(Problem::new("the ask was cancelled").into()),
        }
    }
}

/// Finds a part by its number or name; a name that several parts have is an error that lists their numbers.
fn find_part<'a>(reading: &'a Reading, wanted: &str) -> Result<&'a RankedPart, Failure> {
    if let Ok(number) = wanted.parse::<usize>() {
        return number.checked_sub(1).and_then(|at| reading.parts.get(at)).ok_or_else(|| {
            let problem = Problem::new(format!("there is no part {number}"));
            Failure::Usage(problem.hint(format!("this change has {}", review::counted(reading.parts.len(), "part"))))
        });
    }
    let named: Vec<usize> =
        (0..reading.parts.len()).filter(|at| reading.parts[*at].part.name.as_str() == wanted).collect();
    match named.as_slice() {
        [at] => Ok(&reading.parts[*at]),
        [] => Err(Failure::Usage(
            Problem::new(format!("there is no part named `{wanted}`")).hint("`second-look review` lists the parts"),
        )),
        several => {
            let numbers: Vec<String> = several.iter().map(|at| (at + 1).to_string()).collect();
            let problem = Problem::new(format!("several parts are named `{wanted}`"));
            Err(Failure::Usage(problem.hint(format!("give a number: {}", numbers.join(", ")))))
        }
    }
}

fn in_words(answer: &Answer) -> String {
    let mut out = format!("{}\n", answer.part_name);
    for section in &answer.sections {
        let _ = write!(out, "\n{}\n{}\n", section.heading, textwrap::fill(section.text.as_str(), 90));
    }
    if !answer.citations.is_empty() {
        out.push('\n');
    }
    for (at, citation) in answer.citations.iter().enumerate() {
        let place = &citation.place;
        let _ = writeln!(
            out,
            "[{}] {}:{} ({})  {}",
            at + 1,
            place.path.shown(),
            place.line,
            place.side.word(),
            citation.quote.as_str().trim()
        );
    }
    if !answer.facts.is_empty() {
        let _ = write!(out, "\nFacts counted by the program\n");
        for fact in &answer.facts {
            let _ = writeln!(out, "- {fact}");
        }
    }
    let _ = write!(out, "\n{}\n", stamp_in_words(&answer.stamp));
    clean_prose(&out).into_string()
}

fn stamp_in_words(stamp: &Stamp) -> String {
    let model = stamp.model.as_ref().map_or("no model was used".to_owned(), |model| clean(model).into_string());
    let commits = match (stamp.base_commit, stamp.head_commit) {
        (Some(base), Some(head)) => format!("{}..{}", base.short(), head.short()),
        _ => "uncommitted content".to_owned(),
    };
    format!(
        "{} {} by {}; {model}; {}; about {commits}; passed: {}",
        stamp.ask,
        stamp.ask_version,
        clean(&stamp.agent),
        stamp.started,
        stamp.checks.join(", ")
    )
}

fn refused(refusal: &Refusal) -> Problem {
    let failed: Vec<String> =
        refusal.failed.iter().map(|failure| format!("{}: {}", failure.check, failure.what)).collect();
    Problem::new(format!("the answer was refused twice ({})", failed.join("; ")))
        .hint("ask again, or ask another agent")
}
