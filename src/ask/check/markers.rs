//! `markers`: a number in brackets names a citation that is there.

use super::{Check, Judged};

/// The check.
pub struct Markers;

impl Check for Markers {
    fn name(&self) -> &'static str {
        "markers"
    }

    fn is_form(&self) -> bool {
        false
    }

    fn failures(&self, judged: &Judged<'_>) -> Vec<String> {
        let count = judged.candidate.citations.len();
        let numbers = judged.candidate.sections.iter().flat_map(|section| markers(section.text.as_str()));
        let mut wrong: Vec<usize> = numbers.filter(|number| *number == 0 || *number > count).collect();
        wrong.sort_unstable();
        wrong.dedup();
        let plural = if count == 1 { "citation" } else { "citations" };
        wrong.iter().map(|number| format!("[{number}] names no citation: the answer has {count} {plural}.")).collect()
    }
}

/// The numbers in brackets that stand outside backticks.
pub fn markers(text: &str) -> Vec<usize> {
    let mut numbers = Vec::new();
    for (outside, _) in super::names::runs(text).into_iter().filter(|(_, ticked)| !ticked) {
        for piece in outside.split('[').skip(1) {
            let inside = piece.split(']').next().unwrap_or_default();
            let closed = piece.len() > inside.len();
            let mark = |c: char| c.is_numeric() || c.is_whitespace() || ",-\u{2013};".contains(c);
            if closed && inside.len() <= 24 && inside.contains(char::is_numeric) && inside.chars().all(mark) {
                let each = inside.split(|c: char| !c.is_numeric()).filter(|digits| !digits.is_empty());
                // A number in other digits than these names no citation.
                numbers.extend(each.map(|digits| digits.parse::<usize>().unwrap_or(usize::MAX)));
            }
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_markers_outside_code() {
        assert_eq!(markers("It closes [1] [12], `args[7]`, `` a`[8] ``, [x] [ 3 ] [4"), [1, 12, 3]);
        assert_eq!(markers("[1, 9] [2-4] [\u{ff11}] [a1]"), [1, 9, 2, 4, usize::MAX]);
    }
}
