"""Effects: what followed from an event, as facts with labels and seat numbers from 1 on.

The story and the animation are made from them; the state never is.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from events.material import Building, Politics, Service


class Effect(msgspec.Struct, frozen=True, tag_field="effect", kw_only=True, omit_defaults=True):
    """Base of all effects."""


class TilesLaid(Effect, tag="tiles-laid"):
    tiles: dict[str, str]


class CityFounded(Effect, tag="city-founded"):
    seat: int
    city: str
    citizens: int
    source: str = ""


class CastleSkipped(Effect, tag="castle-skipped"):
    """No open hex keeps the distance of R10, so this seat places no castle."""

    seat: int


class YearBegan(Effect, tag="year-began"):
    year: int
    start: int


class DisplayFlushed(Effect, tag="display-flushed"):
    cards: list[Politics]


class CardBuried(Effect, tag="card-buried"):
    seat: int
    card: Politics


class CardShown(Effect, tag="card-shown"):
    """A politics card turned up in the display."""

    place: int
    card: Politics


class VoiceShown(Effect, tag="voice-shown"):
    place: int
    service: Service


class GoldGained(Effect, tag="gold-gained"):
    seat: int
    gold: int
    why: Literal["action-card", "quarries"]


class GoldPaid(Effect, tag="gold-paid"):
    seat: int
    gold: int


class CitizensCame(Effect, tag="citizens-came"):
    seat: int
    city: str
    citizens: int
    why: Literal["growth", "golden-times"]


class GrowthStopped(Effect, tag="growth-stopped"):
    seat: int
    city: str
    why: Literal["limit", "supply"]


class BuildingRaised(Effect, tag="building-raised"):
    seat: int
    city: str
    building: Building
    at: str
    card: str


class FiguresPlaced(Effect, tag="figures-placed"):
    seat: int
    at: str
    figures: int
    on: Literal["culture", "education", "health", "harvest"]


class VoicePolled(Effect, tag="voice-polled"):
    """Who looked at which places. What they saw is not an effect: only that seat may know."""

    seat: int
    places: list[int]


class TurnPassed(Effect, tag="turn-passed"):
    seat: int
    why: Literal["chosen", "nothing-possible", "resigned"]


class PenaltyTaken(Effect, tag="penalty-taken"):
    """R40: an action card turned face down unused."""

    seat: int


class VoiceSpoke(Effect, tag="voice-spoke"):
    services: list[Service]


class CitizenMoved(Effect, tag="citizen-moved"):
    seat: int
    city: str
    from_seat: int
    from_city: str
    service: Service
    found_room: bool


class CitizensStarved(Effect, tag="citizens-starved"):
    seat: int
    city: str
    citizens: int


class BuildingFell(Effect, tag="building-fell"):
    seat: int
    city: str
    building: str
    at: str


class CityLost(Effect, tag="city-lost"):
    seat: int
    city: str


class YearEnded(Effect, tag="year-ended"):
    year: int


class TakenBack(Effect, tag="taken-back"):
    seat: int


class SeatResigned(Effect, tag="seat-resigned"):
    seat: int


class Scored(Effect, tag="scored"):
    seat: int
    citizens: int
    cities: int
    hunger: int
    total: int
    gold: int


class GameWon(Effect, tag="game-won"):
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
    | TakenBack
    | SeatResigned
    | Scored
    | GameWon
)

Tell = list[AnyEffect] | None
"""Where `apply` puts the effects; None when nobody listens, as in a plain fold."""
