"""What is kept of a game: one row for each seat, with the game's own facts on every one of them."""

from __future__ import annotations

import msgspec

from engine.material.numbers import POLITICS
from events.codec import write_game
from projections.years.statistics import GameStats, SeatStats, game_stats
from replays.lab.matrix import Batch, MatrixCell, play

Value = str | int | float
Row = dict[str, Value]

KEY = ("ruleset", "rules", "bots", "players", "setup", "seed", "number", "seat")
"""What tells rows apart; `rules` is the fingerprint of what the ruleset says."""


def card_column(what: str, card: str) -> str:
    """Where a count of a politics card stands.

    >>> card_column("taken", "golden-times")
    'taken_golden_times'
    """
    return f"{what}_{card.replace('-', '_')}"


def _columns() -> dict[str, type]:
    columns: dict[str, type] = dict.fromkeys(KEY, int)
    columns |= dict.fromkeys(("ruleset", "rules", "bots", "setup", "bot"), str)
    for shape in (GameStats, SeatStats):
        for field in msgspec.structs.fields(shape):
            if field.type in (int, float):
                columns[field.name] = field.type
    for what in ("shown", "rotted", "taken"):
        columns |= {card_column(what, card): int for card in POLITICS}
    return columns


COLUMNS = _columns()
"""Every column and its type, in the order in which they are kept."""


class BatchResult(msgspec.Struct, frozen=True):
    """What a worker sends back: the rows of whole games, and their logs where they are wanted."""

    rows: list[Row]
    logs: dict[int, bytes]


def play_batch(batch: Batch, names: list[str] | None = None) -> BatchResult:
    """Play some games and measure them; `names` are those of the logs, if they are to be kept."""
    rows: list[Row] = []
    logs: dict[int, bytes] = {}
    for index, number in enumerate(batch.numbers):
        game = play(batch.cell, number)
        rows += rows_of(batch.cell, number, game_stats(game.events))
        if names is not None:
            logs[number] = write_game(names[index], game.events)
    return BatchResult(rows, logs)


def rows_of(cell: MatrixCell, number: int, stats: GameStats) -> list[Row]:
    """The rows of one game, one for each seat."""
    known: Row = {
        "ruleset": cell.rules.name,
        "rules": cell.fingerprint,
        "bots": cell.bots,
        "players": cell.players,
        "setup": cell.setup,
        "seed": cell.seed,
        "number": number,
    }
    known |= _numbers(stats)
    for card in POLITICS:
        known[card_column("shown", card)] = stats.shown[card]
        known[card_column("rotted", card)] = stats.rotted[card]
    rows = []
    for seat, bot in zip(stats.seats, cell.line_up, strict=True):
        taken = {card_column("taken", card): seat.taken[card] for card in POLITICS}
        row = known | _numbers(seat) | taken | {"bot": bot}
        rows.append({column: row[column] for column in COLUMNS})
    return rows


def _numbers(stats: GameStats | SeatStats) -> Row:
    fields = msgspec.structs.asdict(stats)
    return {name: value for name, value in fields.items() if isinstance(value, (int, float))}
