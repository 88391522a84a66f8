//! The house rules as failing tests: who may use whom, who may touch what, how long a file may be.
//!
//! * `layers`: modules use only what is declared above them in `src/lib.rs`, and inside `change` likewise;
//!   crates and system calls stay with the modules that own them.
//! * `sizes`: files, structs and functions stay readable.
//! * `sources`: reads `src/` once for the others.
//! * `repository`: what the repository as a whole must and must not hold.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod layers;
mod repository;
mod sizes;
mod sources;
