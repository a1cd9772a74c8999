"""A game may be as long as a file can be: its story comes in parts, and it is folded elsewhere."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bots import RandomBot
from engine.selfplay import Game, new_game, play_out
from tests.web.jobs.pools import HeldPool
from tests.web.world import World
from web.games import replays
from web.jobs import queue
from web.viewer import story

LINES = 20
LINE = re.compile(r'<li value="(\d+)"')


@pytest.fixture(scope="module")
def finished() -> Game:
    return play_out(new_game(3, "replays"), RandomBot(4))


@pytest.fixture
def world(tmp_path: Path, finished: Game) -> Iterator[World]:
    made = World(tmp_path)
    made.store.append("g", 0, finished.events)
    yield made
    made.close()


def lines(page: str) -> list[int]:
    return [int(number) for number in LINE.findall(page.split('id="story"')[1])]


def test_a_long_story_comes_in_parts_that_lead_to_each_other(
    world: World, finished: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = world.nobody()
    whole = story.told_moments(world.services.replays.get("g"))
    monkeypatch.setattr(story, "LINES_SHOWN", LINES)
    at, found = "/replay/g/1", list[int]()
    while at:
        page = nobody.get(at).text
        assert 'data-number="1"' in page
        found += lines(page)
        later = re.search(r'<a rel="next" href="([^"#]+)#story" data-moves>Later', page)
        at = later[1] if later else ""
    assert found == whole
    assert len(whole) > 3 * LINES
    earlier = re.search(r'<a rel="prev" href="([^"#]+)#story" data-moves>Earlier', page)
    assert earlier
    assert lines(nobody.get(earlier[1]).text)[-1] < lines(page)[0]


def test_the_moment_that_is_open_is_in_the_part_that_is_shown(
    world: World, finished: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story, "LINES_SHOWN", LINES)
    nobody = world.nobody()
    whole = story.told_moments(world.services.replays.get("g"))
    for number in range(1, len(finished.events) + 1, 7):
        page = nobody.get(f"/replay/g/{number}").text
        assert len(lines(page)) <= LINES
        part = page.split('id="story"')[1]
        first, last = map(int, re.findall(r'data-(?:first|last)="(\d+)"', part))
        assert first <= number <= last
        current = re.findall(r'<li value="(\d+)"[^>]*><a [^>]*aria-current', page)
        assert [int(each) for each in current] == [at for at in whole if at <= number][-1:]


def test_notes_stand_beside_their_own_part_alone(
    world: World, finished: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story, "LINES_SHOWN", LINES)
    late = len(finished.events)
    note = {"at": {"number": late}, "content": {"text": "Well.", "glyph": "?"}, "seen_by": "all"}
    anna = world.person("Anna")
    assert anna.post("/api/notebooks/game/g/notes", note).status_code == 201
    for number, count in ((1, 0), (late, 1)):
        page = anna.get(f"/replay/g/{number}").text
        assert page.split('id="story"')[1].count('class="glyph" href') == count


def test_a_long_game_is_folded_elsewhere(
    tmp_path: Path, finished: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "GRACE", 0.0)
    monkeypatch.setattr(replays, "LONG", 50)
    pool = HeldPool()
    world = World(tmp_path, pool=pool)
    world.store.append("g", 0, finished.events)
    nobody = world.nobody()
    for path in ("/replay/g", "/api/games/g/moments/9", "/api/games/g/course", "/replay/g/9/parts"):
        assert nobody.get(path).status_code == 202
    pool.free.set()
    while (answer := nobody.get("/api/games/g/course")).status_code == 202:
        pass
    assert answer.json is not None
    assert answer.json["last"] == len(finished.events)
    assert nobody.get("/replay/g").status_code == 200
    assert pool.ran_in
    assert threading.get_ident() not in pool.ran_in
    world.close()
