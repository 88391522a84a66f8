//! Which files of the head tree name what a change touches: by name only, exact, in any kind of text.
//!
//! [`mentions`] walks the head once for all names; [`references`] and [`tests_naming`] read its result. What a blob
//! names never changes, so a cache by blob id has its place between the walk and `scan`, which looks at one blob.

mod mentions;
mod names;
mod references;
mod scan;

pub use mentions::{Limits, Mentions, mentions};
pub use names::{all_names, search_names};
pub use references::{references, tests_naming};
pub use scan::lines_naming;

use crate::change::Missing;
use crate::problem::Problem;

/// Why nothing could be searched.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The files of the head cannot be listed.
    #[error("the files of the head cannot be listed: {0}")]
    Listing(#[from] Missing),
}

impl From<IndexError> for Problem {
    fn from(error: IndexError) -> Self {
        Self::new(error.to_string()).hint("Open the change again while online, so that its files are fetched.")
    }
}
