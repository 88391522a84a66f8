//! What is asked of the server, what is not, and where the token goes.

use std::path::{Path, PathBuf};

use base64::Engine as _;

use crate::scene::{NUMBER, Scene};
use crate::support::github::{Fault, Github};
use crate::support::program::Program;

const TOKEN: &str = "ghp_S3cr3tS3cr3tS3cr3t";

/// The cache repository of the scene.
fn cached(program: &Program) -> PathBuf {
    let found = walkdir::WalkDir::new(program.folder("cache")).into_iter().map(|entry| entry.unwrap().into_path());
    found.into_iter().find(|path| path.ends_with("octo/demo.git")).unwrap()
}

fn objects(folder: &Path) -> usize {
    let mut ids = std::collections::BTreeSet::new();
    git2::Repository::open(folder)
        .unwrap()
        .odb()
        .unwrap()
        .foreach(|id| {
            ids.insert(*id);
            true
        })
        .unwrap();
    ids.len()
}

#[test]
fn opening_again_and_a_new_head_bring_only_what_is_missing() {
    let scene = Scene::new();
    scene.review();
    let folder = cached(&scene.program);
    let first = objects(&folder);
    assert_eq!(scene.github.packs(), 1);

    scene.github.forget_requests();
    scene.review();
    assert_eq!(scene.github.packs(), 0);
    let asked: Vec<String> = scene.github.requests().iter().map(|one| one.path().to_owned()).collect();
    assert!(asked.iter().all(|path| path.starts_with("/api/v3/repos/octo/demo/")), "{asked:?}");
    assert!(scene.github.requests().iter().any(|one| one.header("if-none-match").is_some()));

    // A commit, its tree and one file.
    let head = scene.push("list.txt", "short\n");
    let result: serde_json::Value = serde_json::from_str(&scene.review()).unwrap();
    assert_eq!(result["head_commit"], head.to_string());
    assert_eq!(objects(&folder), first + 3);

    // Another pull request of the repository: a commit, two trees, one file.
    let other = scene.repository.change(scene.merge_base, &[("pool/uses.py", Some(b"Pool(4).close()\n"))]);
    scene.repository.branch("other", other);
    scene.github.pull(8, "Another", "", scene.merge_base, other);
    scene.github.forget_requests();
    let result = scene.program.json(&["review", &scene.github.pull_url(8), "--json"]);
    assert_eq!(result["head_commit"], other.to_string());
    assert_eq!(objects(&folder), first + 3 + 4);
    let fetched: Vec<String> =
        scene.github.requests().iter().map(|one| String::from_utf8_lossy(&one.body).into_owned()).collect();
    assert!(fetched.iter().all(|body| !body.contains(&format!("want {}", scene.merge_base))), "{fetched:?}");
}

/// Everything the program wrote anywhere.
fn written(program: &Program) -> Vec<(PathBuf, Vec<u8>)> {
    ["config", "data", "cache", "home"]
        .iter()
        .filter(|name| program.folder(name).exists())
        .flat_map(|name| program.files(name))
        .collect()
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn the_token_goes_to_its_host_and_nowhere_else() {
    let mut scene = Scene::new();
    scene.github.private(TOKEN);
    scene.program.set("GH_ENTERPRISE_TOKEN", TOKEN);
    let mut said = vec![scene.review().into_bytes()];
    let requests = scene.github.requests();
    let (api, git): (Vec<_>, Vec<_>) = requests.iter().partition(|one| one.path().starts_with("/api/"));
    assert!(api.len() >= 2 && git.len() >= 2);
    assert!(api.iter().all(|one| one.header("authorization") == Some(&format!("Bearer {TOKEN}"))));
    assert!(git.iter().all(|one| one.header("authorization").is_some_and(|sent| sent.starts_with("Basic "))));

    // Wherever a failure is told, the token is not.
    scene.push("list.txt", "short\n");
    let url = scene.url();
    for (fault, on) in [
        (Fault::status(401, &format!("Bad credentials {TOKEN}")), "/api/"),
        (Fault::status(500, TOKEN), "/api/"),
        (Fault::status(500, TOKEN), "git-upload-pack"),
        (Fault::redirect(302, "/elsewhere"), "git-upload-pack"),
    ] {
        scene.github.fault(fault.on(on));
        let output = scene.program.run(&["review", &url, "--json"]);
        said.extend([output.stdout, output.stderr]);
        scene.github.clear_faults();
    }
    let encoded = base64::prelude::BASE64_STANDARD.encode(format!("x-access-token:{TOKEN}"));
    for text in [TOKEN, &encoded] {
        assert!(said.iter().all(|said| !holds(said, text)));
        for (path, bytes) in written(&scene.program) {
            assert!(!holds(&bytes, text), "{} holds the token", path.display());
        }
    }
}

#[test]
fn another_host_gets_no_token() {
    let mut scene = Scene::new();
    let other = Github::start(scene.repository.path());
    other.pull(NUMBER, "Elsewhere", "", scene.merge_base, scene.head);
    scene.program.set("GH_ENTERPRISE_TOKEN", TOKEN);
    let url = scene.url();
    for on in ["/api/", "/demo.git/"] {
        scene
            .github
            .fault(Fault::redirect(301, &format!("{}{}", other.url(), "/api/v3/repos/octo/demo/pulls/7")).on(on));
        let complaint = scene.program.fails(&["review", &url, "--json"]);
        assert!(!complaint.contains(TOKEN), "{complaint}");
        scene.github.clear_faults();
    }
    let sent: Vec<_> =
        other.requests().iter().filter_map(|one| one.header("authorization").map(str::to_owned)).collect();
    assert_eq!(sent, Vec::<String>::new());

    // A token for github.com is none for another host.
    let mut scene = Scene::new();
    scene.program.set("GH_TOKEN", TOKEN);
    scene.program.set("GITHUB_TOKEN", TOKEN);
    scene.review();
    assert!(scene.github.requests().iter().all(|one| one.header("authorization").is_none()));
}

#[test]
fn refusals_are_one_sentence_each() {
    let scene = Scene::new();
    let url = scene.url();
    for (fault, words) in [
        (Fault::status(401, "Bad credentials"), &["token"][..]),
        (Fault::status(404, "Not Found"), &["octo/demo"]),
        (Fault::rate_limit(2_000_000_000), &["hourly limit", "2033"]),
        (Fault::sign_on(&format!("{}/orgs/octo/sso", scene.github.url())), &["single sign-on", "no token"]),
        (Fault::garbage(), &["127.0.0.1"]),
        (Fault::truncate(), &["127.0.0.1"]),
        (Fault::drop(), &["127.0.0.1"]),
    ] {
        scene.github.fault(fault.on("/api/"));
        let complaint = scene.program.fails(&["review", &url]);
        words.iter().for_each(|word| assert!(complaint.contains(word), "{word} is missing: {complaint}"));
        scene.github.clear_faults();
    }
    scene.github.fault(Fault::status(404, "Not Found").on("/demo.git/"));
    scene.program.fails(&["review", &url]);
    scene.github.clear_faults();
    scene.review();
}
