//! Agents: which are there, which version, whether they can be used and how they are signed in.

use super::Report;
use crate::agent::adapters::{self, scripted};
use crate::agent::{Choice, Probe};
use crate::config::Settings;

/// Writes a row for each agent.
pub async fn write(report: &mut Report, settings: &Settings) {
    let chosen = &settings.asks;
    for kind in adapters::table() {
        let is_chosen = kind.name == chosen.agent;
        let named = |name: &String| Some(name.clone()).filter(|name| is_chosen && !name.is_empty());
        let choice = Choice {
            agent: kind.name.to_owned(),
            model: named(&chosen.model),
            effort: named(&chosen.effort),
            account: named(&chosen.account),
        };
        let state = match adapters::make(&choice, settings) {
            Err(problem) => format!("not usable: {problem}"),
            Ok(agent) => match agent.probe().await {
                Probe::Usable(version) => format!("usable, version {version}{}", login(agent.login().await)),
                Probe::NotSignedIn(why) => format!("not signed in: {why}"),
                Probe::Unusable(why) => format!("not usable: {why}"),
            },
        };
        let mark = if is_chosen { "; answers asks" } else { "" };
        report.row("agent", &format!("{} ({}){mark}: {state}", kind.name, kind.words));
    }
    if chosen.agent == scripted::NAME {
        report.row(
            "agent",
            &format!("scripted answers asks from `{}`: for tests and evaluation only", chosen.transcript),
        );
    }
}

fn login(login: Option<String>) -> String {
    login.map(|login| format!(", {login}")).unwrap_or_default()
}
