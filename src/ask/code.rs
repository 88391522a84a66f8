//! Reading lines of code by their tokens, in any language: identifiers, joined names, comments, keys with values.
//!
//! Never a parser: what it says is true of the characters of a line, and words built on it must say no more.

use std::ops::Range;

use crate::change::PartLine;
use crate::change::diff::LineKind;

/// Whether a character can stand in an identifier, in any script.
pub fn is_name_char(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The identifiers and numbers of a text, in order.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_name_char(c)).filter(|word| !word.is_empty())
}

/// What joins two identifiers to one name, longest first.
const JOINS: [&str; 6] = ["::", "->", "?.", "!.", ".", "#"];

/// The names of a text as lists of identifiers: `pool.close()` is `[pool, close]`, `a::b` is `[a, b]`.
pub fn chains(text: &str) -> Vec<Vec<&str>> {
    chains_at(text).into_iter().map(|(_, chain)| chain).collect()
}

/// The names of a text with the bytes each takes.
pub fn chains_at(text: &str) -> Vec<(Range<usize>, Vec<&str>)> {
    let mut chains: Vec<(Range<usize>, Vec<&str>)> = Vec::new();
    let (mut at, mut joined) = (0, false);
    while let Some(gap) = text[at..].find(is_name_char) {
        joined = joined && gap == 0;
        let start = at + gap;
        let end = text[start..].find(|c| !is_name_char(c)).map_or(text.len(), |length| start + length);
        let word = &text[start..end];
        match chains.last_mut() {
            Some((range, chain)) if joined => {
                chain.push(word);
                range.end = end;
            }
            _ => chains.push((start..end, vec![word])),
        }
        let join = JOINS.iter().find(|join| text[end..].starts_with(**join));
        joined = join.is_some();
        at = end + join.map_or(0, |join| join.len());
    }
    chains
}

/// The hyphenated words of a text, such as `dry-run` in `--dry-run`.
pub fn hyphenated(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_name_char(c) && c != '-')
        .map(|word| word.trim_matches('-'))
        .filter(|word| word.contains('-') && !word.contains("--"))
}

/// Whether a line of code, trimmed, is a comment or a line of a documentation string, judged by how it begins.
pub fn is_comment(trimmed: &str) -> bool {
    let starts = |signs: &[&str]| signs.iter().any(|sign| trimmed.starts_with(sign));
    starts(&["//", "/*", "*/", "* ", "<!--", "-- ", "# ", "##", "\"\"\"", "'''"]) || trimmed == "#" || trimmed == "*"
}

/// A line without its strings and its comment, each byte of them a space, so that positions stay.
pub fn code_only(line: &str) -> String {
    let (mut code, comment) = scan(line);
    code.truncate(comment);
    code.extend(std::iter::repeat_n(' ', line.len() - comment));
    code
}

/// A line without the comment at its end.
pub fn without_comment(line: &str) -> &str {
    line[..scan(line).1].trim_end()
}

/// A line with its strings blanked, and where its comment begins; its length where there is none.
fn scan(line: &str) -> (String, usize) {
    let mut out = String::with_capacity(line.len());
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in line.char_indices() {
        let rest = &line[at..];
        let comment = rest.starts_with("//") || (rest.starts_with("# ") && (at == 0 || line[..at].ends_with(' ')));
        if quote.is_none() && comment {
            return (out, at);
        }
        let inside = quote.is_some();
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '`') => quote = Some(c),
            // An apostrophe may begin a lifetime: it opens a string only where another closes it.
            None if c == '\'' && !line[..at].ends_with(['<', '&']) && line[at + 1..].contains('\'') => quote = Some(c),
            None => {}
        }
        match inside || quote.is_some() {
            true => out.extend(std::iter::repeat_n(' ', c.len_utf8())),
            false => out.push(c),
        }
    }
    (out, line.len())
}

/// A key and its value, where a line sets one: `timeout: 30`, `MAX_AGE = 60`, `"retries": 3,`.
pub fn key_value(line: &str) -> Option<(&str, &str)> {
    let mut rest = line.trim().trim_end_matches([',', ';']).trim_end();
    let mut declared = false;
    while let Some(next) = MODIFIERS.iter().find_map(|word| rest.strip_prefix(word)?.strip_prefix(' ')) {
        rest = next.trim_start();
        declared = true;
    }
    let (key, value) = split_key(rest)?;
    let key = key.trim().trim_matches(['"', '\'']);
    // `name: type = value`: what is set is the value, not the type.
    let value = match value.split_once(" = ") {
        Some((_, value)) if declared => value,
        _ => value,
    };
    let value = value.trim();
    let plain = !key.is_empty() && key.chars().all(|c| is_name_char(c) || matches!(c, '.' | '-' | '$' | '@' | '/'));
    let named = key.chars().any(char::is_alphabetic) && !WORDS.contains(&key);
    let given = !value.is_empty() && !value.starts_with(['=', '>', ':']) && !value.starts_with("//");
    let whole = !value.ends_with(['{', '[', '(']) && value != "|" && value != ">";
    (plain && named && given && whole).then_some((key, value))
}

const MODIFIERS: [&str; 13] =
    ["export", "pub", "public", "private", "protected", "static", "final", "const", "let", "var", "val", "mut", "-"];

/// Words that stand before a colon without being keys.
const WORDS: [&str; 8] = ["else", "try", "finally", "default", "do", "http", "https", "pass"];

/// Cuts a line at the first `:` or `=` outside a quoted key.
fn split_key(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let from = match quote {
        Some(quote) => text[1..].find(quote)? + 2,
        None => 0,
    };
    let at = from + text[from..].find([':', '='])?;
    let value = &text[at + 1..];
    let value = if text[at..].starts_with(":=") { &value[1..] } else { value };
    Some((&text[..at], value))
}

/// The keys that changed lines set, each once, in order.
pub fn keys(lines: &[PartLine]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for line in lines.iter().filter(|line| line.kind != LineKind::Context) {
        if let Some((key, _)) = key_value(line.text.as_str())
            && !keys.iter().any(|known| known == key)
        {
            keys.push(key.to_owned());
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn joins_names_as_they_are_written() {
        assert_eq!(chains("self._pool.close(Closed::new)"), [vec!["self", "_pool", "close"], vec!["Closed", "new"]]);
        assert_eq!(chains("a->b ?. c x?.y"), [vec!["a", "b"], vec!["c"], vec!["x", "y"]]);
        assert_eq!(chains("größe.höhe 3.10"), [vec!["größe", "höhe"], vec!["3", "10"]]);
        assert_eq!(chains("end. Next"), [vec!["end"], vec!["Next"]]);
        assert_eq!(hyphenated("run --dry-run a--b -x").collect::<Vec<_>>(), ["dry-run"]);
    }

    #[test]
    fn blanks_strings_and_comments() {
        assert_eq!(code_only("a(\"b(c)\") // d()"), "a(      )       ");
        assert_eq!(code_only("x = 'y' # z").trim_end(), "x =");
        assert_eq!(without_comment("def f(a): # note"), "def f(a):");
        assert_eq!(without_comment("x(\"# no\")"), "x(\"# no\")");
        assert_eq!(code_only("f(&'a str, &'a str)"), "f(&'a str, &'a str)");
    }

    #[test]
    fn reads_keys_and_values() {
        for (line, expected) in [
            ("timeout: 30", Some(("timeout", "30"))),
            ("  \"a b\": 1", None),
            ("  \"retries\": 3,", Some(("retries", "3"))),
            ("export const MAX: number = 5;", Some(("MAX", "5"))),
            ("x := 1", Some(("x", "1"))),
            ("if a == b:", None),
            ("else: x", None),
            ("https://example.org", None),
            ("def f(a): return 1", None),
            ("headers = {", None),
            ("a => b", None),
            ("\"", None),
        ] {
            assert_eq!(key_value(line), expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn reads_any_text(text in any::<String>()) {
            let words: Vec<&str> = identifiers(&text).collect();
            let joined: Vec<&str> = chains(&text).into_iter().flatten().collect();
            prop_assert_eq!(words, joined);
            prop_assert_eq!(code_only(&text).len(), text.len());
            for (range, chain) in chains_at(&text) {
                prop_assert!(text[range].starts_with(chain[0]));
            }
            key_value(&text);
            hyphenated(&text).count();
            is_comment(&text);
        }
    }
}
