"""The rules that a host names for new tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.material import library
from tests.web.world import World
from web.settings import Server, Settings


@pytest.mark.parametrize("word", ["flush", "flush+growth=2+name=ours", "file"])
def test_a_host_names_the_rules_of_new_tables(tmp_path: Path, word: str) -> None:
    if word == "file":
        file = tmp_path / "ours.toml"
        file.write_text('name = "ours"\nbase = "flush"\ngrowth = 2\n', encoding="utf-8")
        word = str(file)
    world = World(tmp_path, settings=Settings(server=Server(ruleset=word)))
    guest = world.guest()
    sent = guest.ask("POST", "/play", form={"kind": "now"})
    table = world.services.lobby.get(sent.headers["Location"].rsplit("/", 1)[-1])
    assert table.played_by.flush
    assert table.played_by.name == ("flush" if word == "flush" else "ours")
    assert "ours" in guest.get("/").text or word == "flush"
    # Whoever names others gets those.
    sent = guest.ask("POST", "/play", form={"kind": "now", "ruleset": "standard"})
    table = world.services.lobby.get(sent.headers["Location"].rsplit("/", 1)[-1])
    assert table.played_by == library.ruleset()
    own = {"kind": "now", "house_rules": "rounds = 4"}
    sent = guest.ask("POST", "/play", form=own)
    table = world.services.lobby.get(sent.headers["Location"].rsplit("/", 1)[-1])
    assert (table.played_by.flush, table.played_by.rounds) == (True, 4)
    assert guest.ask("POST", "/play", form={"kind": "now", "ruleset": "chess"}).status_code == 422
