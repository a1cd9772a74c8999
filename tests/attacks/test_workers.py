"""What goes wrong in the background with one game goes on with all others, and is named."""

from __future__ import annotations

import contextlib
import time
from itertools import count
from pathlib import Path

import psutil
import pytest

from engine.material.library import DEFAULT_RULESET, ruleset
from engine.selfplay import Game, open_event, secret_from
from events.store.protocol import Store
from tests.attacks.host import Host
from tests.attacks.opponents import WithBots, answer_times
from tests.attacks.siege import withstand

EVERY = 0.5
LONGEST = 30.0
"""Seconds until a process that was killed in the middle of handing something over is replaced."""

pytestmark = pytest.mark.long


class Poisoned(WithBots):
    """With games that no worker can make sense of, before and among the good ones."""

    def fill(self, store: Store) -> None:
        opened = open_event(2, ruleset(DEFAULT_RULESET), "beginner", bot="random")
        events = Game(opened, secret_from("poison")).events
        store.append("a-broken-game", 0, [opened, opened])
        super().fill(store)
        store.append("an-odd-game", 0, events[1:])


def test_poisoned_games_hold_up_nobody(tmp_path: Path) -> None:
    with Poisoned(tmp_path) as host:
        assert answer_times(host.visitor(host.token), 4)
        host.wait_for_read_models()
        health = host.visitor().get("/health")
        assert health.status == 200 or "a-broken-game" in health.text
        assert "a-broken-game" in host.log.read_text() + health.text
        host.stop()


def kill_worker(host: Host) -> int:
    """End a process that computes, wherever it is in that. Gives whether there was one."""
    whole = psutil.Process(host.process.pid)
    for each in whole.children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if not each.children() and "forkserver" in " ".join(each.cmdline()):
                each.kill()
                time.sleep(EVERY)
                return 1
    return 0


def test_worker_processes_that_are_killed_are_replaced(tmp_path: Path) -> None:
    """What was computed there has failed, and says so; all the rest goes on."""
    with Host(tmp_path) as host:
        path = "/api/notebooks/game/over-0/choices/-/-/hint?bot=steward&number="
        numbers = count(3)
        who = host.visitor()

        def ask() -> int:
            status = who.get(f"{path}{3 + next(numbers) % 40}").status
            return 202 if status == 503 else status

        late = host.visitor()
        answers = withstand(host, [ask, lambda: kill_worker(host)], stop=False)
        assert answers[1] >= 3
        assert late.wait_for(f"{path}45", LONGEST).status == 200
        host.stop()
