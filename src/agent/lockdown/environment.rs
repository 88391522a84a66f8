//! The environment of an agent program: the reviewer's own, without what is none of its business.
//!
//! Taken out are GitHub's tokens (by name, and by what they look like), this program's and git's variables, keys to
//! other machines, and whatever makes a program load code or settings that nobody named. What is left holds the
//! reviewer's sign-in at their model provider, proxies and certificates.

use std::ffi::{OsStr, OsString};

/// Beginnings of names that never pass.
const PREFIXES: [&str; 13] = [
    // Tokens, hosts and caches of GitHub and its workflows.
    "GH_",
    "GITHUB_",
    "ACTIONS_",
    "SECOND_LOOK_",
    "GIT_",
    // Keys to other machines, and programs that ask for passwords.
    "SSH_",
    // Code that the loader or a script engine takes in before the program's own.
    "DYLD_",
    "BUN_",
    "DENO_",
    "npm_",
    "NPM_",
    "BASH_FUNC_",
    // Settings for what the tools of a program may do; it is given none.
    "MCP_",
];

/// Names that never pass.
const NAMES: [&str; 28] = [
    "LD_PRELOAD",
    "LD_AUDIT",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_EXTERNAL_MODULE",
    "NODE_V8_COVERAGE",
    "NODE_DEBUG",
    "NODE_CHANNEL_FD",
    "TS_NODE_PROJECT",
    "JITI_ALIAS",
    "PERL5OPT",
    "PERL5LIB",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "RUBYOPT",
    "BASH_ENV",
    "ENV",
    "PROMPT_COMMAND",
    "SHELLOPTS",
    "BASHOPTS",
    "ZDOTDIR",
    "EDITOR",
    "VISUAL",
    // Where the reviewer stands: the program stands elsewhere.
    "PWD",
    "OLDPWD",
    "INIT_CWD",
    // Verbose logs are what ends up in the last words of a program.
    "RUST_LOG",
    "DEBUG",
];

/// Beginnings of GitHub's tokens, each followed by letters, digits and `_`.
const TOKENS: [&str; 6] = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"];

/// Letters that have to follow for a text to be taken for a token.
const TOKEN_LETTERS: usize = 12;

/// A family of variables that a program reads, of which only those named pass.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// How their names begin.
    pub prefixes: &'static [&'static str],
    /// Those of them that say where and how the reviewer is signed in.
    pub kept: &'static [&'static str],
}

/// Takes out of an environment what an agent program must not see.
pub fn scrubbed(all: impl Iterator<Item = (OsString, OsString)>, family: Family) -> Vec<(OsString, OsString)> {
    all.filter(|(name, value)| passes(name, family) && !holds_token(value)).collect()
}

fn passes(name: &OsStr, family: Family) -> bool {
    // A name that is no text is none that the program was meant to read.
    let Some(name) = name.to_str() else { return false };
    let upper = name.to_ascii_uppercase();
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| upper.starts_with(&prefix.to_ascii_uppercase()));
    if begins(family.prefixes) {
        return family.kept.contains(&name);
    }
    let a_token = upper.contains("GITHUB") || upper.ends_with("_PAT") || upper.contains("_PAT_");
    !a_token && !begins(&PREFIXES) && !NAMES.contains(&upper.as_str())
}

/// Whether a text holds what looks like one of GitHub's tokens, alone or inside an address.
fn holds_token(value: &OsStr) -> bool {
    let value = value.to_string_lossy();
    TOKENS.iter().any(|mark| {
        value.match_indices(mark).any(|(at, _)| {
            let rest = &value[at + mark.len()..];
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').count() >= TOKEN_LETTERS
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FAMILY: Family = Family { prefixes: &["CLAUDE"], kept: &["CLAUDE_CONFIG_DIR"] };

    fn left(variables: &[(&str, &str)]) -> Vec<String> {
        let all = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        scrubbed(all, FAMILY).into_iter().filter_map(|(name, _)| name.into_string().ok()).collect()
    }

    #[test]
    fn no_token_passes_under_any_name() {
        let token = "ghp_0123456789abcdefghij0123456789abcdef";
        let pat = "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz";
        let address = format!("https://x:{token}@example.org");
        let variables = [
            ("GH_TOKEN", "x"),
            ("GITHUB_TOKEN", "x"),
            ("GH_ENTERPRISE_TOKEN", "x"),
            ("GITHUB_ENTERPRISE_TOKEN", "x"),
            ("COPILOT_GITHUB_TOKEN", "x"),
            ("HOMEBREW_GITHUB_API_TOKEN", "x"),
            ("gh_token", "x"),
            ("WORK_PAT", "x"),
            ("MY_PAT_FOR_CI", "x"),
            ("ACTIONS_RUNTIME_TOKEN", "x"),
            ("INNOCENT", token),
            ("OTHER", pat),
            ("PROXY", &address),
            ("JOKE", "ghp_short"),
            ("PATH", "/bin"),
        ];
        assert_eq!(left(&variables), ["JOKE", "PATH"]);
    }

    #[test]
    fn what_loads_code_or_settings_stays_out_and_the_sign_in_stays_in() {
        let variables = [
            ("NODE_OPTIONS", "--require x"),
            ("BUN_OPTIONS", "x"),
            ("LD_PRELOAD", "x"),
            ("DYLD_INSERT_LIBRARIES", "x"),
            ("GIT_CONFIG_COUNT", "1"),
            ("SSH_AUTH_SOCK", "x"),
            ("SECOND_LOOK_DATA_DIR", "x"),
            ("CLAUDECODE", "1"),
            ("CLAUDE_CODE_SHELL_PREFIX", "x"),
            ("CLAUDE_CONFIG_DIR", "x"),
            ("ANTHROPIC_API_KEY", "x"),
            ("HTTPS_PROXY", "x"),
            ("NODE_EXTRA_CA_CERTS", "x"),
            ("HOME", "x"),
        ];
        assert_eq!(
            left(&variables),
            ["CLAUDE_CONFIG_DIR", "ANTHROPIC_API_KEY", "HTTPS_PROXY", "NODE_EXTRA_CA_CERTS", "HOME"]
        );
    }

    proptest! {
        #[test]
        fn a_token_is_found_wherever_it_stands(before in "[ -~]{0,9}", kind in 0..TOKENS.len(), rest in "[A-Za-z0-9]{36}") {
            let value = format!("{before}{}{rest}", TOKENS[kind]);
            prop_assert!(left(&[("ANY", &value)]).is_empty());
        }
    }
}
