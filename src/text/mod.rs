//! Text from outside, made safe to show: cleaning, cell widths, tab stops, wrapping.
//!
//! Everything that came from a pull request, a model or GitHub passes [`clean`] into [`Clean`], the one type
//! that widgets and prompts take. What could act on a terminal or deceive an eye becomes visible marks;
//! nothing is dropped. Cleaning what is clean changes nothing.

pub mod cells;
mod clean;

pub use clean::{Clean, clean, clean_bytes, clean_prose, needs_mark};
