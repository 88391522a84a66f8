//! Globs over paths, as agents write them: a pattern without a slash is looked for in every folder.

use globset::{Candidate, GlobBuilder, GlobMatcher};

use super::Refusal;
use crate::change::RepoPath;
use crate::text::clean;

/// Bytes of the longest pattern.
const LONGEST: usize = 1000;

/// A pattern of paths.
pub struct Paths(GlobMatcher);

impl Paths {
    /// Reads a pattern. `*` stops at slashes, `**` does not; a folder with a slash at its end means all below it.
    ///
    /// # Errors
    /// Where it is no glob, or too long.
    pub fn new(pattern: &str) -> Result<Self, Refusal> {
        let pattern = pattern.trim();
        if pattern.is_empty() || pattern.len() > LONGEST {
            return Err(Refusal::new(format!("A pattern has between 1 and {LONGEST} bytes.")));
        }
        let rooted = pattern.trim_start_matches("./").trim_start_matches('/');
        let everywhere = !pattern.contains('/');
        let glob = format!(
            "{}{rooted}{}",
            if everywhere { "**/" } else { "" },
            if rooted.ends_with('/') || rooted.is_empty() { "**" } else { "" }
        );
        let built = GlobBuilder::new(&glob).literal_separator(true).backslash_escape(true).build();
        match built {
            Ok(glob) => Ok(Self(glob.compile_matcher())),
            Err(error) => Err(Refusal::new(format!("The pattern is no glob: {}.", clean(&error.kind().to_string())))),
        }
    }

    /// Whether a path matches.
    pub fn is_match(&self, path: &RepoPath) -> bool {
        self.0.is_match_candidate(&Candidate::from_bytes(path.as_bytes()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn matches_what_agents_mean() {
        for (pattern, yes, no) in [
            ("*.rs", "src/a/b.rs", "src/a/b.rs.txt"),
            ("pool.py", "net/pool.py", "net/pool.pyc"),
            ("src/*.rs", "src/a.rs", "src/a/b.rs"),
            ("src/**/*.rs", "src/a/b.rs", "lib/a.rs"),
            ("./src/**", "src/a/b", "lib/src/a"),
            ("/src/", "src/a/b", "src"),
            ("**/test_*", "test_a", "a/tests"),
            ("*.{c,h}", "x/y.h", "x/y.hh"),
            ("[ab].c", "b.c", "c.c"),
        ] {
            let paths = Paths::new(pattern).unwrap();
            assert!(paths.is_match(&yes.into()), "{pattern} {yes}");
            assert!(!paths.is_match(&no.into()), "{pattern} {no}");
        }
        assert!(Paths::new("*.txt").unwrap().is_match(&RepoPath::new(b"caf\xe9/\xff.txt")));
        for bad in ["", "[z-a]", "{a", "a[", &"x".repeat(1001)] {
            assert!(Paths::new(bad).is_err(), "{bad}");
        }
    }
}
