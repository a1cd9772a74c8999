"""The board with fair seats: sound, and its seats win what was measured when it was chosen."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from engine.material import library
from replays.lab.matrix import Batch, matrix
from replays.lab.seats.proposals import changed, is_sound
from replays.lab.seats.tally import tally_games

PLAYERS = [2, 3, 4, 5]
BOARD, FAIR, FIRST = map(library.board, ("toscana-fair-v2", "toscana-fair", "toscana"))
GAMES = 24
WINS = {
    2: [13.5, 10.5],
    3: [7.0, 10.0, 7.0],
    4: [7.0, 4.0, 4.0, 9.0],
    5: [7.0, 3.0, 3.0, 4.0, 7.0],
}
"""Of stewards in so many games; when rules or bots are others, measure anew what LAB.md says."""
LAB = Path(__file__).parents[4] / "replays" / "lab" / "LAB.md"
FAIR_WITHIN = 3.0
"""Points of a hundred by which a seat's share differs from an equal one at most."""


@pytest.mark.parametrize("players", PLAYERS)
def test_the_set_ups_are_sound_and_familiar(players: int) -> None:
    setup, before = BOARD.setup_for(players), FIRST.setup_for(players)
    assert setup is not None
    assert before is not None
    assert is_sound(BOARD, players, setup)
    tiles = sum(setup.tiles[field] != tile for field, tile in before.tiles.items())
    assert tiles <= 2  # of twenty-two
    assert changed(setup, before) <= 2 * players


def test_two_players_alone_begin_otherwise_than_before() -> None:
    two = {"2": BOARD.data.setups["2"]}
    setups = FAIR.data.setups | two
    assert msgspec.structs.replace(FAIR.data, name=BOARD.name, setups=setups) == BOARD.data
    assert setups != FAIR.data.setups


@pytest.mark.long
@pytest.mark.parametrize("players", PLAYERS)
def test_the_seats_win_what_they_won_when_they_were_measured(players: int) -> None:
    board = library.board_ref(BOARD.name)
    [cell] = matrix([library.ruleset()], ["steward"], [players], ["beginner"], [1], board)
    found = tally_games(Batch(cell, list(range(1, GAMES + 1))))
    assert found.wins == pytest.approx(WINS[players], abs=0.001)


def shares(bots: str) -> dict[int, list[tuple[float, ...]]]:
    """The table of the lab's page, by the number of players: each share with its interval."""
    row = rf"^\| (\d) \| {BOARD.name} \| {bots} \| \d+ \| (.+) \|$"
    return {
        int(players): [
            tuple(map(float, share))
            for share in re.findall(r"([\d.]+) \(([\d.]+)–([\d.]+)\)", cells)
        ]
        for players, cells in re.findall(row, LAB.read_text(), re.M)
    }


@pytest.mark.parametrize("bots", ["steward", "quick-prince"])
def test_the_page_tells_of_every_seat(bots: str) -> None:
    found = shares(bots)
    assert sorted(found) == PLAYERS
    for players, each in found.items():
        assert len(each) == players
        assert sum(share for share, _, _ in each) == pytest.approx(100, abs=0.3)


def test_each_stewards_share_is_near_to_an_equal_one() -> None:
    for players, each in shares("steward").items():
        assert max(abs(share - 100 / players) for share, _, _ in each) <= FAIR_WITHIN


def test_no_princes_seat_is_clearly_better_or_worse() -> None:
    for players, each in shares("quick-prince").items():
        assert all(low < 100 / players < high for _, low, high in each)
