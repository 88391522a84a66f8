//! Colours of lines, on one thread of their own, with the last few files kept parsed.
//!
//! What was asked last is what is in view, so it is done first. Parsed files never leave the thread.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::file;
use crate::change::syntax::{Painter, Span};
use crate::change::{Change, FileVersion, ObjectId, RepoPath, Side, Text};

/// Files kept parsed.
const KEPT: usize = 6;

/// One list of spans a line, or why there are none.
pub(super) type Coloured = Result<Vec<Vec<Span>>, String>;

/// Lines of a file of one side, to be coloured.
pub(super) struct Wanted {
    pub(super) change: Arc<Change>,
    pub(super) path: RepoPath,
    pub(super) side: Side,
    pub(super) lines: Range<u32>,
    /// Takes what came out.
    pub(super) done: Box<dyn FnOnce(Coloured) + Send>,
}

/// The way to the thread that colours; it ends when this is dropped.
pub(super) struct Colouring(Sender<Wanted>);

impl Colouring {
    /// Starts the thread.
    pub(super) fn start() -> Self {
        let (sender, receiver) = channel();
        std::thread::spawn(move || colour(&receiver));
        Self(sender)
    }

    /// Asks for colours.
    pub(super) fn want(&self, wanted: Wanted) {
        // The thread ends with this sender alone, so there is somebody to take it.
        let _ = self.0.send(wanted);
    }
}

fn colour(receiver: &Receiver<Wanted>) {
    let mut painters = Painters::default();
    let mut waiting: Vec<Wanted> = Vec::new();
    loop {
        if waiting.is_empty() {
            match receiver.recv() {
                Ok(wanted) => waiting.push(wanted),
                Err(_) => return,
            }
        }
        waiting.extend(receiver.try_iter());
        if let Some(wanted) = waiting.pop() {
            let spans = painters.lines(&wanted);
            (wanted.done)(spans);
        }
    }
}

/// The files last coloured, latest last.
#[derive(Default)]
struct Painters(Vec<(ObjectId, Result<Painter, String>)>);

impl Painters {
    fn lines(&mut self, wanted: &Wanted) -> Coloured {
        let version = file::version(&wanted.change, wanted.side, &wanted.path)?;
        let kept = self.0.iter().position(|(id, _)| *id == version.blob);
        let entry = match kept {
            Some(at) => self.0.remove(at),
            None => (version.blob, painter(wanted, version)),
        };
        if self.0.len() == KEPT {
            let _ = self.0.remove(0);
        }
        self.0.push(entry);
        match self.0.last_mut() {
            Some((_, Ok(painter))) => Ok(painter.lines(wanted.lines.clone())),
            Some((_, Err(why))) => Err(why.clone()),
            None => Err("there is no such file".into()),
        }
    }
}

fn painter(wanted: &Wanted, version: FileVersion) -> Result<Painter, String> {
    let text = match version.mode.has_blob() {
        true => Text::new(wanted.change.trees.blob(version.blob).map_err(|missing| missing.why)?),
        // What stands for a submodule has no colours.
        false => Text::from(""),
    };
    Painter::new(&wanted.path, &text)
}
