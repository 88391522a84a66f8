//! The declarations of one version of a file, in order of position, with the bytes and lines each owns.

use std::ops::Range;

use tree_sitter::{Node, Tree, TreeCursor};

use super::languages::{Candidate, Language, Role, Tables, language_of};
use super::parse::{no_grammar, parse};
use super::{Declaration, EntityKind};
use crate::change::{RepoPath, Text};

/// Bytes of the longest qualified name; what is named or nested beyond it belongs to what is around it.
const MAX_NAME: usize = 1000;

/// All declarations of one version of a file, in order of position. A file with errors yields those that were recognised.
///
/// # Errors
/// Why it can't be read, in one clause: no grammar for it, or too long.
pub fn declarations(path: &RepoPath, text: &Text) -> Result<Vec<Declaration>, String> {
    let language = language_of(path).ok_or_else(|| no_grammar(path))?;
    let tree = parse(language, text)?;
    Ok(Outline::of(language, text, &tree).found.into_iter().map(|found| found.declaration).collect())
}

/// A declaration with what is needed to find it from a line.
pub(super) struct Found {
    pub declaration: Declaration,
    /// Its bytes, from what belongs to it before it to its end.
    pub bytes: Range<usize>,
    /// The declaration around it, by index.
    pub parent: Option<usize>,
}

/// A statement that declares several things.
pub(super) struct Group {
    /// Its bytes, wrappers included.
    pub bytes: Range<usize>,
    /// The line it starts on, counted from 1.
    pub line: u32,
    /// The bytes of each thing it declares.
    pub parts: Vec<Range<usize>>,
    /// Whether they are variables: a line of the statement itself then is a line of each.
    pub is_variables: bool,
    /// Those of them that declare an entity, by index.
    pub members: Vec<usize>,
    /// The declaration around it, by index.
    pub parent: Option<usize>,
}

/// What a file declares, in order of position; groups by what is around them first.
#[derive(Default)]
pub(super) struct Outline {
    pub found: Vec<Found>,
    pub groups: Vec<Group>,
}

/// What has gathered before a node: comments and attributes that belong to the declaration that follows at once.
#[derive(Clone, Copy, Default)]
struct Lead {
    /// Where the first of them starts.
    all: Option<(usize, u32)>,
    /// Where the first attribute starts.
    attributes: Option<(usize, u32)>,
}

/// A node on the way from the root to where the walk is.
struct Frame<'t> {
    node: Node<'t>,
    role: Role,
    /// What gathered before it.
    lead: Lead,
    /// What gathers before its next child, and the row its last child ended on.
    gathering: Lead,
    last_row: Option<u32>,
    /// The entity it declares.
    declares: Option<usize>,
    /// The group it makes, where it declares several things.
    group: Option<usize>,
}

struct Walk<'a, 't> {
    language: &'a Language,
    tables: &'a Tables,
    source: &'a [u8],
    frames: Vec<Frame<'t>>,
    open: Vec<usize>,
    exported: Vec<String>,
    own_public: Vec<bool>,
    outline: Outline,
}

impl Outline {
    /// Reads the declarations out of a tree. Walks without recursion, in time linear in its nodes.
    pub fn of(language: &Language, text: &Text, tree: &Tree) -> Self {
        let tables = language.tables();
        let mut walk = Walk {
            language,
            tables,
            source: text.bytes(),
            frames: Vec::new(),
            open: Vec::new(),
            exported: Vec::new(),
            own_public: Vec::new(),
            outline: Self::default(),
        };
        let mut cursor = tree.walk();
        walk.enter(cursor.node());
        while walk.step(&mut cursor) {}
        walk.finish()
    }

    /// The innermost declaration that holds a byte.
    pub fn innermost(&self, byte: usize) -> Option<usize> {
        let after = self.found.partition_point(|found| found.bytes.start <= byte);
        let mut at = after.checked_sub(1);
        while let Some(index) = at {
            if byte < self.found[index].bytes.end {
                return Some(index);
            }
            at = self.found[index].parent;
        }
        None
    }

    /// What a line declares that belongs to a statement of several variables rather than to one of them, given the
    /// innermost declaration around it.
    pub fn members_at(&self, innermost: Option<usize>, byte: usize, line: u32) -> Vec<usize> {
        let after = self.groups.partition_point(|group| (group.parent, group.bytes.start) <= (innermost, byte));
        let Some(group) = after.checked_sub(1).map(|index| &self.groups[index]) else { return Vec::new() };
        let of_one = group.parts.iter().any(|part| part.contains(&byte));
        if of_one || !group.is_variables || group.parent != innermost || !group.bytes.contains(&byte) {
            return Vec::new();
        }
        let declared =
            |index: &usize| (group.line..=self.found[*index].declaration.declaration_lines.1).contains(&line);
        group.members.iter().copied().filter(declared).collect()
    }
}

impl<'t> Walk<'_, 't> {
    /// Goes to the next node in order; false at the end.
    fn step(&mut self, cursor: &mut TreeCursor<'t>) -> bool {
        if cursor.goto_first_child() {
            self.enter(cursor.node());
            return true;
        }
        loop {
            self.leave();
            if cursor.goto_next_sibling() {
                self.enter(cursor.node());
                return true;
            }
            if !cursor.goto_parent() {
                return false;
            }
        }
    }

    fn enter(&mut self, node: Node<'t>) {
        let role = self.tables.role(node);
        let lead = self.gather(node, role);
        let mut frame =
            Frame { node, role, lead, gathering: Lead::default(), last_row: None, declares: None, group: None };
        if role == Role::Wraps {
            if let Some(exports) = self.language.exports {
                self.exported.extend(exports(node, self.source));
            }
            frame.group = self.group(node, lead);
        }
        if let Role::Declares(kind) = role {
            frame.declares = self.declare(node, kind, lead);
            self.open.extend(frame.declares);
        }
        self.frames.push(frame);
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if frame.declares.is_some() {
            self.open.pop();
        }
        if let Some(parent) = self.frames.last_mut() {
            parent.last_row = Some(last_row(frame.node));
        }
    }

    /// Takes what gathered before a node, or adds the node to it.
    fn gather(&mut self, node: Node<'_>, role: Role) -> Lead {
        let Some(parent) = self.frames.last_mut() else { return Lead::default() };
        let start = (node.start_byte(), node.start_position().row as u32);
        if parent.last_row.is_none() && parent.node.start_byte() == start.0 {
            // The first node of a block begins where the block does, after what gathered before the block.
            parent.gathering = parent.lead;
        }
        let on_own_line = parent.last_row.is_none_or(|row| row < start.1);
        if parent.last_row.is_some_and(|row| row + 1 < start.1) {
            // A blank line parts what came before from what follows; attributes bind across it.
            parent.gathering.all = parent.gathering.attributes;
        }
        match role {
            Role::Comment if on_own_line || parent.gathering.all.is_some() => {
                parent.gathering.all = parent.gathering.all.or(Some(start));
                Lead::default()
            }
            Role::Comment => Lead::default(),
            Role::Attribute => {
                parent.gathering.all = parent.gathering.all.or(Some(start));
                parent.gathering.attributes = parent.gathering.attributes.or(Some(start));
                Lead::default()
            }
            _ => std::mem::take(&mut parent.gathering),
        }
    }

    /// The wrappers directly around the node being entered, innermost first.
    fn around(&self) -> impl Iterator<Item = &Frame<'t>> {
        self.frames.iter().rev().take_while(|frame| frame.role == Role::Wraps)
    }

    fn declare(&mut self, node: Node<'t>, kind: EntityKind, lead: Lead) -> Option<usize> {
        let parent = self.open.last().copied();
        let wrappers: Vec<&str> = self.around().map(|frame| frame.node.kind()).collect();
        let candidate = Candidate {
            node,
            kind,
            source: self.source,
            parent: self.frames.last().map(|frame| frame.node),
            within: parent.map(|parent| self.outline.found[parent].declaration.kind),
            wrappers: &wrappers,
        };
        let described = (self.language.describe)(&candidate)?;
        let within = candidate.within;
        let name = self.qualify(parent, described.name)?;
        let group = self.around().find_map(|frame| frame.group);
        let (start, first, declared) = self.starts(node, lead, group.is_some());
        let last = last_row(node) + 1;
        let whole = described.whole || is_surface(described.kind);
        let opens = if whole { last } else { body_row(described.holder, self.source).map_or(last, |row| row + 1) };
        let index = self.outline.found.len();
        let kind = if described.kind == EntityKind::Function && within.is_some_and(has_members) {
            EntityKind::Method
        } else {
            described.kind
        };
        self.own_public.push(described.public);
        self.outline.found.push(Found {
            declaration: Declaration {
                kind,
                name,
                public: false,
                lines: (first, last),
                declaration_lines: (declared, opens.clamp(declared, last)),
            },
            bytes: start..node.end_byte(),
            parent,
        });
        if let Some(group) = group {
            self.outline.groups[group].members.push(index);
        }
        Some(index)
    }

    fn qualify(&self, parent: Option<usize>, own: String) -> Option<String> {
        let name = match parent {
            Some(parent) => format!("{}.{own}", self.outline.found[parent].declaration.name),
            None => own,
        };
        (!name.is_empty() && name.len() <= MAX_NAME).then_some(name)
    }

    /// The first byte and line of a declaration with all that belongs to it, and the first line that declares.
    fn starts(&self, node: Node<'t>, lead: Lead, in_group: bool) -> (usize, u32, u32) {
        // In a group the wrappers belong to all, so none of them owns their lines.
        let outermost = if in_group { None } else { self.around().last() };
        let (node, lead) = outermost.map_or((node, lead), |frame| (frame.node, frame.lead));
        let own = (node.start_byte(), node.start_position().row as u32);
        let declared = lead.attributes.unwrap_or(own);
        let first = lead.all.unwrap_or(declared);
        (first.0, first.1 + 1, declared.1 + 1)
    }

    /// Makes a group of a statement that declares more than one thing, so that none owns the lines of all.
    fn group(&mut self, node: Node<'t>, lead: Lead) -> Option<usize> {
        let mut cursor = node.walk();
        let declares = |child: &Node<'_>| matches!(self.tables.role(*child), Role::Declares(_));
        let parts: Vec<_> = node.named_children(&mut cursor).filter(declares).map(|child| child.byte_range()).collect();
        if parts.len() < 2 {
            return None;
        }
        let outer = self.around().last().map_or((node, lead), |frame| (frame.node, frame.lead));
        let own = (outer.0.start_byte(), outer.0.start_position().row as u32);
        let (start, row) = outer.1.all.unwrap_or(own);
        self.outline.groups.push(Group {
            bytes: start..outer.0.end_byte(),
            line: row + 1,
            parts,
            is_variables: matches!(node.kind(), "lexical_declaration" | "variable_declaration"),
            members: Vec::new(),
            parent: self.open.last().copied(),
        });
        Some(self.outline.groups.len() - 1)
    }

    /// Settles what is public, once everything that the file exports is known.
    fn finish(mut self) -> Outline {
        self.exported.sort();
        for (index, own) in self.own_public.iter().enumerate() {
            let found = &self.outline.found[index];
            let public = match found.parent {
                Some(parent) => {
                    let around = &self.outline.found[parent].declaration;
                    *own && around.public && has_members(around.kind)
                }
                None => *own || self.exported.binary_search(&found.declaration.name).is_ok(),
            };
            self.outline.found[index].declaration.public = public;
        }
        self.outline.groups.sort_by_key(|group| (group.parent, group.bytes.start));
        self.outline
    }
}

/// Kinds whose insides are members rather than code that runs.
fn has_members(kind: EntityKind) -> bool {
    use EntityKind::{Class, Enum, Impl, Interface, Struct, Trait, Type};
    matches!(kind, Class | Struct | Interface | Enum | Trait | Impl | Type)
}

/// Kinds whose members are their surface, so that all their lines declare.
fn is_surface(kind: EntityKind) -> bool {
    use EntityKind::{Enum, Interface, Struct, Trait, Type};
    matches!(kind, Interface | Enum | Struct | Trait | Type)
}

/// The last row a node stands on; a line end at its end is not part of it.
fn last_row(node: Node<'_>) -> u32 {
    let end = node.end_position();
    let row = if end.column == 0 && node.end_byte() > node.start_byte() { end.row.saturating_sub(1) } else { end.row };
    row as u32
}

/// The row on which a body opens: that of its brace, or that on which what comes before the body ends.
fn body_row(holder: Node<'_>, source: &[u8]) -> Option<u32> {
    let body = holder.child_by_field_name("body").or_else(|| holder.child_by_field_name("accessors"));
    let body =
        body.or_else(|| holder.child_by_field_name("value").filter(|value| value.kind() == "arrow_expression_clause"))?;
    if source.get(body.start_byte()) == Some(&b'{') {
        return Some(body.start_position().row as u32);
    }
    let mut cursor = holder.walk();
    let before =
        holder.children(&mut cursor).take_while(|child| *child != body).filter(|child| !child.is_extra()).last();
    Some(before.map_or(body.start_position().row as u32, last_row))
}
