//! The key of a model API: where it comes from, and how it stays unseen.
//!
//! It is asked for when it is needed, kept in memory while one question is answered, and never stored. It prints itself
//! nowhere; texts that come from its own server pass [`Key::hide`]. A token of GitHub is never taken for one.

use std::ffi::OsString;
use std::fmt;

use super::command;
use super::server::Server;
use crate::config::{Api, Dialect};
use crate::problem::Problem;
use crate::text::clean;

/// More bytes than any key has.
const LONGEST: usize = 4096;
/// Bytes of the shortest key that is taken out of texts; shorter ones are placeholders and occur in any text.
const SHORTEST_HIDDEN: usize = 8;
/// Variables that hold tokens of GitHub.
const GITHUB: [&str; 4] = ["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];
/// How tokens of GitHub begin.
const GITHUB_TOKENS: [&str; 6] = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"];

/// Looks up an environment variable.
pub(super) type Variables<'a> = &'a (dyn Fn(&str) -> Option<OsString> + Sync);

/// A key. It prints as where it came from.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key {
    secret: String,
    from: String,
}

impl Key {
    /// Takes a key; none unless it is printable ASCII without spaces.
    fn new(text: &str, from: &str) -> Option<Self> {
        let fits = !text.is_empty() && text.len() <= LONGEST && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self { secret: text.to_owned(), from: from.to_owned() })
    }

    /// The key itself: for the header of a request to its own server, and nothing else.
    pub(super) fn expose(&self) -> &str {
        &self.secret
    }

    /// Where it came from: a variable or `key_command`.
    pub(super) fn source(&self) -> &str {
        &self.from
    }

    /// The text with every occurrence of the key taken out.
    pub(super) fn hide(&self, text: &str) -> String {
        if self.secret.len() < SHORTEST_HIDDEN { text.to_owned() } else { text.replace(&self.secret, "[key]") }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key(from {})", self.from)
    }
}

/// Where a key is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Keys {
    command: Vec<String>,
    /// None where another address than the dialect's own is set and no variable is named for it.
    variable: Option<String>,
    needed: bool,
}

impl Keys {
    /// Reads the settings. A server on this machine may need no key.
    ///
    /// # Errors
    /// A [`Problem`] where the settings name what can hold no key, or holds a token of GitHub.
    pub(super) fn new(settings: &Api, server: &Server) -> Result<Self, Problem> {
        let own = match settings.dialect {
            Dialect::Anthropic => "ANTHROPIC_API_KEY",
            Dialect::OpenAi => "OPENAI_API_KEY",
        };
        let variable = match (settings.key_env.as_str(), settings.base_url.as_str()) {
            ("", "") => Some(own),
            // The dialect's own variable holds a key for its own address, and is sent to no other.
            ("", _) => None,
            (named, _) => Some(named),
        };
        let plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if variable.is_some_and(|variable| !plain(variable) || variable.len() > 200) {
            // Not repeated: somebody may have written the key itself there.
            let problem = Problem::new("agents.api.key_env must be the name of an environment variable");
            return Err(problem.hint("it names the variable that holds the key; it never holds the key itself"));
        }
        if let Some(variable) = variable.filter(|variable| GITHUB.contains(variable)) {
            let problem = Problem::new(format!("agents.api.key_env must not be {variable}"));
            return Err(problem.hint("a token of GitHub is never sent to a model"));
        }
        if let Some(program) = settings.key_command.first() {
            command::check(program)?;
        }
        let command = settings.key_command.clone();
        Ok(Self { command, variable: variable.map(str::to_owned), needed: !server.is_here() })
    }

    /// Where the key would come from, without starting anything.
    ///
    /// # Errors
    /// Why there would be none, in one sentence.
    pub(super) fn look(&self, variables: Variables<'_>) -> Result<(), String> {
        match self.command.first() {
            Some(program) => command::find(program, variables).map(drop),
            None => self.in_variable(variables).map(drop),
        }
    }

    /// Finds the key: from the command where there is one, else from the variable; none where none is needed.
    ///
    /// # Errors
    /// Why there is none, in one sentence that says which command or variable was asked.
    pub(super) async fn find(&self, variables: Variables<'_>) -> Result<Option<Key>, String> {
        if self.command.is_empty() {
            return self.in_variable(variables);
        }
        let printed = command::run(&self.command, variables).await?;
        // The first line: password stores keep more below it.
        let line = printed.lines().next().unwrap_or_default().trim();
        let key = Key::new(line, "key_command")
            .ok_or_else(|| format!("`{}` (agents.api.key_command) printed no key", clean(&self.command[0])))?;
        refuse_github(key, variables).map(Some)
    }

    fn in_variable(&self, variables: Variables<'_>) -> Result<Option<Key>, String> {
        let Some(variable) = &self.variable else {
            let why = "no key: agents.api.key_env and agents.api.key_command are empty, and the usual variable is for the \
                       dialect's own address alone; set one of them";
            return if self.needed { Err(why.to_owned()) } else { Ok(None) };
        };
        let value = variables(variable).map(|value| value.to_string_lossy().trim().to_owned());
        match value.filter(|value| !value.is_empty()) {
            Some(value) => {
                let key = Key::new(&value, variable)
                    .ok_or_else(|| format!("what {variable} holds is not used: it has characters that no key has"))?;
                refuse_github(key, variables).map(Some)
            }
            None if self.needed => {
                Err(format!("no key: {variable} is not set, and agents.api.key_command is empty; set one of them"))
            }
            None => Ok(None),
        }
    }

    /// Where it is looked for, in words that continue "its key: ".
    pub(super) fn words(&self) -> String {
        match (&self.variable, self.command.is_empty()) {
            (Some(variable), true) => format!("from {variable}"),
            (None, true) => "none is named, none is sent".to_owned(),
            (_, false) => "from agents.api.key_command".to_owned(),
        }
    }

    /// Why none was sent, in words that continue "no key was sent, ".
    pub(super) fn why_none(&self) -> String {
        match (&self.variable, self.command.is_empty()) {
            (Some(variable), true) => format!("since {variable} is not set"),
            (None, true) => "since neither agents.api.key_env nor agents.api.key_command is set".to_owned(),
            (_, false) => "since agents.api.key_command gave none".to_owned(),
        }
    }
}

/// How a key was come by, in the words of a stamp.
pub(super) fn login(key: Option<&Key>) -> String {
    key.map_or("no key".to_owned(), |key| format!("key from {}", key.from))
}

fn refuse_github(key: Key, variables: Variables<'_>) -> Result<Key, String> {
    let is_token = |name: &&str| variables(name).is_some_and(|value| value.to_string_lossy().trim() == key.secret);
    if GITHUB_TOKENS.iter().any(|start| key.secret.starts_with(start)) || GITHUB.iter().any(is_token) {
        return Err(format!("what {} gives is a token of GitHub, and those are never sent to a model", key.from));
    }
    Ok(key)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use crate::agent::adapters::api::fixtures::settings;

    fn keys(api: &Api) -> Result<Keys, Problem> {
        Keys::new(api, &Server::new(api).unwrap())
    }

    fn set(known: &'static [(&'static str, &'static str)]) -> impl Fn(&str) -> Option<OsString> + Sync {
        move |name| known.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
    }

    #[tokio::test]
    async fn the_variable_is_the_dialects_own_or_the_named_one() {
        let found = keys(&settings()).unwrap().find(&set(&[("ANTHROPIC_API_KEY", " sk-secret-1\n")])).await;
        let key = found.unwrap().unwrap();
        assert_eq!((key.expose(), login(Some(&key)).as_str()), ("sk-secret-1", "key from ANTHROPIC_API_KEY"));
        assert!(!format!("{key:?}").contains("sk-secret"));
        let named = Api { key_env: "TEAM_KEY".to_owned(), ..settings() };
        let found = keys(&named).unwrap().find(&set(&[("TEAM_KEY", "k"), ("ANTHROPIC_API_KEY", "other")])).await;
        assert_eq!(found.unwrap().unwrap().expose(), "k");
    }

    #[tokio::test]
    async fn without_a_key_it_says_which_variable_was_asked() {
        let why = keys(&settings()).unwrap().find(&set(&[])).await.unwrap_err();
        assert!(why.contains("ANTHROPIC_API_KEY is not set"), "{why}");
        let here = Api { base_url: "http://localhost:1".to_owned(), ..settings() };
        assert_eq!(keys(&here).unwrap().find(&set(&[])).await, Ok(None));
        assert_eq!(login(None), "no key");
        let odd = keys(&settings()).unwrap().look(&set(&[("ANTHROPIC_API_KEY", "two words")])).unwrap_err();
        assert!(odd.contains("characters that no key has") && !odd.contains("two words"), "{odd}");
    }

    #[tokio::test]
    async fn a_token_of_github_is_never_a_key() {
        let named = Api { key_env: "GITHUB_TOKEN".to_owned(), ..settings() };
        assert!(keys(&named).unwrap_err().to_string().contains("never sent to a model"));
        for known in [
            &[("ANTHROPIC_API_KEY", "ghp_0123456789")][..],
            &[("ANTHROPIC_API_KEY", "github_pat_0123")],
            &[("ANTHROPIC_API_KEY", "0123456789"), ("GH_TOKEN", "0123456789")],
        ] {
            let why = keys(&settings()).unwrap().find(&set(known)).await.unwrap_err();
            assert!(why.contains("is a token of GitHub") && !why.contains("0123"), "{why}");
        }
    }

    #[test]
    fn a_key_in_the_wrong_place_is_not_repeated() {
        let named = Api { key_env: "sk-secret-1".to_owned(), ..settings() };
        let problem = keys(&named).unwrap_err().to_string();
        assert!(problem.contains("name of an environment variable") && !problem.contains("secret"), "{problem}");
    }

    #[test]
    fn a_key_is_taken_out_of_texts() {
        let key = Key::new("sk-secret-1", "X").unwrap();
        assert_eq!(key.hide("bad key sk-secret-1!"), "bad key [key]!");
        assert_eq!(Key::new("none", "X").unwrap().hide("none of it"), "none of it");
    }
}
