//! The terminal: taken, drawn on, and given back whatever happens.

use std::cell::Cell;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::Command;
use crossterm::clipboard::CopyToClipboard;
use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Position, Rect, Size};

use super::surroundings;
use crate::problem::Problem;
use crate::tui::model::Model;
use crate::tui::view;

thread_local!(
    /// Whether this thread draws. A panic of any other is the engine's to report: the screen goes on.
    static DRAWS: Cell<bool> = const { Cell::new(false) };
);

/// Whether the terminal is taken, so that it is given back once and only then.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Fails where standard input or output is no terminal.
///
/// # Errors
/// A [`Problem`] that names the way without a screen.
pub fn demand() -> Result<(), Problem> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return Ok(());
    }
    Err(Problem::new("the screen needs a terminal on standard input and output")
        .hint("`second-look review` prints the same review as text, or with --json for programs"))
}

/// The terminal while it is taken. Dropping it gives it back.
pub struct Terminal {
    inner: ratatui::Terminal<CrosstermBackend<BufWriter<Stdout>>>,
}

impl Terminal {
    /// Takes the terminal: raw, on the alternate screen. A panic gives it back before it is reported.
    ///
    /// # Errors
    /// A [`Problem`] where the terminal refuses.
    pub fn enter() -> Result<Self, Problem> {
        restore_on_panic();
        DRAWS.set(true);
        take().map_err(problem)?;
        let backend = CrosstermBackend::new(BufWriter::with_capacity(64 * 1024, io::stdout()));
        match ratatui::Terminal::new(backend) {
            Ok(inner) => Ok(Self { inner }),
            Err(error) => {
                give_back();
                Err(problem(error))
            }
        }
    }

    /// Gives the terminal back for a while.
    pub fn leave(&mut self) {
        give_back();
    }

    /// Takes the terminal again, and draws everything anew next time.
    ///
    /// # Errors
    /// A [`Problem`] where the terminal refuses.
    pub fn enter_again(&mut self) -> Result<(), Problem> {
        take().map_err(problem)?;
        self.clear()
    }

    /// Gives a text to the terminal's clipboard. Whether it takes it, it does not say.
    ///
    /// # Errors
    /// A [`Problem`] where the terminal fails.
    pub fn copy(&mut self, text: &str) -> Result<(), Problem> {
        let mut sequence = String::new();
        // Writing into a string cannot fail.
        let _ = CopyToClipboard::to_clipboard_from(text).write_ansi(&mut sequence);
        let mut out = io::stdout();
        // tmux takes the first with `set-clipboard on`, and hands the second on with `allow-passthrough on`.
        let passed = surroundings::in_tmux().then(|| passed_through(&sequence));
        let written = out.write_all(sequence.as_bytes()).and_then(|()| match passed {
            Some(passed) => out.write_all(passed.as_bytes()),
            None => Ok(()),
        });
        written.and_then(|()| out.flush()).map_err(problem)
    }

    /// Draws everything anew next time.
    ///
    /// # Errors
    /// A [`Problem`] where the terminal fails.
    pub fn clear(&mut self) -> Result<(), Problem> {
        take().map_err(problem)?;
        // `clear` would ask the terminal where its cursor is, and the stream of events would swallow the answer.
        let area = Rect::from((Position::ORIGIN, self.size()));
        self.inner.resize(area).map_err(problem)
    }

    /// The size in cells; what was last known where the terminal does not say.
    pub fn size(&self) -> Size {
        self.inner.size().unwrap_or(Size::new(80, 24))
    }

    /// Draws one frame, shown at once.
    ///
    /// # Errors
    /// A [`Problem`] where the terminal fails.
    pub fn draw(&mut self, model: &Model) -> Result<(), Problem> {
        DRAWS.set(true);
        queue!(self.inner.backend_mut(), BeginSynchronizedUpdate).map_err(problem)?;
        self.inner.draw(|frame| view::draw(model, frame)).map_err(problem)?;
        execute!(self.inner.backend_mut(), EndSynchronizedUpdate).map_err(problem)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back();
    }
}

/// A sequence as tmux hands it on to the terminal it runs in.
fn passed_through(sequence: &str) -> String {
    format!("\x1bPtmux;{}\x1b\\", sequence.replace('\x1b', "\x1b\x1b"))
}

fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    // Stopped from outside, the shell took raw mode away, which crossterm does not know.
    disable_raw_mode()?;
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, Hide)
}

/// Gives the terminal back if it is taken. Errors are ignored: there is no screen left to show them on.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let mut out = io::stdout();
        drop(execute!(out, EndSynchronizedUpdate, DisableBracketedPaste, Show, LeaveAlternateScreen));
        drop(out.flush());
        drop(disable_raw_mode());
    }
}

fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if DRAWS.get() || !TAKEN.load(Ordering::SeqCst) {
                give_back();
                report(info);
            }
        }));
    });
}

fn problem(error: io::Error) -> Problem {
    Problem::new(format!("the terminal failed: {error}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_tmux_hands_on_is_wrapped() {
        assert_eq!(super::passed_through("\x1b]52;c;eA==\x1b\\"), "\x1bPtmux;\x1b\x1b]52;c;eA==\x1b\x1b\\\x1b\\");
    }
}
