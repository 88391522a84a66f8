//! The reviewer's settings and where the program keeps things.
//!
//! Settings come from the reviewer's own config folder alone, never from the repository under review. The
//! documented defaults are `assets/config.toml`; a setting that is not there is an error that names its line.

mod agents;
mod folders;
mod settings;

pub use agents::{Agents, Api, Dialect, Program};
pub use folders::Folders;
pub use settings::{Asks, DEFAULTS, Screen, Settings, ThemeChoice};
