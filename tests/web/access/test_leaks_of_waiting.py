"""A place in the queue is a number of jobs: it tells neither what is hidden nor what others ask."""

from __future__ import annotations

import json
import random
from concurrent.futures import Future

import pytest

from engine.chance.resample import resample
from engine.fold import fold
from engine.view import SPECTATOR
from tests.amounts import one_in
from tests.web.access.test_leaks import GETS, Twins, moments, twins
from tests.web.world import Someone
from web.jobs import queue
from web.jobs.pool import Done, Task

__all__ = ["twins"]


COMPUTED = {rule for rule in GETS if rule.endswith("/hint") or "/explanations/" in rule}
"""Where bots think for whoever asks about a game that runs."""


class StuckPool:
    """One process that is never done."""

    size = 1

    def start(self, task: Task, args: bytes, limit: float) -> Future[Done]:
        return Future()

    def stop(self) -> None: ...


@pytest.fixture
def stuck(twins: Twins, monkeypatch: pytest.MonkeyPatch) -> Twins:
    monkeypatch.setattr(queue, "GRACE", 0.0)
    for world in twins.worlds:
        world.services.jobs.pool = StuckPool()
    return twins


def hint_path(game: str, number: int, bot: str = "prince") -> str:
    return f"/api/notebooks/game/{game}/choices/-/-/hint?number={number}&bot={bot}"


def ask_one(twins: Twins, world: int, who: Someone, path: str) -> tuple[int, dict[str, object]]:
    """Of one of the two servers alone."""
    someone = twins.worlds[world].program(twins.tokens[who.id])
    answer = someone.get(path)
    return answer.status_code, json.loads(answer.data)


@pytest.mark.parametrize("seed", one_in(3, range(3)))
def test_no_place_depends_on_hidden_cards(seed: int, stuck: Twins) -> None:
    """Others wait already; whoever comes is told the same place on both servers, whatever is
    asked for."""
    rng, waiting = random.Random(seed), 0
    for real, s in moments(seed):
        for seat in sorted({SPECTATOR, min(s.awaiting)}):
            other = resample(real, s, rng, seat)
            assert fold(other) != s
            id_ = stuck.seat(real, other)
            who = stuck.people[seat - 1] if seat else stuck.spectator
            for person in stuck.people:
                if person is not who:
                    # Somebody at the table asks what no stranger knows: that is one job more.
                    stuck.ask(person, "GET", hint_path(id_, 3 + stuck.people.index(person)))
            for rule in sorted(COMPUTED):
                for path in GETS[rule]:
                    asked = path.format(game=id_, seat=seat, version=len(real))
                    waiting += b'"place":' in stuck.ask(who, "GET", asked)
    assert waiting


def test_a_place_tells_how_many_are_before_and_not_what_they_ask(stuck: Twins) -> None:
    real, _ = moments(0)[0]
    id_ = stuck.seat(real, real)
    first, second, third = stuck.people[:3]
    for world, (bot, number) in enumerate([("prince", 3), ("steward", 9)]):
        ask_one(stuck, world, stuck.spectator, hint_path(id_, number + 1, bot))
        for person in (first, second):
            path = hint_path(id_, number + stuck.people.index(person) + 2, bot)
            assert ask_one(stuck, world, person, path)[0] == 202
    told = [ask_one(stuck, world, third, hint_path(id_, 20)) for world in range(2)]
    assert told[0] == told[1]
    assert told[0][0] == 202
    assert told[0][1]["place"] == 3
    # One more who waits is one place more for who comes next.
    assert ask_one(stuck, 0, stuck.people[3], hint_path(id_, 21))[1]["place"] == 4
