"""Nobody who knows all that is public foretells what a bot rolls."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from random import Random

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.bots import Bot, PrinceBot, RandomBot, ask, make_bot
from engine.chance.dealer import bot_seed
from engine.chance.resample import resample
from engine.fold import fold
from engine.selfplay import Game, new_game, play_out
from engine.view import SPECTATOR, View, in_place_of
from events.types import HandOver, Turn
from tests.web.access.test_leaks import read_everything, twins_in
from tests.web.world import World
from web.games import bots, thinking
from web.games.bots import decided_by_bots
from web.seating.service import Holder

GAME = "game"
STRANGERS = 8


def quick(level: str, seed: int | str, clock: object = None) -> Bot:
    """Any bot; a prince that is soon done, and without a clock always the same."""
    return PrinceBot(seed, nodes=150) if level == "prince" else make_bot(level, seed)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setattr(thinking, "make_bot", quick)
    monkeypatch.setattr(bots, "SHORT_REST", 0.001)
    monkeypatch.setattr(bots, "LONG_REST", 0.01)
    world = World(tmp_path, clock=lambda: 1)
    yield world
    world.close()


def seat_bots(world: World, level: str) -> None:
    world.seat(GAME, new_game(3, "dice", bot=level), [Holder(name="", bot=level)] * 3)


def public_seeds(version: int, seat: int, seen: View, head: str) -> list[str]:
    """What somebody may roll the dice from who knows the code and what is public."""
    plain = [f"{word}/{version}/{seat}" for word in (GAME, seen.commitment, head)]
    public = [f"{word}/bot/{version}/{seat}" for word in (seen.commitment, "")]
    return plain + [hashlib.sha256(seed.encode()).hexdigest() for seed in public]


@pytest.mark.parametrize(
    ("level", "moves"),
    [("random", 40), ("steward", 15), pytest.param("prince", 25, marks=pytest.mark.long)],
)
def test_nobody_foretells_a_bots_move(level: str, moves: int, world: World) -> None:
    """From public data one guesses no better than strangers who roll dice of their own."""
    seat_bots(world, level)
    hits: Counter[int] = Counter()
    by_chance: list[float] = []
    while len(by_chance) < moves:
        live = world.services.games.live(GAME)
        seat, version = min(live.state.awaiting), live.version
        seen, board = in_place_of(live.state, seat, SPECTATOR), live.state.board
        actions: list[Turn] = legal_actions(live.state, seat)
        seeds = public_seeds(version, seat, seen, live.head)
        strangers = [f"stranger {number}/{version}" for number in range(STRANGERS)]
        while world.store.position() == version:
            world.services.bots.step()
        move = world.store.read(GAME, after=version)[0].decode()

        def foretold(seed: str) -> bool:
            guess = quick(level, seed).choose(seen, board, actions)  # noqa: B023
            return guess == msgspec.structs.replace(move, time=0)  # noqa: B023

        share = sum(map(foretold, strangers)) / STRANGERS if len(actions) > 1 else 1
        if share < 1:
            by_chance.append(share)
            hits.update(attack for attack, seed in enumerate(seeds) if foretold(seed))
    most = sum(by_chance) + 4 * sqrt(sum(share * (1 - share) for share in by_chance))
    ((_, best),) = hits.most_common(1)
    print(f"{level}: {best} of {moves} foretold, by chance {sum(by_chance):.1f} to {most:.1f}")
    assert best <= most


@pytest.mark.parametrize("seat", [SPECTATOR, pytest.param(1, marks=pytest.mark.long)])
def test_no_answer_tells_the_dice_of_the_bots(
    seat: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two servers whose games differ in what is hidden, and so in what their bots will roll: what
    a seat reads is the same on both, before and after a bot has moved alike on them."""
    monkeypatch.setattr(thinking, "the_bot", quick)
    apart = 0
    with twins_in(tmp_path / "twins") as twins:
        who = twins.people[seat - 1] if seat else twins.spectator
        for seed in range(2):
            game = new_game(3, f"dice/{seed}")
            for bots_seat, level in ((2, "random"), (3, "prince")):
                game.add(HandOver(seat=bots_seat, bot=level))
            dice = make_bot("random", seed)
            while len(game.events) < 40 or min(game.state.awaiting) == 1:
                game.add(ask(dice, game.state, min(game.state.awaiting)))
            id_ = twins.seat(game.events, resample(game.events, game.state, Random(seed), seat))
            rolled = [next_roll(world, id_) for world in twins.worlds]
            apart += rolled[0] != rolled[1]
            read_everything(twins, id_, who, seat, len(game.events))
            for number in sorted(decided_by_bots(game.events))[-3:]:
                twins.ask(who, "GET", f"/api/games/{id_}/explanations/{number}")
    assert apart


def next_roll(world: World, game: str) -> Turn:
    """What the bot that is to move will do on a server."""
    live = world.services.games.live(game)
    seat = min(live.state.awaiting)
    bot = make_bot("random", bot_seed(live.state, live.version, seat))
    return ask(bot, live.state, seat)


def test_after_the_end_a_bot_explains_with_the_dice_it_rolled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[str] = []

    def listening(level: str, seed: str) -> Bot:
        seeds.append(seed)
        return make_bot("steward", seed)

    monkeypatch.setattr(thinking, "the_bot", listening)
    game = play_out(new_game(2, "dice", bot="prince"), RandomBot(1))
    numbers = sorted(decided_by_bots(game.events))[20:22]
    world = World(tmp_path)
    for name, events in (("over", game.events), ("runs", game.events[:-20])):
        ended = Game.__new__(Game)
        ended.events, ended.state = events, fold(events)
        world.seat(name, ended, [Holder(name="", bot="prince")] * 2)
        for number in numbers:
            answer = world.nobody().get(f"/api/games/{name}/explanations/{number}")
            assert answer.status_code == 200
    world.close()
    before = [fold(game.events[: number - 1]) for number in numbers]
    acting = [min(s.awaiting) for s in before]
    rolled = [bot_seed(s, n - 1, at) for s, n, at in zip(before, numbers, acting, strict=True)]
    assert seeds[:2] == rolled
    assert not set(seeds[2:]) & set(rolled)
