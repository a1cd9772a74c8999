"""The state of a game: what lies on the table after the events so far.

`apply` changes a state in place, for the fold owns it. Whoever keeps a state takes a
snapshot. Seats are counted from 1 on, as in events; hexes are bit numbers of the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeVar

from engine.material.board import Board
from engine.material.land import Land, land_of
from engine.material.numbers import NO_LIMIT, POOLS, Kind, Numbers, numbers_of
from events.material import Box, Ruleset
from events.types import AnyEvent, Seat

Phase = Literal[
    "opened",
    "castles",
    "bury",
    "politics",
    "relocation",
    "people",
    "over",
]
"""Where a game can stand and wait. All that lies between runs through without stopping."""

Owed = Literal["castle", "bury", "politics", "relocate", "demolish", "starve"]
"""What a seat can owe."""

Chance = Literal["", "start", "shuffle"]
"""What the dealer can owe."""

PeoplePhase = Literal["relocated", "hungry", "starved", "settled"]
"""How far a seat has come in demolition and feeding (R38–R39), each at its own pace (R41)."""

NO_ARCHES = (0, 0, 0)
T = TypeVar("T")


def of_seat(things: Sequence[T], seat: int) -> T:
    """What is a seat's in a list that begins with seat 1's.

    >>> of_seat(["Anna", "Bob"], 2)
    'Bob'
    """
    return things[seat - 1]


class City:
    """One city. Its citizens are counted as a whole: every building but the castle holds one."""

    __slots__ = (
        "arches",
        "castle",
        "citizens",
        "figures",
        "food",
        "gold",
        "hexes",
        "market",
        "mask",
        "number",
        "seat",
        "water",
    )

    def __init__(self, number: int, seat: int, castle: int, citizens: int, food: int) -> None:
        self.number, self.seat, self.castle, self.citizens = number, seat, castle, citizens
        self.hexes = [castle]
        self.mask = 1 << castle
        self.arches = [0, 0, 0]
        self.figures = [0, 0, 0]
        self.market = False
        self.water = 0
        self.food = food
        self.gold = 0

    @property
    def spare(self) -> int:
        """R22: citizens on the castle beyond the one it keeps."""
        spare = self.citizens - len(self.hexes)
        return spare if spare > 0 else 0

    def points(self, service: int) -> int:
        """R36: arches and figures."""
        return self.arches[service] + self.figures[service]

    def raise_building(self, kind: Kind, hex_: int, land: Land) -> None:
        """What a city gains with one more building (R11, R14, R15)."""
        self.hexes.append(hex_)
        self._count(kind, hex_, land, 1)

    def lower_building(self, kind: Kind, hex_: int, land: Land) -> None:
        """What a city loses with one of its buildings (R11, R14, R15)."""
        self.hexes.remove(hex_)
        self._count(kind, hex_, land, -1)

    def _count(self, kind: Kind, hex_: int, land: Land, by: int) -> None:
        self.mask ^= 1 << hex_
        name = kind.name
        if name == "farm":
            self.food += by * land.wheat[hex_]
        elif name == "quarry":
            self.gold += by * land.mountains[hex_]
        elif name == "market":
            self.market = by > 0
        elif kind.needs_lake:
            self.water += by
        if kind.arches != NO_ARCHES:
            arches = self.arches
            culture, education, health = kind.arches
            arches[0] += by * culture
            arches[1] += by * education
            arches[2] += by * health


def limit(numbers: Numbers, market: bool, water: int) -> int:
    """R15: how many citizens a city with or without a market and baths or fountains can hold."""
    if not market:
        return numbers.limit_without_market
    return NO_LIMIT if water else numbers.limit_with_market


class Player:
    """What lies before one seat."""

    __slots__ = (
        "action_cards",
        "bot",
        "care",
        "castles",
        "cities",
        "figures",
        "founded",
        "gold",
        "lost_by_moving",
        "penalty",
        "played",
        "polled_voice",
        "resigned",
        "starved",
        "unseen",
    )

    def __init__(self, numbers: Numbers, bot: str) -> None:
        self.gold, self.castles = numbers.start_gold, numbers.castles
        self.figures, self.action_cards = numbers.figures, numbers.action_cards
        self.cities: list[City] = []
        """In the order of their founding."""
        self.played: list[int] = []
        """Politics cards taken this year, by index."""
        self.unseen: list[int] = []
        """Cards taken from the pile by passing, which nobody has seen."""
        self.founded = False
        self.penalty = False
        self.starved = 0
        self.lost_by_moving = 0
        self.care: PeoplePhase = "relocated"
        self.polled_voice = 0
        """The voice cards this seat has looked at, one bit per card of the deck."""
        self.resigned = False
        self.bot = bot


class State:
    """A game between two events."""

    __slots__ = (
        "asked_at",
        "awaiting",
        "board",
        "box",
        "chance",
        "checkpoints",
        "cities",
        "city_on",
        "closed",
        "commitment",
        "discards",
        "display",
        "draws",
        "figures_on",
        "founded_cities",
        "land",
        "last_reveal",
        "neighbours",
        "numbers",
        "occupied",
        "open",
        "phase",
        "pile",
        "pile_seen",
        "players",
        "pools",
        "queue",
        "rules",
        "seats",
        "secret",
        "setup",
        "shown_voice",
        "shuffles",
        "stands_on",
        "start",
        "supply",
        "take_back",
        "tiles",
        "trail",
        "turn",
        "unseen_discards",
        "voice",
        "winners",
        "year",
    )

    def __init__(
        self, rules: Ruleset, board: Board, box: Box, setup: str, seats: list[Seat]
    ) -> None:
        self.rules, self.board, self.box = rules, board, box
        self.numbers = numbers_of(rules)
        self.setup, self.seats = setup, seats
        self.open = board.open[len(seats)]

        self.phase: Phase = "opened"
        self.year = 0
        self.turn = 0
        """Political turns of this year that have begun."""
        self.start = 1
        self.queue: list[int] = []
        """Seats still to come in placement or relocation, the next one first."""
        self.awaiting: dict[int, Owed] = {}
        self.chance: Chance = "start"
        self.winners: list[int] = []

        self.players = {
            number: Player(self.numbers, seat.bot) for number, seat in enumerate(seats, start=1)
        }
        """By seat, in order."""
        self.tiles: dict[str, str] = {}
        self.land = land_of(board, ())
        self.cities: dict[int, City] = {}
        """By number, in the order of their founding."""
        self.founded_cities = 0
        self.city_on = bytearray(board.size)
        """Per hex the number of the city there, 0 for none."""
        self.stands_on: dict[int, str] = {}
        """Per built hex its building."""
        self.figures_on: dict[int, list[int]] = {}
        """Per hex the figures on its culture, education and health arches, and on its harvest."""
        self.occupied = 0
        self.pools = [box.tokens[pool] for pool in POOLS]
        self.supply = box.citizens
        self.neighbours: dict[int, list[int]] = {}
        """R34, while relocation runs: per city the numbers of its neighbours."""

        self.display: list[int] = []
        """Politics cards by index, -1 for an empty place; the oldest first when they age."""
        self.pile: list[int] = []
        """Face down, the top card last."""
        self.pile_seen = 0
        """Positions of the pile whose card everyone has seen, one bit each: for take-backs."""
        self.discards = [0] * 10
        self.unseen_discards: list[int] = []
        """Cards that were taken by passing and went to the discards without being seen."""
        self.draws: list[int] = []
        """Draws that are due: a place of the display, or -seat for a pass."""
        self.shuffles = 0
        self.voice: list[int] = []
        self.shown_voice = 0
        """The voice cards that everyone has seen, one bit per card of the deck."""
        self.secret = ""
        self.commitment = ""

        self.closed = 0
        """The last year whose digest stands in the log."""
        self.trail: list[AnyEvent] = []
        """The events that made this state, without the opening and what was taken back."""
        self.checkpoints: tuple[State, ...] = ()
        """This game some events ago, so that a take-back need not fold from the start."""
        self.last_reveal = 0
        """How long the trail was when something hidden was last revealed."""
        self.take_back: dict[int, bool] = {}
        """While a take-back is asked for: per seat whether it has agreed."""
        self.asked_at = 0
        """How long the trail was when it was asked for."""

    @property
    def last_year(self) -> bool:
        """R17: whether the game ends with this year; a house rule has it end sooner."""
        return self.year == self.numbers.years

    def cities_of(self, seat: int) -> list[City]:
        """A seat's cities in the order of their founding."""
        return self.players[seat].cities

    def limit(self, city: City) -> int:
        """R15: how many citizens a city can hold when someone is to be added."""
        return limit(self.numbers, city.market, city.water)

    def has_room(self, city: City) -> bool:
        """R15, R37: whether one more citizen is within a city's limit."""
        return city.citizens < limit(self.numbers, city.market, city.water)

    def room(self, city: City) -> int:
        """R15: how many citizens can still come to a city, the supply allowing."""
        return max(0, min(self.limit(city) - city.citizens, self.supply))

    def citizens_of(self, seat: int) -> int:
        return sum([city.citizens for city in self.players[seat].cities])

    def food_of(self, seat: int) -> int:
        """R11 and R30: what a seat can feed this year."""
        return sum(city.food for city in self.players[seat].cities) + self.harvest_of(seat)

    def harvest_of(self, seat: int) -> int:
        """R30: what the rich harvests of a seat bring this year."""
        food = 0
        for hex_, figures in self.figures_on.items():
            if figures[3] and self.cities[self.city_on[hex_]].seat == seat:
                food += self.land.wheat[hex_]
        return food

    @property
    def round(self) -> int:
        """R16: the political round that runs, 0 before the first."""
        return (self.turn - 1) // len(self.seats) + 1

    @property
    def voice_cards(self) -> list[int]:
        """R13: the voice cards of the running year, the face-up one first."""
        cards = self.numbers.voice_cards
        return self.voice[cards * (self.year - 1) : cards * self.year]

    def all_discards(self) -> list[int]:
        """Every card on the discards by index, in canonical order: what a shuffle starts from."""
        face_up = [card for card, count in enumerate(self.discards) for _ in range(count)]
        return sorted(face_up + self.unseen_discards)

    def name(self, seat: int) -> str:
        """What a seat was called at the opening."""
        return of_seat(self.seats, seat).name

    def seat_after(self, seat: int, steps: int = 1) -> int:
        """The seat so many places to the left, or to the right for a negative number."""
        return (seat - 1 + steps) % len(self.seats) + 1

    def clockwise(self, first: int) -> list[int]:
        """All seats, from one on to the left."""
        return [*range(first, len(self.seats) + 1), *range(1, first)]

    def counter_clockwise(self, first: int) -> list[int]:
        """All seats, from one on to the right."""
        return [*range(first, 0, -1), *range(len(self.seats), first, -1)]
