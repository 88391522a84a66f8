//! What a model looked at, for the sentence that stands where no answer came.

use std::collections::BTreeMap;

/// Different things that are named in the sentence.
const NAMED: usize = 8;
/// Characters of one of them.
const CHARS: usize = 80;

/// The calls of a question, in the words a reviewer reads.
#[derive(Debug, Clone, Default)]
pub(super) struct Looked {
    /// In the order they came first, each with how often.
    order: Vec<String>,
    counts: BTreeMap<String, u32>,
    failed: u32,
}

impl Looked {
    /// Counts a call that gave something.
    pub(super) fn found(&mut self, doing: &str) {
        let words: String = doing.chars().take(CHARS).collect();
        let count = self.counts.entry(words.clone()).or_default();
        *count += 1;
        if *count == 1 {
            self.order.push(words);
        }
    }

    /// Counts a call that gave nothing.
    pub(super) fn failed(&mut self) {
        self.failed += 1;
    }

    /// What was looked at, as the end of a sentence.
    pub(super) fn words(&self) -> String {
        let calls: u32 = self.counts.values().sum();
        let mut words = match calls {
            0 => "it looked at nothing".to_owned(),
            1 => "it looked once: ".to_owned(),
            calls => format!("it looked {calls} times: "),
        };
        let named = self.order.iter().take(NAMED).map(|words| match self.counts.get(words) {
            Some(count) if *count > 1 => format!("{words} ({count} times)"),
            _ => words.clone(),
        });
        words.push_str(&named.collect::<Vec<_>>().join(", "));
        if let more @ 1.. = self.order.len().saturating_sub(NAMED) {
            words.push_str(&format!(" and {more} more"));
        }
        match self.failed {
            0 => {}
            1 => words.push_str("; 1 call found nothing"),
            failed => words.push_str(&format!("; {failed} calls found nothing")),
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_was_looked_at_within_bounds() {
        let mut looked = Looked::default();
        assert_eq!(looked.words(), "it looked at nothing");
        looked.failed();
        looked.found("reads a.rs");
        assert_eq!(looked.words(), "it looked once: reads a.rs; 1 call found nothing");
        looked.found("searches foo");
        looked.found("reads a.rs");
        looked.failed();
        assert_eq!(looked.words(), "it looked 3 times: reads a.rs (2 times), searches foo; 2 calls found nothing");
        (0..20).for_each(|n| looked.found(&format!("reads {n}")));
        assert!(looked.words().contains("reads 5 and 14 more; "), "{}", looked.words());
    }
}
