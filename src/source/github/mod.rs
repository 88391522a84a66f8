//! GitHub: a pull request's facts over its API, with octocrab. The code itself is fetched by `source::git`.
//!
//! One client speaks to one host with that host's token, and to nothing else: an answer that points elsewhere is not
//! followed. Every failure is a plain sentence with what to do about it, and no sentence holds a token.

mod cache;
mod error;
mod facts;
mod refusal;
mod request;
mod sentences;
mod server;
pub mod token;
mod transport;
mod wire;

use std::fmt;

use octocrab::Octocrab;
use tokio::sync::OnceCell;
use url::Url;

pub use cache::{CachedAnswer, FactCache, NoCache};
pub use facts::PullRequestFacts;
pub use request::Limits;
pub use server::clone_url;
pub use token::{Found, Token};

use crate::problem::Problem;
use error::{Error, Failure};
use request::{Reply, Sender};
use server::Server;

/// Asks one GitHub host. Making one does nothing yet: the first request reads the certificates and connects, and all
/// requests of one client belong to the runtime of the first.
pub struct Client {
    server: Server,
    token: Option<Token>,
    limits: Limits,
    octocrab: OnceCell<Octocrab>,
}

impl Client {
    /// A client of `https://HOST`, or of `http://HOST:PORT` on loopback, with that host's token.
    pub fn new(server: &str, token: Option<Token>) -> Result<Self, Problem> {
        Self::with_limits(server, token, Limits::default())
    }

    /// The same with limits of one's own.
    pub fn with_limits(server: &str, token: Option<Token>, limits: Limits) -> Result<Self, Problem> {
        let parsed = Server::parse(server).map_err(|failure| {
            Problem::from(Error { failure, host: String::new(), subject: String::new(), token: token.clone() })
        })?;
        Ok(Self { server: parsed, token, limits, octocrab: OnceCell::new() })
    }

    /// The host as people name it, with its port where the address has one; what `token::find` wants.
    pub fn host(&self) -> &str {
        &self.server.host
    }

    async fn get(&self, url: &Url, etag: Option<&str>) -> Result<Reply, Failure> {
        let connect = || async { transport::connect(self.server.is_plain(), self.limits.connect) };
        let octocrab = self.octocrab.get_or_try_init(connect).await?;
        let sender = Sender { octocrab, server: &self.server, token: self.token.as_ref(), limits: self.limits };
        sender.get(url, etag).await
    }

    /// The scopes of the token, as the host names them; none for a kind of token that has no scopes.
    ///
    /// # Errors
    /// A [`Problem`] where the host cannot be asked or takes no such token.
    pub async fn scopes(&self) -> Result<Option<String>, Problem> {
        let asked = async {
            let url = Url::parse(&format!("{}/rate_limit", self.server.api));
            let url = url.map_err(|_| Failure::Address(self.server.api.clone()))?;
            let connect = || async { transport::connect(self.server.is_plain(), self.limits.connect) };
            let octocrab = self.octocrab.get_or_try_init(connect).await?;
            let sender = Sender { octocrab, server: &self.server, token: self.token.as_ref(), limits: self.limits };
            sender.scopes(&url).await
        };
        asked.await.map_err(|failure| self.problem("the token's scopes", failure))
    }

    fn problem(&self, subject: &str, failure: Failure) -> Problem {
        let (host, subject, token) = (self.server.host.clone(), subject.to_owned(), self.token.clone());
        Error { failure, host, subject, token }.into()
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("api", &self.server.api).field("token", &self.token).finish_non_exhaustive()
    }
}
