//! Finds the names of files and code in prose: everything in backticks, and words outside that look like code.

use super::ordinary;
use crate::ask::code::{identifiers, is_name_char};

/// A name found in prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name<'a> {
    /// A run in backticks, trimmed: a name, a path or a piece of code.
    Ticked(&'a str),
    /// A word outside backticks that looks like a path or a file's name.
    BarePath(&'a str),
    /// A word outside backticks that looks like code.
    BareCode(&'a str),
    /// A word outside backticks that begins in upper case and looks like a type, or like a product.
    BareTitle(&'a str),
}

impl<'a> Name<'a> {
    /// The name as written.
    pub fn text(self) -> &'a str {
        match self {
            Self::Ticked(text) | Self::BarePath(text) | Self::BareCode(text) | Self::BareTitle(text) => text,
        }
    }
}

/// Every name in a text, in order.
pub fn names(text: &str) -> Vec<Name<'_>> {
    let mut names = Vec::new();
    for (run, ticked) in runs(text) {
        match ticked {
            true => names.push(Name::Ticked(run.trim())),
            false => bare(run, &mut names),
        }
    }
    names
}

/// A text in runs: each with whether it stands in backticks.
pub fn runs(text: &str) -> Vec<(&str, bool)> {
    let mut runs = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        runs.push((&rest[..start], false));
        let ticks = rest[start..].chars().take_while(|c| *c == '`').count();
        let inner = &rest[start + ticks..];
        match closing(inner, ticks) {
            Some(end) => {
                runs.push((&inner[..end], true));
                rest = &inner[end + ticks..];
            }
            // Nothing closes it: the rest is prose like any other.
            None => rest = inner,
        }
    }
    runs.push((rest, false));
    runs
}

/// Where a run of exactly that many backticks begins.
fn closing(text: &str, ticks: usize) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find('`').map(|at| at + from) {
        let run = text[at..].chars().take_while(|c| *c == '`').count();
        if run == ticks {
            return Some(at);
        }
        from = at + run;
    }
    None
}

fn bare<'a>(text: &'a str, names: &mut Vec<Name<'a>>) {
    for word in text.split(|c: char| c.is_whitespace() || "\"\u{201c}\u{201d}\u{2018},;!?{}<>|=*".contains(c)) {
        let word = possessive(trimmed(word));
        if word.chars().any(char::is_alphabetic) && !ordinary::is_prose(word) {
            one_word(word, names);
        }
    }
}

/// A word without the punctuation of its sentence; parentheses that belong to it stay.
fn trimmed(mut word: &str) -> &str {
    loop {
        let before = word;
        word = word.trim_start_matches(['(', '[', '\'', '\u{2019}', '\u{2026}', ':']);
        word = word.trim_end_matches(['\'', '\u{2019}', ']', '.', ':', '\u{2026}', '\u{2013}', '\u{2014}']);
        if word.matches(')').count() > word.matches('(').count() {
            word = word.strip_suffix(')').unwrap_or(word);
        }
        if word == before {
            return word;
        }
    }
}

fn possessive(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("\u{2019}s")).unwrap_or(word)
}

fn one_word<'a>(word: &'a str, names: &mut Vec<Name<'a>>) {
    if word.contains("://") || has_extension(word) || word.starts_with("./") || word.starts_with("../") {
        names.push(Name::BarePath(word));
    } else if word.contains('/') {
        // `and/or`, `client/server`: prose, unless a folder of the change begins like it, which the caller knows.
        names.push(Name::BarePath(word));
    } else if word.contains("::") || word.contains("->") || is_dotted(word) || is_call(word) {
        names.push(Name::BareCode(word));
    } else {
        for piece in word.split(|c| !is_name_char(c)).filter(|piece| !ordinary::is_prose(piece)) {
            if is_snake(piece) {
                names.push(Name::BareCode(piece));
            } else if has_hump(piece) {
                let upper = piece.chars().next().is_some_and(char::is_uppercase);
                names.push(if upper { Name::BareTitle(piece) } else { Name::BareCode(piece) });
            }
        }
    }
}

/// Endings of files that a reviewer would look for in the tree.
const EXTENSIONS: &[&str] = &[
    "bash", "bat", "c", "cc", "cfg", "cjs", "conf", "cpp", "cs", "css", "csv", "dart", "env", "erl", "ex", "exs", "fs",
    "go", "gradle", "h", "hpp", "hs", "html", "ini", "ipynb", "java", "jpg", "js", "json", "jsx", "kt", "kts", "lock",
    "lua", "md", "mjs", "ml", "php", "pl", "png", "proto", "ps1", "py", "pyi", "rb", "rs", "rst", "sass", "scala",
    "scss", "sh", "snap", "sql", "svg", "swift", "tf", "toml", "ts", "tsx", "txt", "vue", "xml", "yaml", "yml", "zig",
];

/// Whether a word ends like a file's name.
pub fn has_extension(word: &str) -> bool {
    let word = without_line(word);
    let name = word.rsplit('/').next().unwrap_or(word);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let stem_named = stem.chars().any(char::is_alphanumeric) || word.contains('/');
    stem_named && !name.contains(['(', ' ']) && EXTENSIONS.contains(&extension) && stem.chars().count() > 1
}

/// A path without a line number after it: `pool.py:12` and `pool.py:12-20` name `pool.py`.
pub fn without_line(word: &str) -> &str {
    match word.rsplit_once(':') {
        Some((path, line)) if !line.is_empty() && line.chars().all(|c| c.is_ascii_digit() || c == '-') => path,
        _ => word,
    }
}

/// Two or more segments of two or more characters, each beginning as an identifier does.
fn is_dotted(word: &str) -> bool {
    let word = word.trim_end_matches("()");
    let segment = |s: &str| {
        s.chars().count() > 1 && s.chars().all(is_name_char) && s.starts_with(|c: char| c == '_' || c.is_alphabetic())
    };
    word.contains('.') && word.split('.').all(segment)
}

/// An identifier with a parenthesis right after it, other than a plural such as `file(s)`.
fn is_call(word: &str) -> bool {
    let Some((name, arguments)) = word.split_once('(') else { return false };
    !name.is_empty() && name.chars().all(|c| is_name_char(c) || c == '.') && !arguments.starts_with(['s', 'e'])
}

/// Words joined by, or led by, underscores.
fn is_snake(word: &str) -> bool {
    word.contains('_') && identifiers(word).any(|w| w.chars().any(char::is_alphabetic))
}

/// A lower-case letter right before an upper-case one.
fn has_hump(word: &str) -> bool {
    let mut before = ' ';
    word.chars().any(|c| std::mem::replace(&mut before, c).is_lowercase() && c.is_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<&str> {
        names(text).into_iter().map(Name::text).collect()
    }

    #[test]
    fn leaves_ordinary_prose_alone() {
        for text in [
            "On macOS, Node.js and GitHub, e.g. for the README, i.e. etc.",
            "It runs on iOS and iPhones; JavaScript's WebSockets work (in TypeScript).",
            "Version 1.2.3 of Python 3.11, 10ms later... and v2.0 too.",
            "file(s), argument(s), class(es), the URLs and IDs [1] [2].",
            "It ends here.Then", // a missing space is told apart only by luck
            "naïve Größe 日本語 U.S. a.m.",
        ] {
            let names = found(text);
            assert!(names.is_empty() || text.contains("here.Then"), "{text}: {names:?}");
        }
    }

    #[test]
    fn finds_what_looks_like_code() {
        assert_eq!(found("calls `Pool.open` and ``a ` b``"), ["Pool.open", "a ` b"]);
        assert_eq!(found("max_age, maxAge and _expire; ConnPool's"), ["max_age", "maxAge", "_expire", "ConnPool"]);
        assert_eq!(found("see net/pool.py:12, os.path and a::b."), ["net/pool.py:12", "os.path", "a::b"]);
        assert_eq!(found("größe_höhe and close() or f(x)"), ["größe_höhe", "close()", "f(x)"]);
        assert_eq!(found("an `unclosed max_age"), ["max_age"]);
        assert_eq!(found("https://example.org/x"), ["https://example.org/x"]);
    }

    proptest! {
        #[test]
        fn finds_names_in_any_text(text in any::<String>()) {
            for name in names(&text) {
                prop_assert!(text.contains(name.text()));
            }
        }

        #[test]
        fn finds_names_in_code_like_text(text in "[`a-zA-Z_.(/): \u{e9}-]{0,60}") {
            for name in names(&text) {
                prop_assert!(text.contains(name.text()));
            }
        }
    }
}
