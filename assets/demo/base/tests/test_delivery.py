"""What a delivery does when the target does not play along."""

from haul.delivery import deliver
from haul.jobs import Job
from tests.fakes import FakeSleep, FakeTransport

ITEM = "http://stock.test/items/7"
CHARGES = "http://pay.test/charges"


def test_an_answer_ends_the_delivery():
    transport = FakeTransport({ITEM: [200]})
    result = deliver(Job(1, "PUT", ITEM), transport)
    assert str(result) == "200 after 1 send"
    assert result.done


def test_a_refusal_is_an_answer():
    transport = FakeTransport({ITEM: [409]})
    result = deliver(Job(1, "PUT", ITEM), transport)
    assert result.status == 409
    assert not result.done


def test_an_unreachable_target_is_tried_again():
    sleep = FakeSleep()
    transport = FakeTransport({ITEM: ["refused", "refused", 200]})
    result = deliver(Job(1, "PUT", ITEM), transport, 3, sleep)
    assert str(result) == "200 after 3 sends"
    assert sleep.waits == [0.5, 1.0]


def test_attempts_run_out():
    transport = FakeTransport({ITEM: ["refused"]})
    result = deliver(Job(1, "GET", ITEM), transport, 2, FakeSleep())
    assert str(result) == "connection refused after 2 sends"


def test_a_charge_that_times_out_is_sent_once():
    transport = FakeTransport({CHARGES: ["timeout"]})
    result = deliver(Job(1, "POST", CHARGES), transport, 3, FakeSleep())
    assert not result.done
    assert len(transport.sent) == 1


def test_a_request_that_times_out_is_not_repeated():
    transport = FakeTransport({ITEM: ["timeout", 200]})
    result = deliver(Job(1, "PUT", ITEM), transport, 3, FakeSleep())
    assert result.error == "no answer within 10 s"
