//! The claims of a part: what its comments and the description say of its behaviour, found without a model.
//!
//! Found by words and layout alone: what is here may claim little, and what is not here may claim much. They are offered
//! to be verified, never believed.

mod comments;
mod description;
mod sentences;

use crate::change::{PartLine, Place, Reading};
use crate::text::Clean;

/// Claims of a part at most.
const MOST: usize = 12;

/// Of those, how many are left to the description where it makes that many.
const DESCRIBED: usize = 3;

/// Characters of the longest claim.
const CHARS: usize = 500;

/// A statement about behaviour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What it says, on one line.
    pub text: Clean,
    /// The comment it stands in; none where it stands in the description.
    pub place: Option<Place>,
}

/// The claims of a part, those of its added comments first, then those of the description that name what it declares.
pub fn claims(reading: &Reading, at: usize, lines: &[PartLine]) -> Vec<Claim> {
    let mut described = description::claims(reading, at);
    let mut claims = comments::claims(reading, lines);
    claims.truncate(MOST - described.len().min(DESCRIBED));
    described.truncate(MOST - claims.len());
    claims.append(&mut described);
    claims
}

#[cfg(test)]
mod tests;
