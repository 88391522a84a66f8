//! Where a change comes from: a pull request, a local range, a recorded change; and where a review goes back to.

pub mod github;
pub mod git;
pub mod recorded;
mod remote;
pub mod address;

pub use address::Address;
pub use git::LocalRange;
