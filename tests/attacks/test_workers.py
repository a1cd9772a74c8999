"""What goes wrong in the background with one game goes on with all others, and is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.material.library import DEFAULT_RULESET, ruleset
from engine.selfplay import Game, open_event, secret_from
from events.store.protocol import Store
from tests.attacks.opponents import WithBots, answer_times

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
