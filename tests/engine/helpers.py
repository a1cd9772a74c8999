"""A kit for setting up positions: a table that plays real events, and ways to alter it in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import UNSET

from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.effects import AnyEffect
from engine.fold import apply
from engine.material import library
from engine.material.choices import AS_EVER
from engine.rules.setup import open_game
from engine.snapshot import CityRecord, PlayerPosition, position, restore, snapshot
from engine.state import City, State
from engine.turn import play
from events.material import BoardRef, Ruleset
from events.types import AnyEvent, Build, GameOpened, GameStarted, PlaceCastle, Seat, TakeGold
from replays.corpus.choosing.example import LAND

CASTLES = {1: ("f9", "p5"), 2: ("f5", "l10")}
"""Seat 1 beside the junction f8; seat 2 on the same lane with three empty hexes between."""

EXPENSIVE = ["cathedral"] * 3 + ["university"] * 3 + ["bath"]
"""Seven cards that a seat without gold can do nothing with."""

CALM_VOICE = ["culture"] * 4


def deck(first: Iterable[str]) -> list[str]:
    """All politics cards of the box, these on top."""
    return complete(first, library.politics_cards(library.box()))


def voice_deck(first: Iterable[str]) -> list[str]:
    """All voice cards of the box, these on top."""
    return complete(first, library.voice_cards(library.box()))


def complete(first: Iterable[str], whole: Iterable[str]) -> list[str]:
    first = list(first)
    rest = Counter(whole) - Counter(first)
    return first + [card for card in whole if take(rest, card)]


def take(rest: Counter[str], card: str) -> bool:
    rest[card] -= 1
    return rest[card] >= 0


MADE_FOR: dict[str, int | tuple[int, ...]] = {
    "years": 6,
    "rounds": 5,
    "display_places": 7,
    "voice_cards": 4,
    "start_gold": 1,
    "start_citizens": 3,
    "castles": 4,
    "figures": 4,
    "action_cards": 3,
    "action_gold": 2,
    "new_city_citizens": 2,
    "castle_distance": 3,
    "neighbour_distance": 2,
    "growth": 1,
    "limit_without_market": 5,
    "limit_with_market": 8,
    "market_citizens": 1,
    "figure_prices": (0, 2, 5),
    "citizen_prices": (0, 2, 5),
    "poll_price": 2,
    "citizen_points": 1,
    "service_bonus": 3,
    "hunger_points": 5,
}
"""The numbers that positions by hand count with. `test_rulebooks` states what the rules say; where
that is another number one day, these positions keep theirs, as a choice of their table."""


def rules(ruleset: str | Ruleset) -> Ruleset:
    named = library.ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    others = {
        choice: number
        for choice, number in MADE_FOR.items()
        if getattr(named, choice) is UNSET and AS_EVER[choice] != number
    }
    return msgspec.structs.replace(named, **others)


class Table:
    """A game whose every event is checked, with what lies on the table in words."""

    def __init__(
        self,
        players: int = 2,
        *,
        ruleset: str | Ruleset = "standard",
        setup: str = "beginner",
        board: BoardRef | None = None,
        bots: Iterable[str] = (),
    ) -> None:
        bot = dict(enumerate(bots))
        opening = GameOpened(
            ruleset=rules(ruleset),
            board=board or library.board_ref(),
            box=library.box_ref(),
            setup=setup,
            seats=[Seat(name=f"Seat {i + 1}", bot=bot.get(i, "")) for i in range(players)],
        )
        self.events: list[AnyEvent] = [opening]
        self.state: State = open_game(opening)

    def start(
        self,
        start: int = 1,
        politics: Iterable[str] = (),
        voice: Iterable[str] = (),
        tiles: dict[str, str] | None = None,
    ) -> list[AnyEffect]:
        """Deal: chosen cards on top of full decks, and in the expert set-up the tiles."""
        expert = self.state.setup == "expert"
        return self.play(
            GameStarted(
                start=start,
                politics=deck(politics),
                voice=voice_deck(voice),
                tiles=(tiles or LAND) if expert else {},
            )
        )

    def play(self, *events: AnyEvent) -> list[AnyEffect]:
        """Play events that must be allowed; the dealer does its part. Gives the effects."""
        told: list[AnyEffect] = []
        for event in events:
            if self.state.chance == "start" and not isinstance(event, GameStarted):
                self.add(event, told)
            else:
                self.events += play(self.state, event, told)
        return told

    def add(self, event: AnyEvent, told: list[AnyEffect] | None = None) -> None:
        """One event that must be allowed, and nothing after it."""
        refusal = check(self.state, event)
        assert refusal is None, f"{event}: {refusal.code}: {refusal.sentence}"
        apply(self.state, event, told)
        self.events.append(event)

    def refused(self, event: AnyEvent) -> str:
        """The code with which an event is refused; it must be, and nothing may change by it."""
        before = snapshot(self.state)
        refusal = check(self.state, event)
        assert refusal is not None, f"{event} was allowed"
        assert snapshot(self.state) == before, f"checking {event} changed the state"
        assert refusal.sentence
        return refusal.code

    def build(self, seat: int, building: str, at: str, card: str = "action") -> list[AnyEffect]:
        return self.play(Build(seat=seat, building=building, at=at, card=card))

    def player(self, seat: int) -> PlayerPosition:
        return position(self.state).players[seat - 1]

    def city(self, castle: str) -> CityRecord:
        return next(city for city in position(self.state).cities if city.castle == castle)

    def live_city(self, castle: str) -> City:
        """The city itself, for what its record does not say: limit, points, spare citizens."""
        return self.state.cities[self.state.city_on[self.state.board.hex_at[castle]]]

    def citizens(self, castle: str) -> int:
        return self.city(castle).citizens

    def gold(self, seat: int) -> int:
        return self.player(seat).gold

    def food(self, seat: int) -> int:
        return self.state.food_of(seat)

    def awaiting(self) -> dict[int, str]:
        return position(self.state).awaiting

    def legal(self, seat: int) -> list[AnyEvent]:
        return legal_actions(self.state, seat)

    def idle(self, until: Callable[[Table], bool]) -> list[AnyEffect]:
        """Let whoever is awaited do as little as possible, until something holds."""
        told: list[AnyEffect] = []
        for _ in range(400):
            if until(self):
                return told
            told += self.play(least(self.legal(min(self.awaiting()))))
        raise AssertionError("this never came about")

    def idle_to_year(self, year: int) -> list[AnyEffect]:
        return self.idle(lambda table: table.state.year == year)

    def idle_out_politics(self) -> list[AnyEffect]:
        """Go on until the political rounds of this year are over."""
        year = self.state.year
        return self.idle(lambda t: t.state.phase != "politics" or t.state.year > year)

    def alter(self, change: Callable[[dict[str, Any]], None]) -> None:
        """Rearrange the table by hand, in the words of its snapshot."""
        words = msgspec.msgpack.decode(snapshot(self.state))
        change(words["position"])
        self.state = restore(msgspec.msgpack.encode(words))

    def alter_rules(self, ruleset: Ruleset) -> None:
        """Go on by another ruleset: for positions that one of them does not let come about."""
        words = msgspec.msgpack.decode(snapshot(self.state))
        words["opening"]["ruleset"] = msgspec.to_builtins(ruleset)
        self.state = restore(msgspec.msgpack.encode(words))

    def give_gold(self, seat: int, gold: int) -> None:
        self.alter(lambda words: words["players"][seat - 1].update(gold=gold))

    def set_player(self, seat: int, **fields: Any) -> None:
        self.alter(lambda words: words["players"][seat - 1].update(fields))

    def set_citizens(self, castle: str, citizens: int) -> None:
        """People of a city come from the supply or go back there."""

        def change(words: dict[str, Any]) -> None:
            city = city_in(words, castle)
            words["supply"] += city["citizens"] - citizens
            city["citizens"] = citizens

        self.alter(change)

    def thin_out(self, **keep: int) -> None:
        """Send people away so that nobody goes hungry: one stays for each building, or as told."""
        for city in position(self.state).cities:
            self.set_citizens(city.castle, keep.get(city.castle, len(city.buildings)))

    def set_buildings(self, castle: str, citizens: int | None = None, **buildings: str) -> None:
        """Put buildings into a city, by hex, one citizen from the supply for each of them."""

        def change(words: dict[str, Any]) -> None:
            city = city_in(words, castle)
            for at, building in buildings.items():
                city["buildings"][at] = building
                pool = next(p for p in words["pools"] if building in p.split("/"))
                words["pools"][pool] -= 1
            wanted = city["citizens"] + len(buildings) if citizens is None else citizens
            words["supply"] += city["citizens"] - wanted
            city["citizens"] = wanted

        self.alter(change)

    def raze(self, castle: str) -> None:
        """Take a city off the board: its people to the supply, its castle to its owner."""

        def change(words: dict[str, Any]) -> None:
            city = city_in(words, castle)
            words["cities"].remove(city)
            words["supply"] += city["citizens"]
            words["players"][city["seat"] - 1]["castles"] += 1

        self.alter(change)

    def go_to_year(self, year: int) -> None:
        """Turn the calendar to a later year, its political rounds not yet begun or just running."""
        self.alter(lambda words: words.update(year=year, closed=year - 1))

    def set_display(self, *cards: str) -> None:
        """Swap cards with the rest of the pile until these lie face up first."""

        def change(words: dict[str, Any]) -> None:
            both = words["display"] + words["pile"]
            both = complete(cards, both)
            words["display"], words["pile"] = both[:7], both[7:]

        self.alter(change)

    def empty_supply(self, left: int = 0) -> None:
        """Take citizens out of the game until so many are left in the supply."""
        self.alter(lambda words: words.update(supply=left))

    def empty_pool(self, pool: str) -> None:
        self.alter(lambda words: words["pools"].update({pool: 0}))


def city_in(words: dict[str, Any], castle: str) -> dict[str, Any]:
    return next(city for city in words["cities"] if city["castle"] == castle)


def least(actions: list[AnyEvent]) -> AnyEvent:
    """Passing where it is allowed, else two gold, else whatever comes first."""
    calm = [a for a in actions if type(a).__name__ == "Pass"]
    calm += [a for a in actions if isinstance(a, TakeGold)]
    return (calm + actions)[0]


def tuscany(
    ruleset: str | Ruleset = "standard",
    politics: Iterable[str] = EXPENSIVE,
    voice: Iterable[str] = CALM_VOICE,
    castles: dict[int, tuple[str, str]] | None = None,
    first: int = 1,
) -> Table:
    """Seats on known land, the first one to begin year 1: the place where most rules are tried."""
    left = {seat: list(pair) for seat, pair in (castles or CASTLES).items()}
    table = Table(len(left), ruleset=ruleset, setup="expert")
    # R9: whoever is drawn by lot places first, and their left neighbour begins.
    table.start(start=first - 1 or len(left), politics=politics, voice=voice)
    while table.state.phase == "castles":
        seat = min(table.awaiting())
        table.play(PlaceCastle(seat=seat, at=left[seat].pop(0)))
    return table


def kinds(told: Iterable[AnyEffect], kind: type) -> list[Any]:
    """The effects of one kind."""
    return [effect for effect in told if isinstance(effect, kind)]
