//! Typed questions about a part: what is asked, what an answer must be, and how it is checked before it is shown.
//!
//! Computes values only. A question flows: [`Subject`] (what it is about) and [`Ask`] (which question) make a
//! [`Brief`](brief::Brief); [`check`] judges what comes back; [`run`] counts attempts; [`stored`] keeps the outcome.

mod answer;
mod facts;
mod thread;
mod claims;
mod about;
mod code;
mod cited;
mod manual;
mod head;
mod signature;
mod subject;
pub mod check;
pub mod question;
pub mod brief;
pub mod run;
pub mod asks;
pub mod stored;
#[cfg(test)]
pub mod fixtures;
#[cfg(test)]
pub mod sixth;

pub use about::{About, Lines, SELECTED_LINES, Wanted};
pub use answer::{Answer, CheckFailure, Citation, Outcome, Reason, Refusal, Section, Stamp};
pub use check::names::Shown;
pub use claims::{Claim, claims};
pub use facts::{Facts, Named};
pub use question::{Ask, Bounds, Candidate, Card, Cites, Takes, table};
pub use signature::Signature;
pub use subject::{Declared, OtherPart, Subject, spoken};
pub use thread::{Transcript, threads_of, transcript};
