//! Answers, refusals, claims and threads as text for a terminal.

use std::fmt::Write as _;

use crate::ask::{self, Answer, Refusal, Stamp};
use crate::change::{RankedPart, Reading};
use crate::problem::Problem;
use crate::text::{clean, clean_prose};

/// An answer with its citations, facts and stamp.
pub fn in_words(answer: &Answer) -> String {
    let mut out = format!("{}\n", answer.part_name);
    if let Some(asked) = &answer.asked {
        let _ = writeln!(out, "Asked: {asked}");
    }
    for section in &answer.sections {
        let _ = write!(out, "\n{}\n{}\n", section.heading, textwrap::fill(section.text.as_str(), 90));
    }
    if !answer.citations.is_empty() {
        out.push('\n');
    }
    for (at, citation) in answer.citations.iter().enumerate() {
        let place = &citation.place;
        let _ = writeln!(
            out,
            "[{}] {}:{} ({})  {}",
            at + 1,
            place.path.shown(),
            place.line,
            place.side.word(),
            citation.quote.as_str().trim()
        );
    }
    if !answer.facts.is_empty() {
        let _ = write!(out, "\nFacts counted by the program\n");
        for fact in &answer.facts {
            let _ = writeln!(out, "- {fact}");
        }
    }
    let _ = write!(out, "\n{}\n", stamp_in_words(&answer.stamp));
    clean_prose(&out).into_string()
}

fn stamp_in_words(stamp: &Stamp) -> String {
    let model = match &stamp.model {
        Some(model) => clean(model).into_string(),
        None if stamp.agent == "plain" => "no model was used".to_owned(),
        None => "it did not say which model".to_owned(),
    };
    let labelled = |what: &str, value: &Option<String>| value.as_ref().map(|value| format!("{what} {}", clean(value)));
    let mut more: Vec<String> =
        [labelled("effort", &stamp.effort), labelled("login", &stamp.login)].into_iter().flatten().collect();
    more.extend(labelled("account", &stamp.account));
    more.extend(stamp.tokens.map(|tokens| format!("{tokens} tokens")));
    more.extend(labelled("US$", &stamp.cost));
    more.extend((stamp.attempts > 1).then(|| "second try".to_owned()));
    let more: String = more.iter().map(|words| format!("; {words}")).collect();
    let commits = match (stamp.base_commit, stamp.head_commit) {
        (Some(base), Some(head)) => format!("{}..{}", base.short(), head.short()),
        _ => "content without commits".to_owned(),
    };
    format!(
        "{} {} by {} {}; {model}{more}; {}, {}.{:01} s; about {commits}; passed: {}{}",
        stamp.ask,
        stamp.ask_version,
        clean(&stamp.agent),
        clean(&stamp.agent_version),
        stamp.started,
        stamp.duration_ms / 1000,
        stamp.duration_ms / 100 % 10,
        stamp.checks.join(", "),
        if stamp.fences.is_empty() { String::new() } else { format!("; fences: {}", stamp.fences.join(", ")) },
    )
}

/// A refused answer, to be looked at as one.
pub fn refused_in_words(refusal: &Refusal) -> String {
    let mut out = String::from("REFUSED: this failed its checks and is no answer.\n");
    for failure in &refusal.failed {
        let _ = writeln!(out, "failed {}: {}", failure.check, failure.what);
    }
    for line in refusal.refused.as_str().lines() {
        let _ = writeln!(out, "refused | {line}");
    }
    clean_prose(&out).into_string()
}

/// Why a refused answer is none.
pub fn refused(refusal: &Refusal, shown: bool) -> Problem {
    let failed: Vec<String> =
        refusal.failed.iter().map(|failure| format!("{}: {}", failure.check, failure.what)).collect();
    Problem::new(format!("the answer was refused twice ({})", failed.join("; "))).hint(if shown {
        "ask again, or ask another agent"
    } else {
        "ask again, ask another agent, or look at it with --show-refused"
    })
}

/// The claims and threads of a part, numbered as the command line takes them.
pub fn listed(reading: &Reading, part: &RankedPart) -> Result<String, Problem> {
    let at = reading.parts.iter().position(|one| one.part.key == part.part.key).unwrap_or_default();
    let lines = reading.lines(&part.part).map_err(|missing| Problem::new(missing.to_string()))?;
    let mut out = format!("{}\n\nClaims (--claim NUMBER, for verify)\n", part.part.name);
    let claims = ask::claims(reading, at, &lines);
    for (number, claim) in claims.iter().enumerate() {
        let place = claim.place.as_ref();
        let place =
            place.map_or("the description".to_owned(), |place| format!("{}:{}", place.path.shown(), place.line));
        let _ = writeln!(out, "{:>3}  {} ({place})", number + 1, claim.text);
    }
    let threads = ask::threads_of(reading, at);
    if claims.is_empty() {
        out.push_str("  none found\n");
    }
    out.push_str("\nThreads (--thread NUMBER, for thread and question)\n");
    for (number, thread) in threads.iter().filter_map(|at| reading.change.threads.get(*at)).enumerate() {
        let title = ask::transcript(thread).title();
        let _ = writeln!(out, "{:>3}  {title} ({})", number + 1, if thread.resolved { "resolved" } else { "open" });
    }
    if threads.is_empty() {
        out.push_str("  none were read\n");
    }
    Ok(clean_prose(&out).into_string())
}
