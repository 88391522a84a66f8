//! What the names check lets through and what it refuses.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use super::*;
use crate::ask::Subject;
use crate::ask::fixtures::Labelled;
use proptest::prelude::*;

const HEAD: &str = r#"
import os.path
class Pool:
    def close(self, max_age=30):
        größe_höhe = self._conns.size
        File.open("data/cache.json", mode)
        return None

    def _expire(self, maxAge):
        run("--dry-run", 3.10, "https://example.org/a")
"#;

fn subject() -> Subject {
    let mut labelled = Labelled { title: "Make FooBar faster".to_owned(), ..Labelled::default() };
    labelled.description = "Calls `frobnicate` and max_flurb of GizmoTron.".to_owned();
    labelled.add_file("src/net/pool.py", Some("x = 1\n"), Some(HEAD));
    labelled.add_file("docs/use.md", Some("Old\n"), Some("New\n"));
    labelled.add_part(&["src/net/pool.py"]);
    labelled.add_part(&["docs/use.md"]);
    labelled.add_named("close", &["app/main.py"], &["tests/test_pool.py"]);
    labelled.subject()
}

fn refused(text: &str, subject: &Subject) -> bool {
    unknown(text, &subject.shown)
}

#[test]
fn lets_through_what_the_change_or_the_facts_show() {
    let subject = subject();
    for text in [
        "`Pool.close` and `Pool::close` call `File.open`; `close()` takes max_age and maxAge.",
        "`src/net/pool.py`, `net/pool.py`, `pool.py`, pool.py:12 and `src/net/` are shown, as is `docs/use.md`.",
        "`app/main.py` names it, `tests/test_pool.py` tests it.",
        "`größe_höhe` is `self._conns.size`, in `Pool._conns`.",
        "It reads `data/cache.json` with `--dry-run` at https://example.org/a and os.path.",
        "Returns `None`, not `true`; `>=` 30 `3.10`.",
        "On macOS, Node.js and GitHub, e.g. and/or the README, client/server, i.e. JavaScript's WebSockets.",
        "FooBar is what the title calls it, GizmoTron the description.",
        "`` File.open(\"data/cache.json\", mode) `` as written; `pool.Pool.close` by module.",
        "`close(max_age)` `max_age=30` [1] (`close`).",
    ] {
        assert!(!refused(text, &subject), "{text}: {:?}", prose::names(text));
    }
}

#[test]
fn refuses_what_is_not_there_and_what_was_put_together() {
    let subject = subject();
    for text in [
        "`Pool.open`",
        "`File.close`",
        "Pool.open is called",
        "`self.close`",
        "`_conns.close`",
        "`expire`",
        "`clos`",
        "`src/pool.py`",
        "`net/pool.rs`",
        "src/other/pool.py",
        "`src/net/pool`x",
        "other.py",
        "`main.rs`",
        "`app/`/x `src/app/`",
        "`frobnicate`",
        "max_flurb",
        "frobnicate()",
        "`GizmoTron`",
        "`FooBar`",
        "BarBaz",
        "minAge",
        "höhe_größe",
        "`--dry`-x `--run-dry`",
        "`3.11`",
        "`max_age=31`",
        "https://example.org/b",
        "`os.close`",
        "a::b",
        "`Pool.close.size`",
        "``Pool.open``",
        "see `File.open` (`Pool.open`)",
        "and/Pool.open",
        "`close` `unclosed max_flurb",
    ] {
        assert!(refused(text, &subject), "{text}: {:?}", prose::names(text));
    }
}

#[test]
fn says_what_to_do() {
    let subject = subject();
    let say = |text: &str| problem(prose::names(text)[0], &Known::alone(&subject.shown)).unwrap();
    assert_eq!(
        say("`Pool.open`"),
        "`Pool.open` in `Pool.open` is not written so anywhere in the change or the facts, although its words are: write \
         the name as the change writes it."
    );
    assert!(say("`net/gone.py`").starts_with("`net/gone.py` is no path that the change or the facts show"));
    assert!(say("`a_b(Pool)`").starts_with("`a_b` in `a_b(Pool)` is neither in the change nor in the facts"));
}

proptest! {
    #[test]
    fn judges_any_text(text in any::<String>(), code in "[`a-zA-Z_.(/): é\\-]{0,60}") {
        let shown = Shown::default();
        unknown(&text, &shown);
        unknown(&code, &shown);
    }
}
