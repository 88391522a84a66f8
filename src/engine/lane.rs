//! The lane of asks: prepares what is asked about, runs the configured agent, keeps the answer.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::asking::{RunContext, answer, block_id, told_to_stop};
use super::{Engine, clock};
use crate::agent::{Choice, adapters};
use crate::ask::{self, Answer, Ask, Facts, Outcome, Reason, Subject, Wanted, stored};
use crate::change::Reading;
use crate::change::parts::ContentKey;
use crate::index::{self, Mentions};
use crate::problem::Problem;
use crate::source::address::{self, Address};
use crate::store::AnswerRow;
use crate::text::Clean;

/// One question about one part of a change.
pub struct Question<'a> {
    /// The change as it was read.
    pub reading: Arc<Reading>,
    /// The address it was opened under; the answer is kept there.
    pub address: &'a Address,
    /// The ask's name.
    pub kind: &'a str,
    /// The part's identity.
    pub part: &'a ContentKey,
    /// What was picked beside the part.
    pub wanted: Wanted,
    /// Who is to answer; none for the one the settings name.
    pub choice: Option<Choice>,
    /// Turns true when the reviewer cancels.
    pub cancelled: watch::Receiver<bool>,
    /// Hears how it goes on.
    pub progress: &'a (dyn Fn(AskProgress) + Sync),
}

/// How a question goes on before its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskProgress {
    /// Its turn came: it runs from now on.
    Started,
    /// What the agent is doing, in a few words.
    Doing(Clean),
}

impl Engine {
    /// Waits for its turn, asks, checks, stamps and keeps. There is one outcome, always.
    ///
    /// # Errors
    /// A [`Problem`] where nothing could be asked: no such ask, part or agent, or lines that are not here.
    pub async fn ask(self: &Arc<Self>, question: Question<'_>) -> Result<Outcome, Problem> {
        let ask = self.find_ask(question.kind)?;
        let choice = question.choice.clone().unwrap_or_else(|| self.choice());
        let agent = adapters::make(&choice, &self.setup.settings)?;
        let mut cancelled = question.cancelled.clone();
        let turn = tokio::select! {
            biased;
            () = told_to_stop(&mut cancelled) => return Ok(Outcome::Cancelled),
            turn = self.turns.acquire() => turn,
        };
        let _turn = turn.map_err(|_| Problem::new("the program is ending"))?;
        (question.progress)(AskProgress::Started);
        let (started, from) = (clock::now(), Instant::now());
        let subject = self.subject(&question).await?;
        let subject = match subject.about(ask.card().takes, &question.wanted) {
            Ok(subject) => subject,
            Err(why) => return Ok(Outcome::NoAnswer { reason: Reason::NotAsked, why }),
        };
        let elapsed = || u64::try_from(from.elapsed().as_millis()).unwrap_or(u64::MAX);
        let asks = &self.setup.settings.asks;
        let context = RunContext {
            started: started.clone(),
            block_id: block_id()?,
            elapsed: &elapsed,
            timeout: Duration::from_secs(asks.timeout),
            max_tokens: Some(asks.max_tokens).filter(|limit| *limit > 0),
            effort: choice.effort,
            account: choice.account,
            cancelled: question.cancelled.clone(),
            progress: &|what| (question.progress)(AskProgress::Doing(what)),
        };
        let outcome = answer(ask, agent.as_ref(), &subject, context).await;
        if let Outcome::Answered(answer) = &outcome {
            let row = AnswerRow { part: question.part.0.clone(), at: started, body: stored::write(&outcome) };
            self.keep_answer(&address::key(question.address), answer, &row)?;
        }
        Ok(outcome)
    }

    /// Keeps an answer; earlier ones that say the same of the same content give way to it.
    fn keep_answer(&self, change: &str, answer: &Answer, row: &AnswerRow) -> Result<(), Problem> {
        let says_the_same = |body: &String| match stored::read(body) {
            Ok(Outcome::Answered(kept)) => kept.says_the_same(answer),
            _ => false,
        };
        let kept = self.store.answers(change)?.into_iter().filter(|kept| kept.part == row.part);
        let same: Vec<String> = kept.map(|kept| kept.body).filter(says_the_same).collect();
        Ok(self.store.add_answer(change, row, &same)?)
    }

    fn find_ask(&self, kind: &str) -> Result<&dyn Ask, Problem> {
        ask::question::find(&self.setup.asks, kind).ok_or_else(|| {
            let kinds: Vec<&str> = self.setup.asks.iter().map(|ask| ask.kind()).collect();
            Problem::new(format!("there is no ask `{kind}`")).hint(format!("the asks are: {}", kinds.join(", ")))
        })
    }

    /// The agent that the reviewer's settings name.
    pub fn choice(&self) -> Choice {
        let asks = &self.setup.settings.asks;
        let named = |name: &String| Some(name.clone()).filter(|name| !name.is_empty());
        let (model, effort, account) = (named(&asks.model), named(&asks.effort), named(&asks.account));
        Choice { agent: asks.agent.clone(), model, effort, account }
    }

    async fn subject(self: &Arc<Self>, question: &Question<'_>) -> Result<Subject, Problem> {
        let at = question
            .reading
            .parts
            .iter()
            .position(|part| part.part.key == *question.part)
            .ok_or_else(|| Problem::new("the change has no such part any more").hint("open it again"))?;
        let (engine, reading) = (Arc::clone(self), Arc::clone(&question.reading));
        let work = move || {
            let part = &reading.parts[at].part;
            let facts = match engine.mentions_of(&reading) {
                Ok(mentions) => Facts::counted(&reading.change, part, &mentions),
                Err(why) => Facts::not_counted(why),
            };
            Subject::new(Arc::clone(&reading), at, facts).map_err(|missing| {
                Problem::new(format!("the part's lines cannot be read: {missing}")).hint("open the change again online")
            })
        };
        let died =
            |error| Problem::new(format!("preparing the question died: {error}")).hint("please report this change");
        tokio::task::spawn_blocking(work).await.map_err(died)?
    }

    /// What the head of a change names, counted once for each head.
    fn mentions_of(&self, reading: &Reading) -> Result<Arc<Mentions>, String> {
        let head = reading.change.head_tree;
        let known = self.mentions.lock().unwrap_or_else(PoisonError::into_inner).get(&head).cloned();
        if let Some(mentions) = known {
            return Ok(mentions);
        }
        let parts: Vec<_> = reading.parts.iter().map(|ranked| ranked.part.clone()).collect();
        let names = index::all_names(&parts);
        let mentions = index::mentions(&*reading.change.trees, &names, index::Limits::default());
        let mentions = mentions.map_err(|error| error.to_string())?;
        self.remember(head, mentions);
        let kept = self.mentions.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&head).cloned().ok_or_else(|| "another change was opened meanwhile".to_owned())
    }
}
