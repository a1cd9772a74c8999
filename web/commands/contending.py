"""`lacitta arena`: bots against each other with seats rotated, and how strong they are."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from itertools import combinations, permutations

import click
import msgspec
from openskill.models import PlackettLuce
from rich.console import Console
from rich.progress import track

from engine.bots import make_bot
from engine.scoring import Score, scores
from engine.selfplay import Game, new_game, play_out

Z95 = 1.959963984540054
"""How many standard deviations hold 95 % of a normal distribution."""


class Standing(msgspec.Struct):
    """What one bot has achieved so far. A shared win counts by its share, a seat by its points."""

    name: str
    mu: float
    sigma: float
    seats: int = 0
    wins: float = 0.0
    points: int = 0


def arena(names: list[str], games: int, players: int | None, seed: int) -> None:
    """Play, rate and sum up. Progress goes to the terminal, the table to standard output."""
    if len(names) < 2 or len(set(names)) < len(names):
        raise click.UsageError("--bots names two or more different bots, with commas between")
    for name in names:
        make_bot(name, seed)
    seats = players or min(5, len(names))
    order = tables(names, seats)
    model = PlackettLuce()
    fresh = model.rating()
    standings = {name: Standing(name, fresh.mu, fresh.sigma) for name in names}
    begun = time.perf_counter()
    console = Console(stderr=True)
    for number in track(range(games), "Playing", console=console, disable=not console.is_terminal):
        # Every seating of a round gets the same deal, so that luck evens out.
        at_table = order[number % len(order)]
        game = contend(at_table, f"{seed}/{number // len(order)}")
        note(standings, at_table, game)
        rate(model, standings, at_table, scores(game.state))
    pace = games / (time.perf_counter() - begun)
    for line in report(list(standings.values())):
        click.echo(line)
    click.echo(f"{games} games for {seats}, {pace:.1f} a second")


def tables(names: list[str], seats: int) -> list[tuple[str, ...]]:
    """Who sits where, in turn: every choice of bots, every bot on every seat equally often.

    >>> tables(["a", "b"], 2)
    [('a', 'b'), ('b', 'a')]
    """
    if seats < len(names):
        chosen = [list(some) for some in combinations(names, seats)]
    else:
        # More seats than bots: each bot in turn holds those that are left over.
        chosen = [
            [(names[turn:] + names[:turn])[seat % len(names)] for seat in range(seats)]
            for turn in range(len(names) if seats % len(names) else 1)
        ]
    return [seating for some in chosen for seating in rotations(some)]


def rotations(names: list[str]) -> Iterator[tuple[str, ...]]:
    """Every order of a few; of many, each shifted round the table."""
    if len(names) <= 3:
        yield from dict.fromkeys(permutations(names))
    else:
        yield from dict.fromkeys(
            tuple(names[shift:] + names[:shift]) for shift in range(len(names))
        )


def contend(at_table: tuple[str, ...], key: str) -> Game:
    """One game, the same for the same bots and key."""
    game = new_game(len(at_table), f"arena/{key}")
    bots = [make_bot(name, f"{key}/{seat}") for seat, name in enumerate(at_table, start=1)]
    return play_out(game, bots)


def note(standings: dict[str, Standing], at_table: tuple[str, ...], game: Game) -> None:
    winners = game.state.winners
    for seat, line in enumerate(scores(game.state)):
        standing = standings[at_table[seat]]
        standing.seats += 1
        standing.points += line.total
        standing.wins += (seat in winners) / len(winners)


def rate(
    model: PlackettLuce,
    standings: dict[str, Standing],
    at_table: tuple[str, ...],
    lines: list[Score],
) -> None:
    """One more game for the ratings. A bot on several seats takes part with its best one."""
    best: dict[str, tuple[int, int]] = {}
    for name, line in zip(at_table, lines, strict=True):
        best[name] = max(best.get(name, (-99, 0)), (line.total, line.gold))
    teams = [[model.rating(mu=standings[name].mu, sigma=standings[name].sigma)] for name in best]
    values = sorted(best.values(), reverse=True)
    ranks = [float(values.index(value)) for value in best.values()]
    for name, [rating] in zip(best, model.rate(teams, ranks=ranks), strict=True):
        standings[name].mu, standings[name].sigma = rating.mu, rating.sigma


def report(standings: list[Standing]) -> Iterator[str]:
    """The bots, the strongest first."""
    yield f"{'bot':<10}{'wins':>8}  {'95 % interval':<16}{'rating':>12}{'points':>8}{'seats':>7}"
    for each in sorted(standings, key=lambda each: (-each.wins / max(1, each.seats), each.name)):
        if not each.seats:
            yield f"{each.name:<10}{'–':>8}"
            continue
        low, high = wilson(each.wins, each.seats)
        rating = f"{each.mu:.1f} ± {each.sigma:.1f}"
        yield (
            f"{each.name:<10}{each.wins / each.seats:>8.1%}  {f'{low:.1%} – {high:.1%}':<16}"
            f"{rating:>12}{each.points / each.seats:>8.1f}{each.seats:>7}"
        )


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share, by Wilson's score.

    >>> [round(bound, 3) for bound in wilson(95, 100)]
    [0.888, 0.978]
    """
    share, square = wins / games, Z95 * Z95
    middle = share + square / (2 * games)
    reach = Z95 * math.sqrt(share * (1 - share) / games + square / (4 * games * games))
    whole = 1 + square / games
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)
