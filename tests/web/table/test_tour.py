"""The tour over the first table: offered until it was seen or skipped, to accounts and guests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.web.world import Someone, World
from web.table.tour import STEPS

OFFERED = re.compile(r'<div id="tour"[^>]* data-offered')


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def play(person: Someone) -> str:
    """The page of a new table against a bot."""
    return person.ask("POST", "/play", form={"kind": "now"}).headers["Location"]


def test_it_is_offered_until_it_was_seen(world: World) -> None:
    for person in (world.person("Anna"), world.nobody()):
        table = play(person)
        assert OFFERED.search(person.get(table).text)
        assert person.ask("POST", "/api/me/tour").json == {"seen": True}
        assert not OFFERED.search(person.get(table).text)
        assert not OFFERED.search(person.get(play(person)).text)
        assert 'id="tour-start"' in person.get(table).text


def test_who_only_watches_is_not_shown_around(world: World) -> None:
    assert not OFFERED.search(world.nobody().get(play(world.person("Anna"))).text)


def test_a_guest_who_registers_keeps_it(world: World) -> None:
    guest = world.nobody()
    table = play(guest)
    guest.ask("POST", "/api/me/tour")
    guest.post("/api/accounts", {"name": "Gina", "password": "correct horse"})
    assert guest.get("/api/me").json["account"]
    assert not OFFERED.search(guest.get(table).text)
    assert guest.get("/account/export").json["account"]["toured"] is True


def test_it_has_few_steps_of_few_words() -> None:
    assert len(STEPS) == 8
    assert all(step.at and step.title and len(step.text) < 280 for step in STEPS)
