"""Keeps the read models up with the log: from where each stands, every record once.

A read model's entries and its position are saved together, so a kill in between changes nothing,
and a rebuild from nothing gives the same entries.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Protocol

import msgspec

from engine.effects import AnyEffect, GameWon
from engine.view import view_event
from events.record import Record
from events.store.errors import ReadModelConflict
from events.store.protocol import Store
from events.types import AnyEvent, GameOpened
from projections.now.scoreboard import scoreboard
from projections.readmodels.players import CareerRecord, player_name, rate_game
from projections.words.effects import tell_effect
from projections.years.game_fold import GameFold

READ_MODELS = ("history", "records", "scoreboard", "story", "troubles", "waiting")
BATCH = 500
KEPT_FOLDS = 256

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


class Changes:
    """What a batch of records changes, per read model."""

    def __init__(self) -> None:
        self.entries: dict[str, dict[str, bytes | None]] = {name: {} for name in READ_MODELS}
        self.texts: dict[str, str] = {}


class Projector:
    """Follows a store and keeps its read models."""

    def __init__(self, store: Store, names: Names | None = None) -> None:
        self._store, self._names = store, names
        self._folds: OrderedDict[str, GameFold] = OrderedDict()
        self._named_at = 0

    def catch_up(self, progress: Progress | None = None) -> int:
        """Take in every record that some read model has not seen. Gives the position reached."""
        models = self._store.read_models
        if self._names is not None and self._names.position() != self._named_at:
            self._named_at = self._names.position()
            self._folds.clear()
        while True:
            positions = {name: models.position(name) for name in READ_MODELS}
            start = min(positions.values())
            batch = self._store.read_all(after=start, limit=BATCH)
            if not batch:
                return start
            # Read models that are further on, after a rebuild of one alone, wait for the others.
            due = [name for name in READ_MODELS if positions[name] == start]
            ahead = [place for place in positions.values() if place > start]
            batch = [record for record in batch if not ahead or record.position <= min(ahead)]
            changes = self._take_in(batch)
            try:
                for name in due:
                    texts = changes.texts if name == "story" else None
                    models.save(name, start, batch[-1].position, changes.entries[name], texts)
            except ReadModelConflict:
                self._folds.clear()
                continue
            if progress is not None:
                progress(batch[-1].position)

    def rebuild(self, progress: Progress | None = None, names: tuple[str, ...] = ()) -> int:
        """Forget read models, all or those named, and make them anew from the log."""
        self._folds.clear()
        for name in names or READ_MODELS:
            self._store.read_models.clear(name)
        return self.catch_up(progress)

    def retell(self, games: Iterable[str]) -> None:
        """Make what is kept of some games anew, since a player is shown by another name."""
        models = self._store.read_models
        for game in games:
            for name in ("scoreboard", "story", "waiting"):
                while True:
                    self._folds.pop(game, None)
                    position = models.position(name)
                    told = [r for r in self._store.read(game) if r.position <= position]
                    changes = self._take_in(told)
                    texts = changes.texts if name == "story" else None
                    try:
                        models.save(name, position, position, changes.entries[name], texts)
                    except ReadModelConflict:
                        continue
                    break

    def _take_in(self, batch: list[Record]) -> Changes:
        changes = Changes()
        touched: dict[str, GameFold] = {}
        for record in batch:
            try:
                fold, event, told = self._follow(record)
            except Exception as error:  # whatever it is, one broken game must not stop the others
                trouble = {"version": record.version, "reason": f"{type(error).__name__}: {error}"}
                changes.entries["troubles"].setdefault(record.game, _encode(trouble))
                self._folds.pop(record.game, None)
                touched.pop(record.game, None)
                continue
            touched[record.game] = fold
            self._add_story(changes, record, fold, event, told)
            if any(isinstance(effect, GameWon) for effect in told):
                self._add_records(changes, fold)
        for game, fold in touched.items():
            changes.entries["scoreboard"][game] = _encode(scoreboard(fold.state))
            changes.entries["history"][game] = _encode(fold.history.years)
            changes.entries["waiting"][game] = _encode(fold.waiting) if fold.waiting else None
        return changes

    def _follow(self, record: Record) -> tuple[GameFold, AnyEvent, list[AnyEffect]]:
        """The fold of the record's game, taken up to that record."""
        event = record.decode()
        if isinstance(event, GameOpened):
            event = self._shown(record.game, event)
            fold, told = GameFold(event), list[AnyEffect]()
        else:
            kept = self._folds.get(record.game)
            # Another worker may have gone on from where this one stood.
            if kept is None or kept.version != record.version - 1:
                kept = self._fold_before(record)
            fold, told = kept, kept.advance(event, record.version)
        self._folds[record.game] = fold
        self._folds.move_to_end(record.game)
        if len(self._folds) > KEPT_FOLDS:
            self._folds.popitem(last=False)
        return fold, event, told

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
        told: list[AnyEffect],
    ) -> None:
        key = f"{record.game}/{record.version:06}"
        changes.entries["story"][key] = _encode(
            {
                "version": record.version,
                "time": event.time,
                "event": view_event(event, over=False),
                "effects": told,
            }
        )
        changes.texts[key] = " ".join(tell_effect(effect, fold.names) for effect in told)

    def _add_records(self, changes: Changes, fold: GameFold) -> None:
        """Rate a finished game on top of the records as they stand within this batch."""
        board = scoreboard(fold.state)
        changed = changes.entries["records"]
        known: dict[str, CareerRecord] = {}
        for line in board.lines:
            name = player_name(line.name, line.bot)
            saved = changed.get(name) or self._store.read_models.get("records", name)
            if saved is not None:
                known[name] = _record.decode(saved)
        for name, record in rate_game(board, known).items():
            changed[name] = _encode(record)
