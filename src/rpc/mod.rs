//! The engine's verbs for other programs: JSON-RPC 2.0, one message a line, on standard input and output.
//!
//! `protocol.md` beside this file is the documentation; a test replays the exchange recorded in it. Requests run
//! concurrently and are answered as they end. A token given with `review` is used for that opening and kept nowhere;
//! an ask makes no request to GitHub.

mod methods;
mod server;
mod shared;
mod wire;

pub use server::serve;

/// The version of the protocol.
pub const VERSION: u64 = 1;

/// The documentation, with a recorded exchange.
pub const PROTOCOL: &str = include_str!("protocol.md");
