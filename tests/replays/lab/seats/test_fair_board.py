"""The board with fair seats: sound, and its seats win what was measured when it was chosen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.material import library
from replays.lab.matrix import Batch, matrix
from replays.lab.seats.proposals import changed, is_sound
from replays.lab.seats.tally import tally_games

PLAYERS = [2, 3, 4, 5]
FAIR, FIRST = library.board("toscana-fair"), library.board("toscana")
GAMES = 24
WINS = {
    2: [15.0, 9.0],
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
    setup, before = FAIR.setup_for(players), FIRST.setup_for(players)
    assert setup is not None
    assert before is not None
    assert is_sound(FAIR, players, setup)
    tiles = sum(setup.tiles[field] != tile for field, tile in before.tiles.items())
    assert tiles <= 2  # of twenty-two
    assert changed(setup, before) <= 2 * players


@pytest.mark.long
@pytest.mark.parametrize("players", PLAYERS)
def test_the_seats_win_what_they_won_when_they_were_measured(players: int) -> None:
    board = library.board_ref("toscana-fair")
    [cell] = matrix([library.ruleset()], ["steward"], [players], ["beginner"], [1], board)
    found = tally_games(Batch(cell, list(range(1, GAMES + 1))))
    assert found.wins == pytest.approx(WINS[players], abs=0.001)


def shares(board: str, bots: str) -> dict[int, list[float]]:
    """The table of the lab's page, by the number of players."""
    rows = re.findall(rf"^\| (\d) \| {board} \| {bots} \| \d+ \| (.+) \|$", LAB.read_text(), re.M)
    return {
        int(players): [float(share) for share in re.findall(r"([\d.]+) \(", cells)]
        for players, cells in rows
    }


def test_the_page_tells_of_fair_seats() -> None:
    found = shares("toscana-fair", "steward")
    assert sorted(found) == PLAYERS
    for players, each in found.items():
        assert len(each) == players
        assert sum(each) == pytest.approx(100, abs=0.3)
        assert max(abs(share - 100 / players) for share in each) <= FAIR_WITHIN
