"""The numbers of the rulebooks, stated once: whoever changes one in the code says so here, too."""

from __future__ import annotations

import pytest

from engine.material.choices import AS_EVER
from engine.material.numbers import KIND
from tests.engine.helpers import MADE_FOR

RULEBOOKS = {
    "years": 6,  # R17
    "rounds": 5,  # R16
    "display_places": 7,  # R7
    "voice_cards": 4,  # R13
    "start_gold": 1,  # R7
    "start_citizens": 3,  # R8, R9
    "castles": 4,  # R7
    "figures": 4,  # R7
    "action_cards": 3,  # R7
    "action_gold": 2,  # R18
    "new_city_citizens": 2,  # R19
    "castle_distance": 3,  # R10
    "neighbour_distance": 2,  # R34
    "growth": 1,  # R15
    "limit_without_market": 5,  # R15
    "limit_with_market": 8,  # R15
    "market_citizens": 1,  # R23
    "figure_prices": (0, 2, 5),  # R28
    "citizen_prices": (0, 2, 5),  # R29
    "poll_price": 2,  # R31
    "citizen_points": 1,  # R43
    "service_bonus": 3,  # R43
    "hunger_points": 5,  # R43
}

BUILDINGS = {
    "farm": (0, 1, (0, 0, 0)),
    "quarry": (0, 1, (0, 0, 0)),
    "school": (0, 1, (0, 1, 0)),
    "statue": (0, 1, (1, 0, 0)),
    "market": (0, 1, (0, 0, 0)),
    "fountain": (0, 1, (0, 0, 1)),
    "palace": (1, 2, (2, 0, 0)),
    "hospital": (1, 2, (0, 1, 1)),
    "bath": (1, 2, (0, 0, 2)),
    "cathedral": (3, 4, (3, 0, 0)),
    "university": (3, 4, (0, 3, 0)),
}
"""R20, R26 to R28: gold by the building's own card, gold by the master builder, arches of culture,
education and health."""


@pytest.mark.parametrize("choice", RULEBOOKS)
def test_the_rules_say_what_the_rulebooks_say(choice: str):
    assert AS_EVER[choice] == RULEBOOKS[choice]


def test_buildings_are_the_rulebooks():
    found = {name: (kind.card_cost, kind.master_cost, kind.arches) for name, kind in KIND.items()}
    assert found == BUILDINGS


def test_positions_by_hand_count_with_every_number():
    assert set(MADE_FOR) == set(RULEBOOKS)
    numbers = {choice for choice, usual in AS_EVER.items() if isinstance(usual, int | tuple)}
    assert numbers - {"cards_out"} == set(RULEBOOKS)
