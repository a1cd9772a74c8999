"""Plans played through, as tasks for worker processes: what others do in between is guessed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.snapshot import restore
from replays.whatif.plans import Plan, PlanRow, Unfolded, unfold


class Outline(msgspec.Struct, frozen=True):
    """What comes of a plan, without the tables on the way: its rows and its last moment."""

    rows: list[PlanRow]
    last: int


def unfold_plan(plan: Plan, table: bytes, seat: int) -> Unfolded:
    """What comes of a plan on a table, which is a snapshot."""
    return unfold(plan, restore(table), seat)


def outline_plans(plans: Sequence[Plan], table: bytes, seat: int) -> list[Outline]:
    """What comes of several plans, in short."""
    world = restore(table)
    return [outline(unfold(plan, world, seat)) for plan in plans]


def outline(unfolded: Unfolded) -> Outline:
    return Outline(
        [msgspec.structs.replace(row, effects=[]) for row in unfolded.rows], unfolded.last
    )
