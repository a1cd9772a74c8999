"""What each recorded game is for: who plays what, and what must happen in it."""

from __future__ import annotations

from typing import Any

from events.material import BoxRef
from events.types import GrantTakeBack, RefuseTakeBack
from replays.corpus.choosing.material import (
    EVEN_BOARD,
    FAIR_BOARD,
    FORMER_EDITIONS,
    mixed_box,
    narrow_board,
    own_board,
    own_box,
)
from replays.corpus.choosing.recipe import Recipe, recipe
from replays.corpus.choosing.scripts import (
    asks,
    demolishes_at_once,
    hands_over,
    resigns_owing,
    resigns_waiting,
    takes_a_year_back,
    takes_back_a_poll,
    takes_back_at_once,
)

MIXED, RANDOM = "srsrs", "rrrrr"


EXPERT: dict[str, Any] = {"setup": "expert"}

STANDARD = (
    recipe("two-beginners", 2, "R5 two players have the light green hexes only"),
    recipe("three-beginners", 3, "R15 a city with a market is full at eight"),
    recipe("four-beginners", 4, "R15 a city with market and water grows past eight"),
    recipe("five-beginners", 5, "R41 several seats decide about their people at the same time"),
    recipe("two-experts", 2, "R37 a citizen finds no room and goes to the supply", **EXPERT),
    recipe("three-experts", 3, "R14 a quarry between two mountains", **EXPERT),
    recipe("four-experts", 4, "R32 a pass waits for the shuffle", **EXPERT),
    recipe("five-experts", 5, "R1 a pool of tokens runs empty", **EXPERT),
    recipe(
        "anything-goes",
        3,
        "R18 two gold because nothing else can be done",
        "R39 a farm falls after the hunger, and nobody starves again",
        seats=RANDOM,
    ),
    recipe(
        "a-city-starved-away",
        3,
        "R38 a city with nobody left disappears, its castle back to the owner",
        "R39 people leave hungry from the only city there is",
        "R39 hunger leaves a city with too few for its buildings",
        seats=MIXED,
    ),
    recipe(
        "a-two-voice-year",
        4,
        "R35 two cities of a seat count by different services",
        "R35 two neighbours are each the stronger in one of the two voices",
    ),
    recipe(
        "a-drained-neighbour",
        3,
        "R37 a city loses its last citizen to its neighbours",
        "R35 a seat chooses the order of its cities",
        seats=MIXED,
    ),
    recipe("an-emptied-pool", 5, "R1 a pool of tokens runs empty"),
    recipe("an-emptied-supply", 5, "R15 from an empty supply nobody comes"),
    recipe("a-shared-win", 3, "R44 a win is shared"),
    recipe("gold-decides", 4, "R44 most gold decides between equal points", **EXPERT),
    recipe(
        "without-a-city",
        2,
        "R45 a seat without a city plays on",
        seats="sr",
        **EXPERT,
    ),
    recipe(
        "bread-and-games",
        4,
        "R28 two figures for two gold",
        "R28 three figures for five gold",
        "R28 a later card adds to the same building",
        "R36 a city takes someone only by the figures on its arches",
    ),
    recipe(
        "golden-times",
        4,
        "R29 two citizens for two gold",
        "R29 three citizens for five gold",
        "R29 golden times fill a city to its limit",
        seats=MIXED,
    ),
    recipe("rich-harvest", 2, "R30 a rich harvest keeps people from hunger", **EXPERT),
    recipe(
        "polling",
        3,
        "R31 a poll of two voice cards for nothing",
        "R31 a poll of all three for two gold",
        seats=MIXED,
    ),
    recipe(
        "the-master-builder",
        4,
        "R27 the master builder puts up a small building",
        "R27 the master builder puts up a medium building",
        "R27 the master builder puts up a large building",
    ),
    recipe(
        "a-market-falls",
        2,
        "R15 a city that lost its market or its water keeps its people",
        seats="rr",
    ),
    recipe(
        "one-service-short",
        5,
        "R43 a city lacks only culture",
        "R43 a city lacks only education",
        "R43 a city lacks only health",
        "R43 a hospital is all the education of a complete city",
        seats=MIXED,
        **EXPERT,
    ),
)

EDITIONS = (
    recipe(
        "english", 2, "R35 a seat chooses the service for a city", ruleset=FORMER_EDITIONS["en"]
    ),
    recipe(
        "german",
        3,
        "R32 a seat passes with action cards left, for it can build nothing",
        "R34 cities are neighbours straight over the grid but not along the lanes",
        ruleset=FORMER_EDITIONS["de"],
        seats=MIXED,
        **EXPERT,
    ),
    recipe(
        "german-hospital",
        4,
        "R43 a hospital is all the culture of a complete city, in the editions that read it so",
        ruleset=FORMER_EDITIONS["de"],
    ),
    recipe("dutch", 2, "R44 a win is shared", ruleset=FORMER_EDITIONS["nl"], seats=RANDOM),
    recipe(
        "french",
        5,
        "R10 a castle that straight distance allows beside others that it forbids",
        ruleset=FORMER_EDITIONS["fr"],
        seats=MIXED,
        **EXPERT,
    ),
    recipe(
        "finnish",
        4,
        "R35 relocation goes counter-clockwise through three seats or more",
        ruleset=FORMER_EDITIONS["fi"],
    ),
    recipe(
        "finnish-passes",
        2,
        "R32 a seat passes with action cards left, for it can build nothing",
        ruleset=FORMER_EDITIONS["fi"],
        seats=RANDOM,
        **EXPERT,
    ),
)

HOUSE_RULES = (
    recipe(
        "ageing-cards",
        3,
        "ageing-display the start player buries the oldest card",
        "ageing-display the start player buries no card",
        "ageing-display the younger of two like cards is taken",
        ruleset="ageing-display",
        seats=MIXED,
    ),
    recipe("flushed-cards", 4, "flush seven new cards at a year's start", ruleset="flush"),
    recipe(
        "harsh-people",
        3,
        "R40 an action card is turned over for people lost by relocation",
        ruleset="harsh-people",
    ),
    recipe(
        "straight-distance",
        2,
        "R34 cities are neighbours straight over the grid but not along the lanes",
        ruleset="straight-distance",
        **EXPERT,
    ),
    recipe(
        "no-limits", 5, "no-limits a city without a market grows past five", ruleset="no-limits"
    ),
    recipe(
        "a-short-evening",
        5,
        "short-evening the game ends after year 5",
        "short-evening hunger in year 5 costs five points",
        ruleset="short-evening",
        seats=MIXED,
    ),
)

LIMITS = (
    recipe("two-fall-at-once", 3, people="123", seats=RANDOM, scripts=(demolishes_at_once,)),
    recipe(
        "nobody-to-spare",
        2,
        "R18 two gold unasked, for nobody is spare to move to the free hexes",
        "R16 a seat is asked that can do nothing with its action cards but take gold",
        seats="bb",
    ),
    recipe(
        "only-a-founding",
        4,
        "R19 a seat is asked because it can found a city, and do nothing else but take gold",
        seats="bbbb",
        **EXPERT,
    ),
    recipe(
        "golden-times-for-others",
        2,
        "R29 golden times are no choice for a seat whose cities are full",
        seats="bb",
        **EXPERT,
    ),
    recipe(
        "all-harvested",
        2,
        "R30 a rich harvest is no choice for a seat whose farms have had theirs",
        seats="bb",
    ),
    recipe(
        "a-late-market",
        3,
        "no-limits a market in a city of eight and more",
        ruleset="no-limits",
        seats="ccc",
    ),
)


def picked(name: str, players: int, seats: str, seed: int, box: BoxRef, **rest: Any) -> Recipe:
    """One of many games that were played on one-sided decks."""
    return recipe(name, players, seats=seats, seed=seed, box=box, series="hunt", **EXPERT, **rest)


NARROW: dict[str, Any] = {"board": narrow_board(5)}
BUILDERS = mixed_box("builders", master_builder=16, golden_times=4)
FEASTS = mixed_box("feasts", bread_and_games=14, rich_harvest=10)
PICKED = (
    picked("a-narrow-land", 2, "cc", 457, FEASTS, ruleset="straight-distance", **NARROW),
    picked("feasts-without-figures", 2, "fc", 1265, FEASTS),
    picked("one-figure-left", 2, "bc", 1303, FEASTS, **NARROW),
    picked("out-of-castles", 3, "fbc", 1220, FEASTS, **NARROW),
    picked("the-last-castle", 2, "bb", 945, BUILDERS, board=narrow_board(6)),
    picked(
        "builders-without-a-site", 2, "cb", 1403, BUILDERS, ruleset=FORMER_EDITIONS["de"], **NARROW
    ),
)
"""Narrow land and one-sided decks, where choices run out that elsewhere never do."""

AS_PRINTED = (
    recipe("english-as-printed", 2, "R31 a poll of two voice cards for nothing", ruleset="en"),
    recipe(
        "german-as-printed",
        2,
        "R28 figures are split over a building's arches",
        "R38 what has only its own city around it stays for now",
        ruleset="de",
        seats="cb",
    ),
    recipe(
        "finnish-as-printed",
        3,
        "R35 with two voices relocation goes counter-clockwise",
        ruleset="fi",
    ),
)

AT_THE_TABLE = (
    recipe(
        "taken-back",
        3,
        "table an action is taken back because all agree",
        "table an action that showed nothing is taken back at once",
        "table a question lapses because the game goes on",
        people="123",
        scripts=(
            takes_back_at_once(1),
            asks(1, GrantTakeBack),
            asks(2, RefuseTakeBack),
            takes_back_at_once(2),
            asks(3, None),
            takes_back_a_poll,
            asks(5, GrantTakeBack),
        ),
    ),
    recipe(
        "a-year-taken-back",
        2,
        "table the action that ended a year is taken back",
        people="12",
        scripts=(takes_a_year_back,),
    ),
    recipe(
        "alone-among-bots",
        3,
        "table an action that showed nothing is taken back at once",
        people="1",
        scripts=(asks(1, None), asks(2, None)),
    ),
    recipe(
        "handed-over-and-back",
        3,
        people="123",
        scripts=(
            hands_over(2, "steward", 2, "clock"),
            hands_over(3, "random", 3),
            hands_over(2, "", 4),
        ),
    ),
    recipe(
        "one-after-the-other-leaves",
        5,
        people="12345",
        seats=MIXED,
        scripts=(
            resigns_owing("castle"),
            resigns_owing("relocate"),
            resigns_owing("starve"),
            resigns_owing("politics", 5),
        ),
        **EXPERT,
    ),
    recipe(
        "left-in-ruins",
        4,
        people="1234",
        seats=MIXED,
        scripts=(resigns_owing("demolish", 2), resigns_owing("politics", 4)),
    ),
    recipe(
        "left-before-burying",
        4,
        people="1234",
        ruleset="ageing-display",
        scripts=(resigns_owing("bury", 3), resigns_waiting(4)),
    ),
    recipe("gone-in-the-first-year", 2, people="12", scripts=(resigns_owing("politics"),)),
)

OWN_MATERIAL = (
    recipe("a-box-of-ones-own", 3, "R2 a box of one's own with another mix", box=own_box()),
    recipe("a-board-of-ones-own", 4, "R6 a board of one's own", board=own_board()),
)

FAIR: dict[str, Any] = {"board": FAIR_BOARD}
ON_FAIR_LAND = (
    recipe("fair-seats-for-two", 2, "R15 a city with a market is full at eight", **FAIR),
    recipe("fair-seats-for-three", 3, "R14 a quarry between two mountains", **FAIR),
    recipe("fair-seats-for-four", 4, "R35 a seat chooses the service for a city", **FAIR),
    recipe("fair-seats-for-five", 5, "R28 two figures for two gold", **FAIR),
    recipe(
        "even-seats-for-two",
        2,
        people="12",
        scripts=(resigns_owing("politics", 4),),
        board=EVEN_BOARD,
    ),
)

RECIPES = (
    *(*STANDARD, *EDITIONS, *AS_PRINTED, *HOUSE_RULES, *LIMITS, *PICKED, *AT_THE_TABLE),
    *(*OWN_MATERIAL, *ON_FAIR_LAND),
)
