//! Go: a name is public when it starts with a capital; a line end may be a semicolon.

use tree_sitter::Node;

use super::{Candidate, Described, Language, Layout, Made};
use crate::change::syntax::EntityKind::{self, Function, Interface, Method, Struct, Type};
use crate::change::syntax::gaps::Gap;

pub(super) static GO: Language = Language {
    name: "Go",
    extensions: &["go"],
    grammar: || tree_sitter_go::LANGUAGE.into(),
    declares: &[
        ("function_declaration", Function),
        ("method_declaration", Method),
        ("type_spec", Type),
        ("type_alias", Type),
    ],
    wrappers: &["type_declaration"],
    attributes: &[],
    describe,
    exports: None,
    layout: Layout { code: &[], gap, indented: false },
    highlights: &[include_str!("../../../../assets/queries/go.scm")],
    made: Made::new(),
};

fn describe<'t>(candidate: &Candidate<'_, 't>) -> Option<Described<'t>> {
    let own = candidate.field("name")?;
    let public = own.chars().next().is_some_and(char::is_uppercase);
    let kind = match candidate.kind {
        Type => candidate.node.child_by_field_name("type").map_or(Type, type_kind),
        kind => kind,
    };
    let name = match kind {
        Method => match receiver(candidate) {
            Some(receiver) => format!("{receiver}.{own}"),
            None => own,
        },
        _ => own,
    };
    Some(Described { kind, ..candidate.described(name, public) })
}

fn type_kind(node: Node<'_>) -> EntityKind {
    match node.kind() {
        "struct_type" => Struct,
        "interface_type" => Interface,
        _ => Type,
    }
}

/// The name of the receiver's type, without its pointer and its parameters.
fn receiver(candidate: &Candidate<'_, '_>) -> Option<String> {
    let list = candidate.node.child_by_field_name("receiver")?;
    let declaration = list.named_children(&mut list.walk()).find(|child| child.kind() == "parameter_declaration")?;
    let mut node = declaration.child_by_field_name("type")?;
    while node.kind() != "type_identifier" {
        node = match node.kind() {
            "generic_type" => node.child_by_field_name("type")?,
            "pointer_type" | "parenthesized_type" => node.named_child(0)?,
            _ => return None,
        };
    }
    Some(candidate.name(node))
}

/// A line end after one of these is a semicolon.
fn gap(gap: &Gap<'_>) -> u8 {
    let ends = match gap.before {
        b"break" | b"continue" | b"fallthrough" | b"return" | b"++" | b"--" | b")" | b"]" | b"}" | b"\"" | b"`" => true,
        before => gap.before_named && !gap.before_comment && !before.is_empty(),
    };
    u8::from(gap.breaks() && ends)
}

#[cfg(test)]
mod tests {
    use crate::change::syntax::cases::{confirmed, entities, not_confirmed, outline};

    const SERVER: &str = "package a\n\n// Server serves.\ntype Server struct {\n\tName string\n}\n\ntype (\n\tcloser interface {\n\t\tClose() error\n\t}\n\n\tID = int\n)\n\nfunc (s *Server) Close(\n\tnow bool,\n) error {\n\ttype local int\n\treturn nil\n}\n\nfunc (m Map[K, V]) get(k K) V { return m[k] }\n\nfunc Élan() {\n}\n";

    #[test]
    fn declares_what_a_file_has() {
        let expected = [
            "3-6 4-6 struct Server public",
            "9-11 9-11 interface closer private",
            "13-13 13-13 type ID public",
            "16-21 16-18 method Server.Close public",
            "19-19 19-19 type Server.Close.local private",
            "23-23 23-23 method Map.get private",
            "25-26 25-25 function Élan public",
        ];
        assert_eq!(outline("a.go", SERVER), expected);
    }

    #[test]
    fn names_what_a_hunk_touches() {
        let to = |from: &str, to: &str| entities("a.go", SERVER, &SERVER.replacen(from, to, 1));
        assert_eq!(to("return nil", "return err"), ["method Server.Close public body"]);
        assert_eq!(to("now bool", "later bool"), ["method Server.Close public declaration"]);
        assert_eq!(to("Name string", "Name  string"), ["struct Server public declaration"]);
        assert_eq!(to("serves.", "listens."), ["struct Server public body"]);
        assert_eq!(to("Close() error", "Close()"), ["interface closer private declaration"]);
        assert_eq!(to("package a", "package b"), Vec::<String>::new());
        assert_eq!(to("Élan", "élan"), ["function Élan public removed", "function élan private added"]);
    }

    #[test]
    fn layout_is_confirmed() {
        confirmed(
            "a.go",
            &[
                ("package a\nfunc f(){\nreturn a+b\n}\n", "package a\n\nfunc f() {\n\treturn a + b\n}\n"),
                ("package a\nvar x = f(a,\nb)\n", "package a\nvar x = f(a, b)\n"),
                ("package a\r\n\r\n// c\r\nvar x = 1\r\n", "package a\n\n// c\nvar x = 1\n"),
                (
                    "package a\ntype T struct {\na int\nbc int\n}\n",
                    "package a\n\ntype T struct {\n\ta  int\n\tbc int\n}\n",
                ),
            ],
        );
    }

    #[test]
    fn more_than_layout_is_not() {
        not_confirmed(
            "a.go",
            &[
                ("package a\nfunc f() int {\nreturn a\n}\n", "package a\nfunc f() int {\nreturn\na\n}\n"),
                ("package a\nfunc f() {\nx := a\n(b)\n}\n", "package a\nfunc f() {\nx := a(b)\n}\n"),
                ("package a\nfunc f() {\nx := a\n-b\n}\n", "package a\nfunc f() {\nx := a -b\n}\n"),
                ("package a\nvar x = f(a)\n", "package a\nvar x = f(a\n)\n"),
                ("package a\nvar x = f(\"a\")\n", "package a\nvar x = f(\"a\"\n)\n"),
                ("package a\nfunc f() {\nif x {\n}\n}\n", "package a\nfunc f() {\nif x\n{\n}\n}\n"),
                ("package a\nvar x = `a b`\n", "package a\nvar x = `a  b`\n"),
                ("package a\nvar x = `a\nb`\n", "package a\nvar x = `a\r\nb`\n"),
                ("package a\nvar x = \"a b\"\n", "package a\nvar x = \"a\tb\"\n"),
                ("//go:build linux\n\npackage a\n", "//go:build linux\npackage a\n"),
                ("package a\n\n//go:noinline\nfunc f() {}\n", "package a\n\n//go:noinline\n\nfunc f() {}\n"),
                ("package a\n\n//go:noinline\nfunc f() {}\n", "package a\n\n //go:noinline\nfunc f() {}\n"),
                ("package a\n\n// #include <a.h>\nimport \"C\"\n", "package a\n\n// #include <a.h>\n\nimport \"C\"\n"),
                ("package a\nvar ab = 1\n", "package a\nvar a\u{200b}b = 1\n"),
                ("package a\nfunc f() {\nbreak\nL:\n}\n", "package a\nfunc f() {\nbreak L\n}\n"),
                ("package a\nvar x = a /* b\n */ + c\n", "package a\nvar x = a /* b */ + c\n"),
            ],
        );
    }
}
