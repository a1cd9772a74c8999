"""Finding and writing the game of a recipe."""

from __future__ import annotations

from pathlib import Path

from engine.bots import ask
from engine.material import library
from engine.selfplay import Game, secret_from
from engine.state import of_seat
from engine.turn import play
from events.codec import write_game
from events.types import AnyEvent, GameOpened, Seat
from replays.amendments import beside
from replays.corpus.choosing.players import PLAYERS
from replays.corpus.choosing.recipe import BOT, Recipe
from replays.corpus.coverage.steps import SHOWS
from replays.corpus.coverage.table import rules_shown

MOST_SEEDS = 1500


def opening_of(recipe: Recipe) -> GameOpened:
    seats = [
        Seat(name=f"Seat {number}", bot="" if str(number) in recipe.people else BOT.get(bot, ""))
        for number, bot in enumerate(recipe.seats[: recipe.players], start=1)
    ]
    return GameOpened(
        ruleset=library.ruleset(named) if isinstance(named := recipe.ruleset, str) else named,
        board=recipe.board,
        box=recipe.box or library.box_ref(),
        setup=recipe.setup,
        seats=seats,
    )


def play_recipe(recipe: Recipe, seed: int) -> list[AnyEvent] | None:
    """One game by a recipe; None when a script of it found no place."""
    key = f"corpus/{recipe.series or recipe.name}/{seed}"
    game = Game(opening_of(recipe), secret_from(key))
    bots = [
        PLAYERS[bot](f"{key}/{seat}") for seat, bot in enumerate(recipe.seats[: recipe.players])
    ]
    scripts = list(recipe.scripts)
    state = game.state
    while state.awaiting:
        if scripts and (put_in := scripts[0](game)):
            for event in put_in:
                game.events += play(state, event)
            del scripts[0]
            continue
        seat = min(state.awaiting)
        game.add(ask(of_seat(bots, seat), state, seat))
    return None if scripts else game.events


def find(recipe: Recipe) -> tuple[int, list[AnyEvent]]:
    """The first seed whose game shows what is wanted, and that game."""
    if unknown := [want for want in recipe.wants if want not in SHOWS]:
        raise LookupError(f"{recipe.name}: nothing looks for: {unknown[0]}")
    for seed in [recipe.seed] if recipe.seed else range(1, MOST_SEEDS + 1):
        events = play_recipe(recipe, seed)
        if events is not None and shows_all(events, recipe.wants):
            return seed, events
    raise NoSuchGame(f"no game within {MOST_SEEDS} seeds")


class NoSuchGame(LookupError):
    """A recipe that no game comes out of by the rules of now."""


def shows_all(events: list[AnyEvent], wants: tuple[str, ...]) -> bool:
    found = rules_shown(events) if wants else []
    return all(want in found for want in wants)


def write(folder: Path, name: str, events: list[AnyEvent]) -> None:
    """A game in the place of whatever was there; what was signed for that goes with it."""
    log = folder / f"{name}.jsonl"
    log.write_bytes(write_game(name, events))
    beside(log).unlink(missing_ok=True)
