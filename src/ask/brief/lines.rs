//! The part itself: its name and rank, and its lines with side and number, each file in its turn.

use std::collections::BTreeSet;

use super::page::{Page, counted};
use crate::agent::tools::Ledger;
use crate::ask::subject::Subject;
use crate::change::diff::LineKind;
use crate::change::{PartLine, Side};
use crate::text::{clean, excerpt, shown_line};

/// Lines of the part a brief shows at most.
const LINES: usize = 400;

/// Bytes of lines a brief shows at most.
const BYTES: usize = 32 * 1024;

/// Characters of the block, paths and numbers included.
const CHARS: usize = 42_000;

/// Files without a shown line that are named.
const FILES: usize = 60;

/// Writes the part; gives the lines it shows.
pub fn write(page: &mut Page<'_>, subject: &Subject) -> Ledger {
    let part = subject.part();
    page.say(&format!(
        "The part asked about is part {} of {}, ranked \"{}\".\n",
        subject.at + 1,
        subject.reading.parts.len(),
        part.rank.importance.words()
    ));
    page.data("name of the part and why it is ranked so", &format!("{}\n{}", part.part.name, part.rank.reason));
    let written = lines(subject, &within_budget(&subject.lines), CHARS.min(page.left()));
    page.say(
        "Its lines. Before each stands its sign (+ added, - removed, a space for kept) and its side with its number \
         there; a kept line may be cited at either side.\n",
    );
    page.data("lines of the part", &written.text);
    let (all, rest) = (subject.lines.len(), subject.lines.len() - written.given.len());
    if rest > 0 {
        page.say(&format!(
            "{} more of the part's lines are not shown here: `show_diff` shows them. A line can be cited once a tool \
             has shown it.\n",
            rest
        ));
        page.not_shown(&format!(
            "The brief held {} of the part's {}; the agent could read the rest only with its tools.",
            all - rest,
            counted(all, "line")
        ));
    }
    if written.files_left > 0 {
        let files = counted(written.files_left, "more file");
        page.say(&format!("{files} of the part are not named here.\n"));
        page.not_shown(&format!("{files} of the part were not named in the brief."));
    }
    ledger(subject, &written.given)
}

/// The lines at these positions: a kept line is delivered at both sides.
fn ledger(subject: &Subject, given: &BTreeSet<usize>) -> Ledger {
    let mut ledger = Ledger::default();
    for line in given.iter().map(|at| &subject.lines[*at]) {
        let file = &subject.reading.change.files[line.file];
        for (side, number) in [(Side::Base, line.base_line), (Side::Head, line.head_line)] {
            if number > 0 {
                ledger.enter(side, file.path_on(side), [number]);
            }
        }
    }
    ledger
}

/// What was written: the text, the positions of its lines, and how many files had no room.
struct Written {
    text: String,
    given: BTreeSet<usize>,
    files_left: usize,
}

fn lines(subject: &Subject, wanted: &BTreeSet<usize>, most: usize) -> Written {
    let mut written = Written { text: String::new(), given: BTreeSet::new(), files_left: 0 };
    let (mut left, mut bare) = (most, 0);
    let mut add = |written: &mut Written, text: String| {
        let fits = text.chars().count() <= left;
        if fits {
            left -= text.chars().count();
            written.text.push_str(&text);
        }
        fits
    };
    for piece in &subject.part().part.pieces {
        let of_file: Vec<usize> = wanted.iter().copied().filter(|at| subject.lines[*at].file == piece.file).collect();
        bare += usize::from(of_file.is_empty());
        if (of_file.is_empty() && bare > FILES) || !add(&mut written, heading(subject, piece.file)) {
            written.files_left += 1;
            continue;
        }
        let mut before: Option<usize> = None;
        for at in of_file {
            let gap =
                before.is_some_and(|before| at != before + 1 || is_gap(&subject.lines[before], &subject.lines[at]));
            let line = numbered(&subject.lines[at]);
            if !add(&mut written, if gap { format!("...\n{line}") } else { line }) {
                break;
            }
            written.given.insert(at);
            before = Some(at);
        }
    }
    written
}

fn heading(subject: &Subject, file: usize) -> String {
    let changed = &subject.reading.change.files[file];
    let path = match &changed.previous_path {
        Some(previous) => format!("{} (at the base: {})", changed.path.shown(), previous.shown()),
        None => changed.path.shown().into_string(),
    };
    format!("file {path}: {}\n", what_happened(subject, file))
}

fn is_gap(before: &PartLine, line: &PartLine) -> bool {
    let jumps = |one: u32, two: u32| one > 0 && two > 0 && two != one + 1;
    jumps(before.head_line, line.head_line) || jumps(before.base_line, line.base_line)
}

fn numbered(line: &PartLine) -> String {
    let sign = line.kind.sign();
    let number = match line.kind {
        LineKind::Deletion => format!("base {}", line.base_line),
        LineKind::Addition => format!("head {}", line.head_line),
        LineKind::Context => format!("base {} head {}", line.base_line, line.head_line),
    };
    format!("{sign} {number} | {}\n", excerpt(&line.text))
}

fn what_happened(subject: &Subject, file: usize) -> String {
    let (changed, reading) = (&subject.reading.change.files[file], &subject.reading.files[file]);
    let mut words = vec![changed.kind.word().to_owned()];
    if reading.diff.binary {
        let size = |side| {
            changed.on(side).and_then(|version| version.size).map_or("none".to_owned(), |n| format!("{n} bytes"))
        };
        words.push(format!("binary, {} at the base, {} at the head", size(Side::Base), size(Side::Head)));
    }
    if let (Some(base), Some(head)) = (changed.base, changed.head)
        && base.mode != head.mode
    {
        words.push(format!("mode {} at the base, {} at the head", base.mode, head.mode));
    }
    if let Some(why) = &reading.diff.not_read {
        words.push(format!("not read: {}", clean(why)));
    }
    words.join("; ")
}

/// The positions of the lines that fit. Where not all do, each file gets its turn, twenty lines at a time.
fn within_budget(lines: &[PartLine]) -> BTreeSet<usize> {
    let mut queues: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match queues.last_mut() {
            Some((file, range)) if *file == line.file => range.end = at + 1,
            _ => queues.push((line.file, at..at + 1)),
        }
    }
    let (mut given, mut bytes) = (BTreeSet::new(), 0);
    while queues.iter().any(|(_, range)| !range.is_empty()) {
        for (_, range) in &mut queues {
            for at in range.by_ref().take(20) {
                bytes += shown_line(&lines[at].text).len() + 20;
                if given.len() >= LINES || bytes > BYTES {
                    return given;
                }
                given.insert(at);
            }
        }
    }
    given
}
