"""The numbers in the rules' texts, taken from the tables, the box and the board themselves."""

from __future__ import annotations

from engine.material import library
from engine.material.board import OPEN_SHADES
from engine.material.library import COMPONENTS
from engine.material.numbers import KIND, POLITICS, POOLS, Numbers, numbers_of
from events.material import BoardData, Box, Ruleset

CELLS, CASTLES_AT_START = 6, 2
"""Of a field, and of a player: whatever the board."""
SMALL, MEDIUM, LARGE = "farm", "palace", "cathedral"
"""One building of each size, for what all of its size cost."""


def facts(rules: Ruleset, box: Box | None = None, board: BoardData | None = None) -> dict[str, int]:
    """Every number that a text may name; without another box and board, of the built-in ones.

    >>> facts(library.ruleset("short-evening"))["years"]
    5
    """
    numbers, box = numbers_of(rules), box or library.box()
    return {
        **_course(numbers, box),
        **_box(numbers, box),
        **_board(board or library.board().data),
        **_prices(numbers),
        **_cities(numbers),
    }


def _course(numbers: Numbers, box: Box) -> dict[str, int]:
    voice = numbers.years * numbers.voice_cards
    return {
        "years": numbers.years,
        "rounds": numbers.rounds,
        "rounds_left": numbers.rounds - 1,
        "places": numbers.display_places,
        "voice_cards": numbers.voice_cards,
        "voice_hidden": numbers.voice_cards - 1,
        "voice_tie": numbers.voice_cards // 2,
        "voice_used": voice,
        "voice_unused": sum(box.voice.values()) - voice,
        "bonus": numbers.service_bonus,
        "hunger": numbers.hunger_points,
    }


def _box(numbers: Numbers, box: Box) -> dict[str, int]:
    return {
        "citizens": box.citizens,
        "castles": numbers.castles,
        "figures": numbers.figures,
        "action_cards": numbers.action_cards,
        "politics": len(numbers.in_play(library.politics_cards(box))),
        "kinds": len(numbers.in_play(POLITICS)),
        "voice_all": sum(box.voice.values()),
        "voice_each": box.voice["culture"],
        "farmlands": COMPONENTS["farmland tiles"],
        "mountains": COMPONENTS["mountain tiles"],
        "lakes": COMPONENTS["lake tiles"],
        "farm_tokens": box.tokens[POOLS[KIND["farm"].pool]],
    }


def _board(data: BoardData) -> dict[str, int]:
    return {
        "fields": len(data.fields),
        "cells": CELLS,
        "least": min(OPEN_SHADES),
        "brown_from": min(n for n, shades in OPEN_SHADES.items() if "brown" in shades),
        "yellow_from": min(n for n, shades in OPEN_SHADES.items() if "yellow" in shades),
        "most": max(OPEN_SHADES),
        "castles_at_start": CASTLES_AT_START,
    }


def _prices(numbers: Numbers) -> dict[str, int]:
    first, second, third = numbers.figure_prices[1:]
    first_citizen, second_citizen, third_citizen = numbers.citizen_prices[1:]
    kind = numbers.kind
    return {
        "start_gold": numbers.start_gold,
        "action_gold": numbers.action_gold,
        "small_cost": kind[SMALL].card_cost,
        "medium_cost": kind[MEDIUM].card_cost,
        "large_cost": kind[LARGE].card_cost,
        "master_small": kind[SMALL].master_cost,
        "master_medium": kind[MEDIUM].master_cost,
        "master_large": kind[LARGE].master_cost,
        "first": first,
        "second": second,
        "third": third,
        "first_citizen": first_citizen,
        "second_citizen": second_citizen,
        "third_citizen": third_citizen,
        "poll": numbers.poll_price,
        "poll_two": 2,
    }


def _cities(numbers: Numbers) -> dict[str, int]:
    return {
        "first_citizens": numbers.start_citizens,
        "from_supply": numbers.new_city_citizens,
        "apart": numbers.castle_distance,
        "near": numbers.neighbour_distance,
        "growth": numbers.growth,
        "market_citizens": numbers.market_citizens,
        "citizen_points": numbers.citizen_points,
    }
