//! What is stored where, and what is sent to whom.

use super::Report;
use crate::config::{Folders, Settings};

/// Writes it.
pub fn write(report: &mut Report, folders: &Folders, settings: Option<&Settings>) {
    let rows: [(&str, String); 14] = [
        ("STORED", "on this machine alone, readable by you alone".to_owned()),
        ("data", format!("{}: state.db with marks, drafts, answers with their stamps, last looks, and GitHub's answers with their ETags", folders.data.display())),
        ("cache", format!("{}: git objects of the changes you opened, and snapshots of built reviews; deleting it loses no mark, draft or answer", folders.cache.display())),
        ("settings", format!("{}: written by you, never by the program", folders.config.display())),
        ("never", "tokens, keys and logins: they are read when needed and kept nowhere".to_owned()),
        ("SENT", "to nobody but these".to_owned()),
        ("GitHub host", "of the address you open: requests for the pull request's facts, and a fetch of its base and head; with that host's token, if there is one. Asks send it nothing".to_owned()),
        ("plain", "nothing: it runs inside the program".to_owned()),
        ("programs", "claude-code, pi, codex: an ask gives the program the ask's brief (title, description, the part's lines, names of other parts, counted facts, your question or selection, the thread) and whatever lines of both trees it reads through the program's tools. It sends them to its own provider under its own login".to_owned()),
        ("", "it gets an empty folder, no GitHub token, and its own tools are off; codex adds your own AGENTS.md".to_owned()),
        ("api", format!("the same, to the model API of your settings{}", base_url(settings))),
        ("key_command", "run as you wrote it, only when an ask goes to `api`".to_owned()),
        ("links", "in descriptions and comments are never opened, pictures never loaded".to_owned()),
        ("usage", "nothing is counted or reported anywhere".to_owned()),
    ];
    rows.iter().for_each(|(name, value)| report.row(name, value));
}

fn base_url(settings: Option<&Settings>) -> String {
    match settings.map(|settings| settings.agents.api.base_url.as_str()) {
        None | Some("") => String::new(),
        Some(url) => format!(" ({url})"),
    }
}
