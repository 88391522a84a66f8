//! Temporary repositories made by git2, and a loopback server that serves them by git's own http-backend.

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use git2::{Oid, Repository, Signature, Time};
use second_look::change::{Change, Facts, ObjectId, Origin, Side};
use second_look::source::git::{CacheRepository, RepositoryName};
use tempfile::TempDir;
use tiny_http::{Header, Request, Response, Server, StatusCode};

/// A file of a commit: path, mode and content.
pub type File<'a> = (&'a str, i32, &'a [u8]);

/// An ordinary file.
pub fn file<'a>(path: &'a str, content: &'a str) -> File<'a> {
    (path, 0o100_644, content.as_bytes())
}

/// A folder with room for a clone, a server's repository and a cache.
pub struct Ground {
    pub folder: TempDir,
}

impl Ground {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn cache(&self) -> PathBuf {
        self.path("cache")
    }

    /// The repository that a server serves as `octo/demo`.
    pub fn served(&self) -> Repository {
        Repository::init_bare(self.path("served/octo/demo.git")).unwrap()
    }

    pub fn open_cache(&self) -> CacheRepository {
        CacheRepository::open(&self.cache(), &RepositoryName::parse("github.com/octo/demo").unwrap()).unwrap()
    }
}

/// Makes a commit of exactly these files.
pub fn commit(git: &Repository, branch: &str, parents: &[Oid], files: &[File<'_>]) -> Oid {
    let mut index = git2::Index::new().unwrap();
    for (path, mode, content) in files {
        let id = if *mode == 0o160_000 {
            Oid::hash_object(git2::ObjectType::Blob, content).unwrap()
        } else {
            git.blob(content).unwrap()
        };
        let zero = git2::IndexTime::new(0, 0);
        let path = path.as_bytes().to_vec();
        let (mode, flags) = (*mode as u32, 0);
        let entry = git2::IndexEntry {
            ctime: zero,
            mtime: zero,
            dev: 0,
            ino: 0,
            mode,
            uid: 0,
            gid: 0,
            file_size: 0,
            id,
            flags,
            flags_extended: 0,
            path,
        };
        index.add(&entry).unwrap();
    }
    let tree = git.find_tree(index.write_tree_to(git).unwrap()).unwrap();
    let parents: Vec<_> = parents.iter().map(|id| git.find_commit(*id).unwrap()).collect();
    let parents: Vec<_> = parents.iter().collect();
    let who = Signature::new("A", "a@example.com", &Time::new(1_000_000, 0)).unwrap();
    let made = git.commit(None, &who, &who, branch, &tree, &parents).unwrap();
    git.reference(&format!("refs/heads/{branch}"), made, true, "").unwrap();
    made
}

pub fn id(oid: Oid) -> ObjectId {
    oid.to_string().parse().unwrap()
}

pub fn facts() -> Facts {
    Facts {
        origin: Origin::Recorded("test".to_owned()),
        title: String::new(),
        description: String::new(),
        author: String::new(),
        state: None,
        base_branch: String::new(),
        head_branch: String::new(),
        head_repository: None,
    }
}

/// How many objects a repository holds.
pub fn objects(folder: &Path) -> usize {
    let mut count = 0;
    let git = Repository::open(folder).unwrap();
    git.odb()
        .unwrap()
        .foreach(|_| {
            count += 1;
            true
        })
        .unwrap();
    count
}

/// The changed files as `letter path` and, for renames, where from.
pub fn rows(change: &Change) -> Vec<String> {
    let row = |file: &second_look::change::ChangedFile| {
        let from = file.previous_path.as_ref().map_or_else(String::new, |path| format!(" from {}", path.text()));
        format!("{} {}{from}", file.kind.word(), file.path.text())
    };
    change.files.iter().map(row).collect()
}

/// The content of a changed file at the head.
pub fn head_of(change: &Change, path: &str) -> String {
    let version = change.trees.file(Side::Head, &path.into()).unwrap().unwrap();
    String::from_utf8(change.trees.blob(version.blob).unwrap().to_vec()).unwrap()
}

/// What a server does besides serving.
#[derive(Default)]
pub struct Manners {
    /// The token it wants.
    pub token: Option<&'static str>,
    /// Where it sends everybody.
    pub redirect: Option<String>,
    /// Whether it stops in the middle of a pack until it is dropped.
    pub stall: AtomicBool,
}

/// A git server on loopback.
pub struct GitServer {
    pub url: String,
    pub manners: Arc<Manners>,
    /// The `Authorization` of each request.
    pub seen: Arc<Mutex<Vec<Option<String>>>>,
    server: Arc<Server>,
}

impl GitServer {
    pub fn start(root: &Path, manners: Manners) -> Self {
        let server = Arc::new(Server::http("127.0.0.1:0").unwrap());
        let url = format!("http://{}/octo/demo.git", server.server_addr().to_ip().unwrap());
        let (manners, seen) = (Arc::new(manners), Arc::new(Mutex::new(Vec::new())));
        for _ in 0..2 {
            let (server, root) = (server.clone(), root.to_owned());
            let (manners, seen) = (manners.clone(), Arc::clone(&seen));
            std::thread::spawn(move || {
                for request in server.incoming_requests() {
                    serve(request, &root, &manners, &seen);
                }
            });
        }
        Self { url, manners, seen, server }
    }
}

impl Drop for GitServer {
    fn drop(&mut self) {
        self.manners.stall.store(false, Ordering::SeqCst);
        self.server.unblock();
        self.server.unblock();
    }
}

fn header(request: &Request, name: &str) -> Option<String> {
    let found = request.headers().iter().find(|header| header.field.as_str().as_str().eq_ignore_ascii_case(name));
    found.map(|header| header.value.as_str().to_owned())
}

fn serve(mut request: Request, root: &Path, manners: &Manners, seen: &Mutex<Vec<Option<String>>>) {
    let login = header(&request, "authorization");
    seen.lock().unwrap().push(login.clone());
    if let Some(to) = &manners.redirect {
        let to = Header::from_bytes("Location", format!("{to}/info/refs?service=git-upload-pack")).unwrap();
        let _ = request.respond(Response::empty(301).with_header(to));
        return;
    }
    let wanted = manners.token.map(|token| {
        use base64::Engine as _;
        format!("Basic {}", base64::prelude::BASE64_STANDARD.encode(format!("x-access-token:{token}")))
    });
    if wanted.is_some() && login != wanted {
        let ask = Header::from_bytes("WWW-Authenticate", "Basic realm=\"x\"").unwrap();
        let _ = request.respond(Response::empty(401).with_header(ask));
        return;
    }
    let mut body = Vec::new();
    request.as_reader().read_to_end(&mut body).unwrap();
    let url = request.url().to_owned();
    let (path, query) = url.split_once('?').unwrap_or((&url, ""));
    let mut command = Command::new("git");
    command.arg("http-backend").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("REQUEST_METHOD", request.method().as_str())
        .env("CONTENT_LENGTH", body.len().to_string());
    for (name, variable) in [
        ("content-type", "CONTENT_TYPE"),
        ("content-encoding", "HTTP_CONTENT_ENCODING"),
        ("git-protocol", "GIT_PROTOCOL"),
    ] {
        if let Some(value) = header(&request, name) {
            command.env(variable, value);
        }
    }
    let mut backend = command.spawn().unwrap();
    let mut stdin = backend.stdin.take().unwrap();
    std::thread::spawn(move || stdin.write_all(&body));
    let mut out = Vec::new();
    backend.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    backend.wait().unwrap();
    let end = out.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(out[..end].to_vec()).unwrap();
    let content = out.split_off(end + 4);
    let (mut status, mut headers) = (200, Vec::new());
    for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
        match name {
            "Status" => status = value[..3].parse().unwrap(),
            _ => headers.push(Header::from_bytes(name, value).unwrap()),
        }
    }
    let pack = path.ends_with("git-upload-pack") && content.len() > 20_000;
    if pack && manners.stall.load(Ordering::SeqCst) {
        // Half of the pack, and then silence for as long as the server stalls.
        let half = content.len() / 2;
        let reader = Cursor::new(content[..half].to_vec()).chain(Silence { waited: 0 });
        let _ = request.respond(Response::new(StatusCode(status), headers, reader, None, None));
        return;
    }
    let length = content.len();
    let _ = request.respond(Response::new(StatusCode(status), headers, Cursor::new(content), Some(length), None));
}

struct Silence {
    waited: u32,
}

impl Read for Silence {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        while self.waited < 100 {
            self.waited += 1;
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(0)
    }
}

/// Bytes that do not compress.
pub fn noise(length: usize, seed: u32) -> Vec<u8> {
    let mut state = seed | 1;
    let next = move |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    };
    (0..length).map(next).collect()
}
