"""Learn from your mistakes: found, tried, answered and explained, by what the seat knew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from engine.actions.legal import legal_actions
from engine.chance.resample import resample
from engine.fold import fold
from engine.snapshot import position
from events.types import TakeGold
from replays.review.game import VERSION
from tests.web.access.test_leaks import Twins, twins_in
from tests.web.review import mistakes
from tests.web.world import Someone, World, holder
from web.review.shapes import StoredReview, Subject

LEARN = "/replay/game/review/learn"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("world"))
    anna = world.person("Anna")
    world.seat("game", mistakes.game(), [holder(anna, name) for name in ("Anna", "Bob", "Cleo")])
    mistakes.save_review(world.services, "game")
    yield world
    world.close()


@pytest.fixture
def eve(world: World) -> Someone:
    return world.nobody()


def test_a_game_without_a_review_leads_to_it(world: World, eve: Someone) -> None:
    world.store.append("other", 0, mistakes.game().events)
    answer = eve.get("/replay/other/review/learn/1")
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/replay/other/review"
    assert eve.get("/replay/other/review/learn/1/1").status_code == 404


def test_whoever_made_none_is_told_so(eve: Someone) -> None:
    answer = eve.get(f"{LEARN}/1")
    assert answer.status_code == 200
    assert "marked no mistake" in answer.text
    assert eve.get(f"{LEARN}/4").status_code == 404
    assert eve.get(f"{LEARN}/0").status_code == 404


def test_from_mistake_to_mistake(eve: Someone) -> None:
    assert eve.get(f"{LEARN}/2").headers["Location"] == f"{LEARN}/2/1"
    page = eve.get(f"{LEARN}/2/1").text
    assert "Mistake 1 of 2" in page
    assert 'rel="next" href="/replay/game/review/learn/2/2"' in page
    assert 'rel="prev"' not in page
    page = eve.get(f"{LEARN}/2/2").text
    assert 'rel="prev" href="/replay/game/review/learn/2/1"' in page
    assert 'rel="next"' not in page
    # What was played is said, the answer is not.
    assert "building a quarry" in page
    assert "building a farm on g9" not in page
    assert eve.get(f"{LEARN}/2/3").status_code == 404


def test_a_try_is_judged_and_the_answer_kept_back_until_it_is_found(eve: Someone) -> None:
    decision = mistakes.decisions()[1]
    assert decision.judgement is not None
    actions = legal_actions(fold(mistakes.game().events[: decision.number - 1]), 2)

    def tried(action: object) -> str:
        answer = eve.get(f"{LEARN}/2/2?action={actions.index(action)}")  # type: ignore[arg-type]
        assert answer.status_code == 200
        return unescape(answer.text)

    gold = tried(TakeGold(seat=2))
    assert "There is something better." in gold
    assert "taking gold" in gold
    assert "building a farm on g9" not in gold
    assert "building a farm on g9" not in tried(decision.judgement.played)
    found = tried(decision.judgement.other)
    assert "Found! This is the better move." in found
    assert "building a farm on g9" in found
    assert "building a farm on g9" in eve.get(f"{LEARN}/2/2?answer=yes").text
    for bad in ("-1", "x", str(len(actions)), "²"):
        assert eve.get(f"{LEARN}/2/2?action={bad}").status_code == 422


def test_both_lines_stand_side_by_side(eve: Someone) -> None:
    end = eve.get(f"{LEARN}/2/2/why").text
    assert "Citizens lost to hunger" in end
    assert "Buildings standing (farm)" in end
    assert end.count('<div class="board-frame" tabindex="-1"><svg') == 2
    start = eve.get(f"{LEARN}/2/2/why?step=0").text
    assert "move 0 of" in start
    assert start != end
    assert eve.get(f"{LEARN}/2/2/why?step=999").text.count("to-come") == 0
    assert start.count("to-come") > 2


@pytest.mark.parametrize("language", ["de", "fr", "nl", "fi"])
def test_in_every_language(eve: Someone, language: str) -> None:
    for path in (f"{LEARN}/2/2?answer=yes&", f"{LEARN}/2/2/why?"):
        assert "Why is this better?" not in eve.get(f"{path}lang={language}").text


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[Twins]:
    with twins_in(tmp_path / "twins") as twins:
        yield twins


def test_while_a_game_runs_one_learns_from_ones_own_mistakes_alone(twins: Twins) -> None:
    """Byte for byte the same in two worlds that differ in what the seat has not seen."""
    real = mistakes.until(20).events
    other = resample(real, fold(real), random.Random(1), 2)
    assert position(fold(other)) != position(fold(real))
    id_ = twins.seat(real, other)
    for world in twins.worlds:
        mistakes.save_own(world.services, id_, len(real))
    root = f"/replay/{id_}/review/learn/2"
    own, neighbour, outsider = twins.people[1], twins.people[0], twins.spectator
    for path in (root, f"{root}/2", f"{root}/2?action=0", f"{root}/2?answer=yes", f"{root}/2/why"):
        assert twins.ask(own, "GET", path)
        for stranger in (neighbour, outsider):
            twins.ask(stranger, "GET", path)
            browser = twins.worlds[0].browser_of(stranger.id, "x")
            assert browser.get(path).status_code == 403
    browser = twins.worlds[0].browser_of(own.id, "x")
    assert "building a farm on g9" in browser.get(f"{root}/2?answer=yes").text
    # What is stored of the whole game is not read while it runs.
    for world in twins.worlds:
        stored = StoredReview(VERSION, len(real), game=mistakes.review())
        world.services.reviews.save(Subject(id_), None, stored)
    assert browser.get(f"/replay/{id_}/review/learn/1").status_code == 403


def test_what_the_review_found_stands_in_the_viewer_and_in_files(eve: Someone) -> None:
    page = unescape(eve.get("/replay/game/13").text)
    assert "building a farm on g9: " in page
    assert "Hide what the review found" in page
    assert 'data-note="review-13"' in page
    assert "building a farm on g9: " not in eve.get("/replay/game/12/parts").text
    off = unescape(eve.get("/replay/game/13?reviews=off").text)
    assert "building a farm on g9: " not in off
    assert "Show what the review found" in off
    notation = eve.get("/replay/game/game.txt").text
    assert "review inaccuracy " in notation
    assert "review inaccuracy " not in eve.get("/replay/game/game.txt?reviews=off").text


def test_what_the_review_found_stands_in_studies_too(world: World, eve: Someone) -> None:
    bert = world.person("Bert")
    study = bert.ask("POST", "/studies", form={"title": "Hunger", "seen_by": "all"}).location
    made = bert.ask("POST", f"{study}/chapters", form={"title": "One", "game": "game"}).location
    chapter = f"{study}/{made.rpartition('#chapter-')[2]}"
    for address in (f"{chapter}/13", f"{study}/study.json"):
        assert "review-13" in eve.get(address).text
        assert "review-13" not in eve.get(f"{address}?reviews=off").text
