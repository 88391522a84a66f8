//! The built program from end to end: its command line, its JSON, its screen in a pseudo-terminal, a GitHub on
//! loopback, and what is left when the network, the cache, git or the program itself is gone.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;

mod agents;
mod api;
mod asks;
mod asks_on_screen;
mod command_line;
mod doctor;
mod fetching;
mod hostile;
mod json;
mod mcp;
mod offline;
mod patch;
mod result;
mod scene;
mod screen;
mod screen_and_json;
mod serve;
mod survival;
