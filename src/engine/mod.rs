//! The only driver: runs stages and lanes, does the I/O, folds results into the review.
//!
//! `build` is the pipeline in one function; `opening` brings a change from its source or the store; `session` serves
//! a screen; `asking` runs asks. The command line, the protocol and the screen all drive this and nothing else.

pub mod asking;
pub mod build;
mod clock;
mod colouring;
mod drafts;
pub mod events;
mod file;
mod lane;
mod look;
mod opening;
pub mod result;
pub mod session;
mod snapshot;
mod upkeep;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;

use crate::ask::Ask;
use crate::config::{Folders, Settings};
use crate::index::Mentions;
use crate::problem::Problem;
use crate::source::address::Address;
use crate::store::Store;

pub use lane::{AskProgress, Question};
pub use opening::{Say, Takes};
pub use upkeep::Size;

/// What an engine is made of: values, so that a test can give others.
pub struct Setup {
    /// The reviewer's settings.
    pub settings: Settings,
    /// Where things are kept.
    pub folders: Folders,
    /// Whether the network must not be used.
    pub offline: bool,
    /// The asks there are.
    pub asks: Vec<Box<dyn Ask>>,
}

/// The engine of one running program.
pub struct Engine {
    setup: Setup,
    store: Store,
    /// What the head tree of a change mentions, by tree, kept for asks.
    mentions: Mutex<BTreeMap<crate::change::ObjectId, Arc<Mentions>>>,
    /// How many asks may run at a time; the others wait in the order they came.
    turns: Semaphore,
}

impl Engine {
    /// Opens the store and makes the folders.
    ///
    /// # Errors
    /// A [`Problem`] where the data or cache folder cannot be used, or the settings name no agent there is.
    pub fn new(setup: Setup) -> Result<Self, Problem> {
        let store = Store::open(&setup.folders.data)?;
        crate::store::private_folder(&setup.folders.cache)?;
        let turns = Semaphore::new(setup.settings.asks.concurrency);
        let engine = Self { setup, store, mentions: Mutex::default(), turns };
        // A name that no agent has is said at the start, not at the first question.
        crate::agent::adapters::known(&engine.settings().asks.agent)?;
        Ok(engine)
    }

    /// The reviewer's settings.
    pub fn settings(&self) -> &Settings {
        &self.setup.settings
    }

    /// The asks there are.
    pub fn asks(&self) -> &[Box<dyn Ask>] {
        &self.setup.asks
    }

    /// The folder of the cache.
    pub fn cache_folder(&self) -> &PathBuf {
        &self.setup.folders.cache
    }

    /// Keeps or drops the mark of a part.
    ///
    /// # Errors
    /// A [`Problem`] where it could not be kept.
    pub fn mark(&self, address: &Address, part: &crate::change::parts::ContentKey, on: bool) -> Result<(), Problem> {
        Ok(self.store.set_mark(&crate::source::address::key(address), &part.0, on, &clock::now())?)
    }
}
