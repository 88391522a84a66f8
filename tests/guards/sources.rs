//! Reads the sources: every file with its module path and its syntax, test modules taken out.

use std::path::{Path, PathBuf};

use syn::visit_mut::{self, VisitMut};

/// One source file without its test modules.
pub struct Source {
    /// Its path from the repository's root.
    pub path: String,
    /// Its module path, such as `["change", "diff", "cut"]`; empty for the crate's root files.
    pub module: Vec<String>,
    /// Its text.
    pub text: String,
    /// Its syntax.
    pub syntax: syn::File,
}

/// The repository's root.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below `src/`, by path, but those that are compiled for tests alone.
pub fn all() -> Vec<Source> {
    let files: Vec<PathBuf> = walkdir::WalkDir::new(root().join("src"))
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    let mut tests_alone = Vec::new();
    let mut sources: Vec<Source> = files.iter().map(|path| read(path, &mut tests_alone)).collect();
    sources.retain(|source| !tests_alone.iter().any(|module| source.module.starts_with(module)));
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(sources.len() > 30, "found only {} sources", sources.len());
    sources
}

/// Reads a file, and notes the modules it declares for tests alone.
fn read(path: &Path, tests_alone: &mut Vec<Vec<String>>) -> Source {
    let relative = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
    let mut module: Vec<String> =
        relative.trim_start_matches("src/").trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        module.pop();
    }
    let text = std::fs::read_to_string(path).unwrap();
    let mut syntax = syn::parse_file(&text).unwrap_or_else(|error| panic!("{relative}: {error}"));
    for item in syntax.items.iter().filter(|item| is_test_item(item)) {
        if let syn::Item::Mod(item) = item {
            tests_alone.push([&module[..], &[item.ident.to_string()]].concat());
        }
    }
    TestsOut.visit_file_mut(&mut syntax);
    Source { path: relative, module, text, syntax }
}

fn is_test_attribute(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
}

struct TestsOut;

impl VisitMut for TestsOut {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        file.items.retain(|item| !is_test_item(item));
        visit_mut::visit_file_mut(self, file);
    }
}

fn is_test_item(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Const(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(is_test_attribute)
}
