"""What other services are answered."""

from haul.api import answer
from haul.queue import Queue


def test_a_job_is_taken_and_found_again():
    queue = Queue(":memory:")
    body = b'{"method": "put", "url": "http://stock.test/items/7"}'
    assert answer(queue, "POST", "/jobs", body) == (202, {"id": 1})
    assert answer(queue, "GET", "/jobs/1", b"") == (200, {"state": "queued", "note": ""})


def test_a_job_without_a_url_is_refused():
    status, data = answer(Queue(":memory:"), "POST", "/jobs", b"{}")
    assert status == 422
    assert "needs a url" in data["error"]


def test_unknown_pages_and_jobs():
    assert answer(Queue(":memory:"), "GET", "/jobs/9", b"")[0] == 404
    assert answer(Queue(":memory:"), "GET", "/", b"")[0] == 404
