//! Java: what says `public` or `protected` is public, and so are the members of an interface.

use super::{Candidate, Described, Language, Layout, Made};
use crate::change::syntax::EntityKind::{Class, Constructor, Enum, Interface, Method};

pub(super) static JAVA: Language = Language {
    name: "Java",
    extensions: &["java"],
    grammar: || tree_sitter_java::LANGUAGE.into(),
    declares: &[
        ("class_declaration", Class),
        ("record_declaration", Class),
        ("interface_declaration", Interface),
        ("annotation_type_declaration", Interface),
        ("enum_declaration", Enum),
        ("method_declaration", Method),
        ("constructor_declaration", Constructor),
        ("compact_constructor_declaration", Constructor),
    ],
    wrappers: &[],
    attributes: &[],
    describe,
    exports: None,
    layout: Layout { code: &["string_interpolation", "template_expression"], gap: |_| 0, indented: false },
    highlights: &[tree_sitter_java::HIGHLIGHTS_QUERY, include_str!("../../../../assets/queries/java.scm")],
    made: Made::new(),
};

fn describe<'t>(candidate: &Candidate<'_, 't>) -> Option<Described<'t>> {
    let member = candidate.within == Some(Interface) && !candidate.has_word("modifiers", &["private"]);
    let public = member || candidate.has_word("modifiers", &["public", "protected"]);
    Some(candidate.described(candidate.field("name")?, public))
}

#[cfg(test)]
mod tests {
    use crate::change::syntax::cases::{confirmed, entities, not_confirmed, outline};

    const POOL: &str = "package a;\n\n/** A pool. */\n@Deprecated\npublic class Pool<T> extends Base {\n    private int size;\n\n    public Pool(int size)\n    {\n        this.size = size;\n    }\n\n    @Override\n    protected void close() { }\n\n    void expire() {\n        class Local { public void run() { } }\n    }\n\n    public interface Closer { void shut(); private void slam() { } int X = 1; }\n\n    enum Kind { A { void f() { } }; public int g() { return 1; } }\n}\n\npublic record Point(int x, int y) {\n    public Point {\n        assert x > 0;\n    }\n}\n\n@interface Mark { String value(); }\n";

    #[test]
    fn declares_what_a_file_has() {
        let expected = [
            "3-23 4-5 class Pool public",
            "8-11 8-9 constructor Pool.Pool public",
            "13-14 13-14 method Pool.close public",
            "16-18 16-16 method Pool.expire private",
            "17-17 17-17 class Pool.expire.Local private",
            "17-17 17-17 method Pool.expire.Local.run private",
            "20-20 20-20 interface Pool.Closer public",
            "20-20 20-20 method Pool.Closer.shut public",
            "20-20 20-20 method Pool.Closer.slam private",
            "22-22 22-22 enum Pool.Kind private",
            "22-22 22-22 method Pool.Kind.f private",
            "22-22 22-22 method Pool.Kind.g private",
            "25-29 25-25 class Point public",
            "26-28 26-26 constructor Point.Point public",
            "31-31 31-31 interface Mark private",
        ];
        assert_eq!(outline("A.java", POOL), expected);
    }

    #[test]
    fn names_what_a_hunk_touches() {
        let to = |from: &str, to: &str| entities("A.java", POOL, &POOL.replacen(from, to, 1));
        assert_eq!(to("this.size = size;", "this.size = 1;"), ["constructor Pool.Pool public body"]);
        assert_eq!(to("@Override", "@Later"), ["method Pool.close public declaration"]);
        assert_eq!(to("int x, int y", "int x"), ["class Point public declaration"]);
        assert_eq!(to("assert x > 0;", "assert x > 1;"), ["constructor Point.Point public body"]);
        assert_eq!(to("private int size;", "int size;"), ["class Pool public body"]);
        assert_eq!(to("A pool.", "The pool."), ["class Pool public body"]);
        assert_eq!(to("expire", "end"), ["method Pool.expire private removed", "method Pool.end private added"]);
    }

    #[test]
    fn layout_is_confirmed() {
        confirmed(
            "A.java",
            &[
                ("class A { int f() { return 1; } }\n", "class A\n{\n\tint f()\n\t{\n\t\treturn\n1;\n\t}\n}\n"),
                ("class A { List<List<A>> f; } // a\r\n", "class A { List<List<A> > f; } // a\n"),
            ],
        );
    }

    #[test]
    fn more_than_layout_is_not() {
        not_confirmed(
            "A.java",
            &[
                ("class A { String s = \"a b\"; }\n", "class A { String s = \"a  b\"; }\n"),
                ("class A { String s = \"\"\"\n  a\n  \"\"\"; }\n", "class A { String s = \"\"\"\n  a\n \"\"\"; }\n"),
                ("class A { char c = ' '; }\n", "class A { char c = '\t'; }\n"),
                ("class A { int ab; }\n", "class A { int a\u{200b}b; }\n"),
                ("class A { /* a b */ }\n", "class A { /* a  b */ }\n"),
                ("class A { int x = a + +b; }\n", "class A { int x = a++ b; }\n"),
                ("class A { } // a\n", "class A { } // a\rint x;\n"),
            ],
        );
    }
}
