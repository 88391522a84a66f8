//! A GitHub on loopback: serves one bare repository as pull requests over REST and its code over git's smart HTTP,
//! and keeps what it was asked, so that a test can check what was sent.
//!
//! As on an Enterprise Server, the API is at `/api/v3` and the code at `/OWNER/REPO.git`. The repository is only read.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use git2::{Oid, Repository};
use serde_json::{Value, json};

pub use super::fault::Fault;
use super::http::{Request, Response, Server};

/// A running GitHub; it stops when dropped.
pub struct Github {
    server: Server,
    state: Arc<Mutex<State>>,
    asked: Arc<Condvar>,
}

/// How long anything may take to be asked before a test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A pull request as GitHub knows it. The ids need not exist in the repository until they are asked about.
#[derive(Debug, Clone)]
pub struct Pull {
    pub title: String,
    pub body: Option<String>,
    /// None is a ghost.
    pub author: Option<String>,
    /// `open` or `closed`.
    pub state: String,
    pub draft: bool,
    pub merged: bool,
    pub base_branch: String,
    pub base: String,
    pub head_branch: String,
    pub head: String,
    /// `OWNER/REPO`; none where the fork is gone.
    pub head_repository: Option<String>,
}

struct State {
    folder: PathBuf,
    owner: String,
    repo: String,
    pulls: BTreeMap<u64, Pull>,
    token: Option<String>,
    moved: bool,
    faults: Vec<Fault>,
    requests: Vec<Request>,
    url: String,
}

impl Github {
    /// Serves a bare repository as `octo/demo`, open to everybody.
    pub fn start(repo_dir: impl AsRef<Path>) -> Self {
        Self::start_as(repo_dir, "octo", "demo")
    }

    /// The same under another name.
    pub fn start_as(repo_dir: impl AsRef<Path>, owner: &str, repo: &str) -> Self {
        let state = State {
            folder: repo_dir.as_ref().to_owned(),
            owner: owner.to_owned(),
            repo: repo.to_owned(),
            pulls: BTreeMap::new(),
            token: None,
            moved: false,
            faults: Vec::new(),
            requests: Vec::new(),
            url: String::new(),
        };
        let state = Arc::new(Mutex::new(state));
        let (shared, asked) = (Arc::clone(&state), Arc::new(Condvar::new()));
        let heard = Arc::clone(&asked);
        let server = Server::start(move |request| answer(&shared, &heard, request));
        lock(&state).url = format!("http://{}", server.address());
        Self { server, state, asked }
    }

    /// `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        lock(&self.state).url.clone()
    }

    /// The address of a pull request's page.
    pub fn pull_url(&self, number: u64) -> String {
        let state = lock(&self.state);
        format!("{}/{}/{}/pull/{number}", state.url, state.owner, state.repo)
    }

    /// Opens a pull request from one commit to another.
    pub fn pull(&self, number: u64, title: &str, body: &str, base: impl ToString, head: impl ToString) {
        let mut state = lock(&self.state);
        let pull = Pull {
            title: title.to_owned(),
            body: Some(body.to_owned()),
            author: Some("ada".to_owned()),
            state: "open".to_owned(),
            draft: false,
            merged: false,
            base_branch: "main".to_owned(),
            base: base.to_string(),
            head_branch: "topic".to_owned(),
            head: head.to_string(),
            head_repository: Some(format!("{}/{}", state.owner, state.repo)),
        };
        state.pulls.insert(number, pull);
    }

    /// Changes a pull request in any way.
    pub fn edit(&self, number: u64, edit: impl FnOnce(&mut Pull)) {
        edit(lock(&self.state).pulls.get_mut(&number).expect("no such pull request"));
    }

    /// Pushes to a pull request.
    pub fn move_head(&self, number: u64, head: impl ToString) {
        self.edit(number, |pull| pull.head = head.to_string());
    }

    /// Makes the repository private: without a token it is not there, and another token is refused.
    pub fn private(&self, token: &str) {
        lock(&self.state).token = Some(token.to_owned());
    }

    /// Moves the repository: its old address sends on to `/repositories/1/...`.
    pub fn moved(&self) {
        lock(&self.state).moved = true;
    }

    /// Lets something go wrong. Faults are tried in the order they were given; the first that fits happens.
    pub fn fault(&self, fault: Fault) {
        lock(&self.state).faults.push(fault);
    }

    /// Lets nothing go wrong any more.
    pub fn clear_faults(&self) {
        lock(&self.state).faults.drain(..).for_each(|fault| fault.release());
    }

    /// Waits until a request came whose path and query contain this.
    ///
    /// # Panics
    /// Where none comes.
    pub fn until_asked(&self, part: &str) {
        let came = |state: &mut State| !state.requests.iter().any(|request| request.target.contains(part));
        let waited = self.asked.wait_timeout_while(lock(&self.state), PATIENCE, came).unwrap();
        assert!(!waited.1.timed_out(), "nothing asked for {part}");
    }

    /// What git asked for so far: the packs, not the lists of refs.
    pub fn packs(&self) -> usize {
        self.requests().iter().filter(|one| one.method == "POST" && one.path().ends_with("/git-upload-pack")).count()
    }

    /// What was asked so far, git's requests included.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.state).requests.clone()
    }

    /// Forgets what was asked so far.
    pub fn forget_requests(&self) {
        lock(&self.state).requests.clear();
    }

    /// Goes away: connections are refused from then on.
    pub fn stop(&mut self) {
        self.server.stop();
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Drop for Github {
    fn drop(&mut self) {
        self.clear_faults();
    }
}

fn answer(state: &Mutex<State>, asked: &Condvar, request: Request) -> Response {
    let (fault, view) = {
        let mut state = lock(state);
        state.requests.push(request.clone());
        asked.notify_all();
        let fault = state.faults.iter_mut().find_map(|fault| fault.strikes(&request).then(|| fault.clone()));
        (fault, state.view())
    };
    let response = view.answer(&request);
    match fault {
        Some(fault) => fault.apply(response),
        None => response,
    }
}

impl State {
    /// The state as it is now; requests are answered without holding the lock.
    fn view(&self) -> Self {
        Self {
            folder: self.folder.clone(),
            owner: self.owner.clone(),
            repo: self.repo.clone(),
            pulls: self.pulls.clone(),
            token: self.token.clone(),
            faults: Vec::new(),
            requests: Vec::new(),
            url: self.url.clone(),
            moved: self.moved,
        }
    }

    fn answer(&self, request: &Request) -> Response {
        let code = format!("/{}/{}.git/", self.owner, self.repo);
        if let Some(rest) = request.path().strip_prefix(&code) {
            return self.code(request, rest);
        }
        let named = format!("/api/v3/repos/{}/{}/", self.owner, self.repo);
        let path = request.path();
        if path == "/api/v3/rate_limit" {
            let known = self.token.as_ref().map(|token| format!("Bearer {token}"));
            return match (known, request.header("authorization")) {
                (Some(known), Some(sent)) if sent != known => refuse(401, "Bad credentials"),
                (_, sent) => {
                    let said = with_etag(request, &json!({ "resources": {} }));
                    if sent.is_some() { said.with("X-OAuth-Scopes", "repo, read:org".to_owned()) } else { said }
                }
            };
        }
        let Some(rest) = path.strip_prefix(&named).or_else(|| path.strip_prefix("/api/v3/repositories/1/")) else {
            return refuse(404, "Not Found");
        };
        match (&self.token, request.header("authorization")) {
            (Some(_), None) => return refuse(404, "Not Found"),
            (Some(token), Some(sent)) if sent != format!("Bearer {token}") => return refuse(401, "Bad credentials"),
            _ => {}
        }
        if self.moved && path.starts_with(&named) {
            let query = if request.query().is_empty() { String::new() } else { format!("?{}", request.query()) };
            let to = format!("{}/api/v3/repositories/1/{rest}{query}", self.url);
            return refuse(301, "Moved Permanently").with("Location", to);
        }
        match self.rest(request, rest) {
            Some(value) => with_etag(request, &value),
            None => refuse(404, "Not Found"),
        }
    }

    fn rest(&self, request: &Request, rest: &str) -> Option<Value> {
        let git = Repository::open(&self.folder).ok()?;
        if let Some(number) = rest.strip_prefix("pulls/") {
            let number: u64 = number.parse().ok()?;
            return self.pull_json(&git, number, self.pulls.get(&number)?);
        }
        let (base, head) = rest.strip_prefix("compare/")?.split_once("...")?;
        let (base, head) = (Oid::from_str(base).ok()?, Oid::from_str(head).ok()?);
        let merge_base = git.merge_base(base, head).ok()?;
        let mut compared = json!({
            "url": format!("{}{}", self.url, request.target),
            "base_commit": { "sha": base.to_string() },
            "merge_base_commit": { "sha": merge_base.to_string() },
            "status": "diverged",
            "commits": [],
        });
        // Only the first page carries files; a test that asks for it by mistake can be seen to.
        if !request.query().split('&').any(|field| field.starts_with("page=") && field != "page=1") {
            compared["files"] = json!([{ "filename": "a-file" }]);
        }
        Some(compared)
    }

    fn pull_json(&self, git: &Repository, number: u64, pull: &Pull) -> Option<Value> {
        let (base, head) = (Oid::from_str(&pull.base).ok()?, Oid::from_str(&pull.head).ok()?);
        let tree = |id: Oid| git.find_commit(id)?.tree();
        let from = git.merge_base(base, head).unwrap_or(base);
        let diff = git.diff_tree_to_tree(tree(from).ok().as_ref(), tree(head).ok().as_ref(), None).ok()?;
        let stats = diff.stats().ok()?;
        let full = format!("{}/{}", self.owner, self.repo);
        let repository = |name: &str| json!({ "full_name": name, "private": self.token.is_some() });
        Some(json!({
            "url": format!("{}/api/v3/repos/{full}/pulls/{number}", self.url),
            "html_url": format!("{}/{full}/pull/{number}", self.url),
            "number": number,
            "state": pull.state,
            "title": pull.title,
            "body": pull.body,
            "user": pull.author.as_ref().map(|login| json!({ "login": login, "type": "User" })),
            "draft": pull.draft,
            "merged": pull.merged,
            "merged_at": pull.merged.then_some("2026-01-02T03:04:05Z"),
            "base": { "ref": pull.base_branch, "sha": pull.base, "repo": repository(&full) },
            "head": { "ref": pull.head_branch, "sha": pull.head, "repo": pull.head_repository.as_deref().map(repository) },
            "changed_files": stats.files_changed(),
            "additions": stats.insertions(),
            "deletions": stats.deletions(),
        }))
    }

    /// Git's smart HTTP, by git's own server program.
    fn code(&self, request: &Request, rest: &str) -> Response {
        if let Some(token) = &self.token {
            let sent = request.header("authorization").unwrap_or_default();
            if !accepts(token, sent) {
                return refuse(401, "Authentication required").with("WWW-Authenticate", "Basic realm=\"GitHub\"");
            }
        }
        backend(&self.folder, request, rest).unwrap_or_else(|| refuse(500, "git http-backend failed"))
    }
}

/// Git sends a token as a bearer or as the password of a basic account.
fn accepts(token: &str, sent: &str) -> bool {
    use base64::Engine;
    let basic = |account: &str| base64::prelude::BASE64_STANDARD.encode(format!("{account}:{token}"));
    sent == format!("Bearer {token}")
        || ["x-access-token", "git", "oauth2"].iter().any(|account| sent == format!("Basic {}", basic(account)))
}

fn refuse(status: u16, message: &str) -> Response {
    let body = json!({ "message": message, "documentation_url": "https://docs.github.com/rest", "status": status.to_string() });
    Response::new(status, "application/json; charset=utf-8", body.to_string())
}

fn with_etag(request: &Request, value: &Value) -> Response {
    let body = value.to_string();
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    let etag = format!("W/\"{:016x}\"", hasher.finish());
    let kind = "application/json; charset=utf-8";
    match request.header("if-none-match") == Some(&etag) {
        true => Response::new(304, kind, "").with("ETag", etag),
        false => Response::new(200, kind, body).with("ETag", etag),
    }
}

/// Runs `git http-backend` as a web server would, letting any commit be wanted by its id, as GitHub does.
fn backend(folder: &Path, request: &Request, rest: &str) -> Option<Response> {
    let folder = folder.canonicalize().ok()?;
    let name = folder.file_name()?.to_str()?.to_owned();
    let settings =
        [("uploadpack.allowAnySHA1InWant", "true"), ("uploadpack.allowFilter", "true"), ("safe.directory", "*")];
    let mut command = Command::new("git");
    command
        .arg("http-backend")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_PROJECT_ROOT", folder.parent()?)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("GIT_CONFIG_COUNT", settings.len().to_string())
        .env("PATH_INFO", format!("/{name}/{rest}"))
        .env("QUERY_STRING", request.query())
        .env("REQUEST_METHOD", &request.method)
        .env("REMOTE_ADDR", "127.0.0.1")
        .env("CONTENT_TYPE", request.header("content-type").unwrap_or_default())
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    for (at, (key, value)) in settings.iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{at}"), key).env(format!("GIT_CONFIG_VALUE_{at}"), value);
    }
    for (header, variable) in [("content-encoding", "HTTP_CONTENT_ENCODING"), ("git-protocol", "GIT_PROTOCOL")] {
        if let Some(value) = request.header(header) {
            command.env(variable, value);
        }
    }
    let mut child = command.spawn().ok()?;
    let (mut input, body) = (child.stdin.take()?, request.body.clone());
    let writing = std::thread::spawn(move || input.write_all(&body));
    let output = child.wait_with_output().ok()?.stdout;
    let _ = writing.join();
    cgi(&output)
}

/// Reads what a CGI program printed: headers, an empty line, the body.
fn cgi(output: &[u8]) -> Option<Response> {
    let end = output.windows(4).position(|four| four == b"\r\n\r\n")?;
    let mut response = Response::new(200, "", &output[end + 4..]);
    response.headers.clear();
    for line in std::str::from_utf8(&output[..end]).ok()?.split("\r\n") {
        let (name, value) = line.split_once(": ")?;
        match name {
            "Status" => response.status = value.split(' ').next()?.parse().ok()?,
            _ => response.headers.push((name.to_owned(), value.to_owned())),
        }
    }
    Some(response)
}
