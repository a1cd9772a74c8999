"""The bots: strong enough, the same for the same seed, within the rules, and none the wiser."""

from __future__ import annotations

import inspect
import random
from statistics import mean
from typing import get_type_hints

import msgspec
import pytest

from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.bots import BOTS, RandomBot, StewardBot, ask, make_bot
from engine.bots.survey import Survey
from engine.chance.resample import resample
from engine.errors import BadMaterial
from engine.fold import apply, fold
from engine.material import library
from engine.material.board import Board
from engine.material.numbers import NO_LIMIT
from engine.rules.scoring import scores
from engine.selfplay import Game, new_game, play_out
from engine.view import View, view
from tests.amounts import one_in
from tests.engine.soundness import EVERY_KIND_OF_GAME
from tests.hash_seeds import print_under_seeds


def stewards(game: Game, seed: int | str) -> Game:
    seats = range(1, len(game.state.seats) + 1)
    return play_out(game, [StewardBot(f"{seed}/{seat}") for seat in seats])


@pytest.mark.parametrize("steward_on", [1, 2])
def test_the_steward_beats_dice(steward_on: int) -> None:
    """Fifty games on each seat: ninety-five of a hundred in all, no more than two lost a seat."""
    won = 0
    for seed in range(50):
        bots = [StewardBot(seed), RandomBot(seed)]
        game = play_out(new_game(2, f"strength/{seed}"), bots if steward_on == 1 else bots[::-1])
        won += game.state.winners == [steward_on]
    assert won >= 48


def test_stewards_score_as_people_do() -> None:
    """rules.md §7: four-player games end around 23 to 31 points a player, by these numbers."""
    rules = msgspec.structs.replace(library.ruleset(), growth=1, service_bonus=3)
    points = [
        line.total
        for seed in range(40)
        for line in scores(stewards(new_game(4, f"points/{seed}", rules), seed).state)
    ]
    assert 23 <= mean(points) <= 31


@pytest.mark.parametrize("name", ["random", "steward"])
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    one, other = (play_out(new_game(3, "x", setup="expert"), make_bot(name, "x")) for _ in range(2))
    assert one.events == other.events


LOGS = """
import hashlib
from engine.bots import make_bot
from engine.selfplay import new_game, play_out
from events.codec import write_game
for ruleset, players, setup in (
    ("standard", 4, "beginner"), ("fi", 5, "expert"), ("ageing-display", 3, "expert"),
):
    game = play_out(new_game(players, 11, ruleset, setup), make_bot("steward", 11))
    print(hashlib.sha256(write_game("g", game.events)).hexdigest())
"""


def test_two_processes_with_other_hash_seeds_give_the_same_bytes() -> None:
    printed = print_under_seeds(LOGS)
    assert len(printed[0].split()) == 3
    assert printed[0] == printed[1]


@pytest.mark.parametrize(("ruleset", "players", "setup"), one_in(5, EVERY_KIND_OF_GAME))
def test_stewards_keep_the_rules(ruleset: str, players: int, setup: str) -> None:
    for seed in range(3):
        game = new_game(players, seed, ruleset, setup)
        state = game.state
        while state.awaiting:
            seat = min(state.awaiting)
            actions = legal_actions(state, seat)
            action = StewardBot(seed).choose(view(state, seat), state.board, actions)
            assert action in actions
            assert check(state, action) is None
            game.add(action)
        assert (state.phase, state.year) == ("over", state.numbers.years)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_hidden_does_not_change_a_choice(seed: int) -> None:
    """At every event, for everyone who owes something, under a deal they cannot rule out."""
    ruleset = library.RULESETS[seed % len(library.RULESETS)]
    events = stewards(new_game(2 + seed, seed, ruleset, "expert"), seed).events
    dice, real, compared = random.Random(seed), fold(events[:1]), 0
    for count, event in enumerate(events[1:], start=2):
        apply(real, event)
        for seat in sorted(real.awaiting):
            choice = ask(StewardBot("same"), real, seat)
            other = fold(resample(events[:count], real, dice, seat))
            assert ask(StewardBot("same"), other, seat) == choice
            compared += 1
    assert compared > 40


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_is_given_a_view_the_board_and_the_actions(name: str) -> None:
    bot = make_bot(name, 1)
    hints = get_type_hints(BOTS[name].choose, localns={"Sequence": list})  # type: ignore[attr-defined]
    assert list(inspect.signature(bot.choose).parameters) == ["view", "board", "actions"]
    assert (hints["view"], hints["board"]) == (View, Board)


def test_a_view_that_went_over_the_wire_is_enough() -> None:
    """What a seat is sent as bytes holds all that the steward needs."""
    game = stewards(new_game(3, "wire", setup="expert"), "wire")
    s = fold(game.events[:1])
    asked = 0
    for event in game.events[1:]:
        apply(s, event)
        for seat in sorted(s.awaiting):
            seen = view(s, seat)
            sent = msgspec.json.decode(msgspec.json.encode(seen), type=View)
            actions = legal_actions(s, seat)
            choice = StewardBot("same").choose(sent, s.board, actions)
            assert choice == StewardBot("same").choose(seen, s.board, actions)
            asked += 1
    assert asked > 60


def test_an_unknown_bot_is_refused_by_name() -> None:
    with pytest.raises(BadMaterial, match="there is no bot prophet"):
        make_bot("prophet", 1)


def test_house_rules_of_ones_own_count() -> None:
    rules = msgspec.structs.replace(library.ruleset(), name="ours", limits=False)
    s = new_game(2, 1, rules).state
    assert {town.limit for town in Survey(view(s, 1), s.board).towns} == {NO_LIMIT}
