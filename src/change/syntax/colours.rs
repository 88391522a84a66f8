//! Colours from the tree of a file and the query of its language.

use std::ops::Range;

use tree_sitter::{QueryCursor, StreamingIterator, Tree};

use super::languages::Language;
use super::painter::MAX_LINE;
use super::parse::parse;
use super::{Span, Token};
use crate::change::Text;

/// States a query may keep at a time; a bound on memory that source does not meet.
const MATCHES: u32 = 1024;

/// A file with its tree.
pub(super) struct Parsed {
    language: &'static Language,
    text: Text,
    tree: Tree,
}

/// A node the query named.
struct Captured {
    bytes: Range<usize>,
    pattern: usize,
    token: Token,
}

impl Parsed {
    /// Parses a file.
    ///
    /// # Errors
    /// Why it cannot be, in one clause.
    pub fn new(language: &'static Language, text: &Text) -> Result<Self, String> {
        Ok(Self { language, text: text.clone(), tree: parse(language, text)? })
    }

    /// The spans of each line of a range. Looks at no line that is too long.
    pub fn lines(&self, lines: Range<u32>) -> Vec<Vec<Span>> {
        let mut all = Vec::new();
        let mut at = lines.start;
        while at < lines.end {
            let short = (at..lines.end).take_while(|number| self.is_short(*number)).count() as u32;
            if short == 0 {
                all.push(Vec::new());
                at += 1;
            } else {
                all.extend(self.run(at..at + short));
                at += short;
            }
        }
        all
    }

    fn is_short(&self, number: u32) -> bool {
        self.text.line(number).is_none_or(|line| line.len() <= MAX_LINE)
    }

    fn run(&self, lines: Range<u32>) -> Vec<Vec<Span>> {
        let end_of_file = self.text.bytes().len();
        let start = self.text.start(lines.start.max(1)).unwrap_or(end_of_file);
        let end = self.text.start(lines.end).unwrap_or(end_of_file);
        let runs = flatten(self.captures(start..end), start..end);
        let mut next = 0;
        let line = |number| {
            let Some(start) = self.text.start(number) else { return Vec::new() };
            let line = start..start + self.text.line(number).map_or(0, <[u8]>::len);
            while runs.get(next).is_some_and(|(bytes, _)| bytes.end <= line.start) {
                next += 1;
            }
            let within = runs[next..].iter().take_while(|(bytes, _)| bytes.start < line.end);
            let spans = within.map(|(bytes, token)| span(bytes, *token, &line));
            spans.filter(|span| span.start < span.end).collect()
        };
        lines.map(line).collect()
    }

    /// What the query names in a range of bytes, outermost first.
    fn captures(&self, range: Range<usize>) -> Vec<Captured> {
        let Some(query) = self.language.query().filter(|_| !range.is_empty()) else { return Vec::new() };
        let tokens: Vec<Token> =
            query.capture_names().iter().map(|name| token_of(name).unwrap_or(Token::Plain)).collect();
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(MATCHES);
        cursor.set_byte_range(range.clone());
        let mut matches = cursor.matches(query, self.tree.root_node(), self.text.bytes());
        let mut captured = Vec::new();
        while let Some(found) = matches.next() {
            for capture in found.captures() {
                let bytes = capture.node.start_byte().max(range.start)..capture.node.end_byte().min(range.end);
                if !bytes.is_empty() {
                    let token = tokens.get(capture.index as usize).copied().unwrap_or(Token::Plain);
                    captured.push(Captured { bytes, pattern: found.pattern_index, token });
                }
            }
        }
        captured.sort_by_key(|one| (one.bytes.start, std::cmp::Reverse(one.bytes.end), one.pattern));
        captured
    }
}

/// The part of a run that stands on a line, counted from the line's start.
fn span(bytes: &Range<usize>, token: Token, line: &Range<usize>) -> Span {
    let start = bytes.start.max(line.start) - line.start;
    let end = bytes.end.min(line.end) - line.start;
    Span { start: start as u32, end: end as u32, token }
}

/// Turns nested nodes into runs side by side: the innermost counts, and of two for the same bytes the later.
fn flatten(captured: Vec<Captured>, range: Range<usize>) -> Vec<(Range<usize>, Token)> {
    let mut runs: Vec<(Range<usize>, Token)> = Vec::new();
    let mut open: Vec<(usize, Token)> = Vec::new();
    let mut at = range.start;
    let mut give = |from: usize, to: usize, token: Token| {
        if from >= to || token == Token::Plain {
            return;
        }
        match runs.last_mut() {
            Some((bytes, last)) if *last == token && bytes.end == from => bytes.end = to,
            _ => runs.push((from..to, token)),
        }
    };
    for one in captured {
        while let Some((end, token)) = open.last().copied().filter(|(end, _)| *end <= one.bytes.start) {
            give(at, end, token);
            at = at.max(end);
            open.pop();
        }
        if let Some((_, token)) = open.last() {
            give(at, one.bytes.start, *token);
        }
        at = at.max(one.bytes.start);
        open.push((one.bytes.end, one.token));
    }
    while let Some((end, token)) = open.pop() {
        give(at, end, token);
        at = at.max(end);
    }
    runs
}

/// The class of a name that a query uses; none for a name that is not known here.
fn token_of(name: &str) -> Option<Token> {
    Some(match name.split('.').next().unwrap_or(name) {
        "keyword" => Token::Keyword,
        "type" | "constructor" | "module" => Token::Type,
        "function" => Token::Function,
        "variable" | "property" | "label" => Token::Variable,
        "constant" | "escape" => Token::Constant,
        "string" if name == "string.escape" => Token::Constant,
        "string" => Token::String,
        "number" => Token::Number,
        "comment" => Token::Comment,
        "operator" => Token::Operator,
        "punctuation" => Token::Punctuation,
        "attribute" => Token::Attribute,
        "tag" => Token::Tag,
        "embedded" => Token::Plain,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::syntax::LANGUAGES;

    #[test]
    fn every_name_a_query_uses_has_a_class() {
        for language in LANGUAGES {
            let names = language.query().map(|query| query.capture_names().to_vec()).unwrap_or_default();
            assert!(!names.is_empty());
            let unknown: Vec<_> = names.into_iter().filter(|name| token_of(name).is_none()).collect();
            assert!(unknown.is_empty(), "{}: {unknown:?}", language.name);
        }
    }
}
