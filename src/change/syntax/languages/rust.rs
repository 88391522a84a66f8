//! Rust: what says plain `pub` is public, and so are impls and what stands in a trait.

use tree_sitter::Node;

use super::{Candidate, Described, Language, Layout, Made};
use crate::change::syntax::EntityKind::{Enum, Function, Impl, Struct, Trait};
use crate::change::syntax::gaps::Gap;

pub(super) static RUST: Language = Language {
    name: "Rust",
    extensions: &["rs"],
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    declares: &[
        ("function_item", Function),
        ("function_signature_item", Function),
        ("struct_item", Struct),
        ("union_item", Struct),
        ("enum_item", Enum),
        ("trait_item", Trait),
        ("impl_item", Impl),
    ],
    wrappers: &[],
    attributes: &["attribute_item"],
    describe,
    exports: None,
    layout: Layout { code: &[], gap, indented: false },
    highlights: &[tree_sitter_rust::HIGHLIGHTS_QUERY, include_str!("../../../../assets/queries/rust.scm")],
    made: Made::new(),
};

fn describe<'t>(candidate: &Candidate<'_, 't>) -> Option<Described<'t>> {
    if candidate.kind == Impl {
        let name = base_type(candidate, candidate.node.child_by_field_name("type")?);
        return Some(candidate.described(name, true));
    }
    let public = candidate.within == Some(Trait) || is_pub(candidate);
    Some(candidate.described(candidate.field("name")?, public))
}

/// Plain `pub`; `pub(crate)` and its like do not count.
fn is_pub(candidate: &Candidate<'_, '_>) -> bool {
    let node = candidate.node;
    node.children(&mut node.walk())
        .any(|child| child.kind() == "visibility_modifier" && candidate.text(child) == b"pub")
}

/// The name of the type an impl is for, without path, reference and generics.
fn base_type(candidate: &Candidate<'_, '_>, node: Node<'_>) -> String {
    let mut node = node;
    loop {
        let inner = match node.kind() {
            "generic_type" | "reference_type" => node.child_by_field_name("type"),
            "scoped_type_identifier" => node.child_by_field_name("name"),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return candidate.name(node),
        }
    }
}

/// A macro can see whether two signs touch; nothing else in Rust can.
fn gap(gap: &Gap<'_>) -> u8 {
    let in_macro = gap.owner.starts_with("token_") || gap.owner.starts_with("macro_");
    let sign =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_punctuation() && !b"_\"()[]{},;".contains(byte));
    let touching = sign(gap.before.last()) && (sign(gap.after.first()) || gap.before.ends_with(b"'"));
    u8::from(in_macro && touching && gap.is_blank())
}

#[cfg(test)]
mod tests {
    use crate::change::syntax::cases::{confirmed, entities, not_confirmed, outline};

    const POOL: &str = "//! Pools.\nuse std::fmt;\n\n/// A pool.\n#[derive(Debug)]\npub struct Pool<T> {\n    pub size: usize,\n}\n\nimpl<T> fmt::Display for Pool<T> {\n    fn fmt(&self) -> fmt::Result {\n        Ok(())\n    }\n}\n\npub(crate) trait Close {\n    fn close(&self);\n    fn twice(&self)\n    where\n        Self: Sized,\n    {\n        self.close();\n    }\n}\n\nimpl Close for &'static other::Kind<u8> {\n    fn close(&self) {}\n}\n\npub enum E { A, B }\nunion U { a: u8 }\n\npub fn main() {\n    fn inner() {}\n}\n\nmod tests {\n    #[test]\n    // odd\n    pub fn works() {}\n}\n";

    #[test]
    fn declares_what_a_file_has() {
        let expected = [
            "4-8 5-8 struct Pool public",
            "10-14 10-10 impl Pool public",
            "11-13 11-11 method Pool.fmt private",
            "16-24 16-24 trait Close private",
            "17-17 17-17 method Close.close private",
            "18-23 18-21 method Close.twice private",
            "26-28 26-26 impl Kind public",
            "27-27 27-27 method Kind.close private",
            "30-30 30-30 enum E public",
            "31-31 31-31 struct U private",
            "33-35 33-33 function main public",
            "34-34 34-34 function main.inner private",
            "38-40 38-40 function works public",
        ];
        assert_eq!(outline("a.rs", POOL), expected);
    }

    #[test]
    fn names_what_a_hunk_touches() {
        let to = |from: &str, to: &str| entities("a.rs", POOL, &POOL.replacen(from, to, 1));
        assert_eq!(to("Ok(())", "Err(e)"), ["method Pool.fmt private body"]);
        assert_eq!(to("#[derive(Debug)]", "#[derive(Clone)]"), ["struct Pool public declaration"]);
        assert_eq!(to("/// A pool.", "/// The pool."), ["struct Pool public body"]);
        assert_eq!(to("size: usize", "size: u8"), ["struct Pool public declaration"]);
        assert_eq!(to("self.close();", "self.close()"), ["method Close.twice private body"]);
        assert_eq!(to("Self: Sized,", "Self: Copy,"), ["method Close.twice private declaration"]);
        assert_eq!(
            to("fn inner() {}", "let x = 1;"),
            ["function main.inner private removed", "function main public body"]
        );
        assert_eq!(to("use std::fmt;", "use core::fmt;"), Vec::<String>::new());
        assert_eq!(to("#[test]", "#[ignore]"), ["function works public declaration"]);
    }

    #[test]
    fn an_impl_is_not_its_type() {
        let with = "struct A;\n\nimpl A {\n    pub fn new() {}\n}\n";
        assert_eq!(entities("a.rs", "struct A;\n", with), ["impl A public added", "method A.new public added"]);
        let public = with.replace("struct", "pub struct");
        assert_eq!(entities("a.rs", with, &public)[..1], ["struct A public declaration"]);
    }

    #[test]
    fn layout_is_confirmed() {
        confirmed(
            "a.rs",
            &[
                ("fn f(a:u8)->u8{a+1}\n", "fn f(a: u8) -> u8 {\n    a + 1\n}\n"),
                ("/// a\nfn f() {}\n", "/// a\nfn f()\n  {}\n"),
                ("mod a {\n  /// a\n  fn f() {}\n}\n", "mod a {\n    /// a\n    fn f() {}\n}\n"),
                ("/// a\r\nfn f() {}\r\n", "/// a\nfn f() {}\n"),
                ("/* a\r\n b */ fn f() {}\r\n", "/* a\n b */ fn f() {}\n"),
                ("fn f() { g!(a,b) }\n", "fn f() { g!( a, b ) }\n"),
                ("type A = Vec<Vec<u8>>;\n", "type A = Vec<Vec<u8> >;\n"),
            ],
        );
    }

    #[test]
    fn more_than_layout_is_not() {
        not_confirmed(
            "a.rs",
            &[
                ("/// a b\nfn f() {}\n", "/// a  b\nfn f() {}\n"),
                ("/// a\nfn f() {}\n", "/// a\n\n// b\nfn f() {}\n"),
                ("///a\nfn f() {}\n", "/// a\nfn f() {}\n"),
                ("const A: &str = \"a b\";\n", "const A: &str = \"a  b\";\n"),
                ("const A: &str = \"a \\\n b\";\n", "const A: &str = \"a \\\n\n b\";\n"),
                ("const A: &str = r\"a\nb\";\n", "const A: &str = r\"a\r\nb\";\n"),
                ("const A: char = ' ';\n", "const A: char = '\t';\n"),
                ("m! { a => b }\n", "m! { a = > b }\n"),
                ("m! { a && b }\n", "m! { a & & b }\n"),
                ("m! { 'a b }\n", "m! { ' a b }\n"),
                ("m! { a.b..c }\n", "m! { a.b. .c }\n"),
                ("fn f() {} // a\nfn g() {}\n", "fn f() {}\n// a\nfn g() {}\n"),
                ("fn ab() {}\n", "fn a\u{200b}b() {}\n"),
                ("const A: &str = \"a b\";\n", "const A: &str = \"a\u{a0}b\";\n"),
                ("fn f() { a - 1 }\n", "fn f() { a; -1 }\n"),
            ],
        );
    }
}
