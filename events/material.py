"""The shapes of the data a game is opened with: ruleset, board and box.

Shapes only. What makes a board or a ruleset valid is a rule of the game and lives in `engine`.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]*\Z")]
Label = Annotated[str, Meta(min_length=2, max_length=6)]
Coordinate = Annotated[int, Meta(ge=-60, le=60)]
Hex = tuple[Coordinate, Coordinate]
Count = Annotated[int, Meta(ge=0, le=200)]

Service = Literal["culture", "education", "health"]
Shade = Literal["light", "brown", "yellow"]
Tile = Literal["farmland-1", "farmland-2", "farmland-3", "mountain", "lake"]
Terrain = Literal["farmland-1", "farmland-2", "farmland-3", "mountain", "lake", "wasteland"]
Building = Literal[
    "farm",
    "quarry",
    "school",
    "statue",
    "market",
    "fountain",
    "palace",
    "hospital",
    "bath",
    "cathedral",
    "university",
]
Politics = Literal[
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
]


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of everything that is read from a file and must not carry a field we do not know."""


Price = Annotated[int, Meta(ge=0, le=9)]
Prices = tuple[Price, Price, Price]
Arches = tuple[
    Annotated[int, Meta(ge=0, le=3)],
    Annotated[int, Meta(ge=0, le=3)],
    Annotated[int, Meta(ge=0, le=3)],
]
"""Of culture, education and health."""


class BuildingPrices(Data, frozen=True):
    """What some buildings cost otherwise."""

    farm: Price | UnsetType = UNSET
    quarry: Price | UnsetType = UNSET
    school: Price | UnsetType = UNSET
    statue: Price | UnsetType = UNSET
    market: Price | UnsetType = UNSET
    fountain: Price | UnsetType = UNSET
    palace: Price | UnsetType = UNSET
    hospital: Price | UnsetType = UNSET
    bath: Price | UnsetType = UNSET
    cathedral: Price | UnsetType = UNSET
    university: Price | UnsetType = UNSET


class BuildingArches(Data, frozen=True):
    """Which arches some buildings have otherwise."""

    farm: Arches | UnsetType = UNSET
    quarry: Arches | UnsetType = UNSET
    school: Arches | UnsetType = UNSET
    statue: Arches | UnsetType = UNSET
    market: Arches | UnsetType = UNSET
    fountain: Arches | UnsetType = UNSET
    palace: Arches | UnsetType = UNSET
    hospital: Arches | UnsetType = UNSET
    bath: Arches | UnsetType = UNSET
    cathedral: Arches | UnsetType = UNSET
    university: Arches | UnsetType = UNSET


class Ruleset(Data, frozen=True):
    """A named record of choices where the rulebooks, or the players, differ."""

    name: Name
    pass_when: Literal["action-cards-used", "nothing-to-build"] = "action-cards-used"
    distance: Literal["lanes", "straight"] = "lanes"
    hospital_bonus: Literal["education", "culture"] = "education"
    relocation_order: Literal["clockwise", "counter-clockwise", "counter-clockwise-at-two"] = (
        "clockwise"
    )
    display: Literal["refill", "ageing"] = "refill"
    flush: bool = False
    penalty_for: Literal["starved", "starved-or-moved"] = "starved"
    limits: bool = True
    # What came later is left out where all is as ever: no byte of an older opening changes.
    years: Annotated[int, Meta(ge=1, le=9)] | UnsetType = UNSET
    rounds: Annotated[int, Meta(ge=1, le=8)] | UnsetType = UNSET
    display_places: Annotated[int, Meta(ge=1, le=12)] | UnsetType = UNSET
    voice_cards: Annotated[int, Meta(ge=3, le=6)] | UnsetType = UNSET
    start_gold: Annotated[int, Meta(ge=0, le=9)] | UnsetType = UNSET
    start_citizens: Annotated[int, Meta(ge=1, le=8)] | UnsetType = UNSET
    castles: Annotated[int, Meta(ge=2, le=6)] | UnsetType = UNSET
    figures: Annotated[int, Meta(ge=0, le=8)] | UnsetType = UNSET
    action_cards: Annotated[int, Meta(ge=1, le=8)] | UnsetType = UNSET
    action_gold: Annotated[int, Meta(ge=1, le=6)] | UnsetType = UNSET
    new_city_citizens: Annotated[int, Meta(ge=0, le=5)] | UnsetType = UNSET
    castle_distance: Annotated[int, Meta(ge=1, le=6)] | UnsetType = UNSET
    neighbour_distance: Annotated[int, Meta(ge=0, le=4)] | UnsetType = UNSET
    growth: Annotated[int, Meta(ge=0, le=3)] | UnsetType = UNSET
    limit_without_market: Annotated[int, Meta(ge=1, le=20)] | UnsetType = UNSET
    limit_with_market: Annotated[int, Meta(ge=1, le=30)] | UnsetType = UNSET
    market_citizens: Annotated[int, Meta(ge=0, le=3)] | UnsetType = UNSET
    card_cost: BuildingPrices | UnsetType = UNSET
    master_cost: BuildingPrices | UnsetType = UNSET
    arches: BuildingArches | UnsetType = UNSET
    figure_prices: Prices | UnsetType = UNSET
    citizen_prices: Prices | UnsetType = UNSET
    poll_price: Price | UnsetType = UNSET
    cards_out: Annotated[tuple[Politics, ...], Meta(min_length=1, max_length=9)] | UnsetType = UNSET
    citizen_points: Annotated[int, Meta(ge=0, le=5)] | UnsetType = UNSET
    service_bonus: Annotated[int, Meta(ge=0, le=10)] | UnsetType = UNSET
    hunger_points: Annotated[int, Meta(ge=0, le=20)] | UnsetType = UNSET
    polling: Literal["two-or-all", "two"] | UnsetType = UNSET
    figures_on: Literal["one-arch", "one-building"] | UnsetType = UNSET
    falling: Literal["hanging-together", "outside-first"] | UnsetType = UNSET


class LaneHex(Data, frozen=True):
    """One hex of a lane: where it lies (axial q, r) and from how many players on it is open."""

    at: Hex
    shade: Shade = "light"


class Field(Data, frozen=True):
    """A triangle of six cells that takes one terrain tile."""

    cells: Annotated[list[Hex], Meta(min_length=6, max_length=6)]


class EdgeArea(Data, frozen=True):
    """A fixed piece of land beyond the outer lanes."""

    terrain: Terrain
    cells: Annotated[list[Hex], Meta(min_length=1, max_length=6)]


class BeginnerSetup(Data, frozen=True):
    """Fixed tiles by field, and for each seat in order its two castles."""

    tiles: dict[Label, Tile]
    castles: Annotated[list[tuple[Label, Label]], Meta(min_length=2, max_length=5)]


class BoardData(Data, frozen=True):
    """A whole board: its parts by label, beginner set-ups by number of players."""

    name: Name
    lanes: Annotated[dict[Label, LaneHex], Meta(min_length=1, max_length=600)]
    fields: Annotated[dict[Label, Field], Meta(max_length=60)]
    edges: Annotated[dict[Label, EdgeArea], Meta(max_length=60)]
    setups: dict[Literal["2", "3", "4", "5"], BeginnerSetup] = {}


class Box(Data, frozen=True):
    """What lies in the box: the counts that the rulebooks print, and those they do not."""

    name: Name
    politics: dict[Politics, Count]
    voice: dict[Service, Count]
    tiles: dict[Tile, Count]
    tokens: dict[str, Count]
    citizens: Count
    castles_per_player: Count
    figures_per_player: Count
    action_cards_per_player: Count


class BoardRef(Data, frozen=True):
    """The board of a game: by name and digest, in full when it is not a built-in one."""

    name: Name
    digest: Annotated[str, Meta(min_length=64, max_length=64)]
    content: BoardData | None = None


class BoxRef(Data, frozen=True):
    """The box of a game: by name and digest, in full when it is not a built-in one."""

    name: Name
    digest: Annotated[str, Meta(min_length=64, max_length=64)]
    content: Box | None = None
