"""The retry policy: waits, limits, and what may be sent twice."""

import pytest

from haul import config
from haul.jobs import Job
from haul.retry import RetryPolicy, wait_before

CHARGES = "http://pay.test/charges"


def test_waits_double_up_to_the_longest():
    assert list(RetryPolicy(attempts=5, longest_wait=3.0).waits()) == [0.5, 1.0, 2.0, 3.0]


def test_one_attempt_never_waits():
    assert list(RetryPolicy(attempts=1).waits()) == []


def test_a_wait_follows_a_failure():
    with pytest.raises(ValueError):
        wait_before(0, 0.5, 30.0)


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE"])
def test_harmless_requests_keep_their_attempts(method):
    assert RetryPolicy().for_job(Job(1, method, CHARGES)).attempts == 3


def test_a_post_has_one_attempt():
    assert RetryPolicy().for_job(Job(1, "POST", CHARGES)).attempts == 1


def test_a_post_with_a_key_keeps_its_attempts():
    job = Job(1, "POST", CHARGES, idempotency_key="order-31")
    assert RetryPolicy().for_job(job).attempts == 3


def test_the_defaults_are_a_policy():
    assert RetryPolicy.from_settings(config.load()) == RetryPolicy()


@pytest.mark.parametrize("values", [{"attempts": 0}, {"first_wait": -1.0}, {"longest_wait": 0.1}])
def test_settings_that_make_no_sense(values):
    with pytest.raises(ValueError):
        RetryPolicy.from_settings({"retry": values})
