"""Who is waited for in a game: which seats owe a decision, and since when."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.state import State


class Waiting(msgspec.Struct, frozen=True):
    """A seat that owes a decision: what, and since when."""

    seat: int
    name: str
    bot: str
    owes: str
    since_version: int
    since_time: int


def still_waiting(before: Sequence[Waiting], s: State, version: int, time: int) -> list[Waiting]:
    """Who is waited for at a version; whoever owed the same before has done so since then."""
    # A seat that changes hands owes anew: a bot finds its duty here, a person their turn.
    known = {(entry.seat, entry.owes, entry.bot): entry for entry in before}
    return [
        known.get((seat, owes, s.players[seat].bot))
        or Waiting(
            seat=seat,
            name=s.name(seat),
            bot=s.players[seat].bot,
            owes=owes,
            since_version=version,
            since_time=time,
        )
        for seat, owes in sorted(s.awaiting.items())
    ]
