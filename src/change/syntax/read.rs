//! Reads one changed file: the entities of each hunk, and whether only its layout changed.

use tree_sitter::Tree;

use super::formatting::{difference, mixes_indentation};
use super::languages::{Language, language_of};
use super::outline::Outline;
use super::parse::{no_grammar, parse};
use super::touched::{Outlines, touched};
use super::{Entity, Formatting};
use crate::change::diff::FileDiff;
use crate::change::{ChangeKind, ChangedFile, FileMode, Side, Text, Texts};

/// What the syntax of a changed file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxReading {
    /// The entities each hunk touches, one list a hunk, in order of first appearance.
    pub entities: Vec<Vec<Entity>>,
    /// Why entities could not be read; none where they were. The lists are empty then.
    pub entities_not_read: Option<String>,
    /// Whether only its layout changed.
    pub formatting: Formatting,
}

/// A side that was parsed.
struct Parsed<'a> {
    language: &'static Language,
    text: &'a Text,
    tree: Tree,
}

/// Reads the entities of each hunk and whether only layout changed. Parses each side at most once, and none where
/// there is no hunk. Never fails: what could not be read comes with the reason.
pub fn read(file: &ChangedFile, texts: &Texts, diff: &FileDiff) -> SyntaxReading {
    let nothing = |not_read: Option<String>, formatting: String| SyntaxReading {
        entities: vec![Vec::new(); diff.hunks.len()],
        entities_not_read: not_read,
        formatting: Formatting::NotChecked(formatting),
    };
    if let Some(why) = &diff.not_read {
        return nothing(Some(why.clone()), why.clone());
    }
    if diff.binary {
        return nothing(Some("binary".to_owned()), "binary".to_owned());
    }
    if diff.hunks.is_empty() {
        return nothing(None, "no changed lines".to_owned());
    }
    let sides = side(file, texts, Side::Base).and_then(|base| Ok((base, side(file, texts, Side::Head)?)));
    match sides {
        Err(why) => nothing(Some(why.clone()), why),
        Ok((base, head)) => {
            let outline = |side: &Parsed<'_>| Outline::of(side.language, side.text, &side.tree);
            let outlines = Outlines { base: base.as_ref().map(outline), head: head.as_ref().map(outline) };
            SyntaxReading {
                entities: touched(&outlines, texts, diff),
                entities_not_read: None,
                formatting: formatting(base.as_ref(), head.as_ref()),
            }
        }
    }
}

/// Parses a side; none where the file is not on it.
fn side<'a>(file: &ChangedFile, texts: &'a Texts, side: Side) -> Result<Option<Parsed<'a>>, String> {
    let absent = match side {
        Side::Base => file.kind == ChangeKind::Addition,
        Side::Head => file.kind == ChangeKind::Deletion,
    };
    if let Some(version) =
        file.on(side).filter(|version| matches!(version.mode, FileMode::SYMLINK | FileMode::SUBMODULE))
    {
        return Err(format!("a {} at the {}", version.mode.word(), side.word()));
    }
    let Some(text) = texts.on(side) else {
        return if absent { Ok(None) } else { Err(format!("no text at the {}", side.word())) };
    };
    let path = file.path_on(side);
    let language = language_of(path).ok_or_else(|| no_grammar(path))?;
    let tree = parse(language, text)?;
    Ok(Some(Parsed { language, text, tree }))
}

fn formatting(base: Option<&Parsed<'_>>, head: Option<&Parsed<'_>>) -> Formatting {
    let (base, head) = match (base, head) {
        (Some(base), Some(head)) => (base, head),
        (None, Some(head)) => return Formatting::StructureChanged((head.text.lines() > 0).then_some(1)),
        (_, None) => return Formatting::StructureChanged(None),
    };
    let not_checked = |why: String| Formatting::NotChecked(why);
    if !std::ptr::eq(base.language, head.language) {
        return not_checked(format!("was {}, is {}", base.language.name, head.language.name));
    }
    for (side, word) in [(base, Side::Base.word()), (head, Side::Head.word())] {
        if side.tree.root_node().has_error() {
            return not_checked(format!("syntax errors at the {word}"));
        }
        if side.language.layout.indented && mixes_indentation(side.text) {
            return not_checked(format!("tabs and spaces mixed at the {word}"));
        }
    }
    match difference(base.language, (base.text, &base.tree), (head.text, &head.tree)) {
        None => Formatting::Confirmed,
        Some(line) => Formatting::StructureChanged(line),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;
    use crate::change::diff::diff;
    use crate::change::syntax::cases::{entities, formatting, reading};
    use crate::change::{FileVersion, ObjectId, RepoPath};

    fn version(mode: FileMode) -> Option<FileVersion> {
        Some(FileVersion { blob: ObjectId::ZERO, mode, size: None })
    }

    fn renamed(from: &str, to: &str, base: &str, head: &str) -> SyntaxReading {
        let file = ChangedFile {
            path: RepoPath::from(to),
            previous_path: Some(RepoPath::from(from)),
            kind: ChangeKind::Rename,
            base: version(FileMode::REGULAR),
            head: version(FileMode::REGULAR),
        };
        let texts = Texts { base: Some(Text::from(base)), head: Some(Text::from(head)) };
        read(&file, &texts, &diff(&texts))
    }

    #[test]
    fn says_why_entities_were_not_read() {
        let why = |path: &str, head: &[u8]| reading(path, b"a\n", head).entities_not_read;
        assert_eq!(why("a.rb", b"b\n").as_deref(), Some("no grammar for .rb files"));
        assert_eq!(why("Makefile", b"b\n").as_deref(), Some("no grammar for this kind of file"));
        assert_eq!(why("a.py", b"b\0\n").as_deref(), Some("binary"));
        let long = "x = 1\n".repeat(170_000);
        assert_eq!(why("a.py", long.as_bytes()).as_deref(), Some("over 1,000,000 bytes"));
        assert_eq!(why("a.py", b"b\n"), None);
    }

    #[test]
    fn a_symlink_is_not_parsed() {
        let file = ChangedFile {
            path: RepoPath::from("a.py"),
            previous_path: None,
            kind: ChangeKind::TypeChange,
            base: version(FileMode::SYMLINK),
            head: version(FileMode::REGULAR),
        };
        let texts = Texts { base: Some(Text::from("b.py")), head: Some(Text::from("x = 1\n")) };
        let reading = read(&file, &texts, &diff(&texts));
        assert_eq!(reading.entities_not_read.as_deref(), Some("a symlink at the base"));
        assert_eq!(reading.entities, vec![Vec::new(); 1]);
    }

    #[test]
    fn a_rename_is_read_by_the_path_of_each_side() {
        let reading = renamed("a.js", "a.ts", "function f() {}\n", "function f(a: string) {}\n");
        assert_eq!(reading.entities[0][0].change, super::super::EntityChange::Declaration);
        assert_eq!(reading.formatting, Formatting::NotChecked("was JavaScript, is TypeScript".to_owned()));
        let pure = renamed("a.js", "b.js", "a\n", "a\n");
        assert_eq!(pure.entities, Vec::<Vec<Entity>>::new());
        assert_eq!(pure.formatting, Formatting::NotChecked("no changed lines".to_owned()));
        assert_eq!(pure.entities_not_read, None);
    }

    #[test]
    fn a_file_with_errors_has_entities_but_no_proof() {
        let base = "def f():\n    return 1\n\ndef g(:\n    pass\n";
        let head = base.replace("return 1", "return  1");
        assert_eq!(entities("a.py", base, &head), ["function f public body"]);
        let why = "syntax errors at the base".to_owned();
        assert_eq!(formatting("a.py", base, &head), Formatting::NotChecked(why));
    }

    #[test]
    fn a_new_file_and_a_deleted_one_change_structure() {
        assert_eq!(formatting("a.py", "", "x = 1\n"), Formatting::StructureChanged(Some(1)));
        assert_eq!(formatting("a.py", "x = 1\n", ""), Formatting::StructureChanged(None));
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        let base = "fn a() {}\nfn b() { 1 }\nfn c() {}\n";
        assert_eq!(formatting("a.rs", base, &base.replace('1', "2")), Formatting::StructureChanged(Some(2)));
        assert_eq!(formatting("a.rs", base, "fn a()\n{}\nfn b() { 1 }\n"), Formatting::StructureChanged(Some(3)));
        let more = format!("{base}\nfn d() {{}}\n");
        assert_eq!(formatting("a.rs", base, &more), Formatting::StructureChanged(Some(5)));
    }

    #[test]
    fn a_hunk_has_the_entities_of_its_own_lines() {
        let mut base = String::new();
        for name in ["a", "b", "c"] {
            writeln!(base, "fn {name}() {{\n    1;{}\n}}", "\n".repeat(10)).unwrap();
        }
        let head = base.replacen("1;", "2;", 1).replace("fn c", "fn d");
        let reading = reading("a.rs", base.as_bytes(), head.as_bytes());
        let names = |hunk: &Vec<Entity>| hunk.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
        assert_eq!(reading.entities.iter().map(names).collect::<Vec<_>>(), [vec!["a"], vec!["c", "d"]]);
    }

    #[test]
    fn deep_nesting_is_read() {
        for (path, open, close) in [
            ("a.js", "function f(){", "}"),
            ("a.js", "(", ")"),
            ("a.ts", "a<", ">"),
            ("a.rs", "fn f(){", "}"),
            ("a.rs", "[", "]"),
            ("a.go", "func(){", "}"),
            ("a.py", "(", ")"),
            ("a.java", "class A{", "}"),
            ("a.cs", "class A{", "}"),
            ("a.jsx", "<a>", "</a>"),
        ] {
            let deep = format!("{}{}\n", open.repeat(900), close.repeat(900));
            let head = format!("\n{deep}\n");
            let reading = reading(path, deep.as_bytes(), head.as_bytes());
            assert_eq!(reading.entities_not_read, None, "{path}");
        }
    }

    /// Pieces of every language, so that generated files get past their first line.
    fn pieces() -> impl Strategy<Value = Vec<u8>> {
        let words: Vec<&'static [u8]> = vec![
            b"class A ",
            b"def f(x):\n",
            b"function f() ",
            b"fn f() ",
            b"func (a *B) f() ",
            b"impl X for Y ",
            b"{",
            b"}",
            b"(",
            b")",
            b"<",
            b">",
            b"\"",
            b"'",
            b"`",
            b"${",
            b"//",
            b"/*",
            b"*/",
            b"#",
            b"\n",
            b"\r\n",
            b"\r",
            b"\t",
            b"  ",
            b"=> ",
            b"= ",
            b"const ",
            b"export ",
            b"public ",
            b"x",
            b"1",
            b",",
            b";",
            b":",
            b"@a",
            b"\xff",
            b"\xe2\x80",
            b"\xc2\xa0",
            b"\0",
            b"f\"{",
            b"record R(int x);",
            b"type T struct ",
            b"package a\n",
            b"    ",
            b"\\\n",
            b"!",
            b"#if X\n",
            b"\"\"\"",
            b"<a>",
            b"</a>",
            b"\xef\xbb\xbf",
        ];
        let piece = prop_oneof![
            9 => proptest::sample::select(words).prop_map(<[u8]>::to_vec),
            1 => proptest::collection::vec(any::<u8>(), 0..4),
        ];
        proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    const PATHS: [&str; 9] = ["a.py", "a.ts", "a.tsx", "a.js", "a.go", "a.rs", "a.java", "a.cs", "a.zig"];

    proptest! {
        #[test]
        fn reading_never_panics_and_gives_a_list_a_hunk(base in pieces(), head in pieces(), at in 0..PATHS.len()) {
            let texts = Texts { base: Some(Text::new(base.clone().into())), head: Some(Text::new(head.clone().into())) };
            let hunks = diff(&texts).hunks.len();
            let one = reading(PATHS[at], &base, &head);
            if !base.is_empty() && !head.is_empty() {
                prop_assert_eq!(one.entities.len(), hunks);
            }
            prop_assert_eq!(&one, &reading(PATHS[at], &base, &head));
        }

        /// Whatever is confirmed has the same bytes once blanks are taken out.
        #[test]
        fn what_is_confirmed_differs_in_blanks_alone(
            base in pieces(), cuts in proptest::collection::vec((0..400_usize, 0..4_usize), 1..6), at in 0..8_usize,
        ) {
            let mut head = base.clone();
            for (cut, blank) in cuts {
                let cut = cut % (head.len() + 1);
                head.splice(cut..cut, [b" ".as_slice(), b"\n", b"\t", b"x"][blank].iter().copied());
            }
            if reading(PATHS[at], &base, &head).formatting == Formatting::Confirmed {
                let bare = |bytes: &[u8]| bytes.iter().copied().filter(|byte| !b" \t\r\n".contains(byte)).collect::<Vec<_>>();
                prop_assert_eq!(bare(&base), bare(&head));
            }
        }
    }
}
