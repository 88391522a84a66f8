//! The program in a pseudo-terminal: keys in, screen out. Waits for what must appear, never for time to pass.

use std::io::{Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// How long anything may take to appear before a test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running program and its screen.
pub struct Terminal {
    child: Box<dyn portable_pty::Child + Send + Sync>,
    writer: Box<dyn Write + Send>,
    master: Box<dyn portable_pty::MasterPty + Send>,
    state: Arc<(Mutex<State>, Condvar)>,
}

struct State {
    parser: vt100::Parser,
    /// Every byte the program wrote, and how many of them are on the screen: never half a frame.
    raw: Vec<u8>,
    shown: usize,
    ended: bool,
}

/// What the program sends around a frame.
const FRAME: (&[u8], &[u8]) = (b"\x1b[?2026h", b"\x1b[?2026l");

impl State {
    fn take(&mut self, bytes: &[u8]) {
        self.raw.extend_from_slice(bytes);
        let rest = &self.raw[self.shown..];
        let find = |what: &[u8]| rest.windows(what.len()).rposition(|window| window == what);
        // Up to the last frame that is whole; all of it at the end, and as long as nothing is being drawn.
        let upto = match (find(FRAME.0), find(FRAME.1)) {
            _ if self.ended => rest.len(),
            (None, _) => rest.len(),
            (Some(begun), Some(ended)) if ended > begun => rest.len(),
            (Some(begun), _) => begun,
        };
        let upto = self.shown + upto;
        self.parser.process(&self.raw[self.shown..upto]);
        self.shown = upto;
    }
}

impl Terminal {
    /// Starts a program with arguments and environment on a screen of the given size.
    pub fn start(program: &str, arguments: &[&str], environment: &[(String, String)], columns: u16, rows: u16) -> Self {
        let pair = native_pty_system().openpty(PtySize { rows, cols: columns, ..PtySize::default() }).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        super::program::REMOVED.iter().for_each(|name| command.env_remove(name));
        command.env("TERM", "xterm-256color");
        environment.iter().for_each(|(name, value)| command.env(name, value));
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let parser = vt100::Parser::new(rows, columns, 0);
        let state = Arc::new((Mutex::new(State { parser, raw: Vec::new(), shown: 0, ended: false }), Condvar::new()));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            let mut bytes = [0; 65536];
            loop {
                let count = reader.read(&mut bytes).unwrap_or(0);
                let mut state = shared.0.lock().unwrap();
                state.ended = count == 0;
                state.take(&bytes[..count]);
                shared.1.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        Self { child, writer: pair.master.take_writer().unwrap(), master: pair.master, state }
    }

    /// Sends keys as bytes, such as `"j"`, `"\r"` or `"\x1b[B"`.
    pub fn keys(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// The screen as lines of text.
    pub fn screen(&self) -> String {
        self.state.0.lock().unwrap().parser.screen().contents()
    }

    /// Columns of the screen as lines of text, without spaces at their ends.
    pub fn columns(&self, from: u16, count: u16) -> Vec<String> {
        let state = self.state.0.lock().unwrap();
        state.parser.screen().rows(from, count).map(|row| row.trim_end().to_owned()).collect()
    }

    /// The background of the cell where a text first stands; none where it does not.
    pub fn ground(&self, text: &str) -> Option<vt100::Color> {
        let state = self.state.0.lock().unwrap();
        let screen = state.parser.screen();
        let (row, line) = screen.rows(0, u16::MAX).enumerate().find(|(_, line)| line.contains(text))?;
        let column = line[..line.find(text)?].chars().count();
        Some(screen.cell(u16::try_from(row).ok()?, u16::try_from(column).ok()?)?.bgcolor())
    }

    /// Whether the cursor is shown and whether the alternate screen is.
    pub fn modes(&self) -> (bool, bool) {
        let state = self.state.0.lock().unwrap();
        let screen = state.parser.screen();
        (!screen.hide_cursor(), screen.alternate_screen())
    }

    /// Every byte written so far.
    pub fn raw(&self) -> Vec<u8> {
        self.state.0.lock().unwrap().raw.clone()
    }

    /// Waits until the screen satisfies a condition and returns it.
    ///
    /// # Panics
    /// Where that does not happen: prints what was awaited and the screen as it is.
    pub fn until(&self, what: &str, condition: impl Fn(&str) -> bool) -> String {
        let started = Instant::now();
        loop {
            let (screen, seen, ended) = {
                let state = self.state.0.lock().unwrap();
                (state.parser.screen().contents(), state.raw.len(), state.ended)
            };
            // Not under the lock: a condition may look at the terminal itself.
            if condition(&screen) {
                return screen;
            }
            let left = PATIENCE.saturating_sub(started.elapsed());
            assert!(!left.is_zero() && !ended, "waited for {what}; the screen is\n{screen}");
            let unchanged = |state: &mut State| state.raw.len() == seen && !state.ended;
            drop(self.state.1.wait_timeout_while(self.state.0.lock().unwrap(), left, unchanged).unwrap());
        }
    }

    /// Waits until the screen shows a text.
    pub fn shows(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    /// Gives the screen another size.
    pub fn resize(&self, columns: u16, rows: u16) {
        self.master.resize(PtySize { rows, cols: columns, ..PtySize::default() }).unwrap();
        self.state.0.lock().unwrap().parser.screen_mut().set_size(rows, columns);
    }

    /// Sends the program a signal.
    pub fn signal(&self, signal: rustix::process::Signal) {
        let id = i32::try_from(self.child.process_id().unwrap()).unwrap();
        rustix::process::kill_process(rustix::process::Pid::from_raw(id).unwrap(), signal).unwrap();
    }

    /// Waits for the end of the program: its exit code and every byte it wrote.
    ///
    /// # Panics
    /// Where it does not end: prints the screen as it is.
    pub fn end(mut self) -> (u32, Vec<u8>) {
        let raw = {
            let state = self.state.0.lock().unwrap();
            let (state, _) = self.state.1.wait_timeout_while(state, PATIENCE, |state| !state.ended).unwrap();
            assert!(state.ended, "waited for the end; the screen is\n{}", state.parser.screen().contents());
            state.raw.clone()
        };
        (self.child.wait().unwrap().exit_code(), raw)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended on its own.
        let _ = self.child.kill();
    }
}
