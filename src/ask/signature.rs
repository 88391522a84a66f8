//! `Signature`: a declaration in words of its own file, read from its lines.

use super::code::{code_only, identifiers, is_comment, without_comment};
use super::facts::last_segment;
use crate::change::rank::{Role, role_of};
use crate::change::syntax::{Declaration, EntityKind};
use crate::change::{Place, RepoPath, Side, Text};
use crate::text::{Clean, clean, clean_bytes};

/// Characters of a declaration that are kept.
const SIGNATURE_CHARS: usize = 2000;

/// Lines of a declaration that are read.
const SIGNATURE_LINES: u32 = 60;

/// A declaration in words of its own file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The lines of its signature.
    pub place: Place,
    /// The signature on one line, white space folded, without what opens the body; cut when very long.
    pub text: Clean,
    /// All its lines, body included; counted from 1.
    pub lines: (u32, u32),
}

/// Whether a declaration is a test: named so in a test file, or with an attribute that says so.
pub fn is_test(path: &RepoPath, text: &Text, declaration: &Declaration) -> bool {
    if !matches!(declaration.kind, EntityKind::Function | EntityKind::Method) {
        return false;
    }
    let last = last_segment(&declaration.name).to_lowercase();
    let named = last.starts_with("test") || last.ends_with("test") || last.ends_with("tests");
    let (first, end) =
        (declaration.lines.0, declaration.declaration_lines.1.min(declaration.lines.0.saturating_add(8)));
    let attribute = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        !line.contains("cfg(")
            && (line.starts_with("#[") || line.starts_with('@') || line.starts_with('['))
            && identifiers(line)
                .any(|word| matches!(word, "test" | "Test" | "Fact" | "Theory" | "TestMethod" | "ParameterizedTest"))
    };
    (named && role_of(path) == Role::Test) || (first..=end).filter_map(|line| text.line(line)).any(attribute)
}

/// The signature of a declaration: its lines without decorators and comments, up to what opens the body.
pub fn signature(path: &RepoPath, side: Side, text: &Text, declaration: &Declaration) -> Option<Signature> {
    let one_line = !matches!(
        declaration.kind,
        EntityKind::Function | EntityKind::Method | EntityKind::Constructor | EntityKind::Property
    );
    let (first, last) = declaration.declaration_lines;
    let (mut words, mut start, mut end, mut decorator) = (String::new(), 0, 0, 0);
    for number in first..=last.min(first.saturating_add(SIGNATURE_LINES)) {
        let line = clean_bytes(text.line(number)?).into_string();
        let trimmed = line.trim();
        if start == 0 {
            // A decorator may take several lines; what it holds is no part of the signature.
            let begins = trimmed.starts_with(['@', '[']) || trimmed.starts_with("#[");
            if decorator > 0 || (begins && !declares(trimmed, &declaration.name)) {
                decorator = (decorator + depth(trimmed)).max(0);
                continue;
            }
            if trimmed.is_empty() || is_comment(trimmed) {
                continue;
            }
            start = number;
        }
        end = number;
        let trimmed = without_comment(trimmed);
        if is_comment(trimmed) {
            continue;
        }
        words.push_str(trimmed);
        words.push(' ');
        let closed = words.matches('(').count() <= words.matches(')').count();
        if closed && (one_line || trimmed.ends_with(['{', ':', ';']) || trimmed.ends_with("=>")) {
            break;
        }
    }
    let folded = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = folded.trim_end_matches(['{', ':', ';', ' ']);
    let text = match bare.char_indices().nth(SIGNATURE_CHARS) {
        Some((cut, _)) => clean(&format!("{} ...", &bare[..cut])),
        None => clean(bare),
    };
    (start > 0).then(|| Signature {
        place: Place { path: path.clone(), side, line: start, end_line: end },
        text,
        lines: declaration.lines,
    })
}

/// Whether a line that begins with an attribute goes on to declare a name.
fn declares(line: &str, name: &str) -> bool {
    let code = code_only(line);
    let last = last_segment(name);
    code.find(last).is_some_and(|at| code[at + last.len()..].contains(['(', '{']))
        && identifiers(&code).any(|word| word == last)
}

/// How many brackets a line of code opens beyond those it closes.
fn depth(line: &str) -> i32 {
    let step = |c| match c {
        '(' | '[' | '{' => 1,
        ')' | ']' | '}' => -1,
        _ => 0,
    };
    code_only(line).chars().map(step).sum()
}
