//! Pairs of a removed and an added line that are one line edited, and what differs between the two.

use crate::ask::code::{is_name_char, key_value};
use crate::change::PartLine;
use crate::change::diff::LineKind;

/// One line edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The position of the removed line.
    pub base: usize,
    /// The position of the added line.
    pub head: usize,
}

/// How much two lines must share, in hundredths, to be one line edited.
const ALIKE: usize = 60;

/// Lines of a block that are compared with each other; a longer block is compared at its start.
const BLOCK: usize = 60;

/// Finds the pairs within each run of removed lines that a run of added lines follows.
pub fn pairs(lines: &[PartLine]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let run = |kind: LineKind, from: usize| {
            let length =
                lines[from..].iter().take_while(|line| line.kind == kind && line.file == lines[at].file).count();
            from..from + length
        };
        let removed = run(LineKind::Deletion, at);
        let added = run(LineKind::Addition, removed.end);
        match_up(lines, &removed, &added, &mut pairs);
        at = added.end.max(removed.end).max(at + 1);
    }
    pairs
}

fn match_up(
    lines: &[PartLine],
    removed: &std::ops::Range<usize>,
    added: &std::ops::Range<usize>,
    pairs: &mut Vec<Pair>,
) {
    let mut next = added.start;
    for base in removed.clone().take(BLOCK) {
        let candidates = (next..added.end).take(BLOCK);
        let scored = candidates.map(|head| (alike(lines[base].text.as_str(), lines[head].text.as_str()), head));
        // The first of the most alike.
        let best = scored.fold(None, |best: Option<(usize, usize)>, one| match best {
            Some(best) if best.0 >= one.0 => Some(best),
            _ => Some(one),
        });
        if let Some((score, head)) = best
            && score >= ALIKE
        {
            pairs.push(Pair { base, head });
            next = head + 1;
        }
    }
}

/// How much two lines share, in hundredths.
fn alike(one: &str, two: &str) -> usize {
    if let (Some((key, _)), Some((other, _))) = (key_value(one), key_value(two))
        && key == other
    {
        return 100;
    }
    let (one, mut two) = (tokens(one), tokens(two));
    let total = one.len() + two.len();
    let mut shared = 0_usize;
    for token in &one {
        if let Some(at) = two.iter().position(|other| other == token) {
            two.swap_remove(at);
            shared += 1;
        }
    }
    (200 * shared).checked_div(total).unwrap_or_default()
}

/// The words, numbers, strings and signs of a line.
pub fn tokens(line: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = token_end(rest, first).max(first.len_utf8());
        tokens.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    tokens
}

fn token_end(rest: &str, first: char) -> usize {
    let until = |stop: fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
    match first {
        c if is_name_char(c) => {
            let word = until(|c| !is_name_char(c));
            // A version or a decimal number is one token: `1.25`, `v0.50.0`.
            let digits = rest[..word].trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
            if !digits {
                return word;
            }
            let end = until(|c| !is_name_char(c) && c != '.');
            rest[..end].trim_end_matches('.').len()
        }
        '"' | '\'' => rest[1..].find(first).map_or(1, |end| end + 2),
        c if "<>=!&|+-*/%?^~".contains(c) => until(|c| !"<>=!&|+-*/%?^~".contains(c)),
        c => c.len_utf8(),
    }
}

/// What differs between two lines: the text of each between their common start and their common end.
pub fn difference<'a>(base: &'a str, head: &'a str) -> (&'a str, &'a str) {
    let (one, two) = (tokens(base), tokens(head));
    let start = one.iter().zip(&two).take_while(|(one, two)| one == two).count();
    let most = one.len().min(two.len()) - start;
    let end = one.iter().rev().zip(two.iter().rev()).take(most).take_while(|(one, two)| one == two).count();
    (between(base, &one[start..one.len() - end]), between(head, &two[start..two.len() - end]))
}

/// The text from the first token to the last.
fn between<'a>(line: &'a str, tokens: &[&'a str]) -> &'a str {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return "" };
    let offset = |token: &str| token.as_ptr() as usize - line.as_ptr() as usize;
    &line[offset(first)..offset(last) + last.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tells_what_differs() {
        assert_eq!(difference("if n > max {", "if n >= max {"), (">", ">="));
        assert_eq!(difference("Needs 3.8 or newer.", "Needs 3.10 or newer."), ("3.8", "3.10"));
        assert_eq!(difference("f(a)", "f(a, b)"), ("", ", b"));
        assert_eq!(difference("x = \"a b\"", "x = \"a c\""), ("\"a b\"", "\"a c\""));
        assert_eq!(difference("net v0.50.0 x", "net v0.51.0 x"), ("v0.50.0", "v0.51.0"));
        assert_eq!(difference("same", "same"), ("", ""));
        assert_eq!(difference("a a", "a"), ("a", ""));
    }

    #[test]
    fn pairs_edited_lines_in_order() {
        let line =
            |kind, text: &str| PartLine { file: 0, kind, base_line: 1, head_line: 1, text: crate::text::clean(text) };
        let lines = [
            line(LineKind::Deletion, "timeout: 30"),
            line(LineKind::Deletion, "something else entirely"),
            line(LineKind::Addition, "retries: 3"),
            line(LineKind::Addition, "timeout: 5"),
        ];
        assert_eq!(pairs(&lines), [Pair { base: 0, head: 3 }]);
    }

    proptest! {
        #[test]
        fn compares_any_lines(one in any::<String>(), two in any::<String>()) {
            let (base, head) = difference(&one, &two);
            prop_assert!(one.contains(base) && two.contains(head));
            let folded = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(folded(&tokens(&one).concat()), folded(&one));
        }
    }
}
