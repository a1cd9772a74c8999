"""A pool for tests that computes when the test says so."""

from __future__ import annotations

import threading
from concurrent.futures import Future

from web.jobs.pool import Done, Task, execute


class HeldPool:
    """Computes in a thread of its own, once it is let go."""

    size = 1

    def __init__(self) -> None:
        self.free = threading.Event()
        self.ran_in: set[int] = set()

    def start(self, task: Task, args: bytes, limit: float) -> Future[Done]:
        future: Future[Done] = Future()

        def run() -> None:
            self.free.wait(30)
            self.ran_in.add(threading.get_ident())
            future.set_result(execute(task, args))

        threading.Thread(target=run, daemon=True).start()
        return future

    def stop(self) -> None:
        self.free.set()
