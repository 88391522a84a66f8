//! What reaches the screen and what it wants done: closed lists, so that a session can be replayed in a test.

use std::time::Duration;

use ratatui::layout::Size;

use super::keys::Key;
use crate::engine::events::{Event, Request};

/// Something that happened.
pub enum Message {
    /// The engine says something.
    Engine(Event),
    /// A key was pressed.
    Key(Key),
    /// A text was pasted.
    Paste(String),
    /// The terminal has this size now.
    Resize(Size),
    /// The time since the start of the session.
    Tick(Duration),
}

/// Something the runtime is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Ask the engine.
    Send(Request),
    /// Give a text to the terminal's clipboard.
    Copy(String),
    /// Draw everything anew.
    Redraw,
    /// Give the terminal back and stop, until the shell goes on.
    Suspend,
    /// Leave.
    Quit,
}
