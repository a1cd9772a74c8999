"""The cursor gives at every moment what a fold from the start gives, and jumps cheaply."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from engine.bots import RandomBot
from engine.errors import CannotFold
from engine.fold import fold
from engine.selfplay import Game, new_game, play_out
from engine.snapshot import snapshot
from events.codec import load_game
from events.types import AskTakeBack
from replays.corpus.games import CORPUS
from replays.cursor import STRIDES, Cursor

GAMES = 100


def recorded(seed: int) -> Game:
    players = 2 + seed % 4
    setup = "expert" if seed % 3 == 0 else "beginner"
    return play_out(new_game(players, seed=seed, setup=setup), RandomBot(seed))


@pytest.mark.parametrize("part", range(4))
def test_every_moment_of_a_hundred_games(part, amount):
    for seed in range(part, amount(24, GAMES), 4):
        events = recorded(seed).events
        cursor = Cursor(events)
        told = [snapshot(fold(events[:number])) for number in range(1, len(events) + 1)]
        forward = range(1, len(events) + 1)
        backward = forward[::-1]
        jumps = random.Random(seed).sample(forward, len(events))
        # Each game is walked in one of the three ways; every way meets every number of players.
        for number in (forward, backward, jumps)[seed // 4 % 3]:
            assert snapshot(cursor.at(number)) == told[number - 1], (seed, number)


def test_strides_visit_what_they_name():
    cursor = Cursor(recorded(5).events)
    for stride in STRIDES:
        on, seen = 1, [1]
        while (next_ := cursor.step(on, stride)) != on:
            seen.append(on := next_)
        assert seen[-1] == cursor.last
        back = [on]
        while (before := cursor.step(on, stride, -1)) != on:
            back.append(on := before)
        assert back == list(reversed(seen))
    years = [cursor.moments[number - 1].year for number in seen[1:]]
    assert years == [1, 2, 3, 4, 5, 6, 6]


def test_a_game_that_grows():
    events = recorded(3).events
    cursor = Cursor(events[:20])
    cursor.extend(events[20:])
    assert cursor.moments == Cursor(events).moments
    assert snapshot(cursor.at(cursor.last)) == snapshot(fold(events))


def test_a_branch_shares_the_past_and_leaves_the_game_alone():
    events = recorded(6).events
    cursor = Cursor(events)
    for number in (1, 2, 30, cursor.last):
        branch = cursor.branch(number, events[number:])
        assert branch.moments == cursor.moments
        assert branch.effects == cursor.effects
        assert [branch.step(n, "year") for n in range(1, 40)] == [
            cursor.step(n, "year") for n in range(1, 40)
        ]
        assert snapshot(branch.at(branch.last)) == snapshot(cursor.at(cursor.last))


def test_a_take_back_is_a_moment_like_any_other():
    game = new_game(2, seed=4)
    bot = RandomBot(4)
    while game.state.awaiting and game.state.year < 3:
        seat = min(game.state.awaiting)
        play_out_one(game, bot)
        if not game.state.take_back and len(game.events) % 7 == 0:
            try_take_back(game, seat)
    cursor = Cursor(game.events)
    assert any(isinstance(event, AskTakeBack) for event in game.events)
    for number in range(1, cursor.last + 1):
        assert snapshot(cursor.at(number)) == snapshot(fold(game.events[:number]))


def test_a_year_that_was_taken_back_begins_once():
    cursor = Cursor(load_game(CORPUS / "a-year-taken-back.jsonl").events)
    assert any(after.year < before.year for before, after in pairwise(cursor.moments))
    assert [year for _, year in cursor.years()] == [1, 2, 3, 4, 5, 6]
    for number, year in cursor.years():
        assert (cursor.moments[number - 2].year, cursor.moments[number - 1].year) == (
            year - 1,
            year,
        )


def play_out_one(game: Game, bot: RandomBot) -> None:
    from engine.bots import ask

    game.add(ask(bot, game.state, min(game.state.awaiting)))


def try_take_back(game: Game, seat: int) -> None:
    from engine.actions.check import check

    wish = AskTakeBack(seat=seat)
    if check(game.state, wish) is None:
        game.add(wish)


@pytest.mark.parametrize("number", [0, -1, 10_000])
def test_no_moment_beyond_the_ends(number):
    with pytest.raises(CannotFold, match="moments 1 to"):
        Cursor(recorded(1).events).at(number)
