//! `schema`: the text is one JSON value of the answer's shape. The shape itself is read by the ask's own type.

use serde_json::Value;

/// The check's name.
pub const NAME: &str = "schema";

/// Bytes of the longest answer read.
const LIMIT: usize = 64 * 1024;

/// Reads the one JSON value of a text, which may stand in one fenced code block.
///
/// # Errors
/// What is wrong, in one sentence.
pub fn parse(text: &str) -> Result<Value, String> {
    if text.len() > LIMIT {
        return Err(format!("The answer has {} bytes, more than the {LIMIT} that are read.", text.len()));
    }
    let trimmed = text.trim();
    serde_json::from_str(unfenced(trimmed).unwrap_or(trimmed))
        .map_err(|error| format!("The answer is not one JSON value: {error}. Give the JSON value and nothing else."))
}

/// What stands in a fence that is the whole text.
fn unfenced(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("```")?.strip_suffix("```")?;
    let (language, body) = inner.split_once('\n')?;
    language.trim().chars().all(char::is_alphanumeric).then_some(body)
}

/// Reads a value as the answer's type.
///
/// # Errors
/// What is wrong, in one sentence.
pub fn read<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| format!("The answer does not have the shape asked for: {error}."))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn takes_one_value_alone_or_fenced() {
        assert_eq!(parse(" {\"a\": 1}\n").unwrap()["a"], 1);
        assert_eq!(parse("```json\n{\"a\": 1}\n```").unwrap()["a"], 1);
        assert!(parse("Here it is: {\"a\": 1}").unwrap_err().contains("nothing else"));
        assert!(parse("{\"a\": 1} {\"a\": 2}").is_err());
        assert!(parse("").is_err());
        assert!(parse(&format!("\"{}\"", "x".repeat(LIMIT))).unwrap_err().contains("bytes"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            drop(parse(&text));
            drop(parse(&format!("```{text}```")));
        }
    }
}
