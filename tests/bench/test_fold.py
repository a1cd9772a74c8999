"""How fast the fold and the legal actions are, measured against other work in the same run.

No test here knows an absolute time: machines differ, and the same one is not the same tomorrow.
Each figure is the best of several rounds, and what is compared is measured in turn.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import TypeVar

import msgspec
import pytest

from engine.bots import RandomBot
from engine.fold import fold
from engine.selfplay import new_game, play_out
from engine.state import State
from events.codec import read_game, write_game
from events.types import AnyEvent

pytestmark = pytest.mark.long

T = TypeVar("T")

GAMES = 10
LEAST_EVENTS_PER_SUM = 18_000
"""A cold fold did 20,000 to 23,000 events while ten million numbers were added up, where this was
measured. How it compares with decoding alone is printed beside it: there it took 22.7 times as
long, the same code elsewhere 18 to 20 times, so that a bound on it judges the machine."""

LEAST_GAMES_PER_SUM = 7.0
"""50 games a second on a machine that adds up ten million numbers in 0.14 seconds."""

MOST_BYTES_OF_A_LOG = 30_000
MOST_BYTES_OF_MEMORY = 5_000_000


@pytest.fixture(scope="module")
def logs() -> list[bytes]:
    """Random games of four, one half by the beginner set-up and one half by the expert one."""
    return [
        write_game("bench", play_out(new_game(4, seed, setup=setup), RandomBot(seed)).events)
        for seed in range(GAMES // 2)
        for setup in ("beginner", "expert")
    ]


def seconds(work: Callable[[T], object], given: T) -> float:
    start = time.perf_counter()
    work(given)
    return time.perf_counter() - start


def cold_fold(data: bytes) -> State:
    return fold(read_game(data).events)


def play(games: int) -> None:
    for seed in range(games):
        play_out(new_game(4, seed), RandomBot(seed))


def folded_per_second(logs: list[bytes]) -> float:
    decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
    decoding = folding = 0.0
    for data in logs:
        lines = data.partition(b"\n")[2]
        rounds = [
            (seconds(decoder.decode_lines, lines), seconds(cold_fold, data)) for _ in range(50)
        ]
        decoding += min(decode for decode, _ in rounds)
        folding += min(whole for _, whole in rounds)
    events = sum(data.count(b"\n") - 1 for data in logs)
    print(f"fold : decode = {folding / decoding:.1f}, {events / folding:,.0f} events/s")
    return events / folding


def test_a_cold_fold_is_quick(logs: list[bytes]) -> None:
    """From the bytes of a file to the final state, against a plain sum; the best of a few attempts,
    for a neighbour on the machine slows the two unequally."""
    rounds = [(seconds(sum, range(10_000_000)), folded_per_second(logs)) for _ in range(5)]
    sum_seconds = min(adding for adding, _ in rounds)
    events_per_sum = max(each for _, each in rounds) * sum_seconds
    print(f"{events_per_sum:,.0f} events where the sum takes {sum_seconds:.3f} s")
    assert events_per_sum >= LEAST_EVENTS_PER_SUM


def test_random_games_through_the_legal_actions_are_quick() -> None:
    """Whole games, dealt and played, against a plain sum."""
    batch = 10
    rounds = [(seconds(sum, range(10_000_000)), seconds(play, batch)) for _ in range(5)]
    sum_seconds = min(adding for adding, _ in rounds)
    games_per_second = batch / min(playing for _, playing in rounds)
    print(f"{games_per_second:.0f} games/s where the sum takes {sum_seconds:.3f} s")
    assert games_per_second * sum_seconds >= LEAST_GAMES_PER_SUM


def test_a_fold_needs_little_memory(logs: list[bytes]) -> None:
    """All that a fold holds at its worst moment, its events and the board's land included."""
    for data in logs:
        tracemalloc.start()
        try:
            state = cold_fold(data)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert state.phase == "over"
        assert peak < MOST_BYTES_OF_MEMORY


def test_a_finished_game_is_a_small_file(logs: list[bytes]) -> None:
    assert max(map(len, logs)) < MOST_BYTES_OF_A_LOG
