"""`legal_actions` and `check` agree in both directions, and the list is sorted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions.check import OWED, check
from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.fold import apply
from engine.material import library
from engine.material.numbers import KIND, POLITICS, SERVICES
from engine.refusals import REASONS
from engine.selfplay import new_game
from engine.snapshot import position, restore, snapshot
from engine.state import State
from events import types
from events.codec import decode_event, encode_event
from events.types import Demolish, Poll, Relocate, Starve, Turn
from tests.engine.actions.order import sort_key
from tests.engine.soundness import PLAYERS, SETUPS

KINDS_OF_GAME = [
    (ruleset, PLAYERS[index % 4], SETUPS[index // 2 % 2])
    for index, ruleset in enumerate(library.RULESETS * 2)
]


@pytest.mark.parametrize(("ruleset", "players", "setup"), sorted(set(KINDS_OF_GAME)))
def test_every_legal_action_is_accepted_and_in_order(ruleset: str, players: int, setup: str):
    game, bot = new_game(players, 5, ruleset, setup), RandomBot(5)
    state = game.state
    while state.awaiting:
        before = snapshot(state)
        for seat in range(1, players + 1):
            actions = legal_actions(state, seat)
            assert bool(actions) is (seat in state.awaiting)
            assert actions == sorted(actions, key=lambda a: sort_key(state.board, a))
            keys = [sort_key(state.board, action) for action in actions]
            assert len(set(keys)) == len(keys), "two actions of one spelling"
            for action in actions:
                refusal = check(state, action)
                assert refusal is None, f"{action}: {refusal}"
        assert snapshot(state) == before, "asking changed the state"
        game.add(bot.pick(legal_actions(state, min(state.awaiting))))
    assert all(legal_actions(state, seat) == [] for seat in range(1, players + 1))


LABELS = [*sorted(library.board().hex_at), "A1", "zz", "N1"]
OTHER_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "seat": st.integers(1, 5),
    "at": st.sampled_from(LABELS),
    "source": st.sampled_from(LABELS),
    "city": st.sampled_from(LABELS),
    "building": st.sampled_from([*KIND]),
    "card": st.sampled_from(["action", *POLITICS[:6]]),
    "place": st.integers(0, 7),
    "figures": st.integers(1, 3),
    "citizens": st.integers(1, 3),
    "service": st.sampled_from(SERVICES),
    "others": st.lists(st.sampled_from(SERVICES), max_size=2),
    "look": st.lists(st.integers(2, 4), min_size=2, max_size=3),
    "bury": st.booleans(),
}


def altered(draw: st.DrawFn, action: Turn, nearby: list[str]) -> Turn:
    """The action with one thing in it changed, sometimes to what lies nearby."""
    words = msgspec.to_builtins(action)
    fields = [field for field in type(action).__struct_fields__ if field not in ("time", "by")]
    alter_words(draw, words, draw(st.sampled_from(fields)), nearby)
    return msgspec.convert(words, Turn)


def alter_words(draw: st.DrawFn, words: dict[str, Any], field: str, nearby: list[str]) -> None:
    if field in ("cities", "losses"):
        parts = words[field]
        if draw(st.booleans()):
            words[field] = draw(st.permutations(parts))
        else:
            part = parts[draw(st.integers(0, len(parts) - 1))]
            alter_words(draw, part, draw(st.sampled_from(sorted(part))), nearby)
    elif field == "buildings":
        words[field] = [*words[field], draw(st.sampled_from(nearby))]
    elif field in ("at", "city", "source") and draw(st.booleans()):
        words[field] = draw(st.sampled_from(nearby))
    else:
        words[field] = draw(OTHER_VALUES[field])


def state_in_play(kind: tuple[str, int, str], seed: int, decisions: int) -> State:
    """A random game after so many decisions, or at its end."""
    game, bot = new_game(kind[1], seed, kind[0], kind[2]), RandomBot(seed)
    state = game.state
    for _ in range(decisions):
        if state.awaiting:
            game.add(bot.pick(legal_actions(state, min(state.awaiting))))
    return state


def reached(kept: bytes, *actions: Turn) -> bytes:
    """The position after some actions, each of which must be in the list."""
    state = restore(kept)
    for action in actions:
        assert action in legal_actions(state, action.seat), f"{action} is not listed"
        apply(state, action)
    return msgspec.msgpack.encode(position(state))


def assert_another_spelling(state: State, action: Turn) -> None:
    """An accepted action that is not listed leads where listed ones lead."""
    kept, again = snapshot(state), restore(snapshot(state))
    apply(again, action)
    end = msgspec.msgpack.encode(position(again))
    at = state.board.hex_at
    if isinstance(action, Poll):
        canonical = [msgspec.structs.replace(action, look=sorted(action.look))]
    elif isinstance(action, Starve):
        losses = sorted(action.losses, key=lambda loss: at[loss.city])
        canonical = [msgspec.structs.replace(action, losses=losses)]
    elif isinstance(action, Demolish):
        canonical = [Demolish(seat=action.seat, buildings=[label]) for label in action.buildings]
    else:
        assert isinstance(action, Relocate), f"{action} was accepted but is not listed"
        listed = legal_actions(state, action.seat)
        assert end in {reached(kept, other) for other in listed}
        return
    assert reached(kept, *canonical) == end


@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(
    kind=st.sampled_from(KINDS_OF_GAME),
    seed=st.integers(0, 40),
    decisions=st.integers(0, 150),
    data=st.data(),
)
def test_altered_actions_are_refused_or_listed(
    kind: tuple[str, int, str], seed: int, decisions: int, data: st.DataObject
):
    state = state_in_play(kind, seed, decisions)
    if not state.awaiting:
        return
    listed = legal_actions(state, data.draw(st.sampled_from(sorted(state.awaiting))))
    nearby = [state.board.label[hex_] for hex_ in sorted(state.stands_on)] or LABELS
    before = snapshot(state)
    for _ in range(12):
        original = data.draw(st.sampled_from(listed))
        action = altered(data.draw, original, nearby)
        refusal = check(state, action)
        assert snapshot(state) == before, f"checking {action} changed the state"
        if refusal is not None:
            assert refusal.code in REASONS
            assert refusal.sentence
        elif action not in legal_actions(state, action.seat):
            assert_another_spelling(state, action)


def everything_imaginable(state: State, seat: int) -> Iterator[Turn]:
    """Every political action that can be written down for this board, sensible or not."""
    labels = [label for label in state.board.label if label]
    places = range(8) if state.rules.display == "ageing" else (0, 1)
    castles = [state.board.label[city.castle] for city in state.cities.values()]
    yield types.TakeGold(seat=seat)
    yield types.Pass(seat=seat)
    for at in labels:
        for source in castles:
            yield types.FoundCity(seat=seat, at=at, source=source)
        for building, card, place in product(KIND, get_args(types.BuildCard), places):
            yield types.Build(seat=seat, building=building, at=at, card=card, place=place)
    built = [state.board.label[hex_] for hex_ in state.stands_on]
    for place in places:
        for number, at in product((1, 2, 3), built):
            yield types.CallGoldenTimes(seat=seat, citizens=number, city=at, place=place)
            for service in SERVICES:
                yield types.HoldGames(
                    seat=seat, figures=number, at=at, service=service, place=place
                )
        for at in built:
            yield types.ReapHarvest(seat=seat, at=at, place=place)
        for look in ([2, 3], [2, 4], [3, 4], [2, 3, 4], [2, 2], [2, 3, 3]):
            yield Poll(seat=seat, look=look, place=place)


def as_bytes(actions: Iterable[Turn]) -> list[bytes]:
    return sorted(map(encode_event, actions))


@pytest.mark.parametrize("seed", range(12))
def test_nothing_that_can_be_imagined_is_missing(seed: int):
    kind = KINDS_OF_GAME[seed % len(KINDS_OF_GAME)]
    for decisions in (8 + seed, 26 + seed):
        state = state_in_play(kind, seed, decisions)
        while state.awaiting and "politics" not in state.awaiting.values():
            decisions += 1
            state = state_in_play(kind, seed, decisions)
        seat = min(state.awaiting)
        accepted = as_bytes(a for a in everything_imaginable(state, seat) if not check(state, a))
        assert accepted == as_bytes(legal_actions(state, seat))


@pytest.mark.parametrize("owed", ["relocate", "demolish", "starve"])
def test_every_other_order_of_a_decision_about_people(owed: str):
    """The rarer decisions, searched for, with every listed answer turned around."""
    found = 0
    for seed in range(30):
        game, bot = new_game(4, seed, "standard", "expert"), RandomBot(seed)
        state = game.state
        while state.awaiting:
            seat = min(state.awaiting)
            actions = legal_actions(state, seat)
            if state.awaiting[seat] == owed and len(actions) < 200:
                found += 1
                for action in actions:
                    turned = turned_around(action)
                    if check(state, turned) is None and turned not in actions:
                        assert_another_spelling(state, turned)
            game.add(bot.pick(actions))
        if found > 25:
            break
    assert found > 5, f"no game came to {owed}"


def turned_around(action: Turn) -> Turn:
    if isinstance(action, Relocate):
        return msgspec.structs.replace(action, cities=action.cities[::-1])
    if isinstance(action, Starve):
        return msgspec.structs.replace(action, losses=action.losses[::-1])
    assert isinstance(action, Demolish)
    return msgspec.structs.replace(action, buildings=action.buildings * 2)


def test_actions_survive_their_bytes():
    state = new_game(3, 1, setup="expert").state
    for action in legal_actions(state, min(state.awaiting)):
        assert decode_event(encode_event(action)) == action


def test_every_kind_of_turn_answers_something_owed():
    assert set(OWED) == set(types.Turn.__args__)
