//! Serving one client: the socket and the secret, and their end.

use std::fs::OpenOptions;
use std::io::Write;
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::os::unix::net;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::Value;
use tokio::io::AsyncReadExt;
use tokio::net::UnixListener;
use tokio::task::JoinHandle;

use super::door::{self, Client};
use super::gate::Gate;
use super::server::Server;
use super::{SECRET, SOCKET};
use crate::agent::Desk;
use crate::agent::tools::Toolbox;
use crate::problem::Problem;

/// Bytes of the longest path that a socket can have everywhere.
const PATH_BYTES: usize = 100;
/// Bytes of the longest message that is read; a longer one is dropped.
const MESSAGE_BYTES: usize = 1 << 20;
/// Bytes that one client may send in all; past that the connection ends.
const SENT_BYTES: u64 = 64 << 20;

/// A server that waits for its client or serves it. Dropping it ends both, and removes the socket and the secret.
#[derive(Debug)]
pub struct Served {
    folder: PathBuf,
    program: PathBuf,
    state: Arc<State>,
    task: JoinHandle<()>,
}

/// What is known of the one client.
#[derive(Debug, Default)]
struct State {
    connected: AtomicBool,
    submitted: Arc<AtomicBool>,
    stream: Mutex<Option<net::UnixStream>>,
}

/// Starts to serve the tools, and `submit_answer` with the schema of the answer, to one client over a socket in a folder.
/// The folder must exist and be its owner's alone. Call it within the runtime.
///
/// # Errors
/// A [`Problem`] where the folder can be entered by others, its path is too long, or the socket cannot be made.
pub fn serve(folder: &Path, tools: Arc<Toolbox>, schema: Value, desk: Desk) -> Result<Served, Problem> {
    let socket = folder.join(SOCKET);
    owners_alone(folder)?;
    if socket.as_os_str().len() > PATH_BYTES {
        return Err(Problem::new(format!("the path `{}` is too long for a socket", socket.display()))
            .hint("set TMPDIR to a folder with a shorter path"));
    }
    let problem = |what: &str, error: &dyn std::fmt::Display| {
        Problem::new(format!("the tools cannot be served in `{}`: {what}: {error}", folder.display()))
    };
    let program = std::env::current_exe().map_err(|error| problem("this program's own path", &error))?;
    let secret = secret().map_err(|error| problem("the secret", &error))?;
    write_secret(&folder.join(SECRET), &secret).map_err(|error| problem("the secret", &error))?;
    let listener = UnixListener::bind(&socket).map_err(|error| {
        remove(folder);
        problem("the socket", &error)
    })?;
    let state = Arc::new(State::default());
    let server = Server::new(tools, schema, desk, Arc::clone(&state.submitted));
    let task = tokio::spawn(run(folder.to_owned(), listener, secret, server, Arc::clone(&state)));
    Ok(Served { folder: folder.to_owned(), program, state, task })
}

impl Served {
    /// The program and the arguments by which an agent program starts its end of the bridge.
    pub fn command(&self) -> (PathBuf, Vec<String>) {
        (self.program.clone(), vec!["mcp".to_owned(), self.folder.to_string_lossy().into_owned()])
    }

    /// Whether a client came in.
    pub fn connected(&self) -> bool {
        self.state.connected.load(Ordering::Relaxed)
    }

    /// Whether the client handed in an answer, good or not.
    pub fn submitted(&self) -> bool {
        self.state.submitted.load(Ordering::Relaxed)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
        // The crate goes on for a moment with what is under way; its client hears none of it.
        if let Some(stream) = self.state.stream.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        remove(&self.folder);
    }
}

async fn run(folder: PathBuf, listener: UnixListener, secret: String, server: Server, state: Arc<State>) {
    let Client { read, write } = door::admit(listener, secret).await;
    remove(&folder);
    let Ok(handle) = write.as_ref().as_fd().try_clone_to_owned() else { return };
    *state.stream.lock().unwrap_or_else(PoisonError::into_inner) = Some(handle.into());
    state.connected.store(true, Ordering::Relaxed);
    let transport = AsyncRwTransport::new_server(read.take(SENT_BYTES), write).with_max_line_length(MESSAGE_BYTES);
    if let Ok(running) = rmcp::serve_server(server, Gate::new(transport)).await {
        let _ = running.waiting().await;
    }
}

/// Whether nobody but this user may enter a folder.
fn owners_alone(folder: &Path) -> Result<(), Problem> {
    let name = folder.display();
    let facts = std::fs::symlink_metadata(folder)
        .map_err(|error| Problem::new(format!("the folder `{name}` for the socket cannot be read: {error}")))?;
    let alone = facts.is_dir() && facts.uid() == rustix::process::geteuid().as_raw() && facts.mode() & 0o077 == 0;
    if alone {
        Ok(())
    } else {
        Err(Problem::new(format!("the folder `{name}` for the socket can be entered by others")))
    }
}

/// Sixty-four hexadecimal digits that nobody can guess.
fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes the secret to a file that must not be there yet.
fn write_secret(file: &Path, secret: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
    file.write_all(secret.as_bytes())
}

/// The socket and the secret serve one client; after that they are in nobody's way.
fn remove(folder: &Path) {
    for name in [SOCKET, SECRET] {
        let _ = std::fs::remove_file(folder.join(name));
    }
}
