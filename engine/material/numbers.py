"""The tables of the rules: buildings, cards, pools and the numbers that the phases use."""

from __future__ import annotations

import msgspec

from events.material import Building, Politics, Service

YEARS = 6
ROUNDS = 5
DISPLAY_PLACES = 7
VOICE_CARDS_A_YEAR = 4
START_GOLD = 1
GOLD_BY_ACTION_CARD = 2
CITIZENS_ON_A_FIRST_CASTLE = 3
CITIZENS_FROM_SUPPLY_FOR_A_NEW_CITY = 2
EMPTY_HEXES_AROUND_A_NEW_CASTLE = 3
EMPTY_HEXES_BETWEEN_NEIGHBOURS = 2
LIMIT_WITHOUT_MARKET = 5
LIMIT_WITH_MARKET = 8
NO_LIMIT = 1_000
COST_OF_ONE_TWO_THREE = (0, 0, 2, 5)
COST_OF_POLLING_ALL = 2
POINTS_FOR_ALL_SERVICES = 3
POINTS_LOST_BY_HUNGER = 5

SERVICES: tuple[Service, ...] = ("culture", "education", "health")
CULTURE, EDUCATION, HEALTH = range(3)
SERVICE_INDEX: dict[Service, int] = {name: index for index, name in enumerate(SERVICES)}

POOLS = (
    "farm/quarry",
    "palace/hospital",
    "statue/cathedral",
    "school/university",
    "fountain/bath",
    "market",
)


class Kind(msgspec.Struct, frozen=True):
    """What a building is: its size, its arches and the pool its token comes from."""

    name: Building
    size: str
    card_cost: int
    master_cost: int
    arches: tuple[int, int, int]
    pool: int
    needs_lake: bool = False


_SMALL, _MEDIUM, _LARGE = ("small", 0, 1), ("medium", 1, 2), ("large", 3, 4)
KINDS: tuple[Kind, ...] = (
    Kind("farm", *_SMALL, (0, 0, 0), 0),
    Kind("quarry", *_SMALL, (0, 0, 0), 0),
    Kind("school", *_SMALL, (0, 1, 0), 3),
    Kind("statue", *_SMALL, (1, 0, 0), 2),
    Kind("market", *_SMALL, (0, 0, 0), 5),
    Kind("fountain", *_SMALL, (0, 0, 1), 4, needs_lake=True),
    Kind("palace", *_MEDIUM, (2, 0, 0), 1),
    Kind("hospital", *_MEDIUM, (0, 1, 1), 1),
    Kind("bath", *_MEDIUM, (0, 0, 2), 4, needs_lake=True),
    Kind("cathedral", *_LARGE, (3, 0, 0), 2),
    Kind("university", *_LARGE, (0, 3, 0), 3),
)
KIND: dict[str, Kind] = {kind.name: kind for kind in KINDS}

CASTLE = "castle"
EMPTY = ""
"""What stands on a hex is one of the building names, `CASTLE`, or `EMPTY`."""

POLITICS: tuple[Politics, ...] = (
    "palace",
    "hospital",
    "bath",
    "cathedral",
    "university",
    "master-builder",
    "bread-and-games",
    "golden-times",
    "rich-harvest",
    "polling",
)
POLITICS_INDEX: dict[str, int] = {name: index for index, name in enumerate(POLITICS)}


def cost_by(card: str, kind: Kind) -> int | None:
    """R20, R26, R27: the gold that a building costs by a card; None when that does not build it.

    >>> cost_by("action", KIND["farm"]), cost_by("palace", KIND["palace"])
    (0, 1)
    >>> cost_by("action", KIND["palace"]), cost_by("master-builder", KIND["palace"])
    (None, 2)
    """
    if card == "action":
        return 0 if kind.size == "small" else None
    if card == "master-builder":
        return kind.master_cost
    return kind.card_cost if card == kind.name else None


BUILT_BY: dict[str, tuple[tuple[Kind, int], ...]] = {
    card: tuple((kind, cost) for kind in KINDS if (cost := cost_by(card, kind)) is not None)
    for card in ("action", *POLITICS)
}
"""Per card what it builds, each with its cost."""
