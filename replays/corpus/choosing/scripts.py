"""What bots never do, put into their games: resigning, handing over, taking back."""

from __future__ import annotations

from collections.abc import Callable

from engine.actions.check import check
from engine.material.board import bits
from engine.rules.demolition import removable, surplus
from engine.rules.take_back import revealed_something
from engine.selfplay import Game
from engine.state import Owed
from events.types import (
    AnyEvent,
    AskTakeBack,
    By,
    Demolish,
    GrantTakeBack,
    HandOver,
    Poll,
    RefuseTakeBack,
    Resign,
    YearClosed,
)

Script = Callable[[Game], list[AnyEvent]]
"""Asked before each decision of a game; what it gives happens, and its part is done."""


def resigns_owing(owed: Owed, year: int = 1) -> Script:
    """A seat resigns the first time it owes this."""

    def script(game: Game) -> list[AnyEvent]:
        owing = [seat for seat, what in sorted(game.state.awaiting.items()) if what == owed]
        ripe = game.state.year >= year or owed == "castle"
        return [Resign(seat=owing[0])] if owing and ripe else []

    return script


def resigns_waiting(year: int) -> Script:
    """A seat that owes nothing resigns."""

    def script(game: Game) -> list[AnyEvent]:
        s = game.state
        idle = [n for n, p in s.players.items() if n not in s.awaiting and not p.resigned]
        return [Resign(seat=idle[-1])] if idle and s.year >= year else []

    return script


def demolishes_at_once(game: Game) -> list[AnyEvent]:
    """Two buildings of one city fall by one action, the second held by the first until then."""
    s = game.state
    for seat in [seat for seat, owed in sorted(s.awaiting.items()) if owed == "demolish"]:
        for city in [city for city in s.cities_of(seat) if surplus(city) > 1]:
            loose = removable(s, city, city.mask)
            for first in bits(loose):
                rest = city.mask & ~(1 << first)
                for second in bits(removable(s, city, rest) & ~loose):
                    labels = [s.board.label[first], s.board.label[second]]
                    return [Demolish(seat=seat, buildings=labels)]
    return []


def hands_over(seat: int, bot: str, year: int, by: By = "") -> Script:
    """A bot takes a seat over in some year; an empty name gives it back."""

    def script(game: Game) -> list[AnyEvent]:
        return [HandOver(seat=seat, bot=bot, by=by)] if game.state.year >= year else []

    return script


def seat_of_last_action(game: Game) -> int:
    """Whose action came last; 0 when something else did."""
    last = game.events[-2] if isinstance(game.events[-1], YearClosed) else game.events[-1]
    return getattr(last, "seat", 0)


def others(game: Game, seat: int) -> list[int]:
    """The people at the table but one."""
    return [
        number
        for number, player in game.state.players.items()
        if number != seat and not player.bot and not player.resigned
    ]


def may_ask(game: Game, seat: int) -> bool:
    return bool(seat) and check(game.state, AskTakeBack(seat=seat)) is None


def takes_back_at_once(year: int) -> Script:
    """An action that showed nothing is taken back."""

    def script(game: Game) -> list[AnyEvent]:
        seat = seat_of_last_action(game)
        plain = may_ask(game, seat) and not revealed_something(game.state)
        return [AskTakeBack(seat=seat)] if plain and game.state.year >= year else []

    return script


def asks(year: int, answer: type[GrantTakeBack | RefuseTakeBack] | None) -> Script:
    """An action that showed something: all agree, one does not, or the game just goes on."""

    def script(game: Game) -> list[AnyEvent]:
        seat, s = seat_of_last_action(game), game.state
        if not may_ask(game, seat) or not revealed_something(s) or s.year < year or s.turn < 2:
            return []
        answering = others(game, seat)
        if answer is RefuseTakeBack:
            agreed: list[AnyEvent] = [GrantTakeBack(seat=number) for number in answering[:-1]]
            return [AskTakeBack(seat=seat), *agreed, RefuseTakeBack(seat=answering[-1])]
        granted = answering if answer is GrantTakeBack else []
        return [AskTakeBack(seat=seat), *(GrantTakeBack(seat=number) for number in granted)]

    return script


def takes_back_a_poll(game: Game) -> list[AnyEvent]:
    """A poll is taken back, but what was seen stays known."""
    last = game.events[-1]
    if not isinstance(last, Poll) or not may_ask(game, last.seat):
        return []
    granted = [GrantTakeBack(seat=number) for number in others(game, last.seat)]
    return [AskTakeBack(seat=last.seat), *granted]


def takes_a_year_back(game: Game) -> list[AnyEvent]:
    """The action that ended a year is taken back, its digest with it."""
    seat = seat_of_last_action(game)
    if not isinstance(game.events[-1], YearClosed) or not may_ask(game, seat):
        return []
    return [AskTakeBack(seat=seat), *(GrantTakeBack(seat=number) for number in others(game, seat))]
