//! Reading both trees from objects, and the list of changed files.

use git2::{ObjectType, Oid};
use rayon::prelude::*;
use second_look::change::{FileMode, Missing, ObjectId, RepoPath, Side, Trees};
use second_look::source::git::{BLOB_LIMIT, GitTrees, open_commits};

use crate::ground::{File, Ground, commit, facts, file, id, rows};

#[tokio::test]
async fn lists_every_kind_of_change_as_git_does() {
    let ground = Ground::new();
    let cache = ground.open_cache();
    let git = git2::Repository::open_bare(cache.folder()).unwrap();
    let long: String = (0..40).map(|n| format!("line {n}\n")).collect();
    let edited = long.replace("line 7\n", "line seven\n");
    let base = commit(
        &git,
        "main",
        &[],
        &[
            file("gone", "x\n"),
            file("kind", "target"),
            file("mode", "m\n"),
            file("moved", &long),
            file("same", "s\n"),
            ("sub", 0o160_000, b"one"),
        ],
    );
    let odd: File<'_> = ("new\n\"name\"\t.txt", 0o100_644, b"n\n");
    let head = commit(
        &git,
        "topic",
        &[base],
        &[
            ("kind", 0o120_000, b"target"),
            ("mode", 0o100_755, b"m\n"),
            file("there/moved", &edited),
            file("same", "s\n"),
            ("sub", 0o160_000, b"two"),
            odd,
        ],
    );
    let change = open_commits(&cache, facts(), id(base), id(head)).await.unwrap();
    assert_eq!(
        rows(&change),
        [
            "deletion gone",
            "type change kind",
            "modification mode",
            "addition new\n\"name\"\t.txt",
            "modification sub",
            "rename there/moved from moved",
        ]
    );
    assert_eq!(change.files[0].base.unwrap().size, Some(2));
    assert_eq!(change.files[4].head.unwrap().size, None);
    assert_eq!(change.files[4].head.unwrap().mode, FileMode::SUBMODULE);
    let empty = open_commits(&cache, facts(), id(head), id(head)).await.unwrap();
    assert_eq!(rows(&empty), Vec::<String>::new());
    let unknown = open_commits(&cache, facts(), id(base), ObjectId::new([9; 20])).await.err().unwrap();
    assert_eq!(unknown.to_string(), "object 0909090909 is not in the cache: open the change with a network once");
}

#[test]
fn reads_by_path_and_by_blob_over_several_threads() {
    let ground = Ground::new();
    let cache = ground.open_cache();
    let git = git2::Repository::open_bare(cache.folder()).unwrap();
    let texts: Vec<_> = (0..200).map(|n| (format!("d{}/f{n}", n % 7), format!("file {n}\n"))).collect();
    let files: Vec<_> = texts.iter().map(|(path, text)| file(path, text)).collect();
    let mut more = files.clone();
    more.extend([("link", 0o120_000, b"/etc/passwd".as_slice()), ("sub", 0o160_000, b"x")]);
    let (base, head) = (commit(&git, "main", &[], &files), commit(&git, "topic", &[], &more));
    let tree = |commit: Oid| id(git.find_commit(commit).unwrap().tree_id());
    let trees = GitTrees::open(cache.folder(), tree(base), tree(head)).unwrap();
    let entries = trees.entries(Side::Head).unwrap();
    assert_eq!(entries.len(), 202);
    assert!(entries.is_sorted_by(|one, two| one.path < two.path));
    assert_eq!(trees.entries(Side::Base).unwrap().len(), 200);
    texts.par_iter().for_each(|(path, text)| {
        let version = trees.file(Side::Base, &RepoPath::from(path.as_str())).unwrap().unwrap();
        assert_eq!(version.size, Some(text.len() as u64));
        assert_eq!(&*trees.blob(version.blob).unwrap(), text.as_bytes());
    });
    let link = trees.file(Side::Head, &"link".into()).unwrap().unwrap();
    assert_eq!((link.mode, &*trees.blob(link.blob).unwrap()), (FileMode::SYMLINK, b"/etc/passwd".as_slice()));
    assert_eq!(trees.file(Side::Head, &"sub".into()).unwrap().unwrap().mode, FileMode::SUBMODULE);
    for none in ["", "d0", "d0/", "d0/none", "link/x", "sub/x", "d0/../d1", "/d0/f0", "d0//f0"] {
        assert_eq!(trees.file(Side::Head, &none.into()).unwrap(), None, "{none}");
    }
}

#[test]
fn what_cannot_be_read_says_why() {
    let ground = Ground::new();
    let cache = ground.open_cache();
    let git = git2::Repository::open_bare(cache.folder()).unwrap();
    let odb = git.odb().unwrap();
    let large = odb.write(ObjectType::Blob, &vec![0; BLOB_LIMIT as usize + 1]).unwrap();
    let fits = odb.write(ObjectType::Blob, &vec![0; BLOB_LIMIT as usize]).unwrap();
    let absent = Oid::from_bytes(&[7; 20]).unwrap();
    let rows = [("100644 absent", absent), ("40000 folder", absent), ("100644 large", large)];
    let rows: Vec<u8> =
        rows.iter().flat_map(|(row, id)| [format!("{row}\0").as_bytes(), id.as_bytes()].concat()).collect();
    let tree = id(odb.write(ObjectType::Tree, &rows).unwrap());
    let trees = GitTrees::open(cache.folder(), tree, tree).unwrap();
    let why = |missing: Missing| missing.why;
    assert_eq!(trees.blob(id(large)).map_err(why), Err("its 64 MiB are over the limit of 64 MiB".to_owned()));
    assert_eq!(trees.blob(id(fits)).unwrap().len(), BLOB_LIMIT as usize);
    assert_eq!(trees.blob(id(absent)).map_err(why), Err("it was not fetched".to_owned()));
    assert_eq!(trees.blob(tree).map_err(why), Err("it is a tree, not a file".to_owned()));
    assert_eq!(trees.file(Side::Head, &"absent".into()).unwrap().unwrap().size, None);
    assert_eq!(trees.file(Side::Head, &"folder/x".into()).map_err(why), Err("it was not fetched".to_owned()));
    assert_eq!(trees.entries(Side::Base).map_err(why), Err("it was not fetched".to_owned()));
    assert!(GitTrees::open(cache.folder(), tree, id(absent)).is_err());
    assert!(GitTrees::open(&ground.path("nothing"), tree, tree).is_err());
}

#[test]
fn trees_made_to_hurt_are_refused() {
    let ground = Ground::new();
    let cache = ground.open_cache();
    let git = git2::Repository::open_bare(cache.folder()).unwrap();
    let odb = git.odb().unwrap();
    let folder = |names: &[&str], inner: Oid| {
        let rows: Vec<u8> =
            names.iter().flat_map(|name| [format!("40000 {name}\0").as_bytes(), inner.as_bytes()].concat()).collect();
        odb.write(ObjectType::Tree, &rows).unwrap()
    };
    let leaf = odb.write(ObjectType::Tree, b"").unwrap();
    let ten = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let bomb = (0..12).fold(leaf, |inner, _| folder(&ten, inner));
    let deep = (0..5000).fold(leaf, |inner, _| folder(&["d"], inner));
    for (tree, why) in [(bomb, "more than 2000000 files and folders"), (deep, "longer than 4096 bytes")] {
        let trees = GitTrees::open(cache.folder(), id(tree), id(tree)).unwrap();
        let missing = trees.entries(Side::Head).unwrap_err();
        assert!(missing.why.contains(why), "{missing}");
    }
}
