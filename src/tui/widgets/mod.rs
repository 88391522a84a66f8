//! Stateless painters.

pub mod bars;
pub mod brush;
pub mod notice;
pub mod overlay;
pub mod picker;
pub mod prose;
