"""What people write beside a game costs nobody else the page."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import msgspec
import pytest

from events.store.protocol import Store
from replays.notes.annotations import Author, Content, Noted, Place
from tests.attacks.host import Host
from tests.attacks.siege import Asking, withstand

pytestmark = pytest.mark.long

NOTES, ANSWERS = 30, 500
COLUMNS, ROWS = 1500, 1500
TABLE = f"{'|x' * COLUMNS}|\n{'|-' * COLUMNS}|\n" + "|\n" * ROWS
"""Markdown fills up each short row of a table to the length of the first."""

VIEWS = (
    "/replay/over-0/3",
    "/replay/over-0/3/parts",
    "/api/notebooks/game/over-0",
    "/replay/over-0/game.html",
    "/replay/over-0/game.txt",
)


def views(host: Host, number: int) -> Asking:
    """The page with the notes and what is made of it, one after the other."""
    who, times = host.visitor(), count(number)
    return lambda: who.get(VIEWS[next(times) % len(VIEWS)]).status


def write_tables(host: Host) -> Asking:
    """A guest's notes, each a table as large as its text allows; then views, too."""
    who, times = host.visitor(), count()
    content = {"text": TABLE}
    assert len(TABLE) < 10_000
    sent = {"at": {"number": 3}, "content": content, "seen_by": "all", "guest": "Guest"}
    view = views(host, 0)

    def ask() -> int:
        if next(times) < NOTES:
            return who.post("/api/notebooks/game/over-0/notes", sent).status
        return view()

    return ask


def test_notes_of_large_tables(tmp_path: Path) -> None:
    with Host(tmp_path) as host:
        answers = withstand(host, [write_tables(host), *(views(host, n) for n in range(1, 5))])
    assert answers[200]
    assert answers.keys() <= {200, 201, 202, 409, 422, 429}


class Chained(Host):
    """Somebody has answered every answer with another one."""

    def fill(self, store: Store) -> None:
        by = Author(name="Guest", person="guest-1")
        for number in range(ANSWERS):
            answer = Noted(
                by=by,
                note=f"n{number}",
                at=Place(number=3),
                content=Content(text="And yet."),
                seen_by="all",
                answers=f"n{number - 1}" if number else "",
            )
            store.notes.append("game/over-0", number, [msgspec.json.encode(answer)])


def test_a_chain_of_answers(tmp_path: Path) -> None:
    with Chained(tmp_path) as host:
        who = host.visitor()
        sent = {
            "at": {"number": 3},
            "content": {"text": "One more."},
            "seen_by": "all",
            "answers": f"n{ANSWERS - 1}",
            "guest": "Guest",
        }
        assert who.post("/api/notebooks/game/over-0/notes", sent).status in (201, 409)
        for path in VIEWS:
            assert who.wait_for(path).status == 200
        answers = withstand(host, [views(host, number) for number in range(5)])
    assert answers[200]
    assert answers.keys() <= {200, 202, 429}
