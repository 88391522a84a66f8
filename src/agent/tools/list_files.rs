//! `list_files`: what stands in a folder of a side.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::arguments::{self, SideArgument, number, peek, peek_side};
use super::page::shown_path;
use super::paths::{self, Named};
use super::{Page, Refusal, Sides, Tool, sides};
use crate::change::{RepoPath, Side, TreeEntry};

/// Levels of folders that are opened without being asked for.
const DEPTH: u32 = 1;
/// Rows that are shown without being asked for.
const LIMIT: u32 = 200;

/// The tool.
pub struct ListFiles;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The folder, from the root of the tree; null for the root.
    #[serde(default)]
    path: Option<String>,
    /// The tree: head (after the change) or base (before it); null for head.
    #[serde(default)]
    side: Option<SideArgument>,
    /// How many levels of folders to open, 1 for this folder alone; null for 1.
    #[serde(default, deserialize_with = "number")]
    #[schemars(with = "Option<u32>")]
    depth: Option<u32>,
    /// How many rows to show at most; null for 200.
    #[serde(default, deserialize_with = "number")]
    #[schemars(with = "Option<u32>")]
    limit: Option<u32>,
}

impl Tool for ListFiles {
    fn name(&self) -> &'static str {
        "list_files"
    }

    fn description(&self) -> &'static str {
        "List what stands in a folder of one of the two trees: files with their sizes, folders with how many files are \
         below them, links and submodules with where they point (they are never followed). Narrow it by a sub-folder, \
         a smaller depth or a limit."
    }

    fn schema(&self) -> Value {
        arguments::schema::<Arguments>()
    }

    fn call(&self, sides: &Sides, arguments: &Value, page: &mut Page<'_>) -> Result<(), Refusal> {
        let Arguments { path, side, depth, limit } = arguments::read(arguments)?;
        let (side, named) = paths::find(sides, side.map(Side::from), path.as_deref().unwrap_or_default())?;
        let folder = match named {
            Named::Folder(folder) => folder,
            Named::Entry(entry) => {
                let names = vec![sides.row(side, &entry)];
                return Err(Refusal { words: "That is no folder:".to_owned(), names });
            }
        };
        let entries = sides.entries(side)?;
        let entries = &entries[sides::below(entries, folder.as_bytes())];
        let rows = rows(entries, &folder, depth.unwrap_or(DEPTH).max(1) as usize);
        page.row(&heading(&folder, side, entries.len()));
        let limit = limit.unwrap_or(LIMIT).max(1) as usize;
        let mut shown = 0;
        for row in rows.iter().take(limit) {
            let text = match row {
                Row::Entry(entry) => sides.row(side, entry),
                Row::Folder(path, files) => format!("folder {}/ ({})", shown_path(path), count(*files, "file")),
            };
            if !page.row(&text) {
                break;
            }
            shown += 1;
        }
        match rows.len() - shown {
            0 => {}
            rest if page.is_full() => page.say(&format!(
                "{} not shown: the result is full. List a sub-folder, or use `find_files` with a pattern.",
                are(rest)
            )),
            rest => page.say(&format!(
                "{} not shown, by the limit of {limit}. Ask with a higher limit, or list a sub-folder.",
                are(rest)
            )),
        }
        Ok(())
    }

    fn doing(&self, arguments: &Value) -> String {
        let folder = peek(arguments, "path").filter(|path| !path.is_empty()).unwrap_or("the root");
        format!("lists {folder}{}", peek_side(arguments))
    }
}

fn heading(folder: &RepoPath, side: Side, files: usize) -> String {
    let name = if folder.as_bytes().is_empty() { "the root".to_owned() } else { format!("{}/", shown_path(folder)) };
    format!("{name} ({}), {} below it", side.word(), count(files, "file"))
}

fn count(many: usize, what: &str) -> String {
    if many == 1 { format!("1 {what}") } else { format!("{many} {what}s") }
}

fn are(rest: usize) -> String {
    if rest == 1 { "1 more row is".to_owned() } else { format!("{rest} more rows are") }
}

enum Row<'a> {
    Entry(&'a TreeEntry),
    Folder(RepoPath, usize),
}

/// The entries down to a depth; what lies deeper is counted under the folder that holds it.
fn rows<'a>(entries: &'a [TreeEntry], folder: &RepoPath, depth: usize) -> Vec<Row<'a>> {
    let start = if folder.as_bytes().is_empty() { 0 } else { folder.as_bytes().len() + 1 };
    let mut rows: Vec<Row<'a>> = Vec::new();
    for entry in entries {
        let path = entry.path.as_bytes();
        let mut slashes = path.iter().enumerate().skip(start).filter(|(_, byte)| **byte == b'/');
        let Some((end, _)) = slashes.nth(depth - 1) else {
            rows.push(Row::Entry(entry));
            continue;
        };
        match rows.last_mut() {
            Some(Row::Folder(open, files)) if open.as_bytes() == &path[..end] => *files += 1,
            _ => rows.push(Row::Folder(RepoPath::new(&path[..end]), 1)),
        }
    }
    rows
}
