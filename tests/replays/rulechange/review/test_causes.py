"""Differences are found in the texts, and grouped by what makes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import effects
from events.codec import load_game
from events.upcast import type_of
from replays.corpus.chronicle import chronicle
from replays.corpus.games import CORPUS, load_games, logs_in
from replays.files.rulesets import load_ruleset
from replays.rulechange.review.causes import change_of, describe, grouped
from replays.rulechange.review.naming import headline
from replays.rulechange.review.passages import (
    COLUMNS,
    SENTENCES,
    TABLE_ENDS,
    classify,
    first_change,
    read_chronicle,
)
from replays.rulechange.review.sources import review_rulesets

STORED = Path(__file__).parents[2] / "corpus" / "chronicles"


def test_every_sentence_of_the_chronicles_is_known() -> None:
    strange = set()
    for file in STORED.glob("*.txt"):
        in_table = False
        told = read_chronicle(file.read_text(encoding="utf-8"))
        for line in (line for at, lines in told.passages.items() if at > 1 for line in lines):
            in_table |= COLUMNS.match(line) is not None or line.startswith("The log ends here.")
            if line and not in_table and classify(line, "")[0] == "the table":
                strange.add(line)
            in_table &= not line.startswith(TABLE_ENDS)
    assert strange == set()


def test_every_effect_has_a_sentence() -> None:
    kinds = {type_of(kind) for kind in effects.AnyEffect.__args__}
    assert {effect for effect, _, _ in SENTENCES} == kinds | {"shuffled"}


def test_the_same_text_has_no_difference() -> None:
    text = (STORED / "two-beginners.txt").read_text(encoding="utf-8")
    assert first_change(text, text) is None
    assert first_change(text, text + "\n") is not None  # whatever differs is never passed over
    assert first_change(text, "x" + text) is not None


@pytest.mark.parametrize(
    ("rules", "causes"),
    [
        ("standard+growth=2", {"R15 / citizens-came / the beginning of a year"}),
        ("standard+service_bonus=5", {"R43 / points on the table / the end of a year"}),
        ("standard+action_gold=3", {"R18 / gold-gained / gold"}),
        ("standard+start_gold=9", {"R7 / gold on the table / the end of a year"}),
    ],
)
def test_a_changed_number_is_one_cause(rules: str, causes: set[str]) -> None:
    """Over all sixty games; here and there a game parts elsewhere first."""
    review = review_rulesets(CORPUS, load_ruleset(rules), None)
    assert review.groups[0].cause.key in causes
    assert len(review.groups) <= 10
    assert len(review.groups[0].games) > 20


def test_the_telling_example_has_another_winner() -> None:
    review = review_rulesets(CORPUS, load_ruleset("standard+service_bonus=5"), None)
    group = review.groups[0]
    assert group.example.change.other_winner
    assert group.example.game in group.other_winners
    assert "with another winner" in headline(group)
    words = "\n".join(describe(group.example))
    assert "  was: " in words
    assert "  now: " in words
    assert "instead of" in words
    assert "\n- " in words  # both tables in one, the board is the same
    assert "\n+ " in words


def test_a_board_that_differs_is_drawn_both_ways() -> None:
    review = review_rulesets(CORPUS, load_ruleset("standard+growth=2"), None)
    drawn = [describe(each) for group in review.groups for each in group.games]
    both = [lines for lines in drawn if "The table after it, as it was:" in lines]
    assert both
    assert all("and as it is now:" in lines for lines in both)


def test_an_action_that_is_no_longer_legal_is_the_end_of_both_sides() -> None:
    rules = load_ruleset("straight-distance")
    events = load_game(CORPUS / "two-experts.jsonl").events
    change = change_of("two-experts", events, chronicle(events), chronicle(events, rules), rules)
    assert change is not None
    assert change.cause.key == "R10 / refused as too-near / found"
    assert " founds a city on " in change.change.before
    assert change.change.after.startswith("Not allowed: ")
    gone = [line for line in change.diff[2:] if line.startswith("-")]
    assert len(gone) == 1  # what was done then, and nothing of what followed
    assert change.change.table_after


def test_groups_hold_every_game_once() -> None:
    games = dict(load_games())
    rules = load_ruleset("flush")
    changes = []
    for name, file in games.items():
        change = change_of(
            name, file.events, chronicle(file.events), chronicle(file.events, rules), rules
        )
        if change is not None:
            changes.append(change)
    groups = grouped(changes)
    named = [each.game for group in groups for each in group.games]
    assert sorted(named) == sorted(change.game for change in changes)
    assert len(logs_in(CORPUS)) == len(games)
    sizes = [len(group.games) for group in groups]
    assert sizes == sorted(sizes, reverse=True)
