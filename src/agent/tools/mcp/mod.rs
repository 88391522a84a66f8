//! The tools as an MCP server inside the running program, and the bridge by which an agent program reaches it.
//!
//! An agent program starts `second-look mcp FOLDER` as its MCP server. That process only copies bytes to and from a
//! socket in the folder, which its owner alone may enter; trees, checks and the ledger stay in the running program.
//! Whoever connects must be the same user and must first send the secret that lies beside the socket, in a file that
//! its owner alone may read: it is never on a command line. One client is taken, then the socket and the secret go.

#[cfg(unix)]
mod bridge;
#[cfg(unix)]
mod door;
#[cfg(unix)]
mod gate;
#[cfg(unix)]
mod served;
#[cfg(unix)]
mod server;
#[cfg(all(test, unix))]
mod tests;

#[cfg(unix)]
pub use bridge::bridge;
#[cfg(unix)]
pub use served::{Served, serve};

#[cfg(not(unix))]
mod elsewhere;
#[cfg(not(unix))]
pub use elsewhere::{Served, bridge, serve};

/// The socket's name in the folder; short, because the path of a socket may have some hundred bytes.
#[cfg(unix)]
const SOCKET: &str = "s";
/// The name of the file with the secret.
#[cfg(unix)]
const SECRET: &str = "k";
/// Bytes of the longest first line that is read.
#[cfg(unix)]
const SECRET_BYTES: u64 = 128;
