"""R3 to R6: the board as a grid of lanes and fields, and as data that is checked."""

from __future__ import annotations

import msgspec
import pytest

from engine.errors import BadMaterial
from engine.material import library
from engine.material.board import Board, bits, hex_distance, is_junction, is_lane
from events import material
from events.types import Build, FoundCity, PlaceCastle
from tests.engine.helpers import Table, tuscany
from tests.engine.material import board_maker as boardmaker

BOARD = library.board()
DATA = BOARD.data


def small_board(**changes: object) -> material.BoardData:
    """The default board with parts of it exchanged."""
    return msgspec.structs.replace(DATA, name="mine", **changes)


def touched_areas(label: str) -> list[str]:
    hex_ = BOARD.hex_at[label]
    return [area for area, mask in BOARD.areas.items() if mask >> hex_ & 1]


def test_r3_lanes_run_along_three_directions():
    for at, lane in (((0, 3), True), ((7, 5), True), ((7, -2), True), ((1, 2), False)):
        assert is_lane(*at) is lane
    assert all(is_lane(*lane.at) for lane in DATA.lanes.values())


def test_r3_six_lanes_meet_at_a_junction():
    assert is_junction(*DATA.lanes["f8"].at)
    assert BOARD.labels(BOARD.neighbours[BOARD.hex_at["f8"]]) == [
        *("e8", "e9", "f7", "f9", "g8", "g9")
    ]


def test_r3_a_lane_hex_touches_two_areas_and_a_junction_none():
    for label, lane in DATA.lanes.items():
        assert len(touched_areas(label)) == (0 if is_junction(*lane.at) else 2), label
    assert touched_areas("f9") == ["A4", "B4"]
    assert touched_areas("g3") == ["B1", "W2"]


def test_r3_a_field_is_a_triangle_of_six():
    for field in DATA.fields.values():
        assert len(set(field.cells)) == 6
        rows = sorted([r for _, r in field.cells].count(r) for r in {r for _, r in field.cells})
        assert rows == [1, 2, 3]


def test_r3_nothing_is_built_off_the_lanes():
    table = tuscany()
    assert "f99" not in DATA.lanes
    build = Build(seat=1, building="farm", at="f99", card="action")
    assert table.refused(build) == "no-such-hex"
    assert table.refused(Build(seat=1, building="farm", at="A4", card="action")) == "no-such-hex"
    assert table.refused(FoundCity(seat=1, at="zz", source="f9")) == "no-such-hex"


def test_r4_the_default_board_has_22_fields_in_three_rows_and_179_lanes():
    rows = [sum(label[0] == row for label in DATA.fields) for row in "ABC"]
    assert rows == [7, 8, 7]
    assert len(DATA.fields) == 22
    assert len(DATA.lanes) == 179


def test_r4_the_terrain_changes_at_eight_places_of_the_rim():
    assert {label: edge.terrain for label, edge in DATA.edges.items()} == boardmaker.RIM
    around = list(boardmaker.RIM.values())
    assert sum(a != b for a, b in zip(around, around[1:] + around[:1], strict=True)) == 8
    assert set(around) == {"farmland-1", "farmland-2", "mountain", "lake", "wasteland"}


def test_r4_the_rim_is_listed_in_the_order_of_the_board():
    """Without that the count of changes would say nothing."""
    cells = {label: edge.cells for label, edge in DATA.edges.items()}
    labels = list(boardmaker.RIM)
    for one, other in zip(labels, labels[1:] + labels[:1], strict=True):
        near = min(hex_distance(a, b) for a in cells[one] for b in cells[other])
        assert near <= 4, f"{one} and {other} do not follow each other"


def test_r4_edge_areas_work_as_fields_do():
    table = tuscany()
    land, hex_at = table.state.land, BOARD.hex_at
    assert land.mountains[hex_at["l1"]] == 1  # the edge W3; C1 is farmland
    assert land.wheat[hex_at["l1"]] == 2
    assert land.lakes >> hex_at["p5"] & 1  # the edge S1
    assert land.wheat[hex_at["g23"]] == 2  # the edge E2; B8 is a mountain
    assert land.wheat[hex_at["b1"]] == 2  # wasteland gives nothing, A1 two


def test_r5_shades_open_with_the_number_of_players():
    shade = {label: lane.shade for label, lane in DATA.lanes.items()}
    for players, shades in (
        (2, {"light"}),
        (3, {"light", "brown"}),
        (4, {"light", "brown", "yellow"}),
        (5, {"light", "brown", "yellow"}),
    ):
        assert {shade[label] for label in BOARD.labels(BOARD.open[players])} == shades
    assert [BOARD.open[players].bit_count() for players in (2, 3, 4, 5)] == [96, 140, 179, 179]


@pytest.mark.parametrize(("players", "open_", "closed"), [(2, "f11", "f12"), (3, "f16", "f17")])
def test_r5_a_closed_hex_is_not_in_the_game(players: int, open_: str, closed: str):
    table = Table(players, setup="expert")
    table.start()
    assert table.refused(PlaceCastle(seat=1, at=closed)) == "hex-closed"
    table.play(PlaceCastle(seat=1, at=open_))


def test_r5_no_distance_is_counted_across_closed_hexes():
    """f6 and f7 lie between f5 and f8: two empty hexes, unless f7 is closed."""
    brown = material.LaneHex(at=DATA.lanes["f7"].at, shade="brown")
    ref = library.custom_board_ref(small_board(lanes={**DATA.lanes, "f7": brown}))
    for players, refused in ((2, False), (3, True)):
        table = Table(players, setup="expert", board=ref)
        table.start(start=1)
        table.play(PlaceCastle(seat=1, at="f5"))
        event = PlaceCastle(seat=min(table.awaiting()), at="f8")
        if refused:
            assert table.refused(event) == "too-near"
        else:
            table.play(event)


def test_r5_each_shade_keeps_the_board_connected():
    for open_ in BOARD.open.values():
        start = next(bits(open_))
        assert boardmaker.reach(BOARD, 1 << start, open_, 80) == open_


def test_r6_the_frozen_board_is_what_the_boardmaker_makes(capsys: pytest.CaptureFixture[str]):
    boardmaker.main()
    frozen = library._built_in("boards", "toscana").decode()
    assert capsys.readouterr().out == frozen


def test_r6_the_board_with_fair_seats_is_the_first_one_with_other_set_ups():
    first = library.board(library.FIRST_BOARD).data
    assert msgspec.structs.replace(DATA, name=first.name, setups=first.setups) == first
    assert all(DATA.setups[players] != setup for players, setup in first.setups.items())


def test_r6_a_board_of_ones_own_is_carried_by_the_opening():
    ref = library.custom_board_ref(small_board())
    table = Table(2, board=ref)
    table.start()
    assert table.awaiting() == {1: "politics"}
    with pytest.raises(BadMaterial, match="does not match its digest"):
        Table(2, board=msgspec.structs.replace(ref, digest="0" * 64))
    with pytest.raises(BadMaterial, match="not the built-in one"):
        Table(2, board=msgspec.structs.replace(library.board_ref(), digest="0" * 64))


SETUP = DATA.setups["2"]
WRONG_BOARDS = {
    "a label is used twice": {"fields": {**DATA.fields, "a1": DATA.fields["A1"]}},
    "lies on": {"fields": {**DATA.fields, "A2": DATA.fields["A1"]}},
    "is no lane hex": {
        "lanes": {"z9": material.LaneHex(at=(1, 1)), **DATA.lanes},
        "fields": {k: v for k, v in DATA.fields.items() if k != "A1"},
    },
    "touches 1 fields or edge areas, not 2": {
        "edges": {k: v for k, v in DATA.edges.items() if k != "N1"}
    },
    "is no triangle": {
        "fields": {**DATA.fields, "Z1": material.Field(cells=[(41, r) for r in range(41, 47)])}
    },
    "lanes are not connected": {
        "lanes": DATA.lanes
        | {k: material.LaneHex(at=DATA.lanes[k].at, shade="brown") for k in ("a2", "b1")}
    },
    "castles for 1 seats": {
        "setups": {"2": msgspec.structs.replace(SETUP, castles=SETUP.castles[:1])}
    },
    "every field takes exactly one tile": {
        "setups": {"2": msgspec.structs.replace(SETUP, tiles={})}
    },
    "is no open lane hex": {
        "setups": {"2": msgspec.structs.replace(SETUP, castles=[("c12", "f12"), ("l10", "o4")])}
    },
}


@pytest.mark.parametrize("message", WRONG_BOARDS)
def test_r6_a_board_whose_parts_do_not_fit_is_refused_by_name(message: str):
    with pytest.raises(BadMaterial, match=message):
        Board(small_board(**WRONG_BOARDS[message]))
