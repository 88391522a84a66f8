//! What a GitHub client remembers between runs: answers with their ETags, kept by whoever has a store.

/// An answer as it was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedAnswer {
    /// GitHub's name of this version of the answer; empty where it gave none.
    pub etag: String,
    /// The JSON.
    pub body: Vec<u8>,
    /// When GitHub last said that this is so, as RFC 3339 text.
    pub at: String,
}

/// Keeps answers by their address. Failing to keep or to find one is no failure: it only costs a request.
pub trait FactCache: Send + Sync {
    /// The answer last kept for an address.
    fn get(&self, url: &str) -> Option<CachedAnswer>;
    /// Keeps an answer for an address, in place of an earlier one.
    fn put(&self, url: &str, answer: &CachedAnswer);
}

/// Keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCache;

impl FactCache for NoCache {
    fn get(&self, _url: &str) -> Option<CachedAnswer> {
        None
    }

    fn put(&self, _url: &str, _answer: &CachedAnswer) {}
}
