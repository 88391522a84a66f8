//! `second-look cache`: what is cached, and getting rid of it. Marks and answers are never touched.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use clap::{Args, Subcommand};

use super::{Failure, Shared, print};
use crate::engine::Engine;
use crate::problem::Problem;
use crate::source::git::{self, RepositoryName};

/// Arguments of `cache`.
#[derive(Args)]
#[command(after_help = "Examples:\n  second-look cache list\n  second-look cache prune\n  \
    second-look cache remove github.com/OWNER/REPO")]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List the cached repositories with their sizes
    List,
    /// Delete the objects that the last look at no change needs
    Prune,
    /// Remove a cached repository, as `list` names it, or `all`
    Remove {
        /// Its name, such as github.com/OWNER/REPO
        #[arg(value_name = "NAME")]
        name: String,
    },
}

impl Arguments {
    pub(super) async fn run(self, shared: &Shared) -> Result<(), Failure> {
        let engine = shared.engine()?;
        match self.action {
            Action::List => Ok(print::out(&list(&engine)?)?),
            Action::Prune => Ok(print::out(&prune(&engine).await?)?),
            Action::Remove { name } => Ok(print::out(&remove(&engine, &name)?)?),
        }
    }
}

fn list(engine: &Engine) -> Result<String, Problem> {
    let repositories = git::list(engine.cache_folder())?;
    let mut out = String::new();
    for repository in &repositories {
        let _ = writeln!(out, "{:>10}  {}", size(repository.bytes), repository.name);
    }
    let snapshots = engine.snapshots();
    let _ = writeln!(
        out,
        "{:>10}  {} of built reviews",
        size(snapshots.bytes),
        super::review::counted(snapshots.count, "snapshot")
    );
    let _ = writeln!(out, "in {}", engine.cache_folder().display());
    Ok(out)
}

async fn prune(engine: &Engine) -> Result<String, Problem> {
    let keep: BTreeSet<_> = engine.needed()?;
    let pruned = git::prune(engine.cache_folder(), &keep).await?;
    let snapshots = engine.prune_snapshots()?;
    let mut out = format!("freed {}\n", size(pruned.bytes + snapshots.bytes));
    for name in pruned.busy {
        let _ = writeln!(out, "left alone, as it is in use: {name}");
    }
    Ok(out)
}

fn remove(engine: &Engine, name: &str) -> Result<String, Failure> {
    let known: Vec<RepositoryName> =
        git::list(engine.cache_folder()).map_err(Problem::from)?.into_iter().map(|r| r.name).collect();
    let wanted: Vec<&RepositoryName> =
        known.iter().filter(|known| name == "all" || known.to_string() == name).collect();
    if wanted.is_empty() && name != "all" {
        let problem = Problem::new(format!("nothing is cached under `{name}`"));
        return Err(Failure::Usage(problem.hint("`second-look cache list` lists the names")));
    }
    let mut out = String::new();
    for name in wanted {
        git::remove(engine.cache_folder(), name).map_err(Problem::from)?;
        let _ = writeln!(out, "removed {name}");
    }
    if name == "all" {
        engine.remove_snapshots()?;
        out.push_str("removed all snapshots\n");
    }
    Ok(out)
}

/// Bytes in words, such as `1.4 MB`.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut tenths = bytes / 100;
    let mut unit = 0;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1000;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_in_words() {
        assert_eq!(size(0), "0 B");
        assert_eq!(size(999), "999 B");
        assert_eq!(size(1400), "1.4 kB");
        assert_eq!(size(2_350_000), "2.3 MB");
        assert_eq!(size(81_000_000_000), "81.0 GB");
    }
}
