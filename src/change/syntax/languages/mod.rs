//! The table of languages, and the shape of its rows.

mod c_sharp;
mod ecma;
mod go;
mod java;
mod python;
mod rust;

use std::sync::OnceLock;

use tree_sitter::{Node, Query};

use super::EntityKind;
use super::gaps::Gap;
use crate::change::RepoPath;

/// Every language there is a grammar for. A new language is a file in this folder and its row here.
pub static LANGUAGES: [&Language; 8] = [
    &python::PYTHON,
    &ecma::TYPESCRIPT,
    &ecma::TSX,
    &ecma::JAVASCRIPT,
    &go::GO,
    &rust::RUST,
    &java::JAVA,
    &c_sharp::C_SHARP,
];

/// The language known by a path's extension, in any case of letters; none where there is no grammar for it.
pub fn language_of(path: &RepoPath) -> Option<&'static Language> {
    let extension = path.extension()?.to_ascii_lowercase();
    LANGUAGES.into_iter().find(|language| language.extensions.iter().any(|known| known.as_bytes() == extension))
}

/// One language: what its grammar is and how it is read.
pub struct Language {
    /// Its name, as people write it.
    pub name: &'static str,
    /// Extensions of its files, without the dot, in lower case.
    pub(super) extensions: &'static [&'static str],
    /// Its grammar.
    pub(super) grammar: fn() -> tree_sitter::Language,
    /// Node kinds that may declare an entity, and of which kind.
    pub(super) declares: &'static [(&'static str, EntityKind)],
    /// Node kinds around a declaration that own its first lines.
    pub(super) wrappers: &'static [&'static str],
    /// Node kinds that stand before a declaration as its siblings and belong to it.
    pub(super) attributes: &'static [&'static str],
    /// Reads the name and the visibility of a node of a kind in `declares`; none where it declares nothing.
    pub(super) describe: for<'t> fn(&Candidate<'_, 't>) -> Option<Described<'t>>,
    /// The names a node exports that are declared elsewhere in the file.
    pub(super) exports: Option<Exports>,
    /// Where its blanks mean something.
    pub(super) layout: Layout,
    /// Queries for colours, joined; of two patterns for one node the later counts.
    pub(super) highlights: &'static [&'static str],
    /// What is made of all that on first use.
    pub(super) made: Made,
}

/// Reads the names that a node exports and that are declared elsewhere in the file.
pub(super) type Exports = fn(Node<'_>, &[u8]) -> Vec<String>;

/// Where blanks between tokens are more than layout.
pub(super) struct Layout {
    /// Node kinds that would pass for a text by their name, or stand in one, whose inside is code.
    pub code: &'static [&'static str],
    /// What a gap between two tokens says besides them; 0 for nothing. Comments are seen to before.
    pub gap: fn(&Gap<'_>) -> u8,
    /// Whether indentation is syntax.
    pub indented: bool,
}

/// What a row is turned into on first use.
pub(super) struct Made {
    tables: OnceLock<Tables>,
    query: OnceLock<Option<Query>>,
}

impl Made {
    /// Nothing made yet.
    pub const fn new() -> Self {
        Self { tables: OnceLock::new(), query: OnceLock::new() }
    }
}

/// What a node is to the outline.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing in particular.
    Other,
    /// It may declare an entity.
    Declares(EntityKind),
    /// It owns the first lines of the declaration inside it.
    Wraps,
    /// It belongs to the declaration after it.
    Attribute,
    /// A comment.
    Comment,
}

/// The grammar, and the role of each of its node kinds by number.
pub(super) struct Tables {
    pub grammar: tree_sitter::Language,
    roles: Vec<Role>,
}

impl Tables {
    /// The role of a node.
    pub fn role(&self, node: Node<'_>) -> Role {
        self.roles.get(node.kind_id() as usize).copied().unwrap_or(Role::Other)
    }
}

impl Language {
    /// The grammar and the roles of its nodes.
    pub(super) fn tables(&self) -> &Tables {
        self.made.tables.get_or_init(|| {
            let grammar = (self.grammar)();
            let role = |id: usize| {
                let id = id as u16;
                let kind = grammar.node_kind_for_id(id).filter(|_| grammar.node_kind_is_named(id));
                let Some(kind) = kind else { return Role::Other };
                match self.declares.iter().find(|(declares, _)| *declares == kind) {
                    Some((_, entity)) => Role::Declares(*entity),
                    None if self.wrappers.contains(&kind) => Role::Wraps,
                    None if self.attributes.contains(&kind) => Role::Attribute,
                    None if is_comment(kind) => Role::Comment,
                    None => Role::Other,
                }
            };
            let roles = (0..grammar.node_kind_count()).map(role).collect();
            Tables { grammar, roles }
        })
    }

    /// The query for colours; none where it does not fit the grammar, which a test rules out.
    pub(super) fn query(&self) -> Option<&Query> {
        let made = || Query::new(&self.tables().grammar, &self.highlights.join("\n")).ok();
        self.made.query.get_or_init(made).as_ref()
    }
}

/// Whether a node of this kind is a comment.
pub(super) fn is_comment(kind: &str) -> bool {
    kind.ends_with("comment") && kind != "doc_comment"
}

/// A node that may declare an entity, with what stands around it.
pub(super) struct Candidate<'a, 't> {
    /// The node.
    pub node: Node<'t>,
    /// Its kind by the table.
    pub kind: EntityKind,
    /// The text of the file.
    pub source: &'a [u8],
    /// The node directly around it.
    pub parent: Option<Node<'t>>,
    /// The entity directly around it.
    pub within: Option<EntityKind>,
    /// The wrappers directly around it, innermost first.
    pub wrappers: &'a [&'t str],
}

/// What a declaration says of itself.
pub(super) struct Described<'t> {
    /// Its own name.
    pub name: String,
    /// What it is.
    pub kind: EntityKind,
    /// Whether it is public by itself, whatever is around it.
    pub public: bool,
    /// The node whose field `body` is its body.
    pub holder: Node<'t>,
    /// Whether all of it is its declaration.
    pub whole: bool,
}

impl<'t> Candidate<'_, 't> {
    /// The text of a node.
    pub fn text(&self, node: Node<'_>) -> &[u8] {
        self.source.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of a field of the node, as a name.
    pub fn field(&self, field: &str) -> Option<String> {
        self.node.child_by_field_name(field).map(|node| self.name(node))
    }

    /// A node's text as a name.
    pub fn name(&self, node: Node<'_>) -> String {
        String::from_utf8_lossy(self.text(node)).into_owned()
    }

    /// Whether a node of the kind `holder` directly inside is, or directly holds, one of these words.
    pub fn has_word(&self, holder: &str, words: &[&str]) -> bool {
        let mut cursor = self.node.walk();
        self.node.children(&mut cursor).filter(|child| child.kind() == holder).any(|child| {
            let is = |node: Node<'_>| words.iter().any(|word| word.as_bytes() == self.text(node));
            is(child) || child.children(&mut child.walk()).any(is)
        })
    }

    /// A description with this name and visibility, of the table's kind, its body in the node itself.
    pub fn described(&self, name: String, public: bool) -> Described<'t> {
        Described { name, kind: self.kind, public, holder: self.node, whole: false }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn languages_are_known_by_extension_in_any_case() {
        let name = |path: &str| language_of(&RepoPath::from(path)).map(|language| language.name);
        assert_eq!(name("a/b.PY"), Some("Python"));
        assert_eq!(name("a.d.ts"), Some("TypeScript"));
        assert_eq!(name("a.tsx"), Some("TSX"));
        assert_eq!(name("a.jsx"), Some("JavaScript"));
        assert_eq!(name("a.csx"), Some("C#"));
        assert_eq!(name(".py"), None);
        assert_eq!(name("py"), None);
        assert_eq!(name("a.rb"), None);
    }

    #[test]
    fn every_row_fits_its_grammar() {
        for language in LANGUAGES {
            let grammar = &language.tables().grammar;
            let words = language.declares.iter().map(|(kind, _)| kind);
            for kind in words.chain(language.wrappers).chain(language.attributes).chain(language.layout.code) {
                assert_ne!(grammar.id_for_node_kind(kind, true), 0, "{} has no {kind}", language.name);
            }
            if let Err(error) = Query::new(grammar, &language.highlights.join("\n")) {
                panic!("{}: {error}", language.name);
            }
        }
    }

    #[test]
    fn no_extension_belongs_to_two_languages() {
        let mut all: Vec<_> = LANGUAGES.iter().flat_map(|language| language.extensions).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
