//! Review threads: conversations anchored at a place of the change, as values. Texts are as they came.

use super::Place;

/// One conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Its name at its source.
    pub id: String,
    /// Where it is anchored in the change as it was read; none where it points at nothing there any more.
    pub place: Option<Place>,
    /// Whether somebody has called it resolved.
    pub resolved: bool,
    /// Whether the code it was written about has changed since.
    pub outdated: bool,
    /// Its comments, the oldest first.
    pub comments: Vec<ThreadComment>,
    /// Why its comments could not be read; none where they are all here.
    pub not_read: Option<String>,
}

/// One comment of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadComment {
    /// Who wrote it.
    pub author: String,
    /// When, RFC 3339 in UTC; empty where that is unknown.
    pub at: String,
    /// Its text, in GitHub's markdown.
    pub body: String,
}
