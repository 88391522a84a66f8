//! Whatever changed and whatever names it, the built-in answer is there and passes its own checks.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use proptest::prelude::*;

use super::Cover;
use crate::ask::check::{Given, judge};
use crate::ask::fixtures::one_part;
use crate::ask::{Ask, spoken};

/// Lines of code, of tests, and of nobody's making.
fn any_text() -> impl Strategy<Value = String> {
    let line = "(def |fn |class |    |# |from |import |)(test_|)[a-zA-Z_.`\"'é\\[\\]0-9]{0,8}(\\(|:|=|)[a-z\\[\\]`0-9]{0,4}(\\):|)";
    let line = prop_oneof![5 => line.prop_map(|line| line.to_owned()), 1 => any::<String>()];
    proptest::collection::vec(line, 0..10).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_change_gets_an_answer_that_passes(
        base in any_text(), head in any_text(), test in any_text(), path in 0..4_usize,
        description in "(## Tested\n|by hand |manually |\\[1\\] |<!--|-->|- |\n|> |[a-z` \u{202e}]){0,60}",
    ) {
        prop_assume!(base != head);
        let path = ["a/b.py", "tests/test_a.py", "src/x.rs", "odd [1] name`"][path];
        let mut labelled = one_part(path, &base, &head);
        labelled.description = description;
        labelled.add_file("tests/test_b.py", Some(&test), Some(&test));
        let names: Vec<String> = labelled.subject().declared.iter().map(|d| spoken(&d.entity).to_owned()).collect();
        names.iter().for_each(|name| labelled.add_named(name, &[], &["tests/test_b.py", "tests/gone.py", "odd`[2]/test_c.py"]));
        let subject = labelled.subject();
        let answer = Cover.plain(&subject).unwrap().to_string();
        if let Err(failed) = judge(&Cover, &answer, &subject, &Given::All) {
            prop_assert!(false, "{failed:#?}\n{answer}");
        }
    }
}
