//! What counts as an answer that came as text.

use super::*;

#[test]
fn text_is_an_answer_only_where_it_is_nothing_else() {
    for (text, value) in [
        (" {\"a\": 1}\n", Some("{\"a\": 1}")),
        ("```json\n{\"a\": 1}\n```", Some("{\"a\": 1}")),
        ("```\n{}\n```", Some("{}")),
        ("Here it is: {\"a\": 1}", None),
        ("{\"a\": 1} {\"b\": 2}", None),
        ("42", None),
        ("\"done\"", None),
        ("{\"a\": ", None),
        ("", None),
    ] {
        assert_eq!(the_one_value(text), value, "{text}");
    }
}
