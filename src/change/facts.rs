//! What is known of a change besides its code.

/// A pull request's name: where it is and its number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PullRequest {
    /// `https://HOST`, or `http://HOST:PORT` on loopback; no slash at the end.
    pub server: String,
    /// The account that owns the repository.
    pub owner: String,
    /// The repository's name.
    pub repo: String,
    /// The pull request's number.
    pub number: u64,
}

impl PullRequest {
    /// The page of the pull request.
    pub fn url(&self) -> String {
        format!("{}/{}/{}/pull/{}", self.server, self.owner, self.repo, self.number)
    }

    /// `OWNER/REPO#N`, as people write it.
    pub fn short(&self) -> String {
        format!("{}/{}#{}", self.owner, self.repo, self.number)
    }
}

/// Where a change comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A pull request on a GitHub host.
    PullRequest(PullRequest),
    /// A range, the index or the working tree of a local clone.
    Local {
        /// The clone's folder.
        folder: String,
        /// What was asked for, in words, such as `main...topic` or `staged`.
        range: String,
    },
    /// A change kept as files, by name; the demo is one.
    Recorded(String),
}

/// The state of a pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Open and ready for review.
    Open,
    /// Open, and marked as a draft.
    Draft,
    /// Closed without being merged.
    Closed,
    /// Merged.
    Merged,
}

impl State {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Draft => "draft",
            Self::Closed => "closed",
            Self::Merged => "merged",
        }
    }
}

/// What is known of a change besides its code. All texts are as they came: clean them before showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Where it comes from.
    pub origin: Origin,
    /// The title; for a local range, what was asked for.
    pub title: String,
    /// The description, in GitHub's markdown; empty where there is none.
    pub description: String,
    /// Who opened it; empty where that is unknown.
    pub author: String,
    /// Its state; none for anything but a pull request.
    pub state: Option<State>,
    /// The branch it goes to; empty where that is unknown.
    pub base_branch: String,
    /// The branch it comes from; empty where that is unknown.
    pub head_branch: String,
    /// `OWNER/REPO` of the head; none where it is gone, or for a local range.
    pub head_repository: Option<String>,
}
