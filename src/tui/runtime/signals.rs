//! The signals that end, stop and continue the program.

use crate::problem::Problem;

/// A signal that concerns the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// It ends the program; its name.
    End(&'static str),
    /// It asks the program to stop.
    Suspend,
    /// The program goes on after it was stopped from outside.
    Continued,
}

#[cfg(unix)]
mod platform {
    use rustix::process::{Signal as Unix, kill_current_process_group};
    use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

    use super::{Problem, Signal};

    /// Listens for signals.
    pub struct Signals {
        terminate: Stream,
        hang_up: Stream,
        interrupt: Stream,
        suspend: Stream,
        go_on: Stream,
    }

    impl Signals {
        /// Starts to listen.
        ///
        /// # Errors
        /// A [`Problem`] where the system refuses.
        pub fn listen() -> Result<Self, Problem> {
            let listen =
                |kind| signal(kind).map_err(|error| Problem::new(format!("cannot listen for signals: {error}")));
            Ok(Self {
                terminate: listen(SignalKind::terminate())?,
                hang_up: listen(SignalKind::hangup())?,
                interrupt: listen(SignalKind::interrupt())?,
                suspend: listen(SignalKind::from_raw(Unix::TSTP.as_raw()))?,
                go_on: listen(SignalKind::from_raw(Unix::CONT.as_raw()))?,
            })
        }

        /// Waits for the next one.
        pub async fn next(&mut self) -> Signal {
            tokio::select! {
                _ = self.terminate.recv() => Signal::End("SIGTERM"),
                _ = self.hang_up.recv() => Signal::End("SIGHUP"),
                _ = self.interrupt.recv() => Signal::End("SIGINT"),
                _ = self.suspend.recv() => Signal::Suspend,
                _ = self.go_on.recv() => Signal::Continued,
            }
        }
    }

    /// Stops the whole process group, as the terminal would on ctrl-z, and returns when it goes on. SIGSTOP,
    /// because SIGTSTP is being listened for.
    pub fn stop_group() {
        // Where the system refuses, the program just goes on.
        let _ = kill_current_process_group(Unix::STOP);
    }
}

#[cfg(not(unix))]
mod platform {
    use super::{Problem, Signal};

    /// Listens for ctrl-c alone: there is nothing else here.
    pub struct Signals;

    impl Signals {
        /// Starts to listen.
        ///
        /// # Errors
        /// None here.
        pub fn listen() -> Result<Self, Problem> {
            Ok(Self)
        }

        /// Waits for the next one.
        pub async fn next(&mut self) -> Signal {
            match tokio::signal::ctrl_c().await {
                Ok(()) => Signal::End("ctrl-c"),
                Err(_) => std::future::pending().await,
            }
        }
    }

    /// Nothing to stop into.
    pub fn stop_group() {}
}

pub use platform::{Signals, stop_group};
