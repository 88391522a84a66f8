"""How requests leave the machine."""

import socket
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Protocol

from haul.jobs import Job


@dataclass(frozen=True)
class Response:
    """What a target answered."""

    status: int
    body: str = ""


class SendError(Exception):
    """A request that got no answer."""


class NotConnected(SendError):
    """The target could not be reached; it has seen nothing of the request."""


class TimedOut(SendError):
    """The request was sent, and no answer came in time. The target may have acted on it."""


class Transport(Protocol):
    """Sends one request."""

    def send(self, job: Job) -> Response:
        """The target's answer; raises SendError where there is none."""
        ...


class HttpTransport:
    """Sends requests over the network."""

    def __init__(self, timeout: float):
        self.timeout = timeout

    def send(self, job: Job) -> Response:
        headers = {"Content-Type": "application/json"}
        if job.idempotency_key:
            headers["Idempotency-Key"] = job.idempotency_key
        body = job.body.encode() if job.body else None
        request = urllib.request.Request(job.url, body, headers, method=job.method)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                return Response(answer.status, answer.read().decode(errors="replace"))
        except urllib.error.HTTPError as error:
            return Response(error.code)
        except (TimeoutError, socket.timeout) as error:
            raise TimedOut(f"no answer within {self.timeout:g} s") from error
        except urllib.error.URLError as error:
            raise NotConnected(str(error.reason)) from error
