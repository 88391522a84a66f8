//! The JSON of GitHub, as much of it as is read: anything may be null, and what is not named here is ignored.

use serde::Deserialize;

/// `GET /repos/O/R/pulls/N`.
#[derive(Debug, Deserialize)]
pub(super) struct Pull {
    pub(super) title: Option<String>,
    pub(super) body: Option<String>,
    pub(super) user: Option<Account>,
    pub(super) state: Option<String>,
    pub(super) draft: Option<bool>,
    pub(super) merged: Option<bool>,
    pub(super) merged_at: Option<String>,
    pub(super) base: End,
    pub(super) head: End,
    pub(super) changed_files: Option<u64>,
    pub(super) additions: Option<u64>,
    pub(super) deletions: Option<u64>,
}

/// A person or a program.
#[derive(Debug, Deserialize)]
pub(super) struct Account {
    pub(super) login: Option<String>,
}

/// One end of a pull request.
#[derive(Debug, Deserialize)]
pub(super) struct End {
    pub(super) sha: String,
    #[serde(rename = "ref")]
    pub(super) branch: Option<String>,
    pub(super) repo: Option<Repository>,
}

/// A repository; absent where a fork was deleted.
#[derive(Debug, Deserialize)]
pub(super) struct Repository {
    pub(super) full_name: Option<String>,
}

/// `GET /repos/O/R/compare/A...B`.
#[derive(Debug, Deserialize)]
pub(super) struct Compare {
    pub(super) merge_base_commit: Option<Commit>,
}

/// A commit, by its id.
#[derive(Debug, Deserialize, serde::Serialize)]
pub(super) struct Commit {
    pub(super) sha: String,
}
