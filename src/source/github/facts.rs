//! A pull request's facts: one request for the pull request, one for the merge base, both remembered.

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use url::Url;

use super::Client;
use super::cache::{CachedAnswer, FactCache};
use super::error::Failure;
use super::request::Reply;
use super::server::Server;
use super::wire::{Compare, End, Pull};
use crate::change::{Facts, ObjectId, Origin, PullRequest, State};
use crate::problem::Problem;

/// What GitHub knows of a pull request besides its code. All texts are as they came: clean them before showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequestFacts {
    /// Which pull request.
    pub id: PullRequest,
    /// The title.
    pub title: String,
    /// The description, in GitHub's markdown; empty where there is none.
    pub body: String,
    /// Who opened it; none where the account is gone.
    pub author: Option<String>,
    /// Open, draft, closed or merged.
    pub state: State,
    /// The branch it goes to.
    pub base_branch: String,
    /// The commit of that branch which GitHub compares with.
    pub base: ObjectId,
    /// The newest commit that base and head share: where the change starts.
    pub merge_base: ObjectId,
    /// The branch it comes from.
    pub head_branch: String,
    /// Its newest commit.
    pub head: ObjectId,
    /// `OWNER/REPO` of the head; none where that repository is gone.
    pub head_repository: Option<String>,
    /// How many files GitHub says it changes.
    pub changed_files: Option<u64>,
    /// How many lines GitHub says it adds.
    pub additions: Option<u64>,
    /// How many lines GitHub says it removes.
    pub deletions: Option<u64>,
    /// When GitHub last said that all this is so.
    pub as_of: Timestamp,
    /// Whether it was remembered from before: confirmed unchanged by GitHub, or read offline.
    pub from_cache: bool,
}

impl From<&PullRequestFacts> for Facts {
    fn from(facts: &PullRequestFacts) -> Self {
        Self {
            origin: Origin::PullRequest(facts.id.clone()),
            title: facts.title.clone(),
            description: facts.body.clone(),
            author: facts.author.clone().unwrap_or_default(),
            state: Some(facts.state),
            base_branch: facts.base_branch.clone(),
            head_branch: facts.head_branch.clone(),
            head_repository: facts.head_repository.clone(),
        }
    }
}

/// A remembered or new answer, read.
struct Known<T> {
    value: T,
    at: Timestamp,
    from_cache: bool,
}

impl Client {
    /// Asks for a pull request and its merge base. What `cache` holds is asked for by its ETag, and what comes is kept
    /// in it; the merge base of two commits never changes, so it is asked for once.
    pub async fn pull_request(&self, id: &PullRequest, cache: &dyn FactCache) -> Result<PullRequestFacts, Problem> {
        self.facts(id, cache).await.map_err(|failure| self.problem(&id.short(), failure))
    }

    /// The facts as they were last time, without any request; none where they were never asked for.
    pub fn remembered(&self, id: &PullRequest, cache: &dyn FactCache) -> Option<PullRequestFacts> {
        let pull: Known<Pull> = remembered(&pull_url(&self.server, id).ok()?, cache)?;
        let (base, head) = ends(&pull.value).ok()?;
        let known: Known<Compare> = remembered(&compare_url(&self.server, id, base, head, 2).ok()?, cache)?;
        assemble(id, pull, merge_base(&known.value).ok()??).ok()
    }

    async fn facts(&self, id: &PullRequest, cache: &dyn FactCache) -> Result<PullRequestFacts, Failure> {
        if Server::parse(&id.server)? != self.server {
            return Err(Failure::OtherServer(id.server.clone()));
        }
        let pull: Known<Pull> = self.known(&pull_url(&self.server, id)?, cache).await?;
        let (base, head) = ends(&pull.value)?;
        let merge_base = self.merge_base(id, base, head, cache).await?;
        assemble(id, pull, merge_base)
    }

    /// An answer: the remembered one where GitHub confirms it, else the new one, which is remembered.
    async fn known<T: DeserializeOwned>(&self, url: &Url, cache: &dyn FactCache) -> Result<Known<T>, Failure> {
        let kept = cache.get(url.as_str()).filter(|kept| !kept.etag.is_empty());
        // What was kept and cannot be read is asked for anew.
        let kept = kept.and_then(|kept| Some((read(&kept.body).ok()?, kept)));
        let reply = self.get(url, kept.as_ref().map(|(_, kept)| kept.etag.as_str())).await?;
        let at = Timestamp::now();
        match (reply, kept) {
            (Reply::Fresh(body, etag), _) => {
                let value = read(&body)?;
                let answer = CachedAnswer { etag: etag.unwrap_or_default(), body, at: at.to_string() };
                cache.put(url.as_str(), &answer);
                Ok(Known { value, at, from_cache: false })
            }
            (Reply::NotModified, Some((value, kept))) => {
                cache.put(url.as_str(), &CachedAnswer { at: at.to_string(), ..kept });
                Ok(Known { value, at, from_cache: true })
            }
            (Reply::NotModified, None) => Err(Failure::Status(304, None)),
        }
    }

    /// The merge base of two commits. Only the first page of a comparison carries files, which can be megabytes, so
    /// the second is asked for.
    async fn merge_base(
        &self,
        id: &PullRequest,
        base: ObjectId,
        head: ObjectId,
        cache: &dyn FactCache,
    ) -> Result<ObjectId, Failure> {
        let url = compare_url(&self.server, id, base, head, 2)?;
        if let Some(known) = remembered::<Compare>(&url, cache)
            && let Ok(Some(commit)) = merge_base(&known.value)
        {
            return Ok(commit);
        }
        let mut found = None;
        for page in [2, 1] {
            if let Reply::Fresh(body, _) = self.get(&compare_url(&self.server, id, base, head, page)?, None).await? {
                found = merge_base(&read(&body)?)?;
            }
            if found.is_some() {
                break;
            }
        }
        let commit = found.ok_or_else(|| Failure::Shape("missing field `merge_base_commit`".to_owned()))?;
        let body = format!(r#"{{"merge_base_commit":{{"sha":"{commit}"}}}}"#).into_bytes();
        let answer = CachedAnswer { etag: String::new(), body, at: Timestamp::now().to_string() };
        cache.put(url.as_str(), &answer);
        Ok(commit)
    }
}

fn pull_url(server: &Server, id: &PullRequest) -> Result<Url, Failure> {
    server.repository_url(id, &format!("pulls/{}", id.number))
}

fn compare_url(server: &Server, id: &PullRequest, base: ObjectId, head: ObjectId, page: u32) -> Result<Url, Failure> {
    server.repository_url(id, &format!("compare/{base}...{head}?per_page=1&page={page}"))
}

fn remembered<T: DeserializeOwned>(url: &Url, cache: &dyn FactCache) -> Option<Known<T>> {
    let kept = cache.get(url.as_str())?;
    Some(Known { value: read(&kept.body).ok()?, at: kept.at.parse().ok()?, from_cache: true })
}

fn ends(pull: &Pull) -> Result<(ObjectId, ObjectId), Failure> {
    Ok((commit(&pull.base.sha)?, commit(&pull.head.sha)?))
}

fn merge_base(compare: &Compare) -> Result<Option<ObjectId>, Failure> {
    compare.merge_base_commit.as_ref().map(|found| commit(&found.sha)).transpose()
}

fn commit(sha: &str) -> Result<ObjectId, Failure> {
    sha.parse().map_err(|()| Failure::Shape(format!("`{sha}` is not the id of a commit")))
}

fn assemble(id: &PullRequest, pull: Known<Pull>, merge_base: ObjectId) -> Result<PullRequestFacts, Failure> {
    let Known { value: pull, at, from_cache } = pull;
    let (base, head) = ends(&pull)?;
    let branch = |end: &End| end.branch.clone().unwrap_or_default();
    Ok(PullRequestFacts {
        id: id.clone(),
        state: state(&pull),
        base_branch: branch(&pull.base),
        head_branch: branch(&pull.head),
        head_repository: pull.head.repo.and_then(|repository| repository.full_name),
        title: pull.title.unwrap_or_default(),
        body: pull.body.unwrap_or_default(),
        author: pull.user.and_then(|account| account.login),
        base,
        merge_base,
        head,
        changed_files: pull.changed_files,
        additions: pull.additions,
        deletions: pull.deletions,
        as_of: at,
        from_cache,
    })
}

fn state(pull: &Pull) -> State {
    match pull.state.as_deref() {
        _ if pull.merged == Some(true) || pull.merged_at.is_some() => State::Merged,
        Some("closed") => State::Closed,
        _ if pull.draft == Some(true) => State::Draft,
        _ => State::Open,
    }
}

/// Reads an answer; says whether it is a web page, no JSON, or JSON of another shape.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => Failure::Shape(error.to_string()),
        _ if body.trim_ascii_start().starts_with(b"<") => Failure::WebPage,
        _ => Failure::NotJson,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHA: &str = "0123456789abcdef0123456789abcdef01234567";

    fn pull(more: &str) -> Pull {
        let json = format!(r#"{{"base":{{"sha":"{SHA}"}},"head":{{"sha":"{SHA}","repo":null}}{more}}}"#);
        read(json.as_bytes()).unwrap()
    }

    #[test]
    fn almost_everything_may_be_missing_or_null() {
        let id = PullRequest { server: "https://github.com".into(), owner: "o".into(), repo: "r".into(), number: 1 };
        for more in ["", r#","title":null,"body":null,"user":null,"draft":null,"extra":{"deep":[1]}"#] {
            let known = Known { value: pull(more), at: Timestamp::UNIX_EPOCH, from_cache: false };
            let facts = assemble(&id, known, SHA.parse().unwrap()).unwrap();
            assert_eq!((facts.title.as_str(), facts.author.clone(), facts.head_repository.clone()), ("", None, None));
            assert_eq!(Facts::from(&facts).author, "");
        }
    }

    #[test]
    fn states_are_read_in_order_of_weight() {
        assert_eq!(state(&pull(r#","state":"open""#)), State::Open);
        assert_eq!(state(&pull(r#","state":"open","draft":true"#)), State::Draft);
        assert_eq!(state(&pull(r#","state":"closed","draft":true,"merged":false"#)), State::Closed);
        assert_eq!(state(&pull(r#","state":"closed","merged_at":"2026-01-01T00:00:00Z""#)), State::Merged);
    }

    #[test]
    fn bodies_that_cannot_be_read_say_why() {
        let why = |body: &[u8]| read::<Pull>(body).unwrap_err();
        assert_eq!(why(b" <!DOCTYPE html>"), Failure::WebPage);
        assert_eq!(why(b"{\"base\":"), Failure::NotJson);
        assert_eq!(why(b""), Failure::NotJson);
        assert_eq!(why(b"{}"), Failure::Shape("missing field `base` at line 1 column 2".to_owned()));
    }

    proptest! {
        #[test]
        fn no_body_panics(body in any::<Vec<u8>>()) {
            let _ = read::<Pull>(&body);
            let _ = read::<Compare>(&body);
        }
    }
}
