//! Listing, removing and pruning the cache.

use std::collections::BTreeSet;

use second_look::source::git::{GitError, GitTrees, RepositoryName, list, open_commits, prune, remove};
use second_look::source::recorded;

use crate::ground::{GitServer, Ground, Manners, commit, facts, file, id, noise, objects};

#[tokio::test]
async fn pruning_keeps_what_is_needed_and_frees_the_rest() {
    let ground = Ground::new();
    let git = ground.served();
    let (first, second) = (noise(200_000, 1), noise(200_000, 2));
    let base = commit(&git, "main", &[], &[file("a", "1\n")]);
    let old = commit(&git, "old", &[base], &[("big", 0o100_644, &first)]);
    let new = commit(&git, "new", &[base], &[("big", 0o100_644, &second)]);
    let server = GitServer::start(&ground.path("served"), Manners::default());
    let cache = ground.open_cache();
    cache.fetch(&server.url, &[id(base), id(old), id(new)], None, &|_| ()).await.unwrap();
    let demo = recorded::open(&ground.cache(), "demo").await.unwrap();
    let names = |cached: &[second_look::source::git::CachedRepository]| -> Vec<(String, usize)> {
        cached.iter().map(|one| (one.name.to_string(), one.refs)).collect()
    };
    let before = list(&ground.cache()).unwrap();
    assert_eq!(names(&before), [("github.com/octo/demo".to_owned(), 3), ("local".to_owned(), 2)]);
    assert!(before[0].bytes > 400_000);

    // Both are open here, so neither is touched.
    let keep: BTreeSet<_> = [id(base), id(new), demo.base_tree, demo.head_tree].into();
    let pruned = prune(&ground.cache(), &keep).await.unwrap();
    assert_eq!((pruned.refs, pruned.busy.len()), (0, 2));
    assert!(matches!(remove(&ground.cache(), &RepositoryName::shared()), Err(GitError::Busy(_))));
    let (base_tree, head_tree) = (demo.base_tree, demo.head_tree);
    let folder = cache.folder().to_owned();
    drop((cache, demo));

    let pruned = prune(&ground.cache(), &keep).await.unwrap();
    assert_eq!((pruned.refs, pruned.busy.len()), (1, 0));
    assert!(pruned.bytes > 150_000, "{pruned:?}");
    // Two commits, two trees, two files.
    assert_eq!(objects(&folder), 6);
    let cache = ground.open_cache();
    assert!(cache.holds(id(base)) && cache.holds(id(new)) && !cache.holds(id(old)));
    assert!(open_commits(&cache, facts(), id(base), id(new)).await.is_ok());
    assert!(GitTrees::open(&ground.cache().join("repositories/local/changes.git"), base_tree, head_tree).is_ok());
    // What was pruned can be fetched again.
    assert!(cache.fetch(&server.url, &[id(old)], None, &|_| ()).await.unwrap().objects > 0);
    drop(cache);

    // A tree is enough to keep its commit; a repository that keeps nothing goes.
    let tree = id(git.find_commit(new).unwrap().tree_id());
    let pruned = prune(&ground.cache(), &[tree].into()).await.unwrap();
    assert_eq!(pruned.refs, 4);
    assert_eq!(names(&list(&ground.cache()).unwrap()), [("github.com/octo/demo".to_owned(), 1)]);

    remove(&ground.cache(), &RepositoryName::parse("github.com/octo/demo").unwrap()).unwrap();
    assert_eq!(list(&ground.cache()).unwrap(), []);
    assert_eq!(list(&ground.path("nothing")).unwrap(), []);
}
