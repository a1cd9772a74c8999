"""The rules, the board and the box that a host names for new tables."""

from __future__ import annotations

import html
from pathlib import Path

import msgspec
import pytest

from engine.errors import BadMaterial
from engine.material import library
from engine.material.inspection import write_material
from tests.web.world import World
from web.seating.new_table import house_of
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
    made = world.person("Anna").post("/api/tables", {"players": 2, "bots": 1})
    assert world.services.lobby.get(made.json["id"]).played_by.flush, "programs get them, too"


@pytest.fixture
def own_files(tmp_path: Path) -> Server:
    """A board without a set-up for two, and a box with other cards."""
    board, box = library.board().data, library.box()
    setups = {players: setup for players, setup in board.setups.items() if players != "2"}
    files = tmp_path / "mine.json", tmp_path / "box.json"
    files[0].write_bytes(write_material(msgspec.structs.replace(board, name="mine", setups=setups)))
    politics = {**box.politics, "polling": 4, "palace": 2}
    files[1].write_bytes(
        write_material(msgspec.structs.replace(box, name="curious", politics=politics))
    )
    return Server(board=str(files[0]), box=str(files[1]))


def test_a_host_names_the_board_and_the_box_of_new_tables(
    tmp_path: Path, own_files: Server
) -> None:
    world = World(tmp_path, settings=Settings(server=own_files))
    guest = world.guest()

    def played(**form: str) -> tuple[str, str]:
        sent = guest.ask("POST", "/play", form={"kind": "now", "players": "3", **form})
        assert sent.status_code == 303, sent.text
        state = world.services.games.live(sent.headers["Location"].rsplit("/", 1)[-1]).state
        return state.board.name, state.box.name

    assert played() == ("mine", "curious")
    # Whoever chooses the built-in ones gets those.
    assert played(board="toscana") == ("toscana", "curious")
    assert played(board="toscana", box="reconstruction") == ("toscana", "reconstruction")
    page = guest.get("/").text
    assert page.count('<option value="mine" selected>') == 2, "at once and hot-seat"
    assert guest.ask("POST", "/play", form={"kind": "now", "board": "moon"}).status_code == 422
    # What does not go with them is said in the form.
    refused = guest.ask("POST", "/play", form={"kind": "now", "players": "2"})
    assert refused.status_code == 422
    assert "board mine has no beginner set-up for 2" in html.unescape(refused.text)
    # It is the one to look at and to begin with.
    assert '<h2 id="seen-head">mine</h2>' in guest.get("/board").text


def test_programs_name_a_board_or_get_the_hosts(tmp_path: Path, own_files: Server) -> None:
    world = World(tmp_path, settings=Settings(server=own_files))
    anna = world.person("Anna")

    def made(**wish: str) -> tuple[str, str]:
        answer = anna.post("/api/tables", {"players": 3, "bots": 2, **wish})
        assert answer.status_code == 201, answer.text
        return answer.json["board"], answer.json["box"]

    assert made() == ("mine", "curious")
    assert made(board="toscana", box="curious") == ("toscana", "curious")
    wrong = anna.post("/api/tables", {"players": 3, "board": "moon"})
    assert (wrong.status_code, wrong.json["code"]) == (422, "no-such-material")
    assert (
        wrong.json["sentence"]
        == "Nothing here is named moon; there is mine, toscana-fair-v2, toscana-fair, toscana."
    )


def test_without_a_board_of_the_hosts_there_is_nothing_to_choose(tmp_path: Path) -> None:
    assert 'name="board"' not in World(tmp_path).guest().get("/").text


@pytest.mark.parametrize(
    ("board", "said"),
    [("moon", "nothing built in is named moon"), ("{}", "missing required field")],
)
def test_what_cannot_be_played_is_told_before_anyone_comes(
    tmp_path: Path, board: str, said: str
) -> None:
    if board == "{}":
        file = tmp_path / "bad.json"
        file.write_text(board)
        board = str(file)
    with pytest.raises(BadMaterial, match=said):
        house_of(Server(board=board))
