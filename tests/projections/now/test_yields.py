"""What an action is said to cost and bring is what the fold makes of it."""

from __future__ import annotations

import time

import pytest

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.copying import copy_state
from engine.fold import apply_own
from engine.material.library import RULESETS
from engine.selfplay import new_game
from projections.now.suggestion import preview
from projections.now.yields import COUNTED, holdings, yields

SHOWN = ("gold", "food", "citizens", "castles", "figures", "action_cards")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_yields_are_what_the_preview_shows(players):
    compare(players, players, "standard", every=9)


@pytest.mark.long
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_yields_are_what_the_preview_shows_under_all_rules(players, ruleset):
    for seed in range(4):
        compare(players, seed, ruleset, every=5)


def compare(players, seed, ruleset, every):
    game, bot, turns = new_game(players=players, seed=seed, ruleset=ruleset), RandomBot(seed), 0
    while game.state.awaiting:
        s, seat = game.state, min(game.state.awaiting)
        actions = legal_actions(s, seat)
        if turns % every == 0:
            before = holdings(s, seat)
            for action, gained in zip(actions, yields(s, seat, actions), strict=False):
                after = copy_state(s)
                apply_own(after, action)
                then = holdings(after, seat)
                for name in COUNTED:
                    by = getattr(then, name) - getattr(before, name)
                    assert getattr(gained, name) == by, (name, action)
            shown = preview(s, actions[-1]).player(seat)
            gained = (yields(s, seat, actions) or [None])[-1]
            if gained:
                for name in SHOWN:
                    assert getattr(shown, name) == getattr(before, name) + getattr(gained, name)
        turns += 1
        game.add(bot.pick(actions))


def seconds(state, seat, actions) -> float:
    start = time.thread_time()
    yields(state, seat, actions)
    return time.thread_time() - start


def test_all_yields_of_a_turn_are_there_at_once():
    game, bot, slowest = new_game(players=5, seed=3), RandomBot(3), 0.0
    while game.state.awaiting:
        seat = min(game.state.awaiting)
        actions = legal_actions(game.state, seat)
        slowest = max(slowest, min(seconds(game.state, seat, actions) for _ in range(3)))
        game.add(bot.pick(actions))
    assert slowest < 0.04
