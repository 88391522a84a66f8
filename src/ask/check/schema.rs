//! `schema`: the text is one JSON value of the answer's shape. The shape itself is read by the ask's own type.
//!
//! Schemas are made from those types in the narrow form that every provider takes in its strict mode: closed objects,
//! every field required (one that may be missing may be null), nothing referred to elsewhere.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The check's name.
pub const NAME: &str = "schema";

/// Bytes of the longest answer read.
const LIMIT: usize = 64 * 1024;

/// The schema of an answer's type.
pub fn of<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    narrow(&mut schema);
    schema
}

/// Takes out what not every provider knows, and requires every field.
fn narrow(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    for word in ["title", "format", "minimum", "default"] {
        object.remove(word);
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(narrow);
        let names: Vec<Value> = properties.keys().map(|name| Value::from(name.as_str())).collect();
        object.insert("required".to_owned(), Value::from(names));
    }
    object.get_mut("items").into_iter().for_each(narrow);
}

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
