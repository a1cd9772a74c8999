"""Who is passed over without a question had nothing to choose: at every such moment of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.copying import copy_state
from engine.fold import apply_own
from engine.rules import demolition, relocation, year
from engine.selfplay import new_game, play_out
from engine.snapshot import position
from engine.state import Owed, State
from events.types import Build, Pass, TakeGold, Turn
from tests.engine.soundness import EVERY_KIND_OF_GAME


def could_do(s: State, seat: int, owed: Owed) -> tuple[State, list[Turn]]:
    """The table as if the seat had been asked, and all it might have answered."""
    asked = copy_state(s)
    asked.awaiting = {seat: owed}
    return asked, legal_actions(asked, seat)


class Watch:
    """Stands where the engine decides whether to ask, and looks at those it does not ask."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.unasked: Counter[str] = Counter()
        self._patch = patch
        self._instead(year, "has_choice_of_turns", self.turn)
        self._instead(relocation, "has_choice", self.relocation)
        self._instead(demolition, "demolish_without_choice", self.demolition)
        self._instead(demolition, "starve_without_choice", self.hunger)

    def _instead(self, module: Any, name: str, watched: Callable[..., bool]) -> None:
        real = getattr(module, name)
        self._patch.setattr(module, name, lambda *given: watched(real, *given))

    def turn(self, real: Callable[..., bool], s: State, seat: int) -> bool:
        asked = real(s, seat)
        if not asked:
            gold = s.players[seat].action_cards > 0
            self.unasked["gold" if gold else "pass"] += 1
            _, actions = could_do(s, seat, "politics")
            assert actions == [TakeGold(seat=seat) if gold else Pass(seat=seat)]
        return asked

    def relocation(
        self, real: Callable[..., bool], s: State, movers: list[Any], spoken: list[int]
    ) -> bool:
        asked = real(s, movers, spoken)
        if not asked:
            self.unasked["relocate"] += 1
            before, actions = could_do(s, movers[0].seat, "relocate")
            ends = []
            for action in actions:
                after = copy_state(before)
                apply_own(after, action)
                ends.append(position(after))
            assert all(end == ends[0] for end in ends)
        return asked

    def demolition(self, real: Callable[..., bool], s: State, seat: int, tell: Any) -> bool:
        before = copy_state(s)
        certain = real(s, seat, tell)
        if certain and not s.players[seat].resigned:
            for city in before.cities_of(seat):
                if count := demolition.surplus(city):
                    self.unasked["demolish"] += 1
                    assert len({*demolition.ways_to_demolish(before, city, count)}) == 1
        return certain

    def hunger(
        self, real: Callable[..., bool], s: State, seat: int, hungry: int, tell: Any
    ) -> bool:
        before = copy_state(s)
        certain = real(s, seat, hungry, tell)
        if certain and not s.players[seat].resigned:
            self.unasked["starve"] += 1
            assert len(could_do(before, seat, "starve")[1]) == 1
        return certain


class Builder(RandomBot):
    """Builds wherever it can, so that citizens and sites run out."""

    def pick(self, actions: Sequence[Turn]) -> Turn:
        return super().pick([each for each in actions if isinstance(each, Build)] or actions)


def test_who_is_not_asked_had_nothing_to_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch)
    for number, (ruleset, players, setup) in enumerate(EVERY_KIND_OF_GAME):
        for bot in (RandomBot(number), Builder(number)):
            play_out(new_game(players, f"unasked/{number}", ruleset, setup), bot)
    assert min(watch.unasked[kind] for kind in ("gold", "pass", "relocate", "demolish")) > 20
    assert watch.unasked["starve"] > 20
