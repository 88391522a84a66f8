//! Where there are no Unix sockets: agent programs cannot be given our tools there yet, and it says so.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::Toolbox;
use crate::agent::Desk;
use crate::problem::Problem;

/// A server that cannot exist here.
#[derive(Debug)]
pub enum Served {}

/// Serves nothing.
///
/// # Errors
/// Always: a [`Problem`] that says so.
pub fn serve(_: &Path, _: Arc<Toolbox>, _: serde_json::Value, _: Desk) -> Result<Served, Problem> {
    Err(not_here())
}

/// Copies nothing.
///
/// # Errors
/// Always: a [`Problem`] that says so.
pub async fn bridge(_: &Path) -> Result<(), Problem> {
    Err(not_here())
}

impl Served {
    /// Never called.
    pub fn command(&self) -> (PathBuf, Vec<String>) {
        match *self {}
    }

    /// Never called.
    pub fn connected(&self) -> bool {
        match *self {}
    }

    /// Never called.
    pub fn submitted(&self) -> bool {
        match *self {}
    }
}

fn not_here() -> Problem {
    Problem::new("agent programs cannot be used on this system yet").hint("use another agent, such as `plain`")
}
