//! Text from outside, made safe to show: cleaning, cell widths, tab stops, wrapping.
//!
//! Everything that came from a pull request, a model or GitHub passes [`clean`] into [`Clean`], the one type
//! that widgets and prompts take. What could act on a terminal or deceive an eye becomes visible marks;
//! nothing is dropped. Cleaning what is clean changes nothing.

pub mod cells;
mod clean;
mod excerpt;
mod json;
mod markdown;

pub use clean::{Clean, clean, clean_bytes, clean_prose, needs_mark};
pub use excerpt::{LINE_CHARS, excerpt, shown_line};
pub use json::escaped_json;
pub use markdown::{clean_markdown, visible_markdown};
