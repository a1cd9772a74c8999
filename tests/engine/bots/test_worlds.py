"""From a view to a world and back: the same bytes, the same actions, other hidden cards."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.bots import RandomBot, StewardBot
from engine.bots.worlds import world
from engine.fold import apply, fold
from engine.material import library
from engine.selfplay import new_game, play_out
from engine.state import State
from engine.view import view
from events.types import AskTakeBack, Resign
from tests.amounts import one_in
from tests.engine.soundness import assert_sound

encode = msgspec.json.encode


def assert_seen_the_same(s: State, seat: int, dice: random.Random) -> bool:
    """Whether the world differs from the table in what the seat cannot see."""
    seen = view(s, seat)
    other = world(seen, s.board, dice)
    assert encode(view(other, seat)) == encode(seen)
    assert_sound(other)
    for owing in sorted(s.awaiting):
        assert legal_actions(other, owing + 1) == legal_actions(s, owing + 1)
    return (other.pile, other.voice) != (s.pile, s.voice)


@pytest.mark.parametrize("ruleset", one_in(5, library.RULESETS))
@pytest.mark.parametrize("setup", ["beginner", "expert"])
def test_a_world_looks_like_the_table(ruleset: str, setup: str) -> None:
    """Every moment of games of all sizes, for every seat in turn and for spectators."""
    phases, differing, compared = set(), 0, 0
    for players in (2, 3, 4, 5):
        seed = f"world/{ruleset}/{setup}/{players}"
        dice = random.Random(seed)
        bot = RandomBot(seed) if players % 2 else StewardBot(seed)
        events = play_out(new_game(players, seed, ruleset, setup), bot).events  # type: ignore[arg-type]
        s = fold(events[:2])
        for count, event in enumerate(events[2:]):
            if not s.chance:
                differing += assert_seen_the_same(s, count % (players + 1), dice)
                phases.add(s.phase)
                compared += 1
            apply(s, event)
        assert_seen_the_same(s, 1, dice)
    assert compared > 200
    assert differing > 0.9 * compared
    assert {"politics", "relocation", "people"} <= phases
    assert ("castles" in phases) == (setup == "expert")


def test_a_world_can_be_played_on() -> None:
    """To the end, with the voice cards that its viewer has not seen dealt anew."""
    s = new_game(4, "play on").state
    dice = random.Random(3)
    worlds = [world(view(s, 1), s.board, dice) for _ in range(20)]
    assert len({tuple(other.voice) for other in worlds}) == 20
    assert len({tuple(other.pile) for other in worlds}) == 20
    assert {other.voice[0] for other in worlds} == {s.voice[0]}
    assert {tuple(other.display) for other in worlds} == {tuple(s.display)}


def test_take_backs_and_resignations_are_seen() -> None:
    game = new_game(3, "table events")
    dice = random.Random(1)
    first = min(game.state.awaiting)
    game.add(RandomBot(1).pick(legal_actions(game.state, first)))
    game.add(AskTakeBack(seat=first))
    assert_seen_the_same(game.state, 2, dice)
    game.add(Resign(seat=min(game.state.awaiting)))
    assert_seen_the_same(game.state, 3, dice)
