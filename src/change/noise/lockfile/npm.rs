//! `package-lock.json`: explained by the `package.json` beside it and those of its workspaces.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::folder::Folder;
use super::{Entry, Format, Lock, Own, Project, source_of};

/// See the file.
pub(super) struct Npm;

/// The sections in which a package names others.
const SECTIONS: [&str; 4] = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

impl Format for Npm {
    fn file_name(&self) -> &'static str {
        "package-lock.json"
    }

    fn lock(&self, text: &str) -> Result<Lock, String> {
        let Ok(Value::Object(mut top)) = serde_json::from_str(text) else {
            return Err("it cannot be parsed".to_owned());
        };
        let mut lock = Lock::default();
        // Older versions record nested `dependencies`, newer ones flat `packages`, those between both.
        if let Some(Value::Object(packages)) = top.remove("packages") {
            packages.iter().for_each(|(path, package)| add_package(&mut lock, &packages, path, package));
        }
        if let Some(Value::Object(dependencies)) = top.remove("dependencies") {
            add_nested(&mut lock, &dependencies);
        }
        // The name and version of the project stand at the top as well as in its record.
        top.remove("name");
        top.remove("version");
        lock.rest = Value::Object(top).to_string();
        Ok(lock)
    }

    fn projects(&self, folder: &Folder<'_>) -> Result<BTreeMap<String, Project>, String> {
        let text = folder.need("package.json")?;
        let top = manifest(&text)?;
        let mut projects = BTreeMap::from([(String::new(), project(text, &top))]);
        for member in folder.members(&workspaces(&top), "package.json")? {
            let text = folder.need(&format!("{member}/package.json"))?;
            let read = manifest(&text)?;
            projects.insert(member, project(text, &read));
        }
        Ok(projects)
    }
}

fn add_package(lock: &mut Lock, packages: &Map<String, Value>, path: &str, package: &Value) {
    let Some((_, name)) = path.rsplit_once("node_modules/") else {
        let dependencies = SECTIONS.iter().flat_map(|section| names(package, section)).collect();
        lock.own.insert(path.to_owned(), Own { content: package.to_string(), dependencies });
        return;
    };
    let resolved = package.get("resolved").and_then(Value::as_str);
    let links_to_own = package.get("link") == Some(&Value::Bool(true))
        && resolved.is_some_and(|path| !path.contains("node_modules/") && packages.contains_key(path));
    if !links_to_own {
        let pulls_in: BTreeSet<String> = SECTIONS.iter().flat_map(|section| names(package, section)).collect();
        lock.add(name, entry(package), pulls_in);
    }
}

fn add_nested(lock: &mut Lock, dependencies: &Map<String, Value>) {
    for (name, package) in dependencies {
        lock.add(name, nested_entry(package), names(package, "requires").chain(names(package, "dependencies")));
        if let Some(Value::Object(inner)) = package.get("dependencies") {
            add_nested(lock, inner);
        }
    }
}

/// An entry without what is nested in it, which is entries of its own.
fn nested_entry(package: &Value) -> Entry {
    let mut alone = package.clone();
    if let Value::Object(fields) = &mut alone {
        fields.remove("dependencies");
    }
    entry(&alone)
}

fn entry(package: &Value) -> Entry {
    let text = |field| package.get(field).and_then(Value::as_str);
    Entry {
        version: text("version").unwrap_or_default().to_owned(),
        content: package.to_string(),
        source: text("resolved").map(source_of),
        hashed: package.get("integrity").is_some(),
    }
}

fn names<'a>(package: &'a Value, section: &str) -> impl Iterator<Item = String> + use<'a> {
    package.get(section).and_then(Value::as_object).into_iter().flat_map(|names| names.keys().cloned())
}

fn manifest(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|_| "package.json cannot be parsed".to_owned())
}

fn project(text: String, manifest: &Value) -> Project {
    let mut specs = BTreeMap::new();
    for section in SECTIONS.iter().chain(&["overrides"]) {
        let Some(Value::Object(named)) = manifest.get(section) else { continue };
        specs.extend(named.iter().map(|(name, spec)| (((*section).to_owned(), name.clone()), spec.to_string())));
    }
    Project { text, specs }
}

/// The patterns of `workspaces`, in either of its two shapes.
fn workspaces(manifest: &Value) -> Vec<String> {
    let declared = manifest.get("workspaces");
    let list = declared.and_then(|declared| declared.as_array().or_else(|| declared.get("packages")?.as_array()));
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}
