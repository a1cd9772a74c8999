"""Several server processes at one address: started, watched, started again, stopped together."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess

from web.cli.language import gettext as _
from web.cli.language import tell
from web.site.worker import pause

STEADY = 60.0
"""Seconds after which a process that ends counts as one that had been well."""
LAST_WORDS = 20.0
"""Seconds that processes have to stop by themselves."""
LOOK = 0.5


@dataclass
class Place:
    """Where one of the processes runs, and how it went so far."""

    number: int
    process: SpawnProcess | None = None
    failures: int = 0
    started: float = 0.0
    due: float = field(default_factory=time.monotonic)


class Supervisor:
    """Keeps so many processes running that each call `target`, with `arguments`, its number, and an
    event to set when it is ready."""

    def __init__(self, workers: int, target: Callable[..., object], *arguments: object) -> None:
        # A fresh interpreter: what is forked would share connections and locks.
        self._context = multiprocessing.get_context("spawn")
        self._ready = self._context.Event()
        self._target, self._arguments = target, arguments
        self._places = [Place(number) for number in range(1, workers + 1)]

    def run(self, announce: Callable[[], None]) -> None:
        """Until somebody interrupts it; then all of them stop. `announce` is called when the first
        is ready."""
        announced = False
        try:
            while True:
                for place in self._places:
                    self._look_after(place)
                if not announced and self._ready.wait(LOOK):
                    announced = True
                    announce()
                    for place in self._places:
                        tell_process(place)
                wait([each.process.sentinel for each in self._places if each.process], LOOK)
        except (KeyboardInterrupt, SystemExit):
            pass
        finally:
            self._stop()

    def _look_after(self, place: Place) -> None:
        now = time.monotonic()
        if place.process is not None and not place.process.is_alive():
            code = place.process.exitcode
            place.failures = 1 if now - place.started > STEADY else place.failures + 1
            place.process, seconds = None, pause(place.failures)
            place.due = now + seconds
            tell(
                _("Worker {number} has ended with code {code}; it starts again in {seconds} s."),
                number=place.number,
                code=code,
                seconds=round(seconds),
            )
        if place.process is None and now >= place.due:
            place.process = self._context.Process(
                target=self._target,
                args=(*self._arguments, place.number, self._ready),
                name=f"lacitta {place.number}",
            )
            place.process.start()
            place.started = now
            if self._ready.is_set():
                tell_process(place)

    def _stop(self) -> None:
        running = [each.process for each in self._places if each.process is not None]
        for process in running:
            process.terminate()
        end = time.monotonic() + LAST_WORDS
        for process in running:
            process.join(max(0.0, end - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()


def tell_process(place: Place) -> None:
    if place.process is not None:
        tell(
            _("Worker {number} is process {process}."),
            number=place.number,
            process=place.process.pid,
        )
