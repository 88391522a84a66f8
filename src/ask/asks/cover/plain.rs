//! The built-in answer: which tests name what the part declares, and what the description says was done by hand.
//!
//! By name alone: that a test names something does not show that it runs what the part changes, and it says so.

use std::collections::BTreeSet;

use super::{CITATIONS, Coverage, SECTION_CHARS};
use crate::ask::Subject;
use crate::ask::check::described::{MOST, says};
use crate::ask::check::names::unknown;
use crate::ask::check::{folded, markers};
use crate::ask::cited::HeadLine;
use crate::ask::code::{code_only, identifiers, is_comment};
use crate::ask::facts::join;
use crate::ask::{head, manual};
use crate::change::syntax::language_of;
use crate::change::{RepoPath, Text};
use crate::index::lines_naming;
use crate::text::{clean, clean_bytes, shown_line};

/// Names that a sentence lists.
const LISTED: usize = 3;

/// Test files that are told of each by name.
const FILES: usize = 4;

/// Tests of its own that are told of by name.
const OWN: usize = 3;

/// Composes the answer.
pub fn answer(subject: &Subject) -> Coverage {
    let mut manual = manual::checks(&subject.reading.change.facts.description);
    manual.retain(|quote| says(subject, quote));
    manual.truncate(MOST);
    let mut told = Told { subject, summary: String::new(), tests: Vec::new() };
    own_tests(&mut told);
    let naming = naming_tests(&mut told);
    if told.tests.is_empty() {
        let and = if manual.is_empty() { ", and the description reports no manual check" } else { "" };
        told.say(&format!("No test was found by name{and}."), Vec::new());
    } else if naming {
        told.say("That a test names something does not show that it runs what changed here.", Vec::new());
    }
    if !manual.is_empty() {
        told.say("The manual checks are of the whole change: whether they reached this part is not said.", Vec::new());
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
    /// Adds a sentence, and the lines it rests on, where it fits and names only what is shown. For each of the lines it
    /// holds a mark, which becomes its number.
    fn say(&mut self, sentence: &str, rests_on: Vec<HeadLine>) -> bool {
        let mut words = sentence.to_owned();
        for number in 1..=rests_on.len() {
            words = words.replacen(HERE, &format!("[{}]", self.tests.len() + number), 1);
        }
        let whole = if self.summary.is_empty() { words } else { format!("{} {words}", self.summary) };
        let most = self.tests.len() + rests_on.len();
        let known = !unknown(&whole, &self.subject.shown) && markers(&whole).iter().all(|n| (1..=most).contains(n));
        let fits = most <= CITATIONS && folded(&whole).chars().count() <= SECTION_CHARS;
        if known && fits {
            self.summary = whole;
            self.tests.extend(rests_on);
        }
        known && fits
    }
}

/// Where the number of a line goes: no text that is shown has this character.
const HERE: &str = "\u{0}";

/// Tests among the part's own lines.
fn own_tests(told: &mut Told<'_>) {
    let subject = told.subject;
    let tests = subject.declared.iter().filter(|declared| declared.test);
    let (mut named, mut lines, mut count) = (Vec::new(), Vec::new(), 0);
    for signature in tests.clone().filter_map(|declared| Some((declared, declared.head.as_ref()?))) {
        let (declared, place) = (signature.0, &signature.1.place);
        count += 1;
        if let Some(line) = line_of(subject, &place.path, place.line).filter(|_| named.len() < OWN) {
            named.push(format!("`{}` {HERE}", clean(&declared.entity.name)));
            lines.push(line);
        }
    }
    let rest = count - named.len();
    let unit = if count == 1 { "test" } else { "tests" };
    if count > 0 {
        named.extend((rest > 0 && rest < count).then(|| format!("{rest} more")));
        if named.is_empty() || !told.say(&format!("The part itself holds the {unit} {}.", join(&named)), lines) {
            told.say(&format!("The part itself holds {count} {unit}."), Vec::new());
        }
    }
    let gone = tests.filter(|declared| declared.head.is_none()).count();
    if gone > 0 {
        told.say(&format!("It removes {gone} {}.", if gone == 1 { "test" } else { "tests" }), Vec::new());
    }
}

/// A test file that names what the part declares.
struct Naming {
    path: RepoPath,
    names: BTreeSet<String>,
    /// How weak its strongest line is, and that line.
    line: Option<(u8, HeadLine)>,
}

/// Tests elsewhere that name what the part declares; whether there is one.
fn naming_tests(told: &mut Told<'_>) -> bool {
    let subject = told.subject;
    let mut files: Vec<Naming> = Vec::new();
    let mut left = 0;
    for named in &subject.facts.named {
        left = left.max(named.more_tests as usize);
        for path in &named.tests {
            match files.iter_mut().find(|known| known.path == *path) {
                Some(known) => drop(known.names.insert(named.name.clone())),
                None => {
                    files.push(Naming { path: path.clone(), names: BTreeSet::from([named.name.clone()]), line: None })
                }
            }
        }
    }
    for file in &mut files {
        file.line = strongest(subject, &file.path, &file.names);
    }
    // The file that names most of it, by its strongest line; of equals, the first by path.
    let weakness = |file: &Naming| file.line.as_ref().map_or(u8::MAX, |(weakness, _)| *weakness);
    files.sort_by_cached_key(|file| (weakness(file), std::cmp::Reverse(file.names.len()), file.path.clone()));
    let any = !files.is_empty();
    for (at, file) in files.into_iter().enumerate() {
        let names: Vec<String> = file.names.iter().map(|name| format!("`{name}`")).collect();
        let sentence = format!("`{}` names {} {HERE}.", file.path.shown(), few(&names));
        if !file.line.is_some_and(|(_, line)| at < FILES && told.say(&sentence, vec![line])) {
            left += 1;
        }
    }
    if left > 0 {
        let files = if left == 1 { "file names" } else { "files name" };
        told.say(&format!("{left} more test {files} it."), Vec::new());
    }
    any
}

/// The line of a test file that says most, with how weak it is: 0 where it calls, 1 where code names it, 2 where it
/// imports it or only a text or comment names it; 3 more where the file is in no language that is known.
fn strongest(subject: &Subject, path: &RepoPath, names: &BTreeSet<String>) -> Option<(u8, HeadLine)> {
    const IMPORTS: [&str; 7] = ["import ", "from ", "use ", "using ", "#include", "package ", "export "];
    let text = head::text(subject, path).ok()?;
    let weakness = |(number, name): &(u32, String)| {
        let line = text.line(*number).map(|line| clean_bytes(line).into_string()).unwrap_or_default();
        let (trimmed, code) = (line.trim_start(), code_only(&line));
        let imports = IMPORTS.iter().any(|word| trimmed.starts_with(word)) || trimmed.contains("require(");
        let weakness = match identifiers(&code).any(|word| word == name) {
            true if imports || is_comment(trimmed) => 2,
            true => u8::from(!code.contains(&format!("{name}("))),
            false => 2,
        };
        (weakness, *number)
    };
    let found = lines_naming(&text, names);
    let (weakness, number) = found.iter().map(weakness).min()?;
    let unknown = if language_of(path).is_some() { 0 } else { 3 };
    Some((weakness + unknown, line(&text, path, number)?))
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
        let why = clean(why.trim_end_matches('.'));
        told.say(&format!("Test files were not searched ({why}); looked only {lines}."), Vec::new());
        return;
    }
    let declared = &told.subject.declared;
    if !declared.is_empty() && declared.iter().all(|declared| declared.test) {
        told.say(&format!("A test is run by its runner, not named: looked {lines}."), Vec::new());
        return;
    }
    if facts.named.is_empty() {
        told.say(&format!("It declares nothing whose name could be looked for in tests; looked {lines}."), Vec::new());
        return;
    }
    let names: Vec<String> = facts.named.iter().map(|named| format!("`{}`", named.name)).collect();
    let names = few(&names);
    let looked = |what: &str| format!("Looked for {what} by name in the test files of the head, {lines}.");
    if !told.say(&looked(&names), Vec::new()) {
        told.say(&looked("what it declares"), Vec::new());
    }
    if facts.unsearched > 0 {
        let files = crate::ask::facts::files(facts.unsearched as usize, "");
        told.say(&format!("{files} of the head could not be searched."), Vec::new());
    }
}

/// The first few, then how many more.
fn few(names: &[String]) -> String {
    let mut listed: Vec<String> = names.iter().take(LISTED).cloned().collect();
    let rest = names.len().saturating_sub(LISTED);
    listed.extend((rest > 0).then(|| format!("{rest} more")));
    join(&listed)
}
