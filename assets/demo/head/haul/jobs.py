"""What a job is."""

from dataclasses import dataclass

# Sending one of these twice leaves the target as sending it once does.
REPEATABLE_METHODS = frozenset({"GET", "HEAD", "PUT", "DELETE", "OPTIONS"})


@dataclass(frozen=True)
class Job:
    """A request to be delivered."""

    id: int
    method: str
    url: str
    body: str = ""
    idempotency_key: str = ""

    @property
    def repeatable(self) -> bool:
        """Whether sending the request twice is as good as sending it once."""
        return self.method in REPEATABLE_METHODS or bool(self.idempotency_key)


def read_job(job_id: int, fields: dict) -> Job:
    """The job that a caller described; raises ValueError with what is wrong."""
    url = str(fields.get("url", ""))
    if not url.startswith(("http://", "https://")):
        raise ValueError("a job needs a url that starts with http:// or https://")
    return Job(
        id=job_id,
        method=str(fields.get("method", "GET")).upper(),
        url=url,
        body=str(fields.get("body", "")),
        idempotency_key=str(fields.get("idempotency_key", "")),
    )
