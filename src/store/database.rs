//! `Store`: the rows of `state.db`, read and written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use super::schema::MIGRATIONS;
use super::{StoreError, private_folder};

/// How long a write waits for another running program before it fails.
const BUSY: Duration = Duration::from_secs(5);

/// An answer as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerRow {
    /// The content key of the part it is about.
    pub part: String,
    /// When it was kept, RFC 3339 in UTC.
    pub at: String,
    /// The answer in its stored form.
    pub body: String,
}

/// A draft of a comment as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftRow {
    /// Its number, never given twice.
    pub id: u64,
    /// The content key of the part it is about.
    pub part: String,
    /// When it was kept, RFC 3339 in UTC.
    pub at: String,
    /// The draft in its stored form.
    pub body: String,
}

/// An answer of a server as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactRow {
    /// Its validator.
    pub etag: String,
    /// When it was read, RFC 3339 in UTC.
    pub at: String,
    /// Its body.
    pub body: Vec<u8>,
}

/// The last look at a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookRow {
    /// The change's key.
    pub change: String,
    /// When, RFC 3339 in UTC.
    pub at: String,
    /// What was looked at, in its stored form.
    pub body: String,
}

/// The reviewer's database. Shared by reference between threads; each call is one short transaction.
pub struct Store {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl Store {
    /// Opens `state.db` in the data folder, making both where they are missing and bringing an older database up to date.
    ///
    /// # Errors
    /// [`StoreError::Newer`] where a newer program made it, which is left untouched; other [`StoreError`]s where
    /// the folder or the database cannot be used.
    pub fn open(data_folder: &Path) -> Result<Self, StoreError> {
        private_folder(data_folder)?;
        let path = data_folder.join("state.db");
        create_private(&path)?;
        let failed = |source| StoreError::Database { path: path.clone(), source };
        // Two programs that start at once must not both bring the database up to date.
        let lock = data_folder.join("state.lock");
        let opening = create_private(&lock)?;
        opening.lock().map_err(|source| StoreError::File { path: lock, source })?;
        let mut connection = Connection::open(&path).map_err(failed)?;
        connection.busy_timeout(BUSY).map_err(failed)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(failed)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
        migrate(&mut connection, &path)?;
        Ok(Self { path, connection: Mutex::new(connection) })
    }

    /// The content keys marked as reviewed in a change.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn marks(&self, change: &str) -> Result<BTreeSet<String>, StoreError> {
        self.run(|db| {
            let mut query = db.prepare_cached("SELECT part FROM marks WHERE change = ?1")?;
            query.query_map([change], |row| row.get(0))?.collect()
        })
    }

    /// Keeps or drops the mark of a part.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn set_mark(&self, change: &str, part: &str, on: bool, at: &str) -> Result<(), StoreError> {
        self.run(|db| {
            if on {
                db.execute("INSERT OR IGNORE INTO marks (change, part, at) VALUES (?1, ?2, ?3)", [change, part, at])
            } else {
                db.execute("DELETE FROM marks WHERE change = ?1 AND part = ?2", [change, part])
            }
        })?;
        Ok(())
    }

    /// The answers kept for a change, newest first.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn answers(&self, change: &str) -> Result<Vec<AnswerRow>, StoreError> {
        self.run(|db| {
            let mut query =
                db.prepare_cached("SELECT part, at, body FROM answers WHERE change = ?1 ORDER BY id DESC")?;
            let read =
                |row: &rusqlite::Row<'_>| Ok(AnswerRow { part: row.get(0)?, at: row.get(1)?, body: row.get(2)? });
            query.query_map([change], read)?.collect()
        })
    }

    /// Keeps an answer, in place of those given by their bodies.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn add_answer(&self, change: &str, row: &AnswerRow, instead_of: &[String]) -> Result<(), StoreError> {
        self.run(|db| {
            let step = db.unchecked_transaction()?;
            for body in instead_of {
                step.execute(
                    "DELETE FROM answers WHERE change = ?1 AND part = ?2 AND body = ?3",
                    [change, &row.part, body],
                )?;
            }
            step.execute(
                "INSERT INTO answers (change, part, at, body) VALUES (?1, ?2, ?3, ?4)",
                [change, &row.part, &row.at, &row.body],
            )?;
            step.commit()
        })
    }

    /// The drafts kept for a change, newest first.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn drafts(&self, change: &str) -> Result<Vec<DraftRow>, StoreError> {
        self.run(|db| {
            let mut query =
                db.prepare_cached("SELECT id, part, at, body FROM drafts WHERE change = ?1 ORDER BY id DESC")?;
            let read = |row: &rusqlite::Row<'_>| {
                let id: i64 = row.get(0)?;
                Ok(DraftRow { id: id.unsigned_abs(), part: row.get(1)?, at: row.get(2)?, body: row.get(3)? })
            };
            query.query_map([change], read)?.collect()
        })
    }

    /// Keeps a draft and returns its number.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn add_draft(&self, change: &str, part: &str, at: &str, body: &str) -> Result<u64, StoreError> {
        self.run(|db| {
            db.execute(
                "INSERT INTO drafts (change, part, at, body) VALUES (?1, ?2, ?3, ?4)",
                [change, part, at, body],
            )?;
            Ok(db.last_insert_rowid().unsigned_abs())
        })
    }

    /// Removes a draft.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn remove_draft(&self, change: &str, id: u64) -> Result<(), StoreError> {
        self.run(|db| {
            db.execute("DELETE FROM drafts WHERE change = ?1 AND id = ?2", params![change, id.cast_signed()])
        })?;
        Ok(())
    }

    /// The last look at a change.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn look(&self, change: &str) -> Result<Option<LookRow>, StoreError> {
        self.run(|db| {
            db.prepare_cached("SELECT change, at, body FROM looks WHERE change = ?1")?
                .query_row([change], read_look)
                .optional()
        })
    }

    /// Every change looked at, latest first.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn looks(&self) -> Result<Vec<LookRow>, StoreError> {
        self.run(|db| {
            let mut query = db.prepare_cached("SELECT change, at, body FROM looks ORDER BY at DESC, change")?;
            query.query_map([], read_look)?.collect()
        })
    }

    /// Keeps the last look at a change.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn set_look(&self, row: &LookRow) -> Result<(), StoreError> {
        self.run(|db| {
            db.execute(
                "INSERT INTO looks (change, at, body) VALUES (?1, ?2, ?3)
                 ON CONFLICT (change) DO UPDATE SET at = excluded.at, body = excluded.body",
                [&row.change, &row.at, &row.body],
            )
        })?;
        Ok(())
    }

    /// A server's answer kept for an address.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn fact(&self, url: &str) -> Result<Option<FactRow>, StoreError> {
        self.run(|db| {
            db.prepare_cached("SELECT etag, at, body FROM facts WHERE url = ?1")?
                .query_row([url], |row| Ok(FactRow { etag: row.get(0)?, at: row.get(1)?, body: row.get(2)? }))
                .optional()
        })
    }

    /// Keeps a server's answer for an address.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn set_fact(&self, url: &str, row: &FactRow) -> Result<(), StoreError> {
        self.run(|db| {
            db.execute(
                "INSERT INTO facts (url, etag, at, body) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (url) DO UPDATE SET etag = excluded.etag, at = excluded.at, body = excluded.body",
                params![url, row.etag, row.at, row.body],
            )
        })?;
        Ok(())
    }

    fn run<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        work(&connection).map_err(|source| StoreError::Database { path: self.path.clone(), source })
    }
}

fn read_look(row: &rusqlite::Row<'_>) -> rusqlite::Result<LookRow> {
    Ok(LookRow { change: row.get(0)?, at: row.get(1)?, body: row.get(2)? })
}

/// Makes a file with owner-only permissions, before SQLite would make it with wider ones, and opens it.
fn create_private(path: &Path) -> Result<std::fs::File, StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path).map_err(|source| StoreError::File { path: path.to_owned(), source })
}

fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    use rusqlite_migration::{Error, MigrationDefinitionError};
    MIGRATIONS.to_latest(connection).map_err(|error| match error {
        Error::MigrationDefinition(MigrationDefinitionError::DatabaseTooFarAhead) => {
            StoreError::Newer { path: path.to_owned() }
        }
        Error::RusqliteError { err, .. } => StoreError::Database { path: path.to_owned(), source: err },
        other => StoreError::File { path: path.to_owned(), source: std::io::Error::other(other.to_string()) },
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn answer(body: &str) -> AnswerRow {
        AnswerRow { part: "p".into(), at: "2026-01-01T00:00:00Z".into(), body: body.into() }
    }

    #[test]
    fn marks_answers_looks_and_facts_survive_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.set_mark("c", "p1", true, "t").unwrap();
        store.set_mark("c", "p1", true, "t").unwrap();
        store.set_mark("c", "p2", true, "t").unwrap();
        store.set_mark("c", "p2", false, "t").unwrap();
        store.add_answer("c", &answer("zero"), &[]).unwrap();
        store.add_answer("c", &answer("one"), &["zero".into()]).unwrap();
        store.add_answer("c", &answer("two"), &[]).unwrap();
        let look = LookRow { change: "c".into(), at: "t".into(), body: "{}".into() };
        store.set_look(&look).unwrap();
        let fact = FactRow { etag: "e".into(), at: "t".into(), body: vec![0, 255] };
        store.set_fact("u", &fact).unwrap();
        drop(store);
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(store.marks("c").unwrap().into_iter().collect::<Vec<_>>(), ["p1"]);
        assert_eq!(store.answers("c").unwrap(), [answer("two"), answer("one")]);
        assert_eq!(store.look("c").unwrap(), Some(look));
        assert_eq!(store.fact("u").unwrap(), Some(fact));
        assert_eq!(store.look("other").unwrap(), None);
    }

    #[test]
    fn drafts_have_numbers_of_their_own_and_survive_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let one = store.add_draft("c", "p", "t", "one").unwrap();
        let two = store.add_draft("c", "p", "t", "two").unwrap();
        store.remove_draft("other", two).unwrap();
        store.remove_draft("c", two).unwrap();
        let three = store.add_draft("c", "p", "t", "three").unwrap();
        assert!(one < two && two < three);
        drop(store);
        let store = Store::open(folder.path()).unwrap();
        let row = |id, body: &str| DraftRow { id, part: "p".into(), at: "t".into(), body: body.into() };
        assert_eq!(store.drafts("c").unwrap(), [row(three, "three"), row(one, "one")]);
        assert_eq!(store.drafts("other").unwrap(), []);
    }

    #[test]
    fn two_programs_write_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &'static str| {
            let path = folder.path().to_owned();
            std::thread::spawn(move || {
                let store = Store::open(&path).unwrap();
                (0..50).for_each(|n| store.set_mark("c", &format!("{name}{n}"), true, "t").unwrap());
            })
        };
        let writers = [write("a"), write("b")];
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        assert_eq!(Store::open(folder.path()).unwrap().marks("c").unwrap().len(), 100);
    }

    #[test]
    fn a_newer_database_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let raw = Connection::open(folder.path().join("state.db")).unwrap();
        raw.pragma_update(None, "user_version", 99).unwrap();
        drop(raw);
        assert!(matches!(Store::open(folder.path()), Err(StoreError::Newer { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let store = Store::open(&data).unwrap();
        store.set_mark("c", "p", true, "t").unwrap();
        for entry in std::fs::read_dir(&data).unwrap() {
            let entry = entry.unwrap();
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o077, 0, "{:?}", entry.path());
        }
    }
}
