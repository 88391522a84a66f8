//! Finding text in lines: what was typed, in any case unless it has a capital.

use std::ops::Range;

use aho_corasick::AhoCorasick;

/// What is searched for.
pub struct Search {
    needle: String,
    finder: AhoCorasick,
}

impl Search {
    /// Prepares a search; none for an empty text.
    pub fn new(needle: &str) -> Option<Self> {
        if needle.is_empty() {
            return None;
        }
        let any_case = !needle.chars().any(char::is_uppercase);
        let finder = AhoCorasick::builder().ascii_case_insensitive(any_case).build([needle]).ok()?;
        Some(Self { needle: needle.to_owned(), finder })
    }

    /// What was typed.
    pub fn needle(&self) -> &str {
        &self.needle
    }

    /// Whether a line has it.
    pub fn is_in(&self, line: &[u8]) -> bool {
        self.finder.is_match(line)
    }

    /// Where a line has it, looking only at what could touch a range of its bytes.
    pub fn within(&self, line: &[u8], range: Range<usize>) -> Vec<Range<usize>> {
        let reach = self.needle.len();
        let start = range.start.saturating_sub(reach);
        let end = line.len().min(range.end + reach);
        let found = self.finder.find_iter(line.get(start..end).unwrap_or_default());
        found.map(|hit| start + hit.start()..start + hit.end()).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn case_matters_only_with_a_capital() {
        assert!(Search::new("pool").unwrap().is_in(b"a Pool"));
        assert!(!Search::new("Pool").unwrap().is_in(b"a pool"));
        assert!(Search::new("").is_none());
        assert_eq!(Search::new("ab").unwrap().within(b"ab..ab..abab", 4..6), vec![4..6]);
    }
}
