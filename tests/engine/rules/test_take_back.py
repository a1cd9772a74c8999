"""Take-backs: the last action, by an event like any other, and what stays known after it."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine import effects
from engine.actions.check import check
from engine.bots import RandomBot, ask
from engine.copying import copy_state
from engine.fold import apply, fold
from engine.rules.take_back import TURNS
from engine.selfplay import new_game
from engine.snapshot import position, snapshot
from engine.state import State
from engine.view import view
from events.types import (
    AnyEvent,
    AskTakeBack,
    GrantTakeBack,
    HandOver,
    PoliticsShuffled,
    Poll,
    RefuseTakeBack,
    Resign,
    TakeGold,
    YearClosed,
)
from tests.engine.helpers import Table, kinds, tuscany

ASK, GRANT, REFUSE = AskTakeBack(seat=1), GrantTakeBack(seat=2), RefuseTakeBack(seat=2)


def table_bytes(table: Table) -> bytes:
    return msgspec.msgpack.encode(position(table.state))


def polled() -> Table:
    """Seat 1 has looked at two cards, and a new card was turned up for all to see."""
    table = tuscany(politics=["polling"])
    table.play(Poll(seat=1, look=[2, 3]))
    return table


def test_what_showed_nothing_hidden_is_taken_back_at_once():
    table = tuscany()
    before = table_bytes(table)
    table.play(TakeGold(seat=1))
    told = table.play(ASK)
    assert kinds(told, effects.TakenBack) == [effects.TakenBack(seat=1)]
    assert table_bytes(table) == before
    assert table.awaiting() == {1: "politics"}


def test_a_take_back_removes_no_event():
    table = tuscany()
    length = len(table.events)
    table.play(TakeGold(seat=1), ASK)
    assert len(table.events) == length + 2
    assert snapshot(fold(table.events)) == snapshot(table.state)


def test_one_step_after_the_other():
    table = tuscany()
    before = table_bytes(table)
    table.play(TakeGold(seat=1), TakeGold(seat=2))
    assert table.refused(ASK) == "not-your-action"
    table.play(AskTakeBack(seat=2), ASK)
    assert table_bytes(table) == before


def test_only_the_last_action_and_only_ones_own():
    table = Table()
    table.start()
    assert table.refused(ASK) == "nothing-to-take-back"
    table.play(TakeGold(seat=1))
    assert table.refused(AskTakeBack(seat=2)) == "not-your-action"
    table.play(TakeGold(seat=2))
    assert table.refused(ASK) == "not-your-action"


def test_the_others_must_agree_when_something_came_to_light():
    table = polled()
    after = table_bytes(table)
    table.play(ASK)
    assert table_bytes(table) == after
    assert table.refused(ASK) == "asked-already"
    assert table.refused(GrantTakeBack(seat=1)) == "nothing-asked"
    table.play(GRANT)
    assert table.awaiting() == {1: "politics"}
    assert table.player(1).played == []
    assert position(table.state).display[0] == "polling"
    assert table.refused(GRANT) == "nothing-asked"


def test_what_was_seen_stays_known():
    table = polled()
    table.play(ASK, GRANT)
    assert table.player(1).polled_voice == [1, 2]
    assert position(table.state).pile_seen == [24]  # the card that was turned up is on top again
    assert snapshot(fold(table.events)) == snapshot(table.state)


def test_a_refusal_leaves_everything_as_it_is():
    table = polled()
    after = table_bytes(table)
    table.play(ASK, REFUSE)
    assert table_bytes(table) == after
    assert table.refused(REFUSE) == "nothing-asked"
    table.play(ASK)


def test_the_next_action_lets_the_question_lapse():
    table = polled()
    table.play(ASK, TakeGold(seat=2))
    assert table.refused(GRANT) == "nothing-asked"
    assert table.refused(REFUSE) == "nothing-asked"


def test_a_question_that_has_lapsed_is_not_shown():
    table = polled()
    table.play(ASK)
    assert [player.take_back for player in view(table.state).players] == [None, False]
    table.play(TakeGold(seat=2))
    assert [player.take_back for player in view(table.state).players] == [None, None]


def test_what_came_to_light_by_what_was_taken_back_still_asks_for_consent():
    """Seat 2 polled after seat 1's gold: whoever takes the gold back now knows more than then."""
    table = tuscany(politics=["polling"])
    table.play(TakeGold(seat=1), Poll(seat=2, look=[2, 3]))
    table.play(AskTakeBack(seat=2), GrantTakeBack(seat=1))
    assert table.awaiting() == {2: "politics"}
    assert kinds(table.play(ASK), effects.TakenBack) == []
    told = table.play(GRANT)
    assert kinds(told, effects.TakenBack) == [effects.TakenBack(seat=1)]
    assert snapshot(fold(table.events)) == snapshot(table.state)


def test_a_later_action_that_showed_nothing_is_still_taken_back_at_once():
    """And after it the earlier one still asks, for what was seen in between is not forgotten."""
    table = tuscany(politics=["polling"])
    table.play(TakeGold(seat=1), Poll(seat=2, look=[2, 3]))
    table.play(AskTakeBack(seat=2), RefuseTakeBack(seat=1))
    table.play(AskTakeBack(seat=2), GrantTakeBack(seat=1))
    table.play(TakeGold(seat=2))
    told = table.play(AskTakeBack(seat=2))
    assert kinds(told, effects.TakenBack) == [effects.TakenBack(seat=2)]
    assert kinds(table.play(ASK), effects.TakenBack) == []


def test_everyone_else_is_asked_but_bots_and_those_who_left():
    table = Table(4, bots=["", "", "random", ""])
    table.start(politics=["polling"])
    table.play(Resign(seat=4), Poll(seat=1, look=[2, 3]), ASK)
    for seat in (3, 4):
        assert table.refused(GrantTakeBack(seat=seat)) == "nothing-asked"
    told = table.play(GRANT)
    assert kinds(told, effects.TakenBack) == [effects.TakenBack(seat=1)]
    assert table.player(4).resigned is True


def test_among_bots_nobody_need_be_asked():
    table = Table(2, bots=["", "random"])
    table.start(politics=["polling"])
    table.play(Poll(seat=1, look=[2, 3]))
    assert kinds(table.play(ASK), effects.TakenBack) == [effects.TakenBack(seat=1)]


def test_all_of_several_must_agree():
    table = Table(3)
    table.start(politics=["polling"])
    table.play(Poll(seat=1, look=[2, 3]), ASK)
    assert kinds(table.play(GRANT), effects.TakenBack) == []
    assert table.refused(GRANT) == "nothing-asked"
    assert kinds(table.play(GrantTakeBack(seat=3)), effects.TakenBack) == [
        effects.TakenBack(seat=1)
    ]


def test_the_end_of_a_year_can_be_taken_back_with_its_digest():
    table = Table()
    table.start(start=1)
    before = b""
    while table.state.year == 1:
        before = table_bytes(table)
        seat = min(table.awaiting())
        table.play(table.legal(seat)[-1])
    assert isinstance(table.events[-1], YearClosed)
    table.play(AskTakeBack(seat=seat), GrantTakeBack(seat=3 - seat))
    assert table.state.year == 1
    assert table.state.closed == 0
    words, wanted = (msgspec.msgpack.decode(b) for b in (table_bytes(table), before))
    assert words["shown_voice"] == [0, 1, 2, 3, 4]  # the people's wish is known now
    words["shown_voice"] = wanted["shown_voice"]
    words["pile_seen"] = wanted["pile_seen"]
    assert words == wanted


def test_not_across_a_shuffle():
    table = Table(2, ruleset="flush")  # seven cards a year, so that the pile runs out
    table.start()
    for _ in range(400):
        seat = min(table.awaiting())
        table.play(table.legal(seat)[-1])
        if any(isinstance(event, PoliticsShuffled) for event in table.events[-2:]):
            break
    assert table.refused(AskTakeBack(seat=seat)) == "shuffled-since"


@pytest.mark.parametrize("seed", range(6))
def test_checkpoints_change_nothing(seed: int):
    """The same with and without them, however often and however far people go back."""
    dice, bot = random.Random(seed), RandomBot(seed)
    game = new_game(3, f"back/{seed}", "ageing-display", ("beginner", "expert")[seed % 2])
    plain = copy_state(game.state)
    used = 0
    for _ in range(400):
        if not game.state.awaiting:
            break
        seat = last_seat(game.state)
        wish: AnyEvent = AskTakeBack(seat=seat or 1)
        if dice.random() < 0.5 and seat and check(game.state, wish) is None:
            used += bool(game.state.checkpoints)
        elif game.state.take_back and dice.random() < 0.8:
            answering = next(seat for seat, agreed in game.state.take_back.items() if not agreed)
            answer = GrantTakeBack if dice.random() < 0.8 else RefuseTakeBack
            wish = answer(seat=answering)
            if check(game.state, wish) is not None:
                wish = ask(bot, game.state, min(game.state.awaiting))
        elif dice.random() < 0.1:
            wish = HandOver(seat=1, bot="" if game.state.players[1].bot else "random")
        else:
            wish = ask(bot, game.state, min(game.state.awaiting))
        before = len(game.events)
        game.add(wish)
        for event in game.events[before:]:
            plain.checkpoints = ()
            apply(plain, event)
        assert snapshot(plain) == snapshot(game.state)
    assert used > 20


def last_seat(s: State) -> int:
    """Who took the last action."""
    return next((event.seat for event in reversed(s.trail) if type(event) in TURNS), 0)  # type: ignore[union-attr]
