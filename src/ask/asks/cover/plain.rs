//! The built-in answer: which tests name what the part declares, and what the description says was done by hand.
//!
//! By name alone: that a test names something does not show that it runs what the part changes, and it says so.

use std::collections::BTreeSet;

use super::{CITATIONS, Coverage, SECTION_CHARS};
use crate::ask::Subject;
use crate::ask::check::described::MOST;
use crate::ask::check::markers;
use crate::ask::check::names::unknown;
use crate::ask::cited::HeadLine;
use crate::ask::facts::join;
use crate::ask::{head, manual};
use crate::change::{RepoPath, Text};
use crate::index::lines_naming;
use crate::text::{clean_bytes, shown_line};

/// Names that a sentence lists.
const LISTED: usize = 3;

/// Test files that are told of each by name.
const FILES: usize = 4;

/// Composes the answer.
pub fn answer(subject: &Subject) -> Coverage {
    let mut manual = manual::checks(&subject.reading.change.facts.description);
    manual.truncate(MOST);
    let mut told = Told { subject, summary: String::new(), tests: Vec::new() };
    own_tests(&mut told);
    let naming = naming_tests(&mut told);
    if told.tests.is_empty() {
        let and = if manual.is_empty() { ", and the description reports no manual check" } else { "" };
        told.say(&format!("No test was found by name{and}."), None);
    } else if naming {
        told.say("That a test names something does not show that it runs what changed here.", None);
    }
    where_it_looked(&mut told);
    Coverage { summary: told.summary, tests: told.tests, manual }
}

/// What is told so far.
struct Told<'a> {
    subject: &'a Subject,
    summary: String,
    tests: Vec<HeadLine>,
}

impl Told<'_> {
    /// Adds a sentence, and what it rests on, where it fits and names only what is shown.
    fn say(&mut self, sentence: &str, rests_on: Option<HeadLine>) -> bool {
        let mut sentence = sentence.to_owned();
        if rests_on.is_some() {
            if self.tests.len() >= CITATIONS {
                return false;
            }
            let end = sentence.trim_end_matches('.').len();
            sentence.truncate(end);
            sentence.push_str(&format!(" [{}].", self.tests.len() + 1));
        }
        let whole = if self.summary.is_empty() { sentence } else { format!("{} {sentence}", self.summary) };
        let most = self.tests.len() + usize::from(rests_on.is_some());
        let known = !unknown(&whole, &self.subject.shown) && markers(&whole).iter().all(|n| (1..=most).contains(n));
        let fits = whole.split_whitespace().collect::<Vec<_>>().join(" ").chars().count() <= SECTION_CHARS;
        if known && fits {
            self.summary = whole;
            self.tests.extend(rests_on);
        }
        known && fits
    }
}

/// Tests among the part's own lines.
fn own_tests(told: &mut Told<'_>) {
    let subject = told.subject;
    let tests = subject.declared.iter().filter(|declared| declared.test);
    let mut left = 0;
    for declared in tests.clone() {
        let Some(signature) = &declared.head else { continue };
        let place = &signature.place;
        let name = format!("`{}`", crate::text::clean(&declared.entity.name));
        let path = place.path.shown();
        let line = line_of(subject, &place.path, place.line);
        let sentence = format!("The part itself holds the test {name}, in `{path}`.");
        if told.tests.len() >= CITATIONS - 1 || line.is_none() || !told.say(&sentence, line) {
            left += 1;
        }
    }
    if left > 0 {
        told.say(&format!("It holds {left} more {}.", if left == 1 { "test" } else { "tests" }), None);
    }
    let gone = tests.filter(|declared| declared.head.is_none()).count();
    if gone > 0 {
        told.say(&format!("It removes {gone} {}.", if gone == 1 { "test" } else { "tests" }), None);
    }
}

/// Tests elsewhere that name what the part declares; whether there is one.
fn naming_tests(told: &mut Told<'_>) -> bool {
    let subject = told.subject;
    let mut files: Vec<(RepoPath, BTreeSet<String>)> = Vec::new();
    let mut more = 0;
    for named in &subject.facts.named {
        more = more.max(named.more_tests as usize);
        for path in &named.tests {
            match files.iter_mut().find(|(known, _)| known == path) {
                Some((_, names)) => drop(names.insert(named.name.clone())),
                None => files.push((path.clone(), BTreeSet::from([named.name.clone()]))),
            }
        }
    }
    // The file that names most of it first; of equals, the first by path.
    files.sort_by(|(one, a), (two, b)| b.len().cmp(&a.len()).then_with(|| one.cmp(two)));
    let mut left = more;
    for (at, (path, names)) in files.iter().enumerate() {
        let names_told: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let sentence = format!("`{}` names {}.", path.shown(), few(&names_told));
        let line = strongest(subject, path, names);
        if at >= FILES || line.is_none() || !told.say(&sentence, line) {
            left += 1;
        }
    }
    if left > 0 {
        told.say(&format!("{left} more test {} it.", if left == 1 { "file names" } else { "files name" }), None);
    }
    !files.is_empty()
}

/// The line of a test file that says most: one that calls, before one that names, before one that imports.
fn strongest(subject: &Subject, path: &RepoPath, names: &BTreeSet<String>) -> Option<HeadLine> {
    let text = head::text(subject, path).ok()?;
    let weight = |(number, name): &(u32, String)| {
        let line = text.line(*number).map(|line| clean_bytes(line).into_string()).unwrap_or_default();
        let trimmed = line.trim_start();
        let imports = ["import ", "from ", "use ", "using ", "#include", "package ", "export "]
            .iter()
            .any(|word| trimmed.starts_with(word))
            || trimmed.contains("require(");
        let comment = crate::ask::code::is_comment(trimmed);
        let calls = line.contains(&format!("{name}("));
        (u8::from(imports || comment) * 2 + u8::from(!calls), *number)
    };
    let best = lines_naming(&text, names).into_iter().min_by_key(weight)?;
    line(&text, path, best.0)
}

fn line_of(subject: &Subject, path: &RepoPath, number: u32) -> Option<HeadLine> {
    line(&head::text(subject, path).ok()?, path, number)
}

fn line(text: &Text, path: &RepoPath, number: u32) -> Option<HeadLine> {
    let shown = clean_bytes(text.line(number)?);
    let quote = shown_line(&shown).trim().to_owned();
    (!quote.is_empty()).then(|| HeadLine { file: path.shown().into_string(), line: number, quote })
}

fn where_it_looked(told: &mut Told<'_>) {
    let facts = &told.subject.facts;
    let lines = "in the part's own lines, and in the description";
    if let Some(why) = &facts.not_counted {
        let why = crate::text::clean(why.trim_end_matches('.'));
        told.say(&format!("Test files were not searched ({why}); looked only {lines}."), None);
        return;
    }
    if facts.named.is_empty() {
        told.say(&format!("It declares nothing whose name could be looked for in tests; looked {lines}."), None);
        return;
    }
    let names: Vec<String> = facts.named.iter().map(|named| format!("`{}`", named.name)).collect();
    let names = few(&names);
    let looked = |what: &str| format!("Looked for {what} by name in the test files of the head, {lines}.");
    if !told.say(&looked(&names), None) {
        told.say(&looked("what it declares"), None);
    }
    if facts.unsearched > 0 {
        let files = crate::ask::facts::files(facts.unsearched as usize, "");
        told.say(&format!("{files} of the head could not be searched."), None);
    }
}

/// The first few, then how many more.
fn few(names: &[String]) -> String {
    let mut listed: Vec<String> = names.iter().take(LISTED).cloned().collect();
    let rest = names.len().saturating_sub(LISTED);
    listed.extend((rest > 0).then(|| format!("{rest} more")));
    join(&listed)
}
