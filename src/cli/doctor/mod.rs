//! `second-look doctor`: what is installed and usable, where things are kept, which tokens were found and what is sent to
//! whom. It never prints a secret and never spends a token of a model.

mod agents;
mod privacy;
mod tokens;

use clap::Args;

use super::{Failure, Shared, cache, print};
use crate::config::{DEFAULTS, Folders};
use crate::problem::Problem;
use crate::source::git;
use crate::text::clean_prose;
use crate::tui;

/// Arguments of `doctor`.
#[derive(Args)]
#[command(after_help = "Examples:\n  second-look doctor\n  second-look doctor --host ghe.example.com\n  \
    second-look doctor --privacy\n  second-look doctor --settings > config.toml")]
pub struct Arguments {
    /// Look for the token of this host too
    #[arg(long, value_name = "HOST")]
    host: Vec<String>,
    /// Say what is stored where and what is sent to whom
    #[arg(long)]
    privacy: bool,
    /// Print every setting there is, with its default, as a settings file
    #[arg(long, conflicts_with = "privacy")]
    settings: bool,
}

/// The report while it is written: a name and a value a row.
#[derive(Default)]
pub(super) struct Report(String);

impl Report {
    fn row(&mut self, name: &str, value: &str) {
        self.0.push_str(&format!("{name:<12} {value}\n"));
    }
}

impl Arguments {
    pub(super) async fn run(self, shared: &Shared) -> Result<(), Failure> {
        if self.settings {
            return Ok(print::out(DEFAULTS)?);
        }
        let folders = shared.folders()?;
        let mut report = Report::default();
        if self.privacy {
            privacy::write(&mut report, &folders, shared.settings(&folders).ok().as_ref());
        } else {
            self.diagnose(shared, &folders, &mut report).await;
        }
        Ok(print::out(clean_prose(&report.0).as_str())?)
    }

    async fn diagnose(&self, shared: &Shared, folders: &Folders, report: &mut Report) {
        report.row("second-look", env!("CARGO_PKG_VERSION"));
        report.row("terminal", &tui::surroundings());
        match git::version_in_words().await {
            Ok(version) => report.row("git", &version),
            Err(error) => report.row("git", &Problem::from(error).to_string()),
        }
        // A store or settings that cannot be used are said below; what needs neither is said all the same. Nothing is
        // made that is not there yet.
        let engine = folders.data.exists().then(|| shared.engine());
        let opened = engine.as_ref().and_then(|engine| engine.as_ref().ok());
        let known = opened.and_then(|engine| engine.servers().ok()).unwrap_or_default();
        tokens::write(report, &self.host, known, shared.offline).await;
        let file = shared.settings_file(folders);
        let state = if file.exists() { "" } else { " (not there: the defaults apply)" };
        report.row("settings", &format!("{}{state}", file.display()));
        match shared.settings(folders) {
            Ok(settings) => agents::write(report, &settings).await,
            Err(problem) => report.row("", &problem.to_string()),
        }
        folder_rows(folders).into_iter().for_each(|(name, value)| report.row(name, &value));
        match engine {
            None => {}
            Some(Ok(engine)) => report.row("", &cached(&engine)),
            Some(Err(problem)) => report.row("problem", &problem.to_string()),
        }
    }
}

/// How much the cache holds.
fn cached(engine: &crate::engine::Engine) -> String {
    let repositories = git::list(engine.cache_folder()).unwrap_or_default();
    let (bytes, snapshots) = (repositories.iter().map(|repository| repository.bytes).sum::<u64>(), engine.snapshots());
    let repositories = super::review::counted(repositories.len(), "repository").replace("repositorys", "repositories");
    let snapshots = (cache::size(snapshots.bytes), super::review::counted(snapshots.count, "snapshot"));
    format!(
        "{} in {repositories}, {} in {}; `second-look cache prune` frees what no last look needs",
        cache::size(bytes),
        snapshots.0,
        snapshots.1
    )
}

fn folder_rows(folders: &Folders) -> Vec<(&'static str, String)> {
    let state = |path: &std::path::Path| if path.exists() { "" } else { " (not made yet)" };
    vec![
        ("data", format!("{}{}: marks, answers, drafts, last looks", folders.data.display(), state(&folders.data))),
        ("cache", format!("{}{}: git objects, snapshots", folders.cache.display(), state(&folders.cache))),
    ]
}
