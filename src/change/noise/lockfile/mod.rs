//! Proves that a lockfile follows its manifests, by parsing alone: no process is started, nothing is fetched.
//!
//! One format a file; a row of [`FORMATS`] reads a lockfile and the manifests that explain it. `explain` compares.

mod cargo;
mod explain;
mod folder;
mod npm;
mod nuget;
mod poetry;
mod python;
mod uv;

use std::collections::{BTreeMap, BTreeSet};

use self::explain::{SideOfLock, Unexplained, unexplained};
use self::folder::Folder;
use super::lockfile_name;
use super::{Noise, NoiseLabel, NoiseState};
use crate::change::{Change, ChangedFile, Side, Text, Texts};
use crate::text::clean;

/// Bytes of a lockfile that are parsed at most.
const MOST_BYTES: usize = 20_000_000;

/// The rule of a lockfile whose every changed entry follows from a changed manifest.
pub const FOLLOWS: &str = "lockfile-follows-manifest";

/// The rule of a lockfile with changed entries that no changed manifest explains.
pub const UNEXPLAINED: &str = "lockfile-unexplained";

/// How one kind of lockfile and its manifests are read.
trait Format: Sync {
    /// The exact name of the lockfile.
    fn file_name(&self) -> &'static str;

    /// Reads one side of the lockfile. The error says in one clause why it cannot be read.
    fn lock(&self, text: &str) -> Result<Lock, String>;

    /// Reads the manifests that explain it, by the key under which the lockfile records them.
    fn projects(&self, folder: &Folder<'_>) -> Result<BTreeMap<String, Project>, String>;
}

const FORMATS: [&dyn Format; 5] = [&npm::Npm, &cargo::Cargo, &uv::Uv, &poetry::Poetry, &nuget::Nuget];

/// One side of a lockfile. Names are normalised as their registry compares them.
#[derive(Default)]
struct Lock {
    /// What is locked, by name.
    entries: BTreeMap<String, BTreeSet<Entry>>,
    /// Which names each name pulls in.
    edges: BTreeMap<String, BTreeSet<String>>,
    /// What the lockfile records of the repository's own projects.
    own: BTreeMap<String, Own>,
    /// Everything else it holds.
    rest: String,
}

/// One locked package.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    version: String,
    /// The whole entry as text, so that an edited hash is a change too.
    content: String,
    /// Where it comes from, without what changes from version to version; none where the entry does not say.
    source: Option<String>,
    /// Whether it has a hash.
    hashed: bool,
}

/// A record of one of the repository's own projects.
#[derive(PartialEq, Eq)]
struct Own {
    content: String,
    dependencies: BTreeSet<String>,
}

/// A manifest.
#[derive(Default)]
struct Project {
    text: String,
    /// What is asked for, by section and normalised name.
    specs: BTreeMap<(String, String), String>,
}

impl Lock {
    fn add(&mut self, name: &str, entry: Entry, pulls_in: impl IntoIterator<Item = String>) {
        self.entries.entry(name.to_owned()).or_default().insert(entry);
        self.edges.entry(name.to_owned()).or_default().extend(pulls_in);
    }
}

/// What can be proved of a changed lockfile, in place of what its name claims: call it where the noise of the file
/// [`Noise::may_be_proved`]. It reads manifests through the trees of the change.
///
/// None where there is no check for its format. Otherwise confirmed under [`FOLLOWS`], claimed under [`UNEXPLAINED`]
/// with the entries named, or claimed by name with the reason why no check was possible.
pub fn prove_lockfile(change: &Change, file: &ChangedFile, texts: &Texts) -> Option<Noise> {
    let format = FORMATS.into_iter().find(|format| format.file_name().as_bytes() == file.path.name())?;
    let noise = |state, rule, blind_spot: String| Noise { label: NoiseLabel::Lockfile, state, rule, blind_spot };
    Some(match judge(format, change, file, texts) {
        Ok(problems) if problems.is_empty() => noise(
            NoiseState::Confirmed,
            FOLLOWS,
            "The resolver was not run again and no hash was compared with a registry; within what the changed \
             dependencies pull in, a change that does not belong there cannot be told apart."
                .to_owned(),
        ),
        Ok(problems) => noise(
            NoiseState::Claimed,
            UNEXPLAINED,
            format!("No change of a manifest explains {}; the resolver was not run again.", list(&problems)),
        ),
        Err(why) => noise(
            NoiseState::Claimed,
            lockfile_name::NAME,
            format!("Only the name says so; it could not be checked, because {}.", clean(&why)),
        ),
    })
}

fn judge(format: &dyn Format, change: &Change, file: &ChangedFile, texts: &Texts) -> Result<Vec<Unexplained>, String> {
    let (Some(base), Some(head)) = (&texts.base, &texts.head) else {
        return Err("it is new or gone, so that there is nothing to compare it with".to_owned());
    };
    let read = |side: Side, text: &Text| -> Result<SideOfLock, String> {
        let about = |why: String| format!("at the {} {why}", side.word());
        let lock = format.lock(utf8(text)?).map_err(about)?;
        let folder = Folder::of(&*change.trees, side, file.path_on(side));
        let projects = format.projects(&folder).map_err(about)?;
        Ok(SideOfLock { lock, projects })
    };
    Ok(unexplained(&read(Side::Base, base)?, &read(Side::Head, head)?))
}

fn utf8(text: &Text) -> Result<&str, String> {
    if text.bytes().len() > MOST_BYTES {
        return Err(format!("it is larger than {MOST_BYTES} bytes"));
    }
    std::str::from_utf8(text.bytes()).map_err(|_| "it is no UTF-8".to_owned())
}

/// Up to five of them, cleaned, and how many more there are.
fn list(problems: &[Unexplained]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = problems.iter().take(SHOWN).map(|problem| clean(&problem.0).into_string()).collect();
    match problems.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} +{more} more", shown.join(", ")),
    }
}

/// A table of TOML; the error says in one clause that `what` cannot be parsed.
fn toml_table(text: &str, what: &str) -> Result<toml::Table, String> {
    text.parse::<toml::Table>().map_err(|_| format!("{what} cannot be parsed"))
}

/// What a URL keeps from version to version: a repository without its commit, or a registry's server.
fn source_of(url: &str) -> String {
    let bare = url.split(['#', '?']).next().unwrap_or(url);
    if bare.starts_with("git") || bare.starts_with("registry+") || bare.starts_with("sparse+") {
        return bare.to_owned();
    }
    match bare.split_once("://") {
        Some((scheme, rest)) => format!("{scheme}://{}", rest.split('/').next().unwrap_or(rest)),
        None => bare.split(':').next().unwrap_or(bare).to_owned(),
    }
}

#[cfg(test)]
mod tests;
