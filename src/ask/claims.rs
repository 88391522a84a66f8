//! The claims of a part: what its comments and the description say of its behaviour, found without a model.

use crate::change::{PartLine, Place, Reading};
use crate::text::Clean;

/// A statement about behaviour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What it says, on one line.
    pub text: Clean,
    /// The comment it stands in; none where it stands in the description.
    pub place: Option<Place>,
}

/// The claims of a part, those of its added comments first, then those of the description that name what it declares.
pub fn claims(_reading: &Reading, _at: usize, _lines: &[PartLine]) -> Vec<Claim> {
    Vec::new()
}
