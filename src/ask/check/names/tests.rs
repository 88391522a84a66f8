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
        "It speaks HTTP/2, HTTP/1.1 and TLS 1.3 over TCP/IP; I/O, CI/CD and A/B are words, so is 24/7 or add/remove/update.",
        "An application/json body, UTF-8, base64, SHA-256, x86 and ARM64, OAuth2, IPv6, gzip'd, p99, 2xx and 1e6.",
        "E.g. PostgreSQL, MySQL, iOS, GitHub's and VS Code's, i.e. products (cf. RFC 9110), a.m., U.S., Ph.D. and vs. others.",
        "Größe, naïve, 日本語 and Übergröße are words; 3.10 and v1.2.3 are numbers; it's read-only, thread-safe, opt-in.",
        "Either/or, true/false, macOS/Linux, first-come and built-in: 2026/01/02 is a day, 1/2 a half.",
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
        "`größe.höhe`",
        "größe_breite",
        "`名前`",
        "src/net/gone",
        "`a/b/c`",
        "HTTP/Pool.open",
        "add/remove_all/update",
        "`Pool.close().size`x `close.size`",
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

#[test]
fn refuses_real_words_joined_as_nothing_joins_them() {
    let subject = subject();
    for text in [
        "`pool/close`",
        "`File/open`",
        "`run --no-cache`",
        "`Pool\u{b7}open`",
        "`Pool\u{2024}open`",
        "`Pool\u{ff0e}open`",
        "`Pool\u{2237}open`",
    ] {
        assert!(refused(text, &subject), "{text}");
    }
    // As the change writes them they are its own.
    for text in ["`run --dry-run`", "`data/cache.json`", "`net/pool.py`"] {
        assert!(!refused(text, &subject), "{text}");
    }
}
