"""`lacitta arena`: bots against each other with seats rotated, and how strong they are."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations, permutations
from multiprocessing import get_context
from typing import Literal

import click
import msgspec
from openskill.models import PlackettLuce
from rich.console import Console
from rich.progress import track

from engine.bots import Bot, Reason, make_bot
from engine.material import library
from engine.material.board import Board
from engine.rules.scoring import Score, places, scores
from engine.selfplay import new_game, play_out
from engine.view import View
from events.material import BoardRef, BoxRef, Ruleset
from events.types import Turn
from projections.words.effects import digits
from replays.estimates import share_estimate
from web.cli.language import gettext as _
from web.cli.language import ngettext, spoken, tell


class Standing(msgspec.Struct):
    """What one bot has achieved so far. A shared win counts by its share, a seat by its points."""

    name: str
    mu: float
    sigma: float
    seats: int = 0
    wins: float = 0.0
    points: int = 0
    thought: float = 0.0
    decisions: int = 0
    slowest: float = 0.0


class Contest(msgspec.Struct, frozen=True):
    """One game to be played: who sits where, what is dealt, by which rules."""

    at_table: tuple[str, ...]
    key: str
    ruleset: Ruleset = library.ruleset()
    setup: Literal["beginner", "expert"] = "beginner"
    board: BoardRef | None = None
    box: BoxRef | None = None


class Result(msgspec.Struct, frozen=True):
    """How a game ended, and how long each seat has thought."""

    at_table: tuple[str, ...]
    lines: list[Score]
    winners: list[int]
    times: list[list[float]]


class Timed:
    """A bot with a stopwatch that runs while the processor works for it."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.times: list[float] = []

    def choose(self, view: View, board: Board, actions: Sequence[Turn]) -> Turn:
        begun = time.process_time()
        action = self._bot.choose(view, board, actions)
        self.times.append(time.process_time() - begun)
        return action

    def explain(self, view: View, board: Board, action: Turn) -> Reason:
        return self._bot.explain(view, board, action)


def arena(
    names: list[str],
    games: int,
    players: int | None,
    seed: int,
    jobs: int,
    ruleset: Ruleset,
    setup: Literal["beginner", "expert"],
    board: BoardRef | None = None,
    box: BoxRef | None = None,
) -> None:
    """Play, rate and sum up. Progress goes to the terminal, the table to standard output."""
    if len(names) < 2:
        raise click.UsageError(_("--bots names two or more bots, with commas between"))
    for name in names:
        make_bot(name, seed)
    seats = players or min(5, len(names))
    order = tables(names, seats)
    # Every seating of a round gets the same deal, so that luck evens out.
    contests = [
        Contest(
            order[number % len(order)], f"{seed}/{number // len(order)}", ruleset, setup, board, box
        )
        for number in range(games)
    ]
    model = PlackettLuce()
    fresh = model.rating()
    standings = {name: Standing(name, fresh.mu, fresh.sigma) for name in names}
    begun = time.perf_counter()
    console = Console(stderr=True)
    results = track(
        played(contests, jobs),
        _("Playing"),
        total=games,
        console=console,
        disable=not console.is_terminal,
    )
    for result in results:
        note(standings, result)
        rate(model, standings, result)
    pace = games / (time.perf_counter() - begun)
    for line in report(list(standings.values())):
        click.echo(line)
    for each in standings.values():
        mean = each.thought / max(1, each.decisions)
        tell(
            _("{bot} thinks for {mean} s, at most for {slowest} s"),
            bot=each.name,
            mean=digits(mean, ".3f", spoken()),
            slowest=digits(each.slowest, ".3f", spoken()),
        )
    tell(
        ngettext(
            "{n} game for {seats}, {pace} a second", "{n} games for {seats}, {pace} a second", games
        ),
        n=games,
        seats=seats,
        pace=digits(pace, ".1f", spoken()),
    )


def played(contests: Sequence[Contest], jobs: int) -> Iterator[Result]:
    """The games in their order, however many processes share them out."""
    if jobs == 1:
        yield from map(contend, contests)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(contend, contests)


def tables(names: list[str], seats: int) -> list[tuple[str, ...]]:
    """Who sits where, in turn: every choice of bots, every bot on every seat equally often.

    >>> tables(["a", "b"], 2)
    [('a', 'b'), ('b', 'a')]
    >>> tables(["a", "b", "b"], 3)
    [('a', 'b', 'b'), ('b', 'a', 'b'), ('b', 'b', 'a')]
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


def contend(contest: Contest) -> Result:
    """One game, the same for the same bots and key."""
    at_table, key = contest.at_table, contest.key
    game = new_game(
        len(at_table),
        f"arena/{key}",
        contest.ruleset,
        contest.setup,
        board=contest.board,
        box=contest.box,
    )
    bots = [Timed(make_bot(name, f"{key}/{seat}")) for seat, name in enumerate(at_table, start=1)]
    state = play_out(game, bots).state
    return Result(at_table, scores(state), state.winners, [bot.times for bot in bots])


def note(standings: dict[str, Standing], result: Result) -> None:
    for name, line, times in zip(result.at_table, result.lines, result.times, strict=True):
        standing = standings[name]
        standing.seats += 1
        standing.points += line.total
        standing.wins += (line.seat in result.winners) / len(result.winners)
        standing.thought += sum(times)
        standing.decisions += len(times)
        standing.slowest = max(standing.slowest, *times, 0.0)


def rate(model: PlackettLuce, standings: dict[str, Standing], result: Result) -> None:
    """One more game for the ratings. A bot on several seats takes part with its best one."""
    best: dict[str, tuple[int, int]] = {}
    for name, line in zip(result.at_table, result.lines, strict=True):
        best[name] = max(best.get(name, (-99, 0)), (line.total, line.gold))
    if len(best) < 2:
        return
    teams = [[model.rating(mu=standings[name].mu, sigma=standings[name].sigma)] for name in best]
    ranks = [float(place) for place in places([(True, *each) for each in best.values()])]
    for name, [rating] in zip(best, model.rate(teams, ranks=ranks), strict=True):
        standings[name].mu, standings[name].sigma = rating.mu, rating.sigma


def report(standings: list[Standing]) -> Iterator[str]:
    """The bots, the strongest first."""
    bot, wins, interval = _("bot"), _("wins"), _("95 % interval")
    rating, points, seats = _("rating"), _("points"), _("seats")
    yield f"{bot:<10}{wins:>8}  {interval:<16}{rating:>12}{points:>9}{seats:>7}"
    decimal = _(".")
    for each in sorted(standings, key=lambda each: (-each.wins / max(1, each.seats), each.name)):
        if not each.seats:
            yield f"{each.name:<10}{'–':>8}"
            continue
        share = share_estimate(each.wins, each.seats)
        row = (
            f"{share.value:>8.1%}  {f'{share.low:.1%} – {share.high:.1%}':<16}"
            f"{f'{each.mu:.1f} ± {each.sigma:.1f}':>12}{each.points / each.seats:>9.1f}"
        )
        yield f"{each.name:<10}{row.replace('.', decimal)}{each.seats:>7}"
