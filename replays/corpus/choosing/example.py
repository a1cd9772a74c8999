"""The example that all rulebooks print, as a log: one city grows around the junction f8."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from engine.material import library
from engine.rules.setup import open_game
from engine.selfplay import open_event
from engine.turn import go_on
from events.material import Politics, Service, Tile
from events.types import AnyEvent, Build, GameStarted, Loss, Pass, PlaceCastle, Starve, TakeGold
from replays.corpus.choosing.material import FIRST_BOARD

LAND: dict[str, Tile] = {
    "A1": "farmland-2",
    "A2": "farmland-2",
    "A3": "lake",
    "A4": "farmland-3",
    "A5": "farmland-1",
    "A6": "farmland-2",
    "A7": "lake",
    "B1": "farmland-3",
    "B2": "mountain",
    "B3": "farmland-3",
    "B4": "farmland-1",
    "B5": "lake",
    "B6": "farmland-2",
    "B7": "mountain",
    "B8": "mountain",
    "C1": "farmland-2",
    "C2": "farmland-1",
    "C3": "lake",
    "C4": "farmland-2",
    "C5": "farmland-3",
    "C6": "farmland-1",
    "C7": "lake",
}
DEAR: list[Politics] = [
    "cathedral",
    "cathedral",
    "cathedral",
    "university",
    "university",
    "university",
    "bath",
]
"""Nothing but the bath can be paid with one gold."""

CALM: list[Service] = ["culture"] * 4

T = TypeVar("T")


def stacked(first: Sequence[T], whole: Sequence[T]) -> list[T]:
    """A whole deck with these cards on top."""
    rest = Counter(whole) - Counter(first)
    return [*first, *rest.elements()]


def worked_example() -> list[AnyEvent]:
    """Year 1 of the example, up to the beginning of year 2."""
    box = library.box()
    start = GameStarted(
        start=2,
        politics=stacked(DEAR, library.politics_cards(box)),
        voice=stacked(CALM, library.voice_cards(box)),
        tiles=LAND,
    )
    turns: list[AnyEvent] = [
        PlaceCastle(seat=2, at="o4"),
        PlaceCastle(seat=1, at="f9"),
        PlaceCastle(seat=1, at="a3"),
        PlaceCastle(seat=2, at="l10"),
        Build(seat=1, building="farm", at="g9", card="action"),
        TakeGold(seat=2),
        Build(seat=1, building="quarry", at="g8", card="action"),
        TakeGold(seat=2),
        Build(seat=1, building="market", at="f8", card="action"),
        TakeGold(seat=2),
        Build(seat=1, building="bath", at="e9", card="bath"),
        Pass(seat=2),
        Pass(seat=2),
        Starve(seat=2, losses=[Loss(city="l10", citizens=3)]),
    ]
    opening = open_event(2, library.ruleset(), "expert", board=FIRST_BOARD)
    state = open_game(opening)
    log: list[AnyEvent] = [opening]
    for event in [start, *turns]:
        log += go_on(state, event)
    return log
