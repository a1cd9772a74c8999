"""Every event of a game, as one tagged union.

A player's action that passes the rules *is* the event that is stored, so an action class and its
event are one and the same. FORMAT.md beside this file explains each field.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from events.material import (
    BoardRef,
    BoxRef,
    Building,
    Data,
    Label,
    Politics,
    Ruleset,
    Service,
    Tile,
)

SeatNumber = Annotated[int, Meta(ge=1, le=5)]
OneToThree = Annotated[int, Meta(ge=1, le=3)]
VoicePlace = Annotated[int, Meta(ge=2, le=6)]
DisplayPlace = Annotated[int, Meta(ge=0, le=12)]
HexDigest = Annotated[str, Meta(min_length=64, max_length=64)]
"""Room for form 1. A later form of a digest has its number and a colon before the digits."""
BuildCard = Literal[
    "action", "palace", "hospital", "bath", "cathedral", "university", "master-builder"
]
PersonName = Annotated[str, Meta(max_length=40)]
BotName = Annotated[str, Meta(max_length=40)]
By = Literal["", "order", "clock", "vote"]


class Event(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """Base of all events. `time` is milliseconds since 1970, for people; no rule reads it."""

    time: Annotated[int, Meta(ge=0, le=2**53)] = 0


class Decision(Event, frozen=True, kw_only=True):
    """`by` marks what was decided in a player's absence: by a standing order of theirs, because
    their time ran out, or by the others' vote. No rule reads it."""

    by: By = ""


class Action(Decision, frozen=True):
    """Base of what a player decides. Each carries the seat and everything that was chosen."""

    seat: SeatNumber


class Seat(Data, frozen=True):
    """Who sits where: a name to show, and the bot that plays the seat, if one does."""

    name: PersonName
    bot: BotName = ""


class GameOpened(Event, frozen=True, tag="opened"):
    ruleset: Ruleset
    board: BoardRef
    box: BoxRef
    setup: Literal["beginner", "expert"]
    seats: Annotated[list[Seat], Meta(min_length=2, max_length=5)]


class GameStarted(Event, frozen=True, tag="started"):
    start: SeatNumber
    politics: Annotated[list[Politics], Meta(max_length=200)]
    voice: Annotated[list[Service], Meta(max_length=200)]
    tiles: dict[Label, Tile] = {}
    secret: Annotated[str, Meta(max_length=64)] = ""
    commitment: Annotated[str, Meta(max_length=64)] = ""


class PlaceCastle(Action, frozen=True, tag="castle"):
    at: Label


class Bury(Action, frozen=True, tag="bury"):
    bury: bool


class TakeGold(Action, frozen=True, tag="gold"):
    pass


class FoundCity(Action, frozen=True, tag="found"):
    at: Label
    source: Label


class Build(Action, frozen=True, tag="build"):
    building: Building
    at: Label
    card: BuildCard
    place: DisplayPlace = 0


class HoldGames(Action, frozen=True, tag="bread-and-games"):
    figures: OneToThree
    at: Label
    service: Service
    place: DisplayPlace = 0
    others: Annotated[tuple[Service, ...], Meta(max_length=2)] = ()
    """The service of each figure that stands on another arch of the building, where figures may be
    split: in the order of the services, `service` first."""


class CallGoldenTimes(Action, frozen=True, tag="golden-times"):
    citizens: OneToThree
    city: Label
    place: DisplayPlace = 0


class ReapHarvest(Action, frozen=True, tag="rich-harvest"):
    at: Label
    place: DisplayPlace = 0


class Poll(Action, frozen=True, tag="poll"):
    look: Annotated[list[VoicePlace], Meta(min_length=2, max_length=5)]
    place: DisplayPlace = 0


class Pass(Action, frozen=True, tag="pass"):
    pass


class Mover(Data, frozen=True):
    """One city's part in its owner's relocation: the service that counts for it."""

    city: Label
    service: Service


class Relocate(Action, frozen=True, tag="relocate"):
    cities: Annotated[list[Mover], Meta(min_length=1, max_length=40)]


class Demolish(Action, frozen=True, tag="demolish"):
    buildings: Annotated[list[Label], Meta(min_length=1, max_length=200)]


class Loss(Data, frozen=True):
    """How many citizens leave one city."""

    city: Label
    citizens: Annotated[int, Meta(ge=1, le=200)]


class Starve(Action, frozen=True, tag="starve"):
    losses: Annotated[list[Loss], Meta(min_length=1, max_length=40)]


class PoliticsShuffled(Event, frozen=True, tag="shuffled"):
    cards: Annotated[list[Politics], Meta(min_length=1, max_length=200)]
    salt: Annotated[str, Meta(max_length=64)] = ""


class YearClosed(Event, frozen=True, tag="year-closed"):
    year: Annotated[int, Meta(ge=1, le=9)]
    digest: HexDigest


class Resign(Action, frozen=True, tag="resign"):
    pass


class HandOver(Action, frozen=True, tag="hand-over"):
    bot: BotName


class AskTakeBack(Action, frozen=True, tag="take-back"):
    pass


class GrantTakeBack(Action, frozen=True, tag="take-back-granted"):
    pass


class RefuseTakeBack(Action, frozen=True, tag="take-back-refused"):
    pass


Turn = (
    PlaceCastle
    | Bury
    | TakeGold
    | FoundCity
    | Build
    | HoldGames
    | CallGoldenTimes
    | ReapHarvest
    | Poll
    | Pass
    | Relocate
    | Demolish
    | Starve
)
TableEvent = Resign | HandOver | AskTakeBack | GrantTakeBack | RefuseTakeBack
ChanceEvent = GameStarted | PoliticsShuffled | YearClosed
AnyEvent = GameOpened | ChanceEvent | Turn | TableEvent
"""Everything that can stand in a log."""

PlayerAction = Turn | TableEvent
"""Everything that a seat can send."""
