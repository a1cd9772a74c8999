"""Lists that strangers make long: each is shown a page at a time, and costs what a page costs."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from replays.chat import LONGEST, ChatMoment, Said
from replays.notes.annotations import Author, StudyOpened
from tests.web.world import Someone, World, holder
from web.chat.conversation import AT_ONCE
from web.games.seats import GAMES_AT_ONCE
from web.lobby.api import TABLES_AT_ONCE
from web.seating.new_table import NewTable
from web.studies.api import STUDIES_AT_ONCE

MANY = 130


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = World(tmp_path_factory.mktemp("many"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def anna(world: World) -> Someone:
    return world.person("Anna")


@pytest.fixture(scope="module")
def zoe(world: World) -> Someone:
    return world.person("Zoe")


def everything(who: Someone, path: str) -> list[list[dict[str, object]]]:
    """What a program gets that asks until nothing comes."""
    pages: list[list[dict[str, object]]] = []
    while True:
        answer = who.get(f"{path}?page={len(pages) + 1}")
        assert answer.status_code == 200
        assert isinstance(answer.json, list)
        if not answer.json:
            return pages
        pages.append(answer.json)


def test_many_open_tables(world: World, anna: Someone, zoe: Someone) -> None:
    for _ in range(MANY):
        wish = NewTable(players=2, bots=0, setup="beginner", ruleset="standard", open=True)
        world.services.lobby.create(wish, anna.id, "Anna")
    pages = everything(zoe, "/api/tables")
    assert [len(page) for page in pages] == [TABLES_AT_ONCE, MANY - TABLES_AT_ONCE]
    assert len({table["id"] for page in pages for table in page}) == MANY
    assert [len(page) for page in everything(anna, "/api/me/games")] == [GAMES_AT_ONCE] * 2 + [30]
    assert zoe.get("/api/tables").json == pages[0]
    last = zoe.get("/?open=99").text
    assert "Page 11 of 11" in last
    assert last.count("<button>Join</button>") == MANY - 10 * 12
    mine = anna.get("/").text
    assert "Page 1 of 3" in mine
    assert mine.count('<li class="card game') <= GAMES_AT_ONCE + 24


def test_many_studies(world: World, anna: Someone, zoe: Someone) -> None:
    by = Author(name="Anna", person=anna.id)
    for number in range(MANY):
        opened = StudyOpened(by=by, title=f"Title {number:03}.", seen_by="all")
        world.store.notes.append(f"study/s{number:03}", 0, [msgspec.json.encode(opened)])
    pages = everything(zoe, "/api/studies")
    assert [len(page) for page in pages] == [STUDIES_AT_ONCE, MANY - STUDIES_AT_ONCE]
    assert "Page 1 of 3" in zoe.get("/studies").text
    assert "Title 129." in zoe.get("/studies?others=3").text
    assert "Title 129." in anna.get("/studies?own=3").text
    # One that is written in is listed anew, and only that one is read again.
    changed = {"title": "Another title.", "seen_by": "all"}
    assert anna.post("/api/studies/s007", changed).status_code == 200
    assert "Another title." in zoe.get("/studies").text


def test_a_long_talk(world: World, anna: Someone, zoe: Someone) -> None:
    game = play_out(new_game(2, "talk"), RandomBot(1))
    world.seat("talk", game, [holder(anna, "Anna"), holder(zoe, "Zoe")])
    words = [1, 2] * (LONGEST // 2)
    lines = [
        Said(
            by=Author(name="Anna", person=anna.id),
            said=f"s{number}",
            seat=1,
            words=words if number % 2 else ["<b>" + "a" * (LONGEST - 3)],
            at=ChatMoment(number=1, year=1, turn=1),
        )
        for number in range(2 * AT_ONCE + 1)
    ]
    world.store.notes.append("chat/talk", 0, [msgspec.json.encode(line) for line in lines])
    read, after = [], 0
    while fresh := zoe.get(f"/api/games/talk/chat?after={after}").json["lines"]:
        assert len(fresh) <= AT_ONCE
        read += [line["said"] for line in fresh]
        after = fresh[-1]["version"]
    assert read == [line.said for line in lines]
    page = zoe.get("/table/talk/chat")
    assert page.status_code == 200
    assert page.text.count("chat-line ") == 100
