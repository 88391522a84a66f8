//! What can go wrong with git, and what a reviewer can do about it.

use std::path::PathBuf;

use crate::change::ObjectId;
use crate::problem::Problem;

/// What went wrong with the `git` program, a cache repository or a clone. Texts from elsewhere are cleaned already
/// and hold no token.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no `git` program on the path.
    #[error("the `git` program was not found")]
    NoProgram,
    /// The `git` program is older than the one this was built for.
    #[error("`git` {0} is too old: 2.36 or newer is needed")]
    OldProgram(String),
    /// The address is not one that may be fetched from.
    #[error("`{0}` cannot be fetched from: only https, and http on loopback, are allowed")]
    Address(String),
    /// The token holds characters that no header may hold.
    #[error("the token holds characters that cannot be sent")]
    Token,
    /// The server asked for a login, or says the repository is not there: to git these are one.
    #[error("`{0}` is not there, or may not be read with this login")]
    NotAllowed(String),
    /// The server answered with another address, which is not followed.
    #[error("`{0}` has moved to another address")]
    Moved(String),
    /// The server does not have a commit (any more).
    #[error("commit {} is not to be had from `{at}`", id.short())]
    NoCommit {
        /// The commit.
        id: ObjectId,
        /// Where it was asked for.
        at: String,
    },
    /// The server could not be reached, or the connection broke.
    #[error("`{at}` cannot be reached: {why}")]
    Unreachable {
        /// The address.
        at: String,
        /// What git said.
        why: String,
    },
    /// Where it was fetched from lacks objects that the commits need.
    #[error("`{0}` lacks objects of these commits")]
    Incomplete(String),
    /// `git` failed in a way that has no name here.
    #[error("`git {verb}` failed: {why}")]
    Failed {
        /// The subcommand.
        verb: &'static str,
        /// What it said last.
        why: String,
    },
    /// `git` wrote more than is read.
    #[error("`git {verb}` wrote more than {limit} MiB")]
    TooMuch {
        /// The subcommand.
        verb: &'static str,
        /// The limit in MiB.
        limit: usize,
    },
    /// A cache repository cannot be used.
    #[error("the cache `{}` cannot be used: {why}", folder.display())]
    Cache {
        /// Its folder.
        folder: PathBuf,
        /// Why.
        why: String,
    },
    /// A cache repository is open in this or another running program.
    #[error("the cache of `{0}` is in use")]
    Busy(String),
    /// An object that should be in a cache repository is not.
    #[error("object {} is not in the cache", .0.short())]
    NotHere(ObjectId),
    /// The folder belongs to no clone.
    #[error("`{}` is not inside a git clone", .0.display())]
    NoClone(PathBuf),
    /// The clone belongs to another user and git was not told to trust it.
    #[error("the clone `{}` belongs to another user", .0.display())]
    NotOwned(PathBuf),
    /// The clone has no working tree.
    #[error("the clone `{}` has no working tree", .0.display())]
    Bare(PathBuf),
    /// A name in the clone means no commit.
    #[error("`{0}` names no commit of this clone")]
    NoRevision(String),
    /// Two commits have nothing in common.
    #[error("`{0}` and `{1}` have no commit in common")]
    NoMergeBase(String, String),
    /// The clone has no branch that could be the default one.
    #[error("this clone has no default branch to compare with")]
    NoDefaultBranch,
    /// The clone cannot be read.
    #[error("the clone cannot be read: {0}")]
    Clone(String),
    /// The work was stopped from outside.
    #[error("the work was cut short")]
    CutShort,
}

impl GitError {
    /// A cache repository that git2 cannot use.
    pub(super) fn cache(folder: impl Into<PathBuf>, why: impl ToString) -> Self {
        Self::Cache { folder: folder.into(), why: crate::text::clean(&why.to_string()).into_string() }
    }

    /// A clone that git2 cannot read.
    pub(super) fn clone(error: &git2::Error) -> Self {
        Self::Clone(crate::text::clean(error.message()).into_string())
    }
}

impl From<GitError> for Problem {
    fn from(error: GitError) -> Self {
        let problem = Self::new(error.to_string());
        match error {
            GitError::NoProgram => problem.hint("install git 2.36 or newer and put it on the path"),
            GitError::OldProgram(_) => problem.hint("install a newer git"),
            GitError::NotAllowed(_) => problem
                .hint("check the address")
                .hint("sign in with `gh auth login`, or set a token that may read the repository"),
            GitError::Moved(_) => problem.hint("use the repository's present address"),
            GitError::NoCommit { .. } => {
                problem.hint("open the pull request again: its branch may have been rewritten")
            }
            GitError::Incomplete(_) => problem.hint(
                "in a partial clone, bring them with `git fetch --refetch --no-filter`, or open the pull request",
            ),
            GitError::Unreachable { .. } => {
                problem.hint("check the network, or use --offline for a change opened before")
            }
            GitError::Cache { .. } => {
                problem.hint("remove it with `second-look cache remove`: no mark, draft or answer is lost")
            }
            GitError::Busy(_) => problem.hint("close the other Second Look first"),
            GitError::NotHere(_) => problem.hint("open the change with a network once"),
            GitError::NoClone(_) => problem.hint("run it in a clone, or give the address of a pull request"),
            GitError::NotOwned(folder) => problem
                .hint(format!("if you trust it, run: git config --global --add safe.directory {}", folder.display())),
            GitError::Bare(_) => problem.hint("give a range such as `main...topic`"),
            GitError::NoRevision(_) => problem.hint("check the name with `git rev-parse`"),
            GitError::NoMergeBase(..) => {
                problem.hint("in a shallow clone, run `git fetch --unshallow`").hint("compare the trees with `A..B`")
            }
            GitError::Failed { verb: "fetch", .. } => problem
                .hint("try again; if it goes on, `second-look cache remove all`: no mark, draft or answer is lost"),
            GitError::NoDefaultBranch => problem.hint("say what to compare with: `A...B`"),
            _ => problem,
        }
    }
}
