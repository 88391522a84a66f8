//! What an agent program may see and do: an empty folder to stand in, an environment without tokens, and our tools.
//!
//! The tree under review is never a working folder; nothing of it is on disk for the program to find.

pub mod environment;
pub mod fence;
mod folder;

pub use folder::{RunFolder, remove_run};

/// The fences that hold around every agent program, for the stamp; what holds its own tools back is each one's.
pub const FENCES: [&str; 2] = ["empty folder", "nothing of the tree on disk"];
