"""An attack, and what others notice of it: turns in time, memory and disk bounded, nothing lost."""

from __future__ import annotations

import http.client
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import quantiles
from types import TracebackType
from typing import Self

from tests.attacks.host import Host, Watch, check_nothing_lost
from tests.attacks.players import Playing
from tests.attacks.visitor import PATIENCE

QUIET, SECONDS = 3.0, 6.0
MOST_ASKED = 300
"""So often each attacker asks at most, and so long each rests between two."""
REST = 0.01

TURN = 0.3
"""Seconds that the 95th percentile of a turn may take on a machine that counts to ten million in
COUNTING seconds; on a slower or busier one so many times longer, and never less than SLOWER times
what it takes there in peace."""
COUNTING, SLOWER = 0.14, 4.0
MEMORY, DISK = 400 * 2**20, 48 * 2**20
"""By so many bytes the server may grow during an attack, with worker processes and logs."""

BEHIND = 5.0
"""Seconds that read models may need after the attack, on a machine as above."""

Asking = Callable[[], int]
"""What an attacker does again and again; gives the status of the answer."""


class Attack:
    """Some attackers at once, for a while: each is a thread."""

    def __init__(self, attackers: Sequence[Asking]) -> None:
        self.answers: Counter[int] = Counter()
        """How often each status came; 0: none came."""
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(ask,), daemon=True) for ask in attackers
        ]

    def _run(self, ask: Asking) -> None:
        for _ in range(MOST_ASKED):
            if self._stop.wait(REST):
                return
            try:
                self.answers[ask()] += 1
            except (OSError, http.client.HTTPException):
                self.answers[0] += 1

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        end = time.monotonic() + PATIENCE
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))


def counting() -> float:
    """Seconds that this machine counts now: how slow or how busy it is."""
    begun = time.perf_counter()
    sum(range(10_000_000))
    return time.perf_counter() - begun


def percentile(times: Sequence[float]) -> float:
    """The 95th."""
    return quantiles(times, n=20, method="inclusive")[-1]


def withstand(host: Host, attackers: Sequence[Asking], *, stop: bool = True) -> Counter[int]:
    """Attack a server while others play; gives the answers that the attackers got. It is stopped
    then, and what it leaves is looked through, unless the test goes on."""
    scale = max(1.0, counting() / COUNTING)
    quiet, before, problems = Playing(host.port, QUIET, host.players).result()
    assert problems == []
    memory, disk = host.memory(), host.disk()
    watch = Watch(host)
    watch.start()
    playing = Playing(host.port, SECONDS, host.players)
    with Attack(attackers) as attack:
        busy, during, problems = playing.result()
    behind = host.wait_for_read_models()
    watch.stop()
    longest = max(TURN * scale, SLOWER * percentile(quiet))
    print(
        f"\nquiet p95 {percentile(quiet) * 1e3:.0f} ms of {len(quiet)} turns,"
        f" attacked {percentile(busy) * 1e3:.0f} ms of {len(busy)}, longest {max(busy):.2f} s;"
        f" allowed {longest * 1e3:.0f} ms (scale {scale:.1f});"
        f" memory +{(watch.memory - memory) / 2**20:.0f} MB from {memory / 2**20:.0f},"
        f" disk +{(watch.disk - disk) / 2**20:.1f} MB;"
        f" read models {behind:.1f} s behind;"
        f" answers {dict(attack.answers)}; problems {len(problems)} {problems[:2]}"
    )
    faults = []
    if problems:
        faults.append(f"turns got no answer: {problems[:3]}; {host.failures()}")
    if percentile(busy) > longest:
        faults.append(f"a turn took {percentile(busy):.2f} s")
    if watch.memory - memory > MEMORY:
        faults.append(f"memory grew by {(watch.memory - memory) / 2**20:.0f} MB")
    if watch.disk - disk > DISK:
        faults.append(f"disk grew by {(watch.disk - disk) / 2**20:.0f} MB")
    if behind > BEHIND * scale:
        faults.append(f"the read models were {behind:.1f} s behind")
    if any(status >= 500 for status in attack.answers):
        faults.append(f"the server failed: {host.failures()}")
    assert not faults, "; ".join(faults)
    if stop:
        host.stop()
        check_nothing_lost(host.db, [*before, *during])
    return attack.answers
