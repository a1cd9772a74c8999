"""Effects: what followed from an event, as facts with labels and seat numbers from 1 on.

The story and the animation are made from them; the state never is.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from events.material import Building, Politics, Service


class Effect(msgspec.Struct, frozen=True, tag_field="effect", kw_only=True, omit_defaults=True):
    """Base of all effects."""


class TilesLaid(Effect, frozen=True, tag="tiles-laid"):
    tiles: dict[str, str]


class CityFounded(Effect, frozen=True, tag="city-founded"):
    seat: int
    city: str
    citizens: int
    source: str = ""


class CastleSkipped(Effect, frozen=True, tag="castle-skipped"):
    """No open hex keeps the distance of R10, so this seat places no castle."""

    seat: int


class YearBegan(Effect, frozen=True, tag="year-began"):
    year: int
    start: int


class DisplayFlushed(Effect, frozen=True, tag="display-flushed"):
    cards: list[Politics]


class CardBuried(Effect, frozen=True, tag="card-buried"):
    seat: int
    card: Politics


class CardShown(Effect, frozen=True, tag="card-shown"):
    """A politics card turned up in the display."""

    place: int
    card: Politics


class VoiceShown(Effect, frozen=True, tag="voice-shown"):
    place: int
    service: Service


class GoldGained(Effect, frozen=True, tag="gold-gained"):
    seat: int
    gold: int
    why: Literal["action-card", "quarries"]


class GoldPaid(Effect, frozen=True, tag="gold-paid"):
    seat: int
    gold: int


class CitizensCame(Effect, frozen=True, tag="citizens-came"):
    seat: int
    city: str
    citizens: int
    why: Literal["growth", "golden-times"]


class GrowthStopped(Effect, frozen=True, tag="growth-stopped"):
    seat: int
    city: str
    why: Literal["limit", "supply"]


class BuildingRaised(Effect, frozen=True, tag="building-raised"):
    seat: int
    city: str
    building: Building
    at: str
    card: str


class FiguresPlaced(Effect, frozen=True, tag="figures-placed"):
    seat: int
    at: str
    figures: int
    on: Literal["culture", "education", "health", "harvest"]


class VoicePolled(Effect, frozen=True, tag="voice-polled"):
    """Who looked at which places. What they saw is not an effect: only that seat may know."""

    seat: int
    places: list[int]


class TurnPassed(Effect, frozen=True, tag="turn-passed"):
    seat: int
    why: Literal["chosen", "nothing-possible", "resigned"]


class PenaltyTaken(Effect, frozen=True, tag="penalty-taken"):
    """R40: an action card turned face down unused."""

    seat: int


class VoiceSpoke(Effect, frozen=True, tag="voice-spoke"):
    services: list[Service]


class CitizenMoved(Effect, frozen=True, tag="citizen-moved"):
    seat: int
    city: str
    from_seat: int
    from_city: str
    service: Service
    found_room: bool


class CitizensStarved(Effect, frozen=True, tag="citizens-starved"):
    seat: int
    city: str
    citizens: int


class BuildingFell(Effect, frozen=True, tag="building-fell"):
    seat: int
    city: str
    building: str
    at: str


class CityLost(Effect, frozen=True, tag="city-lost"):
    seat: int
    city: str


class YearEnded(Effect, frozen=True, tag="year-ended"):
    year: int


class DecidedAway(Effect, frozen=True, tag="decided-away"):
    """What follows was decided in the player's absence."""

    seat: int
    by: str


class TakeBackAsked(Effect, frozen=True, tag="take-back-asked"):
    seat: int


class TakeBackAnswered(Effect, frozen=True, tag="take-back-answered"):
    seat: int
    agreed: bool


class TakenBack(Effect, frozen=True, tag="taken-back"):
    seat: int


class SeatHandedOver(Effect, frozen=True, tag="seat-handed-over"):
    """To a bot, or with an empty name back to the person."""

    seat: int
    bot: str


class SeatResigned(Effect, frozen=True, tag="seat-resigned"):
    seat: int


class Scored(Effect, frozen=True, tag="scored"):
    seat: int
    citizens: int
    cities: int
    hunger: int
    total: int
    gold: int


class GameWon(Effect, frozen=True, tag="game-won"):
    seats: list[int]


AnyEffect = (
    TilesLaid
    | CityFounded
    | CastleSkipped
    | YearBegan
    | DisplayFlushed
    | CardBuried
    | CardShown
    | VoiceShown
    | GoldGained
    | GoldPaid
    | CitizensCame
    | GrowthStopped
    | BuildingRaised
    | FiguresPlaced
    | VoicePolled
    | TurnPassed
    | PenaltyTaken
    | VoiceSpoke
    | CitizenMoved
    | CitizensStarved
    | BuildingFell
    | CityLost
    | YearEnded
    | DecidedAway
    | TakeBackAsked
    | TakeBackAnswered
    | TakenBack
    | SeatHandedOver
    | SeatResigned
    | Scored
    | GameWon
)


class EffectTaker(Protocol):
    """A list, or whatever looks at an effect in the moment it comes."""

    def append(self, effect: AnyEffect, /) -> None: ...


EffectSink = EffectTaker | None
"""Where `apply` puts the effects; None when nobody listens, as in a plain fold."""
