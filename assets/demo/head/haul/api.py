"""The HTTP interface through which other services add jobs."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from haul.jobs import read_job
from haul.queue import Queue

LONGEST_BODY = 1_000_000


def answer(queue: Queue, method: str, path: str, body: bytes) -> tuple[int, dict]:
    """The status and the JSON that a request gets."""
    if method == "POST" and path == "/jobs":
        try:
            job = read_job(0, json.loads(body))
        except (ValueError, AttributeError) as error:
            return 422, {"error": str(error)}
        return 202, {"id": queue.add(job)}
    if method == "GET" and path.startswith("/jobs/"):
        found = queue.state(int(path[6:])) if path[6:].isdigit() else None
        if found is None:
            return 404, {"error": "no such job"}
        return 200, {"state": found[0], "note": found[1]}
    return 404, {"error": "no such page"}


def serve(queue: Queue, host: str, port: int) -> None:
    """Answer requests until the process is stopped."""

    class Handler(BaseHTTPRequestHandler):
        def reply(self) -> None:
            length = min(int(self.headers.get("Content-Length", 0)), LONGEST_BODY)
            status, data = answer(queue, self.command, self.path, self.rfile.read(length))
            payload = json.dumps(data).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        do_GET = reply
        do_POST = reply

    ThreadingHTTPServer((host, port), Handler).serve_forever()
