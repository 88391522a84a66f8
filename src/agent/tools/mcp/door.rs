//! The door: who may come in over the socket. Not a byte of MCP is read before the client has shown who it is.

use std::time::Duration;

use subtle::ConstantTimeEq;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;

use super::SECRET_BYTES;

/// How long a client may take to show its secret.
const PATIENCE: Duration = Duration::from_secs(5);

/// Clients that may stand at the door at once; others wait outside.
const WAITING: usize = 16;

/// How long nobody is let in after the system refused a connection, so that it is not asked in a loop.
const PAUSE: Duration = Duration::from_millis(50);

/// The client that was let in. What it sent after its secret is still to be read.
pub struct Client {
    /// What it says.
    pub read: BufReader<OwnedReadHalf>,
    /// What it is told.
    pub write: OwnedWriteHalf,
}

/// Waits for the one client that is the same user and knows the secret; all others are sent away without a word.
pub async fn admit(listener: UnixListener, secret: String) -> Client {
    let mut waiting = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept(), if waiting.len() < WAITING => match accepted {
                Ok((stream, _)) => drop(waiting.spawn(shows_secret(stream, secret.clone()))),
                Err(_) => tokio::time::sleep(PAUSE).await,
            },
            Some(shown) = waiting.join_next() => {
                if let Ok(Some(client)) = shown {
                    return client;
                }
            }
        }
    }
}

/// The client, if it is the same user and its first line is the secret.
async fn shows_secret(stream: UnixStream, secret: String) -> Option<Client> {
    if stream.peer_cred().ok()?.uid() != rustix::process::geteuid().as_raw() {
        return None;
    }
    let (read, write) = stream.into_split();
    let mut read = BufReader::new(read);
    let mut line = Vec::new();
    let first = async { (&mut read).take(SECRET_BYTES).read_until(b'\n', &mut line).await };
    tokio::time::timeout(PATIENCE, first).await.ok()?.ok()?;
    let same: bool = line.ct_eq(format!("{secret}\n").as_bytes()).into();
    same.then_some(Client { read, write })
}
