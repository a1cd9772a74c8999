"""What-if lines: the real rules, nested, with the cards as they were or dealt anew."""

from __future__ import annotations

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.bots import RandomBot, ask
from engine.errors import CannotFold
from engine.refusals import NotAllowed
from engine.selfplay import play_out
from engine.snapshot import snapshot
from engine.turn import play
from engine.view import view
from events.types import PlaceCastle, TakeGold
from replays.cursor import Cursor
from replays.notes.annotations import Author, LineBegun, LineContinued, Place
from replays.notes.notebook import read_notebook, write_down
from replays.whatif.lines import cursor_at, let_bot_play, redealt, with_deals
from tests.first_board import new_game

BY = Author(name="Anna")


@pytest.fixture(scope="module")
def game() -> Cursor:
    return Cursor(play_out(new_game(players=3, seed=11), RandomBot(11)).events)


def begun(id_: str, at: Place, events: list, **also: object) -> LineBegun:
    return LineBegun(by=BY, line=id_, at=at, events=events, seen_by="me", **also)


def test_the_recorded_actions_as_a_line_give_the_recorded_game(game):
    book = read_notebook([begun("x", Place(number=30), game.events[30:60])])
    line = cursor_at(game, book, Place(number=60, line="x"))
    assert snapshot(line.at(60)) == snapshot(game.at(60))
    assert line.moments == game.moments[:60]


def test_a_line_in_a_line_continued(game):
    state = game.at(40)
    bot = RandomBot(3)
    first = let_bot_play(state, bot, 5)
    book = read_notebook([begun("x", Place(number=40), first)])
    inner = cursor_at(game, book, Place(number=42, line="x"))
    other = play(inner.at(42), ask(RandomBot(9), inner.at(42), min(inner.at(42).awaiting)))
    write_down(book, begun("y", Place(number=42, line="x"), other))
    nested = cursor_at(game, book, Place(number=43, line="y"))
    assert nested.events == [*game.events[:40], *first[:2], *other]
    further = let_bot_play(nested.at(nested.last), bot, 10_000)
    write_down(book, LineContinued(by=BY, line="y", events=further))
    whole = cursor_at(game, book, Place(number=43, line="y"))
    assert whole.at(whole.last).phase == "over"


def test_an_illegal_action_is_refused_with_its_reason(game):
    wrong = TakeGold(seat=1 + min(game.at(30).awaiting) % 3)
    with pytest.raises(NotAllowed) as refused:
        play(game.at(30), wrong)
    assert refused.value.refusal.code == "not-awaited"
    book = read_notebook([begun("x", Place(number=30), [wrong])])
    with pytest.raises(NotAllowed):
        cursor_at(game, book, Place(number=30, line="x"))


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_dealt_anew_nobody_at_that_seat_could_tell(game, seat):
    differing = 0
    for number in range(5, game.last, 23):
        deals = redealt(game, number, seat, seed=number)
        other = with_deals(game, number, deals)
        assert view(other.at(number), seat) == view(game.at(number), seat)
        differing += snapshot(other.at(number)) != snapshot(game.at(number))
        on = let_bot_play(other.at(number), RandomBot(1), 3)
        book = read_notebook([begun("x", Place(number=number), on, deals=deals, seat=seat)])
        assert cursor_at(game, book, Place(number=number, line="x")).events[number:] == on
    assert differing > 3


def test_dealt_anew_does_not_depend_on_the_hidden_cards(game):
    """Whoever is handed the line, seed and all, learns nothing of the real cards."""
    for seat in (0, 1):
        swapped = with_deals(game, 30, redealt(game, 30, seat, seed=77))
        assert redealt(swapped, 30, seat, seed=5) == redealt(game, 30, seat, seed=5)


def test_deals_that_are_none_are_refused(game):
    deals = redealt(game, 30, 0, seed=1)
    with pytest.raises(CannotFold, match="nothing was dealt"):
        with_deals(game, 30, [type(deals[0])(number=9, event=deals[0].event)])
    start = msgspec.structs.replace(deals[0].event, politics=deals[0].event.politics[:-1])
    with pytest.raises(CannotFold):
        with_deals(game, 30, [type(deals[0])(number=deals[0].number, event=start)])


def test_castles_may_be_placed_otherwise():
    log = Cursor(play_out(new_game(players=2, seed=2, setup="expert"), RandomBot(2)).events)
    first = log.events[2]
    assert isinstance(first, PlaceCastle)
    other = next(action for action in legal_actions(log.at(2), first.seat) if action.at != first.at)
    book = read_notebook([begun("x", Place(number=2), play(log.at(2), other))])
    assert view(cursor_at(log, book, Place(number=3, line="x")).at(3)).cities[0].castle == other.at
