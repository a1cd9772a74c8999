"""Other beginner set-ups, each a small step away from one that is there, and sound by R8."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from engine.material import library
from engine.material.board import Board, bits, hex_distance
from engine.material.inspection import remarks_on
from engine.material.land import land_of
from engine.material.numbers import EMPTY_HEXES_AROUND_A_NEW_CASTLE
from engine.material.printed import printed_faults
from events.material import BeginnerSetup

CASTLE_STEPS = 4
"""How far a castle moves at most, along open lanes."""
FOOD = range(2, 7)
"""What a castle may yield: good land, not the best."""
TRIES = 2000
"""So many steps may be unsound before none is left."""


def is_sound(board: Board, players: int, setup: BeginnerSetup) -> bool:
    """R8, the printed examples, castles apart by both ways to measure, and none without food."""
    hexes = [board.hex_at[label] for pair in setup.castles for label in pair]
    places = [board.coordinate[hex_] for hex_ in hexes]
    land = land_of(board, tuple(setup.tiles.items()))
    wheat = [land.wheat[hex_] for hex_ in hexes]
    food = [one + other for one, other in zip(wheat[0::2], wheat[1::2], strict=True)]
    return (
        all(each in FOOD for each in wheat)
        and max(food) - min(food) <= 1  # R8 again, where it is quickly found out
        and all(
            hex_distance(one, other) > EMPTY_HEXES_AROUND_A_NEW_CASTLE
            for index, one in enumerate(places)
            for other in places[:index]
        )
        and not any(remarks_on(board, library.box(), players, setup))
        and not printed_faults(board, players, setup)
    )


def changed(setup: BeginnerSetup, before: BeginnerSetup) -> int:
    """How many tiles and castles lie elsewhere: what players who know the old one must relearn."""
    tiles = sum(before.tiles[field] != tile for field, tile in setup.tiles.items())
    here = {label for pair in setup.castles for label in pair}
    return tiles + len(here - {label for pair in before.castles for label in pair})


def propose(
    board: Board, players: int, setup: BeginnerSetup, strength: Sequence[float], dice: Random
) -> BeginnerSetup:
    """One step away, most often for a seat that is far from its share."""
    for _ in range(TRIES):
        found = setup
        for _ in range(dice.choice((1, 1, 2))):
            found = _step(board, players, found, strength, dice)
        if found != setup and is_sound(board, players, found):
            return found
    raise LookupError("no step from here is sound")


def make_sound(
    board: Board, players: int, setup: BeginnerSetup, dice: Random, start: int = 1
) -> BeginnerSetup:
    """A set-up that lacks what R8 or the books ask for, mended with as few steps as found."""
    even = [1.0] * players
    for steps in range(start, 12):
        for _ in range(TRIES):
            found = setup
            for _ in range(steps):
                if dice.random() < 0.5:
                    found = _swap_tiles(found, dice)
                else:
                    found = _step(board, players, found, even, dice)
            if is_sound(board, players, found):
                return found
    raise LookupError("no sound set-up is near")


def _step(
    board: Board, players: int, setup: BeginnerSetup, strength: Sequence[float], dice: Random
) -> BeginnerSetup:
    kind = dice.random()
    if kind < 0.6:
        return _move_castle(board, players, setup, strength, dice)
    return _exchange_castles(setup, dice) if kind < 0.9 else _change_seats(setup, dice)


def _move_castle(
    board: Board, players: int, setup: BeginnerSetup, strength: Sequence[float], dice: Random
) -> BeginnerSetup:
    weights = [abs(each) + 0.02 for each in strength]
    [seat] = dice.choices(range(players), weights)
    castles = [list(pair) for pair in setup.castles]
    which = dice.randrange(2)
    at = 1 << board.hex_at[castles[seat][which]]
    sites = board.within(at, board.open[players], dice.randint(1, CASTLE_STEPS)) & ~at
    castles[seat][which] = board.label[dice.choice(list(bits(sites)))]
    return with_castles(setup, castles)


def _exchange_castles(setup: BeginnerSetup, dice: Random) -> BeginnerSetup:
    """Two seats take a castle from each other."""
    castles = [list(pair) for pair in setup.castles]
    one, other = dice.sample(range(len(castles)), 2)
    a, b = dice.randrange(2), dice.randrange(2)
    castles[one][a], castles[other][b] = castles[other][b], castles[one][a]
    return with_castles(setup, castles)


def _change_seats(setup: BeginnerSetup, dice: Random) -> BeginnerSetup:
    """Two seats change all they have: who follows whom matters."""
    castles = [list(pair) for pair in setup.castles]
    one, other = dice.sample(range(len(castles)), 2)
    castles[one], castles[other] = castles[other], castles[one]
    return with_castles(setup, castles)


def _swap_tiles(setup: BeginnerSetup, dice: Random) -> BeginnerSetup:
    tiles = dict(setup.tiles)
    one, other = dice.sample(list(tiles), 2)
    tiles[one], tiles[other] = tiles[other], tiles[one]
    return msgspec.structs.replace(setup, tiles=tiles)


def with_castles(setup: BeginnerSetup, castles: Sequence[Sequence[str]]) -> BeginnerSetup:
    return msgspec.structs.replace(setup, castles=[tuple(pair) for pair in castles])
