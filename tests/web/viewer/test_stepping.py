"""Moments as data for the viewer: drawn from them, each is as the server's own page has it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from engine.bots import RandomBot
from engine.selfplay import Game, new_game, play_out
from engine.view import SPECTATOR
from tests.web.moments.test_moments_api import splice_texts
from tests.web.world import World, holder
from web.drawing.board import draw_layers
from web.drawing.layers import Layered
from web.viewer.moments import MOST, UNCHANGING


@pytest.fixture(scope="module")
def game() -> Game:
    return play_out(new_game(3, "stepping"), RandomBot(3))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, game: Game) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("stepping"))
    anna = world.person("Anna")
    players = [holder(anna, f"Anna {seat}") for seat in range(3)]
    world.seat("over", game, players)
    yield world
    world.close()


def asked(world: World, path: str, **headers: str) -> Any:
    return world.nobody().client.get(path, headers=headers)


def test_every_moment_is_as_its_page_shows_it(world: World, game: Game) -> None:
    replay = world.services.replays.get("over")
    number = 1
    while number <= replay.last:
        answer = json.loads(asked(world, f"/replay/over/{number}/moments?cards=open").data)
        assert answer["last"] == replay.last
        assert len(answer["moments"]) == min(MOST, replay.last - number + 1)
        pool, texts = answer["pool"], list[list[str]]()
        for moment in answer["moments"]:
            assert moment["number"] == number
            page = asked(world, f"/replay/over/{number}/parts?cards=open").get_data(as_text=True)
            s = replay.at(number)
            drawing = draw_layers(s.board, replay.view(s, SPECTATOR, revealed=True))
            texts = texts or [[] for _ in drawing.layers]
            texts = splice_texts(texts, moment.get("board", []), pool)
            assert Layered(drawing.shell, texts).svg in page, number
            assert f'<span class="stands">{pool[moment["heading"]]}</span>' in page
            shown = re.search(r'id="moment-words"[^>]*>(.*?)</p>', page)
            assert shown is not None
            told = " ".join(moment.get("sentences", [])) or "Nothing changes on the table."
            assert shown[1].replace("&#39;", "'") == told
            assert moment["steps"] == replay.steps(number)
            number += 1


def test_what_does_not_change_is_not_asked_for_again(world: World) -> None:
    page = asked(world, "/replay/over/1").get_data(as_text=True)
    found = re.search(r'data-edition="(\w+)"', page)
    assert found is not None
    first = asked(world, f"/replay/over/1/moments?edition={found[1]}")
    assert first.headers["Cache-Control"] == UNCHANGING
    other = asked(world, "/replay/over/1/moments?edition=another")
    assert "no-cache" in other.headers["Cache-Control"]
    assert other.headers["ETag"] == first.headers["ETag"]
    again = asked(world, "/replay/over/1/moments", **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    others = {
        asked(world, f"/replay/over/1/moments?{query}").headers["ETag"]
        for query in ("", "cards=open", "lang=de")
    }
    assert len(others) == 3


def test_what_is_not_there_is_refused(world: World, game: Game) -> None:
    last = len(game.events)
    for number in (0, last + 1):
        assert asked(world, f"/replay/over/{number}/moments").status_code == 404
    assert asked(world, f"/replay/over/{last}/moments").status_code == 200
    assert asked(world, "/replay/over/1/moments?line=none").status_code == 404
    assert asked(world, "/study/none/c1/1/moments").status_code == 404


def test_a_years_end_belongs_to_its_year(world: World) -> None:
    """In the heading, in the story, on the slider: the next year begins with the next moment."""
    replay = world.services.replays.get("over")
    ends = [point for point in replay.timeline().points if point.ended][:-1]
    assert len(ends) == 5
    begun = {year: number for number, year in replay.years()}
    for end in ends:
        page = asked(world, f"/replay/over/{end.number}").get_data(as_text=True)
        assert f'<span class="stands">Year {end.year} · The year ends</span>' in page
        moment = replay.moment(end.number)
        assert (moment.year, moment.ended) == (end.year, True)
        assert begun[end.year + 1] == end.number + 1
        story = page[page.index('id="story"') :]
        year = story[: story.index(f'<li value="{end.number}"')].rpartition("<h3>")[2]
        assert year.startswith(f"Year {end.year}<")
        following = asked(world, f"/replay/over/{end.number + 1}").get_data(as_text=True)
        assert f'<span class="stands">Year {end.year + 1} · Political rounds' in following


def test_refusals_lead_to_the_rules_of_the_game(world: World) -> None:
    page = asked(world, "/replay/over/1").get_data(as_text=True)
    name = world.services.replays.get("over").opening.ruleset.name
    assert f'data-rules="/rules?ruleset={name}"' in page
