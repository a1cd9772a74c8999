"""`lacitta simulate`: whole games by bots, one log each."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import mean
from typing import Literal

import click
from rich.console import Console
from rich.progress import track

from engine.bots import make_bot
from engine.scoring import scores
from engine.selfplay import Game, new_game, play_out
from events.codec import write_game
from events.material import Ruleset
from replays.rulesets import file_name, load_ruleset


def simulate(
    games: int,
    players: int,
    seed: int,
    ruleset: str,
    setup: Literal["beginner", "expert"],
    bot: str,
    out: Path | None,
) -> None:
    """Play, write and sum up. Progress goes to the terminal, the sum to standard output."""
    rules = load_ruleset(ruleset)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    begun = time.perf_counter()
    points: list[int] = []
    wins = [0] * players
    console = Console(stderr=True)
    for number in track(
        range(1, games + 1), "Playing", console=console, disable=not console.is_terminal
    ):
        game = play(number, players, seed, rules, setup, bot)
        points += [line.total for line in scores(game.state)]
        for seat in game.state.winners:
            wins[seat] += 1
        if out is not None:
            name = f"{file_name(rules)}-{setup}-{players}p-{seed}-{number:05}"
            (out / f"{name}.jsonl").write_bytes(write_game(name, game.events))
    rate = games / (time.perf_counter() - begun)
    click.echo(
        f"{games} games, {rate:.0f} a second; mean score {mean(points):.1f};"
        f" wins by seat {', '.join(map(str, wins))}"
        + (f"; logs in {out}" if out is not None else "")
    )


def play(
    number: int,
    players: int,
    seed: int,
    ruleset: Ruleset,
    setup: Literal["beginner", "expert"],
    bot: str,
) -> Game:
    """One game of a series, the same for the same arguments."""
    key = f"{seed}/{number}"
    return play_out(new_game(players, key, ruleset, setup, bot), make_bot(bot, key))
