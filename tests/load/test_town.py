"""The store that load tests are run on is one that a server could have made."""

from __future__ import annotations

from pathlib import Path

import pytest

from replays.files.stores import check_game
from tests.load.town import Town, fill
from tests.web.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def town(world: World) -> Town:
    return fill(world.store, 60, 24, 10, told=3)


def test_people_find_their_games(world: World, town: Town) -> None:
    assert [len(ids) for ids in (town.running, town.waiting, town.over)] == [24, 3, 33]
    waits = 0
    for citizen in town.people:
        asking = world.program(citizen.token)
        games = asking.get("/api/me/games").json
        seated = [id_ for id_, seats in town.seats.items() if citizen in seats]
        assert sorted(game["table"]["id"] for game in games) == sorted(seated)
        owed = sorted(game["table"]["id"] for game in games if game["your_turn"])
        assert owed == asking.get("/api/me/waiting").json["games"]
        waits += len(owed)
        assert {game["table"]["id"] for game in games if game["over"]} <= {*town.over}
    assert waits >= len(town.running)


def test_the_logs_are_sound_and_a_seat_that_owes_can_act(world: World, town: Town) -> None:
    for id_ in (town.running[0], town.running[-1], town.over[0]):
        check_game(world.store, id_)
    for id_ in town.running[:12]:
        seat = town.owing[id_][0]
        who = town.seats[id_][seat - 1]
        assert who is not None
        offer = world.program(who.token).get(f"/api/games/{id_}/actions?seat={seat}").json
        assert offer["owes"]
