//! How long things may be.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::sources;

/// Lines of a file, test modules not counted.
const FILE: usize = 500;
/// Lines of a function.
const FUNCTION: usize = 80;
/// Fields of a struct.
const FIELDS: usize = 20;

#[test]
fn files_open_with_what_they_own_and_stay_readable() {
    let mut wrong = Vec::new();
    for source in sources::all() {
        if !source.text.starts_with("//! ") {
            wrong.push(format!("{}: opens without saying what it owns", source.path));
        }
        let lines = source.syntax.items.iter().map(|item| item.span().end().line).max().unwrap_or(0);
        if lines > FILE {
            wrong.push(format!("{}: {lines} lines; a file past {FILE} holds two ideas", source.path));
        }
        if ["util", "utils", "helper", "helpers", "common", "manager"]
            .iter()
            .any(|name| source.module.last().is_some_and(|module| module == name))
        {
            wrong.push(format!("{}: a name that says nothing", source.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_and_structs_stay_readable() {
    let mut wrong = Vec::new();
    for source in sources::all() {
        let mut sizes = Sizes { path: &source.path, wrong: &mut wrong };
        sizes.visit_file(&source.syntax);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

struct Sizes<'a> {
    path: &'a str,
    wrong: &'a mut Vec<String>,
}

impl Sizes<'_> {
    fn function(&mut self, name: &syn::Ident, block: &syn::Block) {
        let lines = block.span().end().line - block.span().start().line;
        if lines > FUNCTION {
            self.wrong.push(format!("{}: `{name}` has {lines} lines, more than {FUNCTION}", self.path));
        }
    }
}

impl<'ast> Visit<'ast> for Sizes<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig.ident, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig.ident, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        if item.fields.len() > FIELDS {
            self.wrong.push(format!(
                "{}: `{}` has {} fields, more than {FIELDS}",
                self.path,
                item.ident,
                item.fields.len()
            ));
        }
    }
}
