"""The order that the list of legal actions promises, said once more and in another way."""

from __future__ import annotations

from typing import Any

from engine.material.board import Board
from engine.material.numbers import KIND, KINDS, POLITICS_INDEX, SERVICE_INDEX
from events.types import (
    Build,
    Bury,
    CallGoldenTimes,
    Demolish,
    FoundCity,
    HoldGames,
    Pass,
    PlaceCastle,
    Poll,
    ReapHarvest,
    Relocate,
    Starve,
    TakeGold,
    Turn,
)


def sort_key(board: Board, action: Turn) -> tuple[Any, ...]:
    """What the list is sorted by: gold, founding, action cards, each politics card, passing.

    Hexes come in board order; buildings, cards and services in the order of their tables.
    """
    at = board.hex_at
    match action:
        case TakeGold():
            return (0,)
        case FoundCity():
            return (1, at[action.at], at[action.source])
        case Build(card="action"):
            return (2, KINDS.index(KIND[action.building]), at[action.at])
        case Pass():
            return (4,)
        case PlaceCastle():
            return (at[action.at],)
        case Bury():
            return (action.bury,)
        case Relocate():
            order = tuple(at[mover.city] for mover in action.cities)
            return order, tuple(SERVICE_INDEX[mover.service] for mover in action.cities)
        case Demolish():
            return tuple(at[label] for label in action.buildings)
        case Starve():
            # Dense shares in board order, compared without writing down the zeros.
            return tuple((-at[loss.city], loss.citizens) for loss in action.losses)
        case _:
            return (3, *card_key(at, action))


def card_key(
    at: dict[str, int], action: Build | HoldGames | CallGoldenTimes | ReapHarvest | Poll
) -> tuple[int, ...]:
    """How the uses of politics cards are sorted."""
    match action:
        case Build():
            name: str = action.card
            choice = [KINDS.index(KIND[action.building]), at[action.at]]
        case HoldGames():
            name = "bread-and-games"
            others = [SERVICE_INDEX[service] for service in action.others]
            choice = [at[action.at], SERVICE_INDEX[action.service], action.figures, *others]
        case CallGoldenTimes():
            name, choice = "golden-times", [at[action.city], action.citizens]
        case ReapHarvest():
            name, choice = "rich-harvest", [at[action.at]]
        case Poll():
            name, choice = "polling", [len(action.look), *action.look]
    return (POLITICS_INDEX[name], action.place, *choice)
