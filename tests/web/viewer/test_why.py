"""Why over HTTP: the account as JSON and as a page, the same for all, with problems in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bots import RandomBot
from engine.fold import fold
from engine.selfplay import new_game, play_out
from events.types import AnyEvent
from tests.projections.why.test_account import numbers
from tests.web.world import Someone, World, holder
from web.seating.new_table import NewTable

SOME = ("gold/1", "food/2", "points/3", "service/{city}/culture", "citizens/{city}", "supply")


class Asked(World):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.anna, bert = self.person("Anna"), self.person("Bert")
        game = play_out(new_game(3, "why"), RandomBot(3))
        self.events: list[AnyEvent] = game.events[:60]
        game.events, game.state = self.events, fold(self.events)
        self.seat("game", game, [holder(who, who.id[:9]) for who in (self.anna, bert, bert)])
        self.city = game.state.board.label[next(iter(game.state.cities.values())).castle]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    asked = Asked(tmp_path_factory.mktemp("why"))
    yield asked
    asked.close()


def sums_of(page: str) -> int:
    found = re.findall(r'class="why-amount">([^<]+)<', page)
    return sum(int(amount.replace("−", "-")) for amount in found)


@pytest.mark.parametrize("what", SOME)
@pytest.mark.parametrize("number", [None, 25])
def test_the_account_of_a_number(what: str, number: int | None, asked: Asked) -> None:
    what = what.format(city=asked.city)
    total = numbers(fold(asked.events[:number]))[what]
    for who in (asked.nobody(), asked.anna):
        query = f"?what={what}" + (f"&at={number}" if number else "")
        answer = who.get(f"/api/games/game/why{query}").json
        assert answer is not None
        assert (answer["what"], answer["total"]) == (what, total)
        assert answer["number"] == (number or len(asked.events))
        assert total == sum(entry["amount"] for entry in answer["entries"])
        address = f"/replay/game/{answer['number']}/why/{what}"
        page = who.client.get(address, headers={"Accept": "text/html"}).text
        bare = who.client.get(address, headers={"Accept": "application/json"}).text
        assert sums_of(page) == sums_of(bare) == total
        assert "<html" in page
        assert "<html" not in bare


def test_in_the_language_of_the_reader(asked: Asked) -> None:
    answer = asked.nobody().get("/api/games/game/why?what=gold/1&at=1&lang=de").json
    assert answer is not None
    assert answer["title"].startswith("Gold von ")
    assert answer["entries"] == [
        {
            "moment": 1,
            "year": 0,
            "amount": 1,
            "rule": "R7",
            "sentence": "Mit so viel Gold beginnt jeder Spieler.",
        }
    ]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("what=silver/1", 404, "no-such-number"),
        ("what=gold/4", 404, "no-such-number"),
        ("what=citizens/zz99", 404, "no-such-number"),
        ("what=citizens/d%00", 404, "no-such-number"),
        ("what=gold/1&at=0", 404, "no-such-moment"),
        ("what=gold/1&at=61", 404, "no-such-moment"),
        ("what=gold/1&at=-1", 422, "bad-query"),
        ("what=gold/1&at=1e3", 422, "bad-query"),
        ("what=" + "gold/" * 99, 422, "bad-query"),
        ("what=<script>", 422, "bad-query"),
        ("what=", 422, "bad-query"),
        ("", 422, "bad-query"),
    ],
)
def test_nonsense_is_refused_in_words(query: str, status: int, code: str, asked: Asked) -> None:
    answer = asked.anna.get(f"/api/games/game/why?{query}")
    assert answer.status_code == status
    assert answer.json is not None
    assert answer.json["code"] == code
    assert answer.json["sentence"].endswith(".")


@pytest.mark.parametrize(
    "path",
    [
        "/replay/game/61/why/gold/1",
        "/replay/game/0/why/gold/1",
        f"/replay/game/{'9' * 400}/why/gold/1",
        "/replay/game/9/why/gold",
        "/replay/game/9/why/gold/1/",
        "/replay/game/9/why/<script>",
        f"/replay/game/9/why/{'x/' * 900}",
        "/replay/nowhere/9/why/gold/1",
    ],
)
def test_nonsense_gets_a_page_that_says_so(path: str, asked: Asked) -> None:
    answer = asked.anna.get(path)
    assert answer.status_code == 404
    assert "<script>" not in answer.text.partition("<main")[2]


def test_a_table_that_waits_has_no_numbers(asked: Asked) -> None:
    table = asked.services.lobby.create(NewTable(), asked.anna.id, "Anna").id
    answer = asked.anna.get(f"/api/games/{table}/why?what=gold/1")
    assert answer.status_code == 409


def test_every_number_of_the_page_can_be_asked_for(asked: Asked) -> None:
    """Each link on the table's page shows the number that stands in it."""
    reader: Someone = asked.nobody()
    page = reader.get("/table/game").text
    found = re.findall(r'data-why="([^"]+)" href="([^"]+)"[^>]*>(-?\d+)', page)
    assert len({what for what, _, _ in found}) > 25
    for _what, address, shown in found:
        assert sums_of(reader.get(address).text) == int(shown)
