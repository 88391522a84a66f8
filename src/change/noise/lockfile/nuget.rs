//! `packages.lock.json`: explained by the project files beside it and the `Directory.*.props` up to the top.

use std::collections::BTreeMap;

use serde_json::Value;

use super::folder::Folder;
use super::{Entry, Format, Lock, Project};

/// See the file.
pub(super) struct Nuget;

/// The elements that ask for something.
const ELEMENTS: [&str; 4] = ["PackageReference", "PackageVersion", "GlobalPackageReference", "ProjectReference"];

impl Format for Nuget {
    fn file_name(&self) -> &'static str {
        "packages.lock.json"
    }

    fn lock(&self, text: &str) -> Result<Lock, String> {
        let Ok(Value::Object(mut top)) = serde_json::from_str(text) else {
            return Err("it cannot be parsed".to_owned());
        };
        let frameworks = top.remove("dependencies");
        let mut lock = Lock::default();
        for (framework, packages) in frameworks.as_ref().and_then(Value::as_object).into_iter().flatten() {
            top.insert(format!("framework {framework}"), Value::Null);
            for (name, package) in packages.as_object().into_iter().flatten() {
                let named = package.get("dependencies").and_then(Value::as_object);
                let pulls_in: Vec<String> =
                    named.into_iter().flat_map(|named| named.keys().map(|name| name.to_lowercase())).collect();
                let entry = Entry {
                    version: package.get("resolved").and_then(Value::as_str).unwrap_or_default().to_owned(),
                    content: package.to_string(),
                    source: None,
                    hashed: package.get("contentHash").is_some(),
                };
                lock.add(&name.to_lowercase(), entry, pulls_in);
            }
        }
        lock.rest = Value::Object(top).to_string();
        Ok(lock)
    }

    fn projects(&self, folder: &Folder<'_>) -> Result<BTreeMap<String, Project>, String> {
        let is_project = |name: &String| [".csproj", ".vbproj", ".fsproj"].iter().any(|end| name.ends_with(end));
        let mut paths: Vec<String> = folder.names()?.into_iter().filter(is_project).collect();
        if paths.is_empty() {
            return Err("there is no project file beside it".to_owned());
        }
        for up in 0..=folder.depth() {
            paths.extend(["Packages", "Build"].map(|kind| format!("{}Directory.{kind}.props", "../".repeat(up))));
        }
        let mut projects = BTreeMap::new();
        for path in paths {
            if let Some(text) = folder.read(&path)? {
                let specs = specs(&text);
                projects.insert(path, Project { text, specs });
            }
        }
        Ok(projects)
    }
}

/// What a project file asks for, each with its whole element, by scanning for the elements that matter.
fn specs(text: &str) -> BTreeMap<(String, String), String> {
    let text = without_comments(text);
    let mut specs = BTreeMap::<_, String>::new();
    for element in ELEMENTS {
        for (at, start) in text.match_indices(&format!("<{element}")) {
            let rest = &text[at..];
            if !rest[start.len()..].starts_with([' ', '\t', '\r', '\n', '/', '>']) {
                continue;
            }
            let (tag, whole) = element_at(rest, element);
            let name = attribute(tag, "Include").or_else(|| attribute(tag, "Update")).unwrap_or_default();
            let spec = specs.entry((element.to_owned(), referenced(element, name))).or_default();
            spec.push_str(whole);
        }
    }
    specs
}

/// The opening tag and the whole element at the start of a text.
fn element_at<'a>(text: &'a str, element: &str) -> (&'a str, &'a str) {
    let tag = &text[..text.find('>').map_or(text.len(), |end| end + 1)];
    if tag.ends_with("/>") {
        return (tag, tag);
    }
    let close = format!("</{element}>");
    (tag, &text[..text.find(&close).map_or(text.len(), |end| end + close.len())])
}

/// A package's name in lowercase; for a project, its file's name without extension, as the lockfile has it.
fn referenced(element: &str, name: &str) -> String {
    let name = name.to_lowercase();
    if element != "ProjectReference" {
        return name;
    }
    let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
    file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned()
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!("{name}="))?;
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest[1..].split(quote).next()
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        out.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    out + rest
}
