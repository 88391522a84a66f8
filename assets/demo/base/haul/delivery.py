"""Delivers one job and says how that went."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from haul.backoff import Backoff
from haul.jobs import Job
from haul.transport import NotConnected, TimedOut, Transport

Sleep = Callable[[float], None]


@dataclass(frozen=True)
class Delivery:
    """The outcome of a job."""

    status: int | None
    sends: int
    error: str = ""

    @property
    def done(self) -> bool:
        """Whether the target took the request."""
        return self.status is not None and self.status < 400

    def __str__(self) -> str:
        result = self.error if self.status is None else str(self.status)
        return f"{result} after {self.sends} {'send' if self.sends == 1 else 'sends'}"


def deliver(job: Job, transport: Transport, attempts: int = 3, sleep: Sleep = time.sleep) -> Delivery:
    """Send `job`, at most `attempts` times, waiting between two of them."""
    if not job.repeatable:
        attempts = 1
    waits = Backoff(attempts)
    sends = 0
    while True:
        sends += 1
        try:
            response = transport.send(job)
        except TimedOut as error:
            return Delivery(None, sends, str(error))
        except NotConnected as error:
            wait = next(waits, None)
            if wait is None:
                return Delivery(None, sends, str(error))
            sleep(wait)
        else:
            return Delivery(response.status, sends)
