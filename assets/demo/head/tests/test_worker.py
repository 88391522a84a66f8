"""The worker, replayed over recorded jobs; what it logs is compared with a snapshot."""

import json
import os
from pathlib import Path

from haul.jobs import read_job
from haul.queue import Queue
from haul.worker import Worker
from tests.fakes import FakeSleep, FakeTransport

HERE = Path(__file__).parent
SNAPSHOT = HERE / "__snapshots__" / "worker_log.txt"


def test_log_of_a_run():
    recorded = json.loads((HERE / "fixtures" / "jobs.json").read_text())
    queue = Queue(":memory:")
    for fields in recorded:
        queue.add(read_job(0, fields))
    transport = FakeTransport({fields["url"]: fields["outcomes"] for fields in recorded})
    lines: list[str] = []
    worker = Worker(queue, transport, sleep=FakeSleep(), log=lines.append)
    while worker.run_once():
        pass
    log = "\n".join(lines) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(log)
    assert log == SNAPSHOT.read_text()


def test_an_empty_queue_is_no_work():
    assert not Worker(Queue(":memory:"), FakeTransport({})).run_once()
