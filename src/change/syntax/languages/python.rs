//! Python: a name is public unless it starts with an underscore; indentation and line ends are syntax.

use super::{Candidate, Described, Language, Layout, Made};
use crate::change::syntax::EntityKind::{Class, Function};
use crate::change::syntax::gaps::Gap;

pub(super) static PYTHON: Language = Language {
    name: "Python",
    extensions: &["py", "pyi"],
    grammar: || tree_sitter_python::LANGUAGE.into(),
    declares: &[("function_definition", Function), ("class_definition", Class)],
    wrappers: &["decorated_definition"],
    attributes: &[],
    describe,
    exports: None,
    layout: Layout { code: &["concatenated_string"], gap, indented: true },
    highlights: &[tree_sitter_python::HIGHLIGHTS_QUERY, include_str!("../../../../assets/queries/python.scm")],
    made: Made::new(),
};

fn describe<'t>(candidate: &Candidate<'_, 't>) -> Option<Described<'t>> {
    let name = candidate.field("name")?;
    let dunder = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
    let public = dunder || !name.starts_with('_');
    Some(candidate.described(name, public))
}

/// Outside of brackets a line end ends a statement, wherever a block does not begin.
fn gap(gap: &Gap<'_>) -> u8 {
    u8::from(gap.breaks() && gap.brackets == 0 && !gap.opens_block)
}

#[cfg(test)]
mod tests {
    use crate::change::syntax::cases::{confirmed, entities, not_confirmed, outline};

    const POOL: &str = "import os\n\n\nclass Pool(Base):\n    size = 1\n\n    # Closes it.\n    @traced\n    @late(\n        1)\n    def close(\n        self,\n    ) -> None:\n        def inner():\n            pass\n        self.conns.clear()\n\n    def _expire(self): return 1\n\n    class Error(Exception):\n        def __str__(self):\n            # says\n            return ''\n\n\nasync def _main():\n    pass\n";

    #[test]
    fn declares_what_a_file_has() {
        let expected = [
            "4-23 4-4 class Pool public",
            "7-16 8-13 method Pool.close public",
            "14-15 14-14 function Pool.close.inner private",
            "18-18 18-18 method Pool._expire private",
            "20-23 20-20 class Pool.Error public",
            "21-23 21-21 method Pool.Error.__str__ public",
            "26-27 26-26 function _main private",
        ];
        assert_eq!(outline("a.py", POOL), expected);
    }

    #[test]
    fn names_what_a_hunk_touches() {
        let to = |from: &str, to: &str| entities("a.py", POOL, &POOL.replacen(from, to, 1));
        assert_eq!(to("self.conns.clear()", "pass"), ["method Pool.close public body"]);
        assert_eq!(to("@late(", "@later("), ["method Pool.close public declaration"]);
        assert_eq!(to("# Closes it.", "# Shuts it."), ["method Pool.close public body"]);
        assert_eq!(to("size = 1", "size = 2"), ["class Pool public body"]);
        assert_eq!(to("import os", "import re"), Vec::<String>::new());
        assert_eq!(to("return ''", "return 'x'"), ["method Pool.Error.__str__ public body"]);
        assert_eq!(to("_expire", "expire"), ["method Pool._expire private removed", "method Pool.expire public added"]);
        assert_eq!(to("async def _main():\n    pass\n", ""), ["function _main private removed"]);
        assert_eq!(to("            pass", "            return"), ["function Pool.close.inner private body"]);
    }

    #[test]
    fn an_addition_and_a_deletion_name_everything() {
        assert_eq!(entities("a.py", "", "def naïve():\n  pass\n"), ["function naïve public added"]);
        assert_eq!(entities("a.pyi", "class A:\r\n  x = 1\r\n", ""), ["class A public removed"]);
    }

    #[test]
    fn a_comment_before_the_first_member_belongs_to_it() {
        let file = "class A:\n    # about f\n    def f(self):\n        pass\n";
        assert_eq!(entities("a.py", file, &file.replace("about", "of")), ["method A.f public body"]);
    }

    #[test]
    fn layout_is_confirmed() {
        confirmed(
            "a.py",
            &[
                ("x = [1,2]\n", "x = [\n    1, 2\n]\n"),
                ("def f(a):\n  return a\n", "def f( a ):\n    return a\n"),
                ("if x: return\n", "if x:\n    return\n"),
                ("a\nb\n", "a\n\n\nb"),
                ("x = 1  # why\r\ny = 2\r\n", "x = 1 # why\ny = 2\n"),
                ("x = f(a\n  , b)\n", "x = f(a, b)\n"),
                ("class A:\n\tx = 1\n", "class A:\n    x = 1\n"),
            ],
        );
    }

    #[test]
    fn more_than_layout_is_not() {
        not_confirmed(
            "a.py",
            &[
                ("if x:\n    a()\n    b()\n", "if x:\n    a()\nb()\n"),
                (
                    "for x in y:\n    if x:\n        a()\n    b()\n",
                    "for x in y:\n    if x:\n        a()\n        b()\n",
                ),
                ("return a\n", "return\na\n"),
                ("x = f\n(a)\n", "x = f (a)\n"),
                ("x = a\n-b\n", "x = a -b\n"),
                ("x = 1\n", "x =\\\n 1\n"),
                ("x = 1\n", "x =\n 1\n"),
                ("x = 'a b'\n", "x = 'a  b'\n"),
                ("x = '''a\n b'''\n", "x = '''a\n  b'''\n"),
                ("x = '''a\nb'''\n", "x = '''a\r\nb'''\r\n"),
                ("x = f'{y=}'\n", "x = f'{y = }'\n"),
                ("x = f'{y:>4}'\n", "x = f'{y: >4}'\n"),
                ("x = f'{y:{w}}'\n", "x = f'{y: {w}}'\n"),
                ("x = 1 # a b\n", "x = 1 # a  b\n"),
                ("x = 1  # type: ignore\n", "x = 1\n# type: ignore\n"),
                ("#!/bin/x\nx = 1\n", "\n#!/bin/x\nx = 1\n"),
                ("# a\n# coding: latin-1\nx = 1\n", "# a\n\n# coding: latin-1\nx = 1\n"),
                ("x = a b\n", "x = a\u{a0}b\n"),
                ("ab = 1\n", "a\u{200b}b = 1\n"),
                ("x = 'ab'\n", "x = 'a\u{200b}b'\n"),
                ("a = 1\n\nb = 2\n", "a = 1\n\u{c}\nb = 2\n"),
                ("x = not a\n", "x = nota\n"),
                ("if x:\n        a()\n        b()\n", "if x:\n\ta()\n        b()\n"),
                ("try:\n  a()\nexcept: pass\nelse:\n  b()\n  c()\n", "try:\n  a()\nexcept: pass\nelse:\n  b()\nc()\n"),
            ],
        );
    }
}
