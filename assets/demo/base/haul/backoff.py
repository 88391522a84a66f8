"""How long to wait before a target is tried again."""

from collections.abc import Iterator

FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0


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


class Backoff:
    """The waits of one delivery, one after the other."""

    def __init__(self, attempts: int):
        self.attempts = attempts
        self.failures = 0

    def __iter__(self) -> Iterator[float]:
        return self

    def __next__(self) -> float:
        self.failures += 1
        if self.failures >= self.attempts:
            raise StopIteration
        return wait_before(self.failures, FIRST_WAIT, LONGEST_WAIT)
