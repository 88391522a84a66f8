//! What a fetch over the network needs: the reviewer's proxy and certificates, and the token as a header.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use url::Url;

use super::error::GitError;

/// Settings under `http.` and `http.<url>.` that say how the network is reached and whom to trust, and no more:
/// nothing that adds headers, cookies or logins, and nothing that turns checks off.
const KEPT: [&str; 14] = [
    "proxy",
    "proxyauthmethod",
    "proxysslcert",
    "proxysslkey",
    "proxysslcainfo",
    "sslcainfo",
    "sslcapath",
    "sslcert",
    "sslkey",
    "sslbackend",
    "schannelcheckrevoke",
    "schannelusesslcainfo",
    "pinnedpubkey",
    "version",
];

/// Settings for git with the secrets among them.
pub(super) struct Network {
    /// Names and values.
    pub settings: Vec<(String, String)>,
    /// What must not be seen in anything git says.
    pub secrets: Vec<String>,
}

/// Reads an address that may be fetched from: https, or http on loopback; no login in it.
pub(super) fn checked(address: &str) -> Result<Url, GitError> {
    let shown = || GitError::Address(crate::text::clean(address.rsplit('@').next().unwrap_or("")).into_string());
    let url = Url::parse(address).map_err(|_| shown())?;
    let loopback = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => return Err(shown()),
    };
    let allowed = url.scheme() == "https" || (url.scheme() == "http" && loopback);
    if allowed && url.username().is_empty() && url.password().is_none() { Ok(url) } else { Err(shown()) }
}

/// What git needs for an address and a token. The token goes to that host alone: its header is bound to the host's
/// address, and redirects are not followed.
pub(super) fn network(url: &Url, token: Option<&str>) -> Result<Network, GitError> {
    let mut network = Network { settings: Vec::new(), secrets: Vec::new() };
    if let Ok(config) = git2::Config::open_default() {
        keep(&config, &mut network);
    }
    let mut set = |key: &str, value: &str| network.settings.push((key.to_owned(), value.to_owned()));
    set(&format!("protocol.{}.allow", url.scheme()), "always");
    set("http.followRedirects", "false");
    // A connection on which nothing comes for a minute is dead; servers say something every few seconds.
    set("http.lowSpeedLimit", "1");
    set("http.lowSpeedTime", "60");
    if let Some(token) = token {
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(GitError::Token);
        }
        let basic = BASE64_STANDARD.encode(format!("x-access-token:{token}"));
        let host = url.origin().ascii_serialization();
        set(&format!("http.{host}/.extraHeader"), &format!("Authorization: Basic {basic}"));
        network.secrets.extend([token.to_owned(), basic]);
    }
    Ok(network)
}

fn keep(config: &git2::Config, network: &mut Network) {
    let Ok(entries) = config.entries(Some("^http\\.")) else { return };
    let home = directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_string_lossy().into_owned());
    let _ = entries.for_each(|entry| {
        let (Ok(name), Ok(value)) = (entry.name(), entry.value()) else { return };
        let key = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
        if !KEPT.contains(&key.as_str()) {
            return;
        }
        let value = match (value.strip_prefix("~/"), &home) {
            (Some(rest), Some(home)) => format!("{home}/{rest}"),
            _ => value.to_owned(),
        };
        network.secrets.extend(Url::parse(&value).ok().and_then(|url| url.password().map(str::to_owned)));
        network.settings.push((name.to_owned(), value));
    });
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn only_https_and_loopback_are_fetched_from() {
        for good in
            ["https://github.com/o/r.git", "http://127.0.0.1:80/o/r.git", "http://[::1]:9/o/r", "http://localhost/o/r"]
        {
            assert!(checked(good).is_ok(), "{good}");
        }
        for bad in [
            "http://github.com/o/r",
            "ssh://git@github.com/o/r",
            "file:///tmp",
            "ext::sh -c x",
            "-x",
            "https://a:b@h/o/r",
            "",
        ] {
            assert!(matches!(checked(bad), Err(GitError::Address(_))), "{bad}");
        }
        assert!(!checked("https://me:hush@h/o/r").unwrap_err().to_string().contains("hush"));
    }

    #[test]
    fn the_token_is_bound_to_its_host() {
        let url = checked("http://127.0.0.1:8765/octo/demo.git").unwrap();
        let network = network(&url, Some("abc")).unwrap();
        let header = network.settings.iter().find(|(key, _)| key.ends_with("extraHeader")).unwrap();
        assert_eq!(header.0, "http.http://127.0.0.1:8765/.extraHeader");
        assert_eq!(header.1, "Authorization: Basic eC1hY2Nlc3MtdG9rZW46YWJj");
        assert!(network.secrets.iter().any(|secret| secret == "abc"));
        assert!(matches!(super::network(&url, Some("a\nb")), Err(GitError::Token)));
    }

    #[test]
    fn proxy_and_certificates_are_kept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config");
        std::fs::write(
            &path,
            "[http]\n proxy = http://me:hush@proxy:3128\n sslCAInfo = /etc/corp.pem\n extraHeader = X: y\n sslVerify = false\n\
             [http \"https://GHE.corp/\"]\n sslCert = /c.pem\n[credential]\n helper = evil\n",
        )
        .unwrap();
        let mut network = Network { settings: vec![], secrets: vec![] };
        keep(&git2::Config::open(&path).unwrap(), &mut network);
        let names: Vec<_> = network.settings.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["http.proxy", "http.sslcainfo", "http.https://GHE.corp/.sslcert"]);
        assert_eq!(network.secrets, ["hush"]);
    }
}
