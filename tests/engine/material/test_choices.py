"""Every number of the rules as a choice: its bounds, what goes together, and that it can be played.

One table of all choices; below, at and above each bound; games to the end at every bound.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.bots import RandomBot, StewardBot
from engine.errors import BadMaterial
from engine.fold import fold
from engine.material import library
from engine.material import numbers as constants
from engine.material.choices import (
    ALLOWED,
    AS_EVER,
    BOUNDS,
    BY_BUILDING,
    CHOICES,
    LATER_WORDS,
    PRICES,
    RULES,
    chosen,
    differing,
    with_choices,
)
from engine.material.numbers import POLITICS, STANDARD, numbers_of
from engine.selfplay import Game, new_game, play_out
from engine.snapshot import restore, snapshot
from engine.walk import checked_fold
from events.material import Ruleset
from tests.amounts import Amount
from tests.engine.material import choices_page
from tests.engine.random_rules import BUILDINGS, random_rules
from tests.engine.soundness import assert_sound

WAS = {
    "years": "YEARS",
    "rounds": "ROUNDS",
    "display_places": "DISPLAY_PLACES",
    "voice_cards": "VOICE_CARDS_A_YEAR",
    "start_gold": "START_GOLD",
    "start_citizens": "CITIZENS_ON_A_FIRST_CASTLE",
    "castles": "CASTLES",
    "figures": "FIGURES",
    "action_cards": "ACTION_CARDS",
    "action_gold": "GOLD_BY_ACTION_CARD",
    "new_city_citizens": "CITIZENS_FROM_SUPPLY_FOR_A_NEW_CITY",
    "castle_distance": "EMPTY_HEXES_AROUND_A_NEW_CASTLE",
    "neighbour_distance": "EMPTY_HEXES_BETWEEN_NEIGHBOURS",
    "growth": "GROWTH_A_YEAR",
    "limit_without_market": "LIMIT_WITHOUT_MARKET",
    "limit_with_market": "LIMIT_WITH_MARKET",
    "market_citizens": "CITIZENS_BY_A_MARKET",
    "card_cost": "KINDS",
    "master_cost": "KINDS",
    "arches": "KINDS",
    "figure_prices": "COST_OF_ONE_TWO_THREE",
    "citizen_prices": "COST_OF_ONE_TWO_THREE",
    "poll_price": "COST_OF_POLLING_ALL",
    "cards_out": "POLITICS",
    "citizen_points": "POINTS_PER_CITIZEN",
    "service_bonus": "POINTS_FOR_ALL_SERVICES",
    "hunger_points": "POINTS_LOST_BY_HUNGER",
}
"""Per choice of a number the constant of the rulebooks that it may replace."""

TABLES: dict[str, tuple[list[Any], list[Any]]] = {
    **dict.fromkeys(
        ("card_cost", "master_cost"),
        (
            [dict.fromkeys(BUILDINGS, 0), dict.fromkeys(BUILDINGS, 9)],
            [{"farm": -1}, {"farm": 10}, {"castle": 1}, {"farm": True}, {"farm": "2"}, 3],
        ),
    ),
    "arches": (
        [dict.fromkeys(BUILDINGS, (0, 0, 0)), dict.fromkeys(BUILDINGS, (3, 3, 3))],
        [{"farm": [0, 0, 4]}, {"farm": [-1, 0, 0]}, {"farm": [1, 1]}, {"farm": [1] * 4}, []],
    ),
    **dict.fromkeys(
        PRICES, ([[0, 0, 0], [9, 9, 9]], [[0, 0, 10], [-1, 0, 0], [0, 1], [0] * 4, "025"])
    ),
    "cards_out": (
        [["polling"], [card for card in POLITICS if card != "golden-times"]],
        [[], list(POLITICS), ["castle"], "polling", [1]],
    ),
}
"""Per choice that is no single number some values at its limits, and some beyond them."""

ALONGSIDE: dict[str, dict[str, Any]] = {
    "years": {"voice_cards": 3},
    "voice_cards": {"years": 4},
    "start_citizens": {"limit_without_market": 8},
    "new_city_citizens": {"limit_without_market": 8},
    "limit_without_market": {
        "limit_with_market": 30,
        "start_citizens": 1,
        "new_city_citizens": 0,
    },
    "limit_with_market": {
        "limit_without_market": 1,
        "start_citizens": 1,
        "new_city_citizens": 0,
    },
    "cards_out": {"display_places": 3},
}
"""What has to be chosen with a value at a bound, so that they go together."""


def mine(**fields: Any) -> Ruleset:
    rules = library.check_ruleset(
        with_choices(Ruleset(name="standard"), {"name": "mine", **fields})
    )
    library.check_cards(rules, library.box())
    return rules


def at_limits(choice: str) -> list[Any]:
    return list(BOUNDS[choice]) if choice in BOUNDS else TABLES[choice][0]


def beyond_limits(choice: str) -> list[Any]:
    if choice not in BOUNDS:
        return TABLES[choice][1]
    least, most = BOUNDS[choice]
    return [least - 1, most + 1, 10**30, True, float(least), str(least), None, [least]]


def test_every_constant_has_its_choice():
    """No number is left that a ruleset cannot name, and each is the rulebooks' where none does."""
    assert set(WAS) == set(CHOICES) - set(ALLOWED) == {*BOUNDS, *TABLES}
    assert set(AS_EVER) == {*WAS, *LATER_WORDS}
    assert set(RULES) == set(CHOICES)
    numbers = {
        name
        for name, value in vars(constants).items()
        if name.isupper() and isinstance(value, int) and name not in ("NO_LIMIT",)
    } - {"CULTURE", "EDUCATION", "HEALTH"}
    assert numbers == {WAS[choice] for choice in BOUNDS}
    for choice in BOUNDS:
        assert AS_EVER[choice] == getattr(constants, WAS[choice])
    assert numbers_of(library.ruleset()) == STANDARD


@pytest.mark.parametrize("choice", WAS)
def test_a_value_beyond_its_bound_is_refused_by_name(choice: str):
    for value in beyond_limits(choice):
        with pytest.raises(BadMaterial, match=f"ruleset mine: choice {choice}") as caught:
            mine(**{choice: value})
        assert len(str(caught.value)) < 300


@pytest.mark.parametrize("choice", WAS)
def test_a_game_with_a_value_beyond_its_bound_is_not_read(choice: str):
    for value in beyond_limits(choice):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"name": "mine", choice: value}, Ruleset)


@pytest.mark.parametrize("choice", WAS)
def test_the_rulebooks_value_is_not_written_down(choice: str):
    """No byte of an opening changes that was written before there was such a choice."""
    usual = msgspec.to_builtins(AS_EVER[choice])
    if choice in BY_BUILDING:
        usual = {kind.name: getattr(kind, choice) for kind in STANDARD.kinds}
    if choice != "cards_out":
        assert mine(**{choice: usual}) == Ruleset(name="mine")
    assert b'{"name":"mine","pass_when":' in msgspec.json.encode(mine())
    assert choice.encode() not in msgspec.json.encode(mine())


@pytest.mark.parametrize("choice", WAS)
def test_games_at_the_bounds_of_a_choice_come_to_their_end(choice: str, amount: Amount):
    for number, value in enumerate(at_limits(choice)):
        rules = mine(**{**ALONGSIDE.get(choice, {}), choice: value})
        if chosen(rules, choice) != AS_EVER[choice]:
            assert choice in differing(Ruleset(name="standard"), rules)
        everyone = (2, 3, 4, 5)
        for players in amount(everyone[number::4], everyone):
            seed = f"{choice}/{players}"
            game = new_game(players, seed, rules, "expert" if players % 2 else "beginner")
            assert_ends(play_out(game, RandomBot(seed)))


def test_stewards_at_the_bounds(amount: Amount):
    for choice in amount(list(WAS)[::9], list(WAS)):
        for value in at_limits(choice):
            rules = mine(**{**ALONGSIDE.get(choice, {}), choice: value})
            assert_ends(play_out(new_game(2, choice, rules), StewardBot(choice)))


@pytest.mark.parametrize("part", range(4))
def test_any_mix_within_bounds_can_be_played(part: int, amount: Amount):
    """House rules by dice: no exception, no dead end, and everything that must always hold."""
    for seed in range(part, amount(16, 240), 4):
        rules = random_rules(seed)
        game = new_game(2 + seed // 4 % 4, seed, rules, ("beginner", "expert")[seed // 16 % 2])
        assert_ends(play_out(game, StewardBot(seed) if seed % 3 == 0 else RandomBot(seed)))
        assert snapshot(checked_fold(game.events)) == snapshot(game.state)
        kept = snapshot(game.state)
        assert snapshot(restore(kept)) == kept
        assert_sound(fold(game.events[: len(game.events) // 2]))


def assert_ends(game: Game) -> None:
    s = game.state
    assert (s.phase, s.year) == ("over", s.numbers.years), s.rules
    assert s.winners
    assert_sound(s)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"limits": False, "limit_without_market": 4}, "limits=false contradicts"),
        ({"limits": False, "limit_with_market": 9}, "limits=false contradicts"),
        ({"limit_without_market": 9}, "limit_with_market is below"),
        ({"limit_with_market": 4}, "limit_with_market is below"),
        ({"start_citizens": 6}, "start_citizens are more"),
        ({"new_city_citizens": 5}, "new_city_citizens and who founds"),
        ({"limit_without_market": 2}, "start_citizens are more"),
        ({"years": 7}, "years times voice_cards"),
        ({"voice_cards": 5}, "years times voice_cards"),
        ({"figure_prices": [2, 0, 5]}, "may not fall"),
        ({"citizen_prices": [0, 5, 4]}, "may not fall"),
        ({"cards_out": [card for card in POLITICS if card != "polling"]}, "display_places"),
    ],
)
def test_what_does_not_go_together_is_refused_with_a_sentence(fields: dict[str, Any], message: str):
    with pytest.raises(BadMaterial, match=message):
        mine(**fields)
    with pytest.raises(BadMaterial, match=message):
        new_game(2, 1, msgspec.convert({"name": "mine", **fields}, Ruleset))


def test_the_page_lists_every_choice_with_its_bounds():
    """Written anew by `python -m tests.engine.material.choices_page`."""
    text = choices_page.PAGE.read_text(encoding="utf-8")
    assert choices_page.page(text) == text
