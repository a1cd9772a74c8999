"""A server on the database of an earlier release: people find what was theirs, and play on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.events.server import Server
from tests.events.store.test_older_stores import RELEASES, load_sample
from tests.web.world import Someone, World
from web.cli.main import main

PASSWORD = "password of Anna"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "games.db")
    server: Server = request.getfixturevalue("server")
    return server.new_schema()


@pytest.fixture(params=RELEASES)
def upgraded(request: pytest.FixtureRequest, url: str) -> Iterator[World]:
    load_sample(url, request.param)
    world = World(url)
    world.services.projector.catch_up()
    yield world
    world.close()


def log_in(world: World) -> Someone:
    anna = world.nobody()
    answer = anna.ask("POST", "/login", form={"name": "Anna", "password": PASSWORD})
    assert answer.status_code == 303, answer.text
    return anna


def test_people_find_what_was_theirs_and_play_on(upgraded: World, url: str) -> None:
    anna = log_in(upgraded)
    for path, words in {
        "/": "Anna",
        "/table/game?seat=1": "Hello.",
        "/replay/done": "La Città",
        "/study/s1": "Quarries",
        "/account": "Phone",
        "/host": "You fool.",
        "/invitations": "withdraw",
    }.items():
        answer = anna.get(path)
        assert answer.status_code == 200, path
        assert words in answer.text, path
    turns = 0
    for info in upgraded.store.games():
        found = anna.get(f"/api/games/{info.game}/actions")
        if found.status_code == 200 and found.json and found.json["actions"]:
            answer = anna.post(f"/api/games/{info.game}/actions", found.json["actions"][0])
            assert answer.status_code == 201, answer.text
            turns += 1
    assert turns
    result = CliRunner().invoke(main, ["check", "--db", url])
    assert result.exit_code == 0, result.output
