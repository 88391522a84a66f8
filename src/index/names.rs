//! The names to search for: what other code would write to use an entity.

use std::collections::BTreeSet;

use crate::change::parts::Part;
use crate::change::syntax::{Entity, EntityKind};

/// The names of a part's entities, each once, in order of first appearance.
///
/// The last segment of the qualified name; for a constructor and for a Python method such as `__enter__` the type
/// around it, since nobody writes those names to use them.
pub fn search_names(part: &Part) -> Vec<String> {
    let mut seen = BTreeSet::new();
    part.entities
        .iter()
        .map(search_name)
        .filter(|name| !name.is_empty() && seen.insert(*name))
        .map(str::to_owned)
        .collect()
}

/// The names of all parts together.
pub fn all_names(parts: &[Part]) -> BTreeSet<String> {
    parts.iter().flat_map(search_names).collect()
}

fn search_name(entity: &Entity) -> &str {
    let mut segments = entity.name.rsplit('.');
    let last = segments.next().unwrap_or_default();
    let unwritten = entity.kind == EntityKind::Constructor || is_dunder(last);
    if unwritten { segments.next().unwrap_or(last) } else { last }
}

fn is_dunder(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use crate::change::syntax::EntityChange;

    fn name(kind: EntityKind, name: &str) -> String {
        let entity = Entity { kind, name: name.to_owned(), public: true, change: EntityChange::Body };
        search_name(&entity).to_owned()
    }

    #[test]
    fn searches_what_a_user_of_the_entity_would_write() {
        assert_eq!(name(EntityKind::Method, "Pool.close"), "close");
        assert_eq!(name(EntityKind::Method, "Outer.Pool.__init__"), "Pool");
        assert_eq!(name(EntityKind::Constructor, "Pool.constructor"), "Pool");
        assert_eq!(name(EntityKind::Constructor, "Pool.Pool"), "Pool");
        assert_eq!(name(EntityKind::Function, "__getattr__"), "__getattr__");
        assert_eq!(name(EntityKind::Function, "____"), "____");
        assert_eq!(name(EntityKind::Class, "Pool"), "Pool");
    }
}
