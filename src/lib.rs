//! Second Look: helps a person review a GitHub pull request in the terminal.
//!
//! This list of modules is the architecture: a module may use only modules declared above it. A change flows
//! one way (source, diff, syntax, noise, parts, rank, review, screen), and so does a question (ask, agent, check,
//! answer). `tests/guards` reads the sources and holds every file to both.

pub mod problem;
pub mod text;
pub mod config;
pub mod change;
pub mod store;
pub mod source;
pub mod index;
pub mod agent;
pub mod ask;
pub mod review;
pub mod engine;
pub mod rpc;
pub mod tui;
pub mod cli;
