"""The page and the API of reviews: who may read what, and how it is asked for."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine.chance.resample import resample
from engine.fold import fold
from engine.snapshot import position
from replays.review.game import review_game
from tests.web.access.test_leaks import Twins, twins_in
from tests.web.review.games import short_game
from tests.web.world import World, holder
from web.review.api import ReviewAnswer
from web.review.worker import ReviewRunner
from web.services import Services

COARSE = 1
PATHS = ("/replay/{game}/review", "/replay/{game}/review/parts", "/api/games/{game}/review")


def make_reviews(services: Services) -> None:
    """Everything that is asked for, as coarsely as can be."""
    ReviewRunner(
        services.store, services.reviews, services.replays, services.jobs, coarse=COARSE
    ).run_once()


def test_a_game_that_is_over_is_reviewed_for_all(tmp_path: Path) -> None:
    world = World(tmp_path)
    anna, eve = world.person("Anna"), world.nobody()
    world.seat("game", short_game(), [holder(anna, "Anna"), holder(anna, "Anna 2")])
    for path in ("/replay/game/review", "/api/games/game/review"):
        assert eve.get(path).status_code == 200
    asked = anna.post("/api/games/game/review", {})
    assert asked.status_code == 202
    assert asked.json is not None
    assert asked.json["state"] == "running"
    assert eve.get("/api/games/game/review/status").json == asked.json
    assert "<progress" in eve.get("/replay/game/review").text
    make_reviews(world.services)
    answer = msgspec.json.decode(eve.get("/api/games/game/review").data, type=ReviewAnswer)
    assert answer.status.state == "done"
    assert answer.review is not None
    budget = answer.review.budget
    assert answer.review == review_game(short_game().events, budget=budget)
    assert answer.own is None
    assert "<progress" not in eve.get("/replay/game/review").text
    world.close()


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[Twins]:
    with twins_in(tmp_path / "twins") as twins:
        yield twins


@pytest.mark.parametrize("seat", [1, 2])
def test_a_seats_review_does_not_depend_on_what_it_has_not_seen(seat: int, twins: Twins) -> None:
    """Byte for byte: asked for, made, and read on the page and by the API; and nobody else has it,
    though it lies on the server."""
    whole = short_game().events
    real = next(
        whole[:cut]
        for cut in range(len(whole) - 1, 0, -1)
        if (s := fold(whole[:cut])).phase == "politics" and seat in s.awaiting
    )
    s = fold(real)
    other = resample(real, s, random.Random(1), seat)
    assert position(fold(other)) != position(s)
    id_ = twins.seat(real, other)
    who, paths = twins.people[seat - 1], [path.format(game=id_) for path in PATHS]
    twins.ask(who, "POST", f"/api/games/{id_}/review?seat={seat}", {})
    for world in twins.worlds:
        make_reviews(world.services)
    pages = [twins.ask(who, "GET", path) for path in paths]
    own = msgspec.json.decode(pages[-1], type=ReviewAnswer)
    assert own.status.state == "done"
    assert own.own is not None
    assert own.own.decisions
    assert {decision.seat for decision in own.own.decisions} == {seat}
    assert own.review is None
    neighbour, outsider = twins.people[2 - seat], twins.spectator
    for path in paths:
        for stranger in (neighbour, outsider):
            twins.ask(stranger, "GET", f"{path}?seat={seat}")
        world = twins.worlds[0]
        assert world.browser_of(outsider.id, "x").get(f"{path}?seat={seat}").status_code in (
            403,
            409,
        )
        assert world.nobody().get(path).status_code == 409
        shown = world.browser_of(neighbour.id, "x").get(path).text
        assert "accuracy" not in shown
