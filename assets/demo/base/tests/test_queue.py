"""The queue keeps jobs in order and their states apart."""

from haul.jobs import Job
from haul.queue import Queue


def test_jobs_come_out_oldest_first():
    queue = Queue(":memory:")
    first = queue.add(Job(0, "GET", "http://stock.test/1"))
    queue.add(Job(0, "GET", "http://stock.test/2"))
    job = queue.claim()
    assert job is not None and job.id == first
    assert queue.state(first) == ("taken", "")


def test_unfinished_jobs_come_back():
    queue = Queue(":memory:")
    number = queue.add(Job(0, "GET", "http://stock.test/1"))
    queue.claim()
    assert queue.claim() is None
    assert queue.give_back() == 1
    assert queue.state(number) == ("queued", "")
