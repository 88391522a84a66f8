//! The panes. Each owns its state, what its keys do to it, and its drawing.

pub mod diff;
pub mod reader;
pub mod scroll;
pub mod side;
pub mod tree;
