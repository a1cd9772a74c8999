"""Reviews are made once, piece by piece, whoever is killed meanwhile, and stay within what a host
lets them take."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replays.cursor import Cursor
from replays.review.game import review_game
from replays.review.running import review_own
from tests.web.review.games import short_game
from tests.web.world import World
from web.games.replays import Replays
from web.jobs.job import Busy, Owner
from web.jobs.pool import InlinePool
from web.jobs.queue import Jobs
from web.review import judging, service
from web.review.service import Reviews
from web.review.shapes import ReviewStatus, StoredReview, Subject
from web.review.worker import MOST_TRIES, ReviewRunner
from web.settings import Compute, Settings
from web.site.problems import Problem

COARSE = 1
ANNA, BERT = Owner("person-a", "192.0.2.1"), Owner("192.0.2.7", "192.0.2.7")
GAME = Subject("game")


class Makers:
    """Reviews as one server process has them; several may share a store."""

    def __init__(self, world: World, **compute: Any) -> None:
        settings = Settings(compute=Compute(**compute)).compute
        self.jobs = Jobs(InlinePool(), settings)
        self.reviews = Reviews(world.store, self.jobs, settings.review, "key", lambda: 1)
        self.replays = Replays(world.store)
        self.runner = ReviewRunner(
            world.store, self.reviews, self.replays, self.jobs, coarse=COARSE
        )
        self.last = len(short_game().events)

    def ask(self, subject: Subject = GAME, owner: Owner = ANNA) -> ReviewStatus:
        self.reviews.ask(subject, self.last, owner)
        return self.status(subject)

    def status(self, subject: Subject = GAME) -> ReviewStatus:
        return self.reviews.status(subject, self.last)

    def find(self) -> StoredReview:
        found = self.reviews.find(GAME, self.last)
        assert found is not None
        return found


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    for game in ("game", "second", "third"):
        world.store.append(game, 0, short_game().events)
    yield world
    world.close()


def test_a_review_is_first_coarse_and_then_finer(world: World) -> None:
    makers = Makers(world, review=40)
    assert makers.status() == ReviewStatus("none")
    assert makers.ask().state == "running"
    assert makers.runner.advance(GAME)  # looks what there is to do
    begun = makers.status()
    assert begun.whole > 0 == begun.done
    assert makers.runner.advance(GAME)
    coarse = makers.find()
    assert coarse.game == review_game(short_game().events, budget=COARSE)
    assert makers.status().finer
    makers.runner.run_once()
    finer = makers.find()
    assert finer.finished
    assert finer.game is not None
    assert finer.game.budget > COARSE
    assert makers.status() == ReviewStatus("done")
    # It is there, so nobody makes it once more.
    assert makers.ask().state == "done"
    assert not makers.reviews.queue()


def test_no_more_time_is_spent_than_a_host_allows(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers = Makers(world, review=0)
    with pytest.raises(Problem, match="makes no reviews"):
        makers.ask()
    assert makers.status().state == "off"
    makers = Makers(world, review=1e-9)
    monkeypatch.setattr(judging, "SLICE", 0)
    makers.ask()
    makers.runner.run_once()
    assert makers.status() == ReviewStatus("failed", sentence=service.TOO_LONG)
    # Where there is time for the coarse one alone, that is all.
    makers = Makers(world, review=40)
    monkeypatch.setattr("web.review.worker.finer", lambda took, left: 0)
    assert makers.ask().state == "running"
    makers.runner.run_once()
    assert makers.status().state == "done"
    assert makers.find().game == review_game(short_game().events, budget=COARSE)


def test_who_was_killed_is_succeeded(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process goes on where the first one was, and finds the same."""
    monkeypatch.setattr(judging, "SLICE", 0)
    monkeypatch.setattr("web.review.worker.finer", lambda took, left: 0)
    first = Makers(world)
    first.ask()
    for _ in range(4):
        assert first.runner.advance(GAME)
    done, whole = first.status().done, first.status().whole
    assert done == 3
    second = Makers(world)
    assert second.status() == first.status()
    rounds = 0
    while second.runner.advance(GAME):
        rounds += 1
    # Nothing is worked out once more.
    assert rounds == whole - done
    assert second.find().game == review_game(short_game().events, budget=COARSE)


def test_two_processes_do_not_make_the_same_review(world: World, tmp_path: Path) -> None:
    """What one has claimed, the other leaves alone."""
    first, other = Makers(world), World(tmp_path)
    try:
        second = Makers(other)
        first.ask()
        assert world.store.claims.take("review/game/0")
        assert not second.runner.advance(GAME)
        world.store.claims.release("review/game/0")
        assert second.runner.advance(GAME)
    finally:
        other.close()


def test_people_take_turns(world: World) -> None:
    makers = Makers(world)
    second, third = Subject("second"), Subject("third")
    assert makers.ask(GAME).place == 0
    assert makers.ask(second).place == 1
    # Bert's first one comes before Anna's second.
    assert makers.ask(third, BERT).place == 1
    assert makers.status(second).place == 2
    # And finer ones come after all those of which there is nothing yet.
    makers.reviews.go_on_finer(GAME)
    assert [each.game for each in makers.reviews.queue()] == ["second", "third", "game"]


def test_too_much_is_refused(world: World) -> None:
    makers = Makers(world, person=1)
    for seat in range(4):
        makers.ask(Subject("game", seat))
    with pytest.raises(Busy):
        makers.ask(Subject("second"))
    assert makers.ask(Subject("second"), BERT).state == "waiting"
    # Whoever has no time left waits for it.
    request = makers.reviews.request(Subject("second"))
    assert request is not None
    makers.jobs._budgets[0].charge(request.owner, 2)
    assert not makers.runner.advance(Subject("second"))
    with pytest.raises(Busy):
        makers.ask(Subject("third"), BERT)
    assert "192.0.2" not in str(world.store.documents.items(service.REQUESTS))


def test_what_fails_again_and_again_is_given_up(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers = Makers(world)
    makers.ask()

    def fail(*_: object) -> None:
        raise ValueError("on purpose")

    with monkeypatch.context() as patched:
        patched.setattr("web.review.worker.list_tasks", fail)
        patched.setattr("web.site.worker.FIRST_RETRY", 0.0)
        for _ in range(MOST_TRIES):
            assert makers.status().state == "running"
            assert not makers.runner.advance(GAME)
    assert makers.status() == ReviewStatus("failed", sentence=service.FAILED)
    assert makers.ask().state == "running"
    makers.runner.run_once()
    assert makers.status().state == "done"


def test_what_an_older_version_made_is_made_anew(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers = Makers(world)
    makers.ask()
    makers.runner.run_once()
    monkeypatch.setattr(service, "VERSION", service.VERSION + 1)
    assert makers.reviews.find(GAME, makers.last) is None
    assert makers.status().state == "none"


def test_a_seat_has_its_own_decisions_while_the_game_runs(world: World) -> None:
    """More of them are added as the game goes on."""
    events, makers = short_game().events, Makers(world)
    numbers = [each.number for each in review_game(events, budget=COARSE).decisions]
    subject = Subject("running", 1)
    for start, cut in ((0, numbers[-4]), (numbers[-4], numbers[-1])):
        world.store.append("running", start, events[start:cut])
        makers.reviews.ask(subject, cut, ANNA)
        makers.runner.run_once()
        found = makers.reviews.find(subject, cut)
        assert found is not None
        assert found.own == review_own(Cursor(events[:cut]), 1, budget=COARSE)
        assert found.game is None
