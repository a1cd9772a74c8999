"""A table with a bot, and how long its answers take."""

from __future__ import annotations

import time

from events.store.protocol import Store
from tests.attacks.host import Host, put_game
from tests.attacks.visitor import Visitor
from tests.web.world import CHEAP, PASSWORD
from web.accounts.service import People
from web.seating.service import Holder

PATIENCE = 30.0


class WithBots(Host):
    """Somebody plays against a bot."""

    def fill(self, store: Store) -> None:
        people = People(store, CHEAP)
        account = people.register("Bert", PASSWORD)
        self.token = people.add_token(account.id, "tests")
        bot = Holder(name="Bot", bot="steward")
        put_game(store, "with-bot", [Holder(person=account.id, name="Bert"), bot])


def answer_times(who: Visitor, rounds: int) -> list[float]:
    """How long it takes each time until it is one's turn again."""
    found: list[float] = []
    path = "/api/games/with-bot/actions"
    for _ in range(rounds):
        offer = who.get(f"{path}?seat=1").json
        action = offer["suggestion"] or offer["actions"][0]
        begun = time.perf_counter()
        assert who.post(path, action).status == 201
        while not who.get(f"{path}?seat=1").json["owes"]:
            assert time.perf_counter() - begun < PATIENCE
            time.sleep(0.02)
        found.append(time.perf_counter() - begun)
    return found
