//! A pull request with a bit of everything, served on loopback.

use git2::Oid;

use crate::support::github::Github;
use crate::support::program::Program;
use crate::support::repository::{Entry, TestRepository};

/// The number of the pull request.
pub const NUMBER: u64 = 7;

/// A program, a GitHub and a pull request whose base branch has moved on.
pub struct Scene {
    pub program: Program,
    pub github: Github,
    pub repository: TestRepository,
    /// Where the head branched off.
    pub merge_base: Oid,
    pub head: Oid,
}

/// A line of the part that the screen tests read, which several of them look for.
pub const POOL_LINE: &str = "for connection in self.idle:";

const POOL: &str = "\
import time


class Pool:
    def __init__(self, size):
        self.size = size
        self.idle = []

    def open(self):
        return connect(self.size)

    def close(self):
        self.idle.clear()

    def age(self, connection):
        # how long it lives already
        return time.time() - connection.born

    def count(self):
        return len(self.idle)


def connect(size):
    return object()
";

const RELAY: &str = "\
package relay

import \"fmt\"

// Send sends one message.
func Send(to string, text string) error {
	if to == \"\" {
		return fmt.Errorf(\"nobody to send to\")
	}
	fmt.Println(to, text)
	return nil
}

func quiet() bool {
	return true
}
";

impl Scene {
    /// Starts it; nothing has been opened yet.
    pub fn new() -> Self {
        let repository = TestRepository::new();
        let base = base(&repository);
        let moved = repository.change(base, &[("README.md", Some(b"# Pool\n\nMoved on.\n"))]);
        repository.branch("main", moved);
        let head = head(&repository, base);
        repository.branch("topic", head);
        let github = Github::start(repository.path());
        github.pull(NUMBER, "Close idle connections", "Closes what idles.\n\nFixes #3.", moved, head);
        Self { program: Program::new(), github, repository, merge_base: base, head }
    }

    /// The address of its pull request.
    pub fn url(&self) -> String {
        self.github.pull_url(NUMBER)
    }

    /// What `review --json` prints of it.
    pub fn review(&self) -> String {
        self.program.prints(&["review", &self.url(), "--json"])
    }

    /// Pushes a commit that changes one file to the pull request; the new head.
    pub fn push(&self, path: &str, text: &str) -> Oid {
        let head = self.repository.change(self.head, &[(path, Some(text.as_bytes()))]);
        self.repository.branch("topic", head);
        self.github.move_head(NUMBER, head);
        head
    }
}

fn base(repository: &TestRepository) -> Oid {
    let list = numbered("row", 1..60, &[]);
    repository.commit_entries(
        &[],
        &[
            Entry::file("README.md", b"# Pool\n"),
            Entry::file("pool/pool.py", POOL.as_bytes()),
            Entry::file("pool/uses.py", b"from pool.pool import Pool\n\nPool(3).close()\n"),
            Entry::file("relay/relay.go", RELAY.as_bytes()),
            Entry::file("relay/old_name.go", numbered("// line", 1..30, &[]).as_bytes()),
            Entry::file("tests/test_pool.py", b"def test_size():\n    assert Pool(3).size == 3\n"),
            Entry::file("list.txt", list.as_bytes()),
            Entry::file("latin.txt", b"caf\xe9\nna\xefve\nplain\n"),
            Entry::file("dos.txt", b"one\r\ntwo\r\nthree\r\n"),
            Entry::file("last.txt", b"no line feed"),
            Entry::file("gone.py", b"def gone():\n    return 1\n"),
            Entry::file("logo.bin", b"\x00\x01\x02base"),
            Entry::file("run.sh", b"#!/bin/sh\n"),
            Entry { path: "link", mode: 0o120_000, bytes: b"list.txt" },
        ],
    )
}

fn head(repository: &TestRepository, base: Oid) -> Oid {
    let pool = POOL
        .replace(
            "        self.idle.clear()\n",
            &format!("        {POOL_LINE}\n            connection.close()\n        self.idle.clear()\n"),
        )
        .replace("return object()", "return object(size)")
        .replace("len(self.idle)", "len(self.idle) + 0");
    let list = numbered("row", 1..60, &[5, 30, 31, 55]);
    let moved = numbered("// line", 1..30, &[15]);
    let odd =
        b"tab\there\nbell\x07 and escape \x1b[31m\nc1 \xc2\x9b2J\nhalf \xc3\nlone\rreturn\n+++ b/fake\n@@ -1 +1 @@\n";
    repository.commit_entries(
        &[base],
        &[
            Entry::file("README.md", b"# Pool\n"),
            Entry::file("pool/pool.py", pool.as_bytes()),
            Entry::file("pool/uses.py", b"from pool.pool import Pool\n\nPool(3).close()\n"),
            Entry::file("relay/relay.go", RELAY.replace("to == \"\"", "len(to) == 0").as_bytes()),
            Entry::file("relay/new_name.go", moved.as_bytes()),
            Entry::file("tests/test_pool.py", b"def test_size():\n    assert Pool(3).size == 3\n\n\ndef test_close():\n    assert Pool(3).close() is None\n"),
            Entry::file("list.txt", list.as_bytes()),
            Entry::file("latin.txt", b"caf\xe9s\nna\xefve\nplain\n"),
            Entry::file("dos.txt", b"one\r\nTWO\r\nthree\n"),
            Entry::file("last.txt", b"no line feed\nbut one more line"),
            Entry::file("logo.bin", b"\x00\x01\x02head is longer"),
            Entry { path: "run.sh", mode: 0o100_755, bytes: b"#!/bin/sh\n" },
            Entry { path: "link", mode: 0o120_000, bytes: b"latin.txt" },
            Entry::file("odd \"name\".txt", odd),
            Entry::file("empty.txt", b""),
        ],
    )
}

/// Numbered lines, those of the list said differently.
pub fn numbered(word: &str, lines: std::ops::Range<usize>, other: &[usize]) -> String {
    lines.map(|n| if other.contains(&n) { format!("{word} {n} is new\n") } else { format!("{word} {n}\n") }).collect()
}
