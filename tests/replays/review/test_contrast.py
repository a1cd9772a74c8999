"""Why an action is better: facts of two lines in the same worlds, blind to what was not seen."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.bots import StewardBot, make_bot
from engine.chance.resample import resample
from engine.fold import apply, fold
from engine.material import library
from engine.selfplay import new_game, play_out
from engine.view import view
from events.types import AnyEvent, Build, TakeGold, Turn
from projections.words.contrast import LABELS, Difference, Fact, amounts, tell_contrast
from replays.cursor import Cursor
from replays.review.contrast import (
    ALWAYS,
    LEAST,
    LEAST_COUNT,
    MOST,
    Contrast,
    compare_lines,
    contrast,
    shown_world,
)
from replays.review.game import Decision, review_decision
from replays.review.practice import attempt, mistakes

NAMES = ["Anna", "Bob", "Cleo"]


@pytest.fixture(scope="module")
def game() -> Cursor:
    bots = [StewardBot(1), make_bot("random", 1), StewardBot(3)]
    return Cursor(play_out(new_game(3, 11), bots).events)


@pytest.fixture(scope="module")
def mistake(game: Cursor) -> Decision:
    """A quarry where the people go hungry: a farm would have fed them."""
    found = review_decision(game, 13, "a", 200)
    assert mistakes([found], 2) == [found]
    assert mistakes([found], 1) == []
    return found


@pytest.fixture(scope="module")
def hungry(game: Cursor, mistake: Decision) -> Contrast:
    assert mistake.judgement is not None
    return contrast(game, mistake.number, mistake.judgement.other, "a")


def test_the_difference_is_named_in_facts(hungry: Contrast, mistake: Decision) -> None:
    assert mistake.judgement is not None
    played, better = mistake.judgement.played, mistake.judgement.other
    assert isinstance(played, Build)
    assert isinstance(better, Build)
    assert (played.building, better.building) == ("quarry", "farm")
    told = {each.fact: each for each in hungry.differences}
    assert told[Fact("starved")].better < told[Fact("starved")].played
    assert told[Fact("food")].better > told[Fact("food")].played
    assert told[Fact("buildings", building="farm")] == Difference(
        Fact("buildings", building="farm"), 0.0, 1.0
    )
    assert told[Fact("win")].better > told[Fact("win")].played
    subjects = [each.fact.subject for each in hungry.differences]
    assert subjects == sorted(subjects, key=list(MOST).index)
    for each in hungry.differences:
        gain = each.better - each.against_better - each.played + each.against_played
        least = LEAST.get(each.fact.subject, LEAST_COUNT)
        assert each.fact.subject in ALWAYS or abs(gain) >= least


def test_both_lines_can_be_looked_at_to_the_end_of_the_year(
    game: Cursor, hungry: Contrast, mistake: Decision
) -> None:
    before = game.at(mistake.number - 1)
    known = view(before, mistake.seat)
    ends = []
    for line in (hungry.played, hungry.better):
        s = shown_world(known, before.board, hungry)
        assert view(s, mistake.seat) == known
        for event in line:
            assert s.year == hungry.year
            apply(s, event)
        assert s.year == hungry.year + 1
        ends.append(s.food_of(mistake.seat))
    assert ends[0] < ends[1]


def test_the_same_seed_tells_the_same_and_hidden_cards_tell_nothing(
    game: Cursor, mistake: Decision
) -> None:
    before = game.events[: mistake.number - 1]
    other = resample(before, fold(before), random.Random(5), mistake.seat)
    assert other != before
    assert mistake.judgement is not None
    turn: AnyEvent = game.events[mistake.number - 1]
    found = [
        contrast(Cursor([*log, turn]), mistake.number, mistake.judgement.other, seed, worlds=2)
        for log, seed in ((before, "a"), (other, "a"), (before, "b"))
    ]
    one, same, another = map(msgspec.json.encode, found)
    assert one == same != another


def test_relocation_and_arches_are_told_by_neighbour_and_service() -> None:
    """Towards the end of a year that moves citizens between two neighbours."""
    board = library.board_ref(library.FAIR_BOARD)
    game = Cursor(play_out(new_game(2, 4, board=board), [StewardBot(1), StewardBot(2)]).events)
    kinds = set()
    for number in (31, 33):
        seat = game.moments[number - 1].seat
        action: Turn = legal_actions(game.at(number - 1), seat)[-1]
        for each in contrast(game, number, action, "a", worlds=3).differences:
            kinds.add(each.fact.subject)
            if each.fact.subject in ("arches", "moved-in", "moved-out"):
                assert each.fact.service
                assert each.fact.rival == 3 - seat
    assert {"arches", "moved-in", "moved-out"} <= kinds


def test_the_same_action_on_either_side_makes_no_difference(game: Cursor) -> None:
    s = game.at(12)
    action = legal_actions(s, 2)[0]
    found = compare_lines(view(s, 2), s.board, action, action, "a", worlds=2)
    assert [each.fact.subject for each in found.differences] == list(ALWAYS)
    assert found.played == found.better
    assert all(each.played == each.better for each in found.differences)


def test_every_fact_has_words() -> None:
    assert set(LABELS) == set(MOST)
    full = Fact("arches", "health", 2, "a1", "b2", "farm")
    for subject in LABELS:
        told = tell_contrast(
            Difference(msgspec.structs.replace(full, subject=subject), 1, 2, 3, 4), NAMES
        )
        assert told.endswith(".")
        assert "{" not in told
    assert amounts(Difference(full, 1, 2, 3, 2.5)) == ("1 : 3", "2 : 2.5")


def test_a_try_is_judged_beside_the_best(game: Cursor, mistake: Decision) -> None:
    assert mistake.judgement is not None
    assert attempt(game, mistake, mistake.judgement.other, "a").verdict == "best"
    assert attempt(game, mistake, mistake.judgement.played, "a").verdict == "played"
    gold = attempt(game, mistake, TakeGold(seat=mistake.seat), "a", budget=200)
    assert gold.verdict == "worse"
    assert gold.lost is not None
    assert gold.lost.low > 0
    # Where the review's best is no better than gold, gold is as good.
    fountain = Build(seat=mistake.seat, building="fountain", at="g14", card="action")
    weak = msgspec.structs.replace(mistake.judgement, other=fountain)
    easy = msgspec.structs.replace(mistake, judgement=weak)
    farm = attempt(game, easy, mistake.judgement.other, "a", budget=200)
    assert farm.verdict == "as-good"
