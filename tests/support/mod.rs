//! What end-to-end tests share: repositories made on the spot, a GitHub on loopback that serves them, and the built
//! program, run to its end or in a pseudo-terminal.
//!
//! A test file takes it with `mod support;`. Each test file is a program of its own and uses what it needs.

#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

pub mod fault;
pub mod github;
pub mod http;
pub mod model;
pub mod program;
pub mod repository;
pub mod said;
pub mod terminal;
