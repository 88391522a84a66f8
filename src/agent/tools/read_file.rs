//! `read_file`: lines of a file of a side, with their numbers.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::arguments::{self, SideArgument, number, peek, peek_side};
use super::page::shown_path;
use super::paths::{self, Named};
use super::{Page, Refusal, Sides, Tool, sides};
use crate::change::{FileMode, RepoPath, Side, TreeEntry};
use crate::text::clean_bytes;

/// The tool.
pub struct ReadFile;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The file, from the root of the tree.
    path: String,
    /// The tree: head (after the change) or base (before it); null for head.
    #[serde(default)]
    side: Option<SideArgument>,
    /// The first line, counted from 1; null for the first of the file.
    #[serde(default, deserialize_with = "number")]
    #[schemars(with = "Option<u32>")]
    from_line: Option<u32>,
    /// The last line; null for as many as fit.
    #[serde(default, deserialize_with = "number")]
    #[schemars(with = "Option<u32>")]
    to_line: Option<u32>,
}

impl Tool for ReadFile {
    fn name(&self) -> &'static str {
        "read_file"
    }

    fn description(&self) -> &'static str {
        "Read lines of a file of one of the two trees, each with its number. Shows as many as fit, some 200 to 400, and \
         says where to go on. Narrow it by from_line and to_line."
    }

    fn schema(&self) -> Value {
        arguments::schema::<Arguments>()
    }

    fn call(&self, sides: &Sides, arguments: &Value, page: &mut Page<'_>) -> Result<(), Refusal> {
        let Arguments { path, side, from_line, to_line } = arguments::read(arguments)?;
        let (side, entry) = match paths::find(sides, side.map(Side::from), &path)? {
            (side, Named::Entry(entry)) => (side, entry),
            (side, Named::Folder(folder)) => return Err(is_folder(sides, side, &folder)?),
        };
        if !entry.mode.has_blob() || entry.mode == FileMode::SYMLINK {
            page.lead("That is no file, and it is not followed:");
            page.row(&sides.row(side, &entry));
            return Ok(());
        }
        show(sides, side, &entry, (from_line.unwrap_or(1).max(1), to_line), page)
    }

    fn doing(&self, arguments: &Value) -> String {
        let from = match number(&arguments["from_line"]) {
            Ok(Some(line)) if line > 1 => format!(" from line {line}"),
            _ => String::new(),
        };
        format!("reads {}{}{from}", peek(arguments, "path").unwrap_or("a file"), peek_side(arguments))
    }
}

fn is_folder(sides: &Sides, side: Side, folder: &RepoPath) -> Result<Refusal, Refusal> {
    let files = sides::below(sides.entries(side)?, folder.as_bytes()).len();
    Ok(Refusal::new(format!("That is a folder with {files} files below it: list it with `list_files`.")))
}

fn show(
    sides: &Sides,
    side: Side,
    entry: &TreeEntry,
    (from, to): (u32, Option<u32>),
    page: &mut Page<'_>,
) -> Result<(), Refusal> {
    let text = sides.text(entry.id)?;
    let (lines, bytes) = (text.lines(), text.bytes().len());
    let name = format!("{} {} ({})", entry.mode.word(), shown_path(&entry.path), side.word());
    if sides::is_binary(text.bytes()) {
        page.row(&format!("{name}, binary, {bytes} bytes"));
        page.say("Binary content is not shown.");
        return Ok(());
    }
    if lines == 0 {
        page.row(&format!("{name}, empty"));
        return Ok(());
    }
    if from > lines {
        return Err(Refusal::new(format!("The file has {lines} lines: there is no line {from}.")));
    }
    let to = to.unwrap_or(lines).min(lines);
    if to < from {
        return Err(Refusal::new("to_line is before from_line."));
    }
    page.row(&format!("{name}, {lines} lines"));
    let show = |number: &u32| {
        let line = clean_bytes(text.line(*number).unwrap_or_default());
        page.line(&number.to_string(), &line, &[(side, &entry.path, *number)])
    };
    let next = from + (from..=to).take_while(show).count() as u32;
    if next <= to {
        page.say(&format!("The result is full. Go on with from_line {next}; the file has {lines} lines."));
    } else if next <= lines {
        page.say(&format!("Line {next} is the next; the file has {lines} lines."));
    }
    Ok(())
}
