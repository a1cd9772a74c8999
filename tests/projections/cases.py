"""Games and positions that several tests start from."""

from __future__ import annotations

import msgspec

from engine.fold import fold
from engine.material import library
from engine.selfplay import Game
from engine.state import State
from events.types import AnyEvent, GameStarted, PlaceCastle
from tests.engine.helpers import rules
from tests.first_board import new_game


def begun(seed: int) -> Game:
    ruleset = library.RULESETS[seed % len(library.RULESETS)]
    setup = ("beginner", "expert")[seed % 2]
    return new_game(2 + seed // 2 % 4, f"cases/{seed}", ruleset, setup)  # type: ignore[arg-type]


def face_to_face() -> State:
    """Castles on f6 and f10 with three empty hexes between them; two years of nothing but culture.

    Seat 1 also has b6, seat 2 j6. Seat 2 starts, everyone has 4 citizens in each city, and food
    for 10 and 8.
    """
    opening, started = new_game(2, "case", rules("standard"), "expert").events[:2]
    assert isinstance(started, GameStarted)
    voice = sorted(started.voice)
    log: list[AnyEvent] = [opening, msgspec.structs.replace(started, voice=voice)]
    log += [
        PlaceCastle(seat=1, at="f6"),
        PlaceCastle(seat=2, at="f10"),
        PlaceCastle(seat=2, at="j6"),
        PlaceCastle(seat=1, at="b6"),
    ]
    return fold(log)
