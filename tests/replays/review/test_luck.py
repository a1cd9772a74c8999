"""Luck: nothing on average over what could have come, by what nobody had seen."""

from __future__ import annotations

import math

import pytest

from engine.bots import StewardBot
from engine.bots.prospects import prospects
from engine.fold import fold
from engine.selfplay import new_game, play_out
from engine.view import view
from events.types import AnyEvent, AskTakeBack, GrantTakeBack, Poll, TakeGold
from replays.review.chance import Chance, Reveal, deal_otherwise, outcomes, reveals
from replays.review.luck import Draw, EventLuck, draw_of, mattered_most, seat_luck

KINDS: tuple[Chance, ...] = ("lot", "voice", "tally", "poll", "card")


@pytest.fixture(scope="module")
def game() -> list[AnyEvent]:
    return play_out(new_game(3, 5), StewardBot(5)).events


@pytest.fixture(scope="module")
def found(game: list[AnyEvent]) -> list[Reveal]:
    return [reveal for each in reveals(game).values() for reveal in each]


@pytest.mark.parametrize("chance", KINDS)
def test_over_all_that_could_have_come_luck_is_nothing(
    game: list[AnyEvent], found: list[Reveal], chance: Chance
) -> None:
    """Each in turn is made what really came: the worlds and their mean stay the same."""
    of_kind = [reveal for reveal in found if reveal.chance == chance]
    reveal = of_kind[len(of_kind) // 2]
    possible = outcomes(game, reveal)
    assert sum(outcome.share for outcome in possible) == pytest.approx(1)
    assert len(possible) > 1
    draws = []
    for outcome in possible:
        other = deal_otherwise(game, reveal, outcome, "other")
        [came] = [each.came for each in outcomes(other, reveal) if each.true]
        assert came == outcome.came
        draw = draw_of(other, reveal, "a", worlds=1)
        assert draw is not None
        draws.append(draw)
    assert max(abs(value) for draw in draws for value in draw.points) > 0
    for values in ([draw.win for draw in draws], [draw.points for draw in draws]):
        for of_seat in zip(*values, strict=True):
            mean = sum(o.share * value for o, value in zip(possible, of_seat, strict=True))
            assert mean == pytest.approx(0, abs=1e-9)


def test_until_it_comes_nobody_could_tell_what_comes(
    game: list[AnyEvent], found: list[Reveal]
) -> None:
    hidden = 0
    for reveal in found[3::4]:
        before = fold(game[: reveal.number - 1])
        if before.chance:
            continue
        for outcome in outcomes(game, reveal)[:2]:
            log = deal_otherwise(game, reveal, outcome, "a")
            other = fold(log[:-1])
            assert all(view(other, seat) == view(before, seat) for seat in (0, *before.players))
            hidden += other.pile != before.pile
    assert hidden > 10


def test_every_card_comes_to_light_once(game: list[AnyEvent], found: list[Reveal]) -> None:
    voice = [
        card
        for reveal in found
        if reveal.chance in ("voice", "tally", "poll")
        for card in reveal.cards
    ]
    assert sorted(voice) == list(range(24))
    polls = sum(isinstance(event, Poll) for event in game)
    assert 0 < sum(reveal.chance == "poll" for reveal in found) <= polls
    refills = [reveal for reveal in found if reveal.chance == "card"]
    assert len(refills) > 25
    for reveal in refills:
        [came] = [outcome.came[0] for outcome in outcomes(game, reveal) if outcome.true]
        assert came in view(fold(game[: reveal.number])).display


def test_of_three_cards_from_nine_of_each(found: list[Reveal], game: list[AnyEvent]) -> None:
    first = next(reveal for reveal in found if reveal.chance == "voice")
    assert [outcome.share for outcome in outcomes(game, first)] == pytest.approx([1 / 3] * 3)
    poll = next(reveal for reveal in found if reveal.chance == "poll")
    unseen = 27 - poll.voice_seen.bit_count()
    ways = math.comb(unseen, len(poll.cards))
    for outcome in outcomes(game, poll):
        assert (outcome.share * ways) == pytest.approx(round(outcome.share * ways))


def test_what_was_taken_back_brought_nothing_to_light() -> None:
    events: list[AnyEvent] = [*new_game(2, 1).events]
    events += [TakeGold(seat=1), AskTakeBack(seat=1), GrantTakeBack(seat=2)]
    assert list(reveals(events)) == [2]


def test_the_result_less_luck() -> None:
    state = play_out(new_game(2, 3, "short-evening"), StewardBot(3)).state
    result = prospects(state)
    draws = [
        Draw("card", 1, ["palace"], [0.1, -0.1], [2.0, -1.0]),
        Draw("tally", 1, ["health"], [-0.3, 0.3], [0.0, 0.5]),
    ]
    lucks = [EventLuck(5, draws[:1]), EventLuck(9, draws[1:])]
    one, two = seat_luck(result, lucks)
    assert (one.win, one.points) == (pytest.approx(-0.2), 2.0)
    assert one.adjusted_win == pytest.approx(result[1].win + 0.2)
    assert two.adjusted_points == result[2].points + 0.5
    assert two.by_chance == {"card": -0.1, "tally": 0.3}
    assert [number for number, _ in mattered_most(lucks)] == [9, 5]
