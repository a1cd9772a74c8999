"""The dealer: what chance owes, dealt from the game's secret so that anyone can check it later.

The procedure, in full: a number below n for a purpose is SHA-256("secret/purpose/i") as a
big-endian integer modulo n, with i counting 0, 1, 2 …; a shuffle starts from the cards in canonical
order and swaps, for k from the last place down to the second, place k (counted from 0) with the
place that is the number below k + 1.
"""

from __future__ import annotations

import hashlib
from typing import TypeVar

from engine.actions.check import commit, years_done
from engine.material.library import politics_cards, tiles, voice_cards
from engine.material.numbers import POLITICS
from engine.snapshot import digest
from engine.state import State
from events.types import ChanceEvent, GameStarted, PoliticsShuffled, YearClosed

T = TypeVar("T")


def number_below(limit: int, secret: str, purpose: str, index: int) -> int:
    """One number of the documented procedure."""
    material = f"{secret}/{purpose}/{index}".encode()
    return int.from_bytes(hashlib.sha256(material).digest()) % limit


def shuffled(cards: list[T], secret: str, purpose: str) -> list[T]:
    """One shuffle of the documented procedure.

    >>> sorted(shuffled(["a", "b", "c"], "secret", "demo"))
    ['a', 'b', 'c']
    """
    cards = list(cards)
    for index, place in enumerate(range(len(cards) - 1, 0, -1)):
        other = number_below(place + 1, secret, purpose, index)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def deal(s: State, secret: str = "") -> ChanceEvent | None:
    """The next event that chance owes, if any. A game's secret is given once, at its start."""
    if s.chance == "start":
        return deal_start(s, secret)
    if s.chance == "shuffle":
        return deal_shuffle(s)
    if years_done(s) > s.closed:
        return YearClosed(year=years_done(s), digest=digest(s))
    return None


def deal_start(s: State, secret: str) -> GameStarted:
    """R7, R9: who starts, both decks, and in the expert set-up the tiles."""
    layout = {}
    if s.setup == "expert":
        layout = dict(
            zip(s.board.data.fields, shuffled(tiles(s.box), secret, "tiles"), strict=False)
        )
    return GameStarted(
        start=number_below(len(s.seats), secret, "start", 0) + 1,
        politics=shuffled(politics_cards(s.box), secret, "politics"),
        voice=shuffled(voice_cards(s.box), secret, "voice"),
        tiles=layout,
        secret=secret,
        commitment=commit(secret),
    )


def bot_seed(s: State, version: int, seat: int) -> str:
    """What a bot's dice are rolled from at a version of a game's log: the same for every server,
    for nobody to know before the game is over and its secret is shown."""
    return hashlib.sha256(f"{s.secret}/bot/{version}/{seat}".encode()).hexdigest()


def deal_shuffle(s: State) -> PoliticsShuffled:
    """R32: the discards, shuffled. The salt keeps the log's hashes from telling the cards."""
    discards = [POLITICS[card] for card in s.all_discards()]
    purpose = f"shuffle-{s.shuffles + 1}"
    salt = hashlib.sha256(f"{s.secret}/salt/{purpose}".encode()).hexdigest()
    return PoliticsShuffled(cards=shuffled(discards, s.secret, purpose), salt=salt)
