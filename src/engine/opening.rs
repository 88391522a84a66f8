//! Opens a change: from its source, or from the store where it was opened before.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use super::events::{Event, Progress, Stage};
use super::look::Look;
use super::{Engine, build, clock, snapshot};
use crate::ask::{Answer, Outcome, stored};
use crate::change::parts::ContentKey;
use crate::change::{Change, ObjectId, Origin, PullRequest, Reading};
use crate::problem::Problem;
use crate::review::Review;
use crate::source::address::{self, Address};
use crate::source::git::{self, CacheRepository, GitTrees, RepositoryName};
use crate::source::github::{CachedAnswer, Client, FactCache, PullRequestFacts, Token, clone_url, token};
use crate::source::recorded;
use crate::store::{FactRow, LookRow, Store};

/// How the engine says what happens while it works.
pub type Say = Arc<dyn Fn(Event) + Send + Sync>;

/// What to do with a head that moved since the last look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Show the change as it was last read and say that its head moved.
    LastLook,
    /// Read the new head.
    NewHead,
}

impl Engine {
    /// Opens a change, saying each step. The review that comes back is the one last said.
    ///
    /// # Errors
    /// A [`Problem`] where it can be had neither from its source nor from the store.
    pub async fn open(self: &Arc<Self>, address: &Address, takes: Takes, say: &Say) -> Result<Review, Problem> {
        self.open_with(address, takes, None, say).await
    }

    /// The same with a token for the host of the address, which is used for this opening and kept nowhere.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn open_with(
        self: &Arc<Self>,
        address: &Address,
        takes: Takes,
        token: Option<Token>,
        say: &Say,
    ) -> Result<Review, Problem> {
        match address {
            Address::PullRequest(request) => self.open_pull_request(request, address, (takes, token), say).await,
            Address::Local { folder, range } => {
                say(Event::Stage(Stage::Files, Progress::Running(String::new())));
                let change = git::open_local(self.cache_folder(), folder, range).await?;
                self.build(change, address, None, say).await
            }
            Address::Recorded(name) => {
                say(Event::Stage(Stage::Files, Progress::Running(String::new())));
                let change = recorded::open(self.cache_folder(), name).await?;
                self.build(change, address, None, say).await
            }
        }
    }

    async fn open_pull_request(
        self: &Arc<Self>,
        request: &PullRequest,
        address: &Address,
        (takes, token): (Takes, Option<Token>),
        say: &Say,
    ) -> Result<Review, Problem> {
        let kept = self.kept(address).await?;
        if let Some(review) = &kept {
            say(Event::Opened(Arc::new(review.clone())));
        }
        if self.setup.offline {
            let looked = self.store.look(&address::key(address))?;
            return kept.ok_or_else(|| not_here(request, looked.is_some()));
        }
        say(Event::Stage(Stage::Facts, Progress::Running(String::new())));
        let token = match token {
            Some(token) => Some(token),
            None => find_token(request).await?,
        };
        let facts = match self.ask_github(request, token.clone()).await {
            Ok(facts) => facts,
            Err(problem) => {
                say(Event::Stage(Stage::Facts, Progress::Failed(problem.clone())));
                let Some(review) = kept else { return Err(problem) };
                say(Event::Trouble(problem));
                return Ok(review);
            }
        };
        say(Event::Stage(Stage::Facts, Progress::Done));
        say(Event::Facts(Arc::new((&facts).into())));
        if let Some(review) = kept {
            let change = &review.reading.change;
            if change.head_commit == Some(facts.head) && change.base_commit == Some(facts.merge_base) {
                return self.still_current(review, address, &facts, say).await;
            }
            if takes == Takes::LastLook {
                say(Event::HeadMoved(facts.head));
                return Ok(Review { moved_to: Some(facts.head), ..review });
            }
        }
        let change = self.fetch(request, &facts, &token, say).await?;
        self.build(change, address, Some(clock::written(facts.as_of)), say).await
    }

    async fn ask_github(&self, request: &PullRequest, token: Option<Token>) -> Result<PullRequestFacts, Problem> {
        Client::new(&request.server, token)?.pull_request(request, &StoredFacts(&self.store)).await
    }

    /// The head did not move: only what is known besides the code may be newer.
    async fn still_current(
        self: &Arc<Self>,
        review: Review,
        address: &Address,
        facts: &PullRequestFacts,
        say: &Say,
    ) -> Result<Review, Problem> {
        let mut reading = Reading::clone(&review.reading);
        reading.change = Arc::new(Change { facts: facts.into(), ..Change::clone(&reading.change) });
        let (reading, as_of) = (Arc::new(reading), clock::written(facts.as_of));
        // Marks and answers are read again: the reviewer may have gone on while GitHub was asked.
        let review = self.review_of(Arc::clone(&reading), address, Some(as_of.clone()))?;
        self.keep_look(&review, address)?;
        say(Event::Current { reading, as_of });
        Ok(review)
    }

    async fn fetch(
        &self,
        request: &PullRequest,
        facts: &PullRequestFacts,
        token: &Option<Token>,
        say: &Say,
    ) -> Result<Change, Problem> {
        say(Event::Stage(Stage::Fetch, Progress::Running(String::new())));
        let repository = CacheRepository::open(self.cache_folder(), &RepositoryName::of(request))?;
        let progress = |text: &str| say(Event::Stage(Stage::Fetch, Progress::Running(text.to_owned())));
        let secret = token.as_ref().map(Token::expose);
        let wants = [facts.merge_base, facts.head];
        repository.fetch(&clone_url(request), &wants, secret, &progress).await?;
        say(Event::Stage(Stage::Fetch, Progress::Done));
        say(Event::Stage(Stage::Files, Progress::Running(String::new())));
        git::open_commits(&repository, facts.into(), facts.merge_base, facts.head).await
    }

    /// Cuts, names and ranks a change, or takes its snapshot, and keeps the look.
    async fn build(
        self: &Arc<Self>,
        change: Change,
        address: &Address,
        as_of: Option<String>,
        say: &Say,
    ) -> Result<Review, Problem> {
        let (engine, address, say) = (Arc::clone(self), address.clone(), Arc::clone(say));
        blocking(move || engine.build_now(change, &address, as_of, &say)).await
    }

    fn build_now(
        &self,
        change: Change,
        address: &Address,
        as_of: Option<String>,
        say: &Say,
    ) -> Result<Review, Problem> {
        let done = |stage| say(Event::Stage(stage, Progress::Done));
        done(Stage::Files);
        if let Some(reading) = snapshot::find(self.cache_folder(), change.clone()) {
            let review = self.review_of(Arc::new(reading), address, as_of)?;
            self.keep_look(&review, address)?;
            say(Event::Opened(Arc::new(review.clone())));
            return Ok(review);
        }
        let listed = Arc::new(change.clone());
        say(Event::Listed(Arc::clone(&listed), build::first_diff(&listed)));
        say(Event::Stage(Stage::Parts, Progress::Running(files_in_words(listed.files.len()))));
        let first = Arc::new(build::read(change)?);
        done(Stage::Parts);
        let mut review = self.review_of(Arc::clone(&first), address, as_of)?;
        self.keep_look(&review, address)?;
        say(Event::Opened(Arc::new(review.clone())));
        say(Event::Stage(Stage::References, Progress::Running(String::new())));
        let (reading, mentions) = build::with_references(&first);
        done(Stage::References);
        if let Some(mentions) = mentions {
            self.remember(reading.change.head_tree, mentions);
        }
        review.reading = Arc::new(reading);
        say(Event::Reranked(Arc::clone(&review.reading)));
        if review.reading.is_complete()
            && let Err(error) = snapshot::keep(self.cache_folder(), &review.reading)
        {
            say(Event::Trouble(error.into()));
        }
        Ok(review)
    }

    /// Keeps what a head names; of the last head alone, as it can be large.
    pub(super) fn remember(&self, head_tree: ObjectId, mentions: crate::index::Mentions) {
        let mut kept = self.mentions.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clear();
        kept.insert(head_tree, Arc::new(mentions));
    }

    /// The review as it was at the last look, if everything it needs is here.
    async fn kept(self: &Arc<Self>, address: &Address) -> Result<Option<Review>, Problem> {
        let Some(row) = self.store.look(&address::key(address))? else { return Ok(None) };
        let engine = Arc::clone(self);
        let found = blocking(move || {
            let change = Look::read(&row.body).and_then(|look| engine.change_of(look));
            Ok((change.map(|change| (snapshot::find(engine.cache_folder(), change.clone()), change)), row.at))
        });
        let (reading, at) = match found.await? {
            (None, _) => return Ok(None),
            (Some((Some(reading), _)), at) => (reading, at),
            (Some((None, change)), at) => match self.rebuilt(change).await {
                Some(reading) => (reading, at),
                None => return Ok(None),
            },
        };
        let review = self.review_of(Arc::new(reading), address, Some(at))?;
        Ok(Some(Review { offline: true, ..review }))
    }

    /// Builds again what the objects in the cache still hold; none where they do not.
    async fn rebuilt(self: &Arc<Self>, mut change: Change) -> Option<Reading> {
        let Origin::PullRequest(request) = &change.facts.origin else { return None };
        let repository = CacheRepository::open(self.cache_folder(), &RepositoryName::of(request)).ok()?;
        let listing = repository.changed_files(change.base_tree, change.head_tree).await.ok()?;
        (change.files, change.left_out) = (listing.files, listing.left_out);
        let engine = Arc::clone(self);
        let build = move || {
            let reading = build::with_references(&build::read(change)?).0;
            if reading.is_complete() {
                // Not keeping it costs time at the next opening and nothing else.
                let _ = snapshot::keep(engine.cache_folder(), &reading);
            }
            Ok(reading)
        };
        blocking(build).await.ok()
    }

    /// The change of a look, its files not listed yet; none where its trees are not here.
    fn change_of(&self, look: Look) -> Option<Change> {
        let Origin::PullRequest(request) = &look.facts.origin else { return None };
        let folder = RepositoryName::of(request).folder(self.cache_folder());
        let trees = GitTrees::open(&folder, look.base_tree, look.head_tree).ok()?;
        Some(Change {
            facts: look.facts,
            base_commit: look.base_commit,
            head_commit: look.head_commit,
            base_tree: look.base_tree,
            head_tree: look.head_tree,
            files: Vec::new(),
            trees: Arc::new(trees),
            threads: Vec::new(),
            left_out: Vec::new(),
        })
    }

    /// A review of a reading with the marks, answers and drafts that are kept for it.
    fn review_of(&self, reading: Arc<Reading>, address: &Address, as_of: Option<String>) -> Result<Review, Problem> {
        let key = address::key(address);
        let marks: BTreeSet<ContentKey> = self.store.marks(&key)?.into_iter().map(ContentKey).collect();
        let (answers, drafts) = (self.answers(address)?, self.drafts(address)?);
        Ok(Review { marks, answers, drafts, as_of, ..Review::new(reading) })
    }

    /// The answers that are kept for a change, newest first.
    ///
    /// # Errors
    /// A [`Problem`] where the store cannot be read.
    pub fn answers(&self, address: &Address) -> Result<Vec<Answer>, Problem> {
        let rows = self.store.answers(&address::key(address))?;
        Ok(rows.iter().filter_map(|row| read_answer(&row.body)).collect())
    }

    fn keep_look(&self, review: &Review, address: &Address) -> Result<(), Problem> {
        let change = &review.reading.change;
        let look = Look {
            facts: change.facts.clone(),
            base_commit: change.base_commit,
            head_commit: change.head_commit,
            base_tree: change.base_tree,
            head_tree: change.head_tree,
        };
        let at = review.as_of.clone().unwrap_or_else(clock::now);
        Ok(self.store.set_look(&LookRow { change: address::key(address), at, body: look.write() })?)
    }
}

/// A kept answer; none where it is damaged or of another version, which a newer or older program may still read.
fn read_answer(body: &str) -> Option<Answer> {
    match stored::read(body) {
        Ok(Outcome::Answered(answer)) => Some(answer),
        _ => None,
    }
}

/// Runs work that reads, parses or waits on a thread of its own.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Problem> + Send + 'static) -> Result<T, Problem> {
    let died = |error| Problem::new(format!("reading the change died: {error}")).hint("please report this change");
    tokio::task::spawn_blocking(work).await.map_err(died)?
}

/// GitHub's answers, kept in the store.
struct StoredFacts<'a>(&'a Store);

impl FactCache for StoredFacts<'_> {
    fn get(&self, url: &str) -> Option<CachedAnswer> {
        let row = self.0.fact(url).ok().flatten()?;
        Some(CachedAnswer { etag: row.etag, body: row.body, at: row.at })
    }

    fn put(&self, url: &str, answer: &CachedAnswer) {
        let CachedAnswer { etag, body, at } = answer.clone();
        // An answer that could not be kept is asked for again.
        let _ = self.0.set_fact(url, &FactRow { etag, at, body });
    }
}

/// The token of the pull request's host, if there is one; looked for on a thread, as it may start a program.
async fn find_token(request: &PullRequest) -> Result<Option<Token>, Problem> {
    let host = Client::new(&request.server, None)?.host().to_owned();
    Ok(tokio::task::spawn_blocking(move || token::find(&host).token).await.ok().flatten())
}

/// Why a change cannot be shown offline: it was never opened, or what was kept of its code is gone.
fn not_here(request: &PullRequest, looked: bool) -> Problem {
    let why = if looked {
        "was opened here, but its code is no longer in the cache"
    } else {
        "was never opened here, so there is nothing to show offline"
    };
    Problem::new(format!("{} {why}", request.short())).hint("open it once without --offline")
}

fn files_in_words(files: usize) -> String {
    if files == 1 { "1 file".into() } else { format!("{files} files") }
}
