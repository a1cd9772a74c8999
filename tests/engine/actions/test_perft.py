"""The pinned counts of legal actions; a failure says which kind of action differs."""

from __future__ import annotations

import pytest

from tests.engine.actions.perft import Counts, Place, count, read_file

PINNED = read_file()


def difference(found: Counts, pinned: Counts) -> str:
    return ", ".join(
        f"{kind}: {found.get(kind, 0)} instead of {pinned.get(kind, 0)}"
        for kind in sorted({*found, *pinned})
        if found.get(kind, 0) != pinned.get(kind, 0)
    )


@pytest.mark.parametrize("place", PINNED, ids=str)
def test_counts_of_legal_actions(place: Place):
    for depth, found, pinned in zip(("one", "two"), count(place), PINNED[place], strict=True):
        wrong = difference(found, pinned)
        assert not wrong, f"{place}, {depth} deep: {wrong}"


def test_twenty_positions_over_all_kinds_of_decisions():
    assert len(PINNED) == 20
    assert {place.owed for place in PINNED} == {
        *("castle", "bury", "politics", "relocate", "demolish", "starve")
    }
    assert {place.players for place in PINNED} == {2, 3, 4, 5}
    assert {place.setup for place in PINNED} == {"beginner", "expert"}
    assert all(one and two for one, two in PINNED.values())


def test_a_difference_names_the_kind():
    assert difference({"gold": 1, "pass": 2}, {"gold": 1, "found": 3}) == (
        "found: 0 instead of 3, pass: 2 instead of 0"
    )
