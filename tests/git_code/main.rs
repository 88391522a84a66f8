//! Drives the code side of sources against real temporary repositories and a git server on loopback.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

/// Repositories to test on, and a git server for them.
mod ground;

/// Fetching into a cache repository.
mod fetch;
/// Local ranges, the index and the working tree.
mod local;
/// Recorded changes.
mod recorded;
/// Reading both trees, and the list of changed files.
mod trees;
/// Listing, removing and pruning.
mod upkeep;
