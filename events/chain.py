"""The hash chain of a game's log: how a record's hash is made, and finding what does not fit.

Anyone can redo it. The hash of a record is the SHA-256, in small hex digits, of four lines joined
by a line feed, in UTF-8 and without a line feed at the end:

    the hash of the record before it (64 zeros for the first)
    the id of the game (for notes, the name of their stream: game/ID or study/ID)
    the version, in decimal
    the event, byte for byte as stored

No line but the last can contain a line feed, so no two records share these bytes.
In a shell: `printf '%s\\n%s\\n%s\\n%s' $PREVIOUS $GAME $VERSION "$EVENT" | sha256sum`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Literal

from events.errors import EventError, called
from events.messages.sentence import Sentence
from events.record import Record

GENESIS = "0" * 64
"""Stands for the record before the first."""

Misfit = Literal["changed", "missing", "doubled", "reordered", "foreign"]
MISFITS: dict[Misfit, str] = {
    "changed": Sentence("changed"),
    "missing": Sentence("missing"),
    "doubled": Sentence("doubled"),
    "reordered": Sentence("reordered"),
    "foreign": Sentence("foreign"),
}


class ChainError(EventError):
    """The first record of a log that does not fit: its game, its version and what is wrong."""

    def __init__(self, game: str, version: int, what: Misfit, why: str) -> None:
        self.game, self.version, self.what, self.why = game, version, what, why
        super().__init__(
            Sentence(
                "{game}, version {version}: {what}: {why}",
                game=printable_name(game),
                version=version,
                what=MISFITS[what],
                why=why,
            )
        )


def printable_name(game: str) -> str:
    """A changed byte may have left an id that no terminal should be shown as it is."""
    known = re.fullmatch(r"((game|study|chat|audit|store)/)?[A-Za-z0-9_-]+", game)
    return called(game) if known else Sentence("game {game}", game=ascii(game))


def printable(text: str) -> str:
    r"""A text from a file that may be damaged, as a terminal can be shown it.

    >>> printable("accounts"), printable("acc\x1bunts")
    ('accounts', "'acc\\x1bunts'")
    """
    return text if text.isprintable() else ascii(text)


def record_hash(previous: str, game: str, version: int, event: bytes) -> str:
    """The hash of a record, over everything that a game's log says.

    >>> record_hash(GENESIS, "g1", 1, b'{"type":"gold","seat":1}')[:16]
    'ec9779ed3c50f7bb'
    """
    # A damaged file may hold text that is no UTF-8; it must give another hash, not another error.
    place = f"{previous}\n{game}\n{version}\n".encode("utf-8", "surrogateescape")
    return hashlib.sha256(place + event).hexdigest()


def verify_chain(
    records: Iterable[Record],
    head: str | None = None,
    *,
    game: str | None = None,
    shown: str | None = None,
) -> str:
    """Walk one game's records in stored order; the head's hash, or ChainError at the first misfit.

    `head` is the hash that the last record must have: without it nobody can tell that the end of
    a log is missing. `shown` is a hash that somebody was shown at some time: it must occur, which
    a log rewritten from the start cannot bring about.

    >>> log = chain_on("g1", 0, GENESIS, 0, [b"{}", b"{}", b"{}"])
    >>> verify_chain(log) == log[-1].hash
    True
    >>> verify_chain(log[:1] + log[2:])
    Traceback (most recent call last):
    events.chain.ChainError: game g1, version 2: missing: the next record there is version 3
    """
    log = list(records)
    if game is None:
        game = log[0].game if log else ""
    last = GENESIS
    for index, record in enumerate(log):
        _verify_record(log, index, game, last)
        last = record.hash
    if head is not None and head != last:
        raise _bad_end(log, game, head, last)
    if shown is not None and shown != GENESIS and all(record.hash != shown for record in log):
        raise ChainError(
            game,
            len(log),
            "foreign",
            Sentence("no record has the hash {shown} that was shown", shown=shown),
        )
    return last


def _verify_record(log: list[Record], index: int, game: str, last: str) -> None:
    record, expected = log[index], index + 1
    if record.game != game:
        raise ChainError(
            game,
            expected,
            "foreign",
            Sentence("a record of {game} lies here", game=printable_name(record.game)),
        )
    if record.version != expected:
        raise _bad_version(log, index, game)
    fits = record.hash == record_hash(record.previous, game, record.version, record.event)
    if record.previous == last and fits:
        return
    if fits:
        raise ChainError(
            game, expected, "foreign", Sentence("it was made to follow another record")
        )
    raise ChainError(game, expected, "changed", Sentence("its hash does not fit its content"))


def _bad_version(log: list[Record], index: int, game: str) -> ChainError:
    """A record at a version that is not its turn: say which kind of misplacement it is."""
    record, expected = log[index], index + 1
    if any(other.version == record.version for other in log[:index]):
        return ChainError(game, record.version, "doubled", Sentence("the version is there twice"))
    if any(other.version == expected for other in log[index + 1 :]):
        return ChainError(
            game,
            record.version,
            "reordered",
            Sentence("it stands where version {expected} belongs", expected=expected),
        )
    return ChainError(
        game,
        expected,
        "missing",
        Sentence("the next record there is version {version}", version=record.version),
    )


def _bad_end(log: list[Record], game: str, head: str, last: str) -> ChainError:
    if any(record.hash == head for record in log):
        version = next(record.version for record in log if record.hash == head) + 1
        return ChainError(game, version, "foreign", Sentence("it lies beyond the known head"))
    return ChainError(
        game,
        len(log) + 1,
        "missing",
        Sentence(
            "the log ends in {last}, but its head is {head}",
            last=printable(last),
            head=printable(head),
        ),
    )


def chain_on(
    game: str, version: int, head: str, position: int, events: Sequence[bytes]
) -> list[Record]:
    """The records that follow a game's head and the store's last position.

    >>> [r.version for r in chain_on("g1", 7, "ab" * 32, 90, [b"{}", b"{}"])]
    [8, 9]
    """
    records = []
    for step, event in enumerate(events, start=1):
        previous, head = head, record_hash(head, game, version + step, event)
        records.append(Record(position + step, game, version + step, event, previous, head))
    return records
