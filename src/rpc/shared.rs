//! What all requests of one client share: its reviews, its output, and what runs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;

use super::wire::{self, Id, Refusal};
use crate::agent::Choice;
use crate::engine::Engine;
use crate::review::Review;

/// A review with who answers its asks, where its client said so.
pub type Reviewed = (Arc<Review>, Option<Choice>);

/// What all requests of one client share.
pub struct Shared {
    /// The engine it is served by.
    pub engine: Arc<Engine>,
    /// The folder that addresses are read from.
    pub folder: PathBuf,
    /// The latest review of each address, by the address's key, with who answers its asks.
    pub reviews: Mutex<BTreeMap<String, Reviewed>>,
    lines: UnboundedSender<String>,
    /// Cancels requests that run, by their ids.
    running: Mutex<BTreeMap<Id, watch::Sender<bool>>>,
}

impl Shared {
    /// For a client that has just come; `lines` goes to its output.
    pub fn new(engine: Arc<Engine>, folder: PathBuf, lines: UnboundedSender<String>) -> Self {
        Self { engine, folder, reviews: Mutex::default(), lines, running: Mutex::default() }
    }

    /// Says something that belongs to a request.
    pub fn notify(&self, method: &str, params: &Value) {
        // A reader that is gone needs nothing said.
        let _ = self.lines.send(wire::notification(method, params));
    }

    /// Answers a request, or a line that was none.
    pub fn reply(&self, id: Option<&Id>, outcome: Result<Value, Refusal>) {
        let _ = self.lines.send(wire::reply(id, outcome));
    }

    /// Cancels a request; false where none of that id runs.
    pub fn cancel(&self, id: &Id) -> bool {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.get(id).is_some_and(|cancel| cancel.send(true).is_ok())
    }

    /// Cancels everything that runs.
    pub fn cancel_all(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        for cancel in running.values() {
            // A request that has just ended listens no more.
            let _ = cancel.send(true);
        }
    }

    /// Enters a request as running; none where one of that id runs already.
    pub fn enter(&self, id: &Id) -> Option<watch::Receiver<bool>> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.contains_key(id) {
            return None;
        }
        let (cancel, cancelled) = watch::channel(false);
        running.insert(id.clone(), cancel);
        Some(cancelled)
    }

    /// A request has ended.
    pub fn leave(&self, id: &Id) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}
