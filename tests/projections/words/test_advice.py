"""A bot's advice in words: a sentence for every reason and every action."""

from __future__ import annotations

from typing import get_args

import pytest

from engine.actions.legal import legal_actions
from engine.bots import BOTS, PrinceBot, RandomBot, StewardBot, make_bot
from engine.bots.motive import ONE_PRINCIPLE, Principle, Reason
from engine.fold import apply, fold
from engine.selfplay import new_game, play_out
from engine.view import view
from events.types import Build, HoldGames, Pass, TakeGold, Turn
from projections.words.advice import COMPARED, DOING, ONLY, WHY, advise, doing, why


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_gives_its_reason_in_a_sentence(name: str) -> None:
    s = new_game(3, "advice").state
    seat = min(s.awaiting)
    actions = legal_actions(s, seat)
    bot = PrinceBot(1, nodes=120) if name == "prince" else make_bot(name, 1)
    action, sentence = advise(view(s, seat), s.board, actions, bot)
    assert action in actions
    assert sentence.endswith(".")
    assert "{" not in sentence


def test_the_steward_has_many_reasons() -> None:
    """Over games of dice, where everything comes up that can be owed."""
    said = set()
    for seed in range(4):
        game = play_out(new_game(4, f"reasons/{seed}", "ageing-display", "expert"), RandomBot(seed))
        s = fold(game.events[:1])
        for event in game.events[1:]:
            apply(s, event)
            for seat in sorted(s.awaiting):
                seen, actions = view(s, seat), legal_actions(s, seat)
                said.add(advise(seen, s.board, actions, StewardBot(seed))[1])
    assert said <= set(WHY.values())
    assert len(said) >= 10


@pytest.mark.parametrize("name", BOTS)
def test_where_nothing_else_is_allowed_nobody_thinks(name: str) -> None:
    s = new_game(2, "only").state
    seat = min(s.awaiting)
    only = legal_actions(s, seat)[-1]
    assert advise(view(s, seat), s.board, [only], make_bot(name, 1)) == (only, ONLY)


def test_there_are_words_for_everything() -> None:
    assert set(WHY) | {"cost"} == {*get_args(Principle), "dice"}
    assert set(COMPARED) == {"better", "worse", "as-good"}
    assert set(DOING) == set(Turn.__args__)
    assert set(DOING) - set(ONE_PRINCIPLE) == {Build, HoldGames}


def test_the_prince_compares() -> None:
    farm = Build(seat=1, building="farm", at="c7", card="action")
    assert why(Reason("better", 1.25, 12, farm)) == (
        "Tried out 12 times, it came out 1.2 points better than building a farm on c7."
    )
    assert why(Reason("worse", 0.96, 1, TakeGold(seat=1))) == (
        "Tried out once, it came out 1.0 points worse than taking gold."
    )
    assert why(Reason("as-good", 0.01, 3, Pass(seat=1))) == (
        "Tried out 3 times, it came out as good as passing."
    )
    assert doing(farm) == "building a farm on c7"
