"""Another deal that a viewer could not tell from the real one: for proofs and for bots that search.

Works on a log, so that every view of every moment follows from the fold as always.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

import msgspec

from engine.state import State
from engine.view import SPECTATOR
from events.types import AnyEvent, GameStarted, PoliticsShuffled

T = TypeVar("T", bound=str)


def resample(
    events: Sequence[AnyEvent], s: State, rng: random.Random, seat: int = SPECTATOR
) -> list[AnyEvent]:
    """The log of a running game with everything exchanged that a seat has not seen at its end.

    `s` is the state after the log.

    The voice cards it has not seen change places, and so do the politics cards of the last shuffle
    that nobody has seen: those in the pile, and those taken by passing since. Cards from before the
    last shuffle stay: the shuffle showed everyone which cards went into it.
    """
    known = s.shown_voice | (s.players[seat].polled_voice if seat else 0)
    other = list(events)
    for index, event in enumerate(other):
        if isinstance(event, GameStarted):
            voice = _exchanged(
                event.voice, [not known >> card & 1 for card in range(len(event.voice))], rng
            )
            other[index] = msgspec.structs.replace(
                event, voice=voice, secret=f"{rng.getrandbits(256):064x}"
            )
    dealt = [i for i, e in enumerate(other) if isinstance(e, GameStarted | PoliticsShuffled)]
    if not dealt:
        return other
    source = dealt[-1]
    event = other[source]
    if isinstance(event, PoliticsShuffled):
        cards = _exchanged(event.cards, _unseen(s.pile_seen, len(event.cards)), rng)
        salt = f"{rng.getrandbits(256):064x}"
        other[source] = msgspec.structs.replace(event, cards=cards, salt=salt)
    elif isinstance(event, GameStarted):
        out = s.numbers.cards_out
        in_play = sum(card not in out for card in event.politics)
        unseen = iter([False] * len(s.display) + _unseen(s.pile_seen, in_play - len(s.display)))
        hidden = [card not in out and next(unseen) for card in event.politics]
        cards = _exchanged(event.politics, hidden, rng)
        other[source] = msgspec.structs.replace(event, politics=cards)
    return other


def _unseen(pile_seen: int, size: int) -> list[bool]:
    """Per card of a fresh pile from the top, whether nobody has seen it since."""
    return [not pile_seen >> (size - 1 - index) & 1 for index in range(size)]


def _exchanged(cards: list[T], hidden: list[bool], rng: random.Random) -> list[T]:
    """The cards with the hidden ones among them shuffled.

    Sorted first, so that who knows the seed cannot reckon back to the real order.
    """
    moving = sorted(card for card, is_hidden in zip(cards, hidden, strict=True) if is_hidden)
    rng.shuffle(moving)
    return [
        moving.pop() if is_hidden else card for card, is_hidden in zip(cards, hidden, strict=True)
    ]
