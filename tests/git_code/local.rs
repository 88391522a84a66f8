//! Local ranges, the index and the working tree: from clones of every shape, which are never written to.

use std::fs;
use std::path::Path;
use std::process::Command;

use git2::{Oid, Repository};
use second_look::change::{Change, FileMode, Origin, Side};
use second_look::problem::Problem;
use second_look::source::git::{LocalRange, open_local};

use crate::ground::{Ground, commit, file, head_of, id, rows};

/// A clone at `clone` with `main` (two commits), `topic` (one more on the first) and a checked out `main`.
fn clone(ground: &Ground) -> Repository {
    let mut options = git2::RepositoryInitOptions::new();
    let git = Repository::init_opts(ground.path("clone"), options.initial_head("main")).unwrap();
    let first = commit(&git, "main", &[], &[file("a", "1\n"), file("b", "1\n"), file("dir/c", "1\n")]);
    commit(&git, "topic", &[first], &[file("a", "1\n"), file("b", "topic\n"), file("dir/c", "1\n")]);
    commit(&git, "main", &[first], &[file("a", "2\n"), file("b", "1\n"), file("dir/c", "1\n")]);
    git.checkout_head(Some(git2::build::CheckoutBuilder::new().force())).unwrap();
    git
}

async fn open(ground: &Ground, folder: &Path, range: LocalRange) -> Result<Change, Problem> {
    open_local(&ground.cache(), folder, &range).await
}

fn between(base: &str, head: &str) -> LocalRange {
    LocalRange::Between { base: base.to_owned(), head: head.to_owned() }
}

fn since(base: &str, head: &str) -> LocalRange {
    LocalRange::Since { base: base.to_owned(), head: head.to_owned() }
}

fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(folder)
        .args(["-c", "protocol.file.allow=always", "-c", "user.name=a", "-c", "user.email=a@b"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn ranges_of_commits() {
    let ground = Ground::new();
    let git = clone(&ground);
    let sub = ground.path("clone/dir");
    let two_dots = open(&ground, &sub, between("main", "topic")).await.unwrap();
    assert_eq!(rows(&two_dots), ["modification a", "modification b"]);
    let three_dots = open(&ground, &sub, since("main", "topic")).await.unwrap();
    assert_eq!(rows(&three_dots), ["modification b"]);
    assert_eq!(head_of(&three_dots, "b"), "topic\n");
    let topic = open(&ground, &sub, LocalRange::Topic("topic".to_owned())).await.unwrap();
    assert_eq!((topic.base_tree, topic.head_tree), (three_dots.base_tree, three_dots.head_tree));
    let head = git.revparse_single("topic").unwrap().id();
    assert_eq!(topic.head_commit, Some(id(head)));
    let by_id = open(&ground, &sub, LocalRange::Topic(head.to_string()[..10].to_owned())).await.unwrap();
    assert_eq!(by_id.head_commit, topic.head_commit);
    let empty = open(&ground, &sub, between("main", "main")).await.unwrap();
    assert_eq!(rows(&empty), Vec::<String>::new());
    assert_eq!(two_dots.facts.title, "main..topic");
    let Origin::Local { folder, range } = &three_dots.facts.origin else { panic!() };
    assert_eq!(
        (Path::new(folder), range.as_str()),
        (ground.path("clone").canonicalize().unwrap().as_path(), "main...topic")
    );

    let unknown = open(&ground, &sub, between("main", "nope")).await.err().unwrap();
    assert!(unknown.what().contains("`nope`"), "{unknown}");
    let nowhere = open(&ground, ground.folder.path(), between("main", "topic")).await.err().unwrap();
    assert!(nowhere.what().contains("not inside a git clone"), "{nowhere}");
    let alone = commit(&git, "alone", &[], &[file("z", "z\n")]);
    let apart = open(&ground, &sub, since("main", &alone.to_string())).await.err().unwrap();
    assert!(apart.what().contains("no commit in common"), "{apart}");
}

#[tokio::test]
async fn the_default_branch_is_that_of_origin_first() {
    let ground = Ground::new();
    let git = clone(&ground);
    let topic = LocalRange::Topic("main".to_owned());
    assert_eq!(rows(&open(&ground, &ground.path("clone"), topic.clone()).await.unwrap()), Vec::<String>::new());
    let first = git.revparse_single("main~1").unwrap().id();
    git.reference("refs/remotes/origin/trunk", first, true, "").unwrap();
    git.reference_symbolic("refs/remotes/origin/HEAD", "refs/remotes/origin/trunk", true, "").unwrap();
    assert_eq!(rows(&open(&ground, &ground.path("clone"), topic).await.unwrap()), ["modification a"]);
    let bare = Repository::init_bare(ground.path("odd.git")).unwrap();
    let trunk = commit(&bare, "trunk", &[], &[file("a", "1\n")]);
    commit(&bare, "work", &[trunk], &[file("a", "2\n")]);
    let work = LocalRange::Topic("work".to_owned());
    bare.set_head("refs/heads/trunk").unwrap();
    assert_eq!(rows(&open(&ground, &ground.path("odd.git"), work.clone()).await.unwrap()), ["modification a"]);
    bare.set_head("refs/heads/none").unwrap();
    let problem = open(&ground, &ground.path("odd.git"), work).await.err().unwrap();
    assert!(problem.what().contains("no default branch"), "{problem}");
}

#[tokio::test]
async fn clones_of_every_shape() {
    let ground = Ground::new();
    clone(&ground);
    let source = ground.path("clone");
    let name = source.to_str().unwrap();
    git(&source, &["clone", "-q", "--bare", name, "../bare clone.git"]);
    git(&source, &["worktree", "add", "-q", "../tree", "topic"]);
    git(&source, &["clone", "-q", "--depth=1", "--no-single-branch", &format!("file://{name}"), "../shallow"]);
    git(&source, &["clone", "-q", "--shared", name, "../shared"]);
    for folder in ["bare clone.git", "tree", "shared"] {
        let change = open(&ground, &ground.path(folder), since("HEAD", "HEAD")).await.unwrap();
        assert_eq!(rows(&change), Vec::<String>::new(), "{folder}");
    }
    for (folder, main, topic) in [
        ("bare clone.git", "main", "topic"),
        ("tree", "main", "topic"),
        ("shared", "main", "origin/topic"),
        ("shallow", "main", "origin/topic"),
    ] {
        let ground = Ground { folder: tempfile::tempdir_in(ground.folder.path()).unwrap() };
        let folder = ground.folder.path().parent().unwrap().join(folder);
        let change = open(&ground, &folder, between(main, topic)).await.unwrap();
        assert_eq!(rows(&change), ["modification a", "modification b"], "{}", folder.display());
    }
    fs::write(ground.path("tree/new"), "new\n").unwrap();
    assert_eq!(rows(&open(&ground, &ground.path("tree"), LocalRange::WorkingTree).await.unwrap()), ["addition new"]);
    let cut = open(&ground, &ground.path("shallow"), since("main", "origin/topic")).await.err().unwrap();
    assert!(cut.to_string().contains("--unshallow"), "{cut}");
    let bare = open(&ground, &ground.path("bare clone.git"), LocalRange::WorkingTree).await.err().unwrap();
    assert!(bare.what().contains("no working tree"), "{bare}");
}

#[tokio::test]
async fn the_index_and_the_working_tree() {
    let ground = Ground::new();
    let git = clone(&ground);
    let top = ground.path("clone");
    fs::write(top.join("a"), "staged\n").unwrap();
    fs::write(top.join("added"), "added\n").unwrap();
    let mut index = git.index().unwrap();
    index.add_path(Path::new("a")).unwrap();
    index.add_path(Path::new("added")).unwrap();
    index.write().unwrap();
    fs::write(top.join("a"), "staged and more\n").unwrap();
    fs::remove_file(top.join("b")).unwrap();
    fs::write(top.join(".gitignore"), "*.log\n").unwrap();
    fs::write(top.join("x.log"), "ignored\n").unwrap();
    fs::create_dir_all(top.join("new/deep")).unwrap();
    fs::write(top.join("new/deep/file"), "new\n").unwrap();
    Repository::init(top.join("nested")).unwrap();
    fs::write(top.join("nested/inside"), "x\n").unwrap();
    let before = fs::read(top.join(".git/index")).unwrap();

    let staged = open(&ground, &top, LocalRange::Staged).await.unwrap();
    assert_eq!(rows(&staged), ["modification a", "addition added"]);
    assert_eq!(head_of(&staged, "a"), "staged\n");
    assert_eq!((staged.head_commit, staged.base_commit.is_some()), (None, true));
    let working = open(&ground, &top, LocalRange::WorkingTree).await.unwrap();
    assert_eq!(
        rows(&working),
        ["addition .gitignore", "modification a", "addition added", "deletion b", "addition new/deep/file"]
    );
    assert_eq!(head_of(&working, "a"), "staged and more\n");
    assert_eq!(working.left_out.len(), 1);
    assert_eq!(working.left_out[0].why, "it is a repository of its own");
    assert_eq!(fs::read(top.join(".git/index")).unwrap(), before, "the clone was written to");
    // Kept by a ref, so that it can be read for ever.
    let cache = Repository::open(ground.cache().join("repositories/local/changes.git")).unwrap();
    assert!(cache.find_reference(&format!("refs/second-look/{}", working.head_tree)).is_ok());
}

#[cfg(unix)]
#[tokio::test]
async fn links_modes_and_things_that_are_no_files() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let ground = Ground::new();
    clone(&ground);
    let top = ground.path("clone");
    symlink("/etc/passwd", top.join("link")).unwrap();
    fs::remove_file(top.join("b")).unwrap();
    symlink("a", top.join("b")).unwrap();
    fs::set_permissions(top.join("a"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::remove_dir_all(top.join("dir")).unwrap();
    symlink("/etc", top.join("dir")).unwrap();
    git(&top, &["init", "-q"]);
    assert!(Command::new("mkfifo").arg(top.join("pipe")).status().unwrap().success());
    let change = open(&ground, &top, LocalRange::WorkingTree).await.unwrap();
    assert_eq!(rows(&change), ["modification a", "type change b", "addition dir", "deletion dir/c", "addition link"]);
    assert_eq!(head_of(&change, "link"), "/etc/passwd");
    assert_eq!(head_of(&change, "dir"), "/etc");
    let mode = |path: &str| change.trees.file(Side::Head, &path.into()).unwrap().unwrap().mode;
    assert_eq!((mode("a"), mode("b")), (FileMode::EXECUTABLE, FileMode::SYMLINK));
}

#[tokio::test]
async fn nothing_of_the_clone_is_run() {
    let ground = Ground::new();
    let repository = clone(&ground);
    let top = ground.path("clone");
    let trap = ground.path("trapped");
    let run = format!("touch {}", trap.display());
    let mut config = repository.config().unwrap();
    for key in [
        "filter.trap.clean",
        "filter.trap.smudge",
        "filter.trap.process",
        "core.fsmonitor",
        "diff.trap.textconv",
        "diff.external",
        "core.sshCommand",
        "uploadpack.packObjectsHook",
        "core.pager",
        "core.askPass",
        "core.alternateRefsCommand",
        "alias.fetch",
    ] {
        config.set_str(key, &run).unwrap();
    }
    config.set_bool("filter.trap.required", true).unwrap();
    fs::write(top.join(".gitattributes"), "* filter=trap diff=trap\n").unwrap();
    fs::write(top.join("a"), "changed\n").unwrap();
    fs::create_dir_all(top.join(".git/hooks")).unwrap();
    for hook in ["reference-transaction", "post-checkout", "pre-auto-gc", "fsmonitor-watchman", "post-index-change"] {
        let path = top.join(".git/hooks").join(hook);
        fs::write(&path, format!("#!/bin/sh\n{run}\n")).unwrap();
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    for range in [LocalRange::WorkingTree, LocalRange::Staged, since("main", "topic")] {
        open(&ground, &top, range).await.unwrap();
    }
    let working = open(&ground, &top, LocalRange::WorkingTree).await.unwrap();
    assert_eq!(head_of(&working, "a"), "changed\n");
    assert!(!trap.exists());
}

#[tokio::test]
async fn line_ends_are_taken_as_git_would_store_them() {
    for (autocrlf, attributes, expected) in [
        ("true", "", vec!["modification edited"]),
        ("input", "", vec!["modification edited"]),
        ("false", "* text=auto\n", vec!["modification edited"]),
        ("false", "*.txt -text\nonly text\nedited eol=crlf\n", vec!["modification edited"]),
        ("false", "", vec!["modification edited", "modification only"]),
        ("true", "only -text\nedited text\n", vec!["modification edited", "modification only"]),
    ] {
        let ground = Ground::new();
        let mut options = git2::RepositoryInitOptions::new();
        let git = Repository::init_opts(ground.path("clone"), options.initial_head("main")).unwrap();
        let files = [
            file(".gitattributes", attributes),
            file("edited", "1\n2\n3\n"),
            file("only", "1\n2\n"),
            file("stored", "1\r\n2\r\n"),
        ];
        commit(&git, "main", &[], &files);
        git.checkout_head(Some(git2::build::CheckoutBuilder::new().force().disable_filters(true))).unwrap();
        git.config().unwrap().set_str("core.autocrlf", autocrlf).unwrap();
        let top = ground.path("clone");
        fs::write(top.join("only"), "1\r\n2\r\n").unwrap();
        fs::write(top.join("edited"), "1\r\ntwo\r\n3\r\n").unwrap();
        let change = open(&ground, &top, LocalRange::WorkingTree).await.unwrap();
        assert_eq!(rows(&change), expected, "{autocrlf} {attributes:?}");
        let edited =
            if expected.len() == 1 || attributes.contains("edited") { "1\ntwo\n3\n" } else { "1\r\ntwo\r\n3\r\n" };
        assert_eq!(head_of(&change, "edited"), edited, "{autocrlf} {attributes:?}");
    }
}

#[tokio::test]
async fn a_clone_without_a_commit() {
    let ground = Ground::new();
    let git = Repository::init(ground.path("clone")).unwrap();
    let top = ground.path("clone");
    assert_eq!(rows(&open(&ground, &top, LocalRange::Staged).await.unwrap()), Vec::<String>::new());
    fs::write(top.join("a"), "1\n").unwrap();
    let mut index = git.index().unwrap();
    index.add_path(Path::new("a")).unwrap();
    index.write().unwrap();
    fs::write(top.join("b"), "1\n").unwrap();
    let staged = open(&ground, &top, LocalRange::Staged).await.unwrap();
    assert_eq!((rows(&staged), staged.base_commit), (vec!["addition a".to_owned()], None));
    assert_eq!(rows(&open(&ground, &top, LocalRange::WorkingTree).await.unwrap()), ["addition a", "addition b"]);
}

#[tokio::test]
async fn conflicts_sparse_entries_and_submodules() {
    let ground = Ground::new();
    let repository = clone(&ground);
    let top = ground.path("clone");
    git(&top, &["sparse-checkout", "set", "--no-cone", "/*", "!/dir/"]);
    assert!(!top.join("dir/c").exists());
    assert_eq!(rows(&open(&ground, &top, LocalRange::WorkingTree).await.unwrap()), Vec::<String>::new());
    git(&top, &["sparse-checkout", "disable"]);
    git(&top, &["checkout", "-q", "topic"]);
    let other = commit(
        &repository,
        "other",
        &[repository.revparse_single("topic~1").unwrap().id()],
        &[file("a", "1\n"), file("b", "other\n"), file("dir/c", "1\n")],
    );
    let merge = Command::new("git")
        .current_dir(&top)
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "merge", "-q", &other.to_string()])
        .output();
    assert!(!merge.unwrap().status.success());
    let working = open(&ground, &top, LocalRange::WorkingTree).await.unwrap();
    assert_eq!(rows(&working), ["modification b"]);
    assert!(head_of(&working, "b").contains("<<<<<<<"));
    assert_eq!(working.left_out[0].why, "the file has conflicts");
    let staged = open(&ground, &top, LocalRange::Staged).await.unwrap();
    assert_eq!(rows(&staged), Vec::<String>::new());

    let ground = Ground::new();
    clone(&ground);
    let top = ground.path("clone");
    let inner = Repository::init(ground.path("inner")).unwrap();
    commit(&inner, "main", &[], &[file("x", "1\n")]);
    inner.set_head("refs/heads/main").unwrap();
    git(&top, &["submodule", "add", "-q", ground.path("inner").to_str().unwrap(), "sub"]);
    git(&top, &["commit", "-q", "-m", "sub"]);
    assert_eq!(rows(&open(&ground, &top, LocalRange::WorkingTree).await.unwrap()), Vec::<String>::new());
    let sub = Repository::open(top.join("sub")).unwrap();
    let tip: Oid = commit(&sub, "main", &[sub.head().unwrap().target().unwrap()], &[file("x", "2\n")]);
    let moved = open(&ground, &top, LocalRange::WorkingTree).await.unwrap();
    assert_eq!(rows(&moved), ["modification sub"]);
    assert_eq!(moved.files[0].head.unwrap().blob, id(tip));
}

#[tokio::test]
async fn a_bare_repository_without_settings_is_itself_the_clone() {
    let ground = Ground::new();
    clone(&ground);
    git(&ground.path(""), &["clone", "--quiet", "--bare", "clone", "bare"]);
    fs::remove_file(ground.path("bare/config")).unwrap();
    let place = second_look::source::git::clone_at(&ground.path("bare")).unwrap();
    assert_eq!(place.top, ground.path("bare").canonicalize().unwrap());
    let change = open(&ground, &ground.path("bare"), since("main", "topic")).await.unwrap();
    assert_eq!(rows(&change), ["modification b"]);
    for range in [LocalRange::WorkingTree, LocalRange::Staged] {
        let problem = open(&ground, &ground.path("bare"), range).await.err().unwrap();
        assert_eq!(problem.hints(), ["give a range such as `main...topic`"]);
    }
}
