"""Whether two states show the same table, told at every event of a game and therefore quickly.

What follows from the rest is left out (arches and food of a city, say), and so is how a state came
about: its events, and what of them can still be taken back.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from engine.state import City, Player, State

TABLE_LEFT_OUT = frozenset(
    {
        # What the game was opened with.
        *("rules", "numbers", "board", "box", "setup", "seats", "open"),
        *("tiles", "voice", "secret", "commitment"),  # dealt once, by an event of all its lines
        *("trail", "last_reveal", "asked_at", "pile_seen", "checkpoints"),  # for take-backs only
        *("city_on", "occupied", "land"),  # follow from the cities and the tiles
        *("players", "cities"),  # compared one by one
    }
)
PLAYER_LEFT_OUT = frozenset({"cities"})
CITY_LEFT_OUT = frozenset({"castle", "mask", "arches", "market", "water", "food", "gold"})


def _all_but(kind: type, left_out: frozenset[str]) -> attrgetter[tuple[Any, ...]]:
    """All fields of a class but some: whatever is added to it is compared. A compiled class tells
    its fields by another name."""
    slots: tuple[str, ...] = getattr(kind, "__slots__", ()) or kind.__mypyc_attrs__  # type: ignore[attr-defined]
    return attrgetter(*(name for name in slots if name not in left_out))


_table = _all_but(State, TABLE_LEFT_OUT)
_player, _city = _all_but(Player, PLAYER_LEFT_OUT), _all_but(City, CITY_LEFT_OUT)


def same_table(one: State, other: State) -> bool:
    """Whether two lines of one recorded game show the same table.

    >>> from engine.selfplay import new_game
    >>> same_table(new_game(2, seed=1).state, new_game(2, seed=1).state)
    True
    >>> same_table(new_game(2, seed=1).state, new_game(2, seed=2).state)
    False
    """
    return (
        _table(one) == _table(other)
        and [*map(_player, one.players.values())] == [*map(_player, other.players.values())]
        and [*map(_city, one.cities.values())] == [*map(_city, other.cities.values())]
    )
