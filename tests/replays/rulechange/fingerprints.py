"""A game in two short numbers: all its tables, and all that could have been done at each; and
behind them two signs for every event, by which the first that differs is found and told."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator, Sequence

import msgspec

from engine.actions.legal import legal_actions
from engine.snapshot import digest
from engine.walk import Walk, check_anew
from events.types import AnyEvent, Turn
from projections.words.effects import ENGLISH
from projections.words.events import tell_event
from replays.corpus.chronicle import draw_table

DIGITS = 16
SIGNS = 2
"""Of a table, and of a list: one of 4,096."""


def line(name: str, events: Sequence[AnyEvent]) -> str:
    """The table after every event, and the list of legal actions before every decision."""
    tables, lists, signs = hashlib.sha256(), hashlib.sha256(), []
    for table, actions in _looks(events):
        tables.update(table)
        lists.update(actions)
        signs.append(_sign(table) + _sign(actions))
    numbers = f"tables {tables.hexdigest()[:DIGITS]} lists {lists.hexdigest()[:DIGITS]}"
    return f"{name:28}{numbers} {''.join(signs)}"


def _looks(events: Sequence[AnyEvent]) -> Iterator[tuple[bytes, bytes]]:
    """Per event behind the opening the digest of its table, and what might have been done; as far
    as the rules follow the log."""
    actions, following = b"", iter(events[1:])
    for step in Walk(events, look=check_anew, stop=True):
        if step.number > 1:
            yield digest(step.state, form=1).encode(), actions
        coming = next(following, None)
        actions = b""
        if isinstance(coming, Turn):
            actions = msgspec.msgpack.encode(legal_actions(step.state, coming.seat))


def _sign(data: bytes) -> str:
    return b64encode(hashlib.sha256(data).digest())[:SIGNS].decode()


def tell_difference(was: str, now: str, events: Sequence[AnyEvent]) -> list[str]:
    """The first event whose table or list is not that of the stored line, in words, and the table
    there as it is now."""
    stored, found = was.split()[-1], now.split()[-1]
    name, width = now.split()[0], 2 * SIGNS
    for start in range(0, max(len(stored), len(found)), width):
        one, other = stored[start : start + width], found[start : start + width]
        if one != other:
            number = start // width + 2
            same_list = one[SIGNS:] == other[SIGNS:]
            return [f"{name}, event {number}:", *_told(events, number, same_list=same_list)]
    return [f"{name}: tables or lists are others", f"  was: {was}", f"  now: {now}"]


def _told(events: Sequence[AnyEvent], number: int, *, same_list: bool) -> Iterator[str]:
    event = events[number - 1]
    names = [seat.name for seat in _walked(events[:1]).state.seats]
    yield f"  {tell_event(event, names, ENGLISH)}"
    walk = _walked(events[:number])
    if walk.refused is not None:
        yield f"  It is not allowed any more: {walk.refused.refusal.cited}"
    elif isinstance(event, Turn) and not same_list:
        yield "  What could have been done instead is not what is stored. It is now:"
        for action in legal_actions(_walked(events[: number - 1]).state, event.seat):
            yield f"    {tell_event(action, names, ENGLISH)}"
    else:
        yield "  The table after it is not the stored one. It is now:"
        yield from (f"    {row}".rstrip() for row in draw_table(walk.state))


def _walked(events: Sequence[AnyEvent]) -> Walk:
    walk = Walk(events, look=check_anew, stop=True)
    walk.to_end()
    return walk
