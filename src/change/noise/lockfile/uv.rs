//! `uv.lock`: explained by the `pyproject.toml` beside it and those of its workspace.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::folder::Folder;
use super::python::{add_list, normal, requirements};
use super::{Entry, Format, Lock, Own, Project, source_of, toml_table};

/// See the file.
pub(super) struct Uv;

impl Format for Uv {
    fn file_name(&self) -> &'static str {
        "uv.lock"
    }

    fn lock(&self, text: &str) -> Result<Lock, String> {
        let mut top = toml_table(text, "it")?;
        let packages = top.remove("package");
        let mut lock = Lock { rest: top.to_string(), ..Lock::default() };
        for package in packages.as_ref().and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table) {
            add_package(&mut lock, package);
        }
        Ok(lock)
    }

    fn projects(&self, folder: &Folder<'_>) -> Result<BTreeMap<String, Project>, String> {
        let text = folder.need("pyproject.toml")?;
        let top = toml_table(&text, "pyproject.toml")?;
        let workspace = top.get("tool").and_then(|tool| tool.get("uv")?.get("workspace"));
        let list = |key| {
            let list = workspace.and_then(|workspace| workspace.get(key)).and_then(Value::as_array);
            list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
        };
        let mut patterns = list("members");
        patterns.extend(list("exclude").into_iter().map(|pattern| format!("!{pattern}")));
        let mut projects = BTreeMap::from([(name_of(&top), project(text.clone(), &top))]);
        // Under the empty key too, so that a change of the top manifest also explains its members' records.
        projects.insert(String::new(), project(text, &top));
        for member in folder.members(&patterns, "pyproject.toml")? {
            let text = folder.need(&format!("{member}/pyproject.toml"))?;
            let read = toml_table(&text, "a member's pyproject.toml")?;
            projects.insert(name_of(&read), project(text, &read));
        }
        Ok(projects)
    }
}

fn name_of(manifest: &Table) -> String {
    normal(manifest.get("project").and_then(|project| project.get("name")?.as_str()).unwrap_or_default())
}

fn project(text: String, manifest: &Table) -> Project {
    let mut found = requirements(manifest);
    let uv = manifest.get("tool").and_then(|tool| tool.get("uv"));
    for section in ["dev-dependencies", "constraint-dependencies", "override-dependencies"] {
        if let Some(list) = uv.and_then(|uv| uv.get(section)) {
            add_list(&mut found, section, list);
        }
    }
    for (name, source) in uv.and_then(|uv| uv.get("sources")?.as_table()).into_iter().flatten() {
        found.push((("sources".to_owned(), normal(name)), source.to_string()));
    }
    Project { text, specs: found.into_iter().collect() }
}

fn add_package(lock: &mut Lock, package: &Table) {
    let text = |field| package.get(field).and_then(Value::as_str).unwrap_or_default();
    let name = normal(text("name"));
    let named = named(package);
    let source = package.get("source").and_then(Value::as_table);
    let is_own =
        source.is_some_and(|source| ["virtual", "editable", "directory"].iter().any(|kind| source.contains_key(*kind)));
    if is_own {
        lock.own.insert(name, Own { content: package.to_string(), dependencies: named });
        return;
    }
    let entry = Entry {
        version: text("version").to_owned(),
        content: package.to_string(),
        source: source.and_then(|source| source.values().find_map(Value::as_str)).map(source_of),
        hashed: is_hashed(package),
    };
    lock.add(&name, entry, named);
}

/// The names a package pulls in, by itself, by extras and by groups.
fn named(package: &Table) -> BTreeSet<String> {
    let direct = package.get("dependencies").into_iter();
    let groups =
        ["optional-dependencies", "dev-dependencies"].into_iter().filter_map(|key| package.get(key)?.as_table());
    let lists = direct.chain(groups.flat_map(Table::values));
    let names = lists.filter_map(Value::as_array).flatten().filter_map(|item| item.get("name")?.as_str());
    names.map(normal).collect()
}

fn is_hashed(package: &Table) -> bool {
    let wheels = package.get("wheels").and_then(Value::as_array).into_iter().flatten();
    wheels.chain(package.get("sdist")).all(|file| file.get("hash").is_some())
}
