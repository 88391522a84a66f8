//! The reviewer's database and the folders around it; knows rows and bytes, no type of the domain.
//!
//! `state.db` holds what must never be lost: marks, answers, drafts, looks and cached facts. It is SQLite in WAL mode,
//! readable by its owner alone; two running programs may use it at once. `atomic` writes cache files whole.

mod atomic;
mod database;
mod schema;

pub use atomic::{private_folder, write_whole};
pub use database::{AnswerRow, DraftRow, FactRow, LookRow, Store};

use std::path::PathBuf;

use crate::problem::Problem;

/// What can go wrong with the database or a cache file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A folder or file could not be made, read or written.
    #[error("cannot use `{path}`: {source}", path = path.display())]
    File {
        /// The path concerned.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The database was made by a newer program.
    #[error("`{path}` was written by a newer version of second-look", path = path.display())]
    Newer {
        /// The database's path.
        path: PathBuf,
    },
    /// SQLite refused.
    #[error("the database `{path}` failed: {source}", path = path.display())]
    Database {
        /// The database's path.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let problem = Self::new(error.to_string());
        match error {
            StoreError::File { .. } => problem.hint("check that the folder exists, is yours and has room"),
            StoreError::Newer { .. } => problem.hint("run the newer version; nothing was changed"),
            StoreError::Database { .. } => problem.hint("check the disk, or move the file away to start afresh"),
        }
    }
}
