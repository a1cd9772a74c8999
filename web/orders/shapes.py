"""The shapes of standing orders: as a player gives them, and as they are kept for a seat."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field

from events.material import Building, Data, Label, Politics, Service
from events.types import (
    Build,
    CallGoldenTimes,
    Demolish,
    FoundCity,
    HoldGames,
    Pass,
    Poll,
    ReapHarvest,
    Relocate,
    Starve,
    TakeGold,
)
from events.upcast import Upcasters, upcasters

Kind = Literal["politics", "relocation", "demolition", "hunger"]
Until = Literal["game", "year"]
Otherwise = Literal["suggested", "ask"]
"""What happens where an order says nothing that fits: the table's suggestion, or its owner is
asked and the order ends."""

PoliticalTurn = (
    TakeGold | FoundCity | Build | HoldGames | CallGoldenTimes | ReapHarvest | Poll | Pass
)
Before = Annotated[list[PoliticalTurn], Meta(max_length=5)]
Cities = Annotated[list[Label], Meta(max_length=8)]
Services = Annotated[list[Service], Meta(max_length=3)]
HISTORY = 12
"""How many ended orders a seat remembers."""


class Wish(Data, frozen=True):
    """A city in relocation: the service that shall count for it, else the next one named."""

    city: Label
    services: Services = field(default_factory=list)


class RelocationOrder(Data, frozen=True, tag="relocation", tag_field="kind"):
    """My cities in the order in which they take citizens; `services` counts for all others.
    With nothing named: as suggested."""

    cities: Annotated[list[Wish], Meta(max_length=8)] = field(default_factory=list)
    services: Services = field(default_factory=list)
    otherwise: Otherwise = "suggested"
    until: Until = "game"


class Fall(Data, frozen=True, omit_defaults=True):
    """What may fall: any building of a kind, or the one on a hex."""

    building: Building | None = None
    at: Label | None = None


class DemolitionOrder(Data, frozen=True, tag="demolition", tag_field="kind"):
    """Kinds of buildings and hexes in the order in which they may fall."""

    falls: Annotated[list[Fall], Meta(max_length=40)] = field(default_factory=list)
    otherwise: Otherwise = "suggested"
    until: Until = "game"


class Keep(Data, frozen=True):
    """No hunger takes a city below so many citizens."""

    city: Label
    citizens: Annotated[int, Meta(ge=1, le=130)]


class HungerOrder(Data, frozen=True, tag="hunger", tag_field="kind"):
    """From which cities the hungry leave first, and what must be left of them."""

    first: Literal["suggested", "largest", "smallest", "named"] = "suggested"
    cities: Cities = field(default_factory=list)
    keep: Annotated[list[Keep], Meta(max_length=8)] = field(default_factory=list)
    keep_buildings: bool = False
    otherwise: Otherwise = "suggested"
    until: Until = "game"


class Only(Data, frozen=True, omit_defaults=True):
    """When a step counts: enough gold is left after it, a card lies face up, the open voice card
    says a service, nobody else's building is near the site."""

    gold: Annotated[int, Meta(ge=0, le=200)] = 0
    card: Politics | None = None
    voice: Service | None = None
    alone: bool = False


class OrderStep(Data, frozen=True, omit_defaults=True):
    """One thing to do, if it is possible and what it depends on holds."""

    action: PoliticalTurn
    only: Only = Only()


class Stop(Data, frozen=True, omit_defaults=True):
    """What ends an order before it is carried out: somebody builds within reach of my city, a
    card is gone, or a card has come up."""

    when: Literal["near", "gone", "shown"]
    city: Label | None = None
    card: Politics | None = None


Steps = Annotated[list[OrderStep], Meta(min_length=1, max_length=8)]


class PoliticsOrder(Data, frozen=True, tag="politics", tag_field="kind"):
    """My next political turns of one year: of each the first possible step is played."""

    turns: Annotated[list[Steps], Meta(min_length=1, max_length=5)]
    stops: Annotated[list[Stop], Meta(max_length=6)] = field(default_factory=list)


AnyOrder = PoliticsOrder | RelocationOrder | DemolitionOrder | HungerOrder

ANSWERS: dict[str, Kind] = {
    "politics": "politics",
    "relocate": "relocation",
    "demolish": "demolition",
    "starve": "hunger",
}
"""Which order answers what a seat owes."""

DECIDES: dict[Kind, tuple[type, ...]] = {
    "politics": PoliticalTurn.__args__,
    "relocation": (Relocate,),
    "demolition": (Demolish,),
    "hunger": (Starve,),
}
"""The actions that each order decides about."""


class StandingOrder(msgspec.Struct, frozen=True):
    """An order as it stands for a seat: since which version of the game and for which year."""

    id: str
    order: AnyOrder
    since: int
    year: int
    time: int
    others: list[str] = []
    """Where the others' buildings stood then, for a stop that looks at new ones."""


class FailedStep(msgspec.Struct, frozen=True):
    """A step that was not possible, and why: a reason of the rules or of the step's own."""

    action: PoliticalTurn
    code: str
    params: dict[str, str | int] = {}


class Ending(msgspec.Struct, frozen=True):
    """Why an order ended."""

    code: str
    params: dict[str, str | int] = {}
    tried: list[FailedStep] = []


class Ended(msgspec.Struct, frozen=True):
    """An order that is over: what it did, by version, and why it ended."""

    order: AnyOrder
    ending: Ending
    played: list[int]
    version: int
    time: int


class SeatOrders(msgspec.Struct, frozen=True):
    """All orders of a seat, at most one of each kind, and the last ones that ended."""

    standing: dict[Kind, StandingOrder] = {}
    ended: list[Ended] = []


order_upcasters: Upcasters[SeatOrders] = Upcasters(SeatOrders, document="orders", within=upcasters)
"""Of a seat's orders as they are kept. So far they are in their first version."""


def kind_of(order: AnyOrder) -> Kind:
    """Of which kind an order is.

    >>> kind_of(HungerOrder())
    'hunger'
    """
    kind: Kind = order.__struct_config__.tag  # type: ignore[assignment]
    return kind
