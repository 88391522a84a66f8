"""The command line."""

import argparse

from haul import api, config
from haul.delivery import deliver
from haul.jobs import read_job
from haul.queue import Queue
from haul.transport import HttpTransport
from haul.worker import Worker


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(prog="haul", description="Delivers HTTP requests.")
    top.add_argument("--config", help="a settings file")
    commands = top.add_subparsers(dest="command", required=True)

    serving = commands.add_parser("serve", help="take jobs")
    serving.add_argument("--db", default="jobs.db")

    working = commands.add_parser("work", help="deliver jobs")
    working.add_argument("--db", default="jobs.db")

    sending = commands.add_parser("send", help="deliver one request now, without the queue")
    sending.add_argument("method")
    sending.add_argument("url")
    sending.add_argument("--body", default="")
    sending.add_argument("--key", default="", help="an idempotency key")
    return top


def network(settings: dict[str, dict]) -> HttpTransport:
    """The transport that the settings ask for."""
    return HttpTransport(settings["delivery"]["timeout"])


def send(options: argparse.Namespace, settings: dict[str, dict]) -> int:
    """Deliver one request and print what came of it."""
    fields = {"method": options.method, "url": options.url, "body": options.body}
    job = read_job(0, {**fields, "idempotency_key": options.key})
    result = deliver(job, network(settings), settings["delivery"]["attempts"])
    print(result)
    return 0 if result.done else 1


def work(options: argparse.Namespace, settings: dict[str, dict]) -> int:
    """Deliver the jobs of a queue until stopped."""
    worker = Worker(Queue(options.db), network(settings), settings["delivery"]["attempts"])
    worker.run(settings["worker"]["poll"])
    return 0


def serve(options: argparse.Namespace, settings: dict[str, dict]) -> int:
    """Take jobs until stopped."""
    api.serve(Queue(options.db), settings["server"]["host"], settings["server"]["port"])
    return 0


def main() -> int:
    options = parser().parse_args()
    settings = config.load(options.config)
    return {"send": send, "work": work, "serve": serve}[options.command](options, settings)


if __name__ == "__main__":
    raise SystemExit(main())
