//! How a cache repository is named, and where its folder is.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::change::PullRequest;

/// The name of a cache repository: `HOST/OWNER/REPO`, or `local` for the one that local ranges and recorded changes share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RepositoryName(Vec<String>);

impl RepositoryName {
    /// The one repository that local ranges and recorded changes share.
    pub fn shared() -> Self {
        Self(vec!["local".to_owned(), "changes".to_owned()])
    }

    /// The repository of a pull request. Names differing in case alone are one, as on GitHub.
    pub fn of(pull_request: &PullRequest) -> Self {
        let server = pull_request.server.split_once("://").map_or(pull_request.server.as_str(), |(_, host)| host);
        Self([server, &pull_request.owner, &pull_request.repo].map(segment).to_vec())
    }

    /// Reads a name as [`fmt::Display`] writes it; none where a segment could lead out of the cache.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "local" {
            return Some(Self::shared());
        }
        let segments: Vec<String> = text.split('/').map(str::to_owned).collect();
        (segments.len() == 3 && segments.iter().all(|part| segment(part) == *part)).then_some(Self(segments))
    }

    /// The folder that holds all cache repositories.
    pub fn root(cache_dir: &Path) -> PathBuf {
        cache_dir.join("repositories")
    }

    /// The folder of this repository.
    pub fn folder(&self, cache_dir: &Path) -> PathBuf {
        let mut folder = Self::root(cache_dir);
        folder.extend(&self.0);
        folder.as_mut_os_string().push(".git");
        folder
    }
}

impl fmt::Display for RepositoryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::shared() { f.write_str("local") } else { f.write_str(&self.0.join("/")) }
    }
}

/// A segment as a folder's name: lower case; letters, digits, `-`, `_`, `%` and inner dots stay, every other byte
/// becomes `%` and two digits. Applying it twice changes nothing.
fn segment(text: &str) -> String {
    let mut out = String::new();
    for (at, byte) in text.to_ascii_lowercase().bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'%' => out.push(char::from(byte)),
            b'.' if at > 0 => out.push('.'),
            _ => out.push_str(&format!("%{byte:02x}")),
        }
    }
    if out.is_empty() { "%".to_owned() } else { out }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn named(server: &str, owner: &str, repo: &str) -> RepositoryName {
        let [server, owner, repo] = [server, owner, repo].map(str::to_owned);
        RepositoryName::of(&PullRequest { server, owner, repo, number: 1 })
    }

    #[test]
    fn a_name_is_a_folder_inside_the_cache() {
        let name = named("https://github.com", "Octo", "Demo.js");
        assert_eq!(name.to_string(), "github.com/octo/demo.js");
        assert_eq!(name.folder(Path::new("/c")), Path::new("/c/repositories/github.com/octo/demo.js.git"));
        assert_eq!(named("http://127.0.0.1:8765", "o", "r").to_string(), "127.0.0.1%3a8765/o/r");
        assert_eq!(named("https://h", "..", "a/../../b").to_string(), "h/%2e./a%2f..%2f..%2fb");
        assert_eq!(RepositoryName::parse("a/../b"), None);
        assert_eq!(RepositoryName::parse("local"), Some(RepositoryName::shared()));
    }

    proptest! {
        #[test]
        fn names_read_back_and_stay_inside(owner in any::<String>(), repo in any::<String>()) {
            let name = named("https://github.com", &owner, &repo);
            let folder = name.folder(Path::new("/c"));
            prop_assert!(folder.starts_with("/c/repositories/github.com"));
            prop_assert_eq!(folder.components().count(), 6);
            prop_assert_eq!(RepositoryName::parse(&name.to_string()), Some(name));
        }
    }
}
