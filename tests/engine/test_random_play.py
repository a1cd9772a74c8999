"""Random games in every preset, player count and set-up: sound after every event, never stuck."""

from __future__ import annotations

import msgspec
import pytest

from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.chance.dealer import deal
from engine.fold import apply, fold
from engine.rules.setup import open_game
from engine.selfplay import new_game, play_out
from engine.snapshot import position, restore, snapshot
from engine.state import State
from engine.walk import checked_fold
from events.types import AnyEvent
from tests.amounts import Amount, one_in
from tests.engine.soundness import EVERY_KIND_OF_GAME, assert_sound
from tests.hash_seeds import print_under_seeds

GAMES_OF_A_KIND = 12
"""Times 88 kinds of game: a little over a thousand, with `--long`."""


@pytest.mark.parametrize(("ruleset", "players", "setup"), EVERY_KIND_OF_GAME)
def test_games_end_in_year_six_with_a_winner(
    ruleset: str, players: int, setup: str, amount: Amount
):
    for seed in range(amount(4, GAMES_OF_A_KIND)):
        game = play_out(new_game(players, seed, ruleset, setup), RandomBot(seed))
        state = game.state
        assert (state.phase, state.year) == ("over", state.numbers.years), f"seed {seed} is stuck"
        assert state.winners, f"seed {seed} has no winner"


def events_of(ruleset: str, players: int, setup: str, seed: int = 7) -> list[AnyEvent]:
    return play_out(new_game(players, seed, ruleset, setup), RandomBot(seed)).events


@pytest.mark.parametrize(("ruleset", "players", "setup"), EVERY_KIND_OF_GAME)
def test_everything_holds_after_every_event(ruleset: str, players: int, setup: str):
    opening, *following = events_of(ruleset, players, setup)
    state = open_game(opening)
    assert_sound(state)
    for event in following:
        refusal = check(state, event)
        assert refusal is None, f"{event}: {refusal}"
        apply(state, event)
        assert_sound(state)


@pytest.mark.parametrize(("ruleset", "players", "setup"), one_in(5, EVERY_KIND_OF_GAME[::3]))
def test_folding_from_any_snapshot_equals_folding_from_the_start(
    ruleset: str, players: int, setup: str
):
    events = events_of(ruleset, players, setup, seed=3)
    expected = snapshot(fold(events))
    assert snapshot(checked_fold(events)) == expected
    state = open_game(events[0])
    for number, event in enumerate(events[1:], start=1):
        if number % 6 == 1:
            kept = snapshot(state)
            again = restore(kept)
            assert snapshot(again) == kept
            for later in events[number:]:
                apply(again, later)
            assert snapshot(again) == expected, f"from before event {number}"
        apply(state, event)


def seats_in_parallel(state: State) -> list[int]:
    return sorted(state.awaiting) if state.phase == "people" else []


def settle(kept: bytes, order: list[int], seed: int) -> bytes:
    """Let the seats decide turn by turn in an order; each has its own dice, so only it differs."""
    state = restore(kept)
    bots = {seat: RandomBot(f"{seed}/{seat}") for seat in order}
    while state.phase == "people":
        for seat in order:
            if seat in seats_in_parallel(state):
                apply(state, bots[seat].pick(legal_actions(state, seat)))
    return msgspec.msgpack.encode(position(state))


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("ruleset", ["standard", "de", "flush"])
def test_r41_parallel_decisions_commute(ruleset: str, players: int):
    compared = 0
    for seed in range(6):
        game = new_game(players, seed, ruleset, "expert")
        bot = RandomBot(seed)
        while game.state.awaiting:
            seats = seats_in_parallel(game.state)
            if len(seats) > 1:
                kept = snapshot(game.state)
                forth = settle(kept, seats, seed)
                assert settle(kept, seats[::-1], seed) == forth
                assert settle(kept, seats[1:] + seats[:1], seed) == forth
                compared += 1
            game.add(bot.pick(legal_actions(game.state, min(game.state.awaiting))))
    assert compared >= 10, "hardly anyone had to decide at the same time"


def test_a_dealt_game_can_be_dealt_again_from_its_secret():
    """What the dealer adds follows from the secret in the start event alone."""
    events = events_of("flush", 5, "expert")
    state = open_game(events[0])
    secret = events[1].secret
    for event in events[1:]:
        owed = deal(state, secret)
        if owed is not None:
            assert owed == event
        apply(state, event)
    assert deal(state) is None


LOGS = """
import hashlib
from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from engine.snapshot import snapshot
from engine.walk import checked_fold
from events.codec import write_game
for ruleset, players, setup in (
    ("standard", 4, "beginner"), ("fi", 5, "expert"), ("ageing-display", 3, "expert"),
):
    game = play_out(new_game(players, 11, ruleset, setup), RandomBot(11))
    log = write_game("g", game.events)
    print(hashlib.sha256(log).hexdigest(), hashlib.sha256(snapshot(game.state)).hexdigest())
"""


def test_two_processes_with_other_hash_seeds_give_the_same_bytes():
    printed = print_under_seeds(LOGS, ("0", "1", "4242"))
    assert len(printed[0].split()) == 6
    assert len(set(printed)) == 1


def test_the_same_seed_gives_the_same_game():
    one, other = (play_out(new_game(3, "x"), RandomBot("x")) for _ in range(2))
    assert one.events == other.events
