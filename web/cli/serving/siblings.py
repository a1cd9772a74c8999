"""The figures of all server processes at one address: whichever is asked asks the others.

Each listens on a socket in a folder that is theirs alone, named by its number.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from prometheus_client import Metric
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

log = logging.getLogger(__name__)
PATIENCE = 1.0
"""Seconds that others have for their answers together; who is late is left out."""
PIECE = 1 << 16


class Family(msgspec.Struct, frozen=True):
    """A figure with all its values, as it goes from process to process."""

    name: str
    documentation: str
    type: str
    samples: list[tuple[str, dict[str, str], float]]


_families = msgspec.msgpack.Decoder(list[Family])


class OfProcess(Collector):
    """Figures that name the process they are of."""

    def __init__(self, figures: Collector, process: int) -> None:
        self._figures, self._label = figures, {"process": str(process)}

    def collect(self) -> Iterator[Metric]:
        for metric in self._figures.collect():
            metric.samples = [
                sample._replace(labels=sample.labels | self._label) for sample in metric.samples
            ]
            yield metric


class Siblings(Collector):
    """The figures of this process and of those beside it."""

    def __init__(self, figures: Collector, process: int, folder: Path | None) -> None:
        self._figures, self._folder = OfProcess(figures, process), folder
        self._place = None if folder is None else folder / str(process)
        self._listener: socket.socket | None = None

    def start(self) -> None:
        """Answer the others, until the process ends."""
        if self._place is None or not hasattr(socket, "AF_UNIX"):
            return
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._place.unlink(missing_ok=True)  # of one that was here before
            listener.bind(str(self._place))
        except OSError as error:
            listener.close()
            log.warning("the figures of this process are not in others' answers: %s", error)
            return
        listener.listen()
        self._listener = listener
        threading.Thread(target=self._answer, args=(listener,), name="figures", daemon=True).start()

    def stop(self) -> None:
        if self._listener is not None:
            # Who waits to accept is woken by this, and not by closing.
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()

    def collect(self) -> Iterator[Metric]:
        families: dict[str, Metric] = {}
        for metric in [*self._figures.collect(), *self._of_others()]:
            if metric.name in families:
                families[metric.name].samples += metric.samples
            else:
                families[metric.name] = metric
        yield from families.values()

    def _of_others(self) -> Iterator[Metric]:
        end = time.monotonic() + PATIENCE
        for place in sorted(self._folder.iterdir()) if self._folder is not None else ():
            if place != self._place:
                yield from unpacked(ask(place, end))

    def _answer(self, listener: socket.socket) -> None:
        while True:
            try:
                asking, _ = listener.accept()
            except OSError:
                return
            with asking:
                asking.settimeout(PATIENCE)
                try:
                    asking.sendall(packed(self._figures.collect()))
                except Exception:
                    log.exception("another process gets no figures of this one")


def ask(place: Path, end: float) -> bytes:
    """What a process says of itself; nothing when it is gone, or does not answer by then."""
    answer = b""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
            link.settimeout(max(0.01, end - time.monotonic()))
            link.connect(str(place))
            while piece := link.recv(PIECE):
                answer += piece
                link.settimeout(max(0.01, end - time.monotonic()))
    except OSError:
        return b""
    return answer


def packed(metrics: Iterable[Metric]) -> bytes:
    return msgspec.msgpack.encode(
        [
            Family(
                metric.name,
                metric.documentation,
                metric.type,
                [(each.name, each.labels, float(each.value)) for each in metric.samples],
            )
            for metric in metrics
        ]
    )


def unpacked(answer: bytes) -> Iterator[Metric]:
    try:
        families = _families.decode(answer) if answer else []
    except msgspec.DecodeError:  # it ended in the middle of it
        return
    for family in families:
        metric = Metric(family.name, family.documentation, family.type)
        metric.samples = [Sample(*each) for each in family.samples]
        yield metric
