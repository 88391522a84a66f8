//! Claims in comments and documentation strings: those whose lines the part adds, with the kept lines of their sentences.

use std::collections::BTreeMap;

use super::sentences::{is_licence, is_statement, sentences};
use super::{CHARS, Claim, MOST};
use crate::ask::code::is_comment;
use crate::change::diff::LineKind;
use crate::change::rank::{Role, role_of};
use crate::change::syntax::{Painter, Span, Token};
use crate::change::{PartLine, Place, Reading, RepoPath, Side, Text};
use crate::text::{clean, clean_bytes};

/// Lines of a file that are looked at.
const LINES: u32 = 50_000;

/// Files that are looked at.
const FILES: usize = 100;

/// One line of a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    number: u32,
    added: bool,
    /// Whether nothing but the comment stands on the line.
    alone: bool,
    /// Whether it belongs to a documentation string.
    documents: bool,
    /// Its words, without marks.
    text: String,
}

/// A comment as it stands on a line: its text, whether it stands alone there, whether it is a documentation string.
type Raw = (String, bool, bool);

/// The claims of the comments among lines that a part shows, in order.
pub fn claims(reading: &Reading, lines: &[PartLine]) -> Vec<Claim> {
    let mut claims = Vec::new();
    for of_file in lines.chunk_by(|one, two| one.file == two.file).take(FILES) {
        if claims.len() > 2 * MOST {
            break;
        }
        let Some(first) = of_file.first() else { continue };
        let path = &reading.change.files[first.file].path;
        if matches!(role_of(path), Role::Docs | Role::Data) || !of_file.iter().any(|l| l.kind == LineKind::Addition) {
            continue;
        }
        let head = reading.texts(first.file).ok().and_then(|texts| texts.head);
        for block in blocks(&comment_lines(path, head.as_ref(), of_file)) {
            of_block(path, &block, &mut claims);
        }
    }
    let mut seen: Vec<String> = Vec::new();
    claims.retain(|claim: &Claim| {
        let new = !seen.iter().any(|known| known == claim.text.as_str());
        seen.push(claim.text.as_str().to_owned());
        new
    });
    claims
}

/// The lines at the head, of those a part shows, that hold a comment.
fn comment_lines(path: &RepoPath, head: Option<&Text>, lines: &[PartLine]) -> Vec<Line> {
    let shown = lines.iter().filter(|line| line.head_line > 0);
    let painted = head.filter(|text| text.lines() <= LINES).and_then(|text| painted(path, text));
    let read = |line: &PartLine| {
        let (text, alone, documents) = match &painted {
            Some(all) => all.get(&line.head_line).cloned()?,
            None => {
                let text = line.text.as_str().trim();
                is_comment(text).then(|| (text.to_owned(), true, false))?
            }
        };
        let (number, added) = (line.head_line, line.kind == LineKind::Addition);
        let starts_a_program = number == 1 && text.starts_with("#!") && !text.starts_with("#![");
        (!starts_a_program).then(|| Line { number, added, alone, documents, text: unmarked(&text) })
    };
    shown.filter_map(read).collect()
}

/// The comment of each line of a file that has one. None without a syntax for it.
fn painted(path: &RepoPath, text: &Text) -> Option<BTreeMap<u32, Raw>> {
    let spans = Painter::new(path, text).ok()?.lines(1..text.lines() + 1);
    let mut found = BTreeMap::new();
    // The marks that close the documentation string a line is in, and the last line of code before.
    let (mut inside, mut before): (Option<&str>, String) = (None, ":".to_owned());
    for (number, spans) in (1..).zip(&spans) {
        let bytes = text.line(number).unwrap_or_default();
        let line = String::from_utf8_lossy(bytes);
        let trimmed = line.trim();
        let comment = of_token(bytes, spans, Token::Comment);
        let alone = |only: &str| only.split_whitespace().eq(trimmed.split_whitespace());
        if let Some(marks) = inside {
            found.insert(number, (trimmed.to_owned(), true, true));
            if trimmed.contains(marks) {
                inside = None;
            }
        } else if let Some(marks) = opens(trimmed)
            && before.ends_with(':')
            && of_token(bytes, spans, Token::String).starts_with(marks)
        {
            found.insert(number, (trimmed.to_owned(), true, true));
            let rest = &trimmed[trimmed.find(marks).unwrap_or_default() + marks.len()..];
            inside = (!rest.contains(marks)).then_some(marks);
        } else if !comment.trim().is_empty() {
            let alone = alone(&comment);
            found.insert(number, (comment.trim().to_owned(), alone, false));
        }
        if !trimmed.is_empty() && !found.contains_key(&number) {
            before = trimmed.to_owned();
        }
    }
    Some(found)
}

/// The marks that open a documentation string at the start of a line.
fn opens(trimmed: &str) -> Option<&'static str> {
    let bare = trimmed.trim_start_matches(['r', 'R', 'u', 'U']);
    ["\"\"\"", "'''"].into_iter().find(|marks| bare.starts_with(marks))
}

/// The pieces of a line that are of a class, joined.
fn of_token(line: &[u8], spans: &[Span], token: Token) -> String {
    let pieces = spans.iter().filter(|span| span.token == token);
    let pieces = pieces.filter_map(|span| line.get(span.start as usize..span.end as usize));
    pieces.map(|bytes| clean_bytes(bytes).into_string()).collect()
}

/// Marks that stand before and after the words of a comment.
const BEFORE: [&str; 15] =
    ["///", "//!", "//", "/**", "/*", "*/", "<!--", "\"\"\"", "'''", "r\"\"\"", "#!", "##", "#", "--", ";;"];
const AFTER: [&str; 4] = ["*/", "-->", "\"\"\"", "'''"];

/// The words of a comment's line.
fn unmarked(text: &str) -> String {
    let mut text = text.trim();
    while let Some(rest) = BEFORE.iter().find_map(|mark| text.strip_prefix(mark)) {
        text = rest.trim_start();
    }
    // A star leads the lines of a block; so does a semicolon in some languages, or a percent sign.
    text =
        text.strip_prefix("* ").or_else(|| text.strip_prefix("; ")).or_else(|| text.strip_prefix("% ")).unwrap_or(text);
    if text == "*" {
        text = "";
    }
    while let Some(rest) = AFTER.iter().find_map(|mark| text.strip_suffix(mark)) {
        text = rest.trim_end();
    }
    without_tags(text)
}

/// A line without the tags that some documentation is written in, such as `<summary>`.
fn without_tags(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(start) = rest.find('<') {
        let tag = rest[start + 1..].trim_start_matches('/');
        let end = rest[start..].find('>');
        let is_tag = ["summary", "remarks", "returns", "param", "c>", "see ", "p>", "exception"];
        match end.filter(|_| is_tag.iter().any(|word| tag.starts_with(word))) {
            Some(end) => {
                out.push_str(&rest[..start]);
                rest = &rest[start + end + 1..];
            }
            None => {
                out.push_str(&rest[..=start]);
                rest = &rest[start + 1..];
            }
        }
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// Lines that follow one another as one comment; one that shares its line with code is by itself.
fn blocks(lines: &[Line]) -> Vec<Vec<Line>> {
    let follows = |one: &Line, two: &Line| {
        one.alone && two.alone && one.documents == two.documents && two.number == one.number + 1
    };
    lines.chunk_by(follows).map(<[Line]>::to_vec).collect()
}

fn of_block(path: &RepoPath, block: &[Line], claims: &mut Vec<Claim>) {
    let whole: Vec<&str> = block.iter().map(|line| line.text.as_str()).collect();
    if !block.iter().any(|line| line.added) || is_licence(&whole.join(" ")) {
        return;
    }
    // An empty line and a line that begins with a mark of its own begin a new paragraph.
    let begins = |line: &Line| line.text.is_empty() || line.text.starts_with(['@', '-', '*', ':', '\\']);
    for paragraph in block.chunk_by(|_, two| !begins(two)) {
        of_paragraph(path, paragraph, claims);
    }
}

/// Consecutive sentences that added lines hold, joined up to the longest claim.
fn of_paragraph(path: &RepoPath, lines: &[Line], claims: &mut Vec<Claim>) {
    let (mut text, mut ends): (String, Vec<usize>) = (String::new(), Vec::new());
    for line in lines {
        if !text.is_empty() && !line.text.is_empty() {
            text.push(' ');
        }
        text.push_str(line.text.trim_start_matches(['-', '*', ' ']));
        ends.push(text.len());
    }
    let line_at = |at: usize| ends.iter().position(|end| at < *end).unwrap_or(lines.len() - 1);
    let mut open: Option<(usize, usize)> = None;
    let mut close = |span: Option<(usize, usize)>| {
        let Some((start, end)) = span else { return };
        let place = Place {
            path: path.clone(),
            side: Side::Head,
            line: lines[line_at(start)].number,
            end_line: lines[line_at(end - 1)].number,
        };
        let words = text[start..end].trim();
        if is_statement(words) && words.chars().count() <= CHARS {
            claims.push(Claim { text: clean(words), place: Some(place) });
        }
    };
    for sentence in sentences(&text) {
        let touched = line_at(sentence.start)..=line_at(sentence.end - 1);
        let added = lines[touched].iter().any(|line| line.added);
        let longer = open.map(|(start, _)| text[start..sentence.end].chars().count() > CHARS);
        if (!added || longer == Some(true)) && open.is_some() {
            close(open.take());
        }
        if added {
            open = Some((open.map_or(sentence.start, |(start, _)| start), sentence.end));
        }
    }
    close(open);
}
