//! `Painter`: the colours of one version of a file, by its grammar or by the broad set of syntaxes.

use std::ops::Range;

use super::Span;
use super::broad::Broad;
use super::colours::Parsed;
use super::languages::language_of;
use crate::change::{RepoPath, Text};

/// Bytes of the longest line that is coloured.
pub(super) const MAX_LINE: usize = 10_000;

/// Gives the colours of the lines that are asked for. Making one parses the file once, or nothing where the broad set
/// is used: that reads from the start of the file as far as lines are asked for, and remembers where it was.
pub struct Painter(Kind);

enum Kind {
    Parsed(Box<Parsed>),
    Broad(Box<Broad>),
}

impl Painter {
    /// Gets ready to colour a file.
    ///
    /// # Errors
    /// Why it has no colours, in one clause.
    pub fn new(path: &RepoPath, text: &Text) -> Result<Self, String> {
        if text.bytes()[..text.bytes().len().min(8000)].contains(&0) {
            return Err("binary".to_owned());
        }
        match language_of(path) {
            Some(language) => Ok(Self(Kind::Parsed(Box::new(Parsed::new(language, text)?)))),
            None => Ok(Self(Kind::Broad(Box::new(Broad::new(path, text)?)))),
        }
    }

    /// The spans of each line of a range, counted from 1, end excluded. Runs without a class of their own are left out;
    /// lines past the end of the file, and lines over 10,000 bytes, have none.
    pub fn lines(&mut self, lines: Range<u32>) -> Vec<Vec<Span>> {
        match &mut self.0 {
            Kind::Parsed(parsed) => parsed.lines(lines),
            Kind::Broad(broad) => broad.lines(lines),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The spans of a file as `word:Class` in order, one string a line.
    fn painted(path: &str, text: &str) -> Vec<String> {
        let text = Text::from(text);
        let mut painter = Painter::new(&RepoPath::from(path), &text).unwrap();
        let show = |(at, spans): (usize, Vec<Span>)| {
            let line = text.line(at as u32 + 1).unwrap();
            let word =
                |span: &Span| String::from_utf8_lossy(&line[span.start as usize..span.end as usize]).into_owned();
            spans.iter().map(|span| format!("{}:{:?}", word(span), span.token)).collect::<Vec<_>>().join(" ")
        };
        painter.lines(1..text.lines() + 1).into_iter().enumerate().map(show).collect()
    }

    #[track_caller]
    fn holds(path: &str, text: &str, words: &[&str]) {
        let all = format!(" {} ", painted(path, text).join(" "));
        words.iter().for_each(|word| assert!(all.contains(&format!(" {word} ")), "{word} in {all}"));
    }

    #[test]
    fn each_language_has_its_classes() {
        let python =
            ["@d:Attribute", "class:Keyword", "A:Type", "f:Function", "1:Number", "LIMIT:Constant", "# c:Comment"];
        holds("a.py", "@d\nclass A(B):\n  def f(self, x=1):\n    return LIMIT # c\n", &python);
        let go =
            ["package:Keyword", "S:Type", "F:Function", "n:Variable", "int:Type", "\"x\":String", "return:Keyword"];
        holds("a.go", "package a\nfunc (s *S) F(n int) { return \"x\" }\n", &go);
        let rust = [
            "fn:Keyword",
            "f:Function",
            "str:Type",
            "g:Function",
            "A_B:Constant",
            "1:Number",
            "'x':String",
            "h:Function",
        ];
        holds("a.rs", "#[test]\nfn f(a: &str) -> u8 { g(A_B, 1, 'x'); self.h() }\n", &rust);
        let java = ["class:Keyword", "A:Type", "int:Type", "f:Function", "g:Function", "1:Number"];
        holds("A.java", "@Deprecated class A { int f() { return g(1); } }\n", &java);
        let c_sharp = ["public:Keyword", "class:Keyword", "A:Type", "F:Function", "G:Function", "\"x\":String"];
        holds("A.cs", "public class A { int P { get; } void F() => G(\"x\"); }\n", &c_sharp);
        let typed = ["export:Keyword", "interface:Keyword", "A:Type", "f:Function", "string:Type", "x:Variable"];
        holds("a.ts", "export interface A { b: string }\nconst f = (x: A) => `a ${x} b`;\n", &typed);
        holds("a.tsx", "const a = <div b={1}>c</div>;\n", &["div:Tag", "b:Attribute", "1:Number", "const:Keyword"]);
        holds("a.jsx", "const a = <div b='2'>c</div>;\n", &["div:Tag", "b:Attribute", "'2':String"]);
    }

    #[test]
    fn what_spans_lines_is_given_on_each() {
        assert_eq!(painted("a.js", "/* a\n b */ x\n"), ["/* a:Comment", " b */:Comment x:Variable"]);
        assert_eq!(
            painted("a.js", "`a\n${b}\n`\n"),
            ["`a:String", "${:Punctuation b:Variable }:Punctuation", "`:String"]
        );
        assert_eq!(painted("a.py", "'''a\n\nb'''\n"), ["'''a:String", "", "b''':String"]);
    }

    #[test]
    fn other_files_are_coloured_by_name_or_first_line() {
        holds("a.rb", "def f\n  'x' # c\nend\n", &["def:Keyword", "f:Function", "'x':String", "end:Keyword"]);
        holds("Makefile", "# c\na: b\n", &["# c:Comment"]);
        holds("run", "#!/bin/bash\nif true; then echo 'a'; fi\n", &["if:Keyword", "'a':String"]);
        holds("a.toml", "[a]\nb = 1\n", &["1:Number"]);
        holds("a.JSON", "{\"a\": [1, true]}\n", &["1:Number", "true:Constant"]);
    }

    #[test]
    fn says_why_there_are_no_colours() {
        let why = |path: &str, text: &str| Painter::new(&RepoPath::from(path), &Text::from(text)).err();
        assert_eq!(why("a.unheard-of", "x\n").as_deref(), Some("no syntax known for it"));
        assert_eq!(why("a.txt", "x\n").as_deref(), Some("no syntax known for it"));
        assert_eq!(why("a.py", "x\0\n").as_deref(), Some("binary"));
        assert_eq!(why("a.rb", &"x\n".repeat(300_000)).as_deref(), Some("over 512,000 bytes, and no grammar for it"));
        assert_eq!(why("a.py", &"x\n".repeat(600_000)).as_deref(), Some("over 1,000,000 bytes"));
        assert_eq!(why("", ""), Some("no syntax known for it".to_owned()));
    }

    #[test]
    fn a_line_that_is_too_long_has_no_colours_and_harms_none() {
        for path in ["a.js", "a.lua"] {
            let text = format!("x = 1\ny = '{}'\nz = 2\n", "a".repeat(10_000));
            let mut painter = Painter::new(&RepoPath::from(path), &Text::from(text.as_str())).unwrap();
            let lines = painter.lines(1..4);
            assert_eq!(lines.iter().map(|line| !line.is_empty()).collect::<Vec<_>>(), [true, false, true], "{path}");
        }
    }

    #[test]
    fn lines_that_do_not_exist_have_no_spans() {
        for path in ["a.js", "a.lua"] {
            let mut painter = Painter::new(&RepoPath::from(path), &Text::from("x = 1\n")).unwrap();
            assert_eq!(
                painter.lines(0..5).iter().map(|line| !line.is_empty()).collect::<Vec<_>>(),
                [false, true, false, false, false]
            );
            assert_eq!(painter.lines(7..9), vec![Vec::new(); 2]);
            assert!(painter.lines(3..3).is_empty());
        }
    }

    const FILES: [(&str, &str); 3] = [
        ("a.rs", include_str!("outline.rs")),
        ("a.lua", "--[[ a\n b ]] x = 'c'\nfunction f(a)\n  return [[\n d\n]]\nend\n"),
        ("a.js", "/* a\n b */ x = `c\n${d}\n` + `\n\n`;\nfunction f(a) { return a }\n// e\n"),
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Lines have the same colours whichever are asked for with them, and in whatever order.
        #[test]
        fn a_line_is_coloured_alike_however_it_is_asked_for(from in 1_u32..400, count in 1_u32..40, at in 0..FILES.len()) {
            let (path, text) = FILES[at];
            let text = Text::from(text);
            let mut painter = Painter::new(&RepoPath::from(path), &text).unwrap();
            let from = from % text.lines() + 1;
            let some = painter.lines(from..from + count);
            let all = painter.lines(1..from + count);
            prop_assert_eq!(&all[from as usize - 1..], &some[..]);
            prop_assert_eq!(painter.lines(from..from + 1), &some[..1]);
        }

        #[test]
        fn spans_are_in_order_and_inside_their_line(bytes in proptest::collection::vec(any::<u8>(), 0..300), at in 0..7_usize) {
            let path = ["a.py", "a.tsx", "a.rs", "a.go", "a.cs", "a.rb", "a.md"][at];
            let text = Text::new(bytes.into());
            let Ok(mut painter) = Painter::new(&RepoPath::from(path), &text) else { return Ok(()) };
            for (at, spans) in painter.lines(1..text.lines() + 1).into_iter().enumerate() {
                let length = text.line(at as u32 + 1).unwrap().len() as u32;
                let mut end = 0;
                for span in spans {
                    prop_assert!(end <= span.start && span.start < span.end && span.end <= length);
                    end = span.end;
                }
            }
        }
    }
}
