"""The page for a board and a box of one's own, and tables that are played with them."""

from __future__ import annotations

import html
import io
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.material import library
from engine.material.inspection import write_material
from events.material import BoardData
from tests.web.world import World
from web.seating.service import opening


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def own_board(**changes: Any) -> BoardData:
    return msgspec.structs.replace(library.board().data, **{"name": "mine", **changes})


def box_text(**politics: int) -> str:
    box = library.box()
    own = msgspec.structs.replace(box, name="curious", politics={**box.politics, **politics})
    return write_material(own).decode()


def test_the_built_in_board_is_drawn_and_downloaded(world: World) -> None:
    page = world.nobody().get("/board").text
    assert 'class="lc lc-board' in page
    assert "179 lane hexes" in page
    assert "every set-up is as the rules want it" in page
    for what in ("board", "box"):
        sent = world.nobody().get(f"/board/{what}.json")
        assert sent.headers["Content-Disposition"] == f'attachment; filename="{what}.json"'
        assert sent.json["name"] == (
            library.board().name if what == "board" else library.box().name
        )
    assert world.nobody().get("/board/rules.json").status_code == 404


@pytest.mark.parametrize("as_file", [False, True])
def test_a_board_is_checked_hex_by_hex(world: World, as_file: bool) -> None:
    guest = world.guest()
    data = msgspec.to_builtins(own_board())
    data["lanes"]["a2"]["at"] = [1, 1]
    text = msgspec.json.encode(data)
    form: dict[str, Any] = {"players": "3"}
    form |= {"board_file": (io.BytesIO(text), "x.json")} if as_file else {"board": text.decode()}
    answer = guest.client.post("/board", data=form, headers={"X-CSRFToken": guest.csrf()})
    assert answer.status_code == 422
    page = html.unescape(answer.text)
    assert "board mine: a2 at (1, 1) is no lane hex (R3)" in page
    assert '"at":[1,1]' in page  # It is kept, to be mended.
    # All of it is drawn, and what is wrong is marked where it is.
    assert page.count("data-part=") == len(data["lanes"]) + len(data["fields"]) + len(data["edges"])
    assert "<title>a2\nboard mine: A1 lies on a2\nboard mine: a2 at (1, 1) is no lane" in page
    assert page.count('class="fault"') >= 2


def test_what_can_be_read_of_a_board_is_drawn(world: World) -> None:
    """Each part for itself: one that is no hex keeps no other from being seen."""
    data = msgspec.to_builtins(own_board())
    data["lanes"]["a2"]["at"] = "here"
    data["lanes"]["a3"] = 7
    del data["fields"]["A1"]["cells"][0]
    data["edges"]["<i>"] = data["edges"].popitem()[1]
    answer = world.guest().ask("POST", "/board", form={"board": msgspec.json.encode(data).decode()})
    assert answer.status_code == 422
    page = html.unescape(answer.text)
    for said in ("a2.at: expected `array`, got `str`", "a3: expected `object`, got `int`"):
        assert said in page
    assert "A1.cells: expected `array` of length" in page
    assert page.count("data-part=") == sum(len(data[n]) for n in ("lanes", "fields", "edges")) - 3
    assert "<i>" not in answer.text.split("<textarea")[0]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("board", "{"),
        ("board", "[" * 15_000),
        ("board", '{"name": "<script>alert(1)</script>"}'),
        ("box", "{}"),
        ("box", box_text(polling=99)),
    ],
)
def test_hostile_files_are_sentences(world: World, field: str, text: str) -> None:
    answer = world.guest().ask("POST", "/board", form={field: text})
    assert answer.status_code == 422
    assert "<script>alert" not in answer.text


def test_a_set_up_that_is_not_fair_is_said_and_drawn(world: World) -> None:
    data = own_board()
    setup = msgspec.structs.replace(data.setups["2"], castles=[("a1", "a3"), ("f8", "k12")])
    data = msgspec.structs.replace(data, setups={**data.setups, "2": setup})
    form = {"board": write_material(data).decode(), "players": "2"}
    page = world.guest().ask("POST", "/board", form=form)
    assert page.status_code == 200
    assert "castles on a1 and a3 are too near to each other (R10)" in page.text


def test_a_table_is_played_with_a_board_a_box_and_rules_of_its_own(world: World) -> None:
    guest = world.guest()
    form = {
        "kind": "now",
        "players": "3",
        "level": "random",
        "rules": "flush+growth=2",
        "board": write_material(own_board()).decode(),
        "box": box_text(polling=4, palace=2),
    }
    sent = guest.ask("POST", "/board/table", form=form)
    assert sent.status_code == 303, sent.text
    game = sent.headers["Location"].rsplit("/", 1)[-1]
    state = world.services.games.live(game).state
    assert (state.board.name, state.box.name, state.rules.growth) == ("mine", "curious", 2)
    page = guest.get(f"/table/{game}")
    assert page.status_code == 200
    assert 'class="lc lc-board' in page.text
    rules = guest.get(f"/rules?table={game}").text
    assert "Polling 4" in " ".join(rules.split())
    line = guest.get(f"/api/tables/{game}").json
    assert (line["board"], line["box"]) == ("mine", "curious")


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"rules": "growth=9"}, "choice growth must be a number from 0 to 3, not 9"),
        ({"rules": "chess"}, "There is no ruleset chess."),
        ({"players": "9"}, "Please choose a number from 2 to 5."),
        ({"board": write_material(own_board(setups={})).decode()}, "has no beginner set-up for 4"),
    ],
)
def test_what_does_not_go_together_makes_no_table(
    world: World, form: dict[str, str], said: str
) -> None:
    guest = world.guest()
    answer = guest.ask("POST", "/board/table", form={"kind": "now", "players": "4", **form})
    assert answer.status_code == 422
    assert said in html.unescape(answer.text)


def test_an_open_table_needs_an_account_and_waits(world: World) -> None:
    board = write_material(own_board(setups={})).decode()
    form = {"kind": "open", "players": "2", "setup": "expert", "board": board}
    assert "/login" in world.guest().ask("POST", "/board/table", form=form).headers["Location"]
    anna, bob = world.person("Anna"), world.person("Bob")
    game = anna.ask("POST", "/board/table", form=form).headers["Location"].rsplit("/", 1)[-1]
    assert anna.get(f"/table/{game}").status_code == 200
    assert bob.post(f"/api/tables/{game}/seats", {}).status_code == 200
    assert world.services.games.live(game).state.board.name == "mine"


def test_the_api_takes_a_mix_a_board_and_a_box(world: World) -> None:
    anna = world.person("Anna")
    wish = {"players": 2, "bots": 1, "ruleset": "flush+growth=2+name=ours"}
    made = anna.post("/api/tables", wish)
    assert made.status_code == 201, made.text
    rules = world.services.lobby.get(made.json["id"]).played_by
    assert (rules.name, rules.flush, rules.growth) == ("ours", True, 2)
    board = msgspec.to_builtins(own_board())
    made = anna.post("/api/tables", {"players": 2, "bots": 1, "board": board})
    assert made.json["board"] == "mine"
    board["lanes"]["a2"]["at"] = [1, 1]
    wrong = anna.post("/api/tables", {"players": 2, "board": board})
    assert (wrong.status_code, wrong.json["code"]) == (422, "bad-material")
    assert wrong.json["sentence"] == "This cannot be played with: board mine: A1 lies on a2"
    box = msgspec.json.decode(box_text(polling=99))
    wrong = anna.post("/api/tables", {"players": 2, "board": board, "box": box})
    faults = {fault["code"]: fault["sentence"] for fault in wrong.json["faults"]}
    assert set(faults) == {"overlap", "no-lane", "touches", "count"}
    assert faults["no-lane"] == "board mine: a2 at (1, 1) is no lane hex (R3)"
    assert faults["count"].startswith("box curious: ")
    for name in ("chess", "chess+growth=2", "growth=9", "=", "flush+" * 300):
        assert anna.post("/api/tables", {"players": 2, "ruleset": name}).status_code == 422, name


def test_the_built_in_ones_sent_back_are_the_built_in_ones(world: World) -> None:
    form = {"kind": "now", "players": "2", "board": write_material(library.board().data).decode()}
    sent = world.guest().ask("POST", "/board/table", form=form)
    table = world.services.lobby.get(sent.headers["Location"].rsplit("/", 1)[-1])
    assert (table.board, table.box) == (library.board_ref(), None)


def test_a_game_is_played_on_the_fair_board_and_on_the_first_by_choice(world: World) -> None:
    anna = world.person("Anna")
    first = msgspec.to_builtins(library.board(library.FIRST_BOARD).data)
    for wish, name in (({}, library.DEFAULT_BOARD), ({"board": first}, library.FIRST_BOARD)):
        made = anna.post("/api/tables", {"players": 2, "bots": 1, **wish}).json
        assert made["board"] == name
        assert world.services.games.live(made["id"]).state.board is library.board(name)


def test_a_table_from_before_there_were_two_boards_is_on_the_first(world: World) -> None:
    anna = world.person("Anna")
    id_ = anna.post("/api/tables", {"players": 2}).json["id"]
    lobby = world.services.lobby
    before = msgspec.structs.replace(lobby.get(id_), board=None)
    lobby._edit(id_, lambda _: before)
    assert anna.get(f"/api/tables/{id_}").json["board"] == library.FIRST_BOARD
    assert opening(lobby.get(id_)).board == library.board_ref(library.FIRST_BOARD)
    again = lobby.rematch(id_, before.seats[0].person)
    assert again.board == library.board_ref()


def test_another_built_in_board_is_there_to_begin_with(world: World) -> None:
    page = world.nobody().get("/board").text
    assert f'href="/board?board={library.FIRST_BOARD}"' in page
    first = world.nobody().get(f"/board?board={library.FIRST_BOARD}").text
    text = write_material(library.board(library.FIRST_BOARD).data).decode()
    assert html.escape(text, quote=False).strip() in html.unescape(first).replace("&#34;", '"')
    assert f'href="/board?board={library.DEFAULT_BOARD}"' in first
    assert world.nobody().get("/board?board=atlantis").status_code == 404
