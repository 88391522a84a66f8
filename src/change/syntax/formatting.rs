//! Whether only the layout of a file changed: compares the signatures of both trees, piece by piece.

use std::borrow::Cow;

use tree_sitter::{Node, Tree, TreeCursor};

use super::gaps::{Gap, is_layout, line_ends};
use super::languages::{Language, is_comment};
use crate::change::Text;

/// One piece of a signature.
#[derive(Debug, PartialEq, Eq)]
enum Piece<'a> {
    /// A node opens, by the number of its kind.
    Open(u16),
    /// A node closes.
    Close,
    /// A token, by the number of its kind, with its text.
    Token(u16, Cow<'a, [u8]>),
    /// Bytes between two tokens that are content.
    Between(Cow<'a, [u8]>),
    /// Blanks between two tokens that say something.
    Mark(u8),
}

/// Where two trees without errors first differ in more than layout: the head line, counted from 1, where there is one.
/// None where they do not differ.
pub(super) fn difference(language: &Language, base: (&Text, &Tree), head: (&Text, &Tree)) -> Option<Option<u32>> {
    let mut base = Signature::of(language, base.0, base.1);
    let mut head = Signature::of(language, head.0, head.1);
    loop {
        match (base.next(), head.next()) {
            (None, None) => return None,
            (Some(one), Some(other)) if one == other => {}
            (_, Some(_)) => return Some(Some(head.row + 1)),
            (Some(_), None) => return Some(None),
        }
    }
}

/// Whether lines are indented with tabs here and with spaces there, which a language of indentation may refuse.
pub(super) fn mixes_indentation(text: &Text) -> bool {
    let begins =
        |blank: u8| (1..=text.lines()).any(|number| text.line(number).is_some_and(|line| line.first() == Some(&blank)));
    let after = (1..=text.lines()).any(|number| {
        let line = text.line(number).unwrap_or_default();
        let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        line[..blanks].contains(&b'\t') && line[..blanks].contains(&b' ')
    });
    after || (begins(b' ') && begins(b'\t'))
}

/// The last token, for the gap after it.
#[derive(Clone, Copy, Default)]
struct Last<'a> {
    text: &'a [u8],
    end: usize,
    named: bool,
    comment: bool,
    /// Whether it is a reference to a character, within shown text.
    entity: bool,
    parent: &'a str,
}

struct Frame<'a> {
    kind: &'a str,
    /// Whether blanks in it are content.
    content: bool,
}

/// The pieces of a tree, in order, made as they are asked for.
struct Signature<'a> {
    language: &'a Language,
    source: &'a [u8],
    cursor: TreeCursor<'a>,
    frames: Vec<Frame<'a>>,
    /// Pieces made and not yet given; few at any time.
    ready: std::collections::VecDeque<Piece<'a>>,
    last: Last<'a>,
    /// The fewest frames since the last token: the innermost node that holds both sides of a gap.
    shallowest: usize,
    opens_block: bool,
    brackets: u32,
    /// The row of the last piece.
    row: u32,
    started: bool,
    done: bool,
}

impl<'a> Signature<'a> {
    fn of(language: &'a Language, text: &'a Text, tree: &'a Tree) -> Self {
        Self {
            language,
            source: text.bytes(),
            cursor: tree.walk(),
            frames: Vec::new(),
            ready: std::collections::VecDeque::new(),
            last: Last::default(),
            shallowest: 0,
            opens_block: false,
            brackets: 0,
            row: 0,
            started: false,
            done: false,
        }
    }

    fn next(&mut self) -> Option<Piece<'a>> {
        while self.ready.is_empty() && !self.done {
            self.advance();
        }
        self.ready.pop_front()
    }

    /// Goes one node on, and makes the pieces of that step.
    fn advance(&mut self) {
        if !self.started {
            self.started = true;
            return self.enter();
        }
        let inside = !is_comment(self.cursor.node().kind()) && self.cursor.goto_first_child();
        if inside {
            return self.enter();
        }
        loop {
            if self.cursor.goto_next_sibling() {
                self.shallowest = self.shallowest.min(self.frames.len());
                return self.enter();
            }
            if !self.cursor.goto_parent() {
                return self.end();
            }
            self.frames.pop();
            self.ready.push_back(Piece::Close);
        }
    }

    fn enter(&mut self) {
        let node = self.cursor.node();
        if node.child_count() > 0 && !is_comment(node.kind()) {
            self.row = node.start_position().row as u32;
            self.ready.push_back(Piece::Open(node.kind_id()));
            let kind = node.kind();
            self.opens_block |= kind == "block";
            let around = self.frames.last().is_some_and(|frame| frame.content);
            let content = !self.language.layout.code.contains(&kind) && (around || is_text(kind));
            self.frames.push(Frame { kind, content });
        } else {
            self.token(node);
        }
    }

    fn token(&mut self, node: Node<'a>) {
        let source = self.source;
        let comment = is_comment(node.kind());
        let mut text = source.get(node.byte_range()).unwrap_or_default();
        if comment {
            text = text.strip_suffix(b"\n").unwrap_or(text);
            text = text.strip_suffix(b"\r").unwrap_or(text);
        }
        let parent = self.frames.last();
        let content = parent.is_some_and(|frame| frame.content);
        if !content && source.get(node.start_byte() + text.len()) == Some(&b'\n') {
            // A token that goes on to the end of its line may have taken the CR of its line end.
            text = text.strip_suffix(b"\r").unwrap_or(text);
        }
        let shown = node.kind() == "jsx_text";
        let after_entity = self.last.entity;
        // A grammar may hold line ends for tokens; they belong to the gap.
        if !content && !shown && is_layout(text) && !text.is_empty() {
            return;
        }
        let parent = parent.map_or("", |frame| frame.kind);
        let next = Last {
            text,
            end: node.start_byte() + text.len(),
            named: node.is_named(),
            comment,
            entity: node.kind() == "html_character_reference",
            parent,
        };
        self.gap(&next, node.start_byte(), content);
        self.row = node.start_position().row as u32;
        let text = match (comment, shown) {
            (true, _) => without_cr(text),
            (_, true) => Cow::Owned(as_shown(text)),
            _ => Cow::Borrowed(text),
        };
        // Blank text with a line end in it is not shown, but for the space it makes after a reference.
        if !text.is_empty() || !shown || after_entity {
            self.ready.push_back(Piece::Token(node.kind_id(), text));
        }
        if !content {
            match next.text {
                b"(" | b"[" | b"{" => self.brackets += 1,
                b")" | b"]" | b"}" => self.brackets = self.brackets.saturating_sub(1),
                _ => {}
            }
        }
        self.last = next;
        self.shallowest = self.frames.len();
        self.opens_block = false;
    }

    /// The gap from the last token to one that starts at a byte.
    fn gap(&mut self, next: &Last<'a>, start: usize, content: bool) {
        let between = self.source.get(self.last.end..start).unwrap_or_default();
        let owner = self.shallowest.checked_sub(1).and_then(|at| self.frames.get(at));
        let content = content && owner.is_some_and(|owner| owner.content);
        if !between.is_empty() && (content || !is_layout(between)) {
            let bytes = if content { Cow::Borrowed(between) } else { without_cr(between) };
            self.ready.push_back(Piece::Between(bytes));
            return;
        }
        let first = self.last.end == 0 && self.last.text.is_empty();
        let mark = if self.last.comment || next.comment {
            // Directives stand in comments, and where they stand decides what they direct.
            let touches_edge = next.comment && (between.is_empty() || between.ends_with(b"\n"));
            line_ends(between) * 2 + u8::from(touches_edge)
        } else if first {
            // What names an interpreter has to be the very first thing.
            u8::from(next.text.starts_with(b"#!") && !between.is_empty())
        } else if self.last.entity {
            u8::from(!between.is_empty())
        } else {
            (self.language.layout.gap)(&Gap {
                before: self.last.text,
                before_named: self.last.named,
                before_comment: self.last.comment,
                before_parent: self.last.parent,
                after: next.text,
                after_parent: next.parent,
                owner: owner.map_or("", |owner| owner.kind),
                blanks: between,
                brackets: self.brackets,
                opens_block: self.opens_block,
            })
        };
        if mark > 0 {
            self.ready.push_back(Piece::Mark(mark));
        }
    }

    /// What follows the last token.
    fn end(&mut self) {
        self.done = true;
        let rest = self.source.get(self.last.end..).unwrap_or_default();
        if !is_layout(rest) {
            self.ready.push_back(Piece::Between(Cow::Borrowed(rest)));
        }
    }
}

/// Whether a node of this kind holds text, so that blanks in it are content.
fn is_text(kind: &str) -> bool {
    const WORDS: [&str; 9] =
        ["string", "template", "regex", "comment", "heredoc", "character", "char_literal", "rune", "format_clause"];
    WORDS.iter().any(|word| kind.contains(word))
}

/// Text whose lines end in LF alone: no compiler tells the line ends of a comment apart.
fn without_cr(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.windows(2).any(|two| two == b"\r\n") {
        return Cow::Borrowed(text);
    }
    let kept = text.iter().enumerate().filter(|(at, byte)| **byte != b'\r' || text.get(at + 1) != Some(&b'\n'));
    Cow::Owned(kept.map(|(_, byte)| *byte).collect())
}

/// Text between elements with its layout taken out: lines trimmed where they meet a line end, and joined. Whether it
/// begins or ends with a line end is kept, for what stands next to it.
fn as_shown(text: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let last = lines.len() - 1;
    let trimmed = lines.iter().enumerate().map(|(at, line)| {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
        let start = if at == 0 { 0 } else { line.iter().take_while(|byte| blank(byte)).count() };
        let end = if at == last { 0 } else { line[start..].iter().rev().take_while(|byte| blank(byte)).count() };
        &line[start..line.len() - end]
    });
    let trimmed: Vec<&[u8]> = trimmed.collect();
    let mut shown = trimmed.iter().filter(|line| !line.is_empty()).copied().collect::<Vec<_>>().join(&b' ');
    if last > 0 && !shown.is_empty() {
        if trimmed[0].is_empty() {
            shown.insert(0, b'\n');
        }
        if trimmed[last].is_empty() {
            shown.push(b'\n');
        }
    }
    shown
}
