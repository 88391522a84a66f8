//! What the command line picks beside the part.

use clap::Args;

use crate::ask::{Ask, Takes, Wanted, question};
use crate::change::{Place, Side};
use crate::cli::Failure;
use crate::problem::Problem;
use crate::text::clean;

/// What is asked about, beside the part.
#[derive(Args)]
pub struct Picked {
    /// Lines the part shows, such as src/pool.py:12-18, or src/pool.py:12:base for the side before the change
    #[arg(long, value_name = "PATH:LINES[:SIDE]")]
    lines: Option<String>,
    /// One of the part's claims, counted from 1
    #[arg(long, value_name = "NUMBER", conflicts_with = "lines")]
    claim: Option<usize>,
    /// One of the part's threads, counted from 1
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["lines", "claim"])]
    thread: Option<usize>,
    /// The question, in one line of words
    #[arg(long, value_name = "WORDS")]
    words: Option<String>,
    /// List the part's claims and threads and ask nothing
    #[arg(long)]
    pub list: bool,
}

impl Picked {
    /// Refuses what an ask would leave unread.
    ///
    /// # Errors
    /// Where something was picked that the ask does not take.
    pub fn fits(&self, kind: &str, asks: &[Box<dyn Ask>]) -> Result<(), Failure> {
        let Some(ask) = question::find(asks, kind) else { return Ok(()) };
        let taken: &[&str] = match ask.card().takes {
            Takes::Part => &[],
            Takes::Claim => &["--lines", "--claim"],
            Takes::Thread => &["--thread"],
            Takes::Question => &["--lines", "--thread", "--words"],
        };
        let given = [
            ("--lines", self.lines.is_some()),
            ("--claim", self.claim.is_some()),
            ("--thread", self.thread.is_some()),
            ("--words", self.words.is_some()),
        ];
        match given.into_iter().find(|(name, given)| *given && !taken.contains(name)) {
            None => Ok(()),
            Some((name, _)) => {
                let takes = if taken.is_empty() { "the part alone".to_owned() } else { taken.join(", ") };
                Err(Failure::Usage(Problem::new(format!("`{kind}` takes no {name}")).hint(format!("it takes {takes}"))))
            }
        }
    }

    /// What is asked about, in the form every way in takes.
    ///
    /// # Errors
    /// Where lines cannot be read, or something is counted from 0.
    pub fn wanted(&self) -> Result<Wanted, Failure> {
        let from_one = |number: Option<usize>, what: &str| match number {
            Some(0) => Err(Failure::Usage(Problem::new(format!("there is no {what} 0: they count from 1")))),
            number => Ok(number.map(|number| number - 1)),
        };
        let lines = self.lines.as_deref().map(read_lines).transpose()?;
        let (claim, thread) = (from_one(self.claim, "claim")?, from_one(self.thread, "thread")?);
        Ok(Wanted { lines, claim, thread, words: self.words.clone() })
    }
}

/// Reads `PATH:LINE`, `PATH:FIRST-LAST`, each with `:base` or `:head` after it.
fn read_lines(text: &str) -> Result<Place, Failure> {
    let wrong = || {
        let problem = Problem::new(format!("`{}` names no lines", clean(text)));
        Failure::Usage(problem.hint("write PATH:LINE or PATH:FIRST-LAST, with :base after it for the side before"))
    };
    let (rest, side) = match text.rsplit_once(':') {
        Some((rest, "base")) => (rest, Side::Base),
        Some((rest, "head")) => (rest, Side::Head),
        _ => (text, Side::Head),
    };
    let (path, lines) = rest.rsplit_once(':').ok_or_else(wrong)?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let (line, end_line) = (first.parse().map_err(|_| wrong())?, last.parse().map_err(|_| wrong())?);
    if path.is_empty() || line == 0 || end_line < line {
        return Err(wrong());
    }
    Ok(Place { path: path.into(), side, line, end_line })
}
