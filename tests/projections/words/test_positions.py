"""Two tables in words: every part of a position that differs is told, and nothing else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.selfplay import new_game
from engine.snapshot import Position, copy_position
from events import types
from events.types import AnyEvent
from projections.words.events import _DEEDS, tell_event
from projections.words.positions import NUMBERS, YES_OR_NO, difference
from tests.replays.made import by_dice

NAMES = ["Anna", "Bob"]
ONE = copy_position(new_game(players=2, seed=1).state)
HIDDEN = {"pile_seen", "shown_voice", "secret", "commitment", "tiles", "founded_cities", "draws"}
"""Bookkeeping that follows from what is told, or is the same in all lines of one game."""
TOLD_TOGETHER = {"pools", "closed", "shuffles"}
"""Follow from buildings, years and cards, which are told."""

REPLACED: dict[str, Any] = {
    "phase": "relocation",
    "year": 2,
    "turn": 3,
    "start": 3 - ONE.start,
    "queue": [1],
    "awaiting": {1: "starve", 2: "demolish"},
    "chance": "shuffle",
    "winners": [2],
    "players": [msgspec.structs.replace(ONE.players[0], gold=7), ONE.players[1]],
    "cities": ONE.cities[1:],
    "supply": 3,
    "neighbours": {1: [2]},
    "display": ["", *ONE.display[1:]],
    "pile": ONE.pile[1:],
    "discards": {"palace": 1},
    "unseen_discards": ["bath"],
    "voice": ONE.voice[::-1],
}


def test_no_difference_no_words() -> None:
    assert difference(ONE, ONE, NAMES) == []


def test_every_part_is_told_or_left_out_on_purpose() -> None:
    assert {*REPLACED, *HIDDEN, *TOLD_TOGETHER} == set(Position.__struct_fields__)


@pytest.mark.parametrize("field", REPLACED)
def test_a_part_that_differs_is_told_both_ways(field: str) -> None:
    other = msgspec.structs.replace(ONE, **{field: REPLACED[field]})
    for told in (difference(ONE, other, NAMES), difference(other, ONE, NAMES)):
        assert told
        assert not any("{" in line for line in told)
    assert difference(ONE, other, NAMES) != difference(other, ONE, NAMES) or field in (
        "neighbours",
        "voice",
    )


PLAYER: dict[str, Any] = {
    **dict.fromkeys(NUMBERS, 9),
    **dict.fromkeys(YES_OR_NO, True),
    "played": ["bath"],
    "unseen": ["bath"],
    "polled_voice": [1],
    "care": "settled",
    "bot": "steward",
}


@pytest.mark.parametrize("field", PLAYER)
def test_every_part_of_a_player_is_told(field: str) -> None:
    assert {"seat", *PLAYER} == set(ONE.players[0].__struct_fields__)
    player = msgspec.structs.replace(ONE.players[1], **{field: PLAYER[field]})
    other = msgspec.structs.replace(ONE, players=[ONE.players[0], player])
    told = difference(ONE, other, NAMES)
    assert len(told) == 1
    assert told[0].startswith("Bob")


def test_a_city_is_told_by_its_people_and_buildings() -> None:
    city = ONE.cities[0]
    grown = msgspec.structs.replace(
        city,
        citizens=city.citizens + 1,
        buildings={**city.buildings, "f9": "farm"},
        figures={city.castle: [1, 0, 0, 0]},
    )
    other = msgspec.structs.replace(ONE, cities=[grown, *ONE.cities[1:]])
    assert difference(ONE, other, NAMES) == [
        f"Anna's city {city.castle}: 4 citizens became 5.",
        f"Anna's city {city.castle} has besides farm f9.",
        f"Anna's city {city.castle}: the figures stand otherwise.",
    ]
    assert f"Anna's city {city.castle} lacks farm f9." in difference(other, ONE, NAMES)


def test_cards_in_another_order() -> None:
    other = msgspec.structs.replace(ONE, display=ONE.display[::-1], pile=ONE.pile[::-1])
    assert difference(ONE, other, NAMES) == [
        "The cards on display lie in another order.",
        "The cards of the pile are others, or in another order.",
    ]


def test_every_event_has_words() -> None:
    assert set(_DEEDS) == set(types.AnyEvent.__args__)
    events: list[AnyEvent] = [*by_dice(1), *by_dice(1, 2, "expert", "ageing-display")]
    events += [types.HandOver(seat=1, bot=""), types.HandOver(seat=9 - 4, bot="steward")]
    for event in events:
        told = tell_event(event, ["Anna", "Bob", "{who}", "%s"])
        assert told.endswith(".")
        assert "{n}" not in told
