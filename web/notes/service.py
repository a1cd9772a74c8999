"""Notebooks: what people write beside games and in studies, from the log of notes."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from hashlib import sha256

import msgspec

from events.messages.sentence import message_of
from events.store.errors import VersionConflict
from events.store.protocol import Store
from replays.notes.annotations import AnyWritten, written_upcasters
from replays.notes.notebook import BadNote, Notebook, check_new, write_down
from web.accounts.claims import Claims
from web.notes.studies import StudyIndex, StudySummary
from web.seating.anonymity import Anonymity
from web.site.cache import Cache
from web.site.problems import Problem

KEPT = 200
TRIES = 20
_encoder = msgspec.json.Encoder()


class Notebooks:
    """All notebooks of a server. Several processes may write into the same one."""

    def __init__(self, store: Store, clock: Callable[[], int], key: str) -> None:
        self._notes = store.notes
        self._clock = clock
        self._key = key.encode()
        self._names, self._claims = Anonymity(store), Claims(store)
        self._books: Cache[str, tuple[int, Notebook]] = Cache(KEPT, epoch=self._epoch)
        self._studies = StudyIndex(store, self._summarize)

    def get(self, stream: str) -> Notebook:
        """A notebook with everything that is written by now. It is shared: read it only."""
        return self._now(stream)[1]

    def write(self, stream: str, make: Callable[[Notebook], AnyWritten]) -> AnyWritten:
        """Store one thing more, once it fits; `make` sees the notebook that it goes into."""
        for _ in range(TRIES):
            version, book = self._now(stream)
            written = msgspec.structs.replace(make(book), time=self._clock())
            try:
                write_down(book.copy(), written)
                check_new(book, written)
            except BadNote as error:
                raise Problem(409, "bad-note", "{why}", why=message_of(error)) from None
            try:
                self._notes.append(stream, version, [_encoder.encode(written)])
            except VersionConflict:
                continue
            return written
        raise Problem(503, "busy", "Too many people act at once. Please try again.")

    def link(self, stream: str, person: str) -> str:
        """The word by which whoever has it reads what a person wrote for those with the link."""
        return hmac.new(self._key, f"{stream}/{person}".encode(), sha256).hexdigest()[:24]

    def linked(self, stream: str, book: Notebook, word: str) -> frozenset[str]:
        """The author whose link this is, if it is one's."""
        authors = [
            book.by,
            *(n.by for n in book.notes.values()),
            *(x.by for x in book.lines.values()),
        ]
        persons = {author.person for author in authors if author.person}
        return frozenset(
            person
            for person in persons
            if word
            for self_ in (person, *self._claims.guests_of(person))
            if hmac.compare_digest(self.link(stream, self_).encode(), word.encode())
        )

    def move(self, guest: str) -> None:
        """List the studies of a guest who has become an account as the account's."""
        self._studies.catch_up()
        self._studies.summarize_again(self._studies.own(guest))

    def own_studies(self, person: str) -> list[str]:
        """The ids of somebody's studies, by title."""
        self._studies.catch_up()
        return self._studies.own(person)

    def studies_for_all(self, limit: int) -> list[str]:
        """The ids of the studies that everyone may read, by title."""
        self._studies.catch_up()
        return self._studies.for_all(limit)

    def find_studies(self, ids: Sequence[str]) -> list[StudySummary]:
        """Studies as lines of a list."""
        return [
            msgspec.structs.replace(each, by=self._names.author(each.by))
            for each in self._studies.find(ids)
        ]

    def _epoch(self) -> int:
        """Rises when authors are to be named otherwise."""
        return self._names.position() + self._claims.position()

    def _summarize(self, stream: str) -> StudySummary:
        book, id_ = self.get(stream), stream.removeprefix("study/")
        return StudySummary(
            id_, book.title, book.by, book.seen_by, len(book.chapters), bool(book.removed)
        )

    def _now(self, stream: str) -> tuple[int, Notebook]:
        def catch_up(known: tuple[int, Notebook] | None) -> tuple[int, Notebook]:
            version, book = known or (0, Notebook())
            if known and self._notes.version(stream) <= version:
                return known
            book = book.copy()
            for record in self._notes.read(stream, after=version):
                written = written_upcasters.decode(record.event)
                by = self._names.author(self._claims.author(written.by))
                write_down(book, msgspec.structs.replace(written, by=by))
                version = record.version
            return version, book

        return self._books.refresh(stream, catch_up)
