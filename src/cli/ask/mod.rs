//! `second-look ask`: one question about one part, answered and checked, on standard output.

mod picked;
mod words;

use std::io::IsTerminal;
use std::sync::Arc;

use clap::Args;
use tokio::sync::watch;

use super::chosen::Chosen;
use super::{Failure, Shared, Target, print, review};
use crate::agent::adapters;
use crate::ask::{Outcome, stored};
use crate::change::{RankedPart, Reading};
use crate::engine::{AskProgress, Question, Takes};
use crate::problem::Problem;
use crate::text::clean;
use picked::Picked;
use words::{in_words, listed, refused, refused_in_words};

/// Arguments of `ask`.
#[derive(Args)]
#[command(after_help = "Examples:\n  second-look ask explain demo --part 1\n  \
    second-look ask explain https://github.com/OWNER/REPO/pull/7 --part 'Pool.close in pool.py' --json\n  \
    second-look ask verify demo --part 1 --lines haul/retry.py:12-18 --agent claude-code\n  \
    second-look ask question demo --part 1 --words 'Why is it retried?' --agent api --model MODEL\n\n\
    `second-look review ADDRESS` lists the parts; `--list` lists the claims and threads of one.")]
pub struct Arguments {
    #[arg(value_name = "ASK")]
    kind: String,
    #[command(flatten)]
    target: Target,
    /// The part, by number (counted from 1) or by name
    #[arg(long, value_name = "NUMBER|NAME")]
    part: String,
    #[command(flatten)]
    picked: Picked,
    #[command(flatten)]
    chosen: Chosen,
    /// Print the answer as JSON, with its stamp
    #[arg(long)]
    json: bool,
    /// Where an answer failed its checks, print it all the same, as a refused one
    #[arg(long)]
    show_refused: bool,
}

impl Arguments {
    pub(in crate::cli) async fn run(self, shared: &Shared) -> Result<(), Failure> {
        let address = self.target.read()?;
        let wanted = self.picked.wanted()?;
        let engine = shared.engine_with(&self.chosen)?;
        let kinds: Vec<&'static str> = engine.asks().iter().map(|ask| ask.kind()).collect();
        let Some(kind) = kinds.iter().copied().find(|kind| *kind == self.kind) else {
            let problem = Problem::new(format!("there is no ask `{}`", clean(&self.kind)));
            return Err(Failure::Usage(problem.hint(format!("the asks are: {}", kinds.join(", ")))));
        };
        self.picked.fits(kind, engine.asks())?;
        let wrong = if self.chosen.is_any() { Failure::Usage } else { Failure::Failed };
        adapters::make(&engine.choice(), engine.settings()).map_err(wrong)?;
        let review = engine.open(&address, Takes::NewHead, &review::complaining()).await?;
        let part = find_part(&review.reading, &self.part)?;
        if self.picked.list {
            return Ok(print::out(&listed(&review.reading, part)?)?);
        }
        let (_keep, cancelled) = watch::channel(false);
        let shows = std::io::stderr().is_terminal();
        let question = Question {
            reading: Arc::clone(&review.reading),
            address: &address,
            kind,
            part: &part.part.key,
            wanted,
            choice: None,
            cancelled,
            progress: &|progress| {
                if let (true, AskProgress::Doing(what)) = (shows, progress) {
                    print::note(what.as_str());
                }
            },
        };
        let outcome = engine.ask(question).await?;
        self.print(&outcome)
    }

    fn print(&self, outcome: &Outcome) -> Result<(), Failure> {
        if self.json && (self.show_refused || matches!(outcome, Outcome::Answered(_))) {
            print::json(&stored::value(outcome))?;
        }
        match outcome {
            Outcome::Answered(_) if self.json => Ok(()),
            Outcome::Answered(answer) => Ok(print::out(&in_words(answer))?),
            Outcome::Refused(refusal) => {
                if self.show_refused && !self.json {
                    print::note(&refused_in_words(refusal));
                }
                Err(refused(refusal, self.show_refused).into())
            }
            Outcome::NoAnswer { reason, why } => {
                Err(Problem::new(format!("there is no answer ({}), {why}", reason.words())).hint(reason.next()).into())
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
