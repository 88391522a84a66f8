//! The machine that counts attempts, for every agent alike: at most two submissions, at most one nudge, one end.
//!
//! Pure: events in, what to do next out. It never runs, waits or checks anything itself.

use super::answer::{CheckFailure, Reason};
use super::check::{self, Passed};

/// Submissions that are judged at most.
pub const SUBMISSIONS: u32 = 2;

/// What an agent is told that ended without an answer.
pub const NUDGE: &str = "An earlier try ended without an answer. Give it now: call `submit_answer`, by the name it has among your tools. Only where there is no such tool, write the answer as one JSON value of the schema given, and nothing else.";

/// Where a question stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    converses: bool,
    submissions: u32,
    nudged: bool,
    /// The problems of a refused submission that the agent has not been told of within a run.
    owed: Option<String>,
    /// The problems of the last refused submission.
    failed: Vec<CheckFailure>,
    over: bool,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// An answer came and was judged.
    Submitted {
        /// As it came.
        text: String,
        /// What the checks said.
        judged: Result<Box<Passed>, Vec<CheckFailure>>,
    },
    /// A run of the agent came to its end.
    Ended,
    /// The agent has nothing to say, cannot be used, or broke off; why, in one sentence.
    Failed(Reason, String),
    /// The time given is over; it was this many seconds.
    TimedOut(u64),
    /// The reviewer cancelled it.
    Cancelled,
}

/// What becomes of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// It passed.
    Accepted,
    /// It is given back with this note.
    SentBack(String),
    /// No more is taken in this run.
    Closed,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Wait for more.
    Wait,
    /// Run the agent again with this note.
    RunAgain(String),
    /// Stop the agent: this is how it ended.
    Finish(Conclusion),
}

/// How a question ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conclusion {
    /// An answer passed.
    Answered(Box<Passed>),
    /// The second submission failed too.
    Refused {
        /// The checks the last one failed.
        failed: Vec<CheckFailure>,
        /// The last one, as it came.
        text: String,
    },
    /// There is no answer, and why, in one sentence.
    NoAnswer(Reason, String),
    /// The reviewer cancelled it.
    Cancelled,
}

/// The answer to one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What to tell the agent, where it submitted something.
    pub reply: Reply,
    /// What to do.
    pub next: Next,
}

impl Run {
    /// A question that was just asked. `converses`: whether the agent can be answered within a run.
    pub fn new(converses: bool) -> Self {
        Self { converses, submissions: 0, nudged: false, owed: None, failed: Vec::new(), over: false }
    }

    /// Submissions judged so far.
    pub fn submissions(&self) -> u32 {
        self.submissions
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Takes an event. After the end nothing counts any more.
    pub fn step(&mut self, event: Event) -> Step {
        if self.over {
            return Step { reply: Reply::Closed, next: Next::Wait };
        }
        match event {
            Event::Submitted { text, judged } => self.submitted(text, judged),
            Event::Ended => Step { reply: Reply::Closed, next: self.ended() },
            Event::Failed(reason, why) => self.finish(Conclusion::NoAnswer(reason, why)),
            Event::TimedOut(seconds) => {
                let why = format!("no answer came within {seconds} seconds, so the agent was stopped");
                self.finish(Conclusion::NoAnswer(Reason::TimedOut, why))
            }
            Event::Cancelled => self.finish(Conclusion::Cancelled),
        }
    }

    fn finish(&mut self, conclusion: Conclusion) -> Step {
        self.over = true;
        Step { reply: Reply::Closed, next: Next::Finish(conclusion) }
    }

    fn submitted(&mut self, text: String, judged: Result<Box<Passed>, Vec<CheckFailure>>) -> Step {
        // A program that cannot be answered within a run has had its say in this one.
        if self.owed.is_some() {
            return Step { reply: Reply::Closed, next: Next::Wait };
        }
        self.submissions += 1;
        match judged {
            Ok(passed) => Step { reply: Reply::Accepted, ..self.finish(Conclusion::Answered(passed)) },
            Err(failed) if self.submissions >= SUBMISSIONS => self.finish(Conclusion::Refused { failed, text }),
            Err(failed) => {
                let note = check::note(&failed);
                self.failed = failed;
                if self.converses {
                    return Step { reply: Reply::SentBack(note), next: Next::Wait };
                }
                self.owed = Some(note);
                Step { reply: Reply::Closed, next: Next::Wait }
            }
        }
    }

    fn ended(&mut self) -> Next {
        if let Some(note) = self.owed.take() {
            return Next::RunAgain(note);
        }
        if !self.nudged {
            self.nudged = true;
            let problems =
                if self.failed.is_empty() { String::new() } else { format!("{}\n", check::note(&self.failed)) };
            return Next::RunAgain(format!("{problems}{NUDGE}"));
        }
        self.over = true;
        let why = match self.failed.first() {
            None => "the agent ended twice without an answer".to_owned(),
            Some(first) => format!(
                "the agent's answer was given back ({}: {}), and no other came",
                first.check,
                first.what.as_str().trim_end_matches('.')
            ),
        };
        Next::Finish(Conclusion::NoAnswer(Reason::Ended, why))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use crate::ask::question::Candidate;
    use crate::text::clean;
    use proptest::prelude::*;

    fn good() -> Event {
        let passed = Passed { candidate: Candidate::default(), checks: vec![] };
        Event::Submitted { text: "good".to_owned(), judged: Ok(Box::new(passed)) }
    }

    fn bad(what: &str) -> Event {
        let failed = vec![
            CheckFailure { check: "names", what: clean(what) },
            CheckFailure { check: "citation", what: clean("c") },
        ];
        Event::Submitted { text: what.to_owned(), judged: Err(failed) }
    }

    fn kinds(converses: bool, events: Vec<Event>) -> (Vec<String>, Run) {
        let mut run = Run::new(converses);
        let word = |step: Step| match step.next {
            Next::Wait => match step.reply {
                Reply::SentBack(_) => "sent back".to_owned(),
                _ => "wait".to_owned(),
            },
            Next::RunAgain(note) => if note.contains(NUDGE) { "nudge" } else { "again" }.to_owned(),
            Next::Finish(Conclusion::NoAnswer(_, why)) => why,
            Next::Finish(conclusion) => format!("{conclusion:?}").split([' ', '(']).next().unwrap().to_owned(),
        };
        let words = events.into_iter().map(|event| word(run.step(event))).collect();
        (words, run)
    }

    #[test]
    fn a_refused_answer_goes_back_once() {
        assert_eq!(kinds(true, vec![good()]).0, ["Answered"]);
        let (words, run) = kinds(true, vec![bad("a"), good(), good()]);
        assert_eq!(words, ["sent back", "Answered", "wait"]);
        assert_eq!(run.submissions(), 2);
        assert_eq!(kinds(true, vec![bad("a"), bad("b")]).0, ["sent back", "Refused"]);
    }

    #[test]
    fn the_note_lists_every_problem() {
        let mut run = Run::new(true);
        let Reply::SentBack(note) = run.step(bad("first problem")).reply else { panic!("not sent back") };
        assert!(note.contains("- names: first problem\n- citation: c\n"), "{note}");
    }

    #[test]
    fn a_run_that_ends_without_an_answer_is_nudged_once() {
        assert_eq!(kinds(true, vec![Event::Ended, good()]).0, ["nudge", "Answered"]);
        assert_eq!(
            kinds(true, vec![Event::Ended, Event::Ended]).0,
            ["nudge", "the agent ended twice without an answer"]
        );
        assert_eq!(kinds(true, vec![Event::Ended, bad("a"), bad("b")]).0, ["nudge", "sent back", "Refused"]);
        let (words, _) = kinds(true, vec![bad("a"), Event::Ended, Event::Ended]);
        assert_eq!(words, ["sent back", "nudge", "the agent's answer was given back (names: a), and no other came"]);
    }

    #[test]
    fn a_one_shot_program_is_run_again_with_the_problems() {
        assert_eq!(kinds(false, vec![bad("a"), Event::Ended, good()]).0, ["wait", "again", "Answered"]);
        assert_eq!(
            kinds(false, vec![bad("a"), bad("b"), Event::Ended, bad("c")]).0,
            ["wait", "wait", "again", "Refused"]
        );
        let (words, _) = kinds(false, vec![Event::Ended, bad("a"), Event::Ended, Event::Ended]);
        assert_eq!(words[..3], ["nudge", "wait", "again"]);
    }

    #[test]
    fn time_outs_crashes_and_cancelling_end_it() {
        assert_eq!(
            kinds(true, vec![Event::TimedOut(5), good()]).0,
            ["no answer came within 5 seconds, so the agent was stopped", "wait"]
        );
        assert_eq!(
            kinds(true, vec![bad("a"), Event::Failed(Reason::Died, "it died".to_owned())]).0,
            ["sent back", "it died"]
        );
        assert_eq!(kinds(true, vec![Event::Cancelled, Event::Cancelled]).0, ["Cancelled", "wait"]);
    }

    proptest! {
        #[test]
        fn there_is_one_end_and_it_comes(converses in any::<bool>(), choices in proptest::collection::vec(0..6_u8, 8..40)) {
            let mut run = Run::new(converses);
            let (mut ends, mut again) = (0, 0);
            for choice in choices {
                let step = run.step(match choice {
                    0 => good(),
                    1 | 2 => bad("x"),
                    3 | 4 => Event::Ended,
                    _ => Event::TimedOut(1),
                });
                ends += u32::from(matches!(step.next, Next::Finish(_)));
                again += u32::from(matches!(step.next, Next::RunAgain(_)));
                prop_assert!(run.submissions() <= SUBMISSIONS);
            }
            prop_assert!(ends <= 1 && again <= 2);
            prop_assert_eq!(ends == 1, run.is_over());
            // However it went, two more ends of runs finish it.
            (0..3).for_each(|_| drop(run.step(Event::Ended)));
            prop_assert!(run.is_over());
        }
    }
}
