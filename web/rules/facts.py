"""The numbers in the rules' texts, taken from the tables, the box and the board themselves."""

from __future__ import annotations

from engine.material import library
from engine.material import numbers as tables
from engine.material.board import OPEN_SHADES
from engine.material.choices import years_of
from engine.material.library import COMPONENTS
from engine.material.numbers import COST_OF_ONE_TWO_THREE, KIND, POOLS
from events.material import Ruleset

SMALL, MEDIUM, LARGE = KIND["farm"], KIND["palace"], KIND["cathedral"]
"""One building of each size, for what all of its size cost."""


def facts(rules: Ruleset) -> dict[str, int]:
    """Every number that a text may name.

    >>> facts(library.ruleset("short-evening"))["years"]
    5
    """
    return {**_course(rules), **_box(), **_board(), **_prices(), **_cities()}


def _course(rules: Ruleset) -> dict[str, int]:
    years = years_of(rules)
    voice = years * tables.VOICE_CARDS_A_YEAR
    return {
        "years": years,
        "rounds": tables.ROUNDS,
        "rounds_left": tables.ROUNDS - 1,
        "places": tables.DISPLAY_PLACES,
        "voice_cards": tables.VOICE_CARDS_A_YEAR,
        "voice_hidden": tables.VOICE_CARDS_A_YEAR - 1,
        "voice_tie": tables.VOICE_CARDS_A_YEAR // 2,
        "voice_used": voice,
        "voice_unused": sum(library.box().voice.values()) - voice,
        "bonus": tables.POINTS_FOR_ALL_SERVICES,
        "hunger": tables.POINTS_LOST_BY_HUNGER,
    }


def _box() -> dict[str, int]:
    box = library.box()
    return {
        "citizens": box.citizens,
        "castles": box.castles_per_player,
        "figures": box.figures_per_player,
        "action_cards": box.action_cards_per_player,
        "politics": COMPONENTS["politics cards"],
        "kinds": len(tables.POLITICS),
        "voice_all": sum(box.voice.values()),
        "voice_each": box.voice["culture"],
        "farmlands": COMPONENTS["farmland tiles"],
        "mountains": COMPONENTS["mountain tiles"],
        "lakes": COMPONENTS["lake tiles"],
        "farm_tokens": box.tokens[POOLS[KIND["farm"].pool]],
    }


def _board() -> dict[str, int]:
    data = library.board().data
    return {
        "fields": len(data.fields),
        "cells": len(next(iter(data.fields.values())).cells),
        "least": min(OPEN_SHADES),
        "brown_from": min(n for n, shades in OPEN_SHADES.items() if "brown" in shades),
        "yellow_from": min(n for n, shades in OPEN_SHADES.items() if "yellow" in shades),
        "most": max(OPEN_SHADES),
        "castles_at_start": len(next(iter(data.setups["2"].castles))),
    }


def _prices() -> dict[str, int]:
    first, second, third = COST_OF_ONE_TWO_THREE[1:]
    return {
        "start_gold": tables.START_GOLD,
        "action_gold": tables.GOLD_BY_ACTION_CARD,
        "medium_cost": MEDIUM.card_cost,
        "large_cost": LARGE.card_cost,
        "master_small": SMALL.master_cost,
        "master_medium": MEDIUM.master_cost,
        "master_large": LARGE.master_cost,
        "first": first,
        "second": second,
        "third": third,
        "poll": tables.COST_OF_POLLING_ALL,
        "poll_two": tables.VOICE_CARDS_A_YEAR - 2,
    }


def _cities() -> dict[str, int]:
    return {
        "first_citizens": tables.CITIZENS_ON_A_FIRST_CASTLE,
        "from_supply": tables.CITIZENS_FROM_SUPPLY_FOR_A_NEW_CITY,
        "apart": tables.EMPTY_HEXES_AROUND_A_NEW_CASTLE,
        "near": tables.EMPTY_HEXES_BETWEEN_NEIGHBOURS,
    }
