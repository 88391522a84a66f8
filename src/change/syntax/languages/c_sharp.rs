//! C#: what says `public` or `protected` is public, and so are the members of an interface.

use tree_sitter::Node;

use super::{Candidate, Described, Language, Layout, Made};
use crate::change::syntax::EntityKind::{Class, Constructor, Enum, Function, Interface, Method, Property, Struct};
use crate::change::syntax::gaps::Gap;

pub(super) static C_SHARP: Language = Language {
    name: "C#",
    extensions: &["cs", "csx"],
    grammar: || tree_sitter_c_sharp::LANGUAGE.into(),
    declares: &[
        ("class_declaration", Class),
        ("record_declaration", Class),
        ("struct_declaration", Struct),
        ("interface_declaration", Interface),
        ("enum_declaration", Enum),
        ("method_declaration", Method),
        ("constructor_declaration", Constructor),
        ("destructor_declaration", Method),
        ("local_function_statement", Function),
        ("property_declaration", Property),
    ],
    wrappers: &[],
    attributes: &[],
    describe,
    exports: None,
    layout: Layout { code: &["interpolation"], gap, indented: false },
    highlights: &[tree_sitter_c_sharp::HIGHLIGHTS_QUERY, include_str!("../../../../assets/queries/c-sharp.scm")],
    made: Made::new(),
};

fn describe<'t>(candidate: &Candidate<'_, 't>) -> Option<Described<'t>> {
    let says = |words: &[&str]| candidate.has_word("modifier", words);
    let public =
        if says(&["private"]) { false } else { candidate.within == Some(Interface) || says(&["public", "protected"]) };
    let mut name = candidate.field("name")?;
    if candidate.node.kind() == "destructor_declaration" {
        name.insert(0, '~');
    }
    let whole = candidate.kind == Property && is_automatic(candidate.node);
    Some(Described { whole, ..candidate.described(name, public) })
}

/// Whether no accessor of a property has a body, so that its accessors are part of what it declares.
fn is_automatic(property: Node<'_>) -> bool {
    let Some(list) = property.child_by_field_name("accessors") else { return false };
    list.named_children(&mut list.walk()).all(|accessor| accessor.child_by_field_name("body").is_none())
}

/// A preprocessor line ends with its line.
fn gap(gap: &Gap<'_>) -> u8 {
    let preprocessed = [gap.before_parent, gap.after_parent, gap.owner].iter().any(|kind| kind.starts_with("preproc"));
    u8::from(preprocessed && gap.breaks())
}

#[cfg(test)]
mod tests {
    use crate::change::syntax::cases::{confirmed, entities, not_confirmed, outline};

    const POOL: &str = "namespace A;\n\n/// <summary>A pool.</summary>\n[Obsolete]\npublic class Pool : Base\n{\n    private int size;\n\n    public Pool(int size) : base(1)\n    {\n        this.size = size;\n    }\n\n    ~Pool() { }\n\n    public int Size\n    {\n        get;\n        private set;\n    }\n\n    public int Twice\n    {\n        get { return 2 * Size; }\n    }\n\n    protected internal int Half\n        => Size / 2;\n\n    private protected void Hide() { }\n\n    public void Close()\n    {\n        void Inner() { }\n        Inner();\n    }\n}\n\ninterface ICloser { void Shut(); private void Slam() { } int X { get; } }\npublic record Point(int X, int Y);\npublic record struct Size(int W);\nstruct S { public enum E { A } }\n";

    #[test]
    fn declares_what_a_file_has() {
        let expected = [
            "3-37 4-6 class Pool public",
            "9-12 9-10 constructor Pool.Pool public",
            "14-14 14-14 method Pool.~Pool private",
            "16-20 16-20 property Pool.Size public",
            "22-25 22-23 property Pool.Twice public",
            "27-28 27-27 property Pool.Half public",
            "30-30 30-30 method Pool.Hide private",
            "32-36 32-33 method Pool.Close public",
            "34-34 34-34 function Pool.Close.Inner private",
            "39-39 39-39 interface ICloser private",
            "39-39 39-39 method ICloser.Shut private",
            "39-39 39-39 method ICloser.Slam private",
            "39-39 39-39 property ICloser.X private",
            "40-40 40-40 class Point public",
            "41-41 41-41 class Size public",
            "42-42 42-42 struct S private",
            "42-42 42-42 enum S.E private",
        ];
        assert_eq!(outline("A.cs", POOL), expected);
    }

    #[test]
    fn names_what_a_hunk_touches() {
        let to = |from: &str, to: &str| entities("A.cs", POOL, &POOL.replacen(from, to, 1));
        assert_eq!(to("this.size = size;", "this.size = 1;"), ["constructor Pool.Pool public body"]);
        assert_eq!(to("private set;", "set;"), ["property Pool.Size public declaration"]);
        assert_eq!(to("2 * Size", "3 * Size"), ["property Pool.Twice public body"]);
        assert_eq!(to("=> Size / 2", "=> Size / 3"), ["property Pool.Half public body"]);
        assert_eq!(to("[Obsolete]", "[Serializable]"), ["class Pool public declaration"]);
        assert_eq!(to("A pool.", "The pool."), ["class Pool public body"]);
        assert_eq!(to("Inner();", "Inner(1);"), ["method Pool.Close public body"]);
        assert_eq!(to("int X, int Y", "int X"), ["class Point public declaration"]);
        assert_eq!(
            to("void Close", "void Shut"),
            ["method Pool.Close public removed", "method Pool.Shut public added"]
        );
        let of_interface = entities("A.cs", "public interface I { }\n", "public interface I {\n    void F();\n}\n");
        assert_eq!(of_interface, ["interface I public declaration", "method I.F public added"]);
    }

    #[test]
    fn layout_is_confirmed() {
        confirmed(
            "A.cs",
            &[
                ("class A { int F() { return 1; } }\n", "class A\n{\n\tint F()\n\t{\n\t\treturn\n1;\n\t}\n}\n"),
                ("class A {\n#if X\n  int a;\n#endif\n}\n", "class A\n{\n#if X\n    int a;\n#endif\n}\n"),
                ("class A { string s = $\"{ a}\"; }\n", "class A { string s = $\"{a}\"; }\n"),
                ("#region a\r\nclass A { }\r\n#endregion\r\n", "#region a\nclass A { }\n#endregion\n"),
            ],
        );
    }

    #[test]
    fn more_than_layout_is_not() {
        not_confirmed(
            "A.cs",
            &[
                ("class A { string s = \"a b\"; }\n", "class A { string s = \"a  b\"; }\n"),
                ("class A { string s = @\"a\n b\"; }\n", "class A { string s = @\"a\n  b\"; }\n"),
                ("class A { string s = @\"a\nb\"; }\n", "class A { string s = @\"a\r\nb\"; }\r\n"),
                ("class A { string s = $\"a b{c}\"; }\n", "class A { string s = $\"a  b{c}\"; }\n"),
                ("class A { string s = $\"{c} {d}\"; }\n", "class A { string s = $\"{c}  {d}\"; }\n"),
                ("class A { string s = $\"{c:N2}\"; }\n", "class A { string s = $\"{c: N2}\"; }\n"),
                ("class A { string s = $\"{c:N 2}\"; }\n", "class A { string s = $\"{c:N  2}\"; }\n"),
                ("class A { string s = \"\"\"\n  a\n  \"\"\"; }\n", "class A { string s = \"\"\"\n  a\n \"\"\"; }\n"),
                ("class A { int ab; }\n", "class A { int a\u{200b}b; }\n"),
                ("class A { }\n#region a b\n#endregion\n", "class A { }\n#region a  b\n#endregion\n"),
                ("#if A\nclass A { }\n#endif\n", "#if A class A { }\n#endif\n"),
                ("#define A\nclass A { }\n", "#define A class A { }\n"),
            ],
        );
    }
}
