//! Who may use whom.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};

use crate::sources::{self, Source};

/// A crate or a part of the standard library, and the modules that may use it.
const OWNED: &[(&str, &[&str], &str)] = &[
    ("rusqlite", &["store"], "only `store` knows the database crate"),
    ("rusqlite_migration", &["store"], "only `store` knows the database crate"),
    ("octocrab", &["source::github"], "only `source::github` talks to GitHub's API"),
    ("genai", &["agent"], "only `agent` calls model APIs"),
    ("reqwest", &["agent"], "only `agent` calls model APIs"),
    ("git2", &["source::git", "source::recorded", "change::diff"], "only `source::git` reads repositories"),
    ("ratatui", &["tui"], "only `tui` draws"),
    ("crossterm", &["tui"], "only `tui` draws"),
    ("std::process::Command", &["source::git", "source::github", "agent", "tui::runtime"], "spawning has its owners"),
    ("tokio::process", &["source::git", "source::github", "agent", "tui::runtime"], "spawning has its owners"),
    ("anyhow", &["cli", "evaluation"], "libraries have typed errors"),
    ("clap", &["cli"], "only `cli` reads the command line"),
];

/// Modules that compute values only, and what they therefore never touch.
const PURE: &[&str] = &["change", "ask", "review", "tui"];
const IMPURE: &[&str] = &["std::fs", "std::net", "std::env", "std::time::SystemTime", "tokio::spawn", "tokio::fs"];
const PURE_EXCEPT: &[&str] = &["tui::runtime"];

#[test]
fn modules_use_only_what_is_declared_above_them() {
    let sources = sources::all();
    let top = declared(sources.iter().find(|source| source.path == "src/lib.rs").unwrap());
    let change = declared(sources.iter().find(|source| source.path == "src/change/mod.rs").unwrap());
    let mut wrong = Vec::new();
    for source in &sources {
        for path in paths(source) {
            check_order(&top, &source.module, &path, source, &mut wrong);
            if source.module.first().is_some_and(|module| module == "change") && path.first() == Some(&"crate".into()) {
                check_order(&change, &source.module[1..], &path[1..], source, &mut wrong);
            }
        }
    }
    assert!(wrong.is_empty(), "a module may use only modules declared above it:\n{}", wrong.join("\n"));
}

/// `path` is `crate::used::...` (or, inside `change`, `change::used::...`): is `used` declared at or above `module`?
fn check_order(order: &[String], module: &[String], path: &[String], source: &Source, wrong: &mut Vec<String>) {
    if path.len() < 2 {
        return;
    }
    let (Some(own), Some(used)) = (module.first(), path.get(1)) else { return };
    let position = |name: &str| order.iter().position(|module| module == name);
    if let (Some(own_at), Some(used_at)) = (position(own), position(used))
        && used_at > own_at
    {
        wrong.push(format!("{}: `{own}` uses `{used}`", source.path));
    }
}

#[test]
fn crates_stay_with_their_owners() {
    let mut wrong = Vec::new();
    for source in sources::all() {
        let module = source.module.join("::");
        for path in paths(&source) {
            let path = path.join("::");
            for (owned, owners, why) in OWNED {
                if within(&path, owned) && !module.is_empty() && !owners.iter().any(|owner| within(&module, owner)) {
                    wrong.push(format!("{}: uses `{path}`: {why}", source.path));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pure_modules_touch_nothing_outside() {
    let mut wrong = Vec::new();
    for source in sources::all() {
        let module = source.module.join("::");
        let pure = PURE.iter().any(|pure| within(&module, pure));
        if !pure || PURE_EXCEPT.iter().any(|except| within(&module, except)) {
            continue;
        }
        for path in paths(&source) {
            let path = path.join("::");
            if IMPURE.iter().any(|impure| within(&path, impure)) {
                wrong.push(format!("{}: uses `{path}`", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "these modules compute values only:\n{}", wrong.join("\n"));
}

fn within(path: &str, owner: &str) -> bool {
    path == owner || path.strip_prefix(owner).is_some_and(|rest| rest.starts_with("::"))
}

/// The `mod` lines of a file, in order.
fn declared(source: &Source) -> Vec<String> {
    let modules: Vec<String> = source
        .syntax
        .items
        .iter()
        .filter_map(|item| match item {
            syn::Item::Mod(item) if matches!(item.vis, syn::Visibility::Public(_)) => Some(item.ident.to_string()),
            _ => None,
        })
        .collect();
    assert!(modules.len() >= 5, "{} declares {modules:?}", source.path);
    modules
}

/// Every path a file names, use trees spelt out.
fn paths(source: &Source) -> BTreeSet<Vec<String>> {
    let mut found = Paths::default();
    found.visit_file(&source.syntax);
    found.0
}

#[derive(Default)]
struct Paths(BTreeSet<Vec<String>>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        spell(&item.tree, &mut Vec::new(), &mut self.0);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

fn spell(tree: &syn::UseTree, so_far: &mut Vec<String>, found: &mut BTreeSet<Vec<String>>) {
    match tree {
        syn::UseTree::Path(path) => {
            so_far.push(path.ident.to_string());
            spell(&path.tree, so_far, found);
            so_far.pop();
        }
        syn::UseTree::Group(group) => group.items.iter().for_each(|item| spell(item, so_far, found)),
        syn::UseTree::Name(name) => push(name.ident.to_string(), so_far, found),
        syn::UseTree::Rename(rename) => push(rename.ident.to_string(), so_far, found),
        syn::UseTree::Glob(_) => drop(found.insert(so_far.clone())),
    }
}

fn push(name: String, so_far: &[String], found: &mut BTreeSet<Vec<String>>) {
    let mut path = so_far.to_vec();
    path.push(name);
    found.insert(path);
}
