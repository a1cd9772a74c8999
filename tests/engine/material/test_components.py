"""R1 and R2: tokens in shared pools, and the box as data that is checked."""

from __future__ import annotations

import msgspec
import pytest

from engine.errors import BadMaterial
from engine.material import library
from engine.rules.setup import open_game
from engine.selfplay import open_event
from engine.snapshot import position
from events.material import Box
from events.types import Build, Demolish, GameStarted
from tests.engine.helpers import Table, deck, tuscany, voice_deck


def box_with(**changes: object) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(library.box(), **changes))


def test_r1_both_sides_of_a_token_come_from_one_pool():
    table = tuscany()
    assert position(table.state).pools == {
        "farm/quarry": 40,
        "palace/hospital": 20,
        "statue/cathedral": 15,
        "school/university": 15,
        "fountain/bath": 15,
        "market": 16,
    }
    table.build(1, "farm", "g9")
    table.build(2, "quarry", "f6")
    assert position(table.state).pools["farm/quarry"] == 38


def test_r1_an_empty_pool_stops_both_of_its_buildings():
    table = tuscany()
    table.empty_pool("farm/quarry")
    for building in ("farm", "quarry"):
        event = Build(seat=1, building=building, at="g9", card="action")
        assert table.refused(event) == "no-token-left"
        assert event not in table.legal(1)
    table.build(1, "school", "g9")


def test_r1_a_demolished_building_returns_to_its_pool():
    table = tuscany()
    table.set_buildings("f9", g9="farm", f8="school", citizens=2)
    assert position(table.state).pools["school/university"] == 14
    table.idle(lambda t: 1 in t.awaiting() and t.awaiting()[1] == "demolish")
    table.play(Demolish(seat=1, buildings=["f8"]))
    assert position(table.state).pools["school/university"] == 15
    assert position(table.state).pools["farm/quarry"] == 39


def test_r2_the_default_box_is_the_reconstruction():
    box = library.box()
    assert box.politics == {
        "palace": 4,
        "hospital": 4,
        "bath": 4,
        "cathedral": 3,
        "university": 3,
        "master-builder": 3,
        "bread-and-games": 4,
        "golden-times": 3,
        "rich-harvest": 2,
        "polling": 2,
    }
    assert box.tiles == {
        "farmland-1": 4,
        "farmland-2": 6,
        "farmland-3": 4,
        "mountain": 3,
        "lake": 5,
    }
    assert len(library.politics_cards(box)) == 32
    assert len(library.voice_cards(box)) == 27
    assert len(library.tiles(box)) == 22


TOKENS = library.box().tokens
WRONG_BOXES = {
    "31 politics cards": {"politics": {**library.box().politics, "polling": 1}},
    "8 voice cards culture": {"voice": {"culture": 8, "education": 9, "health": 9}},
    "10 voice cards health": {"voice": {"culture": 9, "education": 9, "health": 10}},
    "15 farmland tiles": {"tiles": {**library.box().tiles, "farmland-1": 5}},
    "2 mountain tiles": {"tiles": {**library.box().tiles, "mountain": 2}},
    "6 lake tiles": {"tiles": {**library.box().tiles, "lake": 6}},
    "39 tokens farm/quarry": {"tokens": {**TOKENS, "farm/quarry": 39}},
    "0 tokens market": {"tokens": {k: v for k, v in TOKENS.items() if k != "market"}},
    "no such tokens: tower": {"tokens": {**TOKENS, "tower": 1}},
    "131 citizens": {"citizens": 131},
    "3 castles per player": {"castles_per_player": 3},
    "5 figures per player": {"figures_per_player": 5},
    "4 action cards per player": {"action_cards_per_player": 4},
}


@pytest.mark.parametrize("message", WRONG_BOXES)
def test_r2_a_box_with_a_wrong_count_is_refused_by_name(message: str):
    with pytest.raises(BadMaterial, match=message):
        library.read_box(box_with(**WRONG_BOXES[message]))


def test_r2_a_box_may_share_out_what_the_rulebooks_do_not_print():
    politics = {**library.box().politics, "palace": 3, "polling": 3}
    tiles = {**library.box().tiles, "farmland-1": 6, "farmland-2": 4}
    box = library.read_box(box_with(name="mine", politics=politics, tiles=tiles))
    assert (box.politics["polling"], box.tiles["farmland-1"]) == (3, 6)


def test_r2_a_box_of_the_wrong_shape_is_refused_with_its_field():
    for text, field in (
        (b'{"name": "mine"}', "politics"),
        (box_with(name="mine").replace(b'"citizens":130', b'"citizens":-1'), "citizens"),
        (box_with(name="mine").replace(b'"polling":2', b'"poling":2'), "politics"),
    ):
        with pytest.raises(BadMaterial, match=field):
            library.read_box(text)


def test_r2_no_component_of_the_table_goes_unchecked():
    assert {*Box.__struct_fields__} - {"name"} == {
        field for changes in WRONG_BOXES.values() for field in changes
    }


def test_r2_a_box_of_ones_own_is_carried_by_the_opening():
    tiles = {**library.box().tiles, "farmland-1": 6, "farmland-2": 4}
    mine = msgspec.structs.replace(library.box(), name="mine", tiles=tiles)
    opening = open_event(2, library.ruleset(), "expert")
    ref = library.custom_box_ref(mine)
    state = open_game(msgspec.structs.replace(opening, box=ref))
    assert library.tiles(state.box).count("farmland-1") == 6
    for wrong, message in (
        (msgspec.structs.replace(ref, digest="0" * 64), "does not match its digest"),
        (msgspec.structs.replace(ref, content=None), "not the built-in one"),
        (library.custom_box_ref(msgspec.structs.replace(mine, citizens=9)), "9 citizens, not 130"),
    ):
        with pytest.raises(BadMaterial, match=message):
            open_game(msgspec.structs.replace(opening, box=wrong))
    # The beginner set-up lays six farmlands with two wheat, more than this box has.
    with pytest.raises(BadMaterial, match="more tiles of a kind than the box has"):
        open_game(msgspec.structs.replace(opening, box=ref, setup="beginner"))


def test_r2_only_the_cards_of_the_box_are_dealt():
    table = Table()
    politics, voice = deck([]), voice_deck([])
    wrong = ["palace", *politics[:-1]]
    assert table.refused(GameStarted(start=1, politics=wrong, voice=voice)) == "wrong-deck"
    assert table.refused(GameStarted(start=1, politics=politics, voice=voice[1:])) == "wrong-deck"
    table.play(GameStarted(start=1, politics=politics, voice=voice))
