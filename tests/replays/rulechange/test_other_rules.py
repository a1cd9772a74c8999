"""A game under other rules, entered anywhere: the same tables as a line that is folded in step."""

from __future__ import annotations

import pytest

from engine.bots import RandomBot
from engine.errors import CannotFold
from engine.material.library import ruleset
from engine.selfplay import new_game, play_out
from engine.snapshot import copy_position
from events.types import AnyEvent
from replays.rulechange.divergence import compare
from replays.rulechange.other_rules import Refolded, refolded
from replays.rulechange.refold import Recording, Refold, WhenIllegal
from replays.rulechange.same_table import same_table


@pytest.fixture(scope="module")
def events() -> list[AnyEvent]:
    return play_out(new_game(3, "other rules"), RandomBot(4)).events


@pytest.mark.parametrize("when", ["stop", "skip", "bot"])
@pytest.mark.parametrize("name", ["flush", "no-limits", "fi"])
def test_every_moment_is_where_the_line_was(
    events: list[AnyEvent], name: str, when: WhenIllegal
) -> None:
    other = refolded("g", events, ruleset(name), when)
    recording = Recording("g", events)
    own, line = Refold(recording, None), Refold(recording, ruleset(name), when)
    for number, event in enumerate(events[1:-1], 2):
        own.take(event, digests=False)
        line.take(event, digests=False)
        assert copy_position(other.at(number)) == copy_position(line.state)
        apart = line.stopped or not same_table(own.state, line.state)
        assert other.differs(number) == apart
        moment = other.moment(number)
        # What ended a year belongs to it, though the next one has begun.
        assert moment.year + moment.ended == line.state.year
        assert moment.ended or moment.phase == line.state.phase
    own.take(events[-1], digests=False)
    line.take(events[-1], digests=False)
    line.finish()
    assert copy_position(other.at(len(events))) == copy_position(line.state)
    assert list(other.refused) == [each.number for each in line.refused]
    assert bool(other.stopped) == line.stopped == (when == "stop")
    told = [effect for number in range(1, len(events) + 1) for effect in other.effects_at(number)]
    assert told == [effect for effects in other.cursor.effects for effect in effects]


@pytest.mark.parametrize("name", ["flush", "no-limits", "de", "fi"])
def test_it_finds_what_the_comparison_finds(events: list[AnyEvent], name: str) -> None:
    other, found = (
        refolded("g", events, ruleset(name), "bot"),
        compare("g", events, ruleset(name), when_illegal="bot"),
    )
    assert found.divergence is not None
    assert (other.first, other.choices, other.rules) == (
        found.divergence.number,
        found.divergence.choices,
        found.divergence.rules,
    )
    assert other.deed is events[other.first - 1]
    assert (other.before, other.after) == (found.before, found.after)
    assert other.after.over


def test_the_same_rules_change_nothing(events: list[AnyEvent]) -> None:
    other: Refolded = refolded("g", events, ruleset("en"))
    assert (other.first, other.apart, other.refused, other.choices) == (0, [], {}, [])
    assert other.cursor.last == len(events)
    assert not any(other.differs(number) for number in range(1, len(events) + 1))


def test_a_log_that_does_not_hold_is_refused(events: list[AnyEvent]) -> None:
    with pytest.raises(CannotFold):
        refolded("g", [*events[:10], *events[12:]], ruleset("flush"))
