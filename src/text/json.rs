//! JSON that may be shown: what acts on a terminal or hides itself is escaped, which changes nothing for its readers.

use super::needs_mark;

/// JSON in which characters that act or hide are escaped. Outside its strings JSON holds none but line feeds.
pub fn escaped_json(json: String) -> String {
    let acts = |c: char| c != '\n' && needs_mark(c);
    if !json.chars().any(acts) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if acts(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn json_holds_nothing_that_acts_and_says_the_same() {
        let value = serde_json::json!({ "a\u{7f}": "\u{1b}[8m \u{9b}8m \u{202e} \u{e0001} é\n" });
        let text = escaped_json(serde_json::to_string_pretty(&value).unwrap());
        assert!(text.contains(r"\u009b8m \u202e \udb40\udc01 é\n") && text.contains(r"a\u007f"), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
