//! The database's versions. A step, once released, is never edited; a new version is a new step at the end.

use rusqlite_migration::{M, Migrations};

/// Every step from an empty database to the present version.
const STEPS: &[M<'_>] = &[
    M::up(
        "CREATE TABLE marks (
        change   TEXT NOT NULL,
        part     TEXT NOT NULL,
        at       TEXT NOT NULL,
        PRIMARY KEY (change, part)
    ) STRICT;
    CREATE TABLE answers (
        id       INTEGER PRIMARY KEY,
        change   TEXT NOT NULL,
        part     TEXT NOT NULL,
        at       TEXT NOT NULL,
        body     TEXT NOT NULL
    ) STRICT;
    CREATE INDEX answers_of_change ON answers (change, id);
    CREATE TABLE looks (
        change   TEXT NOT NULL PRIMARY KEY,
        at       TEXT NOT NULL,
        body     TEXT NOT NULL
    ) STRICT;
    CREATE TABLE facts (
        url      TEXT NOT NULL PRIMARY KEY,
        etag     TEXT NOT NULL,
        at       TEXT NOT NULL,
        body     BLOB NOT NULL
    ) STRICT;",
    ),
    M::up(
        "CREATE TABLE drafts (
        id       INTEGER PRIMARY KEY AUTOINCREMENT,
        change   TEXT NOT NULL,
        part     TEXT NOT NULL,
        at       TEXT NOT NULL,
        body     TEXT NOT NULL
    ) STRICT;
    CREATE INDEX drafts_of_change ON drafts (change, id);",
    ),
];

/// The steps, ready to run.
pub(super) const MIGRATIONS: Migrations<'_> = Migrations::from_slice(STEPS);

#[cfg(test)]
mod tests {
    #[test]
    fn steps_run_on_an_empty_database() {
        assert_eq!(super::MIGRATIONS.validate(), Ok(()));
    }
}
