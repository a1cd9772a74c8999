"""Keeps the read models up with the log: from where each stands, every record once.

A read model's entries and its position are saved together, so a kill in between changes nothing,
and a rebuild from nothing gives the same entries. A game that cannot be folded is set aside: the
read model `troubles` says why, the others go on without it, and it is tried again later.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Protocol

import msgspec

from engine.effects import AnyEffect, GameWon
from engine.view import view_event
from events.record import Record
from events.store.errors import ReadModelConflict, StoreError
from events.store.protocol import Store
from events.types import AnyEvent, GameOpened
from projections.now.scoreboard import scoreboard
from projections.readmodels.players import CareerRecord, player_name, rate_game
from projections.words.effects import tell_effect
from projections.years.game_fold import GameFold

log = logging.getLogger(__name__)
READ_MODELS = ("history", "records", "scoreboard", "story", "troubles", "waiting")
OF_ONE_GAME = ("history", "scoreboard", "story", "waiting")
"""Those whose entries follow from one game each."""
BATCH = 500
KEPT_FOLDS = 256
FIRST_RETRY, LAST_RETRY = 60.0, 3600.0
"""Seconds until a game that is set aside is tried again; each failure doubles them."""

Progress = Callable[[int], None]
"""Told the global position after each batch."""

_encode = msgspec.json.Encoder().encode
_record = msgspec.json.Decoder(CareerRecord)


class Names(Protocol):
    """By which names players are shown, should they not be those of the log."""

    def position(self) -> int:
        """Rises when a name changes."""

    def shown(self, game: str, opened: GameOpened) -> GameOpened:
        """A game's opening with the names that are shown."""


class Trouble(msgspec.Struct, frozen=True):
    """Why a game is set aside: the version that cannot be folded, and the error."""

    version: int
    reason: str


_trouble = msgspec.json.Decoder(Trouble)


class Changes:
    """What a batch of records changes, per read model."""

    def __init__(self) -> None:
        self.entries: dict[str, dict[str, bytes | None]] = {name: {} for name in READ_MODELS}
        self.texts: dict[str, str] = {}
        self.games: dict[str, list[str]] = {}
        """The games that were folded on, with their players as they are named in the entries."""


class Projector:
    """Follows a store and keeps its read models."""

    def __init__(self, store: Store, names: Names | None = None) -> None:
        self._store, self._names = store, names
        self._models = store.read_models
        self._folds: OrderedDict[str, GameFold] = OrderedDict()
        self._named_at = 0
        self._retries: dict[str, tuple[float, float]] = {}
        """Games that are set aside: when to try them again, and how long to wait after that."""

    def catch_up(self, progress: Progress | None = None) -> int:
        """Take in every record that some read model has not seen. Gives the position reached."""
        self._renamed()
        while True:
            positions = {name: self._models.position(name) for name in READ_MODELS}
            start = min(positions.values())
            batch = self._store.read_all(after=start, limit=BATCH)
            if not batch:
                return start
            # Read models that are further on, after a rebuild of one alone, wait for the others.
            due = [name for name in READ_MODELS if positions[name] == start]
            ahead = [place for place in positions.values() if place > start]
            batch = [record for record in batch if not ahead or record.position <= min(ahead)]
            aside = self.troubles()
            changes = self._take_in(batch, aside)
            try:
                self._save(due, start, batch[-1].position, changes)
            except ReadModelConflict:
                self._folds.clear()
                continue
            # Another worker may have changed meanwhile what this one went by.
            if aside and (readmitted := aside.keys() - self.troubles().keys()):
                self.retell(readmitted)
            if self._renamed():
                self._rename(changes)
            if progress is not None:
                progress(batch[-1].position)

    def rebuild(self, progress: Progress | None = None, names: tuple[str, ...] = ()) -> int:
        """Forget read models, all or those named, and make them anew from the log."""
        self._folds.clear()
        for name in names or READ_MODELS:
            self._models.clear(name)
        return self.catch_up(progress)

    def retell(self, games: Iterable[str]) -> None:
        """Make what is kept of some games anew, since a player is shown by another name."""
        for game in games:
            make = cache(partial(self._game_until, game))
            for name in OF_ONE_GAME:
                self._amend(name, make)

    def forget_player(self, name: str) -> None:
        """Take a player's wins and rating away."""
        self._remove("records", name)

    def troubles(self) -> dict[str, Trouble]:
        """The games that are set aside, and why."""
        return {game: _trouble.decode(body) for game, body in self._models.items("troubles")}

    def retry(self) -> None:
        """Try one of the games that are set aside again, if it is time for one."""
        now = time.monotonic()
        for game, trouble in self.troubles().items():
            due, wait = self._retries.get(game, (0.0, FIRST_RETRY))
            if now >= due:
                self._retries[game] = now + wait, min(2 * wait, LAST_RETRY)
                if self._readmit(game, trouble):
                    del self._retries[game]
                return

    def _readmit(self, game: str, trouble: Trouble) -> bool:
        """Fold a game that was set aside from its start, and keep it up again if that goes well."""
        position = self._models.position("troubles")
        changes = self._game_until(game, position, unrated=trouble.version - 1)
        if changes.entries["troubles"]:
            return False
        try:
            self._save(("records",), position, position, changes)
        except ReadModelConflict:
            return False
        self._remove("troubles", game)
        self.retell([game])
        log.warning("the read models follow game %s again", game)
        return True

    def _save(self, names: Iterable[str], start: int, end: int, changes: Changes) -> None:
        for name in names:
            texts = changes.texts if name == "story" else None
            self._models.save(name, start, end, changes.entries[name], texts)

    def _amend(self, name: str, make: Callable[[int], Changes]) -> None:
        """Change a read model where it stands, however often others move it on meanwhile."""
        while True:
            position = self._models.position(name)
            changes = make(position)
            try:
                return self._save((name,), position, position, changes)
            except ReadModelConflict:
                continue

    def _remove(self, name: str, key: str) -> None:
        removal = Changes()
        removal.entries[name][key] = None
        self._amend(name, lambda position: removal)

    def _renamed(self) -> bool:
        """Whether players are shown by other names than before. Folds hold names."""
        if self._names is None or (position := self._names.position()) == self._named_at:
            return False
        self._named_at = position
        self._folds.clear()
        return True

    def _rename(self, changes: Changes) -> None:
        """Replace the names in what was saved, and drop records of players not named any more."""
        self.retell(changes.games)
        for game, names in changes.games.items():
            opened = self._store.read(game)[0].decode()
            assert isinstance(opened, GameOpened)
            shown = {seat.name for seat in self._shown(game, opened).seats}
            for name in {*names} & changes.entries["records"].keys() - shown:
                self.forget_player(name)

    def _game_until(self, game: str, position: int, unrated: int = 0) -> Changes:
        """All that follows from a game's log up to a position."""
        self._folds.pop(game, None)
        records = [each for each in self._store.read(game) if each.position <= position]
        return self._take_in(records, unrated=unrated)

    def _take_in(
        self,
        batch: Collection[Record],
        aside: Mapping[str, Trouble] | None = None,
        unrated: int = 0,
    ) -> Changes:
        """Fold records on, but for games that are set `aside`, from where they are. A game won up
        to the version `unrated` counts among the records already."""
        changes = Changes()
        touched: dict[str, GameFold] = {}
        stopped = {game: trouble.version for game, trouble in (aside or {}).items()}

        def set_aside(game: str, version: int, error: Exception) -> None:
            log.error("the read models set game %s aside", game, exc_info=error)
            trouble = Trouble(version, f"{type(error).__name__}: {error}")
            changes.entries["troubles"][game] = _encode(trouble)
            stopped[game] = version
            self._folds.pop(game, None)
            touched.pop(game, None)

        # Whatever an error is, one broken game must not stop the others, nor be folded again for
        # each of its records.
        for record in batch:
            if record.version >= stopped.get(record.game, record.version + 1):
                continue
            try:
                fold, event, effects = self._follow(record)
                self._add_story(changes, record, fold, event, effects)
                if record.version > unrated and any(isinstance(each, GameWon) for each in effects):
                    self._add_records(changes, fold)
                touched[record.game] = fold
            except StoreError:
                raise
            except Exception as error:
                set_aside(record.game, record.version, error)
                with suppress(Exception):
                    # The fold may have been left half-way.
                    touched[record.game] = self._fold_before(record)
        for game, fold in list(touched.items()):
            try:
                changes.entries["history"][game] = _encode(fold.history.years)
                changes.entries["scoreboard"][game] = _encode(scoreboard(fold.state))
                changes.entries["waiting"][game] = _encode(fold.waiting) if fold.waiting else None
                changes.games[game] = fold.names
            except Exception as error:
                set_aside(game, fold.version, error)
        return changes

    def _follow(self, record: Record) -> tuple[GameFold, AnyEvent, list[AnyEffect]]:
        """The fold of the record's game, taken up to that record."""
        event = record.decode()
        if isinstance(event, GameOpened):
            event = self._shown(record.game, event)
            fold, effects = GameFold(event), list[AnyEffect]()
        else:
            before = self._folds.get(record.game)
            # Another worker may have gone on from where this one stood.
            if before is None or before.version != record.version - 1:
                before = self._fold_before(record)
            fold, effects = before, before.advance(event, record.version)
        self._folds[record.game] = fold
        self._folds.move_to_end(record.game)
        if len(self._folds) > KEPT_FOLDS:
            self._folds.popitem(last=False)
        return fold, event, effects

    def _fold_before(self, record: Record) -> GameFold:
        """A game folded from its start up to just before a record."""
        opened, *log = self._store.read(record.game)[: record.version - 1]
        opening = opened.decode()
        assert isinstance(opening, GameOpened)
        fold = GameFold(self._shown(record.game, opening))
        for earlier in log:
            fold.advance(earlier.decode(), earlier.version)
        return fold

    def _shown(self, game: str, opened: GameOpened) -> GameOpened:
        return opened if self._names is None else self._names.shown(game, opened)

    def _add_story(
        self,
        changes: Changes,
        record: Record,
        fold: GameFold,
        event: AnyEvent,
        effects: list[AnyEffect],
    ) -> None:
        key = f"{record.game}/{record.version:06}"
        changes.entries["story"][key] = _encode(
            {
                "version": record.version,
                "time": event.time,
                "event": view_event(event, over=False),
                "effects": effects,
            }
        )
        changes.texts[key] = " ".join(tell_effect(effect, fold.names) for effect in effects)

    def _add_records(self, changes: Changes, fold: GameFold) -> None:
        """Rate a finished game on top of the records as they stand within this batch."""
        board = scoreboard(fold.state)
        changed = changes.entries["records"]
        known: dict[str, CareerRecord] = {}
        for line in board.lines:
            name = player_name(line.name, line.bot)
            saved = changed.get(name) or self._models.get("records", name)
            if saved is not None:
                known[name] = _record.decode(saved)
        for name, record in rate_game(board, known).items():
            changed[name] = _encode(record)
