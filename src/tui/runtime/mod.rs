//! Runs the screen: takes what happened, updates, performs effects, draws once. Alone touches the terminal.

mod signals;
mod surroundings;
mod terminal;

pub use surroundings::in_words as surroundings;

use std::time::{Duration, Instant};

use crossterm::event::{Event as Input, EventStream, KeyEventKind};
use futures_util::StreamExt;
use ratatui::layout::Size;

use super::actions::{AskKey, KeyTable};
use super::glyphs;
use super::keys::Key;
use super::message::{Effect, Message};
use super::model::Model;
use super::theme::Theme;
use super::update::update;
use super::widgets::brush::Look;
use crate::config::Screen;
use crate::engine::events::Event;
use crate::problem::Problem;
use signals::{Signal, Signals};
use terminal::Terminal;

/// How often the screen changes by time alone, while something runs.
const TICK: Duration = Duration::from_millis(200);
/// How long the last marks may take to reach the disk after the reviewer quits.
const LAST_WRITES: Duration = Duration::from_secs(5);
/// Most messages taken before a frame is drawn.
const BATCH: usize = 1000;

pub use crate::engine::session::Session;

/// Shows a session until the reviewer quits. `asks` are the rows of the table of asks.
///
/// # Errors
/// A [`Problem`] where there is no terminal, where it fails, or where a signal ended the program; the terminal is
/// given back first.
pub async fn run(session: Session, settings: &Screen, asks: &[AskKey]) -> Result<(), Problem> {
    terminal::demand()?;
    let (kind, depth) = surroundings::theme(settings.theme);
    let glyphs = if settings.ascii { glyphs::ASCII } else { glyphs::USUAL };
    let look = Look { theme: Theme::built_in(kind, depth), glyphs, tab: settings.tab_width };
    let terminal = Terminal::enter()?;
    let model = Model::new(terminal.size(), look, KeyTable::new(asks));
    let mut screen = Running {
        model,
        terminal,
        session,
        input: EventStream::new(),
        signals: Signals::listen()?,
        started: Instant::now(),
        engine_gone: false,
    };
    let ended = screen.show().await;
    let Running { session, terminal, .. } = screen;
    drop(terminal);
    drop(session.requests);
    // What was marked just before is still on its way to the disk. A disk that hangs must not keep the reviewer.
    let _ = tokio::time::timeout(LAST_WRITES, session.served).await;
    ended
}

struct Running {
    model: Model,
    terminal: Terminal,
    session: Session,
    input: EventStream,
    signals: Signals,
    started: Instant,
    engine_gone: bool,
}

/// What one wait brought.
enum Woken {
    Message(Message),
    Suspend,
    Resumed,
    Nothing,
}

impl Running {
    /// Draws and takes what happens until the reviewer quits or something ends it.
    async fn show(&mut self) -> Result<(), Problem> {
        self.draw()?;
        loop {
            let messages = self.gather().await?;
            if !self.take(messages)? {
                return Ok(());
            }
            self.draw()?;
        }
    }

    /// Waits for one thing to happen, then takes everything else that is there.
    async fn gather(&mut self) -> Result<Vec<Woken>, Problem> {
        let ticks = self.model.wants_ticks();
        let first = tokio::select! {
            event = self.session.events.recv(), if !self.engine_gone => self.engine(event),
            input = self.input.next() => heard(input)?,
            signal = self.signals.next() => signalled(signal)?,
            () = tokio::time::sleep(TICK), if ticks => Woken::Nothing,
        };
        let mut woken = vec![Woken::Message(Message::Tick(self.started.elapsed())), first];
        while woken.len() < BATCH {
            // Polled with this task's own waker: the stream keeps the one it was first polled with.
            let more = tokio::select! {
                biased;
                Some(event) = self.session.events.recv() => Woken::Message(Message::Engine(event)),
                input = self.input.next() => heard(input)?,
                () = std::future::ready(()) => break,
            };
            woken.push(more);
        }
        Ok(woken)
    }

    fn engine(&mut self, event: Option<Event>) -> Woken {
        match event {
            Some(event) => Woken::Message(Message::Engine(event)),
            None => {
                self.engine_gone = true;
                let problem = Problem::new("the engine stopped; what is on screen stays readable")
                    .hint("quit and open the change again");
                Woken::Message(Message::Engine(Event::Trouble(problem)))
            }
        }
    }

    /// Updates and performs the effects; false where the reviewer quits.
    fn take(&mut self, woken: Vec<Woken>) -> Result<bool, Problem> {
        for woken in woken {
            let effects = match woken {
                Woken::Message(message) => update(&mut self.model, message),
                Woken::Suspend => vec![Effect::Suspend],
                Woken::Resumed => vec![Effect::Redraw],
                Woken::Nothing => Vec::new(),
            };
            for effect in effects {
                match effect {
                    // An engine that is gone was reported when its events ended.
                    Effect::Send(request) => drop(self.session.requests.send(request)),
                    Effect::Copy(text) => self.terminal.copy(&text)?,
                    Effect::Redraw => self.terminal.clear()?,
                    Effect::Suspend => self.suspend()?,
                    Effect::Quit => return Ok(false),
                }
            }
        }
        Ok(true)
    }

    fn suspend(&mut self) -> Result<(), Problem> {
        self.terminal.leave();
        signals::stop_group();
        // Here the shell let the program go on.
        self.terminal.enter_again()?;
        self.resize(self.terminal.size());
        Ok(())
    }

    fn resize(&mut self, size: Size) {
        for effect in update(&mut self.model, Message::Resize(size)) {
            if let Effect::Send(request) = effect {
                drop(self.session.requests.send(request));
            }
        }
    }

    fn draw(&mut self) -> Result<(), Problem> {
        // A resize that was not told yet would leave a frame empty.
        let size = self.terminal.size();
        if size != self.model.size {
            self.resize(size);
        }
        self.terminal.draw(&self.model)
    }
}

fn heard(input: Option<std::io::Result<Input>>) -> Result<Woken, Problem> {
    let message = match input {
        Some(Ok(Input::Key(key))) if key.kind != KeyEventKind::Release => Message::Key(Key::of(key)),
        Some(Ok(Input::Paste(text))) => Message::Paste(text),
        Some(Ok(Input::Resize(width, height))) => Message::Resize(Size::new(width, height)),
        Some(Ok(_)) => return Ok(Woken::Nothing),
        Some(Err(error)) => return Err(Problem::new(format!("cannot read the terminal: {error}"))),
        None => return Err(Problem::new("the terminal was closed")),
    };
    Ok(Woken::Message(message))
}

fn signalled(signal: Signal) -> Result<Woken, Problem> {
    match signal {
        Signal::End(name) => Err(Problem::new(format!("ended by {name}"))),
        Signal::Suspend => Ok(Woken::Suspend),
        Signal::Continued => Ok(Woken::Resumed),
    }
}
