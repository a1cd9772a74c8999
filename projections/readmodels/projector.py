"""Keeps the read models up with the log: from where each stands, every record once.

A read model's entries and its position are saved together, so a kill in between changes nothing,
and a rebuild from nothing gives the same entries. A game that cannot be folded is set aside: the
read model `troubles` says why, the others go on without it, and it is tried again later.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Protocol

import msgspec
from cachetools import LRUCache

from events.record import Record
from events.store.errors import ReadModelConflict
from events.store.protocol import Store
from events.types import GameOpened
from projections.now.scoreboard import Scoreboard, scoreboard
from projections.readmodels.game_entries import (
    NO_ENTRIES,
    OF_ONE_GAME,
    Trouble,
    Unfoldable,
    entries_of,
    fold_records,
)
from projections.readmodels.lists import save_entries
from projections.readmodels.players import CareerRecord, player_name, rate_game
from projections.years.game_fold import GameFold

log = logging.getLogger(__name__)
READ_MODELS = ("records", "scoreboard", "troubles", "waiting")
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


_trouble = msgspec.json.Decoder(Trouble)


class Changes:
    """What a batch of records changes, per read model."""

    def __init__(self) -> None:
        self.entries: dict[str, dict[str, bytes | None]] = {name: {} for name in READ_MODELS}
        self.games: dict[str, list[str]] = {}
        """The games that were folded on, with their players as they are named in the entries."""
        self.won: list[tuple[int, Scoreboard]] = []
        """The games that ended, each with the position at which it did."""


class Projector:
    """Follows a store and keeps its read models."""

    def __init__(self, store: Store, names: Names | None = None) -> None:
        self._store, self.names = store, names
        self._models = store.read_models
        self._folds: LRUCache[str, GameFold] = LRUCache(KEPT_FOLDS)
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
            save_entries(self._models, name, start, end, changes.entries[name])

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
        if self.names is None or (position := self.names.position()) == self._named_at:
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
        games: dict[str, list[Record]] = {}
        for record in batch:
            if (
                aside is None
                or record.game not in aside
                or record.version < aside[record.game].version
            ):
                games.setdefault(record.game, []).append(record)
        changes = Changes()
        for game, records in games.items():
            self._take_in_game(changes, game, records, unrated)
        for _, board in sorted(changes.won, key=lambda won: won[0]):
            self._rate(changes, board)
        return changes

    def _take_in_game(
        self, changes: Changes, game: str, records: list[Record], unrated: int
    ) -> None:
        entries = NO_ENTRIES
        try:
            fold = self._fold_on(game, records)
            entries = entries_of(fold)
            changes.games[game] = fold.names
            if any(each.position == fold.ended and each.version > unrated for each in records):
                changes.won.append((fold.ended, scoreboard(fold.state)))
        except Unfoldable as error:
            # One broken game must not stop the others, nor be folded again for each of its records.
            log.error("the read models set game %s aside", game, exc_info=error)
            changes.entries["troubles"][game] = _encode(error.trouble)
            with suppress(Unfoldable):
                fold = self._fold_before(game, error.trouble.version)
                entries = entries_of(fold)
                changes.games[game] = fold.names
        for name, body in entries.items():
            changes.entries[name][game] = body

    def _fold_on(self, game: str, records: list[Record]) -> GameFold:
        """A game folded up to the last of these records."""
        first = records[0].version
        fold = self._folds.pop(game, None)
        # Another worker may have gone on from where this one stood.
        if first > 1 and (fold is None or fold.version != first - 1):
            fold = self._fold_before(game, first)
        fold = fold_records(records, self._shown, fold if first > 1 else None)
        self._folds[game] = fold
        return fold

    def _fold_before(self, game: str, version: int) -> GameFold:
        """A game folded from its start up to just before a version."""
        return fold_records(self._store.read(game)[: version - 1], self._shown)

    def _shown(self, game: str, opened: GameOpened) -> GameOpened:
        return opened if self.names is None else self.names.shown(game, opened)

    def _rate(self, changes: Changes, board: Scoreboard) -> None:
        """Rate a finished game on top of the records as they stand within this batch."""
        changed = changes.entries["records"]
        known: dict[str, CareerRecord] = {}
        for line in board.lines:
            name = player_name(line.name, line.bot)
            saved = changed.get(name) or self._models.get("records", name)
            if saved is not None:
                known[name] = _record.decode(saved)
        for name, record in rate_game(board, known).items():
            changed[name] = _encode(record)
