//! Drives one question: probes the agent, runs it, judges what it submits, and ends with one outcome, always.
//!
//! The counting is `ask::run`'s and the judging `ask::check`'s; here is only what waits: the agent, the clock, the reviewer.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};

use crate::agent::adapters::plain;
use crate::agent::tools::Toolbox;
use crate::agent::{Agent, Desk, Ending, Event as Said, Message, Probe, Reply, Report, Request, Task, desk};
use crate::ask::brief::brief;
use crate::ask::check::{Given, Passed, judge};
use crate::ask::run::{self, Conclusion, Next, Run};
use crate::ask::{Answer, Ask, Outcome, Reason, Refusal, Stamp, Subject};
use crate::problem::Problem;
use crate::text::{Clean, clean, clean_prose};

/// How long an agent whose answer was taken may go on, so that it can report its tokens and cost.
const WIND_DOWN: Duration = Duration::from_secs(5);

/// Characters of a refused answer that are kept.
const REFUSED_CHARS: usize = 4000;

/// What a question needs from outside.
pub struct RunContext<'a> {
    /// When it is asked, RFC 3339 in UTC.
    pub started: String,
    /// A random word for the fences of the brief: at least sixteen hexadecimal digits, new for each question.
    pub block_id: String,
    /// Milliseconds since it was asked.
    pub elapsed: &'a (dyn Fn() -> u64 + Sync),
    /// How long the agent may take, over all runs.
    pub timeout: Duration,
    /// Tokens the agent may use, where it reports them; none for no limit.
    pub max_tokens: Option<u64>,
    /// The effort asked for, for the stamp.
    pub effort: Option<String>,
    /// The reviewer's label for the account, for the stamp.
    pub account: Option<String>,
    /// Turns true when the reviewer cancels. A sender that is dropped cancels nothing.
    pub cancelled: watch::Receiver<bool>,
    /// Hears what the agent is doing, in a few words.
    pub progress: &'a (dyn Fn(Clean) + Sync),
}

/// Asks one question and waits for its outcome.
pub async fn answer(ask: &dyn Ask, agent: &dyn Agent, subject: &Subject, mut context: RunContext<'_>) -> Outcome {
    let mut cancelled = context.cancelled.clone();
    let timeout = context.timeout;
    let mut asking = Asking::new(ask, agent, subject);
    let end = tokio::select! {
        biased;
        () = told_to_stop(&mut cancelled) => Some(run::Event::Cancelled),
        () = tokio::time::sleep(timeout) => Some(run::Event::TimedOut(timeout.as_secs())),
        () = asking.drive(&mut context) => None,
    };
    // What the machine has not ended by itself ends here: by the clock or by the reviewer.
    if let Some(event) = end {
        asking.take(event);
    }
    asking.outcome(&context)
}

/// One question while it is being answered.
struct Asking<'a> {
    ask: &'a dyn Ask,
    agent: &'a dyn Agent,
    subject: &'a Subject,
    run: Run,
    runs: u32,
    version: String,
    report: Report,
    /// What the brief does not show, where it was the brief that was read.
    not_shown: Vec<Clean>,
    conclusion: Option<Conclusion>,
}

impl<'a> Asking<'a> {
    fn new(ask: &'a dyn Ask, agent: &'a dyn Agent, subject: &'a Subject) -> Self {
        let run = Run::new(agent.converses());
        let (report, version) = (Report::default(), String::new());
        Self { ask, agent, subject, run, runs: 0, version, report, not_shown: Vec::new(), conclusion: None }
    }

    /// Runs the agent until the machine has come to its end.
    async fn drive(&mut self, context: &mut RunContext<'_>) {
        match self.agent.probe().await {
            Probe::Usable(version) => self.version = version,
            Probe::NotSignedIn(why) => {
                self.take(ended(Ending::NotSignedIn(why)));
                return;
            }
            Probe::Unusable(why) => {
                self.take(run::Event::Failed(Reason::Unusable, why));
                return;
            }
        }
        let is_plain = self.agent.name() == plain::NAME;
        let brief = brief(self.ask, self.subject, &context.block_id);
        if !is_plain {
            self.not_shown.clone_from(&brief.not_shown);
        }
        let tools = Arc::new(Toolbox::new(Arc::clone(&self.subject.reading), brief.given.clone(), &context.block_id));
        let given = || if is_plain { Given::All } else { Given::Read(tools.ledger()) };
        let mut note = None;
        while self.conclusion.is_none() {
            let request = Request {
                instructions: brief.instructions.clone(),
                prompt: brief.prompt.clone(),
                schema: self.ask.schema(),
                note: note.take(),
                run: self.runs,
                composed: is_plain.then(|| self.ask.plain(self.subject).map(|answer| answer.to_string())),
                tools: Arc::clone(&tools),
            };
            self.runs += 1;
            note = self.one_run(request, &given, context).await;
        }
    }

    /// Runs the agent once; gives the note of the next run, if there is to be one.
    async fn one_run(
        &mut self,
        request: Request,
        given: &(dyn Fn() -> Given + Sync),
        context: &mut RunContext<'_>,
    ) -> Option<String> {
        let (desk, mut messages): (Desk, mpsc::Receiver<Message>) = desk();
        let agent = self.agent;
        let mut running = agent.run(request, desk);
        loop {
            let next = tokio::select! {
                biased;
                Some(message) = messages.recv() => self.hear(message, given, context),
                ending = &mut running => {
                    // What was handed in before the end still counts.
                    while let Ok(message) = messages.try_recv() {
                        self.hear(message, given, context);
                    }
                    self.take(ended(ending))
                }
            };
            match next {
                Next::Wait if self.conclusion.is_some() => return None,
                Next::Wait => {}
                Next::RunAgain(note) => return Some(note),
                Next::Finish(Conclusion::Answered(_)) => {
                    let wind_down = self.wind_down(&mut running, &mut messages);
                    // What it still reports is worth a moment, and no more.
                    let _ = tokio::time::timeout(WIND_DOWN, wind_down).await;
                    return None;
                }
                Next::Finish(_) => return None,
            }
        }
    }

    /// Hears what an agent whose answer was taken still reports: many say their cost last.
    async fn wind_down(&mut self, running: &mut Task<'_, Ending>, messages: &mut mpsc::Receiver<Message>) {
        let mut ended = false;
        while !ended {
            tokio::select! {
                biased;
                Some(message) = messages.recv() => self.late(message),
                _ = &mut *running => ended = true,
            }
        }
        while let Ok(message) = messages.try_recv() {
            self.late(message);
        }
    }

    fn late(&mut self, message: Message) {
        match message {
            Message::Said(Said::Report(report)) => self.report.take(report),
            Message::Said(Said::Doing(_)) => {}
            Message::Submitted(submission) => drop(submission.reply.send(Reply::Closed)),
        }
    }

    fn hear(&mut self, message: Message, given: &(dyn Fn() -> Given + Sync), context: &RunContext<'_>) -> Next {
        match message {
            Message::Said(Said::Doing(what)) => {
                (context.progress)(clean(&what));
                Next::Wait
            }
            Message::Said(Said::Report(report)) => {
                self.report.take(report);
                match (context.max_tokens, self.report.tokens) {
                    (Some(limit), Some(used)) if used > limit => {
                        let why = format!("it used {used} tokens, and asks.max_tokens allows {limit}");
                        self.take(run::Event::Failed(Reason::BudgetMet, why))
                    }
                    _ => Next::Wait,
                }
            }
            Message::Submitted(submission) => {
                let judged = judge(self.ask, &submission.text, self.subject, &given()).map(Box::new);
                let step = self.run.step(run::Event::Submitted { text: submission.text, judged });
                let reply = match step.reply {
                    run::Reply::Accepted => Reply::Accepted,
                    run::Reply::SentBack(note) => Reply::SentBack(note),
                    run::Reply::Closed => Reply::Closed,
                };
                // An agent that does not wait for its reply has ended; that is heard next.
                drop(submission.reply.send(reply));
                self.keep(step.next)
            }
        }
    }

    fn take(&mut self, event: run::Event) -> Next {
        let next = self.run.step(event).next;
        self.keep(next)
    }

    fn keep(&mut self, next: Next) -> Next {
        if let Next::Finish(conclusion) = &next {
            self.conclusion = Some(conclusion.clone());
        }
        next
    }

    fn outcome(self, context: &RunContext<'_>) -> Outcome {
        let stamp = |checks: Vec<String>| self.stamp(context, checks);
        match &self.conclusion {
            Some(Conclusion::Answered(passed)) => {
                let Passed { candidate, checks } = passed.as_ref();
                Outcome::Answered(Answer {
                    part_name: self.subject.part().part.name.clone(),
                    asked: self.subject.about.asked(),
                    sections: candidate.sections.clone(),
                    citations: candidate.citations.clone(),
                    facts: self.subject.fact_sentences(),
                    not_shown: self.not_shown.clone(),
                    stamp: stamp(checks.iter().map(|check| (*check).to_owned()).collect()),
                })
            }
            Some(Conclusion::Refused { failed, text }) => Outcome::Refused(Refusal {
                failed: failed.clone(),
                refused: clean_prose(&text.chars().take(REFUSED_CHARS).collect::<String>()),
                stamp: stamp(Vec::new()),
            }),
            Some(Conclusion::NoAnswer(reason, why)) => {
                Outcome::NoAnswer { reason: *reason, why: clean(why).into_string() }
            }
            Some(Conclusion::Cancelled) => Outcome::Cancelled,
            None => {
                Outcome::NoAnswer { reason: Reason::Died, why: "the agent stopped before it had an answer".to_owned() }
            }
        }
    }

    fn stamp(&self, context: &RunContext<'_>, checks: Vec<String>) -> Stamp {
        let change = &self.subject.reading.change;
        let said = |text: &Option<String>| text.as_deref().map(|text| clean(text).into_string());
        Stamp {
            ask: self.ask.kind().to_owned(),
            ask_version: self.ask.card().version,
            agent: self.agent.name().to_owned(),
            agent_version: clean(&self.version).into_string(),
            model: said(&self.report.model),
            effort: context.effort.clone(),
            login: said(&self.report.login),
            account: context.account.clone(),
            started: context.started.clone(),
            duration_ms: (context.elapsed)(),
            tokens: self.report.tokens,
            cost: said(&self.report.cost),
            attempts: self.run.submissions(),
            base_commit: change.base_commit,
            head_commit: change.head_commit,
            content: self.subject.part().part.key.clone(),
            checks,
            fences: self.report.fences.iter().map(|fence| clean(fence).into_string()).collect(),
        }
    }
}

/// Comes back when the reviewer cancels; never if nobody can any more.
pub(super) async fn told_to_stop(cancelled: &mut watch::Receiver<bool>) {
    if cancelled.wait_for(|cancelled| *cancelled).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// A random word for the fences of a brief, new for each question.
pub(super) fn block_id() -> Result<String, Problem> {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes)
        .map_err(|error| Problem::new(format!("the system gives no random numbers: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// How a run's end counts: only one that came to its own end may be followed by another.
fn ended(ending: Ending) -> run::Event {
    let say = |reason, what: &str, why: String| {
        run::Event::Failed(reason, if why.is_empty() { what.to_owned() } else { format!("{what}: {why}") })
    };
    match ending {
        Ending::Finished => run::Event::Ended,
        Ending::Declined(why) => run::Event::Failed(Reason::Declined, why),
        Ending::Unusable(why) => run::Event::Failed(Reason::Unusable, why),
        Ending::NotSignedIn(why) => say(Reason::NotSignedIn, "the agent is not signed in", why),
        Ending::RateLimited(why) => say(Reason::RateLimited, "the agent's provider turned it away for now", why),
        Ending::UnknownModel(why) => say(Reason::UnknownModel, "the agent knows no such model", why),
        Ending::BudgetMet(why) => say(Reason::BudgetMet, "the agent met a limit", why),
        Ending::TimedOut => {
            run::Event::Failed(Reason::TimedOut, "the agent ran out of the time it sets itself".to_owned())
        }
        Ending::Died(why) => say(Reason::Died, "the agent broke off", why),
    }
}

#[cfg(test)]
#[path = "asking_tests.rs"]
mod tests;
