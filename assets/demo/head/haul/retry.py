"""When a request that got no answer is sent again, and after how long."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from haul.jobs import Job


@dataclass(frozen=True)
class RetryPolicy:
    """How often a request is sent, and how long to wait in between."""

    attempts: int = 3
    first_wait: float = 0.5
    longest_wait: float = 30.0

    @classmethod
    def from_settings(cls, settings: dict[str, dict]) -> "RetryPolicy":
        """The policy of the [retry] section; raises ValueError where it makes no sense."""
        policy = cls(**settings["retry"])
        if policy.attempts < 1:
            raise ValueError("[retry] attempts must be at least 1")
        if not 0 <= policy.first_wait <= policy.longest_wait:
            raise ValueError("[retry] first_wait must lie between 0 and longest_wait")
        return policy

    def for_job(self, job: Job) -> "RetryPolicy":
        """This policy, or a single attempt where sending `job` twice could do harm."""
        return self if job.repeatable else replace(self, attempts=1)

    def waits(self) -> Iterator[float]:
        """The seconds to wait after each failure; ends where the request is given up."""
        for failures in range(1, self.attempts):
            yield wait_before(failures, self.first_wait, self.longest_wait)


def wait_before(failures: int, first: float, longest: float) -> float:
    """Seconds to wait after so many failures in a row: `first`, doubled each time, up to `longest`."""
    if failures < 1:
        raise ValueError("a wait follows at least one failure")
    wait = first
    for _ in range(failures - 1):
        wait *= 2
        if wait >= longest:
            return longest
    return min(wait, longest)
