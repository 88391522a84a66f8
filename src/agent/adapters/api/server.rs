//! Where a model API is: its dialect and the one address that is ever contacted.

use url::{Host, Url};

use crate::config::{Api, Dialect};
use crate::problem::Problem;
use crate::text::clean;

/// Where a server's dialect begins if its address has no path.
const USUAL_PATH: &str = "/v1";

/// A model API's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Server {
    dialect: Dialect,
    base: Url,
}

impl Server {
    /// Reads the settings; an empty address is the dialect's own.
    ///
    /// # Errors
    /// A [`Problem`] where the address is none, is plain http to another machine, or holds a login, a query or a fragment.
    pub(super) fn new(settings: &Api) -> Result<Self, Problem> {
        let own = match settings.dialect {
            Dialect::Anthropic => "https://api.anthropic.com/v1",
            Dialect::OpenAi => "https://api.openai.com/v1",
        };
        let text = if settings.base_url.is_empty() { own } else { settings.base_url.as_str() };
        let wrong = |what: &str| Problem::new(format!("agents.api.base_url {what}"));
        // The address itself is not repeated: it may hold a key.
        let base = Url::parse(text).map_err(|error| {
            wrong(&format!("is no address: {error}")).hint("give one such as http://127.0.0.1:11434/v1")
        })?;
        let (Some(host), "http" | "https") = (base.host_str(), base.scheme()) else {
            return Err(wrong("must begin with https://, or http:// for this machine"));
        };
        if !base.username().is_empty() || base.password().is_some() {
            let hint = "give the key by agents.api.key_env or agents.api.key_command";
            return Err(wrong("must not hold a login").hint(hint));
        }
        if base.query().is_some() || base.fragment().is_some() {
            return Err(wrong("must end with its path: no `?` and no `#`"));
        }
        if base.scheme() == "http" && !is_loopback(&base) {
            let host = clean(host);
            return Err(wrong(&format!("is plain http to `{host}`")).hint("use https: http is for this machine only"));
        }
        Ok(Self { dialect: settings.dialect, base })
    }

    /// What it speaks.
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The dialect in the word of the settings.
    pub(super) fn dialect_word(&self) -> &'static str {
        match self.dialect {
            Dialect::Anthropic => "anthropic",
            Dialect::OpenAi => "openai",
        }
    }

    /// Its host, with its port where the address has one.
    pub(super) fn host(&self) -> String {
        let host = self.base.host_str().unwrap_or_default();
        self.base.port().map_or(host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Whether it is on this machine.
    pub(super) fn is_here(&self) -> bool {
        is_loopback(&self.base)
    }

    /// The address that every turn is sent to.
    pub(super) fn turns(&self) -> String {
        let base = match self.base.path().trim_end_matches('/') {
            "" => USUAL_PATH,
            path => path,
        };
        let last = match self.dialect {
            Dialect::Anthropic => "messages",
            Dialect::OpenAi => "chat/completions",
        };
        let mut url = self.base.clone();
        url.set_path(&format!("{base}/{last}"));
        url.into()
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::agent::adapters::api::fixtures::settings;

    fn server(dialect: Dialect, base_url: &str) -> Result<Server, Problem> {
        Server::new(&Api { dialect, base_url: base_url.to_owned(), ..settings() })
    }

    #[test]
    fn turns_go_below_the_address() {
        for (dialect, base, turns) in [
            (Dialect::Anthropic, "", "https://api.anthropic.com/v1/messages"),
            (Dialect::OpenAi, "", "https://api.openai.com/v1/chat/completions"),
            (Dialect::OpenAi, "http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1/chat/completions"),
            (Dialect::OpenAi, "http://localhost:8080", "http://localhost:8080/v1/chat/completions"),
            (Dialect::Anthropic, "https://gate.example/team/a", "https://gate.example/team/a/messages"),
        ] {
            assert_eq!(server(dialect, base).unwrap().turns(), turns);
        }
        assert_eq!(server(Dialect::OpenAi, "http://[::1]:8080").unwrap().host(), "[::1]:8080");
        assert!(server(Dialect::OpenAi, "http://[::1]:8080").unwrap().is_here());
        assert!(!server(Dialect::OpenAi, "https://localhost.example").unwrap().is_here());
    }

    #[test]
    fn other_addresses_are_refused_without_repeating_them() {
        for (base, what) in [
            ("http://models.example/v1", "is plain http to `models.example`"),
            ("http://127.0.0.1.example/v1", "is plain http"),
            ("https://me:secret@models.example", "must not hold a login"),
            ("https://secret@models.example", "must not hold a login"),
            ("https://models.example/v1?key=secret", "no `?`"),
            ("https://models.example/v1#secret", "no `#`"),
            ("ftp://models.example", "must begin with https://"),
            ("file:///etc/passwd", "must begin with https://"),
            ("models.example", "is no address"),
        ] {
            let problem = server(Dialect::OpenAi, base).unwrap_err().to_string();
            assert!(problem.contains(what) && !problem.contains("secret"), "{base}: {problem}");
        }
    }
}
