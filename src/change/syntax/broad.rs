//! Colours where there is no grammar: the broad set of syntaxes, read line by line from the start of a file.

use std::ops::Range;
use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::painter::MAX_LINE;
use super::{Span, Token};
use crate::change::{RepoPath, Text};

/// Bytes of the longest file that is coloured this way.
const MAX_BYTES: usize = 512_000;

/// How many places of a file are remembered, to go on from.
const MEMORIES: u32 = 256;

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// Scopes and their classes; a longer one is asked before the shorter one it begins with.
const CLASSES: &[(&str, Token)] = &[
    ("comment", Token::Comment),
    ("punctuation.definition.comment", Token::Comment),
    ("punctuation.definition.string", Token::String),
    ("punctuation.definition.tag", Token::Punctuation),
    ("punctuation", Token::Punctuation),
    ("constant.numeric", Token::Number),
    ("constant", Token::Constant),
    ("string", Token::String),
    ("keyword.operator", Token::Operator),
    ("keyword", Token::Keyword),
    ("storage", Token::Keyword),
    ("entity.name.function", Token::Function),
    ("entity.name.tag", Token::Tag),
    ("entity.other.attribute-name", Token::Attribute),
    ("entity.name", Token::Type),
    ("entity.other.inherited-class", Token::Type),
    ("support.function", Token::Function),
    ("support.type.property-name", Token::Variable),
    ("support.constant", Token::Constant),
    ("support", Token::Type),
    ("variable.function", Token::Function),
    ("variable.annotation", Token::Attribute),
    ("variable.language", Token::Keyword),
    ("variable", Token::Variable),
    ("markup.heading", Token::Keyword),
    ("markup.raw", Token::String),
    ("markup.inserted", Token::String),
    ("markup.deleted", Token::Constant),
    ("markup.underline.link", Token::String),
    ("markup.quote", Token::Comment),
    ("meta.interpolation", Token::Plain),
    ("source", Token::Plain),
];

static SCOPES: LazyLock<Vec<(Scope, Token)>> = LazyLock::new(|| {
    let mut scopes: Vec<_> =
        CLASSES.iter().filter_map(|(name, token)| Scope::new(name).ok().map(|scope| (scope, *token))).collect();
    scopes.sort_by_key(|(scope, _)| std::cmp::Reverse(scope.len()));
    scopes
});

/// What the reader knows before a line.
#[derive(Clone)]
struct State {
    parse: ParseState,
    scopes: ScopeStack,
}

/// A file that is read line by line.
pub(super) struct Broad {
    text: Text,
    /// States before the lines 1, 1 + step, 1 + 2 step, ... as far as the file was read.
    memories: Vec<State>,
    step: u32,
}

impl Broad {
    /// Finds the syntax of a file by its name, its extension or its first line.
    ///
    /// # Errors
    /// Why it has no colours, in one clause.
    pub fn new(path: &RepoPath, text: &Text) -> Result<Self, String> {
        if text.bytes().len() > MAX_BYTES {
            return Err("over 512,000 bytes, and no grammar for it".to_owned());
        }
        let syntax = syntax_of(path, text).ok_or_else(|| "no syntax known for it".to_owned())?;
        let first = State { parse: ParseState::new(syntax), scopes: ScopeStack::new() };
        let step = text.lines().div_ceil(MEMORIES).max(32);
        Ok(Self { text: text.clone(), memories: vec![first], step })
    }

    /// The spans of each line of a range. Reads on from the nearest place before it that is remembered.
    pub fn lines(&mut self, lines: Range<u32>) -> Vec<Vec<Span>> {
        let wanted = lines.start.max(1);
        let nearest = (((wanted - 1) / self.step) as usize).min(self.memories.len() - 1);
        let mut state = self.memories[nearest].clone();
        let mut number = nearest as u32 * self.step + 1;
        let mut all = vec![Vec::new(); (wanted - lines.start).min(lines.end - lines.start.min(lines.end)) as usize];
        while number < lines.end {
            let spans = self.text.line(number).map(|line| state.read(line)).unwrap_or_default();
            if number >= wanted {
                all.push(spans);
            }
            number += 1;
            if (number - 1) / self.step == self.memories.len() as u32 && (number - 1).is_multiple_of(self.step) {
                self.memories.push(state.clone());
            }
            if number > self.text.lines() {
                break;
            }
        }
        all.resize(lines.len(), Vec::new());
        all
    }
}

impl State {
    /// Reads one line and gives its spans. A line that is too long, or that the syntax fails on, has none.
    fn read(&mut self, line: &[u8]) -> Vec<Span> {
        if line.len() > MAX_LINE {
            return Vec::new();
        }
        let mut text = same_bytes(line);
        text.push('\n');
        let Ok(operations) = self.parse.parse_line(&text, &SYNTAXES) else { return Vec::new() };
        let mut spans: Vec<Span> = Vec::new();
        let mut at = 0;
        for (to, operation) in operations {
            give(&mut spans, at..to.min(line.len()), &self.scopes);
            at = at.max(to);
            // A stack that does not fit is left as it is; only colours depend on it.
            let _ = self.scopes.apply(&operation);
        }
        give(&mut spans, at..line.len(), &self.scopes);
        spans
    }
}

fn give(spans: &mut Vec<Span>, bytes: Range<usize>, scopes: &ScopeStack) {
    let token = if bytes.is_empty() { Token::Plain } else { class(scopes) };
    if token == Token::Plain {
        return;
    }
    let (start, end) = (bytes.start as u32, bytes.end as u32);
    match spans.last_mut() {
        Some(last) if last.token == token && last.end == start => last.end = end,
        _ => spans.push(Span { start, end, token }),
    }
}

/// The class of the innermost scope that has one.
fn class(scopes: &ScopeStack) -> Token {
    let of = |scope: &Scope| SCOPES.iter().find(|(known, _)| known.is_prefix_of(*scope)).map(|(_, token)| *token);
    scopes.as_slice().iter().rev().find_map(of).unwrap_or(Token::Plain)
}

fn syntax_of(path: &RepoPath, text: &Text) -> Option<&'static SyntaxReference> {
    let name = String::from_utf8_lossy(path.name()).into_owned();
    let by_extension = || {
        let extension = String::from_utf8_lossy(path.extension()?).into_owned();
        let known = SYNTAXES.find_syntax_by_extension(&extension);
        known.or_else(|| SYNTAXES.find_syntax_by_extension(&extension.to_lowercase()))
    };
    let by_first_line = || {
        let line = text.line(1).filter(|line| line.len() <= MAX_LINE)?;
        SYNTAXES.find_syntax_by_first_line(&same_bytes(line))
    };
    let found = SYNTAXES.find_syntax_by_extension(&name).or_else(by_extension).or_else(by_first_line)?;
    (found.name != SYNTAXES.find_syntax_plain_text().name).then_some(found)
}

/// A line as text with every byte at its place: one sign for each byte that is no UTF-8.
fn same_bytes(line: &[u8]) -> String {
    let mut text = String::with_capacity(line.len() + 1);
    for chunk in line.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|_| text.push('?'));
    }
    text
}
