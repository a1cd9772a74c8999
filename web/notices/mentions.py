"""Who is mentioned at a table, from the stream of what is said there."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import msgspec

from events.record import Record
from events.store.errors import StoreError
from events.store.protocol import Store
from projections.words.effects import name_of
from replays.chat import Removed, Said, Unsaid, mentioned, text_of, uttered_upcasters
from web.notices.boxes import Box, Notice, with_notice
from web.seating.service import Lobby, Table

log = logging.getLogger(__name__)
STREAMS = "chat/"


class Mentions:
    """What new talk makes of the boxes of those whom it mentions."""

    def __init__(
        self,
        store: Store,
        lobby: Lobby,
        box: Callable[[str], Box],
        can_be_told: Callable[[str], bool],
    ) -> None:
        self._notes, self._lobby = store.notes, lobby
        self._box, self._can_be_told = box, can_be_told

    def heard(self, batch: Sequence[Record]) -> dict[str, Box]:
        """The boxes that some records of the notes change."""
        boxes: dict[str, Box] = {}
        for record in batch:
            game = record.game.removeprefix(STREAMS)
            table = self._lobby.find(game) if record.game.startswith(STREAMS) else None
            if table is None:
                continue
            try:
                boxes |= self._take_in(record, table, boxes)
            except StoreError:
                raise
            except Exception:  # whatever it is, one broken line must not silence the others
                log.exception("nobody is told what %s holds", record.game)
        return boxes

    def _take_in(self, record: Record, table: Table, boxes: dict[str, Box]) -> dict[str, Box]:
        """What one thing that was said, withdrawn or removed, makes of the boxes."""
        uttered = uttered_upcasters.decode(record.event)
        line = (
            self._line(record, uttered.said) if isinstance(uttered, Unsaid | Removed) else uttered
        )
        if not isinstance(line, Said):
            return {}
        notice = Notice("mentioned", table.id, line.time, letter_text(line, table))
        edit = with_notice if line is uttered else without_mention
        return {
            person: edit(boxes.get(person) or self._box(person), notice)
            for person in people_mentioned(table, line)
            if self._can_be_told(person)
        }

    def _line(self, withdrawn: Record, id_: str) -> Said | None:
        """The line that a record withdraws."""
        for record in self._notes.read(withdrawn.game):
            uttered = uttered_upcasters.decode(record.event)
            if isinstance(uttered, Said) and uttered.said == id_:
                return uttered
        return None


def people_mentioned(table: Table, line: Said) -> list[str]:
    """Whom a line is to be told to: each person once, and never its author."""
    holders = [table.holder(seat).person for seat in mentioned(line.words)]
    return [person for person in dict.fromkeys(holders) if person and person != line.by.person]


def letter_text(line: Said, table: Table) -> str:
    names = [holder.name for holder in table.seats]
    return f"{name_of(line.seat, names)}: {text_of(line.words, names)}"


def without_mention(box: Box, notice: Notice) -> Box:
    return msgspec.structs.replace(
        box,
        notices=[each for each in box.notices if each != notice],
        pushes=[each for each in box.pushes if each != notice],
    )
