//! `second-look doctor`: what is installed, where things are kept, where a token was found.

use clap::Args;

use super::{Failure, Shared, print};
use crate::config::{DEFAULTS, Folders};
use crate::problem::Problem;
use crate::source::git;
use crate::source::github::token;

/// Arguments of `doctor`.
#[derive(Args)]
#[command(after_help = "Examples:\n  second-look doctor\n  second-look doctor --host ghe.example.com\n  \
    second-look doctor --settings > config.toml")]
pub struct Arguments {
    /// Look for the token of this host instead of github.com
    #[arg(long, value_name = "HOST", default_value = "github.com")]
    host: String,
    /// Print every setting there is, with its default, as a settings file
    #[arg(long)]
    settings: bool,
}

impl Arguments {
    pub(super) async fn run(self, shared: &Shared) -> Result<(), Failure> {
        if self.settings {
            return Ok(print::out(DEFAULTS)?);
        }
        let folders = shared.folders()?;
        let mut out = String::new();
        let mut row = |name: &str, value: &str| out.push_str(&format!("{name:<12} {value}\n"));
        row("second-look", env!("CARGO_PKG_VERSION"));
        match git::version_in_words().await {
            Ok(version) => row("git", &version),
            Err(error) => row("git", &Problem::from(error).to_string()),
        }
        let host = self.host.clone();
        if let Ok(found) = tokio::task::spawn_blocking(move || token::find(&host)).await {
            let words = if found.token.is_some() {
                format!("found by {}", found.source)
            } else {
                "none found; public repositories work without one".into()
            };
            row("token", &format!("for {}: {words}", self.host));
            found.refused.iter().for_each(|sentence| row("", sentence));
        }
        let file = shared.settings_file(&folders);
        let state = if file.exists() { "" } else { " (not there: the defaults apply)" };
        row("settings", &format!("{}{state}", file.display()));
        if let Err(problem) = shared.settings(&folders) {
            row("", &problem.to_string());
        }
        row("agent", "plain: built in, no model, needs nothing");
        folder_rows(&folders).into_iter().for_each(|(name, value)| row(name, &value));
        Ok(print::out(crate::text::clean_prose(&out).as_str())?)
    }
}

fn folder_rows(folders: &Folders) -> Vec<(&'static str, String)> {
    let state = |path: &std::path::Path| if path.exists() { "" } else { " (not made yet)" };
    vec![
        ("data", format!("{}{}: marks, answers, last looks", folders.data.display(), state(&folders.data))),
        ("cache", format!("{}{}: git objects, snapshots", folders.cache.display(), state(&folders.cache))),
    ]
}
