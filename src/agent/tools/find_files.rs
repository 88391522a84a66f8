//! `find_files`: the paths of a side that match a glob.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::arguments::{self, SideArgument, number, peek, peek_side};
use super::globs::Paths;
use super::{Page, Refusal, Sides, Tool, paths};
use crate::change::{Side, TreeEntry};

/// Paths that are shown without being asked for.
const LIMIT: u32 = 200;

/// The tool.
pub struct FindFiles;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A glob such as *.py (in every folder), src/**/*.rs or **/test_*; a pattern without a slash is matched with names.
    pattern: String,
    /// The tree: head (after the change) or base (before it); null for head.
    #[serde(default)]
    side: Option<SideArgument>,
    /// How many paths to show at most; null for 200.
    #[serde(default, deserialize_with = "number")]
    #[schemars(with = "Option<u32>")]
    limit: Option<u32>,
}

impl Tool for FindFiles {
    fn name(&self) -> &'static str {
        "find_files"
    }

    fn description(&self) -> &'static str {
        "Find files by a glob over the paths of one of the two trees, with their sizes. A star stops at slashes, two \
         stars do not. Narrow it by a longer pattern, such as one with a folder."
    }

    fn schema(&self) -> Value {
        arguments::schema::<Arguments>()
    }

    fn call(&self, sides: &Sides, arguments: &Value, page: &mut Page<'_>) -> Result<(), Refusal> {
        let Arguments { pattern, side, limit } = arguments::read(arguments)?;
        let side = side.map_or(Side::Head, Side::from);
        let matcher = Paths::new(&pattern)?;
        let found: Vec<&TreeEntry> =
            sides.entries(side)?.iter().filter(|entry| matcher.is_match(&entry.path)).collect();
        if found.is_empty() {
            page.lead(&nothing(sides, side, &matcher)?);
            return Ok(());
        }
        let limit = limit.unwrap_or(LIMIT).max(1) as usize;
        page.lead(&match found.len() {
            1 => format!("1 path at the {} matches.", side.word()),
            many => format!("{many} paths at the {} match.", side.word()),
        });
        let shown = found.iter().take(limit).take_while(|entry| page.row(&sides.row(side, entry))).count();
        let rest = found.len() - shown;
        if rest > 0 {
            let why = if page.is_full() { "the result is full" } else { "the limit is met" };
            page.say(&format!("{rest} of them not shown: {why}. Narrow the pattern, for instance by a folder."));
        }
        Ok(())
    }

    fn doing(&self, arguments: &Value) -> String {
        format!("finds files by {}{}", peek(arguments, "pattern").unwrap_or("a pattern"), peek_side(arguments))
    }
}

/// What is said where nothing matches.
fn nothing(sides: &Sides, side: Side, matcher: &Paths) -> Result<String, Refusal> {
    let other = paths::other(side);
    let there = sides.entries(other)?.iter().filter(|entry| matcher.is_match(&entry.path)).count();
    let here = side.word();
    Ok(match there {
        0 => format!(
            "No path at the {here} matches. A pattern is compared with the whole path, in the same case; begin it with \
             **/ to look in every folder."
        ),
        _ => format!("No path at the {here} matches; at the {} {there} do.", other.word()),
    })
}
