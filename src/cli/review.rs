//! `second-look review`: the parts in reading order, as text or as the versioned JSON result.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::Args;

use super::{Failure, Shared, Target, print};
use crate::change::rank::Importance;
use crate::change::{RankedPart, Reading};
use crate::engine::events::Event;
use crate::engine::result::result_of;
use crate::engine::{Say, Takes};
use crate::problem::Problem;
use crate::review::Review;
use crate::text::{clean, clean_prose};

/// Arguments of `review`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  second-look review demo\n  second-look review https://github.com/OWNER/REPO/pull/7\n  \
    second-look review main...topic --json | jq '.parts[0].name'\n  second-look review --staged"
)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    /// Print the versioned result: the parts with everything known of them
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) async fn run(self, shared: &Shared) -> Result<(), Failure> {
        let address = self.target.read()?;
        let engine = shared.engine()?;
        let review = engine.open(&address, Takes::NewHead, &complaining()).await?;
        if self.json {
            let result = result_of(&review.reading).map_err(|missing| Problem::new(missing.to_string()))?;
            print::json(&result)?;
        } else {
            print::out(&in_words(&review))?;
        }
        Ok(())
    }
}

/// Says on standard error what went wrong while the command goes on.
pub(super) fn complaining() -> Say {
    Arc::new(|event| {
        if let Event::Trouble(problem) = event {
            print::complain(&problem);
        }
    })
}

fn in_words(review: &Review) -> String {
    let reading = &review.reading;
    let facts = &reading.change.facts;
    let mut out = format!("{}\n", clean(&facts.title));
    if review.offline {
        let _ = writeln!(out, "offline: as of {}", review.as_of.as_deref().unwrap_or("the last look"));
    }
    let (additions, deletions) = totals(reading);
    let _ = writeln!(
        out,
        "{} changed, +{additions} -{deletions}, in {}",
        counted(reading.files.len(), "file"),
        counted(reading.parts.len(), "part")
    );
    if reading.parts.is_empty() {
        out.push_str("\nThis change is empty: no file differs between its base and its head.\n");
    }
    let mut section = "";
    for (at, part) in reading.parts.iter().enumerate() {
        let heading = heading(part);
        if heading != section {
            let _ = write!(out, "\n{heading}\n");
            section = heading;
        }
        out.push_str(&part_in_words(at + 1, part));
    }
    left_out_in_words(&mut out, reading);
    clean_prose(&out).into_string()
}

fn heading(part: &RankedPart) -> &'static str {
    match part.rank.importance {
        _ if part.rank.sunk => "NOISE",
        Importance::MustReview => "MUST REVIEW",
        Importance::WorthReviewing => "WORTH REVIEWING",
        Importance::Context => "CONTEXT",
    }
}

fn part_in_words(number: usize, ranked: &RankedPart) -> String {
    let RankedPart { part, rank, noise } = ranked;
    let mut out =
        format!("{number:>4}  {}  +{} -{}\n      {}\n", part.name, part.additions, part.deletions, rank.reason);
    if let Some(noise) = noise {
        let _ = writeln!(out, "      blind spot: {}", noise.blind_spot);
    }
    out
}

fn left_out_in_words(out: &mut String, reading: &Reading) {
    if reading.left_out.is_empty() {
        return;
    }
    let _ = write!(out, "\nLEFT OUT\n");
    let mut counts = std::collections::BTreeMap::<(&str, &str), usize>::new();
    for left in &reading.left_out {
        *counts.entry((&left.what, &left.why)).or_default() += 1;
    }
    for ((what, why), count) in counts {
        let _ = writeln!(out, "      {what} ({}): {why}", counted(count, "place"));
    }
}

fn totals(reading: &Reading) -> (u64, u64) {
    reading.files.iter().fold((0, 0), |(additions, deletions), file| {
        (additions + u64::from(file.diff.additions), deletions + u64::from(file.diff.deletions))
    })
}

/// `1 file`, `2 files`.
pub(super) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
