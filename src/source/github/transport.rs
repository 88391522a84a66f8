//! Connections to a GitHub host: TLS with the system's certificate authorities, the environment's proxy, time limits.
//!
//! octocrab's own client is not used: it knows no proxy, and it wants certificates where none are needed. This one
//! follows no redirect and tries nothing again by itself; `request` decides that.

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use http::Uri;
use hyper_rustls::{ConfigBuilderExt, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioExecutor, TokioIo};
use octocrab::{AuthState, Octocrab, OctocrabBuilder};
use rustls::{CertificateError, ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tower::Service;

use super::error::Failure;

type BoxError = Box<dyn StdError + Send + Sync>;

/// What a proxy did instead of connecting.
#[derive(Debug, thiserror::Error)]
#[error("proxy {proxy}: {why}")]
struct ProxyError {
    proxy: String,
    why: String,
}

/// Makes octocrab over our own connections. `plain` is for loopback: no TLS, no proxy. Needs a tokio runtime.
pub(super) fn connect(plain: bool, connect_limit: Duration) -> Result<Octocrab, Failure> {
    let proxies = if plain { Matcher::builder().build() } else { Matcher::from_env() };
    connect_through(proxies, plain, connect_limit)
}

fn connect_through(proxies: Matcher, plain: bool, connect_limit: Duration) -> Result<Octocrab, Failure> {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    let proxies = Arc::new(proxies);
    let dialer = tower::service_fn(move |to: Uri| {
        let (http, proxies) = (http.clone(), Arc::clone(&proxies));
        async move {
            let late = |_| BoxError::from(io::Error::from(io::ErrorKind::TimedOut));
            tokio::time::timeout(connect_limit, dial(http, &proxies, to)).await.map_err(late)?
        }
    });
    let https = HttpsConnectorBuilder::new().with_tls_config(tls(plain)?).https_or_http().enable_http1();
    let client = Client::builder(TokioExecutor::new()).build(https.wrap_connector(dialer));
    match OctocrabBuilder::new_empty().with_service(client).with_auth(AuthState::None).build() {
        Ok(octocrab) => Ok(octocrab),
        Err(never) => match never {},
    }
}

fn tls(plain: bool) -> Result<ClientConfig, Failure> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Failure::Tls(error.to_string()))?;
    let builder = match plain {
        true => builder.with_root_certificates(RootCertStore::empty()),
        false => builder.with_native_roots().map_err(|_| Failure::NoAuthorities)?,
    };
    Ok(builder.with_no_client_auth())
}

/// A connection to a host, through a proxy's tunnel where the environment asks for one.
async fn dial(mut http: HttpConnector, proxies: &Matcher, to: Uri) -> Result<TokioIo<TcpStream>, BoxError> {
    let Some(proxy) = proxies.intercept(&to) else { return Ok(http.call(to).await?) };
    let named = proxy.uri().authority().map_or("of the environment", |authority| authority.as_str());
    // An account of the proxy is nobody's business.
    let named = named.rsplit('@').next().unwrap_or_default().to_owned();
    if proxy.uri().scheme_str() != Some("http") {
        let why = "only proxies over http are supported".to_owned();
        return Err(Box::new(ProxyError { proxy: named, why }));
    }
    let mut tunnel = Tunnel::new(proxy.uri().clone(), http);
    if let Some(account) = proxy.basic_auth() {
        tunnel = tunnel.with_auth(account.clone());
    }
    tunnel.call(to).await.map_err(|error| BoxError::from(ProxyError { proxy: named, why: innermost(&error) }))
}

/// Why a request got no answer, from the causes of octocrab's error: its own text is pages long.
pub(super) fn failure(error: &octocrab::Error, connect_limit: Duration) -> Failure {
    let mut cause: Option<&(dyn StdError + 'static)> = error.source();
    let mut lost = Failure::Closed;
    while let Some(error) = cause {
        if let Some(proxy) = error.downcast_ref::<ProxyError>() {
            return Failure::Proxy(proxy.proxy.clone(), proxy.why.clone());
        }
        if let Some(tls) = error.downcast_ref::<rustls::Error>() {
            return tls_failure(tls);
        }
        if let Some(io) = error.downcast_ref::<io::Error>() {
            match within(io) {
                Ok(tls) => return tls_failure(tls),
                Err(io) => lost = io_failure(io, lost, connect_limit),
            }
        }
        // The connector names a failed look-up only in words.
        if error.to_string() == "dns error" {
            return Failure::Unknown;
        }
        cause = error.source();
    }
    lost
}

/// The TLS error that an I/O error carries, else the innermost I/O error: they come wrapped in one another, and
/// `source` passes over what is wrapped.
fn within(error: &io::Error) -> Result<&rustls::Error, &io::Error> {
    let Some(inner) = error.get_ref() else { return Err(error) };
    match (inner.downcast_ref::<rustls::Error>(), inner.downcast_ref::<io::Error>()) {
        (Some(tls), _) => Ok(tls),
        (None, Some(io)) => within(io),
        (None, None) => Err(error),
    }
}

fn io_failure(error: &io::Error, so_far: Failure, connect_limit: Duration) -> Failure {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Failure::Refused,
        io::ErrorKind::TimedOut => Failure::ConnectTime(connect_limit),
        io::ErrorKind::NetworkUnreachable | io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkDown => {
            Failure::Unreachable
        }
        io::ErrorKind::InvalidData => Failure::Tls(error.to_string()),
        _ => so_far,
    }
}

fn tls_failure(error: &rustls::Error) -> Failure {
    match error {
        rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) => Failure::UnknownAuthority,
        rustls::Error::InvalidCertificate(CertificateError::Expired | CertificateError::ExpiredContext { .. }) => {
            Failure::Tls("its certificate has expired".to_owned())
        }
        rustls::Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        ) => Failure::Tls("its certificate is for another host".to_owned()),
        rustls::Error::InvalidMessage(_) => Failure::Tls("what answers there does not speak TLS".to_owned()),
        other => Failure::Tls(other.to_string()),
    }
}

fn innermost(error: &(dyn StdError + 'static)) -> String {
    let mut inner = error;
    while let Some(cause) = inner.source() {
        inner = cause;
    }
    let why = inner.to_string();
    why.strip_prefix("tunnel error: ").unwrap_or(&why).to_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::TcpListener;

    const LIMIT: Duration = Duration::from_millis(300);

    /// Why a host behind a proxy is not reached.
    async fn through(proxy: String) -> Failure {
        let octocrab = connect_through(Matcher::builder().https(proxy).build(), true, LIMIT).unwrap();
        match octocrab._get("https://ghe.example/api/v3").await {
            Ok(_) => panic!("nothing is there"),
            Err(error) => failure(&error, LIMIT),
        }
    }

    /// A proxy that reads a request and answers this; a silent one where it is empty.
    fn proxy(answer: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
            std::thread::sleep(LIMIT * 3);
        });
        address.to_string()
    }

    #[tokio::test]
    async fn a_proxy_that_fails_is_named_without_its_account() {
        let wants = proxy("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
        let said = "proxy authorization required".to_owned();
        assert_eq!(through(format!("http://me:secret@{wants}")).await, Failure::Proxy(wants, said));
        let socks = "only proxies over http are supported".to_owned();
        assert_eq!(through("socks5://me:secret@127.0.0.1:1".into()).await, Failure::Proxy("127.0.0.1:1".into(), socks));
        let Failure::Proxy(named, _) = through("http://me:secret@127.0.0.1:1".into()).await else { panic!("not said") };
        assert_eq!(named, "127.0.0.1:1");
    }

    #[tokio::test]
    async fn a_connection_has_a_time_limit() {
        assert_eq!(through(format!("http://{}", proxy(""))).await, Failure::ConnectTime(LIMIT));
    }

    #[test]
    fn wrapped_errors_are_unwrapped() {
        let tls = rustls::Error::InvalidCertificate(CertificateError::Expired);
        let wrapped = io::Error::other(io::Error::new(io::ErrorKind::InvalidData, tls.clone()));
        assert_eq!(within(&wrapped).unwrap(), &tls);
        assert_eq!(tls_failure(&tls), Failure::Tls("its certificate has expired".to_owned()));
        let plain = io::Error::other(io::Error::from(io::ErrorKind::ConnectionRefused));
        assert_eq!(within(&plain).unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
    }
}
