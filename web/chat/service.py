"""Talk at the tables: what is said, from the log of notes, and how far people have read."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from events.store.collection import Collection
from events.store.errors import VersionConflict
from events.store.protocol import Store
from projections.words.names import marked
from replays.chat import (
    AnyUttered,
    BadTalk,
    Inherited,
    Removed,
    Said,
    Talk,
    hear,
    uttered_upcasters,
)
from replays.notes.annotations import Author
from web.site.cache import Cache
from web.site.problems import Problem

KEPT = 200
TRIES = 20
READ = "chat-read"
_encoder = msgspec.json.Encoder()
PROBLEMS = {
    "talk-full": (409, marked("So much has been said at this table that nothing more fits.")),
    "said-twice": (409, marked("There is such a line already.")),
    "no-such-line": (404, marked("Nobody has said this here.")),
    "not-yours": (403, marked("That is somebody else's.")),
}


class Read(msgspec.Struct, frozen=True):
    """How far somebody has read a table's talk."""

    version: int


class Chats:
    """The talk at all tables of a server. Several processes may write into the same one."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._notes = store.notes
        self._clock = clock
        self._read = Collection(store, READ, Read)
        self._talks: Cache[str, Talk] = Cache(KEPT)

    def version(self, game: str) -> int:
        """How much stands in a table's stream; cheap to ask again and again."""
        return self._notes.version(stream_of(game))

    def get(self, game: str) -> Talk:
        """All that has been said by now. It is shared: read it only."""
        stream = stream_of(game)

        def catch_up(known: Talk | None) -> Talk:
            talk = known or Talk()
            if fresh := self._notes.read(stream, after=talk.version):
                talk = talk.copy()
                for record in fresh:
                    hear(talk, uttered_upcasters.decode(record.event))
            return talk

        return self._talks.refresh(game, catch_up)

    def write(self, game: str, uttered: AnyUttered) -> AnyUttered:
        """Store one thing more, once it fits."""
        stamped = msgspec.structs.replace(uttered, time=self._clock())
        for _ in range(TRIES):
            talk = self.get(game)
            try:
                hear(talk.copy(), stamped)
            except BadTalk as error:
                status, sentence = PROBLEMS.get(error.code, (409, str(error)))
                raise Problem(status, error.code, sentence) from None
            try:
                self._notes.append(stream_of(game), talk.version, [_encoder.encode(stamped)])
            except VersionConflict:
                continue
            return stamped
        raise Problem(503, "busy", "Too many people act at once. Please try again.")

    def read_by(self, person: str, game: str) -> int:
        """How far a person has read."""
        read = self._read.get(f"{person}/{game}")
        return read.version if read else 0

    def mark_read(self, person: str, game: str, version: int) -> int:
        """Somebody has read so far; never less than before, never more than there is."""
        reached = min(version, self.version(game))

        def edit() -> dict[str, Read | None]:
            known = self.read_by(person, game)
            return {f"{person}/{game}": Read(reached)} if reached > known else {}

        self._read.change(edit)
        return max(reached, self.read_by(person, game))

    def said_by(self, person: str, game: str) -> list[AnyUttered]:
        """The events that a person has written at a table, and as the guest they were before."""
        records = self._notes.read(stream_of(game))
        events = [uttered_upcasters.decode(record.event) for record in records]
        selves = {person}
        for event in reversed(events):
            if isinstance(event, Inherited) and event.heir in selves:
                selves.add(event.by.person)
        removed = {event.said for event in events if isinstance(event, Removed)}
        return [
            msgspec.structs.replace(event, words=[])
            if isinstance(event, Said) and event.said in removed
            else event
            for event in events
            if event.by.person in selves
        ]

    def inherit(self, guest: str, heir: str, games: Iterable[str]) -> None:
        """What a guest has said and read is the account's that the guest is by now."""
        for game in games:
            lines = [line for line in self.get(game).lines.values() if line.by.person == guest]
            if lines:
                by = Author(name=lines[-1].by.name, person=guest)
                self.write(game, Inherited(by=by, heir=heir))

        def edit() -> dict[str, Read | None]:
            changes: dict[str, Read | None] = {}
            for key, read in self._read.all(f"{guest}/"):
                own = f"{heir}/{key.partition('/')[2]}"
                known = self._read.get(own) or read
                changes |= {key: None, own: max(read, known, key=lambda each: each.version)}
            return changes

        self._read.change(edit)

    def forget(self, person: str) -> None:
        """Somebody is gone, and with them how far they have read. What they said stays."""
        self._read.change(lambda: dict.fromkeys(key for key, _ in self._read.all(f"{person}/")))

    def all_read_by(self, person: str) -> dict[str, int]:
        """By game how far a person has read."""
        return {key.partition("/")[2]: read.version for key, read in self._read.all(f"{person}/")}


def stream_of(game: str) -> str:
    return f"chat/{game}"
