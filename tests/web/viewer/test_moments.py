"""Every address that names a moment: at the first, at the last, and at those that do not exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.selfplay import new_game
from replays.notes.annotations import Author, ChapterPut, StudyOpened
from tests.web.notes.test_long_notebooks import append
from tests.web.notes.test_service import Desk
from tests.web.world import holder

GAMES = ("over", "running", "begun")
"""The last one has its opening, its deal, and nothing more."""
NOTES = "/api/notebooks/game/{game}"
PAGES = (
    "/replay/{game}/{number}",
    "/replay/{game}/{number}/parts?cards=open",
    "/replay/{game}/compare?a={number}&b=2",
    "/replay/{game}/compare?a=1&b={number}",
    "/replay/{game}/{number}/why/points/1",
    "/replay/{game}/{number}/why/supply",
    "/replay/{game}/{number}/picture.svg",
    "/replay/{game}/under/flush/{number}",
    "/replay/{game}/under/flush/{number}/parts",
    "/embed/{game}/{number}",
    "/table/{game}/at/{number}",
    "/study/{game}/c1/{number}",
    "/study/{game}/c1/{number}/parts",
    "/study/{game}/c1/guess/{number}",
    "/api/games/{game}/moments/{number}?seat=1",
    "/api/games/{game}/explanations/{number}",
    "/api/games/{game}/story?after={number}",
    "/api/games/{game}/moments?after={number}",
    f"{NOTES}/choices/-/-?number={{number}}",
    f"{NOTES}/choices/-/-?number={{number}}&seat=1",
    f"{NOTES}/choices/-/-/hint?number={{number}}",
    "/api/notebooks/study/{game}/choices/c1/-?number={number}",
)
IN_LINES = (
    "/replay/{game}/{number}?line={line}",
    "/replay/{game}/{number}/parts?line={line}",
    "/replay/{game}/{number}/why/points/1?line={line}",
    "/replay/{game}/{number}/picture.svg?line={line}",
    "/replay/{game}/compare?a={number}&b=2&line={line}",
    f"{NOTES}/choices/-/{{line}}?number={{number}}",
    f"{NOTES}/choices/-/{{line}}/hint?number={{number}}",
)
GOLD = {"type": "gold", "seat": 1}
BODIES: dict[str, Any] = {
    f"{NOTES}/choices/-/-?number={{number}}": GOLD,
    f"{NOTES}/choices/-/-?number={{number}}&seat=1": GOLD,
    f"{NOTES}/lines": {"move": {"action": GOLD}},
    f"{NOTES}/lines?": {"move": {"bot": "random", "turns": 2}},
    f"{NOTES}/lines?as-they-were": {"move": {"bot": "random"}, "cards": "as-they-were"},
    f"{NOTES}/notes": {"content": {"text": "Here."}},
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = Desk(tmp_path_factory.mktemp("moments"))
    desk.seat("begun", new_game(2, "begun"), [holder(desk.anna, "Anna"), holder(desk.bert, "Bert")])
    by = Author(name="Anna", person=desk.anna.id)
    for game in GAMES:
        opened = StudyOpened(by=by, title="A", seen_by="all")
        chapter = ChapterPut(by=by, chapter="c1", title="A", game=game, guess=1)
        append(desk, f"study/{game}", [opened, chapter])
    yield desk
    desk.close()


def numbers(last: int) -> list[int]:
    return [0, 1, last, last + 1, -1, 10**30]


@pytest.mark.parametrize("page", PAGES)
def test_a_moment_is_shown_or_there_is_none(desk: Desk, page: str) -> None:
    for game in GAMES:
        last = desk.services.replays.get(game).last
        for number in numbers(last):
            path = page.format(game=game, number=number)
            status = desk.anna.get(path).status_code
            assert status in (200, 303, 404, 409, 422), path
            if page.startswith("/replay/{game}/{number}"):
                assert status == (200 if 1 <= number <= last else 404), path


@pytest.mark.parametrize("game", GAMES)
def test_a_moment_of_a_line_is_shown_or_there_is_none(desk: Desk, game: str) -> None:
    start = {"at": {"number": 2}, "move": {"bot": "random", "turns": 2}, "seen_by": "all"}
    made = desk.made(desk.anna, f"/api/notebooks/game/{game}/lines", start)
    for page in IN_LINES:
        for number in numbers(made["last"]):
            path = page.format(game=game, number=number, line=made["id"])
            assert desk.anna.get(path).status_code in (200, 404, 409, 422), path


@pytest.mark.parametrize("path", BODIES)
def test_writing_at_a_moment_is_done_or_refused(desk: Desk, path: str) -> None:
    for game in GAMES:
        for number in numbers(desk.services.replays.get(game).last):
            body = dict(BODIES[path])
            if "type" not in body:
                body["at"] = {"number": number}
            answer = desk.anna.post(path.format(game=game, number=number), body)
            assert answer.status_code in (200, 201, 404, 409, 422), (game, number, answer.text)
            if answer.status_code >= 400:
                assert answer.json["sentence"]
