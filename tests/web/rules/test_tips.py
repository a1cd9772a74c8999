"""The books' advice: every link to it has a goal, and each position shows what its advice says."""

from __future__ import annotations

import html
import re
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from flask import Flask

from engine.bots.motive import Code
from engine.chance.resample import resample
from engine.effects import (
    AnyEffect,
    BuildingRaised,
    CitizenMoved,
    CitizensStarved,
    GoldGained,
    Scored,
)
from engine.fold import apply, fold
from engine.material.board import Board
from engine.material.numbers import SERVICES, YEARS
from engine.rules.sites import find_neighbours
from engine.state import State
from events.codec import load_game
from events.types import AnyEvent, Build
from replays.corpus.games import CORPUS
from tests.web.world import World
from web.rules.drawings import tips as tip_drawings
from web.rules.drawings.illustration import DRAW, city
from web.rules.drawings.positions import ExamplePosition
from web.rules.drawings.tips import Moment
from web.rules.tips import ADVISED, FITTING, TIPS
from web.table.tour import STEPS

ANCHORS = {tip.anchor for tip in TIPS.rules}


def log(moment: Moment) -> list[AnyEvent]:
    return list(load_game(CORPUS / f"{moment.game}.jsonl").events)


def areas(board: Board, at: str) -> set[str]:
    return {area for area, hexes in board.area_hexes.items() if board.hex_at[at] in hexes}


def effects_after(moment: Moment) -> list[AnyEffect]:
    """Everything that follows in the game."""
    events = log(moment)
    state = fold(events[: moment.number])
    found: list[AnyEffect] = []
    for event in events[moment.number :]:
        apply(state, event, found)
    return found


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl", "fi"])
def test_every_tip_is_on_the_page_once_with_its_picture_and_its_books(
    language: str, tmp_path: Path
) -> None:
    page = World(tmp_path).nobody().get(f"/rules?lang={language}").text
    for anchor in (*ANCHORS, TIPS.anchor):
        assert page.count(f' id="{anchor}"') == 1
    chapter = page[page.index(' id="tips"') : page.index(' id="at-the-table"')]
    assert set(re.findall(r'data-drawing="([^"]+)"', chapter)) == ANCHORS
    assert chapter.count('<dl class="printed">') == len(ANCHORS)


def test_what_links_to_advice_links_to_some_that_is_there() -> None:
    assert {step.tip for step in STEPS if step.tip} <= {*ANCHORS, TIPS.anchor}
    assert set(FITTING) <= set(get_args(get_args(Code)[0]) or get_args(Code))
    # No piece of advice is without somebody who links to it.
    assert {*FITTING.values(), *(step.tip for step in STEPS)} - {""} == {*ANCHORS, TIPS.anchor}
    assert set(ADVISED) == ANCHORS


def test_every_book_is_named_where_it_advises(app: Flask) -> None:
    page = html.unescape(app.test_client().get("/rules").text)
    for lines in ADVISED.values():
        for each in lines:
            assert each.text in page
    # The one tip of a single book, and the one that two readings are printed of.
    assert [line.editions for line in ADVISED["tip-room"]] == [("en",)]
    assert {line.editions for line in ADVISED["tip-quarry"]} == {("en",), ("de", "nl", "fr", "fi")}
    everyone = {"en", "de", "nl", "fr", "fi"}
    for anchor in ANCHORS - {"tip-room"}:
        assert {edition for line in ADVISED[anchor] for edition in line.editions} == everyone


def test_the_first_castle_is_fed_and_the_second_starves() -> None:
    fed, hungry = tip_drawings.WELL_FED, tip_drawings.ILL_FED
    assert (city(fed.state, "f4").food, city(hungry.state, "f5").food) == (6, 1)
    assert fed.state.phase == hungry.state.phase == "castles"
    events = log(hungry)
    state = fold(events[: hungry.number])
    for event in events[hungry.number :]:
        year, followed = state.year, list[AnyEffect]()
        apply(state, event, followed)
        if any(isinstance(e, CitizensStarved) and e.city == "f5" for e in followed):
            assert year == 2
            return
    pytest.fail("nobody starved in f5")


def test_the_farm_reaps_what_the_castle_reaps() -> None:
    state = tip_drawings.FARM.state
    board, here = state.board, city(state, "c7")
    assert state.stands_on[board.hex_at["b6"]] == "farm"
    assert board.neighbours[board.hex_at["b6"]] >> here.castle & 1
    assert areas(board, "b6") == areas(board, "c7")
    assert all(state.tiles[area].startswith("farmland") for area in areas(board, "b6"))
    assert here.food == 12


def test_the_quarry_beside_two_mountains_yields_two() -> None:
    quarry = tip_drawings.QUARRY
    assert [type(e) for e in quarry.effects if isinstance(e, BuildingRaised)] == [BuildingRaised]
    state = quarry.state
    at = state.board.hex_at["e9"]
    assert (state.stands_on[at], state.year, city(state, "f9").gold) == ("quarry", 1, 2)
    beside = areas(state.board, "e9")
    terrain = {**state.tiles, **{k: e.terrain for k, e in state.board.data.edges.items()}}
    assert [terrain[area] for area in sorted(beside)] == ["mountain", "mountain"]
    seat = city(state, "f9").seat
    paid = [e for e in effects_after(quarry) if isinstance(e, GoldGained) and e.why == "quarries"]
    assert len([e for e in paid if e.seat == seat and e.gold >= 2]) == YEARS - 1


def test_with_water_more_live_there_than_a_market_holds() -> None:
    state = tip_drawings.WATER.state
    here = city(state, "l16")
    assert here.market
    assert here.water == 1
    assert here.citizens == 9 > state.numbers.limit_with_market
    fountain = next(at for at in here.hexes if state.stands_on[at] == "fountain")
    assert state.land.lakes >> fountain & 1


def test_a_small_city_with_three_services_doubles_its_points() -> None:
    state = tip_drawings.SERVICES.state
    here = city(state, "p17")
    assert state.phase == "over"
    assert sorted(state.stands_on[at] for at in here.hexes) == ["castle", "hospital", "statue"]
    assert [here.points(index) for index in range(len(SERVICES))] == [1, 1, 1]
    events = log(tip_drawings.SERVICES)
    final: list[AnyEffect] = []
    fold(events, final)
    scores = [e for e in final if isinstance(e, Scored) and e.seat == here.seat]
    assert here.citizens == state.numbers.service_bonus == 3
    assert scores[-1].cities >= 3


def test_the_full_city_wins_one_and_is_smaller_afterwards() -> None:
    before, after = tip_drawings.FULL.before().state, tip_drawings.FULL.state
    full = city(before, "l11")
    assert not full.market
    assert full.citizens == before.limit(full) == 5
    moves = [e for e in tip_drawings.FULL.effects if isinstance(e, CitizenMoved)]
    assert [(m.from_city, m.found_room) for m in moves if m.city == "l11"] == [("f9", False)]
    assert [m.city for m in moves if m.from_city == "l11"] == ["k8"]
    assert {m.service for m in moves} == {"health"}
    assert city(after, "l11").citizens == 4


def test_action_cards_built_three_for_nothing() -> None:
    state = tip_drawings.SMALL.state
    built = [e for e in log(tip_drawings.SMALL)[: tip_drawings.SMALL.number] if type(e) is Build]
    mine = [e for e in built if e.seat == 1]
    assert [(e.building, e.card) for e in mine] == [
        ("farm", "action"),
        ("quarry", "action"),
        ("market", "action"),
    ]
    assert state.players[1].gold == state.numbers.start_gold == 1
    assert state.year == 1


def test_one_farm_feeds_five_and_the_other_one() -> None:
    good, bad = tip_drawings.GOOD_SITE.state, tip_drawings.BAD_SITE.state
    for state, at in ((good, "c12"), (bad, "k10")):
        assert state.stands_on[state.board.hex_at[at]] == "farm"
        assert state.year == 1
    assert [tip_drawings.yields(good, "c12"), tip_drawings.yields(bad, "k10")] == [5, 1]
    assert bad.land.lakes >> bad.board.hex_at["k10"] & 1


def between(state: State) -> bool:
    one, other = city(state, "k8"), city(state, "k3")
    return other.number in find_neighbours(state, [one])[one.number]


def test_the_palace_makes_neighbours_and_a_citizen_moves() -> None:
    near = tip_drawings.NEARER
    assert (between(near.before().state), between(near.state)) == (False, True)
    assert near.state.stands_on[near.state.board.hex_at["k6"]] == "palace"
    moved = [e for e in effects_after(near) if isinstance(e, CitizenMoved)]
    first = next(e for e in moved if e.from_city == "k3")
    assert (first.city, first.service) == ("k8", "culture")


def dealt_otherwise(game: str, number: int) -> ExamplePosition:
    """A moment with other cards wherever nobody had seen any."""
    events = log(Moment(game, number))[:number]
    events = resample(events, fold(events), Random(1))
    effects: list[AnyEffect] = []
    state = fold(events[:-1])
    apply(state, events[-1], effects)
    return ExamplePosition(state, effects)


def test_pictures_show_nothing_that_was_hidden_then(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.test_request_context():
        shown = {name: DRAW[name]() for name in ANCHORS}
        monkeypatch.setattr(tip_drawings, "recorded", dealt_otherwise)
        assert {name: DRAW[name]() for name in ANCHORS} == shown
    moment = tip_drawings.QUARRY
    assert dealt_otherwise(moment.game, moment.number).state.voice != log_state(moment).voice


def log_state(moment: Moment) -> State:
    return fold(log(moment)[: moment.number])
