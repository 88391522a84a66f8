//! What the program knows of languages: entities, formatting-only changes, colours.
//!
//! A language is one file in `languages/` and its row in that folder's table: its grammar, its words for entities,
//! where its blanks mean something and its query for colours. A file in any other language flows through without
//! entities, and says so; its colours then come from the broad set of syntaxes in `broad.rs`.

mod languages;
mod parse;
mod outline;
mod touched;
mod gaps;
mod formatting;
mod colours;
mod broad;
mod painter;
mod read;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod cases;

pub use languages::{LANGUAGES, Language, language_of};
pub use outline::declarations;
pub use painter::Painter;
pub use read::{SyntaxReading, read};

/// What kind of declaration an entity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is the field's own word for it")]
pub enum EntityKind {
    Function,
    Method,
    Constructor,
    Property,
    Class,
    Struct,
    Enum,
    Interface,
    Trait,
    Impl,
    Type,
}

impl EntityKind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Function,
        Self::Method,
        Self::Constructor,
        Self::Property,
        Self::Class,
        Self::Struct,
        Self::Enum,
        Self::Interface,
        Self::Trait,
        Self::Impl,
        Self::Type,
    ];

    /// The word for it, as in the JSON result.
    pub fn word(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Constructor => "constructor",
            Self::Property => "property",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Interface => "interface",
            Self::Trait => "trait",
            Self::Impl => "impl",
            Self::Type => "type",
        }
    }
}

/// How strongly a change touches an entity; later variants outweigh earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityChange {
    /// Lines of its body only.
    Body,
    /// Lines of its declaration: name, parameters, members of a type.
    Declaration,
    /// The base does not declare it.
    Added,
    /// The head does not declare it.
    Removed,
}

impl EntityChange {
    /// The word for it, as in the JSON result.
    pub fn word(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Declaration => "declaration",
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }
}

/// A declaration that a change touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    /// What it is.
    pub kind: EntityKind,
    /// Its name, qualified by every enclosing declaration, joined by dots, outermost first. As it stands in the
    /// file: clean it before showing.
    pub name: String,
    /// Whether code outside the file or package can use it, by its language's own rule.
    pub public: bool,
    /// How the change touches it.
    pub change: EntityChange,
}

/// A declaration as one version of a file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// What it is.
    pub kind: EntityKind,
    /// Its qualified name.
    pub name: String,
    /// Whether it and everything around it is public.
    pub public: bool,
    /// Its lines, first to last, wrappers such as decorators included; counted from 1.
    pub lines: (u32, u32),
    /// Those of its lines that belong to the declaration itself rather than the body; counted from 1.
    pub declaration_lines: (u32, u32),
}

/// Whether only the layout of a file changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formatting {
    /// The syntax trees are equal: nothing but layout changed.
    Confirmed,
    /// The structure changed; the first head line where it differs, counted from 1, if there is one.
    StructureChanged(Option<u32>),
    /// It could not be told, and why.
    NotChecked(String),
}

/// What a piece of source is, for colouring; a theme gives each a style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is the usual name of the class")]
pub enum Token {
    Plain,
    Keyword,
    Type,
    Function,
    Variable,
    Constant,
    String,
    Number,
    Comment,
    Operator,
    Punctuation,
    Attribute,
    Tag,
}

/// A run of bytes of one line with its class; runs of a line are in order and do not overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// First byte within the line.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
    /// The class.
    pub token: Token,
}
