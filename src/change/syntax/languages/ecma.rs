//! TypeScript, TSX and JavaScript: what is exported is public; a line end may be a semicolon.

use tree_sitter::Node;

use super::{Candidate, Described, Language, Layout, Made};
use crate::change::syntax::EntityKind::{self, Class, Enum, Function, Interface, Method, Type};
use crate::change::syntax::gaps::Gap;

const JAVASCRIPT_KINDS: &[(&str, EntityKind)] = &[
    ("function_declaration", Function),
    ("generator_function_declaration", Function),
    ("variable_declarator", Function),
    ("function_expression", Function),
    ("generator_function", Function),
    ("arrow_function", Function),
    ("class_declaration", Class),
    ("class", Class),
    ("method_definition", Method),
    ("field_definition", Method),
];

const TYPESCRIPT_KINDS: &[(&str, EntityKind)] = &[
    ("function_declaration", Function),
    ("generator_function_declaration", Function),
    ("function_signature", Function),
    ("variable_declarator", Function),
    ("function_expression", Function),
    ("generator_function", Function),
    ("arrow_function", Function),
    ("class_declaration", Class),
    ("abstract_class_declaration", Class),
    ("class", Class),
    ("method_definition", Method),
    ("method_signature", Method),
    ("abstract_method_signature", Method),
    ("public_field_definition", Method),
    ("interface_declaration", Interface),
    ("enum_declaration", Enum),
    ("type_alias_declaration", Type),
];

const LAYOUT: Layout = Layout { code: &["template_substitution"], gap, indented: false };
const TYPED_LAYOUT: Layout = Layout { code: &["template_substitution", "template_type"], gap, indented: false };
const OWN: &str = include_str!("../../../../assets/queries/ecma.scm");
const OWN_TYPED: &str = include_str!("../../../../assets/queries/typescript.scm");

pub(super) static TYPESCRIPT: Language = Language {
    name: "TypeScript",
    extensions: &["ts", "mts", "cts"],
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    declares: TYPESCRIPT_KINDS,
    wrappers: &["ambient_declaration", "lexical_declaration", "variable_declaration", "export_statement"],
    attributes: &["decorator"],
    describe,
    exports: Some(exports),
    layout: TYPED_LAYOUT,
    highlights: &[tree_sitter_javascript::HIGHLIGHT_QUERY, tree_sitter_typescript::HIGHLIGHTS_QUERY, OWN, OWN_TYPED],
    made: Made::new(),
};

pub(super) static TSX: Language = Language {
    name: "TSX",
    extensions: &["tsx"],
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    highlights: &[
        tree_sitter_javascript::HIGHLIGHT_QUERY,
        tree_sitter_javascript::JSX_HIGHLIGHT_QUERY,
        tree_sitter_typescript::HIGHLIGHTS_QUERY,
        OWN,
        OWN_TYPED,
    ],
    declares: TYPESCRIPT_KINDS,
    wrappers: &["ambient_declaration", "lexical_declaration", "variable_declaration", "export_statement"],
    attributes: &["decorator"],
    describe,
    exports: Some(exports),
    layout: TYPED_LAYOUT,
    made: Made::new(),
};

pub(super) static JAVASCRIPT: Language = Language {
    name: "JavaScript",
    extensions: &["js", "mjs", "cjs", "jsx"],
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    declares: JAVASCRIPT_KINDS,
    wrappers: &["lexical_declaration", "variable_declaration", "export_statement"],
    attributes: &["decorator"],
    describe,
    exports: Some(exports),
    layout: LAYOUT,
    highlights: &[tree_sitter_javascript::HIGHLIGHT_QUERY, tree_sitter_javascript::JSX_HIGHLIGHT_QUERY, OWN],
    made: Made::new(),
};

fn describe<'t>(candidate: &Candidate<'_, 't>) -> Option<Described<'t>> {
    let node = candidate.node;
    let (name, kind, holder) = match node.kind() {
        "variable_declarator" | "field_definition" | "public_field_definition" => {
            let value = node.child_by_field_name("value")?;
            let kind = match value.kind() {
                "arrow_function" | "function_expression" | "generator_function" => candidate.kind,
                "class" => Class,
                _ => return None,
            };
            let field = if node.kind() == "field_definition" { "property" } else { "name" };
            (candidate.field(field)?, kind, value)
        }
        "function_expression" | "generator_function" | "arrow_function" | "class" => {
            let around = candidate.parent.map(|parent| parent.kind());
            let name = match around {
                Some("export_statement") => candidate.field("name").unwrap_or_else(|| "default".to_owned()),
                // The declaration around it has named it.
                Some("variable_declarator" | "field_definition" | "public_field_definition") => return None,
                _ if node.kind() == "class" => candidate.field("name")?,
                _ => return None,
            };
            (name, candidate.kind, node)
        }
        _ => (candidate.field("name")?, candidate.kind, node),
    };
    let public = match candidate.within {
        None => candidate.wrappers.contains(&"export_statement"),
        Some(_) => !name.starts_with('#') && !candidate.has_word("accessibility_modifier", &["private"]),
    };
    Some(Described { name, kind, public, holder, whole: false })
}

/// The names a statement such as `export { a, b as c }` or `export default a` makes public.
fn exports(node: Node<'_>, source: &[u8]) -> Vec<String> {
    let text = |node: Node<'_>| String::from_utf8_lossy(source.get(node.byte_range()).unwrap_or_default()).into_owned();
    if node.kind() != "export_statement" || node.child_by_field_name("source").is_some() {
        return Vec::new();
    }
    if let Some(value) = node.child_by_field_name("value").filter(|value| value.kind() == "identifier") {
        return vec![text(value)];
    }
    let Some(clause) = node.children(&mut node.walk()).find(|child| child.kind() == "export_clause") else {
        return Vec::new();
    };
    clause.named_children(&mut clause.walk()).filter_map(|child| child.child_by_field_name("name")).map(text).collect()
}

/// A line end counts wherever a semicolon could be put there: unless one side cannot end or begin a statement.
fn gap(gap: &Gap<'_>) -> u8 {
    if gap.owner.starts_with("jsx_") {
        return u8::from(is_content(gap));
    }
    let conditional = matches!(gap.owner, "if_statement" | "for_statement" | "for_in_statement" | "while_statement");
    let ignored = conditional || goes_on(gap.before) || cannot_begin(gap.after);
    u8::from(gap.breaks() && (is_contextual(gap.before) || !ignored))
}

/// Between elements, blanks without a line end are shown.
fn is_content(gap: &Gap<'_>) -> bool {
    matches!(gap.owner, "jsx_element" | "jsx_fragment") && gap.is_blank() && !gap.breaks()
}

/// Words that are a name when their line ends there.
fn is_contextual(before: &[u8]) -> bool {
    matches!(
        before,
        b"async"
            | b"get"
            | b"set"
            | b"static"
            | b"accessor"
            | b"readonly"
            | b"declare"
            | b"abstract"
            | b"public"
            | b"private"
            | b"protected"
            | b"override"
            | b"type"
            | b"namespace"
            | b"module"
            | b"interface"
            | b"yield"
            | b"return"
            | b"throw"
            | b"break"
            | b"continue"
            | b"await"
            | b"using"
            | b"asserts"
            | b"as"
            | b"satisfies"
            | b"is"
            | b"infer"
            | b"keyof"
            | b"unique"
            | b"global"
            | b"let"
            | b"of"
    )
}

/// Whether no statement can end with this token.
fn goes_on(before: &[u8]) -> bool {
    match before {
        b"++" | b"--" | b"!" | b")" | b"]" | b"}" | b">" | b"/" | b"?" | b"*" => false,
        b"else" | b"do" | b"case" | b"extends" | b"implements" | b"in" | b"instanceof" | b"const" | b"var" | b"new"
        | b"typeof" | b"void" | b"delete" | b"import" | b"export" | b"from" => true,
        b"." | b"?." | b"..." => true,
        _ => before.first().is_some_and(|byte| b"([{,;:=+-%&|^~<!*?>".contains(byte)),
    }
}

/// Whether no statement and no member can begin with this token.
fn cannot_begin(after: &[u8]) -> bool {
    match after {
        b"++" | b"--" | b"=>" | b"!" => false,
        b"else" | b"catch" | b"finally" | b"extends" | b"implements" | b"in" | b"instanceof" | b"from" => true,
        b")" | b"]" | b"}" | b"," | b";" | b":" | b"." | b"?." | b"?" | b"??" | b"=" | b"&&" | b"||" | b"&" | b"|"
        | b"^" | b"+" | b"-" | b"%" | b">" | b">=" | b"==" | b"===" | b"!=" | b"!==" | b"${" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::change::syntax::cases::{confirmed, entities, not_confirmed, outline};

    const POOL: &str = "import a from 'a';\n\n/** A pool. */\n@traced\nexport default class Pool extends Base {\n  size = 1;\n  #hidden() {}\n  private expire(): void {}\n  @late()\n  close(\n    now: boolean,\n  ) {\n    const inner = () => 1;\n    return inner();\n  }\n  onClose = async () => {\n    this.close();\n  };\n  abstract x(): void;\n  static get y() { return 1 }\n}\n\nexport const twice = (a: number) =>\n  a * 2;\n\nconst half = function* () {}, third = () => {\n  return 3;\n}, four = 4;\n\nexport interface Closer { close(): void }\ndeclare function old(): void;\nexport declare enum Kind { A }\ntype Id = string;\nexport abstract class Shape {}\nconst Named = class {\n  m() {}\n};\nfunction* later() {}\nexport { later, Named as Other };\n";

    #[test]
    fn declares_what_a_file_has() {
        let expected = [
            "3-21 4-5 class Pool public",
            "7-7 7-7 method Pool.#hidden private",
            "8-8 8-8 method Pool.expire private",
            "9-15 9-12 method Pool.close public",
            "13-13 13-13 function Pool.close.inner private",
            "16-18 16-16 method Pool.onClose public",
            "19-19 19-19 method Pool.x public",
            "20-20 20-20 method Pool.y public",
            "23-24 23-23 function twice public",
            "26-26 26-26 function half private",
            "26-28 26-26 function third private",
            "30-30 30-30 interface Closer public",
            "30-30 30-30 method Closer.close public",
            "31-31 31-31 function old private",
            "32-32 32-32 enum Kind public",
            "33-33 33-33 type Id private",
            "34-34 34-34 class Shape public",
            "35-37 35-35 class Named public",
            "36-36 36-36 method Named.m public",
            "38-38 38-38 function later public",
        ];
        assert_eq!(outline("a.ts", POOL), expected);
        assert_eq!(outline("a.tsx", POOL), expected);
    }

    #[test]
    fn names_what_a_hunk_touches() {
        let to = |from: &str, to: &str| entities("a.ts", POOL, &POOL.replacen(from, to, 1));
        assert_eq!(to("return inner()", "return 2"), ["method Pool.close public body"]);
        assert_eq!(to("now: boolean", "now: string"), ["method Pool.close public declaration"]);
        assert_eq!(to("@late()", "@later()"), ["method Pool.close public declaration"]);
        assert_eq!(to("@traced", "@untraced"), ["class Pool public declaration"]);
        assert_eq!(to("A pool.", "The pool."), ["class Pool public body"]);
        assert_eq!(to("a * 2", "a * 3"), ["function twice public body"]);
        assert_eq!(to("(a: number)", "(b: number)"), ["function twice public declaration"]);
        assert_eq!(to("size = 1", "size = 2"), ["class Pool public body"]);
        assert_eq!(to("this.close()", "this.x()"), ["method Pool.onClose public body"]);
        assert_eq!(to("import a", "import b"), Vec::<String>::new());
        let both = ["function half private declaration", "function third private declaration"];
        assert_eq!(to("const half = f", "let half = f"), both);
        assert_eq!(to("return 3;", "return 4;"), ["function third private body"]);
        assert_eq!(to("type Id = string", "type Id = number"), ["type Id private declaration"]);
        let renamed = ["function later public removed", "function never private added"];
        assert_eq!(to("function* later", "function* never"), renamed);
    }

    #[test]
    fn javascript_is_read_too() {
        let file = "export default function () {\n  return 1;\n}\nexport const A = () => <div>\n</div>;\nclass B {\n  static #x = () => 1;\n  ['a b']() {}\n  handle = () => {\n  };\n}\nmodule.exports = { run() { return 1; }, skip: function () {} };\nvar a, b = function named() {};\nexport default b;\n";
        let expected = [
            "1-3 1-1 function default public",
            "4-5 4-4 function A public",
            "6-11 6-6 class B private",
            "7-7 7-7 method B.#x private",
            "8-8 8-8 method B.['a b'] private",
            "9-10 9-9 method B.handle private",
            "12-12 12-12 method run private",
            "13-13 13-13 function b public",
        ];
        assert_eq!(outline("a.jsx", file), expected);
    }

    #[test]
    fn layout_is_confirmed() {
        let pairs = [
            ("function f(a,b){return a+b}\n", "function f(\n  a, b\n) {\n  return a + b\n}\n"),
            ("f(a, b).then(c)\n", "f(\n  a,\n  b\n)\n  .then(c)\n"),
            ("x = a ? b : c;\n", "x = a\n  ? b\n  : c;\n"),
            ("x = a && b;\n", "x =\n  a &&\n  b;\n"),
            ("if (a) return;\n", "if (a)\n  return;\n"),
            ("if (a) { b } else { c }\n", "if (a) {\n  b\n}\nelse {\n  c\n}\n"),
            ("const f = (a) => a;\n", "const f = (a) =>\n  a;\n"),
            ("a;\r\n// b\r\nc;\r\n", "a;\n// b\nc;\n"),
            ("x = `a ${b} c`;\n", "x = `a ${ b } c`;\n"),
            ("class A extends B { m() {} }\n", "class A\n  extends B {\n  m() {}\n}\n"),
            ("try { a() } catch { b() }\n", "try {\n  a()\n}\ncatch {\n  b()\n}\n"),
        ];
        confirmed("a.js", &pairs);
        confirmed("a.ts", &pairs);
        confirmed(
            "a.ts",
            &[("type A = B | C;\n", "type A =\n  B |\n  C;\n"), ("f<A, B>(c);\n", "f<\n  A,\n  B\n>(c);\n")],
        );
        let jsx = [
            ("x = <a b={1} c='2' />;\n", "x = <a\n  b={1}\n  c='2'\n/>;\n"),
            ("x = <a><b /></a>;\n", "x = <a>\n  <b />\n</a>;\n"),
            ("x = <a>\n hi there\n you\n</a>;\n", "x = <a>\n    hi there\n    you\n  </a>;\n"),
        ];
        confirmed("a.jsx", &jsx);
        confirmed("a.tsx", &jsx);
    }

    #[test]
    fn more_than_layout_is_not() {
        let pairs = [
            ("function f() { return a }\n", "function f() { return\n a }\n"),
            ("x = a\n++b\n", "x = a++\nb\n"),
            ("a\n++\nb\n", "a ++\nb\n"),
            ("async function f() {}\n", "async\nfunction f() {}\n"),
            ("throw a\n", "throw\na\n"),
            ("for (;;) { continue a }\n", "for (;;) { continue\n a }\n"),
            ("function* f() { yield a }\n", "function* f() { yield\n a }\n"),
            ("function* f() { yield* a }\n", "function* f() { yield\n* a }\n"),
            ("x = a => b\n", "x = a\n=> b\n"),
            ("x = async a => b\n", "x = async\na => b\n"),
            ("while (x --> 0) y\n", "while (x\n--> 0) y\n"),
            ("class A { async x() {} }\n", "class A { async\nx() {} }\n"),
            ("class A { async *x() {} }\n", "class A { async\n*x() {} }\n"),
            ("class A { static x }\n", "class A { static\nx }\n"),
            ("class A { get x() {} }\n", "class A { get\nx() {} }\n"),
            ("x = a\ny = b\n", "x = a; y = b\n"),
            ("x = 'a b'\n", "x = 'a  b'\n"),
            ("x = `a ${b} c`\n", "x = `a ${b}  c`\n"),
            ("x = `${a} ${b}`\n", "x = `${a}${b}`\n"),
            ("x = `a\nb`\n", "x = `a\r\nb`\n"),
            ("x = /a b/\n", "x = /a  b/\n"),
            ("x = a + +b\n", "x = a ++b\n"),
            ("x = 1 // a\ny\n", "x = 1\n// a\ny\n"),
            ("ab\n", "a\u{200b}b\n"),
            ("x = 'ab'\n", "x = 'a\u{a0}b'\n"),
            ("a = b\u{2028}c\n", "a = b c\n"),
            ("#!/bin/x\na\n", "\n#!/bin/x\na\n"),
        ];
        not_confirmed("a.js", &pairs);
        not_confirmed("a.ts", &pairs);
        let typed = [
            ("type A = B\n", "type\nA = B\n"),
            ("interface A { b: C\n[d: string]: E }\n", "interface A { b: C [d: string]: E }\n"),
            ("declare namespace A {}\n", "declare\nnamespace A {}\n"),
            ("abstract class A {}\n", "abstract\nclass A {}\n"),
            ("x = a as B\n", "x = a\nas B\n"),
            ("x = a!\n", "x = a\n!\n"),
            ("class A { readonly x }\n", "class A { readonly\nx }\n"),
            ("interface A { a: B; (c): D }\n", "interface A { a: B\n(c): D }\n"),
            ("type A = `a ${B} c`\n", "type A = `a ${B}  c`\n"),
        ];
        not_confirmed("a.ts", &typed);
    }

    #[test]
    fn blanks_that_elements_show_are_not() {
        let pairs = [
            ("x = <a><b /> <c /></a>;\n", "x = <a><b /><c /></a>;\n"),
            ("x = <a><b /> <c /></a>;\n", "x = <a><b />\n<c /></a>;\n"),
            ("x = <a>{b} {c}</a>;\n", "x = <a>{b}{c}</a>;\n"),
            ("x = <a>{b} {c}</a>;\n", "x = <a>{b}\n{c}</a>;\n"),
            ("x = <a> b</a>;\n", "x = <a>b</a>;\n"),
            ("x = <a>b c</a>;\n", "x = <a>b  c</a>;\n"),
            ("x = <a>b &amp;\n c</a>;\n", "x = <a>b &amp;c</a>;\n"),
            ("x = <a>b\n &amp;c</a>;\n", "x = <a>b&amp;c</a>;\n"),
            ("x = <a>&lt;\n &amp;</a>;\n", "x = <a>&lt;&amp;</a>;\n"),
            ("x = <a b='c d' />;\n", "x = <a b='c  d' />;\n"),
        ];
        not_confirmed("a.jsx", &pairs);
        not_confirmed("a.tsx", &pairs);
    }
}
