"""The worker: takes jobs from the queue and delivers them."""

import time
from collections.abc import Callable

from haul.delivery import Sleep, deliver
from haul.queue import Queue
from haul.retry import RetryPolicy
from haul.transport import Transport


class Worker:
    """Delivers the jobs of one queue, one at a time."""

    def __init__(
        self,
        queue: Queue,
        transport: Transport,
        policy: RetryPolicy = RetryPolicy(),
        sleep: Sleep = time.sleep,
        log: Callable[[str], None] = print,
    ):
        self.queue = queue
        self.transport = transport
        self.policy = policy
        self.sleep = sleep
        self.log = log

    def run_once(self) -> bool:
        """Deliver the oldest job. Returns whether there was one."""
        job = self.queue.claim()
        if job is None:
            return False
        result = deliver(job, self.transport, self.policy, self.sleep)
        self.queue.finish(job.id, result.done, str(result))
        self.log(f"job {job.id}: {job.method} {job.url}: {result}")
        return True

    def run(self, poll: float) -> None:
        """Deliver jobs until the process is stopped."""
        returned = self.queue.give_back()
        if returned:
            self.log(f"{returned} unfinished jobs go back into the queue")
        while True:
            if not self.run_once():
                self.sleep(poll)
