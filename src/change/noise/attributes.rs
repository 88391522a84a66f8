//! What the root `.gitattributes` of the head declares as vendored or generated, by git's own pattern rules.
//!
//! Attribute files in folders, macros and every other attribute are not read.

use std::collections::BTreeSet;

use globset::{Candidate, GlobBuilder, GlobSet};

use crate::change::RepoPath;

/// Git ignores lines of this many bytes and more.
const LINE_BYTES: usize = 2_048;

/// Declarations kept; a file with more is not written by hand.
const MAX_RULES: usize = 1_000;

/// Whether a file is declared, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    /// It is not, or the declaration was taken back.
    No,
    /// By a line that the base has too, or that was not compared with the base.
    Before,
    /// By a line that the change adds.
    ByThisChange,
}

/// What is declared of one file.
pub(super) struct OfFile {
    pub(super) vendored: Declared,
    pub(super) generated: Declared,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Attribute {
    Vendored,
    Generated,
}

/// One attribute on one line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Declaration {
    glob: String,
    attribute: Attribute,
    set: bool,
}

/// The declarations of a root `.gitattributes`; [`Attributes::default`] declares nothing.
#[derive(Debug, Clone, Default)]
pub struct Attributes {
    declarations: Vec<Declaration>,
    /// Positions of declarations that the base lacks.
    new: BTreeSet<usize>,
    globs: GlobSet,
    left_out: Option<String>,
}

impl Attributes {
    /// Reads the file as it is at the head. Never fails: lines that git would not take either declare nothing.
    pub fn read(bytes: &[u8]) -> Self {
        let mut declarations = declarations(bytes);
        let mut left_out = None;
        if declarations.len() > MAX_RULES {
            left_out = Some(format!("only the first {MAX_RULES} of {} declarations are kept", declarations.len()));
            declarations.truncate(MAX_RULES);
        }
        let mut globs = GlobSet::builder();
        declarations.retain(|declaration| match glob(&declaration.glob) {
            Some(glob) => {
                globs.add(glob);
                true
            }
            None => false,
        });
        match globs.build() {
            Ok(globs) => Self { declarations, globs, left_out, new: BTreeSet::new() },
            Err(_) => Self { left_out: Some("its patterns are too large".to_owned()), ..Self::default() },
        }
    }

    /// Compares with the file as it is at the base, so that declarations the change itself adds are told.
    #[must_use]
    pub fn compared_with(mut self, base: &[u8]) -> Self {
        let before: BTreeSet<Declaration> = declarations(base).into_iter().collect();
        let added = |(_, declaration): &(usize, &Declaration)| !before.contains(declaration);
        self.new = self.declarations.iter().enumerate().filter(added).map(|(at, _)| at).collect();
        self
    }

    /// Why some declarations were not kept; none where all were.
    pub fn left_out(&self) -> Option<&str> {
        self.left_out.as_deref()
    }

    pub(super) fn of(&self, path: &RepoPath) -> OfFile {
        let mut found = OfFile { vendored: Declared::No, generated: Declared::No };
        for at in self.globs.matches_candidate(&Candidate::from_bytes(path.as_bytes())) {
            let declaration = &self.declarations[at];
            let state = match declaration.set {
                false => Declared::No,
                true if self.new.contains(&at) => Declared::ByThisChange,
                true => Declared::Before,
            };
            // Positions come in the order of the lines, and later lines win.
            match declaration.attribute {
                Attribute::Vendored => found.vendored = state,
                Attribute::Generated => found.generated = state,
            }
        }
        found
    }
}

fn declarations(bytes: &[u8]) -> Vec<Declaration> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| line.len() < LINE_BYTES);
    lines.filter_map(|line| std::str::from_utf8(line).ok()).flat_map(declarations_of_line).collect()
}

fn declarations_of_line(line: &str) -> Vec<Declaration> {
    let line = line.trim_matches([' ', '\t', '\r']);
    if line.is_empty() || line.starts_with(['#', '!']) || line.starts_with("[attr]") {
        return Vec::new();
    }
    let Some((pattern, attributes)) = split_pattern(line) else { return Vec::new() };
    let Some(glob) = glob_of(&pattern) else { return Vec::new() };
    let read = |word: &str| {
        let (name, set) = match word.split_once('=') {
            Some((name, "true")) => (name, true),
            Some((name, "false")) => (name, false),
            Some(_) => return None,
            None => match word.strip_prefix(['-', '!']) {
                Some(name) => (name, false),
                None => (word, true),
            },
        };
        let attribute = match name {
            "linguist-vendored" => Attribute::Vendored,
            "linguist-generated" => Attribute::Generated,
            _ => return None,
        };
        Some(Declaration { glob: glob.clone(), attribute, set })
    };
    attributes.split([' ', '\t', '\r']).filter_map(read).collect()
}

/// The pattern, unquoted, and what stands behind it; none where a quoted pattern is malformed.
fn split_pattern(line: &str) -> Option<(String, &str)> {
    let Some(quoted) = line.strip_prefix('"') else {
        let end = line.find([' ', '\t', '\r']).unwrap_or(line.len());
        return Some((line[..end].to_owned(), &line[end..]));
    };
    let mut bytes = Vec::new();
    let mut rest = quoted.as_bytes().iter().copied().enumerate();
    while let Some((at, byte)) = rest.next() {
        match byte {
            b'"' => return Some((String::from_utf8(bytes).ok()?, &quoted[at + 1..])),
            b'\\' => bytes.push(match rest.next()?.1 {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                mark @ (b'"' | b'\\') => mark,
                first @ b'0'..=b'3' => {
                    let digit = |(_, byte): (usize, u8)| matches!(byte, b'0'..=b'7').then(|| byte - b'0');
                    (first - b'0') * 64 + digit(rest.next()?)? * 8 + digit(rest.next()?)?
                }
                _ => return None,
            }),
            byte => bytes.push(byte),
        }
    }
    None
}

/// Git's pattern as a glob over whole paths; none for patterns that match no file.
///
/// Globs know braces, which git does not; git knows escapes within brackets, which globs do not: such a pattern
/// declares nothing here. A pattern that ends in a slash names a folder, and git gives attributes to files alone.
fn glob_of(pattern: &str) -> Option<String> {
    if pattern.ends_with('/') {
        return None;
    }
    let anchored = pattern.contains('/');
    let pattern = pattern.strip_prefix('/').unwrap_or(pattern);
    let mut glob = String::from(if anchored { "" } else { "**/" });
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => glob.extend(['\\', chars.next()?]),
            '{' | '}' => glob.extend(['\\', c]),
            '[' => {
                let class = class_length(chars.as_str())?;
                glob.push('[');
                glob.extend(chars.by_ref().take(class));
            }
            c => glob.push(c),
        }
    }
    Some(glob)
}

/// Characters from behind an opening bracket up to its closing one; none where it does not close or holds an escape.
fn class_length(rest: &str) -> Option<usize> {
    let mut chars = rest.chars().enumerate().peekable();
    chars.next_if(|(_, c)| matches!(c, '!' | '^'));
    chars.next_if(|(_, c)| *c == ']');
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => return None,
            ']' => return Some(at + 1),
            '[' if chars.peek().is_some_and(|(_, next)| *next == ':') => {
                // The closing bracket of a named class within the brackets is not theirs.
                chars.find(|(_, c)| *c == ']')?;
            }
            _ => {}
        }
    }
    None
}

fn glob(glob: &str) -> Option<globset::Glob> {
    GlobBuilder::new(glob).literal_separator(true).backslash_escape(true).build().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn generated(attributes: &str, path: &str) -> bool {
        Attributes::read(attributes.as_bytes()).of(&path.into()).generated != Declared::No
    }

    #[test]
    fn patterns_match_as_git_matches_them() {
        // Every row was compared with `git check-attr`.
        for (pattern, yes, no) in [
            ("*.pb.go", "a/b/x.pb.go", "x.pb.go/y"),
            ("gen.txt", "deep/er/gen.txt", "gen.txt/x"),
            ("/gen.txt", "gen.txt", "a/gen.txt"),
            ("a/*.txt", "a/x.txt", "a/b/x.txt"),
            ("a/**", "a/b/c.txt", "b/a/c.txt"),
            ("**/gen/*", "gen/x", "gen/a/x"),
            ("a/**/z", "a/z", "z"),
            ("a/**/z", "a/b/c/z", "a/b/c/zz"),
            ("a/x**y", "a/xby", "a/x/y"),
            ("[ab]?.c", "b1.c", "c1.c"),
            ("[!ab].c", "c.c", "a.c"),
            ("[^ab].c", "c.c", "b.c"),
            ("[[:digit:]].c", "7.c", "x.c"),
            ("d[!x]e", "d-e", "d/e"),
            ("{a,b}", "{a,b}", "a"),
            ("\\*.c", "*.c", "a.c"),
            ("\"a b.c\"", "a b.c", "a"),
            ("\"caf\\303\\251\"", "café", "cafe"),
            ("*", "a/b", ""),
        ] {
            let line = format!("{pattern} linguist-generated");
            assert!(generated(&line, yes), "{pattern} {yes}");
            assert!(no.is_empty() || !generated(&line, no), "{pattern} {no}");
        }
    }

    #[test]
    fn a_folder_pattern_gives_its_files_nothing() {
        assert!(!generated("vendor/ linguist-generated", "vendor/x"));
        assert!(!generated("vendor linguist-generated", "vendor/x"));
    }

    #[test]
    fn later_lines_win_attribute_by_attribute() {
        let attributes = Attributes::read(
            b"# comment\n*.js linguist-vendored linguist-generated=true\nsrc/*.js -linguist-generated\r\nsrc/a.js linguist-generated=1\n",
        );
        let of = attributes.of(&"src/a.js".into());
        assert_eq!((of.vendored, of.generated), (Declared::Before, Declared::No));
        assert!(!generated("*.js linguist-generated\n*.js linguist-generated=false", "a.js"));
        assert!(!generated("*.js linguist-generated\n*.js !linguist-generated", "a.js"));
        assert!(!generated("!*.js linguist-generated", "a.js"));
        assert!(!generated("[attr]x linguist-generated", "x"));
        assert!(!generated("*.md linguist-documentation", "a.md"));
    }

    #[test]
    fn tells_what_the_change_itself_declares() {
        let head = b"*.js linguist-generated\n*.ts linguist-generated\n";
        let attributes = Attributes::read(head).compared_with(b"*.js linguist-generated\n");
        assert_eq!(attributes.of(&"a.js".into()).generated, Declared::Before);
        assert_eq!(attributes.of(&"a.ts".into()).generated, Declared::ByThisChange);
    }

    #[test]
    fn keeps_a_bounded_number_of_declarations() {
        let many: String = (0..1_500).map(|n| format!("f{n} linguist-generated\n")).collect();
        let attributes = Attributes::read(many.as_bytes());
        assert_eq!(attributes.left_out(), Some("only the first 1000 of 1500 declarations are kept"));
        assert_ne!(attributes.of(&"f999".into()).generated, Declared::No);
        assert_eq!(attributes.of(&"f1000".into()).generated, Declared::No);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in any::<Vec<u8>>(), line in "[\\[\\]!^a\\\\*?/{}\" -]{0,12}", path in "[a/b\\[]{1,6}") {
            let _ = Attributes::read(&bytes).of(&path.as_str().into());
            let _ = Attributes::read(format!("{line} linguist-generated").as_bytes()).of(&path.as_str().into());
        }
    }
}
