//! `show_diff`: how the change changes one file, line by line, as the brief shows lines.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::arguments::{self, number, peek};
use super::page::shown_path;
use super::paths::{self, Named};
use super::sides::not_here;
use super::{Page, Refusal, Sides, Tool, sides};
use crate::change::diff::{DiffLine, LineKind};
use crate::change::{Reading, RepoPath, Side, Texts};
use crate::text::{clean, clean_bytes};

/// Changed files that are named where a folder was asked for, or a file that did not change.
const NAMED: usize = 40;

/// The tool.
pub struct ShowDiff;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The changed file, by its path at the head or at the base.
    path: String,
    /// The row to begin with, counted from 1 over all rows of the file's diff; null for the first.
    #[serde(default, deserialize_with = "number")]
    #[schemars(with = "Option<u32>")]
    from_row: Option<u32>,
}

impl Tool for ShowDiff {
    fn name(&self) -> &'static str {
        "show_diff"
    }

    fn description(&self) -> &'static str {
        "Show how the change changes one file. Before each line stands its sign (+ added, - removed, a space for kept) \
         and its side with its number there. Long diffs are cut and say which from_row goes on; read_file shows more of \
         either side around them."
    }

    fn schema(&self) -> Value {
        arguments::schema::<Arguments>()
    }

    fn call(&self, sides: &Sides, arguments: &Value, page: &mut Page<'_>) -> Result<(), Refusal> {
        let Arguments { path, from_row } = arguments::read(arguments)?;
        let at = find(sides, &path)?;
        show(sides, at, from_row.unwrap_or(1).max(1) as usize, page)
    }

    fn doing(&self, arguments: &Value) -> String {
        format!("looks at the diff of {}", peek(arguments, "path").unwrap_or("a file"))
    }
}

/// The changed file that a path names at the head or, where none does there, at the base.
fn find(sides: &Sides, path: &str) -> Result<usize, Refusal> {
    let reading = sides.reading();
    let on = |side, path: &RepoPath| sides::changed(reading, side, path);
    let exact = RepoPath::from(path);
    if let Some(at) = on(Side::Head, &exact).or_else(|| on(Side::Base, &exact)) {
        return Ok(at);
    }
    let mut refused = None;
    for side in [Side::Head, Side::Base] {
        match paths::find(sides, Some(side), path) {
            Ok((side, Named::Entry(entry))) => match on(side, &entry.path) {
                Some(at) => return Ok(at),
                None => refused = refused.or_else(|| Some(unchanged(reading))),
            },
            Ok((side, Named::Folder(folder))) => refused = refused.or_else(|| Some(in_folder(reading, side, &folder))),
            Err(refusal) => refused = refused.or(Some(refusal)),
        }
    }
    Err(refused.unwrap_or_else(|| unchanged(reading)))
}

fn unchanged(reading: &Reading) -> Refusal {
    let names = reading.change.files.iter().take(NAMED).map(|file| shown_path(&file.path)).collect();
    let words =
        format!("The change does not touch that file: `read_file` shows it. {}", these(reading.change.files.len()));
    Refusal { words, names }
}

fn in_folder(reading: &Reading, side: Side, folder: &RepoPath) -> Refusal {
    let prefix = if folder.as_bytes().is_empty() { Vec::new() } else { [folder.as_bytes(), b"/"].concat() };
    let below = reading.change.files.iter().map(|file| file.path_on(side));
    let below: Vec<String> = below.filter(|path| path.as_bytes().starts_with(&prefix)).map(shown_path).collect();
    let words = match below.len() {
        0 => "That is a folder in which the change touches no file.".to_owned(),
        many => format!("That is a folder: ask for one of its files. {}", these(many)),
    };
    Refusal { words, names: below.into_iter().take(NAMED).collect() }
}

fn these(many: usize) -> String {
    match many {
        0..=NAMED => "The changed files are:".to_owned(),
        _ => format!("The first {NAMED} of {many} changed files are:"),
    }
}

fn show(sides: &Sides, at: usize, from: usize, page: &mut Page<'_>) -> Result<(), Refusal> {
    let reading = sides.reading();
    let diff = &reading.files[at].diff;
    page.row(&format!("file {}", what_happened(reading, at)));
    if let Some(why) = &diff.not_read {
        page.row(&format!("not read: {}", clean(why)));
    }
    let file = &reading.change.files[at];
    if let Some(moved) = sides::changed(reading, Side::Base, &file.path).filter(|moved| *moved != at) {
        let moved = shown_path(&reading.change.files[moved].path);
        page.row(&format!("another file had this path at the base; its diff is that of {moved}"));
    }
    if diff.hunks.is_empty() {
        page.say("No line of it differs.");
        return Ok(());
    }
    let texts = reading.texts(at).map_err(|missing| not_here(&missing))?;
    let rows: usize = diff.hunks.iter().map(|hunk| hunk.len() as usize).sum();
    if from > rows {
        return Err(Refusal::new(format!("The diff of that file has {rows} rows: there is no row {from}.")));
    }
    let mut row = 0;
    'hunks: for (number, hunk) in diff.hunks.iter().enumerate() {
        let mut heading = Some(format!("hunk {} of {}: {}", number + 1, diff.hunks.len(), hunk.header()));
        for line in hunk.lines() {
            row += 1;
            if row < from {
                continue;
            }
            let opened = heading.take();
            if opened.as_ref().is_some_and(|heading| !page.row(heading)) || !show_line(reading, at, &texts, line, page)
            {
                opened.inspect(|heading| page.take_back(heading));
                page.say(&format!("The result is full. Go on with from_row {row}; the diff has {rows} rows."));
                break 'hunks;
            }
        }
    }
    Ok(())
}

/// Shows a line as the brief does; a kept line is delivered at both sides.
fn show_line(reading: &Reading, at: usize, texts: &Texts, line: DiffLine, page: &mut Page<'_>) -> bool {
    let DiffLine { kind, base_line, head_line } = line;
    let (file, sign) = (&reading.change.files[at], kind.sign());
    let number = match kind {
        LineKind::Deletion => format!("base {base_line}"),
        LineKind::Addition => format!("head {head_line}"),
        LineKind::Context => format!("base {base_line} head {head_line}"),
    };
    let stands = [(Side::Base, base_line), (Side::Head, head_line)];
    let places: Vec<(Side, &RepoPath, u32)> =
        stands.into_iter().filter(|(_, line)| *line > 0).map(|(side, line)| (side, file.path_on(side), line)).collect();
    page.line(&format!("{sign} {number}"), &clean_bytes(texts.line(kind, base_line, head_line)), &places)
}

/// The file's path, what happened to it, and what of it no line shows.
fn what_happened(reading: &Reading, at: usize) -> String {
    let (file, diff) = (&reading.change.files[at], &reading.files[at].diff);
    let mut words = shown_path(&file.path);
    if let Some(previous) = &file.previous_path {
        words.push_str(&format!(" (at the base: {})", shown_path(previous)));
    }
    words.push_str(&format!(": {}", file.kind.word()));
    if diff.binary {
        let size =
            |side| file.on(side).and_then(|version| version.size).map_or("none".to_owned(), |n| format!("{n} bytes"));
        words.push_str(&format!("; binary, {} at the base, {} at the head", size(Side::Base), size(Side::Head)));
    }
    if let (Some(base), Some(head)) = (file.base, file.head)
        && base.mode != head.mode
    {
        words.push_str(&format!("; mode {} at the base, {} at the head", base.mode, head.mode));
    }
    for (side, lacks) in [(Side::Base, diff.base_lacks_newline), (Side::Head, diff.head_lacks_newline)] {
        if lacks {
            words.push_str(&format!("; no line feed at its end at the {}", side.word()));
        }
    }
    words
}
