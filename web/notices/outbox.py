"""The outbox: what waits for each person, kept beside the log and in step with it.

How far the log was followed and what follows from it are saved in one step, so a kill in between
loses and doubles nothing. A turn is noted with the version since which it is owed, and goes when
it is over. A letter is written down, with its id, before anything is sent (see `courier`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from events import types
from events.record import Record
from events.store.collection import Collection, ListRule
from events.store.errors import StoreError
from events.store.lists import FIRST, LATEST
from events.store.protocol import Store
from projections.now.waiting import Waiting
from projections.readmodels.game_entries import Standing
from web.notices.boxes import WARNINGS, Box, Kind, Notice, Turn, with_notice, with_turns
from web.notices.mentions import Mentions
from web.notices.reach import Reach
from web.seating.service import Lobby, Table

log = logging.getLogger(__name__)
NAME = "outbox"
FOLLOWED, HEARD = "followed", "heard"
NEEDED = ("scoreboard", "waiting")
"""The read models that the outbox follows the log with."""
BATCH = 500
DUE, PUSH = "due", "push"
"""The lists of boxes to look at, by when: for letters, and for pushes."""


class OutboxEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A document of the outbox: somebody's box, or how far the log was followed."""

    box: Box | None = None
    followed: int = 0


_waiting = msgspec.json.Decoder(list[Waiting])
_standing = msgspec.json.Decoder(Standing)


class Outbox:
    """The boxes of all people. Several workers may share them."""

    def __init__(
        self,
        store: Store,
        lobby: Lobby,
        clock: Callable[[], int],
        can_be_told: Callable[[str], bool],
        reach: Reach,
    ) -> None:
        self.store, self._lobby, self._clock = store, lobby, clock
        self._can_be_told, self._reach = can_be_told, reach
        rule = ListRule(reach.rule, self._lists_of)
        self._documents = Collection(store, NAME, OutboxEntry, rule)
        # A store that grew without an outbox: nobody wants letters about its past.
        here = {FOLLOWED: store.position(), HEARD: store.notes.position()}
        self._documents.change(
            lambda: {
                key: OutboxEntry(followed=position)
                for key, position in here.items()
                if self._documents.get(key) is None
            }
        )
        self._mentions = Mentions(store, lobby, self.box, can_be_told)

    def box(self, person: str) -> Box:
        entry = self._documents.get(f"box/{person}")
        return Box() if entry is None or entry.box is None else entry.box

    def due(self, until: int = LATEST, way: str = DUE) -> Iterator[str]:
        """The people whose boxes are to be looked at by then, those first who wait longest."""
        place = FIRST
        while places := self._documents.listed(way, BATCH, place, until):
            for place in places:
                yield place.key.removeprefix("box/")

    def put_off(self, person: str, until: int) -> None:
        """Write no letter to somebody before then, unless something changes."""
        lists = self._lists_of(f"box/{person}", OutboxEntry(box=self.box(person)))
        if DUE in lists and lists[DUE] <= self._clock():
            self._documents.enlist({f"box/{person}": {**lists, DUE: until}})

    def refresh(self, person: str) -> None:
        """Somebody can be told by other ways than before."""
        if self._documents.get(f"box/{person}"):
            self._documents.refresh([f"box/{person}"])

    def _lists_of(self, key: str, entry: OutboxEntry) -> dict[str, int]:
        if entry.box is None:
            return {}
        person = key.removeprefix("box/")
        due = {
            DUE: self._reach.due(person, entry.box),
            PUSH: self._reach.push_due(person, entry.box),
        }
        return {way: time for way, time in due.items() if time is not None}

    def waiting(self, person: str) -> list[str]:
        """The games in which a person owes a turn; cheap to ask again and again."""
        return sorted({turn.game for turn in self.box(person).turns}) if person else []

    def followed(self) -> int:
        """The position up to which the log was followed: lists of turns are as of then."""
        entry = self._documents.get(FOLLOWED)
        return entry.followed if entry else 0

    def size(self) -> int:
        """How much has still to be told to people who can be."""
        boxes = map(self.box, self.due())
        letters = sum(
            sum(not turn.told for turn in box.turns) + len(box.notices) + (box.letter is not None)
            for box in boxes
        )
        return letters + sum(1 for _ in self.due(way=PUSH))

    def notify(self, person: str, kind: Kind, game: str, text: str = "") -> None:
        """Tell a person something about a game with their next letter."""
        if not self._can_be_told(person):
            return
        notice = Notice(kind=kind, game=game, time=self._clock(), text=text)
        self.change(person, lambda box: with_notice(box, notice))

    def warn(self, person: str, notice: Notice) -> bool:
        """Tell a person of their time, once per turn. False when the turn is not noted yet."""
        if not self._can_be_told(person):
            return True
        known = False

        def edit(box: Box) -> Box:
            nonlocal known
            turn = next((t for t in box.turns if (t.game, t.seat) == about), None)
            known = turn is not None and turn.since >= notice.since
            if turn is None or not known or turn.warned >= WARNINGS[notice.kind]:
                return box
            warned = msgspec.structs.replace(turn, warned=WARNINGS[notice.kind])
            turns = [warned if each is turn else each for each in box.turns]
            return with_notice(msgspec.structs.replace(box, turns=turns), notice)

        about = (notice.game, notice.seat)
        self.change(person, edit)
        return known

    def change(self, person: str, edit: Callable[[Box], Box]) -> None:
        """Change somebody's box, from what it is to what `edit` makes of it."""

        def apply() -> dict[str, OutboxEntry | None]:
            before = self.box(person)
            after = edit(before)
            return {} if after == before else {f"box/{person}": self._stored(person, after)}

        self._documents.change(apply)

    def move(self, person: str, heir: str) -> None:
        """What waited for a guest waits for the account that the guest is by now, who is here."""
        turns = [msgspec.structs.replace(turn, told=True) for turn in self.box(person).turns]

        def edit(box: Box) -> Box:
            known = {turn.key for turn in box.turns}
            added = [turn for turn in turns if turn.key not in known]
            return msgspec.structs.replace(box, turns=[*box.turns, *added])

        self.change(heir, edit)
        self.forget(person)

    def forget(self, person: str) -> None:
        """Somebody is not there any more."""
        self.change(person, lambda _: Box())

    def follow(self) -> bool:
        """Take in some of what the log and the talk at tables have told since; False when there
        was nothing."""
        played = self._follow(FOLLOWED, self._batch, self._take_in)
        talked = self._follow(HEARD, self.store.notes.read_all, self._mentions.heard)
        return played or talked

    def _follow(
        self,
        key: str,
        read: Callable[[int], list[Record]],
        take_in: Callable[[list[Record]], dict[str, Box]],
    ) -> bool:
        moved = False

        def edit() -> dict[str, OutboxEntry | None]:
            nonlocal moved
            at = self._documents.get(key)
            batch = read(at.followed if at else 0)
            moved = bool(batch)
            if not batch:
                return {}
            changes: dict[str, OutboxEntry | None] = {
                f"box/{person}": self._stored(person, box) for person, box in take_in(batch).items()
            }
            return {**changes, key: OutboxEntry(followed=batch[-1].position)}

        self._documents.change(edit)
        return moved

    def _stored(self, person: str, box: Box) -> OutboxEntry | None:
        """A box as it is stored; an empty one is not."""
        box = self._reach.tidied(person, box)
        return None if box == Box() else OutboxEntry(box=box)

    def _batch(self, after: int) -> list[Record]:
        # Only as far as every read model is that is asked below.
        reach = min(self.store.read_models.position(name) for name in NEEDED)
        records = self.store.read_all(after=after, limit=BATCH)
        return [record for record in records if record.position <= reach]

    def _take_in(self, batch: list[Record]) -> dict[str, Box]:
        games: dict[str, list[Record]] = {}
        for record in batch:
            games.setdefault(record.game, []).append(record)
        boxes: dict[str, Box] = {}
        for game, records in games.items():
            table = self._lobby.find(game)
            if table is None:
                continue
            try:
                boxes |= self._look_at(table, records, boxes)
            except StoreError:
                raise
            except Exception:  # whatever it is, one broken game must not silence the others
                log.exception("nobody is told of game %s", game)
        return boxes

    def _look_at(
        self, table: Table, records: list[Record], boxes: dict[str, Box]
    ) -> dict[str, Box]:
        """What a game's new records make of the boxes of the people at its table."""
        people = table.people()
        # Who plays against bots alone keeps nobody waiting.
        alone = len(people) == 1
        news: list[Notice] = []
        if not alone and records[0].version == 1:
            news.append(Notice("begins", table.id, records[0].decode().time))
        standing: Standing | None = None if alone else self._read(_standing, "scoreboard", table.id)
        away = [] if alone else in_absence(table.id, records)
        if standing is not None:
            ended = [each for each in records if each.position == standing.ended]
            news += [Notice("ends", table.id, each.decode().time) for each in ended]
            away += asked_of(table, [each for each in records if each.position == standing.asked])
        owed = self._owed(table.id, records)
        changed = {}
        for person in people:
            box = boxes.get(person) or self.box(person)
            seats = table.seats_of(person)
            if self._can_be_told(person):
                for notice in [*news, *(each for each in away if each.seat in seats)]:
                    box = with_notice(box, notice)
            own = [
                msgspec.structs.replace(turn, told=alone, alone=alone)
                for turn in owed
                if turn.seat in seats
            ]
            changed[person] = with_turns(box, table.id, own)
        return changed

    def _owed(self, game: str, records: list[Record]) -> list[Turn]:
        """The turns that are owed now. One begins when it is owed, or with the last own action:
        who acts once and still owes something is reminded of that from then on."""
        acted = {}
        for event, version in ((record.decode(), record.version) for record in records):
            if seat := getattr(event, "seat", 0):
                acted[seat] = (version, event.time)
        turns = []
        for each in self._read(_waiting, "waiting", game) or []:
            start = (each.since_version, each.since_time)
            since, time = max(start, acted.get(each.seat, start))
            if not each.bot:
                turns.append(Turn(game, each.seat, since, time))
        return turns

    def _read(self, decoder: msgspec.json.Decoder[Any], model: str, key: str) -> Any:
        body = self.store.read_models.get(model, key)
        return None if body is None else decoder.decode(body)


def in_absence(game: str, records: list[Record]) -> list[Notice]:
    """What was done for people because their time ran out, or because the others voted so."""
    found = []
    for version, event in ((record.version, record.decode()) for record in records):
        by = getattr(event, "by", "")
        if isinstance(event, types.HandOver) and event.bot and by in ("clock", "vote"):
            found.append(Notice("handed-over", game, event.time, by, event.seat, version))
        elif isinstance(event, types.Turn) and by == "vote":
            found.append(Notice("decided", game, event.time, by, event.seat, version))
    return found


def asked_of(table: Table, records: list[Record]) -> list[Notice]:
    """The take-backs that the others have to agree to, for each of them."""
    found = []
    for version, event in ((record.version, record.decode()) for record in records):
        assert isinstance(event, types.AskTakeBack)
        who = table.holder(event.seat).name
        found += [
            Notice("asked", table.id, event.time, who, seat, version)
            for seat in range(1, len(table.seats) + 1)
            if seat != event.seat
        ]
    return found
