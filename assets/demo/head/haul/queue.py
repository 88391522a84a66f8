"""The queue: jobs in a SQLite database, oldest first."""

import sqlite3

from haul.jobs import Job

SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    id INTEGER PRIMARY KEY,
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    body TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued',
    note TEXT NOT NULL DEFAULT ''
)
"""


class Queue:
    """Jobs that wait for a worker, and what became of the others."""

    def __init__(self, path: str):
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.db.execute(SCHEMA)

    def add(self, job: Job) -> int:
        """Append `job`; its own id is ignored. Returns the id it got."""
        row = (job.method, job.url, job.body, job.idempotency_key)
        cursor = self.db.execute(
            "INSERT INTO jobs (method, url, body, idempotency_key) VALUES (?, ?, ?, ?)", row
        )
        return int(cursor.lastrowid or 0)

    def claim(self) -> Job | None:
        """Take the oldest waiting job, or nothing."""
        row = self.db.execute(
            "UPDATE jobs SET state = 'taken'"
            " WHERE id = (SELECT id FROM jobs WHERE state = 'queued' ORDER BY id LIMIT 1)"
            " RETURNING id, method, url, body, idempotency_key"
        ).fetchone()
        return Job(*row) if row else None

    def finish(self, job_id: int, done: bool, note: str) -> None:
        """Record the outcome of a taken job."""
        state = "done" if done else "failed"
        self.db.execute("UPDATE jobs SET state = ?, note = ? WHERE id = ?", (state, note, job_id))

    def state(self, job_id: int) -> tuple[str, str] | None:
        """The state of a job and its note; nothing for an unknown id."""
        return self.db.execute("SELECT state, note FROM jobs WHERE id = ?", (job_id,)).fetchone()

    def give_back(self) -> int:
        """Put jobs of a worker that stopped back into the queue. Returns how many."""
        return self.db.execute("UPDATE jobs SET state = 'queued' WHERE state = 'taken'").rowcount
