"""Neighbours side by side: exact small cases, and what relocation then really does."""

from __future__ import annotations

from itertools import combinations

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.copying import copy_state
from engine.effects import AnyEffect, CitizenMoved, VoiceSpoke
from engine.fold import apply, apply_own
from engine.material.numbers import SERVICES, VOICE_CARDS_A_YEAR
from engine.rules.relocation import voices
from engine.selfplay import play_out
from engine.snapshot import snapshot
from engine.state import State
from engine.view import HIDDEN, view
from events.types import Build, FoundCity, Pass, Poll, TakeGold
from projections.now.comparison import compare, voice_odds
from projections.now.outlook import VOICES
from projections.now.suggestion import suggest
from tests.projections.cases import begun, face_to_face
from tests.projections.now.hidden import dealt_otherwise

encode = msgspec.json.encode


def test_two_cities_grow_towards_each_other() -> None:
    """R34: three empty hexes between are too many, two and one are not."""
    s = face_to_face()
    assert compare(s, 1).pairs == []
    apply(s, Build(seat=2, building="farm", at="f11", card="action"))
    apply(s, Build(seat=1, building="statue", at="f7", card="action"))
    (pair,) = compare(s, 1).pairs
    assert pair.between == 2
    assert [(side.city, side.seat, side.citizens, side.room) for side in pair.sides] == [
        ("f6", 1, 4, 1),
        ("f10", 2, 4, 1),
    ]
    assert [points.arches for points in pair.sides[0].points] == [1, 0, 0]
    takings = [(taking.city, taking.from_city, taking.room) for taking in pair.takings]
    assert takings == [("f6", "f10", True), ("", "", False), ("", "", False)]
    apply(s, Build(seat=2, building="school", at="f9", card="action"))
    (pair,) = compare(s, 2).pairs
    assert pair.between == 1
    assert [taking.city for taking in pair.takings] == ["f6", "f10", ""]
    moves = {tuple(voice.services): voice.moves for voice in compare(s, 2).voices}
    assert [(move.city, move.from_city) for move in moves[("culture",)]] == [("f6", "f10")]
    assert [(move.city, move.from_city) for move in moves[("education",)]] == [("f10", "f6")]
    assert moves[("health",)] == []
    both = [(move.city, move.from_city) for move in moves[("culture", "education")]]
    assert both == [("f10", "f6"), ("f6", "f10")], "the start player, seat 2, takes first"
    apply(s, TakeGold(seat=1))
    apply(s, FoundCity(seat=2, at="p3", source="f10"))
    assert [side.citizens for side in compare(s, 2).pairs[0].sides] == [4, 3]


def test_a_full_city_takes_without_room() -> None:
    """R37: in year 2 the city with the statue has its five; the other has lost one all the same."""
    s = face_to_face()
    apply(s, TakeGold(seat=2))
    apply(s, Build(seat=1, building="statue", at="f7", card="action"))
    while s.year == 1:
        seat = min(s.awaiting)
        more = s.players[seat].action_cards
        apply(s, TakeGold(seat=seat) if more else Pass(seat=seat))
    (pair,) = compare(s, 1).pairs
    assert [(side.citizens, side.room) for side in pair.sides] == [(5, 0), (4, 1)]
    assert (pair.takings[0].city, pair.takings[0].room) == ("f6", False)


def test_voice_odds_before_and_after_a_poll() -> None:
    """R13, R31: one culture card lies open; 26 others can lie in three places."""
    s = face_to_face()
    odds = voice_odds(s, 1)
    assert odds.known == ["culture", HIDDEN, HIDDEN, HIDDEN]
    assert odds.unseen == {"culture": 8, "education": 9, "health": 9}
    assert odds.deals == 2600
    assert [(chance.deals, chance.percent) for chance in odds.chances] == [
        (1208, 46),
        (408, 16),
        (408, 16),
        (288, 11),
        (288, 11),
        (0, 0),
    ]
    s.players[1].polled_voice |= 0b0110
    mine, theirs = voice_odds(s, 1), voice_odds(s, 2)
    assert mine.known == ["culture"] * 3 + [HIDDEN]
    assert (mine.chances[0].deals, mine.chances[0].percent, mine.deals) == (24, 100, 24)
    assert theirs == odds


def counted(s: State, seat: int) -> dict[tuple[int, ...], int]:
    """The deals of each voice, counted card by card."""
    known = s.shown_voice | s.players[seat].polled_voice
    unseen = [s.voice[index] for index in range(len(s.voice)) if not known >> index & 1]
    first = VOICE_CARDS_A_YEAR * (s.year - 1)
    seen = [s.voice[i] for i in range(first, first + VOICE_CARDS_A_YEAR) if known >> i & 1]
    deals = dict.fromkeys(VOICES, 0)
    for cards in combinations(unseen, VOICE_CARDS_A_YEAR - len(seen)):
        counts = [[*seen, *cards].count(service) for service in range(3)]
        deals[tuple(i for i in range(3) if counts[i] == max(counts))] += 1
    return deals


def test_voice_odds_are_the_deals_counted_one_by_one() -> None:
    polls = 0
    for seed in range(14):
        game, bot = begun(seed), RandomBot(seed)
        s = game.state
        while s.awaiting:
            actions = legal_actions(s, min(s.awaiting))
            looks = [action for action in actions if isinstance(action, Poll)]
            game.add(bot.pick(looks or actions))
            if not looks or s.phase != "politics":
                continue
            polls += 1
            for viewer in range(1, len(s.seats) + 1):
                odds = voice_odds(s, viewer)
                found = [chance.deals for chance in odds.chances]
                assert found == list(counted(s, viewer).values())
                assert odds.known == view(s, viewer).voice[-1]
    assert polls > 10


@pytest.mark.parametrize("chunk", range(4))
def test_relocation_does_what_the_comparison_said(chunk: int) -> None:
    """For the voice that came: every move, in order, with or without room."""
    tallies = moved = due = 0
    for seed in range(chunk * 6, chunk * 6 + 6):
        game, bot = begun(seed), RandomBot(seed)
        s = game.state
        due += s.numbers.years
        expected: list[CitizenMoved] | None = None
        came: list[CitizenMoved] = []
        while s.awaiting:
            seat = min(s.awaiting)
            action = suggest(s, seat) or bot.pick(legal_actions(s, seat))
            before = copy_state(s)
            told: list[AnyEffect] = []
            game.add(action, told)
            spoke = next((effect for effect in told if isinstance(effect, VoiceSpoke)), None)
            if spoke is not None:
                apply_own(before, action)
                found = compare(before, seat)
                (expected,) = [v.moves for v in found.voices if v.services == spoke.services]
                came = []
                for move in expected if len(spoke.services) == 1 else []:
                    pairs = [(t.city, t.from_city) for pair in found.pairs for t in pair.takings]
                    assert (move.city, move.from_city) in pairs
            came += [effect for effect in told if isinstance(effect, CitizenMoved)]
            if expected is not None and s.phase != "relocation":
                assert came == expected
                tallies, moved, expected = tallies + 1, moved + len(came), None
    assert tallies == due
    assert moved > 10


def test_in_relocation_and_after_it_the_voice_is_certain() -> None:
    seen = 0
    for seed in range(12):
        game, bot = begun(seed), RandomBot(seed)
        while game.state.awaiting:
            s = game.state
            if s.phase in ("relocation", "people"):
                (voice,) = compare(s, 0).voices
                assert voice.services == [SERVICES[service] for service in voices(s)]
                assert voice.percent == 100
                seen += 1
            game.add(bot.pick(legal_actions(s, min(s.awaiting))))
        assert compare(game.state, 1).voices == []
    assert seen > 20


@pytest.mark.parametrize("seed", range(8))
def test_a_comparison_does_not_depend_on_hidden_cards(seed: int) -> None:
    events = play_out(begun(seed), RandomBot(seed)).events
    for real, other, seat in dealt_otherwise(events, seed):
        before = snapshot(real)
        assert encode(compare(real, seat)) == encode(compare(other, seat))
        assert snapshot(real) == before
