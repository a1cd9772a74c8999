"""Moments after a version: patched into the picture of that version, they are the server's own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from engine.bots import RandomBot
from engine.fold import fold
from engine.selfplay import Game, new_game, play_out
from engine.view import view
from tests.web.world import World, holder
from web.drawing.board import draw_board, draw_layers
from web.drawing.layers import Layered
from web.moments.painter import last_marks
from web.table.moments import MOST


@pytest.fixture(scope="module")
def game() -> Game:
    return play_out(new_game(3, "moments"), RandomBot(3))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, game: Game) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("moments"))
    anna = world.person("Anna")
    world.seat("game", game, [holder(anna, f"Anna {seat}") for seat in range(3)])
    yield world
    world.close()


def asked(world: World, after: int) -> dict[str, Any]:
    answer = world.nobody().client.get(f"/api/games/game/moments?after={after}")
    found: dict[str, Any] = json.loads(answer.data)
    return found


def test_a_whole_game_patched_is_as_the_server_draws_it(world: World, game: Game) -> None:
    live = world.services.games.live("game")
    texts: list[list[str]] = []
    shell: list[str] = []
    after, scores = 0, []
    while after < len(game.events):
        answer = asked(world, after)
        pool, moments = answer["pool"], answer["moments"]
        assert 0 < len(moments) <= MOST
        for moment in moments:
            number = moment["number"]
            s = fold(event for event, _ in live.story[:number])
            marks = last_marks(live.story[:number])
            expected = draw_layers(s.board, view(s), marks=marks)
            shell, texts = expected.shell, texts or [[] for _ in expected.layers]
            texts = splice_texts(texts, moment.get("board", []), pool)
            assert texts == expected.layers, number
            scores = moment.get("scores", scores)
            assert [row[3] for row in scores] == [player.gold for player in view(s).players]
        after = moments[-1]["number"]
    s = live.state
    page = draw_board(s.board, view(s), marks=last_marks(live.story))
    assert Layered(shell, texts).svg == page
    assert asked(world, after)["moments"] == []


def splice_texts(
    layers: list[list[str]], changes: list[list[int]], pool: list[str]
) -> list[list[str]]:
    changed = [list(layer) for layer in layers]
    for place, start, gone, *come in changes:
        changed[place][start : start + gone] = [pool[piece] for piece in come]
    return changed


def test_the_table_shows_the_same_picture(world: World) -> None:
    live = world.services.games.live("game")
    page = world.nobody().client.get("/table/game/parts").get_data(as_text=True)
    found = re.search(r'<svg[^>]*class="lc lc-board".*?</svg>', page, re.DOTALL)
    assert found is not None
    s = live.state
    marks = last_marks(live.story)
    assert found[0] == draw_board(s.board, view(s), marks=marks)


@pytest.mark.parametrize("after", [0, 1, 40])
def test_drawn_on_an_empty_sheet_nothing_has_to_be_known_before(world: World, after: int) -> None:
    live = world.services.games.live("game")
    path = f"/api/games/game/moments?after={after}&whole=1"
    answer = json.loads(world.nobody().client.get(path).data)
    first = answer["moments"][0]
    s = fold(event for event, _ in live.story[: after + 1])
    expected = draw_layers(s.board, view(s), marks=last_marks(live.story[: after + 1]))
    empty: list[list[str]] = [[] for _ in expected.layers]
    assert splice_texts(empty, first["board"], answer["pool"]) == expected.layers
    assert {"scores", "display"} <= set(first)


def test_an_open_page_is_sent_what_happened_instead_of_the_board(world: World) -> None:
    version = world.services.games.live("game").version
    client = world.nobody().client
    for after, sent in ((version - MOST, True), (version - MOST - 1, False), (0, False)):
        page = client.get(f"/table/game/parts?after={after}").get_data(as_text=True)
        found = re.search(r'<template id="happened">(.*?)</template>', page, re.DOTALL)
        assert found is not None
        assert ("lc-board" in page) != sent
        assert (found[1] != "null") == sent
    assert client.get("/table/game/parts?after=x").status_code == 200
    assert client.get("/table/game/parts?after=99999999").status_code == 200


def test_what_does_not_exist_is_refused(world: World, game: Game) -> None:
    client = world.nobody().client
    assert client.get(f"/api/games/game/moments?after={len(game.events) + 1}").status_code == 404
    assert client.get("/api/games/game/moments?seat=1").status_code == 403
    assert client.get("/api/games/game/moments?after=x").status_code == 422
