"""The search for fair seats: sound steps, the same board for the same seed, one line for errors."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from engine.material import library
from engine.material.inspection import read_board, write_material
from events.material import BeginnerSetup
from replays.lab.seats.__main__ import main
from replays.lab.seats.proposals import changed, is_sound, make_sound, propose
from replays.lab.seats.search import Effort, Search, players_at
from replays.lab.seats.sites import SiteValues, scatter
from replays.lab.seats.tally import Tally

BOARD = library.board(library.FIRST_BOARD)
LITTLE = Effort(survey=3, guesses=20, generations=2, steps=20, proposals=3, more=3, final=4)


def setup_of(players: int) -> BeginnerSetup:
    found = BOARD.setup_for(players)
    assert found is not None
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_steps_are_sound_and_small(players: int) -> None:
    dice = Random(players)
    setup = setup_of(players)
    if players in (3, 5):  # what the books print does not hold there
        assert not is_sound(BOARD, players, setup)
        setup = make_sound(BOARD, players, setup, dice)
        assert changed(setup, setup_of(players)) <= 2
    for _ in range(8):
        step = propose(BOARD, players, setup, [0.1] * players, dice)
        assert step != setup
        assert is_sound(BOARD, players, step)
        assert changed(step, setup) <= 4
        far = scatter(BOARD, players, setup, dice)
        assert is_sound(BOARD, players, far)
        assert far.tiles == setup.tiles


def test_a_castle_too_near_without_food_or_on_rich_land_is_not_sound() -> None:
    setup = setup_of(2)
    assert is_sound(BOARD, 2, setup)
    for castles in (
        [("c12", "f9"), ("c10", "o4")],  # two hexes from c12
        [("c12", "f9"), ("f8", "o4")],  # a junction touches nothing
        [("c12", "n2"), ("l10", "o4")],  # not the same food
    ):
        assert not is_sound(BOARD, 2, msgspec.structs.replace(setup, castles=castles))


def test_the_worth_of_sites_is_found_out() -> None:
    dice, worth = Random(1), {"c12": 0.2, "f9": 0.0, "l10": -0.1, "o4": -0.1}
    setup, samples = setup_of(2), []
    for _ in range(400):
        sites = dice.sample(sorted(worth), 4)
        pairs = [(sites[0], sites[1]), (sites[2], sites[3])]
        drawn = msgspec.structs.replace(setup, castles=pairs)
        luck = dice.gauss(0, 0.2)
        samples.append((drawn, [sum(worth[site] for site in pair) + luck for pair in pairs]))
    values = SiteValues(samples)
    even = msgspec.structs.replace(setup, castles=[("c12", "l10"), ("f9", "o4")])
    for pairs in ([("c12", "f9"), ("l10", "o4")], [("c12", "l10"), ("f9", "o4")]):
        guessed = values.strengths(msgspec.structs.replace(setup, castles=pairs))
        wanted = (sum(worth[site] for site in pairs[0]) - sum(worth[s] for s in pairs[1])) / 2
        assert guessed[0] == pytest.approx(wanted, abs=0.05)
    assert values.unfairness(even) < values.unfairness(setup)


def test_a_tally_says_how_far_seats_are_from_their_share() -> None:
    tally = Tally.empty(2)
    tally.add(Tally([3.0, 1.0], [80, 72], 4))
    assert tally.off == [0.25, -0.25]
    assert tally.worst == 0.25
    assert tally.strength == pytest.approx([0.145, -0.145])
    assert tally.unfairness == pytest.approx(0.145)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_seed_finds_the_same_set_up(jobs: int) -> None:
    told: list[list[str]] = []
    found = []
    for each in (1, jobs):
        told.append([])
        with players_at(each) as play:
            search = Search(BOARD.data, 2, 7, play, told[-1].append, LITTLE, bots=("random",))
            found.append(search.run())
    assert found[0] == found[1]
    assert told[0] == told[1]
    assert is_sound(BOARD, 2, found[0])
    assert found[0] in search.with_setup(found[0]).setups.values()


@pytest.mark.long
def test_a_small_search_by_its_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start, out = tmp_path / "start.json", tmp_path / "out.json"
    start.write_bytes(write_material(BOARD.data))
    words = ["--board", str(start), "--name", "mine", "--players", "2", "--out", str(out)]
    few = ["--survey", "2", "--generations", "1", "--final", "4", "--seed", "3"]
    assert main([*words, *few]) == 0
    board = read_board(out.read_bytes())
    assert board.name == "mine"
    others = {n: setup for n, setup in board.setups.items() if n != "2"}
    assert others == {n: setup for n, setup in BOARD.data.setups.items() if n != "2"}
    assert "2 players, judged: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--board", "atlantis"], "seats: nothing built in is named atlantis"),
        (["--board", "missing.json"], "seats: [Errno 2] No such file or directory"),
    ],
)
def test_an_error_is_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--out", str(tmp_path / "out.json")]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(said)
