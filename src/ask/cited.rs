//! A line as an answer cites it, and how that becomes a place: one shape and one reading for every ask.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Citation;
use super::subject::Subject;
use crate::change::{PartLine, Place, RepoPath, Side};
use crate::text::{clean_prose, shown_line};

/// One line, with text of it as it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cited {
    /// The file's path as shown.
    pub file: String,
    /// The side on which the line has that number.
    pub side: CitedSide,
    /// The line's number on that side.
    pub line: u32,
    /// Text of that line as shown: at least eight characters of it, or the whole line.
    pub quote: String,
}

/// A side. Its variants have no words of their own: in a schema they would stand as alternatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CitedSide {
    Base,
    Head,
}

/// One line at the head, with text of it as it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadLine {
    /// The file's path at the head, as shown.
    pub file: String,
    /// The line's number at the head.
    pub line: u32,
    /// Text of that line as shown: at least eight characters of it, or the whole line.
    pub quote: String,
}

impl Cited {
    /// The citation of a line that the part shows: the whole line, on the side that shows it.
    pub fn of(subject: &Subject, line: &PartLine) -> Self {
        let place = subject.place(line);
        let side = if place.side == Side::Base { CitedSide::Base } else { CitedSide::Head };
        let quote = shown_line(&line.text).trim().to_owned();
        Self { file: place.path.shown().into_string(), side, line: place.line, quote }
    }

    /// As a place with a quote.
    pub fn read(&self, subject: &Subject) -> Citation {
        let side = match self.side {
            CitedSide::Base => Side::Base,
            CitedSide::Head => Side::Head,
        };
        citation(subject, &self.file, side, self.line, &self.quote)
    }
}

impl HeadLine {
    /// As a place with a quote.
    pub fn read(&self, subject: &Subject) -> Citation {
        citation(subject, &self.file, Side::Head, self.line, &self.quote)
    }
}

fn citation(subject: &Subject, file: &str, side: Side, line: u32, quote: &str) -> Citation {
    let place = Place { path: path(subject, file, side), side, line, end_line: line };
    Citation { place, quote: clean_prose(quote.trim()) }
}

/// The path of a file by its shown name: of one the part shows, of a changed one, or of any at the head.
fn path(subject: &Subject, name: &str, side: Side) -> RepoPath {
    let name = name.trim().trim_start_matches("./");
    let change = &subject.reading.change;
    let named = |path: &&RepoPath| path.shown().as_str() == name;
    let own = || subject.lines.iter().map(|line| change.files[line.file].path_on(side)).find(named);
    let changed = || change.files.iter().map(|file| file.path_on(side)).find(named);
    if let Some(path) = own().or_else(changed) {
        return path.clone();
    }
    // Only a name with marks in it is shown otherwise than it is.
    let marked = name.contains(['<', '^']);
    let entries = if marked { change.trees.entries(side).unwrap_or_default() } else { Vec::new() };
    entries.into_iter().map(|entry| entry.path).find(|path| named(&path)).unwrap_or_else(|| RepoPath::from(name))
}
