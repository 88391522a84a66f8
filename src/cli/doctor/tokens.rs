//! GitHub hosts and the tokens found for them: where, with which scopes, never which.

use std::collections::BTreeSet;
use std::time::Duration;

use super::Report;
use crate::source::github::token::{self, Found};
use crate::source::github::{Client, Limits};

/// What asking a host for a token's scopes may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Writes a row for `gh` and one for each host: github.com, those that were looked at, and those asked for.
pub async fn write(report: &mut Report, asked: &[String], known: BTreeSet<String>, offline: bool) {
    let gh = tokio::task::spawn_blocking(token::gh_version).await.ok().flatten();
    report.row("gh", gh.as_deref().unwrap_or("not found; tokens then come from the environment"));
    let mut servers = vec!["https://github.com".to_owned()];
    let asked = asked.iter().map(|host| if host.contains("://") { host.clone() } else { format!("https://{host}") });
    for server in known.into_iter().chain(asked) {
        if !servers.contains(&server) {
            servers.push(server);
        }
    }
    for server in servers {
        host(report, &server, offline).await;
    }
}

async fn host(report: &mut Report, server: &str, offline: bool) {
    let client = match Client::new(server, None) {
        Ok(client) => client,
        Err(problem) => return report.row("token", &problem.to_string()),
    };
    let name = client.host().to_owned();
    let looked_for = name.clone();
    let Ok(found) = tokio::task::spawn_blocking(move || token::find(&looked_for)).await else { return };
    let words = if found.token.is_none() {
        "none found; public repositories work without one".to_owned()
    } else {
        format!("found by {}; {}", found.source, scopes(server, &found, offline).await)
    };
    report.row("token", &format!("for {name}: {words}"));
    found.refused.iter().for_each(|sentence| report.row("", sentence));
}

async fn scopes(server: &str, found: &Found, offline: bool) -> String {
    if offline {
        return "its scopes are not known offline".to_owned();
    }
    let limits = Limits { connect: PATIENCE, whole: PATIENCE, ..Limits::default() };
    let client = Client::with_limits(server, found.token.clone(), limits);
    match async { client?.scopes().await }.await {
        Ok(Some(scopes)) if scopes.trim().is_empty() => "it has no scopes".to_owned(),
        Ok(Some(scopes)) => format!("scopes: {scopes}"),
        Ok(None) => "it is of a kind that has no scopes".to_owned(),
        Err(problem) => format!("its scopes are not known: {}", problem.what()),
    }
}
