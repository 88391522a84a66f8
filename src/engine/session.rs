//! Serves a screen: takes its requests, does the work off its loop, and says what happened.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

use super::Engine;
use super::colouring::{self, Colouring};
use super::events::{AskId, AskRequest, Event, Request};
use super::file;
use super::lane::{AskProgress, Question};
use super::opening::{Say, Takes};
use crate::ask::{Outcome, Reason, claims};
use crate::change::parts::ContentKey;
use crate::change::{Change, RepoPath, Side, texts_of};
use crate::review::Review;
use crate::source::address::Address;

/// The two ends a screen holds.
pub struct Session {
    /// What it asks.
    pub requests: UnboundedSender<Request>,
    /// What happened.
    pub events: UnboundedReceiver<Event>,
    /// Ends when everything asked before `requests` was dropped has been taken: marks are on disk then.
    pub served: tokio::task::JoinHandle<()>,
}

/// The way to the screen. A result that belongs to a reading which is no longer shown is dropped here, and only here.
struct Outbox {
    state: Mutex<Shown>,
    events: UnboundedSender<Event>,
}

#[derive(Default)]
struct Shown {
    /// Counts the changes that were shown: what belongs to an earlier one is dropped.
    generation: u64,
    /// The change on the screen, with or without its parts.
    change: Option<Arc<Change>>,
    /// Its review, once its parts are cut.
    review: Option<Arc<Review>>,
}

impl Shown {
    fn show(&mut self, change: &Arc<Change>) {
        let same = self
            .change
            .as_ref()
            .is_some_and(|before| (before.base_tree, before.head_tree) == (change.base_tree, change.head_tree));
        self.generation += u64::from(!same);
        self.change = Some(Arc::clone(change));
    }
}

impl Outbox {
    /// Says something about the opening itself.
    fn say(&self, event: Event) {
        let mut shown = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &event {
            // While a review is open, its parts stay until the next ones are there.
            Event::Listed(change, _) if shown.review.is_none() => shown.show(change),
            Event::Opened(review) => {
                shown.show(&review.reading.change);
                shown.review = Some(Arc::clone(review));
            }
            Event::Reranked(reading) | Event::Current { reading, .. } => {
                if let Some(review) = &mut shown.review {
                    let reading = Arc::clone(reading);
                    *review = Arc::new(Review { reading, ..Review::clone(review) });
                }
            }
            _ => {}
        }
        // A screen that is gone needs nothing said.
        let _ = self.events.send(event);
    }

    /// Says something about a reading, unless another one is shown by now.
    fn say_about(&self, generation: u64, event: Event) {
        let shown = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.generation == generation {
            let _ = self.events.send(event);
        }
    }

    fn change(&self) -> Option<(u64, Arc<Change>)> {
        let shown = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        shown.change.as_ref().map(|change| (shown.generation, Arc::clone(change)))
    }

    fn review(&self) -> Option<Arc<Review>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).review.clone()
    }
}

/// Opens a change for a screen and serves it until the screen drops its end.
pub fn start(engine: Arc<Engine>, address: Address) -> Session {
    let (requests, inbox) = unbounded_channel();
    let (outbox, events) = unbounded_channel();
    let outbox = Arc::new(Outbox { state: Mutex::default(), events: outbox });
    let server = Server { engine, address, outbox, colouring: Colouring::start(), asking: BTreeMap::new() };
    let served = tokio::spawn(server.serve(inbox));
    Session { requests, events, served }
}

struct Server {
    engine: Arc<Engine>,
    address: Address,
    outbox: Arc<Outbox>,
    colouring: Colouring,
    /// Cancels the asks that wait or run.
    asking: BTreeMap<AskId, watch::Sender<bool>>,
}

impl Server {
    async fn serve(mut self, mut inbox: UnboundedReceiver<Request>) {
        self.open(Takes::LastLook);
        while let Some(request) = inbox.recv().await {
            self.take(request);
        }
        let ids: Vec<AskId> = self.asking.keys().copied().collect();
        ids.into_iter().for_each(|id| self.cancel(id));
    }

    fn take(&mut self, request: Request) {
        match request {
            Request::Refresh => self.open(Takes::NewHead),
            Request::Texts { file } => self.read(file),
            Request::Colours { file, side, lines } => self.colour(file, side, lines),
            Request::File { side, path } => self.read_file(side, path),
            Request::FileColours { side, path, lines } => self.colour_file(side, path, lines),
            Request::Claims(part) => self.claims(part),
            Request::Ask(request) => self.ask(*request),
            Request::CancelAsk(id) => self.cancel(id),
            Request::Mark { part, on } => {
                if let Err(problem) = self.engine.mark(&self.address, &part, on) {
                    self.outbox.say(Event::Trouble(problem));
                }
            }
            Request::KeepDraft(draft) => {
                let kept = self.engine.keep_draft(&self.address, *draft);
                self.outbox.say(kept.map_or_else(Event::Trouble, |kept| Event::DraftKept(Box::new(kept))));
            }
            Request::DropDraft(id) => {
                let dropped = self.engine.drop_draft(&self.address, id);
                self.outbox.say(dropped.map_or_else(Event::Trouble, |()| Event::DraftDropped(id)));
            }
        }
    }

    fn open(&self, takes: Takes) {
        let (engine, address, outbox) = (Arc::clone(&self.engine), self.address.clone(), Arc::clone(&self.outbox));
        tokio::spawn(async move {
            let say: Say = {
                let outbox = Arc::clone(&outbox);
                Arc::new(move |event| outbox.say(event))
            };
            if let Err(problem) = engine.open(&address, takes, &say).await {
                let event = if outbox.review().is_some() { Event::Trouble(problem) } else { Event::Failed(problem) };
                outbox.say(event);
            }
        });
    }

    /// Reads the texts of a file of the change that is shown, on a thread that may block.
    fn read(&self, file: usize) {
        let Some((generation, change)) = self.outbox.change() else { return };
        let outbox = Arc::clone(&self.outbox);
        tokio::task::spawn_blocking(move || {
            let Some(changed) = change.files.get(file) else { return };
            let texts = texts_of(&change, changed).map_err(|missing| missing.why);
            outbox.say_about(generation, Event::Texts(file, texts));
        });
    }

    fn colour(&self, file: usize, side: Side, lines: Range<u32>) {
        let Some((generation, change)) = self.outbox.change() else { return };
        let (outbox, asked) = (Arc::clone(&self.outbox), lines.clone());
        let done = move |spans| outbox.say_about(generation, Event::Colours { file, side, lines: asked, spans });
        let Some(path) = change.files.get(file).map(|file| file.path_on(side).clone()) else { return };
        self.colouring.want(colouring::Wanted { change, path, side, lines, done: Box::new(done) });
    }

    fn read_file(&self, side: Side, path: RepoPath) {
        let Some((generation, change)) = self.outbox.change() else { return };
        let outbox = Arc::clone(&self.outbox);
        tokio::task::spawn_blocking(move || {
            let text = file::text(&change, side, &path);
            outbox.say_about(generation, Event::File { side, path, text });
        });
    }

    fn colour_file(&self, side: Side, path: RepoPath, lines: Range<u32>) {
        let Some((generation, change)) = self.outbox.change() else { return };
        let (outbox, of, asked) = (Arc::clone(&self.outbox), path.clone(), lines.clone());
        let done = move |spans| {
            outbox.say_about(generation, Event::FileColours { side, path: of, lines: asked, spans });
        };
        self.colouring.want(colouring::Wanted { change, path, side, lines, done: Box::new(done) });
    }

    /// Finds the claims of a part of the review that is shown, on a thread that may block.
    fn claims(&self, part: ContentKey) {
        let Some(review) = self.outbox.review() else { return };
        let outbox = Arc::clone(&self.outbox);
        tokio::task::spawn_blocking(move || {
            let reading = &review.reading;
            let at = reading.parts.iter().position(|one| one.part.key == part);
            let found = match at {
                Some(at) => reading.lines(&reading.parts[at].part).map_err(|missing| missing.to_string()),
                None => Err("the change has no such part any more".to_owned()),
            };
            let found = found.map(|lines| claims(reading, at.unwrap_or_default(), &lines));
            outbox.say(Event::Claims(part, found));
        });
    }

    fn ask(&mut self, request: AskRequest) {
        let AskRequest { id, kind, part, wanted, choice } = request;
        let Some(review) = self.outbox.review() else { return };
        let (engine, address, outbox) = (Arc::clone(&self.engine), self.address.clone(), Arc::clone(&self.outbox));
        let (cancel, cancelled) = watch::channel(false);
        self.asking.retain(|_, cancel| !cancel.is_closed());
        self.asking.insert(id, cancel);
        tokio::spawn(async move {
            let progress = |progress| {
                outbox.say(match progress {
                    AskProgress::Started => Event::AskStarted(id),
                    AskProgress::Doing(what) => Event::AskProgress(id, what),
                });
            };
            let question = Question {
                reading: Arc::clone(&review.reading),
                address: &address,
                kind,
                part: &part,
                wanted,
                choice,
                cancelled,
                progress: &progress,
            };
            let outcome = match engine.ask(question).await {
                Ok(outcome) => outcome,
                Err(problem) => Outcome::NoAnswer { reason: Reason::NotAsked, why: problem.to_string() },
            };
            // Kept by the part's content, so it stays true whatever is shown by now.
            outbox.say(Event::AskEnded(id, Box::new(outcome)));
        });
    }

    fn cancel(&mut self, id: AskId) {
        if let Some(cancel) = self.asking.remove(&id) {
            // An ask that has ended listens no more.
            let _ = cancel.send(true);
        }
    }
}
