//! One agent a file, and the table of those that need no settings.

pub mod plain;
pub mod scripted;

use super::Agent;

/// The agents that are there without being configured. The first is the default. `scripted` needs a transcript and
/// is made where one is given.
pub fn table() -> Vec<Box<dyn Agent>> {
    vec![Box::new(plain::Plain)]
}
