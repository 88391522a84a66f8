//! What an ask ends with: an answer that passed its checks, a refusal, or the reason for neither.

use crate::change::parts::ContentKey;
use crate::change::{ObjectId, Place};
use crate::text::Clean;

/// A place with a quote of its line, re-read by the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// Where.
    pub place: Place,
    /// What stands there, as the reviewer sees it.
    pub quote: Clean,
}

/// One section of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its heading, in the ask's own words.
    pub heading: String,
    /// Its text: plain prose, names in backticks, `[1]` where it rests on the first citation.
    pub text: Clean,
}

/// Who answered, when, with what, about what, and which checks were passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The ask's name, such as `explain`.
    pub ask: String,
    /// The version of the ask's instructions and schema.
    pub ask_version: u32,
    /// The agent's name, such as `plain`.
    pub agent: String,
    /// The agent's own version.
    pub agent_version: String,
    /// The model as the agent reported it; none where no model was used or it said nothing.
    pub model: Option<String>,
    /// The effort asked for, if any.
    pub effort: Option<String>,
    /// How the agent was signed in, if it said.
    pub login: Option<String>,
    /// The reviewer's own label for the account, if set.
    pub account: Option<String>,
    /// When it was asked, RFC 3339 in UTC.
    pub started: String,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Tokens used, where reported.
    pub tokens: Option<u64>,
    /// Cost in US dollars, as text, where reported.
    pub cost: Option<String>,
    /// Answers submitted: 1, or 2 when the first was sent back.
    pub attempts: u32,
    /// The base commit; none where the base is no commit.
    pub base_commit: Option<ObjectId>,
    /// The head commit; none where the head is no commit.
    pub head_commit: Option<ObjectId>,
    /// The content the answer is about.
    pub content: ContentKey,
    /// The names of the checks it passed.
    pub checks: Vec<String>,
    /// The fences that held around the agent, in a few words each; none for one that runs inside the program.
    pub fences: Vec<String>,
}

/// An answer that passed its checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The part's name when it was asked.
    pub part_name: Clean,
    /// What was asked, in one line: the claim, the lines, the thread or the question; none for the part alone.
    pub asked: Option<Clean>,
    /// What it says.
    pub sections: Vec<Section>,
    /// Its citations; `[1]` in a section names the first.
    pub citations: Vec<Citation>,
    /// What the program itself counted and put into the brief, one sentence each; shown apart from citations.
    pub facts: Vec<Clean>,
    /// What its author was not shown at first because it did not fit or could not be had, one sentence each.
    pub not_shown: Vec<Clean>,
    /// Who, when, with what, about what.
    pub stamp: Stamp,
}

impl Answer {
    /// Whether another answer of the same ask and agent says the same of the same content: the later one is enough.
    pub fn says_the_same(&self, other: &Self) -> bool {
        let asked = |answer: &Self| {
            let stamp = &answer.stamp;
            (stamp.ask.clone(), stamp.ask_version, stamp.agent.clone(), stamp.model.clone(), stamp.content.clone())
        };
        asked(self) == asked(other)
            && self.asked == other.asked
            && self.stamp.head_commit == other.stamp.head_commit
            && (&self.sections, &self.citations, &self.facts) == (&other.sections, &other.citations, &other.facts)
    }
}

/// One check that an answer failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckFailure {
    /// The check's name, such as `citation`.
    pub check: &'static str,
    /// What is wrong, in one sentence that the agent can act on and the reviewer can read.
    pub what: Clean,
}

/// An answer that failed its checks twice. It is never shown as an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Every check the last submission failed.
    pub failed: Vec<CheckFailure>,
    /// What was refused, as text, to be looked at only as a refused answer.
    pub refused: Clean,
    /// Who, when, with what, about what; `checks` is empty.
    pub stamp: Stamp,
}

/// How an ask ended. There is exactly one for each ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// An answer that passed its checks.
    Answered(Answer),
    /// The answer was refused twice.
    Refused(Refusal),
    /// There is no answer.
    NoAnswer {
        /// Which kind of reason there is.
        reason: Reason,
        /// What is known of it, in one sentence.
        why: String,
    },
    /// The reviewer cancelled it.
    Cancelled,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Nothing could be asked: what it is about is not there.
    NotAsked,
    /// The agent cannot be used as it is.
    Unusable,
    /// The agent has nothing to say to this.
    Declined,
    /// The agent is not signed in.
    NotSignedIn,
    /// The agent's provider turned it away for now.
    RateLimited,
    /// The agent knows no such model.
    UnknownModel,
    /// The time given was over.
    TimedOut,
    /// A limit of rounds, tokens or cost was met.
    BudgetMet,
    /// The agent broke off.
    Died,
    /// The agent ended without an answer.
    Ended,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 10] = [
        Self::NotAsked,
        Self::Unusable,
        Self::Declined,
        Self::NotSignedIn,
        Self::RateLimited,
        Self::UnknownModel,
        Self::TimedOut,
        Self::BudgetMet,
        Self::Died,
        Self::Ended,
    ];

    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotAsked => "not asked",
            Self::Unusable => "agent unusable",
            Self::Declined => "declined",
            Self::NotSignedIn => "not signed in",
            Self::RateLimited => "rate limited",
            Self::UnknownModel => "unknown model",
            Self::TimedOut => "timed out",
            Self::BudgetMet => "budget met",
            Self::Died => "agent died",
            Self::Ended => "no answer came",
        }
    }

    /// What the reviewer can do, in words that stand alone.
    pub fn next(self) -> &'static str {
        match self {
            Self::NotAsked => "pick another, or list what there is with `second-look ask ... --list`",
            Self::Unusable => "`second-look doctor` says what is missing",
            Self::Declined => "choose an agent that uses a model: `second-look doctor` lists them",
            Self::NotSignedIn => "sign in with the agent program, or set the key of the model API, then ask again",
            Self::RateLimited => "wait a while and ask again, or choose another agent or account",
            Self::UnknownModel => "choose a model the agent knows",
            Self::TimedOut => "ask again, or give it longer with asks.timeout",
            Self::BudgetMet => "ask about fewer lines, or raise the limit in the settings",
            Self::Died => "ask again; `second-look doctor` says whether the agent works",
            Self::Ended => "ask again, or choose another model or agent",
        }
    }
}
