//! `grep`: the lines of a side that hold a text or match a pattern.
//!
//! Files are searched in the order of their paths until the result is full or enough bytes were read, so that the same
//! call finds the same lines on every machine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::arguments::{self, SideArgument, number, peek, peek_side};
use super::globs::Paths;
use super::page::shown_path;
use super::paths::{self, Named};
use super::{Page, Refusal, Sides, Tool, sides};
use crate::change::{FileMode, Side, Text, TreeEntry};
use crate::text::{LINE_CHARS, clean, clean_bytes};

/// Bytes of the longest pattern, and of the largest program it may become.
const PATTERN_BYTES: usize = 1000;
const PROGRAM_BYTES: usize = 4 << 20;
/// Bytes of the largest file that is searched.
const FILE_BYTES: usize = 1 << 20;
/// Bytes that one call reads.
const READ_BYTES: usize = 256 << 20;
/// Matching lines of one file that are shown, so that no file takes all the room.
const FILE_MATCHES: usize = 60;
/// Lines around a match that can be asked for.
const CONTEXT: u32 = 10;
/// Files that are read at once.
const AT_ONCE: usize = 64;
/// The last resort where a pattern takes for ever; the result then says that it is incomplete.
const TIME: Duration = Duration::from_secs(20);

/// The tool.
pub struct Grep;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The text to look for, within one line; or a regular expression where regex is true.
    pattern: String,
    /// Whether the pattern is a regular expression (of Rust's regex crate); null for no.
    #[serde(default)]
    regex: Option<bool>,
    /// Whether upper and lower case are the same; null for no.
    #[serde(default)]
    ignore_case: Option<bool>,
    /// Where to look: a file, a folder, or a glob such as *.py or src/**/*.rs; null for everywhere.
    #[serde(default)]
    path: Option<String>,
    /// The tree: head (after the change) or base (before it); null for head.
    #[serde(default)]
    side: Option<SideArgument>,
    /// How many lines to show around each match, up to 10; null for none.
    #[serde(default, deserialize_with = "number")]
    #[schemars(with = "Option<u32>")]
    context: Option<u32>,
}

impl Tool for Grep {
    fn name(&self) -> &'static str {
        "grep"
    }

    fn description(&self) -> &'static str {
        "Search the files of one of the two trees for lines with a text, or matching a regular expression. Shows each \
         with its number, a > before those that match. Binary files, links, submodules and files over 1 MB are not \
         searched. Narrow it by a longer pattern, or by a path: a file, a folder or a glob."
    }

    fn schema(&self) -> Value {
        arguments::schema::<Arguments>()
    }

    fn call(&self, sides: &Sides, arguments: &Value, page: &mut Page<'_>) -> Result<(), Refusal> {
        let arguments: Arguments = arguments::read(arguments)?;
        let matcher = matcher(&arguments)?;
        let side = arguments.side.map(Side::from);
        let (side, entries) = places(sides, side, arguments.path.as_deref().unwrap_or_default())?;
        let context = arguments.context.unwrap_or(0).min(CONTEXT) as usize;
        let mut search =
            Search { sides, side, matcher, context, tally: Tally { files: entries.len(), ..Tally::default() } };
        search.run(&entries, page);
        search.tally.sum_up(side, page);
        Ok(())
    }

    fn doing(&self, arguments: &Value) -> String {
        let place = peek(arguments, "path").filter(|path| !path.is_empty());
        let place = place.map(|path| format!(" in {path}")).unwrap_or_default();
        format!("searches for `{}`{place}{}", peek(arguments, "pattern").unwrap_or_default(), peek_side(arguments))
    }
}

fn matcher(arguments: &Arguments) -> Result<RegexMatcher, Refusal> {
    let (pattern, regex) = (arguments.pattern.as_str(), arguments.regex.unwrap_or(false));
    if pattern.is_empty() || pattern.len() > PATTERN_BYTES {
        return Err(Refusal::new(format!("A pattern has between 1 and {PATTERN_BYTES} bytes.")));
    }
    if !regex && pattern.contains(['\n', '\r']) {
        return Err(Refusal::new("A pattern stands within one line: look for one line of it."));
    }
    let mut builder = RegexMatcherBuilder::new();
    builder.fixed_strings(!regex).case_insensitive(arguments.ignore_case.unwrap_or(false));
    // `^` and `$` stand at the ends of a line, and `$` before a CR as well.
    builder.multi_line(true).crlf(true).size_limit(PROGRAM_BYTES).dfa_size_limit(PROGRAM_BYTES);
    builder.build(pattern).map_err(|error| {
        let why = error.to_string();
        let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
        Refusal::new(format!("The pattern cannot be searched for: {}.", clean(why).as_str().trim_end_matches('.')))
    })
}

/// The files to search: those a path names, or a glob where it names nothing.
fn places<'a>(sides: &'a Sides, side: Option<Side>, path: &str) -> Result<(Side, Vec<&'a TreeEntry>), Refusal> {
    let found = paths::find(sides, side, path);
    let side = found.as_ref().map_or(side.unwrap_or(Side::Head), |(side, _)| *side);
    let entries = sides.entries(side)?;
    let entries: Vec<&TreeEntry> = match found {
        Ok((_, Named::Folder(folder))) => entries[sides::below(entries, folder.as_bytes())].iter().collect(),
        Ok((_, Named::Entry(entry))) if !is_searched(&entry) => {
            let names = vec![sides.row(side, &entry)];
            return Err(Refusal { words: "That is not searched, and not followed:".to_owned(), names });
        }
        Ok((_, Named::Entry(entry))) => sides::at(entries, entry.path.as_bytes()).into_iter().collect(),
        Err(_) if path.contains(['*', '?', '[', '{']) => {
            let paths = Paths::new(path)?;
            let entries: Vec<_> = entries.iter().filter(|entry| paths.is_match(&entry.path)).collect();
            if entries.is_empty() {
                return Err(Refusal::new(format!("No path at the {} matches that glob.", side.word())));
            }
            entries
        }
        Err(refusal) => return Err(refusal),
    };
    Ok((side, entries.into_iter().filter(|entry| is_searched(entry)).collect()))
}

fn is_searched(entry: &TreeEntry) -> bool {
    entry.mode.has_blob() && entry.mode != FileMode::SYMLINK
}

/// What came of one file.
enum Looked {
    NotReached,
    NotHere,
    TooLarge,
    Binary(usize),
    Text { bytes: Arc<[u8]>, hits: Hits },
}

/// A line to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hit {
    line: u32,
    matches: bool,
}

struct Search<'a> {
    sides: &'a Sides,
    side: Side,
    matcher: RegexMatcher,
    context: usize,
    tally: Tally,
}

/// What is said of a search.
#[derive(Default)]
struct Tally {
    files: usize,
    searched: usize,
    bytes: usize,
    matches: usize,
    matching_files: usize,
    left_in_files: usize,
    cut: usize,
    binary: usize,
    too_large: usize,
    not_here: usize,
    stopped: Option<String>,
}

impl Search<'_> {
    fn run(&mut self, entries: &[&TreeEntry], page: &mut Page<'_>) {
        let started = Instant::now();
        for chunk in entries.chunks(AT_ONCE) {
            let in_time = || started.elapsed() < TIME;
            let look = |entry: &&TreeEntry| if in_time() { self.look(entry) } else { Looked::NotReached };
            let looked: Vec<Looked> = chunk.par_iter().map(look).collect();
            for (entry, looked) in chunk.iter().zip(looked) {
                if let Err(why) = self.take(entry, looked, page) {
                    self.tally.stopped = Some(why);
                    return;
                }
            }
        }
    }

    fn look(&self, entry: &TreeEntry) -> Looked {
        // The size is known without the content, and a large file need not be read to be left out.
        if self.sides.size(self.side, entry).is_some_and(|size| size > FILE_BYTES as u64) {
            return Looked::TooLarge;
        }
        let Ok(bytes) = self.sides.trees().blob(entry.id) else { return Looked::NotHere };
        if bytes.len() > FILE_BYTES {
            return Looked::TooLarge;
        }
        if sides::is_binary(&bytes) {
            return Looked::Binary(bytes.len());
        }
        let mut hits = Hits::default();
        // The sink never fails, and neither does the search of a slice.
        let _ = searcher(self.context).search_slice(&self.matcher, &bytes, &mut hits);
        hits.end(self.context);
        Looked::Text { bytes, hits }
    }

    /// Takes over what came of a file, or says why the search ends with it.
    fn take(&mut self, entry: &TreeEntry, looked: Looked, page: &mut Page<'_>) -> Result<(), String> {
        let tally = &mut self.tally;
        match looked {
            Looked::NotReached => return Err(format!("The search took longer than {} seconds", TIME.as_secs())),
            Looked::NotHere => tally.not_here += 1,
            Looked::TooLarge => tally.too_large += 1,
            Looked::Binary(bytes) => {
                tally.binary += 1;
                tally.bytes += bytes;
            }
            Looked::Text { bytes, hits } => {
                tally.bytes += bytes.len();
                if hits.matching > 0 && !self.show(entry, &Text::new(bytes), &hits, page) {
                    return Err("The result is full".to_owned());
                }
            }
        }
        self.tally.searched += 1;
        match self.tally.bytes {
            bytes if bytes > READ_BYTES => Err(format!("{} MB were read", READ_BYTES >> 20)),
            _ => Ok(()),
        }
    }

    fn show(&mut self, entry: &TreeEntry, text: &Text, hits: &Hits, page: &mut Page<'_>) -> bool {
        let heading = format!("file {} ({})", shown_path(&entry.path), self.side.word());
        if !page.row(&heading) {
            return false;
        }
        let (mut shown, mut before) = (0, None);
        for hit in &hits.lines {
            let gap = before.is_some_and(|before| hit.line != before + 1) && self.context > 0;
            let line = clean_bytes(text.line(hit.line).unwrap_or_default());
            let sign = if hit.matches { '>' } else { ' ' };
            if (gap && !page.row("..."))
                || !page.line(&format!("{sign} {}", hit.line), &line, &[(self.side, &entry.path, hit.line)])
            {
                page.take_back("...");
                page.take_back(&heading);
                self.tally.matches += shown;
                self.tally.matching_files += usize::from(shown > 0);
                return false;
            }
            self.tally.cut += usize::from(hit.matches && line.as_str().chars().nth(LINE_CHARS).is_some());
            shown += usize::from(hit.matches);
            before = Some(hit.line);
        }
        self.tally.matches += shown;
        self.tally.matching_files += 1;
        if hits.matching > shown {
            self.tally.left_in_files += hits.matching - shown;
            page.row(&format!("{} more lines of this file match", hits.matching - shown));
        }
        true
    }
}

fn searcher(context: usize) -> Searcher {
    let mut builder = SearcherBuilder::new();
    builder.line_number(true).before_context(context).after_context(context).bom_sniffing(false);
    builder.line_terminator(grep_matcher::LineTerminator::crlf());
    builder.build()
}

/// The lines of one file to show: those that match, as many as one file may show, and those around them.
#[derive(Debug, Default)]
struct Hits {
    lines: Vec<Hit>,
    /// How many lines match, shown or not.
    matching: usize,
}

impl Hits {
    fn push(&mut self, line: Option<u64>, matches: bool) {
        self.matching += usize::from(matches);
        // Past the limit they are only counted, so that a file of nothing but matches takes no room.
        if let Some(line) = line.and_then(|line| u32::try_from(line).ok())
            && self.matching <= FILE_MATCHES
        {
            self.lines.push(Hit { line, matches });
        }
    }

    /// Takes out the lines around the first match that is not shown.
    fn end(&mut self, context: usize) {
        if let Some(last) = self.lines.iter().rev().find(|hit| hit.matches).map(|hit| hit.line) {
            self.lines.retain(|hit| hit.line as usize <= last as usize + context);
        }
    }
}

impl Sink for Hits {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        self.push(found.line_number(), true);
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> Result<bool, Self::Error> {
        self.push(found.line_number(), false);
        Ok(true)
    }
}

impl Tally {
    fn sum_up(&self, side: Side, page: &mut Page<'_>) {
        let side = side.word();
        let (files, lines) = (many(self.matching_files, "file"), many(self.matches, "line"));
        match self.matches {
            0 if self.stopped.is_none() => page.lead(&format!("No line at the {side} matches.")),
            _ => page.lead(&format!("{lines} of {files} at the {side}.")),
        }
        if self.left_in_files > 0 {
            page.say(&format!("At most {FILE_MATCHES} lines a file are shown: give a file as path to see more."));
        }
        if let Some(why) = &self.stopped {
            let (searched, files) = (self.searched, self.files);
            page.say(&format!(
                "{why}: {searched} of {files} files were searched through. Narrow the pattern, or give a folder or a \
                 glob as path."
            ));
        }
        if self.cut > 0 {
            page.say("Long lines are cut: what matches may stand in what is not shown of them.");
        }
        let skipped = [(self.binary, "binary"), (self.too_large, "over 1 MB"), (self.not_here, "not here")];
        let skipped: Vec<String> =
            skipped.iter().filter(|(count, _)| *count > 0).map(|(count, why)| format!("{count} {why}")).collect();
        if !skipped.is_empty() {
            page.say(&format!("Files not searched: {}.", skipped.join(", ")));
        }
    }
}

fn many(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
