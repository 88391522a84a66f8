//! The essay: sentences within the length of a section, citations within their number.

use crate::ask::check::markers;
use crate::ask::check::names::unknown;
use crate::ask::cited::Cited;
use crate::ask::code::is_name_char;
use crate::ask::{Ask, Subject};

/// Characters of a piece of code that a sentence shows.
const SNIPPET: usize = 72;

/// An answer being written.
pub struct Essay<'a> {
    pub subject: &'a Subject,
    text: String,
    /// Positions of cited lines, in order of their numbers.
    cited: Vec<usize>,
    /// The sentences of this section, without numbers.
    said: Vec<String>,
    limit: usize,
    most: usize,
}

impl<'a> Essay<'a> {
    pub fn new(subject: &'a Subject) -> Self {
        let bounds = super::super::Explain.bounds(subject);
        Self {
            subject,
            text: String::new(),
            cited: Vec::new(),
            said: Vec::new(),
            limit: bounds.section_chars,
            most: *bounds.citations.end(),
        }
    }

    /// Adds a sentence made of pieces; each piece may rest on a line, whose number follows it. Says whether it fits:
    /// within the section, with all its citations, and with no name that the names check would not know.
    pub fn say(&mut self, pieces: &[(String, Option<usize>)]) -> bool {
        let words: String = pieces.iter().map(|(text, _)| text.as_str()).collect();
        if self.said.contains(&words) {
            return true;
        }
        let mut cited = self.cited.clone();
        let mut sentence = String::new();
        for (text, line) in pieces {
            sentence.push_str(text);
            if let Some(line) = line {
                let number = match cited.iter().position(|known| known == line) {
                    Some(at) => at + 1,
                    None => {
                        cited.push(*line);
                        cited.len()
                    }
                };
                sentence.push_str(&format!(" [{number}]"));
            }
        }
        let blank = |line: &usize| self.subject.lines[*line].text.as_str().trim().is_empty();
        let fits = self.text.chars().count() + sentence.chars().count() < self.limit;
        if !fits || cited.len() > self.most || cited.iter().any(blank) {
            return false;
        }
        // Judged as it will stand: code with odd quotes could run into the sentence after it.
        let whole = if self.text.is_empty() { sentence } else { format!("{} {sentence}", self.text) };
        if unknown(&whole, &self.subject.shown) || markers(&whole).iter().any(|n| *n == 0 || *n > cited.len()) {
            return false;
        }
        self.text = whole;
        self.cited = cited;
        self.said.push(words);
        true
    }

    /// Adds a sentence that rests on one line, or on a fact.
    pub fn state(&mut self, text: impl Into<String>, line: Option<usize>) -> bool {
        self.say(&[(text.into(), line), (".".to_owned(), None)])
    }

    /// Whether the section holds anything yet.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// How many sentences the section has.
    pub fn sentences(&self) -> usize {
        self.said.len()
    }

    /// Ends a section; citations go on.
    pub fn section(&mut self) -> String {
        self.said.clear();
        std::mem::take(&mut self.text)
    }

    /// The cited lines, whole. Where no sentence cited anything, the first line that can be is cited.
    pub fn cited(&self) -> Vec<Cited> {
        let first = || self.subject.lines.iter().position(|line| !line.text.as_str().trim().is_empty());
        let cited = match self.cited.is_empty() {
            true => first().into_iter().collect(),
            false => self.cited.clone(),
        };
        cited.into_iter().map(|line| Cited::of(self.subject, &self.subject.lines[line])).collect()
    }
}

/// A piece of code in backticks: folded, cut between words where it is long.
pub fn tick(text: &str) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown = folded.clone();
    if let Some((limit, _)) = folded.char_indices().nth(SNIPPET) {
        let whole = |c: char| !is_name_char(c) && !matches!(c, '-' | '.' | ':' | '/');
        let cut = folded[..limit].rfind(whole).unwrap_or(limit);
        shown = format!("{} ...", folded[..cut].trim_end());
    }
    let runs = shown.split(|c| c != '`').map(str::len);
    let longest = runs.max().unwrap_or_default();
    match longest {
        _ if shown.is_empty() => "nothing".to_owned(),
        0 => format!("`{shown}`"),
        n => format!("{0} {shown} {0}", "`".repeat(n + 1)),
    }
}

/// Names in backticks, the first few, then how many more.
pub fn ticks<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let mut words: Vec<String> = names.iter().take(most).map(|name| tick(name.as_ref())).collect();
    if names.len() > most {
        words.push(format!("{} more", names.len() - most));
    }
    crate::ask::facts::join(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_code_in_backticks_whatever_it_holds() {
        assert_eq!(tick("a  b"), "`a b`");
        assert_eq!(tick("x = `y`"), "`` x = `y` ``");
        let long = tick(&"word ".repeat(40));
        assert!(long.ends_with("word ...`") && long.chars().count() < 82, "{long}");
        assert_eq!(ticks(&["a", "b", "c"], 2), "`a`, `b` and 1 more");
    }
}
