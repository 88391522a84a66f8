//! What a single line of code does, by its tokens: raises, handles, asserts, imports, branches, calls, returns.

use crate::ask::code::{chains_at, code_only, is_comment};

/// What kind of thing a line does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Raises, throws, panics, or makes an error to return.
    Raise,
    /// Handles an error.
    Handle,
    /// Asserts something.
    Assert,
    /// Imports a module.
    Import,
    /// Branches or loops on a condition.
    Condition,
    /// Calls something.
    Call,
    /// Returns something.
    Return,
}

/// The things a line does, with the words of the line that name each. What goes on in the next line names nothing.
pub fn marks(line: &str) -> Vec<(Kind, String)> {
    let mut marks = all_marks(line);
    marks.retain(|(_, text)| !text.ends_with(['(', '[']));
    marks
}

fn all_marks(line: &str) -> Vec<(Kind, String)> {
    let trimmed = line.trim();
    if trimmed.is_empty() || is_comment(trimmed) {
        return Vec::new();
    }
    if let Some(module) = import(trimmed) {
        return vec![(Kind::Import, module.to_owned())];
    }
    let code = code_only(trimmed);
    if is_assert(&code) {
        let asserted = bare(trimmed);
        let asserted = ["async with ", "with ", "await "]
            .iter()
            .fold(asserted, |text, word| text.strip_prefix(word).unwrap_or(text));
        let mut marks = vec![(Kind::Assert, asserted.to_owned())];
        marks.extend(calls(trimmed, &code).into_iter().map(|call| (Kind::Call, call)));
        return marks;
    }
    let mut marks = Vec::new();
    let raised = raised(trimmed, &code);
    let handled = is_handler(&code);
    marks.extend(raised.iter().map(|name| (Kind::Raise, name.clone())));
    if handled {
        marks.push((Kind::Handle, bare(trimmed).trim_start_matches("} ").to_owned()));
    } else if starts(&code, CONDITIONS) {
        marks.push((Kind::Condition, bare(trimmed).trim_start_matches("} ").to_owned()));
    }
    for call in calls(trimmed, &code).into_iter().filter(|call| !raised.contains(call)) {
        marks.push((Kind::Call, call));
    }
    if let Some(value) = code.strip_prefix("return").filter(|rest| rest.starts_with(' '))
        && raised.is_empty()
        && !value.trim().is_empty()
    {
        marks.push((Kind::Return, bare(trimmed).to_owned()));
    }
    marks
}

/// A line without what opens a block or ends a statement.
pub fn bare(line: &str) -> &str {
    let line = line.trim();
    line.strip_prefix("} ").unwrap_or(line).trim_end_matches([';', '{', ':', ',', ' ']).trim_start()
}

const CONDITIONS: &[&str] = &[
    "if ",
    "if(",
    "elif ",
    "else if ",
    "} else if ",
    "while ",
    "while(",
    "unless ",
    "guard ",
    "case ",
    "match ",
    "switch ",
];

fn starts(code: &str, words: &[&str]) -> bool {
    words.iter().any(|word| code.starts_with(word))
}

/// The module an import names.
fn import(line: &str) -> Option<&str> {
    let quoted = |text: &str| -> Option<(usize, usize)> {
        let open = text.find(['"', '\''])?;
        let close = open + 1 + text[open + 1..].find(['"', '\''])?;
        Some((open + 1, close))
    };
    let rest = ["import ", "from ", "export * from ", "use ", "pub use ", "using ", "#include "]
        .iter()
        .find_map(|word| line.strip_prefix(word));
    if let Some(rest) = rest {
        if line.starts_with("from ") && !line.contains(" import ") {
            return None;
        }
        if let Some((start, end)) = quoted(rest) {
            return (end > start).then(|| &rest[start..end]);
        }
        let rest = rest.trim_start_matches(['<', ' ']);
        let rest = ["static ", "type "].iter().fold(rest, |text, word| text.strip_prefix(word).unwrap_or(text));
        let end = rest.find([' ', ';', '{', '>', ',', '(']).unwrap_or(rest.len());
        let module = rest[..end].trim_end_matches([':', '.']);
        return (!module.is_empty()).then_some(module);
    }
    let at = line.find("require(").filter(|at| line[..*at].ends_with(['=', ' ']))?;
    let (start, end) = quoted(&line[at..])?;
    (end > start).then(|| &line[at + start..at + end])
}

fn is_assert(code: &str) -> bool {
    let code = code.trim_start();
    starts(
        code,
        &["assert", "self.assert", "expect(", "await expect(", "await assert", "require.", "t.Error", "t.Fatal"],
    ) || ["pytest.raises(", "pytest.warns(", ".should(", ".should.", "Assert.", "#[should_panic"]
        .iter()
        .any(|word| code.contains(word))
}

fn is_handler(code: &str) -> bool {
    starts(code, &["except", "rescue ", "} catch", "catch ", "catch(", "finally", "} finally", "if let Err("])
        || ["err != nil", "error != nil", ".catch(", "Err(_) =>", "Err(e) =>", "Err(err) =>", "Err(error) =>"]
            .iter()
            .any(|word| code.contains(word))
}

/// The errors a line raises, throws, panics with or makes, by name.
fn raised(line: &str, code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (word, at) in RAISING.iter().filter_map(|word| Some((*word, find_word(code, word)?))) {
        let after = at + word.len();
        let after = after + (code[after..].len() - code[after..].trim_start_matches([' ', '(']).len());
        let after = after + code[after..].strip_prefix("new ").map_or(0, |_| 4);
        let named = chains_at(&code[after..]).into_iter().next().filter(|(range, _)| range.start == 0);
        match named {
            Some((range, _)) => names.push(line[after..after + range.end].to_owned()),
            None if word.contains('!') => names.push(word.trim_end_matches('(').to_owned()),
            None => {}
        }
    }
    if code.starts_with("return") {
        let error = |chain: &[&str]| {
            let last = chain.last().copied().unwrap_or_default();
            last == "Errorf"
                || (chain == ["errors", "New"])
                || (last.len() > 3 && last.starts_with("Err") && last != "Error")
        };
        let errors = chains_at(code).into_iter().filter(|(_, chain)| error(chain));
        names.extend(errors.map(|(range, _)| line[range].to_owned()));
    }
    if let Some(at) = find_word(code, "Err(").filter(|_| !code.contains("=>") && !code.contains("let Err(")) {
        let named = chains_at(&code[at + 4..]).into_iter().next().filter(|(range, _)| range.start == 0);
        // `Err(error)` hands on what a variable holds: there is no name to tell.
        let named = named.map(|(range, _)| &line[at + 4..at + 4 + range.end]);
        names.extend(named.filter(|name| name.contains(char::is_uppercase)).map(str::to_owned));
    }
    names.dedup();
    names
}

const RAISING: [&str; 6] = ["raise ", "throw ", "panic!(", "bail!(", "unreachable!(", "panic("];

/// Where a word begins that is not the end of a longer one.
fn find_word(code: &str, word: &str) -> Option<usize> {
    let at = code.find(word)?;
    let before = code[..at].chars().next_back();
    before.is_none_or(|c| !c.is_alphanumeric() && c != '_').then_some(at)
}

/// Names with a parenthesis after them, other than keywords, declarations and the commonest built-in ones.
fn calls(line: &str, code: &str) -> Vec<String> {
    let mut calls: Vec<String> = Vec::new();
    for (range, chain) in chains_at(code) {
        let after = &code[range.end..];
        let called = after.starts_with('(') || after.starts_with("!(") || after.starts_with("::<");
        let before = code[..range.start].trim_end();
        let declared = DECLARING.iter().any(|word| before.ends_with(word));
        let ordinary = chain.len() == 1 && NO_CALLS.contains(&chain[0]);
        let name = line[range].to_owned();
        if called && !declared && !ordinary && !name.starts_with(|c: char| c.is_ascii_digit()) && !calls.contains(&name)
        {
            calls.push(name);
        }
    }
    calls
}

const DECLARING: [&str; 6] = ["def", "fn", "func", "function", "class", "@"];

/// Keywords before parentheses, and calls that say nothing of what a part does.
const NO_CALLS: &[&str] = &[
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "return",
    "match",
    "elif",
    "and",
    "or",
    "not",
    "in",
    "with",
    "await",
    "new",
    "super",
    "sizeof",
    "typeof",
    "len",
    "str",
    "int",
    "float",
    "bool",
    "list",
    "dict",
    "set",
    "tuple",
    "range",
    "print",
    "repr",
    "isinstance",
    "append",
    "make",
    "string",
    "Some",
    "Ok",
    "Err",
    "None",
    "Box",
    "Vec",
    "format",
    "println",
    "vec",
    "unwrap",
    "clone",
    "to_string",
    "to_owned",
    "into",
    "iter",
    "collect",
    "map",
    "push",
    "String",
    "Number",
    "require",
    "except",
    "assert",
    "expect",
    "toBe",
    "toEqual",
    "fn",
    "func",
    "function",
    "async",
    "yield",
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(kind: Kind, line: &str) -> Vec<String> {
        marks(line).into_iter().filter(|(k, _)| *k == kind).map(|(_, text)| text).collect()
    }

    #[test]
    fn reads_errors() {
        for (line, name) in [
            ("raise Closed(\"twice\")", "Closed"),
            ("throw new LoadException(path, e);", "LoadException"),
            ("if (!ok) throw Error.of(1)", "Error.of"),
            ("return ErrFull", "ErrFull"),
            ("return nil, fmt.Errorf(\"x\")", "fmt.Errorf"),
            ("Err(Error::TooMany(max))", "Error::TooMany"),
            ("panic!(\"no\")", "panic!"),
        ] {
            assert_eq!(of(Kind::Raise, line), [name], "{line}");
        }
        for line in [
            "Err(e) => log(e),",
            "if let Err(e) = f() {",
            "x = \"raise Foo\"",
            "Err(failed)",
            "// throw new X",
            "praise (x)",
        ] {
            assert_eq!(of(Kind::Raise, line), Vec::<String>::new(), "{line}");
        }
        assert_eq!(of(Kind::Handle, "if err := q.Sync(); err != nil {"), ["if err := q.Sync(); err != nil"]);
        assert_eq!(of(Kind::Handle, "    } catch (IOException e) {"), ["catch (IOException e)"]);
    }

    #[test]
    fn reads_calls_imports_and_assertions() {
        assert_eq!(
            of(Kind::Call, "if let Ok(value) = run() { std::thread::sleep(wait) }"),
            ["run", "std::thread::sleep"]
        );
        assert_eq!(of(Kind::Call, "def close(self, f=g(1)):"), ["g"]);
        assert_eq!(of(Kind::Import, "import { a } from \"crypto\";"), ["crypto"]);
        assert_eq!(of(Kind::Import, "use std::{fmt, io};"), ["std"]);
        assert_eq!(of(Kind::Import, "from a.b import c"), ["a.b"]);
        assert_eq!(of(Kind::Import, "const x = require('y');"), ["y"]);
        assert_eq!(of(Kind::Assert, "with pytest.raises(Closed):"), ["pytest.raises(Closed)"]);
        assert_eq!(of(Kind::Assert, "value.expect(\"there\");"), Vec::<String>::new());
        assert_eq!(of(Kind::Condition, "} else if (x) {"), ["else if (x)"]);
    }

    proptest! {
        #[test]
        fn reads_any_line(line in any::<String>()) {
            marks(&line);
        }

        #[test]
        fn reads_lines_like_code(line in "[a-zA-Z(){}:;.!'\"` =<>é]{0,40}(raise |throw new |Err\\(|return |import )[a-z(){}:;.'\"é]{0,20}") {
            marks(&line);
        }
    }
}
