"""The tables of the rules: buildings, cards, pools and the numbers that the phases use.

The constants are the rulebooks'. Rules read them from `Numbers`, where a ruleset may say otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec
from msgspec import UNSET

from events.material import Building, Politics, Ruleset, Service

YEARS = 6
ROUNDS = 5
DISPLAY_PLACES = 7
VOICE_CARDS_A_YEAR = 4
START_GOLD = 1
GOLD_BY_ACTION_CARD = 2
ACTION_CARDS = 3
FIGURES = 4
CASTLES = 4
CITIZENS_ON_A_FIRST_CASTLE = 3
CITIZENS_FROM_SUPPLY_FOR_A_NEW_CITY = 2
EMPTY_HEXES_AROUND_A_NEW_CASTLE = 3
EMPTY_HEXES_BETWEEN_NEIGHBOURS = 2
GROWTH_A_YEAR = 1
CITIZENS_BY_A_MARKET = 1
LIMIT_WITHOUT_MARKET = 5
LIMIT_WITH_MARKET = 8
NO_LIMIT = 1_000
COST_OF_ONE_TWO_THREE = (0, 0, 2, 5)
COST_OF_POLLING_ALL = 2
POINTS_PER_CITIZEN = 1
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
    if card == "master-builder":
        return kind.master_cost
    own = "action" if kind.size == "small" else kind.name
    return kind.card_cost if card == own else None


BuiltBy = dict[str, tuple[tuple[Kind, int], ...]]
"""Per card what it builds, each with its cost."""


class Numbers(msgspec.Struct, frozen=True, kw_only=True):
    """Every number of the rules as it holds at one table, resolved once per game.

    A field has the name of its choice in a ruleset, or follows from such fields.
    """

    years: int = YEARS
    rounds: int = ROUNDS
    display_places: int = DISPLAY_PLACES
    voice_cards: int = VOICE_CARDS_A_YEAR
    start_gold: int = START_GOLD
    start_citizens: int = CITIZENS_ON_A_FIRST_CASTLE
    castles: int = CASTLES
    figures: int = FIGURES
    action_cards: int = ACTION_CARDS
    action_gold: int = GOLD_BY_ACTION_CARD
    new_city_citizens: int = CITIZENS_FROM_SUPPLY_FOR_A_NEW_CITY
    castle_distance: int = EMPTY_HEXES_AROUND_A_NEW_CASTLE
    neighbour_distance: int = EMPTY_HEXES_BETWEEN_NEIGHBOURS
    growth: int = GROWTH_A_YEAR
    limit_without_market: int = LIMIT_WITHOUT_MARKET
    limit_with_market: int = LIMIT_WITH_MARKET
    market_citizens: int = CITIZENS_BY_A_MARKET
    figure_prices: tuple[int, ...] = COST_OF_ONE_TWO_THREE
    """By how many figures, from 0 on; `citizen_prices` likewise."""
    citizen_prices: tuple[int, ...] = COST_OF_ONE_TWO_THREE
    poll_price: int = COST_OF_POLLING_ALL
    cards_out: tuple[Politics, ...] = ()
    citizen_points: int = POINTS_PER_CITIZEN
    service_bonus: int = POINTS_FOR_ALL_SERVICES
    hunger_points: int = POINTS_LOST_BY_HUNGER
    polling: str = "two-or-all"
    figures_on: str = "one-arch"
    falling: str = "hanging-together"
    kinds: tuple[Kind, ...]
    kind: dict[str, Kind]
    built_by: BuiltBy
    cheapest_card: int
    """The least gold for which a politics card builds something."""
    farm_cost: int
    """By an action card."""
    dearest: int
    """The most gold that a building costs by any card."""

    def in_play(self, cards: Iterable[Politics]) -> list[Politics]:
        """The politics cards without the kinds that are out, in their order."""
        return [card for card in cards if card not in self.cards_out]

    @property
    def may_see_all(self) -> bool:
        """R31: whether all face-down voice cards may be looked at for a price."""
        return self.polling == "two-or-all"

    def poll_cost(self, looks: int) -> int:
        """R31: two cards for nothing, all face-down ones for a price where they are more."""
        return self.poll_price if looks > 2 else 0


@lru_cache(maxsize=256)
def numbers_of(rules: Ruleset) -> Numbers:
    """The numbers that hold under a ruleset: its own where it names them, else the rulebooks'.

    >>> numbers_of(Ruleset(name="mine", rounds=4)).rounds, numbers_of(Ruleset(name="mine")).rounds
    (4, 5)
    """
    fields = {
        name: value
        for name in Numbers.__struct_fields__
        if (value := getattr(rules, name, UNSET)) is not UNSET
    }
    for prices in ("figure_prices", "citizen_prices"):
        if prices in fields:
            fields[prices] = (0, *fields[prices])
    if not rules.limits:
        fields["limit_without_market"] = fields["limit_with_market"] = NO_LIMIT
    kinds = tuple(_kind_under(rules, kind) for kind in KINDS)
    built_by = {card: tuple(_built_by(card, kinds)) for card in ("action", *POLITICS)}
    by_politics = [cost for card in POLITICS for _, cost in built_by[card]]
    return Numbers(
        **fields,
        kinds=kinds,
        kind={kind.name: kind for kind in kinds},
        built_by=built_by,
        cheapest_card=min(by_politics),
        farm_cost=kinds[0].card_cost,
        dearest=max(cost for built in built_by.values() for _, cost in built),
    )


def _kind_under(rules: Ruleset, kind: Kind) -> Kind:
    own = {
        field: value
        for field in ("card_cost", "master_cost", "arches")
        if (table := getattr(rules, field)) is not UNSET
        and (value := getattr(table, kind.name)) is not UNSET
    }
    return msgspec.structs.replace(kind, **own) if own else kind


def _built_by(card: str, kinds: Iterable[Kind]) -> Iterable[tuple[Kind, int]]:
    return ((kind, cost) for kind in kinds if (cost := cost_by(card, kind)) is not None)


STANDARD = numbers_of(Ruleset(name="standard"))
"""The numbers of the rulebooks."""
