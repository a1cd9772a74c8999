"""Two rulesets over one log: each choice shows where it should, and is named as the cause."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine import effects
from engine.errors import CannotFold
from engine.material import library
from engine.material.choices import ALLOWED, CHOICES, RULES
from engine.snapshot import copy_position
from engine.state import City, Player, State
from events.material import Ruleset
from events.types import (
    AnyEvent,
    Build,
    GameOpened,
    GameStarted,
    Pass,
    PlaceCastle,
    Resign,
    TakeGold,
    YearClosed,
)
from replays.rulechange.divergence import Finding, RefoldComparison, compare, recheck
from replays.rulechange.refold import Recording, Refold
from replays.rulechange.same_table import (
    CITY_LEFT_OUT,
    PLAYER_LEFT_OUT,
    TABLE_LEFT_OUT,
    same_table,
)
from tests.engine.helpers import Table, deck, tuscany, voice_deck
from tests.replays.made import by_dice, effects_of

STANDARD = library.ruleset()


def changed(opening: AnyEvent, **choice: Any) -> Ruleset:
    """The rules of a game but for a choice."""
    assert isinstance(opening, GameOpened)
    return msgspec.structs.replace(opening.ruleset, name="mine", **choice)


def found(events: list[AnyEvent], **choice: Any) -> Finding:
    return compare("g", list(events), changed(events[0], **choice))


def parts_at(finding: Finding, number: int, choice: str, *rules: str) -> None:
    """The game parts at this event, and only this choice is to blame."""
    where = finding.divergence
    assert where is not None
    assert where.number == number
    assert where.choices == [choice]
    assert where.rules == list(rules or RULES[choice])
    assert where.difference


def test_every_choice_has_its_rules_and_a_game_below() -> None:
    assert set(RULES) == set(CHOICES) == set(Ruleset.__struct_fields__) - {"name"}


def test_pass_when() -> None:
    table = tuscany(politics=["palace"] * 4 + ["hospital"] * 3)
    for _ in range(3):
        table.play(TakeGold(seat=1), TakeGold(seat=2))
    table.play(Pass(seat=1))
    finding = found(table.events, pass_when="nothing-to-build")
    parts_at(finding, len(table.events), "pass_when")
    assert finding.kind == "illegal"
    assert finding.illegal is not None
    assert (finding.illegal.code, finding.illegal.rule) == ("may-not-pass", "R32")
    assert finding.illegal.event == "Seat 1 passes."
    assert finding.illegal.sentence == "Passing is not allowed while something can be built."


def test_distance() -> None:
    table = Table(2, setup="expert")
    table.start(start=1)
    # Around a field it is four hexes by the lanes, and three as the crow flies.
    table.play(PlaceCastle(seat=1, at="a3"), PlaceCastle(seat=2, at="d2"))
    finding = found(table.events, distance="straight")
    parts_at(finding, 4, "distance", "R10")
    assert finding.illegal is not None
    assert finding.illegal.code == "too-near"


def test_hospital_bonus_counts_when_the_game_is_over() -> None:
    table = tuscany(politics=["hospital"] * 4 + ["palace"] * 3)
    table.play(Build(seat=1, building="statue", at="f10", card="action"), TakeGold(seat=2))
    table.play(Build(seat=1, building="hospital", at="f11", card="hospital"), Resign(seat=2))
    finding = found(table.events, hospital_bonus="culture")
    number = next(i for i, e in enumerate(table.events, 1) if isinstance(e, Resign))
    parts_at(finding, number, "hospital_bonus")
    assert finding.kind == "outcome"
    assert finding.divergence is not None
    assert finding.divergence.difference == ["The points are counted otherwise."]
    assert finding.before is not None
    bonus = table.state.numbers.service_bonus
    assert finding.before.places[0].points == finding.after.places[0].points + bonus


def test_display() -> None:
    table = tuscany(politics=["palace", "bath", "bath", "bath", "university"])
    table.play(Build(seat=1, building="palace", at="f10", card="palace"))
    finding = found(table.events, display="ageing")
    parts_at(finding, len(table.events), "display")
    assert finding.kind == "outcome"


@pytest.mark.parametrize(
    ("choice", "value", "effect"),
    [
        ("flush", True, effects.YearBegan),
        ("penalty_for", "starved-or-moved", effects.YearEnded),
        ("relocation_order", "counter-clockwise", effects.VoiceSpoke),
        ("limits", False, effects.AnyEffect),
    ],
)
def test_games_by_dice_part_where_the_rule_is_applied(
    choice: str, value: object, effect: Any
) -> None:
    parted = 0
    for seed in range(12):
        events = list(by_dice(seed))
        finding = found(events, **{choice: value})
        if finding.kind != "same":
            assert finding.divergence is not None
            number = finding.divergence.number
            parts_at(finding, number, choice)
            assert any(isinstance(told, effect) for told in effects_of(events, number))
            parted += 1
    assert parted


def test_a_full_city_is_where_limits_show() -> None:
    table = tuscany()
    table.idle(lambda t: any(city.citizens > 5 for city in t.state.cities.values()) or _full(t))
    table.idle_to_year(table.state.year + 1)
    finding = found(table.events, limits=False)
    assert finding.divergence is not None
    told = effects_of(table.events, finding.divergence.number)
    assert effects.GrowthStopped in map(type, told)
    assert any("5 citizens became 6" in line for line in finding.divergence.difference)


def _full(table: Table) -> bool:
    return any(city.citizens == 5 for city in table.state.cities.values())


def test_of_several_choices_the_one_to_blame_is_named() -> None:
    table = tuscany(politics=["palace", "bath", "bath", "bath", "university"])
    table.play(Build(seat=1, building="palace", at="f10", card="palace"))
    finding = found(table.events, display="ageing", limits=False, pass_when="nothing-to-build")
    parts_at(finding, len(table.events), "display")


def test_the_same_choices_under_another_name_change_nothing() -> None:
    finding = found(list(by_dice(1)))
    assert finding.kind == "same"
    assert finding.before == finding.after
    assert finding.divergence is None


def test_a_game_that_never_touches_the_rule_is_the_same() -> None:
    table = tuscany()
    table.play(TakeGold(seat=1), TakeGold(seat=2))
    for choice, values in ALLOWED.items():
        if choice != "distance":  # castles were placed
            finding = found(table.events, **{choice: values[1]})
            assert finding.kind == "same" or choice == "limits", choice


def test_the_quick_comparison_agrees_with_the_whole_position() -> None:
    """At every event of games under every preset, before and after they part."""

    def whole(s: State) -> object:
        return msgspec.structs.replace(copy_position(s), pile_seen=[])

    seen = {True: 0, False: 0}
    for name in library.RULESETS:
        for seed in (3, 4):
            recording = Recording("g", by_dice(seed))
            lines = [Refold(recording, rules, "bot") for rules in (None, library.ruleset(name))]
            for event in recording.events[1:]:
                for line in lines:
                    line.take(event, digests=False)
                one, other = (line.state for line in lines)
                same = same_table(one, other)
                assert same is (whole(one) == whole(other))
                seen[same] += 1
    assert min(seen.values()) > 100


def test_what_is_left_out_of_a_state_is_there() -> None:
    """All else is compared, whatever it is; a name that is there no more would hide a mistake."""
    for kind, left_out in (
        (State, TABLE_LEFT_OUT),
        (Player, PLAYER_LEFT_OUT),
        (City, CITY_LEFT_OUT),
    ):
        assert left_out < set(kind.__slots__)


@pytest.mark.parametrize("ruleset", ["flush", "harsh-people", "de"])
def test_stop_skip_and_bot(ruleset: str) -> None:
    rules = library.ruleset(ruleset)
    for seed in range(3):
        events = list(by_dice(seed))
        by = {
            how: compare("g", events, rules, when_illegal=how)
            for how in ("stop", "skip", "bot")  # type: ignore[arg-type]
        }
        if by["stop"].kind != "illegal":
            continue
        for finding in by.values():
            assert finding.divergence is not None
            assert finding.divergence.number == by["stop"].divergence.number  # type: ignore[union-attr]
            assert finding.illegal is not None
            assert finding.illegal.number == by["stop"].illegal.number  # type: ignore[union-attr]
        assert by["stop"].illegal.times == 1  # type: ignore[union-attr]
        assert not by["stop"].after.over
        assert by["skip"].both_over
        assert by["bot"].both_over
        assert by["bot"].illegal.answers  # type: ignore[union-attr]
        again = compare("g", events, rules, when_illegal="bot")
        assert again == by["bot"]


def test_a_bot_answers_one_action_and_the_rest_goes_on_as_recorded() -> None:
    table = tuscany(politics=["palace"] * 4 + ["hospital"] * 3)
    for _ in range(3):
        table.play(TakeGold(seat=1), TakeGold(seat=2))
    table.play(Pass(seat=1))
    table.build(2, "palace", "f4", "palace")
    finding = compare(
        "g",
        table.events,
        changed(table.events[0], pass_when="nothing-to-build"),
        when_illegal="bot",
    )
    assert finding.illegal is not None
    assert (finding.illegal.times, finding.illegal.answers) == (1, 1)


def test_cards_are_dealt_again_in_the_recorded_order() -> None:
    """Under `flush` the pile is used up earlier; the cards that are there keep their order."""
    again = 0
    for seed in range(6):
        events = list(by_dice(seed))
        both = RefoldComparison(Recording("g", events), None, library.ruleset("flush"), "bot")
        both.run()
        line = both.after
        again += len(line.redealt)
        cards = line.state.all_discards() + line.state.pile + line.state.display
        cards += [
            card for player in line.state.players.values() for card in player.played + player.unseen
        ]
        assert len([card for card in cards if card >= 0]) == 32
    assert again


def test_a_recorded_digest_does_not_fail_under_other_rules() -> None:
    finding = found(list(by_dice(0)), flush=True)
    assert finding.kind != "same"
    events = list(by_dice(0))
    reported = compare("g", events, changed(events[0], flush=True), when_illegal="bot")
    assert reported.other_digests


def test_a_log_that_does_not_hold_is_refused_by_event() -> None:
    events = list(by_dice(2))
    number, closing = next((i, e) for i, e in enumerate(events) if isinstance(e, YearClosed))
    events[number] = msgspec.structs.replace(closing, digest="0" * 64)
    with pytest.raises(CannotFold, match=f"event {number + 1}: the digest of year 1"):
        found(events, flush=True)
    finding = recheck("g", events)
    assert finding.kind == "outcome"
    assert finding.divergence is not None
    assert finding.divergence.number == number + 1
    assert recheck("g", list(by_dice(2))).kind == "same"


def test_an_illegal_action_is_found_by_the_plain_check() -> None:
    table = tuscany()
    events = [*table.events, Pass(seat=1)]
    finding = recheck("g", events)
    assert finding.kind == "illegal"
    assert finding.divergence is not None
    assert (finding.divergence.number, finding.divergence.rules) == (len(events), ["R32"])


def test_a_game_recorded_under_house_rules_against_the_standard_ones() -> None:
    events = list(by_dice(1, ruleset="flush"))
    finding = compare("g", events, None, STANDARD)
    assert finding.kind == "illegal"
    assert finding.illegal is not None
    assert finding.illegal.side == "before"
    assert compare("g", events, library.ruleset("flush")).kind == "same"


def test_a_wrong_deal_is_an_error_under_any_rules() -> None:
    table = tuscany()
    start = table.events[1]
    assert isinstance(start, GameStarted)
    wrong = GameStarted(start=1, politics=deck([])[:-1], voice=voice_deck([]), tiles=start.tiles)
    with pytest.raises(CannotFold, match="event 2"):
        compare("g", [table.events[0], wrong], STANDARD)
