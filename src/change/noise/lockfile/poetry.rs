//! `poetry.lock`: explained by the `pyproject.toml` beside it.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::folder::Folder;
use super::python::{normal, requirements};
use super::{Entry, Format, Lock, Project, source_of, toml_table};

/// See the file.
pub(super) struct Poetry;

impl Format for Poetry {
    fn file_name(&self) -> &'static str {
        "poetry.lock"
    }

    fn lock(&self, text: &str) -> Result<Lock, String> {
        let mut top = toml_table(text, "it")?;
        let packages = top.remove("package");
        let mut lock = Lock { rest: top.to_string(), ..Lock::default() };
        for package in packages.as_ref().and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table) {
            let text = |field| package.get(field).and_then(Value::as_str).unwrap_or_default();
            let named = package.get("dependencies").and_then(Value::as_table);
            let files = package.get("files").and_then(Value::as_array);
            let entry = Entry {
                version: text("version").to_owned(),
                content: package.to_string(),
                source: Some(
                    package
                        .get("source")
                        .and_then(|source| source.get("url")?.as_str())
                        .map_or("the default index".to_owned(), source_of),
                ),
                hashed: files.is_none_or(|files| files.iter().all(|file| file.get("hash").is_some())),
            };
            let pulls_in: Vec<String> =
                named.into_iter().flat_map(|named| named.keys().map(|name| normal(name))).collect();
            lock.add(&normal(text("name")), entry, pulls_in);
        }
        Ok(lock)
    }

    fn projects(&self, folder: &Folder<'_>) -> Result<BTreeMap<String, Project>, String> {
        let text = folder.need("pyproject.toml")?;
        let top = toml_table(&text, "pyproject.toml")?;
        let mut specs: BTreeMap<_, _> = requirements(&top).into_iter().collect();
        let poetry = top.get("tool").and_then(|tool| tool.get("poetry"));
        let mut add = |section: &str, table: Option<&Table>| {
            let named = table.into_iter().flatten().filter(|(name, _)| *name != "python");
            specs.extend(named.map(|(name, spec)| ((section.to_owned(), normal(name)), spec.to_string())));
        };
        let table = |key| poetry.and_then(|poetry| poetry.get(key)?.as_table());
        add("poetry", table("dependencies"));
        add("poetry dev", table("dev-dependencies"));
        for (group, declared) in table("group").into_iter().flatten() {
            add(&format!("poetry group {group}"), declared.get("dependencies").and_then(Value::as_table));
        }
        Ok(BTreeMap::from([(String::new(), Project { text, specs })]))
    }
}
