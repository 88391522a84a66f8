//! `Cargo.lock`: explained by the `Cargo.toml` beside it, those of its workspace, and those they name by path.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::folder::{Folder, MOST_PROJECTS};
use super::python::normal;
use super::{Entry, Format, Lock, Own, Project, source_of, toml_table};

/// See the file.
pub(super) struct Cargo;

/// The sections in which a crate names others.
const SECTIONS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

impl Format for Cargo {
    fn file_name(&self) -> &'static str {
        "Cargo.lock"
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
        let text = folder.need("Cargo.toml")?;
        let top = toml_table(&text, "Cargo.toml")?;
        // Under the empty key stands the top manifest, whose inherited fields explain members' records.
        let mut projects = BTreeMap::from([(String::new(), Project { text, specs: specs(&top) })]);
        let mut next = folder.members(&member_patterns(&top), "Cargo.toml")?;
        next.extend(path_dependencies(&top, ""));
        let mut seen = BTreeSet::new();
        if let Some(name) = name_of(&top) {
            projects.insert(name, Project { text: folder.need("Cargo.toml")?, specs: specs(&top) });
        }
        while let Some(member) = next.pop() {
            if seen.len() >= MOST_PROJECTS {
                return Err(format!("more than {MOST_PROJECTS} manifests belong to it"));
            }
            if !seen.insert(member.clone()) {
                continue;
            }
            let Some(text) = folder.read(&format!("{member}/Cargo.toml"))? else { continue };
            let manifest = toml_table(&text, "a member's Cargo.toml")?;
            next.extend(path_dependencies(&manifest, &member));
            if let Some(name) = name_of(&manifest) {
                projects.insert(name, Project { text, specs: specs(&manifest) });
            }
        }
        Ok(projects)
    }
}

fn add_package(lock: &mut Lock, package: &Table) {
    let text = |field| package.get(field).and_then(Value::as_str);
    let name = normal(text("name").unwrap_or_default());
    let listed = package.get("dependencies").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    // An entry is a name, followed by version and source where the name alone is not enough.
    let pulls_in: BTreeSet<String> = listed.filter_map(|entry| entry.split(' ').next()).map(normal).collect();
    let Some(source) = text("source") else {
        lock.own.insert(name, Own { content: package.to_string(), dependencies: pulls_in });
        return;
    };
    let entry = Entry {
        version: text("version").unwrap_or_default().to_owned(),
        content: package.to_string(),
        source: Some(source_of(source)),
        hashed: text("checksum").is_some() || source.starts_with("git+"),
    };
    lock.add(&name, entry, pulls_in);
}

fn name_of(manifest: &Table) -> Option<String> {
    manifest.get("package").and_then(|package| package.get("name")?.as_str()).map(normal)
}

fn member_patterns(manifest: &Table) -> Vec<String> {
    let list = |key: &str| {
        let list = manifest.get("workspace").and_then(|workspace| workspace.get(key)?.as_array());
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut patterns = list("members");
    patterns.extend(list("exclude").into_iter().map(|pattern| format!("!{pattern}")));
    patterns
}

/// Every table of dependencies, with a name for its section.
fn tables(manifest: &Table) -> Vec<(String, &Table)> {
    let mut found = sections("", manifest);
    for (target, inner) in manifest.get("target").and_then(Value::as_table).into_iter().flatten() {
        found.extend(inner.as_table().map(|inner| sections(target, inner)).into_iter().flatten());
    }
    for (patched, inner) in manifest.get("patch").and_then(Value::as_table).into_iter().flatten() {
        found.extend(inner.as_table().map(|inner| (format!("patch {patched}"), inner)));
    }
    let workspace = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies")?.as_table());
    found.extend(workspace.map(|inner| ("workspace".to_owned(), inner)));
    found
}

fn sections<'a>(of: &str, table: &'a Table) -> Vec<(String, &'a Table)> {
    let section = |name: &&str| Some((format!("{of} {name}"), table.get(*name)?.as_table()?));
    SECTIONS.iter().filter_map(section).collect()
}

fn specs(manifest: &Table) -> BTreeMap<(String, String), String> {
    let mut specs = BTreeMap::new();
    for (section, table) in tables(manifest) {
        for (name, spec) in table {
            // A dependency may go by another name here than in its registry and in the lockfile.
            let real = spec.get("package").and_then(Value::as_str).unwrap_or(name);
            specs.insert((section.clone(), normal(real)), format!("{name} {spec}"));
        }
    }
    specs
}

/// The folders of dependencies named by path, relative to the lockfile's folder.
fn path_dependencies(manifest: &Table, folder: &str) -> Vec<String> {
    let paths = tables(manifest).into_iter().flat_map(|(_, table)| table.values());
    let paths = paths.filter_map(|spec| spec.get("path")?.as_str());
    paths.filter_map(|path| tidy(folder, path)).collect()
}

/// A folder and a path from it as one path with `..` only at its start; none for an absolute one.
fn tidy(folder: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut out: Vec<&str> = Vec::new();
    for segment in folder.split('/').chain(path.split('/')) {
        match segment {
            "" | "." => {}
            ".." if out.last().is_some_and(|last| *last != "..") => {
                out.pop();
            }
            segment => out.push(segment),
        }
    }
    Some(out.join("/"))
}
