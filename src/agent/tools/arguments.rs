//! Arguments of the tools: schemas that every vendor's strict mode takes, and reading that forgives what is plain.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error, Unexpected};
use serde_json::{Map, Value, json};

use super::Refusal;
use crate::change::Side;
use crate::text::clean;

/// Characters of what is wrong with arguments, and of what a call is said to do.
const SHORT_CHARS: usize = 200;

/// One of the two trees, as an agent names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum SideArgument {
    Head,
    Base,
}

impl From<SideArgument> for Side {
    fn from(side: SideArgument) -> Self {
        match side {
            SideArgument::Head => Self::Head,
            SideArgument::Base => Self::Base,
        }
    }
}

/// The schema of a type of arguments: every property required, optional ones nullable, nothing else allowed.
pub fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    strict(&mut schema);
    schema
}

fn strict(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    for key in ["title", "format", "default", "minimum"] {
        object.remove(key);
    }
    flatten_nullable(object);
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(strict);
        let names: Vec<String> = properties.keys().cloned().collect();
        object.insert("required".to_owned(), json!(names));
        object.insert("additionalProperties".to_owned(), json!(false));
    }
}

/// `anyOf` of something and null becomes that something with null among its types and values.
fn flatten_nullable(object: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = object.get("anyOf") else { return };
    let [Value::Object(first), second] = choices.as_slice() else { return };
    if second != &json!({"type": "null"}) {
        return;
    }
    let mut first = first.clone();
    if let Some(kind @ Value::String(_)) = first.get_mut("type") {
        *kind = json!([kind.clone(), "null"]);
    }
    if let Some(Value::Array(values)) = first.get_mut("enum") {
        values.push(Value::Null);
    }
    object.remove("anyOf");
    object.extend(first);
}

/// Reads arguments. Optional ones may be missing; no arguments at all are an empty object.
///
/// # Errors
/// What is wrong with them.
pub fn read<T: DeserializeOwned>(arguments: &Value) -> Result<T, Refusal> {
    let empty = Value::Object(Map::new());
    let arguments = if arguments.is_null() { &empty } else { arguments };
    T::deserialize(arguments).map_err(|error| {
        Refusal::new(format!("The arguments are not those of the tool's schema: {}.", short(&error.to_string())))
    })
}

/// A number counted from 1. Models at times write numbers as text.
pub fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let wrong = |what: Unexpected<'_>| D::Error::invalid_value(what, &"a whole number that is not negative");
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(None),
        Value::Number(number) => {
            let whole =
                number.as_u64().or_else(|| number.as_f64().filter(|n| n.fract() == 0.0 && *n >= 0.0).map(|n| n as u64));
            let whole = whole.ok_or_else(|| wrong(Unexpected::Other(&number.to_string())))?;
            Ok(Some(u32::try_from(whole).unwrap_or(u32::MAX)))
        }
        Value::String(text) if text.trim().is_empty() => Ok(None),
        Value::String(text) => text.trim().parse().map(Some).map_err(|_| wrong(Unexpected::Other(&short(&text)))),
        _ => Err(wrong(Unexpected::Other("something else"))),
    }
}

/// A text argument as it came, shortened, for the words of what a call does.
pub fn peek<'a>(arguments: &'a Value, name: &str) -> Option<&'a str> {
    let text = arguments.get(name)?.as_str()?;
    Some(text.char_indices().nth(SHORT_CHARS).map_or(text, |(end, _)| &text[..end]))
}

/// The words for the side that arguments name, to stand at the end; nothing for the head.
pub fn peek_side(arguments: &Value) -> &'static str {
    if peek(arguments, "side") == Some("base") { " (base)" } else { "" }
}

fn short(text: &str) -> String {
    clean(&text.chars().take(SHORT_CHARS).collect::<String>()).into_string()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema and its reading are looked at")]
    struct Sample {
        /// Which.
        path: String,
        /// The side.
        side: Option<SideArgument>,
        #[serde(default, deserialize_with = "number")]
        #[schemars(with = "Option<u32>")]
        line: Option<u32>,
    }

    #[test]
    fn schemas_are_strict() {
        assert_eq!(
            schema::<Sample>(),
            json!({
                "type": "object",
                "properties": {
                    "path": {"description": "Which.", "type": "string"},
                    "side": {"description": "The side.", "type": ["string", "null"], "enum": ["head", "base", null]},
                    "line": {"type": ["integer", "null"]},
                },
                "required": ["path", "side", "line"],
                "additionalProperties": false,
            })
        );
    }

    #[test]
    fn forgives_what_is_plain_and_says_what_is_not() {
        for line in [json!(3), json!("3"), json!(3.0), json!(" 3 ")] {
            assert_eq!(read::<Sample>(&json!({"path": "a", "line": line})).unwrap().line, Some(3));
        }
        assert_eq!(read::<Sample>(&json!({"path": "a", "line": null, "side": null})).unwrap().line, None);
        for (arguments, part) in [
            (json!({}), "missing field `path`"),
            (Value::Null, "missing field `path`"),
            (json!([1]), "invalid"),
            (json!({"path": "a", "line": -1}), "-1"),
            (json!({"path": "a", "line": "x\u{1b}"}), "x^["),
            (json!({"path": "a", "side": "left"}), "`head` or `base`"),
            (json!({"path": "a", "more": 1}), "unknown field `more`"),
        ] {
            let words = read::<Sample>(&arguments).unwrap_err().words;
            assert!(words.contains(part), "{words}");
        }
    }
}
