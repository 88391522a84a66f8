//! One ask a file. The table is in `question`.

pub mod cover;
pub mod explain;
pub mod question;
pub mod thread;
pub mod verify;

/// Why the plain agent leaves an ask alone.
const NEEDS_A_MODEL: &str = "this ask needs an agent that uses a model";

#[cfg(test)]
mod labels;
