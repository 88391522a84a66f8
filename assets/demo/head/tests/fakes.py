"""Stand-ins for the network and the clock."""

from haul.jobs import Job
from haul.transport import NotConnected, Response, TimedOut


class FakeTransport:
    """Answers from a script by URL: a status, "refused" or "timeout". The last entry repeats."""

    def __init__(self, script: dict[str, list]):
        self.script = {url: list(outcomes) for url, outcomes in script.items()}
        self.sent: list[Job] = []

    def send(self, job: Job) -> Response:
        self.sent.append(job)
        outcomes = self.script[job.url]
        outcome = outcomes.pop(0) if len(outcomes) > 1 else outcomes[0]
        if outcome == "refused":
            raise NotConnected("connection refused")
        if outcome == "timeout":
            raise TimedOut("no answer within 10 s")
        return Response(outcome)


class FakeSleep:
    """Remembers the waits it was asked for, and returns at once."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)
