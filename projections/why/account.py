"""Why a number is what it is: the events and rules that made it, which add up to exactly it.

Numbers are named by what they count: `gold/2`, `food/2`, `points/2`, `score/2/citizens`,
`score/2/cities`, `score/2/hunger`, `action-cards/2`, `figures/2` and `castles/2` for seat 2;
`citizens/d4` and `service/d4/culture` for the city whose castle stands on d4; `supply`; and
`pool/farm` for the tokens of a building. All of them lie open on the table.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from engine.material.numbers import KIND, SERVICES
from engine.state import State
from projections.why.goods import (
    ActionCards,
    Castles,
    FigureLedger,
    Food,
    Gold,
    ServicePoints,
    TokenLedger,
)
from projections.why.ledger import Entry, Ledger
from projections.why.people import (
    CitizenPoints,
    CitizensOfCity,
    CompleteCities,
    Hunger,
    PointLedger,
    Supply,
)
from projections.why.steps import Story, steps
from projections.words.effects import ENGLISH, Translator


class Account(msgspec.Struct, frozen=True):
    """A number at a moment, and the entries that add up to it, the oldest first."""

    what: str
    title: str
    number: int
    total: int
    entries: list[Entry]


class NoSuchNumber(Exception):
    """There is no such number on the table, or not at this moment."""


SeatLedger = Callable[[State, Translator, int], Ledger]
OF_A_SEAT: dict[str, SeatLedger] = {
    "gold": Gold,
    "food": Food,
    "points": PointLedger,
    "action-cards": ActionCards,
    "figures": FigureLedger,
    "castles": Castles,
}
OF_A_SCORE: dict[str, SeatLedger] = {
    "citizens": CitizenPoints,
    "cities": CompleteCities,
    "hunger": Hunger,
}


def why(
    s: State, story: Story, number: int, what: str, translator: Translator = ENGLISH
) -> Account:
    """The account of a number at a moment. The state may be that of any moment from the start on:
    only the game's material is taken from it.

    >>> from engine.selfplay import new_game
    >>> game = new_game(players=2, seed=1)
    >>> story = [(event, []) for event in game.events]
    >>> account = why(game.state, story, 1, "gold/2")
    >>> account.total, account.entries[0].rule, account.entries[0].sentence
    (1, 'R7', 'Every player starts with so much gold.')
    """
    ledger = ledger_of(s, what, translator)
    for step in steps(story, number):
        ledger.note(step)
    if not ledger.title:
        raise NoSuchNumber(what)
    total = sum(entry.amount for entry in ledger.entries)
    return Account(what, ledger.title, number, total, ledger.entries)


def ledger_of(s: State, what: str, translator: Translator) -> Ledger:
    """The ledger for a number's name. Whether a city stands shows only at the end."""
    match what.split("/"):
        case [kind, seat] if kind in OF_A_SEAT:
            return OF_A_SEAT[kind](s, translator, _seat(s, what, seat))
        case ["score", seat, part] if part in OF_A_SCORE:
            return OF_A_SCORE[part](s, translator, _seat(s, what, seat))
        case ["citizens", city] if city in s.board.hex_at:
            return CitizensOfCity(s, translator, city)
        case ["service", city, service] if city in s.board.hex_at:
            for name in SERVICES:
                if name == service:
                    return ServicePoints(s, translator, city, name)
        case ["supply"]:
            return Supply(s, translator)
        case ["pool", building] if building in KIND:
            return TokenLedger(s, translator, building)
    raise NoSuchNumber(what)


def _seat(s: State, what: str, text: str) -> int:
    if text not in map(str, s.players):
        raise NoSuchNumber(what)
    return int(text)
