//! A small review to look at: parts of every importance, noise, answers.

use std::sync::Arc;

use crate::ask::{Answer, CheckFailure, Citation, Refusal, Section, Stamp};
use crate::change::fixtures::Fixture;
use crate::change::noise::{Noise, NoiseLabel, NoiseState};
use crate::change::parts::{ContentKey, Part, Piece};
use crate::change::rank::{Importance, Rank, Signal};
use crate::change::syntax::EntityChange;
use crate::change::{Change, FileReading, Origin, Place, PullRequest, RankedPart, Reading, Side, State};
use crate::review::Review;
use crate::text::clean;

pub const POOL_BASE: &str = "import time\n\n\nclass Pool:\n\tdef __init__(self):\n\t\tself._conns = []\n\n\tdef close(self):\n\
\t\t# drops every connection\n\t\tself._conns.clear()\n\n\tdef size(self):\n\t\treturn len(self._conns)\n\n\n\
def idle(pool):\n\treturn [c for c in pool._conns if c.idle]\n\n\ndef busy(pool):\n\treturn not idle(pool)\n\n\n\
def name(pool):\n\treturn \"pool\"\n\n\ndef age(pool):\n\treturn time.time() - pool.born\n";

pub fn pool_head() -> String {
    POOL_BASE
        .replace("\t\tself._conns.clear()\n", "\t\tfor c in self._conns:\n\t\t\tc.close()\n\t\tself._conns.clear()\n")
        .replace("pool.born\n", "pool.born_at\n")
}

const LOCK_BASE: &str = "[[package]]\nname = \"a\"\nversion = \"1.0\"\n";
const LOCK_HEAD: &str = "[[package]]\nname = \"a\"\nversion = \"1.1\"\n";

/// The change the snapshots show.
pub fn pool_change() -> (Change, Vec<FileReading>) {
    let wide = "名前 = \"値\"  # 日本語の注釈\n";
    let (mut change, readings) = Fixture::new(
        &[("net/pool.py", POOL_BASE), ("poetry.lock", LOCK_BASE), ("docs/pool.md", "# Pool\n"), ("i18n/ja.py", wide)],
        &[
            ("net/pool.py", &pool_head()),
            ("poetry.lock", LOCK_HEAD),
            ("docs/pool.md", "# Pool\n\nClosing closes connections.\n"),
            ("i18n/ja.py", "名前 = \"新しい値\"  # 日本語の注釈\n"),
            ("tests/test_pool.py", "def test_close():\n    assert Pool().close() is None\n"),
        ],
    )
    .entity("net/pool.py", 0, "Pool.close", true, EntityChange::Body)
    .build();
    change.facts.origin = Origin::PullRequest(PullRequest {
        server: "https://github.com".to_owned(),
        owner: "encode".to_owned(),
        repo: "httpx".to_owned(),
        number: 3690,
    });
    change.facts.title = "Close idle connections".to_owned();
    change.facts.author = "ada".to_owned();
    change.facts.state = Some(State::Open);
    change.facts.base_branch = "main".to_owned();
    change.facts.head_branch = "close-idle".to_owned();
    change.base_commit = "1111111111111111111111111111111111111111".parse().ok();
    change.head_commit = "2222222222222222222222222222222222222222".parse().ok();
    (change, readings)
}

/// Makes a part of hunks of one file; its key is made of the name.
pub fn part(files: &[FileReading], name: &str, file: usize, hunks: &[usize], importance: Importance) -> RankedPart {
    let of =
        |count: fn(&crate::change::diff::Hunk) -> u32| hunks.iter().map(|at| count(&files[file].diff.hunks[*at])).sum();
    let signal = |key, phrase: &str, points| Signal { key, phrase: clean(phrase), points };
    RankedPart {
        part: Part {
            key: ContentKey(format!("key of {name}")),
            name: clean(name),
            pieces: vec![Piece { file, hunks: hunks.to_vec() }],
            entities: Vec::new(),
            additions: of(|hunk| hunk.count(crate::change::diff::LineKind::Addition)),
            deletions: of(|hunk| hunk.count(crate::change::diff::LineKind::Deletion)),
        },
        rank: Rank {
            importance,
            reason: clean("public surface: Pool.close; 7 files name it"),
            points: 5,
            signals: vec![
                signal("public-surface", "public surface: Pool.close", 3),
                signal("references", "7 files name it", 2),
                signal("role", "code", 0),
            ],
            sunk: false,
        },
        noise: None,
    }
}

/// A reading with the given parts.
pub fn reading(change: Change, files: Vec<FileReading>, parts: Vec<RankedPart>) -> Reading {
    Reading { change: Arc::new(change), files: Arc::new(files), parts, left_out: Vec::new() }
}

/// Five parts: must, worth, worth, context, noise.
pub fn pool_review() -> Review {
    let (change, files) = pool_change();
    let at = |path: &str| change.files.iter().position(|file| file.path.text() == path).unwrap();
    let mut lock = part(&files, "poetry.lock", at("poetry.lock"), &[0], Importance::Context);
    lock.rank.sunk = true;
    lock.noise = Some(Noise {
        label: NoiseLabel::Lockfile,
        state: NoiseState::Claimed,
        rule: "lockfile-name",
        blind_spot: "a changed source of a package looks the same".to_owned(),
    });
    let parts = vec![
        part(&files, "Pool.close in net/pool.py", at("net/pool.py"), &[0], Importance::MustReview),
        part(&files, "age in net/pool.py", at("net/pool.py"), &[1], Importance::WorthReviewing),
        part(
            &files,
            "top-level code in tests/test_pool.py",
            at("tests/test_pool.py"),
            &[0],
            Importance::WorthReviewing,
        ),
        part(&files, "i18n/ja.py", at("i18n/ja.py"), &[0], Importance::Context),
        lock,
    ];
    let mut review = Review::new(Arc::new(reading(change, files, parts)));
    review.as_of = Some("2026-11-30T12:04:10Z".to_owned());
    review
}

pub fn stamp(part: &RankedPart) -> Stamp {
    Stamp {
        ask: "explain".to_owned(),
        ask_version: 1,
        agent: "plain".to_owned(),
        agent_version: "1".to_owned(),
        model: None,
        effort: None,
        login: None,
        account: None,
        started: "2026-11-30T12:05:00Z".to_owned(),
        duration_ms: 12,
        tokens: None,
        cost: None,
        attempts: 1,
        base_commit: "1111111111111111111111111111111111111111".parse().ok(),
        head_commit: "2222222222222222222222222222222222222222".parse().ok(),
        content: part.part.key.clone(),
        checks: vec!["citation".to_owned(), "names".to_owned()],
        fences: Vec::new(),
    }
}

pub fn cite(path: &str, side: Side, line: u32, quote: &str) -> Citation {
    Citation { place: Place { path: path.into(), side, line, end_line: line }, quote: clean(quote) }
}

/// An answer about the first part that cites three places: here, in another hunk, in another file.
pub fn answer(part: &RankedPart) -> Answer {
    Answer {
        part_name: part.part.name.clone(),
        asked: None,
        sections: vec![
            Section {
                heading: "What it does".to_owned(),
                text: clean(
                    "`Pool.close` now closes each connection before it forgets them [1], where it only forgot them before.",
                ),
            },
            Section {
                heading: "Why it matters to the change".to_owned(),
                text: clean("A connection that was idle stayed open [2]. The test asks for it [3]."),
            },
        ],
        citations: vec![
            cite("net/pool.py", Side::Head, 11, "c.close()"),
            cite("net/pool.py", Side::Base, 29, "return time.time() - pool.born"),
            cite("tests/test_pool.py", Side::Head, 2, "assert Pool().close() is None"),
        ],
        facts: vec![clean("7 files of the head tree name `close`.")],
        not_shown: Vec::new(),
        stamp: stamp(part),
    }
}

pub fn refusal(part: &RankedPart) -> Refusal {
    let what = clean("[2] quotes \"self.pool\", which line 12 of net/pool.py does not have");
    let failed = vec![CheckFailure { check: "citation", what }];
    Refusal { failed, refused: clean("whatever it said"), stamp: stamp(part) }
}
