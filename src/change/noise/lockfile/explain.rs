//! Compares two sides of a lockfile: each changed entry must follow from a changed line of a manifest.

use std::collections::{BTreeMap, BTreeSet};

use super::{Entry, Lock, Project};

/// Characters of a name or version that are shown.
const SHOWN_CHARS: usize = 80;

/// A lockfile with the manifests beside it.
pub(super) struct SideOfLock {
    pub(super) lock: Lock,
    pub(super) projects: BTreeMap<String, Project>,
}

/// What no manifest explains, in words; to be cleaned before it is shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unexplained(pub(super) String);

/// Everything about the head that the manifests' changes do not explain, in order of name.
pub(super) fn unexplained(base: &SideOfLock, head: &SideOfLock) -> Vec<Unexplained> {
    let reached = reached(&changed_dependencies(base, head), [&base.lock, &head.lock]);
    let sources: BTreeSet<&String> =
        base.lock.entries.values().flatten().filter_map(|entry| entry.source.as_ref()).collect();
    let mut problems = Vec::new();
    let none = BTreeSet::new();
    for name in keys(&base.lock.entries, &head.lock.entries) {
        let (before, after) =
            (base.lock.entries.get(name).unwrap_or(&none), head.lock.entries.get(name).unwrap_or(&none));
        if before == after {
            continue;
        }
        if !reached.contains(name) {
            problems.push(difference(name, before, after));
        } else if after.iter().any(|entry| entry.source.as_ref().is_some_and(|source| !sources.contains(source))) {
            problems.push(Unexplained(format!("{} from a source that was not used before", short(name))));
        } else if before.iter().any(|entry| entry.hashed) && after.iter().any(|entry| !entry.hashed) {
            problems.push(Unexplained(format!("{} without a hash", short(name))));
        }
    }
    problems.extend(own_records(base, head));
    if base.lock.rest != head.lock.rest && !any_manifest_changed(base, head) {
        problems.push(Unexplained("what the lockfile says of itself".to_owned()));
    }
    problems
}

/// The names whose line in any manifest is new, gone or different.
fn changed_dependencies(base: &SideOfLock, head: &SideOfLock) -> BTreeSet<String> {
    let empty = Project::default();
    let mut changed = BTreeSet::new();
    for key in keys(&base.projects, &head.projects) {
        let of = |side: &SideOfLock| side.projects.get(key).unwrap_or(&empty).specs.clone();
        let (before, after) = (of(base), of(head));
        let differing = keys(&before, &after).into_iter().filter(|at| before.get(*at) != after.get(*at));
        changed.extend(differing.map(|(_, name)| name.clone()));
    }
    changed
}

/// Those names and everything they pull in, by what either side of the lockfile records.
fn reached(from: &BTreeSet<String>, locks: [&Lock; 2]) -> BTreeSet<String> {
    let mut reached = from.clone();
    let mut next: Vec<String> = from.iter().cloned().collect();
    while let Some(name) = next.pop() {
        for pulled in locks.iter().filter_map(|lock| lock.edges.get(&name)).flatten() {
            if reached.insert(pulled.clone()) {
                next.push(pulled.clone());
            }
        }
    }
    reached
}

/// A project's own record may change only with its manifest or the one at the top, and may name nothing it lacks.
fn own_records(base: &SideOfLock, head: &SideOfLock) -> Vec<Unexplained> {
    let top = manifest_changed(base, head, "");
    let asked_by = |key: &str| head.projects.get(key).into_iter().flat_map(|project| project.specs.keys());
    let mut problems = Vec::new();
    for key in keys(&base.lock.own, &head.lock.own) {
        let (before, after) = (base.lock.own.get(key), head.lock.own.get(key));
        // What a member inherits, it may know by a name that only the top manifest resolves.
        let asked: BTreeSet<&String> = asked_by(key).chain(asked_by("")).map(|(_, name)| name).collect();
        let fits = after.is_none_or(|own| {
            head.projects.contains_key(key) && own.dependencies.iter().all(|name| asked.contains(name) || name == key)
        });
        if before != after && !(fits && (top || manifest_changed(base, head, key))) {
            let name = if key.is_empty() { "the project at the top" } else { key };
            problems.push(Unexplained(format!("the record of {}", short(name))));
        }
    }
    problems
}

fn manifest_changed(base: &SideOfLock, head: &SideOfLock, key: &str) -> bool {
    let text = |side: &SideOfLock| side.projects.get(key).map(|project| project.text.clone());
    text(base) != text(head)
}

fn any_manifest_changed(base: &SideOfLock, head: &SideOfLock) -> bool {
    keys(&base.projects, &head.projects).into_iter().any(|key| manifest_changed(base, head, key))
}

fn difference(name: &str, before: &BTreeSet<Entry>, after: &BTreeSet<Entry>) -> Unexplained {
    let versions = |entries: &BTreeSet<Entry>| -> String {
        let distinct: BTreeSet<&str> = entries.iter().map(|entry| entry.version.as_str()).collect();
        short(&distinct.into_iter().collect::<Vec<_>>().join("/"))
    };
    let (old, new, name) = (versions(before), versions(after), short(name));
    Unexplained(match (before.is_empty(), after.is_empty()) {
        (true, _) => format!("{name}@{new} (new)"),
        (_, true) => format!("{name}@{old} (gone)"),
        _ if old == new => format!("{name}@{new} (content changed)"),
        _ => format!("{name} {old} -> {new}"),
    })
}

fn short(text: &str) -> String {
    text.chars().take(SHOWN_CHARS).collect()
}

/// The keys of both maps, each once, in order.
fn keys<'a, K: Ord, V>(one: &'a BTreeMap<K, V>, two: &'a BTreeMap<K, V>) -> BTreeSet<&'a K> {
    one.keys().chain(two.keys()).collect()
}
