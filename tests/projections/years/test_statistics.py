"""The facts of a game: they agree with the log, the score and the rules of the display."""

from __future__ import annotations

import pytest

from engine.bots import make_bot
from engine.effects import AnyEffect, CardBuried, CitizenMoved, CitizensStarved, DisplayFlushed
from engine.errors import CannotFold
from engine.fold import fold
from engine.material.library import HOUSE_RULES
from engine.material.numbers import DISPLAY_PLACES, YEARS
from engine.rules.scoring import scores
from engine.selfplay import Game, new_game, play_out
from events.types import AskTakeBack, GrantTakeBack, TakeGold
from projections.years.statistics import game_stats, lead_changes


def played(ruleset: str, players: int = 4) -> Game:
    return play_out(new_game(players, "facts", ruleset, "expert"), make_bot("steward", "facts"))


@pytest.mark.parametrize("ruleset", ["standard", *HOUSE_RULES])
def test_the_facts_agree_with_the_game(ruleset: str) -> None:
    game = played(ruleset)
    told: list[AnyEffect] = []
    fold(game.events, told)
    stats = game_stats(game.events)
    assert stats.events == len(game.events)
    assert [seat.points for seat in stats.seats] == [line.total for line in scores(game.state)]
    assert sorted(seat.turn_order for seat in stats.seats) == [1, 2, 3, 4]
    assert next(seat.seat for seat in stats.seats if seat.turn_order == 1) == stats.start
    moved = [effect for effect in told if isinstance(effect, CitizenMoved)]
    assert sum(seat.went for seat in stats.seats) == len(moved)
    assert sum(seat.came for seat in stats.seats) + stats.homeless == len(moved)
    starved = sum(e.citizens for e in told if isinstance(e, CitizensStarved))
    assert sum(seat.starved for seat in stats.seats) == starved


@pytest.mark.parametrize("ruleset", ["standard", "flush", "ageing-display"])
def test_every_card_that_was_shown_was_taken_or_put_away_or_lies_there(ruleset: str) -> None:
    game = played(ruleset)
    told: list[AnyEffect] = []
    fold(game.events, told)
    stats = game_stats(game.events)
    taken = sum(sum(seat.taken.values()) for seat in stats.seats)
    away = sum(isinstance(effect, CardBuried) for effect in told)
    away += sum(len(effect.cards) for effect in told if isinstance(effect, DisplayFlushed))
    assert sum(stats.shown.values()) == taken + away + DISPLAY_PLACES
    assert sum(stats.rotted.values()) == DISPLAY_PLACES * YEARS
    assert min(stats.rotted.values()) >= 0


def test_what_was_taken_back_does_not_count() -> None:
    """The start player takes gold, thinks better of it, and the bots play on as without."""
    game = new_game(2, "back")
    seat = min(game.state.awaiting)
    other = 3 - seat
    game.add(TakeGold(seat=seat))
    for event in (AskTakeBack(seat=seat), GrantTakeBack(seat=other)):
        game.add(event)
    back = game_stats(play_out(game, make_bot("steward", "back")).events)
    plain = game_stats(play_out(new_game(2, "back"), make_bot("steward", "back")).events)
    assert back.seats == plain.seats
    assert back.shown == plain.shown
    assert back.events == plain.events + 3


def test_an_unfinished_game_has_no_facts_yet() -> None:
    with pytest.raises(CannotFold, match="not over"):
        game_stats(new_game(2, 1).events)


def test_the_lead_changes_when_another_leads_alone() -> None:
    first, second, tied = [0], [1], [0, 1]
    assert lead_changes([first, tied, first]) == 0
    assert lead_changes([tied, first, second]) == 1
    assert lead_changes([first, second, first]) == 2
