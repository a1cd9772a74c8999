"""Whether two states show the same table, told at every event of a game and therefore quickly.

What follows from the rest is left out (arches and food of a city, say), and so is how a state came
about: its events, and what of them can still be taken back.
"""

from __future__ import annotations

from operator import attrgetter

from engine.state import City, Player, State

TABLE = (
    "awaiting",
    "turn",
    "supply",
    "phase",
    "display",
    "pile",
    "stands_on",
    "figures_on",
    "pools",
    "year",
    "start",
    "queue",
    "chance",
    "discards",
    "unseen_discards",
    "draws",
    "shuffles",
    "neighbours",
    "founded_cities",
    "winners",
    "closed",
    "shown_voice",
    "take_back",
)
"""What is compared of a table, that which differs most often first."""
TABLE_LEFT_OUT = frozenset(
    {
        *("rules", "board", "box", "setup", "seats", "open"),  # what the game was opened with
        *("tiles", "voice", "secret", "commitment"),  # dealt once, by an event of all its lines
        *("trail", "light", "asked_at", "pile_seen", "checkpoints"),  # for take-backs only
        *("city_on", "occupied", "land"),  # follow from the cities and the tiles
        *("players", "cities"),  # compared one by one
    }
)
PLAYER = (
    "gold",
    "action_cards",
    "played",
    "penalty",
    "figures",
    "castles",
    "unseen",
    "founded",
    "starved",
    "lost_by_moving",
    "care",
    "polled_voice",
    "resigned",
    "bot",
)
PLAYER_LEFT_OUT = frozenset({"cities"})
CITY = ("citizens", "hexes", "figures", "seat", "number")
CITY_LEFT_OUT = frozenset({"castle", "mask", "arches", "market", "water", "food", "gold"})

_table, _player, _city = attrgetter(*TABLE), attrgetter(*PLAYER), attrgetter(*CITY)


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


def left_out() -> dict[type, tuple[tuple[str, ...], frozenset[str]]]:
    """Per class what is compared and what is left out on purpose: together all that it has."""
    return {
        State: (TABLE, TABLE_LEFT_OUT),
        Player: (PLAYER, PLAYER_LEFT_OUT),
        City: (CITY, CITY_LEFT_OUT),
    }
