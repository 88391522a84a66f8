//! What Python's formats share: normalised names and the lists of requirements in `pyproject.toml`.

use toml::{Table, Value};

/// A name as package indexes compare it: lowercase, with runs of `-`, `_` and `.` as one `-`.
pub(super) fn normal(name: &str) -> String {
    let words = name.split(['-', '_', '.']).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// The normalised name at the start of a requirement such as `Foo[bar] >= 1; python_version < "3"`.
pub(super) fn required_name(requirement: &str) -> String {
    let trimmed = requirement.trim_start();
    let end = trimmed.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')));
    normal(&trimmed[..end.unwrap_or(trimmed.len())])
}

/// The requirements of `[project]`, its optional groups, and `[dependency-groups]`: section, name and text.
pub(super) fn requirements(manifest: &Table) -> Vec<((String, String), String)> {
    let mut found = Vec::new();
    let project = manifest.get("project");
    if let Some(list) = project.and_then(|project| project.get("dependencies")) {
        add_list(&mut found, "dependencies", list);
    }
    let groups = [
        ("optional", project.and_then(|project| project.get("optional-dependencies"))),
        ("group", manifest.get("dependency-groups")),
    ];
    for (kind, groups) in groups {
        for (group, list) in groups.and_then(Value::as_table).into_iter().flatten() {
            add_list(&mut found, &format!("{kind} {group}"), list);
        }
    }
    found
}

/// Adds a list of requirements under a section. Several of one name, told apart by their markers, are joined.
pub(super) fn add_list(found: &mut Vec<((String, String), String)>, section: &str, list: &Value) {
    for requirement in list.as_array().into_iter().flatten().filter_map(Value::as_str) {
        let at = (section.to_owned(), required_name(requirement));
        match found.iter_mut().find(|(seen, _)| *seen == at) {
            Some((_, text)) => *text = format!("{text} | {requirement}"),
            None => found.push((at, requirement.to_owned())),
        }
    }
}
