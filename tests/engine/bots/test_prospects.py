"""Prospects: they add up, know what everyone knows, and come true as often as they say."""

from __future__ import annotations

import random

import pytest

from engine.bots import RandomBot
from engine.bots.prospects import prospects, stage_of
from engine.bots.quick_steward import hasty
from engine.chance.dealer import deal_shuffle
from engine.chance.resample import resample
from engine.fold import apply, fold
from engine.material import library
from engine.rules.scoring import score
from engine.selfplay import new_game, play_out
from engine.state import State
from events.types import Resign

GAMES = 60
FAR_OFF = 0.12
"""Sixty games are few: over five hundred it is four hundredths (see BOTS.md)."""


def play(s: State) -> list[tuple[float, int]]:
    """A stewards' game: at eight rounds what was said of each seat, with the seat."""
    dice = random.Random(s.secret)
    stages = sorted(dice.sample([(year, r) for year in range(1, 7) for r in range(1, 6)], 8))
    said = []
    while s.awaiting:
        if s.phase == "politics" and stages and stage_of(s) >= stages[0]:
            stages.pop(0)
            said += [(found.win, seat) for seat, found in prospects(s).items()]
        apply(s, hasty(s, min(s.awaiting)))
        while s.chance:
            apply(s, deal_shuffle(s))
    return said


@pytest.mark.long
def test_they_come_true_as_often_as_they_say() -> None:
    bins: list[list[tuple[float, float]]] = [[] for _ in range(4)]
    for seed in range(GAMES):
        s = new_game(4, f"calibration/{seed}", setup="expert" if seed % 2 else "beginner").state
        for said, seat in play(s):
            came = (seat in s.winners) / len(s.winners)
            bins[min(3, int(4 * said))].append((said, came))
    for found in bins:
        assert len(found) > 50
        off = sum(came - said for said, came in found) / len(found)
        assert abs(off) < FAR_OFF


def test_after_the_end_they_are_what_came() -> None:
    s = play_out(new_game(3, 4), RandomBot(4)).state
    found = prospects(s)
    assert all(found[seat].points == score(s, seat).total for seat in s.players)
    assert [seat for seat in s.players if found[seat].win] == s.winners


def test_nothing_hidden_counts() -> None:
    game = new_game(4, 4)
    events = play_out(game, RandomBot(4)).events[:40]
    other = resample(events, fold(events), random.Random(1))
    assert other != events
    assert prospects(fold(events)) == prospects(fold(other))


def test_who_has_resigned_wins_nothing() -> None:
    events = [*new_game(3, 4).events, Resign(seat=2)]
    found = prospects(fold(events))
    assert found[2].win == 0
    assert sum(each.win for each in found.values()) == pytest.approx(1)


@pytest.mark.parametrize("preset", library.RULESETS)
def test_every_preset_has_prospects(preset: str) -> None:
    s = play_out(new_game(2, 4, preset), RandomBot(4)).events
    for cut in range(2, len(s), 7):
        found = prospects(fold(s[:cut]))
        assert sum(each.win for each in found.values()) == pytest.approx(1)
