"""R7 to R11: what everyone starts with, both set-ups, distance and food."""

from __future__ import annotations

import msgspec
import pytest

from engine import effects
from engine.actions.check import commit
from engine.errors import BadMaterial
from engine.material import library
from engine.material.board import Board, hex_distance
from engine.material.land import land_of
from engine.snapshot import position
from events import material
from events.material import BoardRef
from events.types import FoundCity, GameStarted, PlaceCastle, Resign
from tests.engine.helpers import LAND, Table, deck, kinds, tuscany, voice_deck
from tests.engine.material.board_maker import reach

BOARD = library.board()
BUILT_IN = [library.board(name) for name in library.BOARDS]
PLAYERS = (2, 3, 4, 5)


@pytest.mark.parametrize("players", PLAYERS)
def test_r7_what_each_player_starts_with(players: int):
    table = Table(players)
    table.start(start=players)
    for seat in range(1, players + 1):
        player = table.player(seat)
        assert (player.gold, player.figures, player.action_cards) == (1, 4, 3)
        assert player.castles == 2  # of four, two stand on the board
    assert table.awaiting() == {players: "politics"}


def test_r7_seven_cards_lie_face_up_and_the_rest_face_down():
    table = Table()
    cards = deck(["polling", "bath", "polling"])
    table.start(politics=["polling", "bath", "polling"])
    now = position(table.state)
    assert now.display == cards[:7]
    assert now.pile == cards[7:]
    assert len(now.voice) == 27


def test_r7_the_start_player_is_one_of_the_table():
    table = Table(2)
    wrong = GameStarted(start=3, politics=deck([]), voice=voice_deck([]))
    assert table.refused(wrong) == "no-such-seat"
    table.start(start=2)
    assert table.awaiting() == {2: "politics"}
    assert table.refused(GameStarted(start=1, politics=deck([]), voice=voice_deck([]))) == (
        "already-started"
    )


def test_r7_the_dealers_secret_belongs_to_its_commitment():
    table = Table()
    event = GameStarted(
        start=1, politics=deck([]), voice=voice_deck([]), secret="s", commitment=commit("t")
    )
    assert table.refused(event) == "wrong-commitment"
    table.play(msgspec.structs.replace(event, commitment=commit("s")))


@pytest.mark.parametrize("board", BUILT_IN, ids=library.BOARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_r8_the_beginner_setup_is_fair(players: int, board: Board):
    setup = board.setup_for(players)
    assert setup is not None
    assert len(setup.castles) == players
    land = land_of(board, tuple(setup.tiles.items()))
    mountains = sum(1 << h for h in board.hex_at.values() if land.mountains[h])
    food = []
    for pair in setup.castles:
        hexes = [board.hex_at[label] for label in pair]
        both = sum(1 << hex_ for hex_ in hexes)
        food.append(sum(land.wheat[hex_] for hex_ in hexes))
        assert reach(board, both, board.open[players], 3) & land.lakes
        assert reach(board, both, board.open[players], 5) & mountains
    assert max(food) - min(food) <= 1


@pytest.mark.parametrize("board", BUILT_IN, ids=library.BOARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_r8_the_beginner_setup_lays_the_tiles_of_the_box(players: int, board: Board):
    setup = board.setup_for(players)
    assert setup is not None
    assert sorted(setup.tiles.values()) == library.tiles(library.box())


@pytest.mark.parametrize("board", BUILT_IN, ids=library.BOARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_r8_the_beginner_castles_keep_the_distance_both_ways(players: int, board: Board):
    setup = board.setup_for(players)
    assert setup is not None
    castles = [label for pair in setup.castles for label in pair]
    for one in castles:
        near = reach(board, 1 << board.hex_at[one], board.open[players], 3)
        for other in castles:
            if other != one:
                assert not near >> board.hex_at[other] & 1, f"{one} and {other} along the lanes"
                at = board.data.lanes[one].at, board.data.lanes[other].at
                assert hex_distance(*at) > 3, f"{one} and {other} over the grid"


@pytest.mark.parametrize("players", PLAYERS)
def test_r8_each_castle_begins_with_three_citizens_and_grows(players: int):
    table = Table(players)
    table.start()
    assert [city.citizens for city in position(table.state).cities] == [4] * 2 * players
    assert position(table.state).supply == 130 - 8 * players


def test_r8_the_beginner_setup_brings_its_own_tiles():
    table = Table()
    event = GameStarted(start=1, politics=deck([]), voice=voice_deck([]), tiles=LAND)
    assert table.refused(event) == "fixed-tiles"
    bare = library.custom_board_ref(
        type(BOARD.data)(
            name="bare", lanes=BOARD.data.lanes, fields=BOARD.data.fields, edges=BOARD.data.edges
        )
    )
    with pytest.raises(BadMaterial, match="no beginner set-up for 2"):
        Table(board=bare)
    Table(board=bare, setup="expert").start()


@pytest.mark.parametrize(
    ("players", "start", "order", "first"),
    [
        (2, 1, [1, 2, 2, 1], 2),
        (3, 2, [2, 1, 3, 3, 1, 2], 3),
        (4, 4, [4, 3, 2, 1, 1, 2, 3, 4], 1),
        (5, 3, [3, 2, 1, 5, 4, 4, 5, 1, 2, 3], 4),
    ],
)
def test_r9_castles_go_to_the_right_and_back(
    players: int, start: int, order: list[int], first: int
):
    table = Table(players, setup="expert")
    table.start(start=start)
    placed = []
    while table.state.phase == "castles":
        ((seat, owed),) = table.awaiting().items()
        assert owed == "castle"
        placed.append(seat)
        legal = table.legal(seat)
        table.play(legal[0])
    assert placed == order
    assert table.awaiting() == {first: "politics"}
    assert position(table.state).start == first


def test_r9_a_castle_goes_on_an_open_lane_hex_in_turn():
    table = Table(2, setup="expert")
    table.start(start=2)
    assert table.refused(PlaceCastle(seat=1, at="f9")) == "not-awaited"
    assert table.refused(PlaceCastle(seat=2, at="A1")) == "no-such-hex"
    assert table.refused(PlaceCastle(seat=2, at="p18")) == "hex-closed"
    table.play(PlaceCastle(seat=2, at="f9"))
    assert table.refused(PlaceCastle(seat=1, at="f9")) == "hex-taken"
    assert table.citizens("f9") == 3
    assert position(table.state).supply == 127


def test_r9_every_field_takes_one_tile_of_the_box():
    table = Table(2, setup="expert")
    for tiles in ({}, {**LAND, "A1": "lake"}, {**LAND, "D1": "lake"}):
        event = GameStarted(start=1, politics=deck([]), voice=voice_deck([]), tiles=tiles)
        assert table.refused(event) == "wrong-tiles"
    table.start()
    assert position(table.state).tiles == LAND


def one_field() -> BoardRef:
    """The ring of lanes around the field A1: room for three castles and no fourth."""
    data = BOARD.data
    corners = [(0, 0), (5, 0), (0, 5)]
    ring = {*BOARD.labels(BOARD.areas["A1"])}
    lanes = {k: v for k, v in data.lanes.items() if k in ring or v.at in corners}
    beyond = material.EdgeArea(terrain="farmland-2", cells=data.fields["A2"].cells)
    edges = {"N1": data.edges["N1"], "W1": data.edges["W1"], "E1": beyond}
    field = {"A1": data.fields["A1"]}
    return library.custom_board_ref(
        material.BoardData(
            name="ring",
            lanes={k: material.LaneHex(at=v.at) for k, v in lanes.items()},
            fields=field,
            edges=edges,
        )
    )


def test_r9_who_finds_no_room_goes_without():
    table = Table(2, setup="expert", board=one_field())
    table.start(start=1, tiles={"A1": "farmland-3"})
    table.play(PlaceCastle(seat=1, at="a2"), PlaceCastle(seat=2, at="b5"))
    told = table.play(PlaceCastle(seat=2, at="e3"))
    assert kinds(told, effects.CastleSkipped) == [effects.CastleSkipped(seat=1)]
    assert table.player(1).castles == 3
    # Seat 2 has placed the last castle, so its left neighbour begins.
    assert position(table.state).start == 1
    assert table.awaiting() == {1: "politics"}


def test_r9_who_left_has_not_placed_the_last_castle():
    table = Table(3, setup="expert")
    table.start(start=1)
    table.play(PlaceCastle(seat=1, at="f9"), Resign(seat=1))
    for seat, at in ((3, "a1"), (2, "p5"), (2, "k3"), (3, "a12")):
        table.play(PlaceCastle(seat=seat, at=at))
    assert position(table.state).start == 1  # left of seat 3; seat 1 left, so seat 2 acts
    assert table.awaiting() == {2: "politics"}


def test_r9_year_one_begins_with_growth_after_the_last_castle():
    table = tuscany()
    assert position(table.state).year == 1
    assert {city.castle: city.citizens for city in position(table.state).cities} == {
        "f9": 4,
        "p5": 4,
        "f5": 4,
        "l10": 4,
    }


def test_r10_a_castle_keeps_three_empty_hexes_at_setup():
    table = Table(2, setup="expert")
    table.start(start=2)
    table.play(PlaceCastle(seat=2, at="f5"))
    assert table.refused(PlaceCastle(seat=1, at="f8")) == "too-near"  # f6, f7 between
    table.play(PlaceCastle(seat=1, at="f9"))
    assert table.refused(PlaceCastle(seat=1, at="f11")) == "too-near"  # its owner's too


def test_r10_later_a_castle_keeps_three_from_every_building():
    table = tuscany()
    assert FoundCity(seat=1, at="b10", source="f9") in table.legal(1)  # e9, d9, c10 between
    table.set_buildings("f9", e9="farm")
    assert table.refused(FoundCity(seat=1, at="b10", source="f9")) == "too-near"
    table.play(FoundCity(seat=1, at="a11", source="f9"))


def test_r10_distance_runs_along_lanes_or_straight_over_the_grid():
    for ruleset, refused in (("standard", False), ("straight-distance", True)):
        table = Table(2, setup="expert", ruleset=ruleset)
        table.start(start=2)
        table.play(PlaceCastle(seat=2, at="a3"))
        event = PlaceCastle(seat=1, at="d2")  # a2, b1, c2 along the lanes, two cells across
        if refused:
            assert table.refused(event) == "too-near"
        else:
            table.play(event)


def test_r10_every_building_counts_not_only_the_castle():
    table = tuscany(castles={1: ("p5", "a6"), 2: ("l10", "f3")})
    assert FoundCity(seat=1, at="a11", source="p5") in table.legal(1)
    table.set_buildings("a6", a7="school", a8="school", a9="school")
    assert table.refused(FoundCity(seat=1, at="a11", source="p5")) == "too-near"  # a10 between
    assert table.refused(FoundCity(seat=1, at="a12", source="p5")) == "too-near"  # a10, a11
    assert table.refused(FoundCity(seat=1, at="d7", source="p5")) == "too-near"  # b6, c7
    table.play(FoundCity(seat=1, at="e8", source="p5"))


def test_r11_food_is_the_wheat_that_castles_and_farms_touch():
    table = tuscany()
    assert table.food(1) == 4 + 1  # f9 touches 3 and 1, p5 touches 1 and a lake
    assert table.food(2) == 2 + 2  # f5 touches 2 and a mountain, l10 a lake and 2
    table.build(1, "farm", "g9")
    assert table.food(1) == 5 + 4


def test_r11_a_farm_without_farmland_gives_nothing():
    table = tuscany()
    table.set_buildings("f9", g9="school", g8="school")
    before = table.food(1)
    table.build(1, "farm", "f8")  # a junction touches no field
    assert table.food(1) == before


def test_r11_food_goes_with_a_demolished_farm_and_castle():
    table = tuscany()
    table.set_buildings("f9", g9="farm", citizens=1)
    table.set_citizens("p5", 0)
    assert table.food(1) == 9
    table.idle_to_year(2)
    assert [city.castle for city in position(table.state).cities if city.seat == 1] == ["f9"]
    assert table.food(1) == 4
