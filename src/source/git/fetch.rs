//! Fetching: exactly the commits asked for, at depth 1, each kept by its ref, and only what is not here yet.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::blocking;
use super::cache::{CacheRepository, oid, ref_of};
use super::error::GitError;
use super::locks::{self, Held};
use super::network::{self, Network};
use super::program::{Output, Run};
use crate::change::ObjectId;

/// What a fetch brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Objects the server sent.
    pub objects: u64,
    /// The commits that had to be fetched, in the order they were asked for; the others were here.
    pub commits: Vec<ObjectId>,
}

impl CacheRepository {
    /// Brings commits with all their trees and blobs, and nothing of their history, from an address.
    ///
    /// What is here already is not asked for. `progress` gets cleaned lines such as `Receiving objects: 40% (4/10)`. Waits
    /// while another program fetches into the same repository. Dropping the future ends the fetch and leaves the
    /// repository usable.
    ///
    /// # Errors
    /// [`GitError`], free of the token.
    pub async fn fetch(
        &self,
        url: &str,
        wants: &[ObjectId],
        token: Option<&str>,
        progress: &(dyn Fn(&str) + Sync),
    ) -> Result<Fetched, GitError> {
        let url = network::checked(url)?;
        let network = network::network(&url, token)?;
        self.fetch_from(url.as_str().into(), Vec::new(), network, wants, progress).await
    }

    /// The same from the reviewer's own clone, by the folder that holds its objects.
    pub(super) async fn fetch_clone(
        &self,
        clone: &Path,
        wants: &[ObjectId],
        progress: &(dyn Fn(&str) + Sync),
    ) -> Result<Fetched, GitError> {
        let settings = vec![("protocol.file.allow".to_owned(), "always".to_owned())];
        // The serving side is a git of its own that sees none of our settings. It may read a clone of another user:
        // opening the clone has asked for the reviewer's trust already, and serving runs nothing of the clone.
        let server = vec!["--upload-pack=git -c 'safe.directory=*' -c core.hooksPath=/dev/null upload-pack".into()];
        let network = Network { settings, secrets: Vec::new() };
        self.fetch_from(clone.into(), server, network, wants, progress).await
    }

    async fn fetch_from(
        &self,
        from: OsString,
        options: Vec<OsString>,
        network: Network,
        wants: &[ObjectId],
        progress: &(dyn Fn(&str) + Sync),
    ) -> Result<Fetched, GitError> {
        if self.missing(wants).await?.is_empty() {
            return Ok(Fetched { objects: 0, commits: Vec::new() });
        }
        let held = self.become_writer(progress).await?;
        // Another program may have brought them meanwhile.
        let commits = self.missing(wants).await?;
        if commits.is_empty() {
            return Ok(Fetched { objects: 0, commits });
        }
        let repair = self.make_ready(&commits)?;
        let at = from.to_string_lossy().into_owned();
        let mut arguments: Vec<OsString> = FLAGS.iter().map(OsString::from).chain(options).collect();
        arguments.extend(repair.then(|| "--refetch".into()));
        arguments.extend(["--".into(), from]);
        arguments.extend(commits.iter().map(|commit| format!("+{commit}:{}", ref_of(*commit)).into()));
        let objects = AtomicU64::new(0);
        let output = Run {
            folder: self.folder(),
            verb: "fetch",
            arguments,
            settings: network.settings,
            secrets: network.secrets,
            limit: 1 << 20,
            held,
        }
        .run(&|line| {
            if let Some(total) = received(line) {
                objects.store(total, Ordering::Relaxed);
            }
            // Only counting, sending and receiving tell a reviewer something.
            if line.contains("% (") {
                progress(line.strip_prefix("remote: ").unwrap_or(line));
            }
        })
        .await?;
        if !output.success {
            return Err(explain(&output, &at, &commits));
        }
        self.check_commits(&commits, &at)?;
        Ok(Fetched { objects: objects.into_inner(), commits })
    }

    async fn missing(&self, wants: &[ObjectId]) -> Result<Vec<ObjectId>, GitError> {
        let (repository, mut wants) = (self.clone(), wants.to_vec());
        blocking(move || {
            let mut seen = std::collections::BTreeSet::new();
            wants.retain(|want| seen.insert(*want) && !repository.holds(*want));
            Ok(wants)
        })
        .await
    }

    async fn become_writer(&self, progress: &(dyn Fn(&str) + Sync)) -> Result<Held, GitError> {
        let mut waited = false;
        loop {
            if let Ok(held) = locks::try_writer(self.folder()) {
                return Ok(held);
            }
            if !std::mem::replace(&mut waited, true) {
                progress("waiting for another fetch into this repository");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Clears away what an earlier fetch left that was cut short. Says whether a commit that is kept lacks objects,
    /// which git would not find out by itself.
    fn make_ready(&self, commits: &[ObjectId]) -> Result<bool, GitError> {
        let git = self.git2()?;
        let folder = self.folder();
        // The writer's lock is ours, so that nobody can be using these.
        for name in ["shallow.lock", "packed-refs.lock", "config.lock", "HEAD.lock"] {
            let _ = fs::remove_file(folder.join(name));
        }
        for commit in commits {
            let _ = fs::remove_file(folder.join(ref_of(*commit) + ".lock"));
        }
        // Git guards a new pack until its refs are written; a guard that is left would keep it for ever.
        for entry in fs::read_dir(folder.join("objects/pack")).into_iter().flatten().flatten() {
            if entry.path().extension().is_some_and(|ending| ending == "keep") {
                let _ = fs::remove_file(entry.path());
            }
        }
        let mut repair = false;
        for commit in commits {
            if let Ok(mut kept) = git.find_reference(&ref_of(*commit)) {
                repair = true;
                kept.delete().map_err(|error| GitError::cache(folder, error.message()))?;
            }
        }
        Ok(repair)
    }

    /// What was asked for may exist and be no commit.
    fn check_commits(&self, commits: &[ObjectId], at: &str) -> Result<(), GitError> {
        let git = self.git2()?;
        for commit in commits {
            if git.find_commit(oid(*commit)).is_err() {
                if let Ok(mut kept) = git.find_reference(&ref_of(*commit)) {
                    let _ = kept.delete();
                }
                return Err(GitError::NoCommit { id: *commit, at: at.to_owned() });
            }
        }
        Ok(())
    }
}

const FLAGS: [&str; 8] = [
    "--depth=1",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--no-auto-maintenance",
    "--no-show-forced-updates",
    "--progress",
    "--no-prune",
];

/// How many objects a line of progress says are coming.
fn received(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("Receiving objects: ")?;
    let (_, counts) = rest.split_once('/')?;
    counts.split(')').next()?.parse().ok()
}

/// Gives a failed fetch its name.
fn explain(output: &Output, at: &str, commits: &[ObjectId]) -> GitError {
    let said = output.said.join("\n");
    let at = crate::text::clean(at).into_string();
    let has = |texts: &[&str]| texts.iter().any(|text| said.contains(text));
    if has(&["not our ref", "find remote ref", "did not send all necessary objects", "not found in upstream"]) {
        let id = commits.iter().find(|commit| said.contains(&commit.to_string())).or(commits.first());
        return GitError::NoCommit { id: id.copied().unwrap_or(ObjectId::ZERO), at };
    }
    if has(&["could not read Username", "Authentication failed", "error: 401", "error: 403", "not found"]) {
        return GitError::NotAllowed(at);
    }
    if has(&["returned error: 301", "returned error: 302", "returned error: 307", "returned error: 308", "redirect"]) {
        return GitError::Moved(at);
    }
    if has(&["unable to read", "repository corruption"]) {
        return GitError::Incomplete(at);
    }
    let network = ["unable to access", "hung up", "early EOF", "RPC failed", "disconnect", "Could not resolve"];
    if has(&network) {
        return GitError::Unreachable { at, why: output.why() };
    }
    GitError::Failed { verb: "fetch", why: output.why() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn failed(said: &str) -> String {
        let output = Output { success: false, stdout: vec![], said: said.lines().map(str::to_owned).collect() };
        explain(&output, "https://h/o/r", &["1".repeat(40).parse().unwrap(), "2".repeat(40).parse().unwrap()])
            .to_string()
    }

    #[test]
    fn failures_have_names() {
        assert!(
            failed(&format!("fatal: remote error: upload-pack: not our ref {}", "2".repeat(40))).contains("2222222222")
        );
        assert!(
            failed("fatal: could not read Username for 'https://h': terminal prompts disabled")
                .contains("may not be read")
        );
        assert!(
            failed("remote: Repository not found.\nfatal: repository 'https://h/o/r/' not found")
                .contains("is not there")
        );
        assert!(
            failed("fatal: unable to access 'https://h/': The requested URL returned error: 301").contains("has moved")
        );
        let lost = failed("error: RPC failed; curl 18\nfatal: early EOF");
        assert_eq!(lost, "`https://h/o/r` cannot be reached: early EOF");
        let partial = failed("remote: fatal: unable to read 0123\nfatal: early EOF");
        assert_eq!(partial, "`https://h/o/r` lacks objects of these commits");
        assert_eq!(failed("fatal: odd"), "`git fetch` failed: odd");
    }

    #[test]
    fn objects_are_counted_from_progress() {
        assert_eq!(received("Receiving objects:  33% (1/3), 12 KiB"), Some(3));
        assert_eq!(received("Receiving objects: 100% (3/3), done."), Some(3));
        assert_eq!(received("remote: Counting objects: 100% (9/9)"), None);
    }

    proptest! {
        #[test]
        fn progress_never_panics(text in any::<String>()) {
            let _ = received(&format!("Receiving objects: {text}"));
        }
    }
}
