"""Random games with resignations, bots and take-backs in between; and what nobody may know."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.fold import apply, fold
from engine.selfplay import Game, new_game
from engine.snapshot import position, restore, snapshot
from engine.state import State
from engine.walk import checked_fold
from events.types import AnyEvent, AskTakeBack, GrantTakeBack, HandOver, RefuseTakeBack, Resign
from tests.engine.soundness import EVERY_KIND_OF_GAME, assert_sound


def table_words(state: State) -> dict[str, Any]:
    """The position without anybody's knowledge: what was seen stays seen."""
    words = msgspec.to_builtins(position(state))
    for name in ("shown_voice", "pile_seen"):
        del words[name]
    for player in words["players"]:
        del player["polled_voice"]
    return words


def add(game: Game, event: AnyEvent) -> None:
    refusal = check(game.state, event)
    assert refusal is None, f"{event}: {refusal}"
    game.add(event)
    assert_sound(game.state)


def try_take_back(game: Game, seat: int, before: dict[str, Any], dice: random.Random) -> bool:
    """The last actor asks, the others agree or not. True when it was taken back."""
    ask = AskTakeBack(seat=seat)
    if check(game.state, ask) is not None:
        return False
    now = table_words(game.state)
    add(game, ask)
    willing = dice.random() < 0.7
    for asked in sorted(game.state.take_back):
        answer = GrantTakeBack(seat=asked) if willing else RefuseTakeBack(seat=asked)
        add(game, answer)
        if not willing:
            break
    after = table_words(game.state)
    assert after in (before, now)
    return after == before


@pytest.mark.parametrize(("ruleset", "players", "setup"), EVERY_KIND_OF_GAME[1::4])
def test_take_backs_lead_back_to_where_the_game_was(ruleset: str, players: int, setup: str):
    game, bot, dice = new_game(players, 2, ruleset, setup), RandomBot(2), random.Random(2)
    taken_back = 0
    while game.state.awaiting and len(game.events) < 400:
        before = table_words(game.state)
        seat = min(game.state.awaiting)
        add(game, bot.pick(legal_actions(game.state, seat)))
        if dice.random() < 0.25 and game.state.phase != "over":
            taken_back += try_take_back(game, seat, before, dice)
    assert taken_back >= 2
    assert snapshot(fold(game.events)) == snapshot(game.state)
    assert snapshot(checked_fold(game.events)) == snapshot(game.state)


@pytest.mark.parametrize(("ruleset", "players", "setup"), EVERY_KIND_OF_GAME[2::3])
def test_games_go_on_when_seats_resign_or_are_handed_over(ruleset: str, players: int, setup: str):
    for seed in range(3):
        game, bot = new_game(players, seed, ruleset, setup), RandomBot(seed)
        dice = random.Random(seed)
        while game.state.awaiting:
            seat = dice.randrange(players) + 1
            for event in (Resign(seat=seat), HandOver(seat=seat, bot=dice.choice(["", "random"]))):
                likely = 0.02 if isinstance(event, Resign) else 0.05
                if dice.random() < likely and check(game.state, event) is None:
                    add(game, event)
            for awaited in sorted(game.state.awaiting):
                assert not game.state.players[awaited].resigned
            if game.state.awaiting:
                seat = min(game.state.awaiting)
                add(game, bot.pick(legal_actions(game.state, seat)))
        assert game.state.phase == "over"
        assert game.state.winners
        assert snapshot(checked_fold(game.events)) == snapshot(game.state)


def with_hidden_cards_exchanged(state: State, dice: random.Random) -> State:
    """The same table to everyone's eyes: the pile and the unseen voice cards in another order."""
    words = msgspec.msgpack.decode(snapshot(state))
    table = words["position"]
    dice.shuffle(table["pile"])
    known = {*table["shown_voice"]}.union(*(p["polled_voice"] for p in table["players"]))
    hidden = [index for index in range(27) if index not in known]
    cards = [table["voice"][index] for index in hidden]
    dice.shuffle(cards)
    for index, card in zip(hidden, cards, strict=True):
        table["voice"][index] = card
    return restore(msgspec.msgpack.encode(words))


@pytest.mark.parametrize(("ruleset", "players", "setup"), EVERY_KIND_OF_GAME[::5])
def test_legal_actions_tell_nothing_about_hidden_cards(ruleset: str, players: int, setup: str):
    game, bot, dice = new_game(players, 4, ruleset, setup), RandomBot(4), random.Random(4)
    really_other = 0
    while game.state.awaiting:
        other = with_hidden_cards_exchanged(game.state, dice)
        really_other += position(other) != position(game.state)
        for seat in range(1, players + 1):
            assert legal_actions(other, seat) == legal_actions(game.state, seat)
        game.add(bot.pick(legal_actions(game.state, min(game.state.awaiting))))
    assert really_other > 20


@pytest.mark.parametrize("ruleset", ["standard", "fi"])
@pytest.mark.parametrize("players", [3, 5])
def test_a_decision_about_people_is_asked_only_where_it_matters(ruleset: str, players: int):
    asked = 0
    for seed in range(4):
        game, bot = new_game(players, seed, ruleset, "expert"), RandomBot(seed)
        while game.state.awaiting:
            seat = min(game.state.awaiting)
            actions = legal_actions(game.state, seat)
            if game.state.awaiting[seat] in ("relocate", "demolish", "starve"):
                asked += 1
                assert len(ends(game.state, actions)) > 1
            game.add(bot.pick(actions))
    assert asked > 10


def ends(state: State, actions: list[Any]) -> set[bytes]:
    kept = snapshot(state)
    found = set()
    for action in actions:
        after = fold_on(kept, action)
        found.add(msgspec.msgpack.encode(position(after)))
    return found


def fold_on(kept: bytes, action: AnyEvent) -> State:
    state = restore(kept)
    apply(state, action)
    return state
