//! `public-surface`: what others can use was added, removed or declared differently.

use super::{PartView, Role, Signal, SignalRule};
use crate::change::parts::list_names;
use crate::change::syntax::{Entity, EntityChange};

/// See the file.
pub(super) struct PublicSurface;

impl SignalRule for PublicSurface {
    fn key(&self) -> &'static str {
        "public-surface"
    }

    fn read(&self, part: &PartView<'_>) -> Option<Signal> {
        if part.role != Role::Code {
            return None;
        }
        let surface = |entity: &&Entity| entity.public && entity.change != EntityChange::Body;
        let (removed, kept): (Vec<_>, Vec<_>) =
            part.part.entities.iter().filter(surface).partition(|entity| entity.change == EntityChange::Removed);
        let names = |entities: &[&Entity]| list_names(entities.iter().map(|entity| entity.name.as_str()));
        let words = match (kept.is_empty(), removed.is_empty()) {
            (true, true) => return None,
            (false, true) => names(&kept).into_string(),
            (true, false) => format!("removes {}", names(&removed)),
            (false, false) => format!("{}, removes {}", names(&kept), names(&removed)),
        };
        Some(Signal::new(self.key(), &format!("public surface: {words}"), 3))
    }
}
