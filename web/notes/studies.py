"""Which studies there are: a line for each, listed by its author and, where all may read it, for
everyone. It follows the log of notes, whoever writes there."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import msgspec

from events.store.collection import Collection, ListRule
from events.store.errors import StoreError
from events.store.protocol import Store
from replays.notes.annotations import Author, SeenBy

log = logging.getLogger(__name__)
NAME = "studies"
FOLLOWED = "followed"
FOR_ALL = "all"
MOST = 1_000_000
BATCH = 1000
"""Notes that are read at once, and after which it is noted that they were, though no study is
among them."""


class StudySummary(msgspec.Struct, frozen=True):
    """A study as a line of a list."""

    id: str
    title: str
    by: Author
    seen_by: SeenBy
    chapters: int
    removed: bool


class StudyEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A document: a study's line, or how far the notes were followed."""

    summary: StudySummary | None = None
    followed: int = 0


def title_rank(title: str) -> int:
    """Puts titles in order, by their first letters.

    >>> title_rank("a") < title_rank("B") < title_rank("ba")
    True
    """
    return int.from_bytes(title.casefold().encode()[:7].ljust(7, b"\x00"))


def lists_of(_key: str, entry: StudyEntry) -> dict[str, int]:
    study = entry.summary
    if study is None or not study.by.person:
        return {}
    rank = title_rank(study.title)
    lists = {f"person/{study.by.person}": rank}
    return {**lists, FOR_ALL: rank} if study.seen_by == "all" else lists


class StudyIndex:
    """The lines of all studies."""

    def __init__(self, store: Store, summarize: Callable[[str], StudySummary]) -> None:
        self._notes, self._summarize = store.notes, summarize
        self._entries = Collection(store, NAME, StudyEntry, ListRule("1", lists_of))
        self.catch_up()

    def own(self, person: str) -> list[str]:
        """The ids of somebody's studies, by title."""
        return self._listed(f"person/{person}", MOST) if person else []

    def for_all(self, limit: int) -> list[str]:
        """The ids of studies that everyone may read, by title."""
        return self._listed(FOR_ALL, limit)

    def find(self, ids: Sequence[str]) -> list[StudySummary]:
        found = self._entries.get_many([f"study/{id_}" for id_ in ids])
        return [entry.summary for entry in found if entry.summary]

    def catch_up(self) -> None:
        """Take in what was written since."""
        position = self._position()
        while records := self._notes.read_all(after=position, limit=BATCH):
            position = records[-1].position
            streams = {each.game for each in records if each.game.startswith("study/")}
            if streams or len(records) == BATCH:
                self._take_in(streams, position)

    def summarize_again(self, ids: Sequence[str]) -> None:
        """Take in studies whose author is somebody else by now."""
        if ids:
            self._take_in({f"study/{id_}" for id_ in ids}, 0)

    def _take_in(self, streams: set[str], position: int) -> None:
        def edit() -> dict[str, StudyEntry | None]:
            changes = {FOLLOWED: StudyEntry(followed=max(position, self._position()))}
            for stream in streams:
                try:
                    changes[stream] = StudyEntry(self._summarize(stream))
                except StoreError:
                    raise
                except Exception:  # one that cannot be read must not hide the others
                    log.exception("the study %s is not listed", stream)
            return {**changes}

        self._entries.change(edit)

    def _position(self) -> int:
        entry = self._entries.get(FOLLOWED)
        return entry.followed if entry else 0

    def _listed(self, list_: str, limit: int) -> list[str]:
        places = self._entries.listed(list_, limit)
        return [place.key.removeprefix("study/") for place in places]
