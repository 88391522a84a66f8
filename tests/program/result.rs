//! Reads what `review --json` prints back into what git says.

use std::collections::BTreeMap;

use base64::Engine as _;
use serde_json::Value;

use crate::patch::{File, Hunk, Line};

/// The parts.
pub fn parts(result: &Value) -> &[Value] {
    result["parts"].as_array().unwrap()
}

/// The parts' names in reading order.
pub fn names(result: &Value) -> Vec<&str> {
    parts(result).iter().map(|part| part["name"].as_str().unwrap()).collect()
}

/// The number of the part with a name, counted from 1.
pub fn number(result: &Value, name: &str) -> usize {
    names(result).iter().position(|known| *known == name).unwrap_or_else(|| panic!("no {name} in {:?}", names(result)))
        + 1
}

/// The heading under which the screen lists a part.
pub fn section(part: &Value) -> String {
    let sunk = part["noise"]["sunk"] == true;
    if sunk { "NOISE".to_owned() } else { part["importance"].as_str().unwrap().to_uppercase() }
}

/// The exact bytes of a field.
pub fn bytes(object: &Value, field: &str) -> Vec<u8> {
    match object[format!("{field}_base64")].as_str() {
        Some(exact) => base64::prelude::BASE64_STANDARD.decode(exact).unwrap(),
        None => object[field].as_str().unwrap().into(),
    }
}

/// The files of all parts together, by path, hunks in order: what git prints of the same change.
pub fn files(result: &Value) -> BTreeMap<Vec<u8>, File> {
    let mut files = BTreeMap::<Vec<u8>, File>::new();
    for form in parts(result).iter().flat_map(|part| part["files"].as_array().unwrap()) {
        let path = bytes(form, "path");
        let file = files.entry(path.clone()).or_insert_with(|| File {
            path,
            hunks: Vec::new(),
            base_lacks_newline: form["base_lacks_newline"] == true,
            head_lacks_newline: form["head_lacks_newline"] == true,
        });
        file.hunks.extend(form["hunks"].as_array().unwrap().iter().map(hunk));
    }
    files.values_mut().for_each(|file| file.hunks.sort_by_key(|hunk| (hunk.base.0, hunk.head.0)));
    files
}

fn hunk(form: &Value) -> Hunk {
    let number = |field: &str| form[field].as_u64().unwrap();
    Hunk {
        base: (number("base_start"), number("base_count")),
        head: (number("head_start"), number("head_count")),
        lines: form["lines"].as_array().unwrap().iter().map(line).collect(),
    }
}

fn line(form: &Value) -> Line {
    let kind = ["context", "addition", "deletion"].into_iter().find(|kind| form["kind"] == *kind).unwrap();
    Line { kind, base: form["base_line"].as_u64(), head: form["head_line"].as_u64(), text: bytes(form, "text") }
}
