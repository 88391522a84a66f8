//! The gate: how much one client may have under way. The crate itself would take any number of requests at once, and keep
//! any number of answers for a client that does not read them.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::Notify;

/// Requests that may be under way: read, and not yet answered to the last byte. The next is read when one is done.
pub const UNDER_WAY: usize = 32;

/// A transport that reads no further while too much is under way.
pub struct Gate<T> {
    inner: T,
    under_way: Arc<UnderWay>,
}

#[derive(Default)]
struct UnderWay {
    ids: Mutex<HashSet<RequestId>>,
    done: Notify,
}

impl<T> Gate<T> {
    /// Puts a gate before a transport.
    pub fn new(inner: T) -> Self {
        Self { inner, under_way: Arc::default() }
    }
}

impl UnderWay {
    fn ids(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until another request may be read. Only the one reader waits.
    async fn room(&self) {
        while self.ids().len() >= UNDER_WAY {
            self.done.notified().await;
        }
    }

    fn end(&self, id: &RequestId) {
        self.ids().remove(id);
        self.done.notify_one();
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Gate<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let id = match &message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        };
        let (sending, under_way) = (self.inner.send(message), Arc::clone(&self.under_way));
        async move {
            let sent = sending.await;
            id.inspect(|id| under_way.end(id));
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.under_way.room().await;
            let message = self.inner.receive().await?;
            match &message {
                // Two requests under one id could not be told apart when they are answered: the second is no request.
                JsonRpcMessage::Request(request) if !self.under_way.ids().insert(request.id.clone()) => continue,
                JsonRpcMessage::Notification(said) => {
                    // What the client gave up is answered by nobody, and its handler ends.
                    if let ClientNotification::CancelledNotification(cancelled) = &said.notification
                        && let Some(id) = &cancelled.params.request_id
                    {
                        self.under_way.end(id);
                    }
                }
                _ => {}
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
