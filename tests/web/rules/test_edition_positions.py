"""The positions that the rules page draws where the books differ, played by every edition."""

from __future__ import annotations

import msgspec
import pytest

from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.fold import fold
from engine.material import library
from engine.rules.demolition import free_but_enclosed, surplus
from engine.rules.scoring import score
from engine.snapshot import restore, snapshot
from engine.state import State
from events.codec import load_game
from events.material import Ruleset
from events.types import AnyEvent, Demolish, HoldGames, Pass, PlaceCastle, Poll
from replays.corpus.games import CORPUS
from web.rules.drawings import edition_positions as positions
from web.rules.drawings.positions import ANNA, BRUNO

EDITIONS = library.EDITIONS
KOSMOS = ("de", "nl", "fr", "fi")


def refused(state: State, event: AnyEvent) -> str:
    refusal = check(state, event)
    return "" if refusal is None else refusal.code


def played_by(state: State, rules: Ruleset) -> State:
    """The same table under other rules: recorded positions do not come about by all of them."""
    words = msgspec.msgpack.decode(snapshot(state))
    words["opening"]["ruleset"] = msgspec.to_builtins(rules)
    return restore(msgspec.msgpack.encode(words))


@pytest.mark.parametrize("name", [*EDITIONS, "straight-distance"])
def test_r10_across_a_field_distance_is_counted_along_the_lanes(name: str) -> None:
    event = PlaceCastle(seat=ANNA, at=positions.ACROSS[1])
    expected = "too-near" if name == "straight-distance" else ""
    assert refused(positions.castle_across(name), event) == expected


@pytest.mark.parametrize("name", EDITIONS)
def test_r11_with_a_castle_its_food_is_lost(name: str) -> None:
    before, after = positions.castle_falls(name)
    assert (before.state.food_of(ANNA), after.state.food_of(ANNA)) == (5, 4)


@pytest.mark.parametrize("name", EDITIONS)
def test_r28_figures_on_both_arches_of_a_hospital(name: str) -> None:
    log = load_game(CORPUS / "german-as-printed.jsonl").events
    number, split = next(
        (number, e) for number, e in enumerate(log) if isinstance(e, HoldGames) and e.others
    )
    moment, at = positions.split_figures()
    assert moment.state.city_on[moment.state.board.hex_at[at]]
    state = played_by(fold(log[:number]), library.ruleset(name))
    assert refused(state, split) == ("" if name in KOSMOS else "one-arch-only")


@pytest.mark.parametrize("name", EDITIONS)
def test_r31_all_three_voice_cards_for_gold(name: str) -> None:
    game = positions.before_polling(name)
    assert refused(game.state, Poll(seat=ANNA, look=[2, 3, 4])) == (
        "two-only" if name == "en" else ""
    )
    assert refused(game.state, Poll(seat=ANNA, look=[2, 3])) == ""


@pytest.mark.parametrize("name", EDITIONS)
def test_r32_who_can_build_may_pass_or_not(name: str) -> None:
    state = positions.without_action_cards(name)
    assert refused(state, Pass(seat=ANNA)) == ("may-not-pass" if name in KOSMOS else "")


@pytest.mark.parametrize("name", EDITIONS)
def test_r35_the_order_at_two_voices(name: str) -> None:
    order, _before, after = positions.three_choose(name)
    assert order == ([1, 3, 2] if name == "fi" else [1, 2, 3])
    assert len(after.effects) == 4


@pytest.mark.parametrize("name", EDITIONS)
def test_r38_what_stands_in_the_middle(name: str) -> None:
    drawn, there = positions.middle_of_a_city()
    state = played_by(drawn, library.ruleset(name))
    assert surplus(there) == 1
    [middle] = drawn.board.labels(free_but_enclosed(drawn, there))
    event = Demolish(seat=there.seat, buildings=[middle])
    assert refused(state, event) == ("enclosed" if name in KOSMOS else "")
    assert (event in legal_actions(state, there.seat)) == (name not in KOSMOS)


@pytest.mark.parametrize("name", EDITIONS)
def test_r40_who_starved_people_loses_a_turn(name: str) -> None:
    after = positions.penalty(name)
    assert [effect.seat for effect in after.effects] == [BRUNO, ANNA]
    assert after.state.players[ANNA].action_cards == 2


@pytest.mark.parametrize("name", EDITIONS)
def test_r43_a_hospital_is_education_and_health(name: str) -> None:
    state = positions.hospital_and_statue(name)
    assert score(state, ANNA).cities == 3
    slip = msgspec.structs.replace(library.ruleset(name), hospital_bonus="culture")
    assert score(played_by(state, slip), ANNA).cities == 0
