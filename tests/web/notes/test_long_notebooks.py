"""Notebooks that somebody filled to the brim: each view stays as cheap as a short one's."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from events.store.stores import open_store
from replays.files.import_ import import_file
from replays.notes.annotations import (
    AnyWritten,
    Author,
    ChapterPut,
    Content,
    Noted,
    Place,
    StudyOpened,
    written_upcasters,
)
from replays.notes.notebook import read_notebook
from tests.web.notes.test_service import GAME, Desk
from web.site import markdown
from web.site.cache import Cache

BY = Author(name="Anna", person="guest-1")
MANY = 30
ANSWERS = 500
SHORT = "Too early."
LONG = {
    "wide-table": "|a" * 1200 + "|\n" + "|-" * 1200 + "|\n" + "|c|\n" * 2000,
    "many-tables": ("|a" * 20 + "|\n" + "|-" * 20 + "|\n" + "|\n" * 40 + "\n") * 200,
    "quoted-table": "> " + "|a" * 300 + "|\n> " + "|-" * 300 + "|\n" + "> |\n" * 3000,
    "few-rows": "|a" * 200 + "|\n" + "|-" * 200 + "|\n" + "|\n" * 500,
    "brackets": "[" * 10_000,
    "pictures": "![a" * 3300,
    "items": "- a\n" * 2500,
    "links": "<a@b.c>" * 1400,
    "most-items": "- a\n" * (markdown.MAX_MARKS - 9),
    "most-links": "<a@b.c>" * (markdown.MAX_MARKS - 9),
    "most-cells": "|a" * 19 + "|\n" + "|-" * 19 + "|\n" + "|\n" * 90,
}
KINDS = ["short", *LONG]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Per kind of text thirty notes on a moment of a game and of a study with twenty chapters."""
    desk = Desk(tmp_path_factory.mktemp("full"))
    for kind in KINDS:
        text = LONG.get(kind, SHORT)[:9_900]
        study: list[AnyWritten] = [
            StudyOpened(by=BY, title="A", seen_by="all", introduction=text),
            *(
                ChapterPut(by=BY, chapter=f"c{n}", title="A", game="over", introduction=text)
                for n in range(20)
            ),
        ]
        append(desk, f"study/{kind}", [*study, *notes(kind, text, "c0")])
        append(desk, "game/over", notes(kind, text, ""))
    yield desk
    desk.close()


def moment(kind: str) -> int:
    return 12 + KINDS.index(kind)


def notes(kind: str, text: str, chapter: str) -> list[AnyWritten]:
    return [
        Noted(
            by=BY,
            chapter=chapter,
            note=f"{kind}-{number}",
            at=Place(number=moment(kind)),
            content=Content(text=f"{text}\n\n{number}"),
            seen_by="all",
        )
        for number in range(MANY)
    ]


def append(desk: Desk, stream: str, written: Sequence[AnyWritten]) -> None:
    version = desk.store.notes.version(stream)
    desk.store.notes.append(stream, version, [msgspec.json.encode(each) for each in written])


def seconds(desk: Desk, kind: str) -> float:
    """What the processor spends on every view of these notes."""
    begun = time.thread_time()
    for path in (
        f"/replay/over/{moment(kind)}",
        f"/replay/over/{moment(kind)}/parts",
        f"/replay/over/under/standard/{moment(kind)}/parts",
        f"/study/{kind}",
        f"/study/{kind}/c0/{moment(kind)}",
        f"/api/notebooks/study/{kind}",
        GAME,
    ):
        answer = desk.zoe.get(path)
        assert answer.status_code == 200, path
        assert len(answer.data) < 3_000_000, path
    return time.thread_time() - begun


@pytest.mark.parametrize("kind", LONG)
def test_long_notes_cost_hardly_more_than_short_ones(
    full: Desk, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds(full, "short")
    short = min(seconds(full, "short") for _ in range(2))
    # As after a restart: nothing is held ready.
    monkeypatch.setattr(markdown, "_rendered", Cache(markdown.CACHED, getsizeof=len))
    first = seconds(full, kind)
    # Other threads of this process may spend something meanwhile.
    again = min(seconds(full, kind) for _ in range(3))
    assert first < 3 * short + 1
    assert again < 2 * short + 0.2


@pytest.fixture(scope="module")
def chained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A chain of 500 answers beside a game and in a study."""
    desk = Desk(tmp_path_factory.mktemp("chained"))
    opened = StudyOpened(by=BY, title="A", seen_by="all")
    chapter = ChapterPut(by=BY, chapter="c1", title="A", game="over", start=12)
    for stream, first, of in (("game/over", [], ""), ("study/s1", [opened, chapter], "c1")):
        append(desk, stream, [*first, *chain(of)])
    yield desk
    desk.close()


def chain(chapter: str) -> list[AnyWritten]:
    return [
        Noted(
            by=BY,
            chapter=chapter,
            note=f"n{number}",
            at=Place(number=12),
            content=Content(text=f"answer-{number}."),
            seen_by="all",
            answers=f"n{number - 1}" if number else "",
        )
        for number in range(ANSWERS)
    ]


@pytest.mark.parametrize(
    ("path", "pages"),
    [
        ("/replay/over/12?notes=", 25),
        ("/replay/over/12/parts?notes=", 25),
        ("/replay/over/under/standard/12?notes=", 25),
        ("/study/s1/c1/12?notes=", 25),
        ("/study/s1/c1/12/parts?notes=", 25),
        (f"{GAME}?page=", 10),
        ("/api/notebooks/study/s1?page=", 10),
        ("/replay/over/game.html", 1),
        ("/replay/over/game.txt", 1),
        ("/study/s1/study.json", 1),
    ],
)
def test_a_long_chain_of_answers_is_read(chained: Desk, path: str, pages: int) -> None:
    read = []
    for page in range(1, pages + 1):
        answer = chained.zoe.get(f"{path}{page}" if path.endswith("=") else path)
        assert answer.status_code == 200, page
        text = answer.text.partition('id="all-notes"')[0]
        read += re.findall(r"(?<![\w>]>)(?:<p>|text\\?\": ?\\?\")?answer-(\d+)\.", text)
    assert list(dict.fromkeys(map(int, read))) == list(range(ANSWERS))


@pytest.mark.parametrize("name", ["game.txt", "study.json"])
def test_a_long_chain_of_answers_is_imported(chained: Desk, tmp_path: Path, name: str) -> None:
    where = "/study/s1/" if name == "study.json" else "/replay/over/"
    (tmp_path / name).write_bytes(chained.zoe.get(where + name).data)
    with open_store(tmp_path / "other.db") as other:
        id_ = import_file(other, tmp_path / name)
        kind = "study" if name == "study.json" else "game"
        written = [written_upcasters.decode(r.event) for r in other.notes.read(f"{kind}/{id_}")]
        assert len(read_notebook(written).notes) == ANSWERS


def test_a_note_is_found_on_its_page(chained: Desk) -> None:
    page = chained.zoe.get("/replay/over/12?note=n77").text
    assert 'id="note-n77"' in page
    assert "Page 4 of 25" in page
    assert 'id="note-n59"' not in page
    # Whatever page is asked for, there is one.
    for wanted in ("0", "26", "99999", "-1", "x", "9" * 30):
        assert "Page " in chained.zoe.get(f"/replay/over/12?notes={wanted}").text
    assert "Page 25 of 25" in chained.zoe.get("/replay/over/12?notes=99").text


def test_a_list_of_notes_has_pages(chained: Desk) -> None:
    first, third = (chained.zoe.get(f"/replay/over/1?listed={n}").text for n in (1, 3))
    assert "(500)" in first
    assert "Page 1 of 5" in first
    assert re.findall(r"answer-(\d+)", third) == [str(n) for n in range(200, 300)]
    # A slider's mark tells of the first few notes only.
    assert "✎ ✎ ✎ ✎ ✎ …" in first
    assert "✎ ✎ ✎ ✎ ✎ ✎" not in first


def test_a_study_with_many_chapters_has_pages(chained: Desk) -> None:
    anna = chained.anna
    by = Author(name="Anna", person=anna.id)
    opened = StudyOpened(by=by, title="Long", seen_by="all")
    chapters = [
        ChapterPut(by=by, chapter=f"c{n}", title=f"Title-{n}.", game="over") for n in range(25)
    ]
    append(chained, "study/long", [opened, *chapters])
    read = [
        re.findall(r"Title-(\d+)\.</a>", anna.get(f"/study/long?page={n}").text) for n in (1, 2, 3)
    ]
    assert [int(n) for page in read for n in page] == list(range(25))
    answer = anna.ask("POST", "/study/long/c9/move", form={"to": "down"})
    assert answer.status_code == 303
    assert answer.headers["Location"].endswith("/study/long?page=2#chapter-c9")
    assert "Title-9." in anna.get("/study/long?page=2").text
