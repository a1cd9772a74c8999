"""All read models made anew while games go on: processes fold games side by side, and one saves.

The read models stay where they stand and are followed on meanwhile. Their entries are replaced game
by game, the one that moved last first, and how far that is lies beside them: whoever is killed
goes on there. A game that moves after the beginning is folded by who follows the log.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from typing import NamedTuple

import msgspec

from events.processes import end_with_parent
from events.store.errors import ReadModelConflict
from events.store.protocol import Store
from events.store.stores import open_store
from projections.readmodels.game_entries import (
    OF_ONE_GAME,
    Entries,
    Show,
    Standing,
    Trouble,
    whole_entries,
)
from projections.readmodels.lists import save_entries
from projections.readmodels.players import CareerRecord, player_name, rate_game
from projections.readmodels.projector import READ_MODELS, Names, Progress, Projector

AT_ONCE = 50
"""Games that are folded and saved together."""
MANY = 5_000
"""So many records that no read model knows are not followed in their order, but game by game."""
STATE, CURSOR = "rebuild", "cursor"
"""The read model, and its one entry, that says how far a rebuild is."""
CLAIM = "rebuild"

_encode = msgspec.json.Encoder().encode
_standing = msgspec.json.Decoder(Standing)


class Reached(msgspec.Struct, frozen=True):
    """Where the log was at the beginning, and the last record of the game that was saved last."""

    until: int
    reached: int


_reached = msgspec.json.Decoder(Reached)


class Folded(NamedTuple):
    """Some games, by the names that were shown then."""

    named_at: int
    entries: Mapping[str, Entries]
    troubles: Mapping[str, Trouble]


FoldAll = Callable[[Iterable[list[str]]], Iterator[Folded]]
"""Folds lists of games, in this order."""


def is_due(store: Store) -> bool:
    """Whether a rebuild was not finished, or the read models are new and the log is long."""
    positions = store.read_models.positions()
    if STATE in positions:
        return True
    return not any(positions.get(name) for name in READ_MODELS) and store.position() > MANY


def can_rebuild(store: Store) -> bool:
    """Whether a rebuild is due and no other process is at it."""
    return is_due(store) and store.claims.take(CLAIM)


def rebuild(
    store: Store,
    names: Names | None = None,
    progress: Progress | None = None,
    fold_all: FoldAll | None = None,
) -> int:
    """Make the read models anew, or go on with that. Tells how many games are done. Gives the
    position reached."""
    here: FoldAll = lambda lists: (fold_games(store, names, games) for games in lists)  # noqa: E731
    store.claims.take(CLAIM)
    try:
        Rebuild(store, names).run(fold_all or here, progress)
    finally:
        store.claims.release(CLAIM)
    return Projector(store, names).catch_up()


@contextmanager
def processes(place: str, open_names: Callable[[Store], Names], number: int) -> Iterator[FoldAll]:
    """Processes that fold games, each with its own connection to the store."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(number, context, _open_here, (place, open_names)) as pool:
        yield lambda lists: pool.map(_fold_here, lists)


_here: list[tuple[Store, Names]] = []
"""In a process that folds: its store, and the names that are shown."""


def _open_here(place: str, open_names: Callable[[Store], Names]) -> None:
    end_with_parent()
    store = open_store(place, create=False)
    _here.append((store, open_names(store)))


def _fold_here(games: list[str]) -> Folded:
    return fold_games(*_here[0], games)


def fold_games(store: Store, names: Names | None, games: Iterable[str]) -> Folded:
    """What follows from whole games."""
    named_at = names.position() if names else 0
    show: Show = names.shown if names else lambda _, opened: opened
    entries: dict[str, Entries] = {}
    troubles: dict[str, Trouble] = {}
    for game in games:
        entries[game], trouble = whole_entries(store.read(game), show)
        if trouble is not None:
            troubles[game] = trouble
    return Folded(named_at, entries, troubles)


class Rebuild:
    """One rebuild of a store's read models, from its beginning or from where it was left."""

    def __init__(self, store: Store, names: Names | None) -> None:
        self._store, self._names, self._models = store, names, store.read_models
        self._moved: set[str] = set()
        """The games that have moved since the beginning."""

    def run(self, fold_all: FoldAll, progress: Progress | None) -> None:
        saved = self._models.get(STATE, CURSOR)
        begun = self._begin() if saved is None else _reached.decode(saved)
        for name in READ_MODELS:
            # What is new need not be followed from its beginning: its games are folded whole.
            with suppress(ReadModelConflict):
                save_entries(self._models, name, 0, begun.until, {})
        self._looked_at = begun.until
        heads = sorted(((head.position, head.game) for head in self._store.heads()), reverse=True)
        left = [head for head in heads if head[0] < begun.reached]
        done = len(heads) - len(left)
        parts = [left[start : start + AT_ONCE] for start in range(0, len(left), AT_ONCE)]
        found = fold_all([game for _, game in part] for part in parts)
        for part, folded in zip(parts, found, strict=True):
            while not self._replace(folded):
                folded = fold_games(self._store, self._names, folded.entries)
            self._note(Reached(begun.until, part[-1][0]))
            done += len(part)
            if progress is not None:
                progress(done)
        games = {game for _, game in heads}
        while not self._rate(games):
            continue
        self._models.clear(STATE)

    def _begin(self) -> Reached:
        begun = self._store.position()
        return self._note(Reached(begun, begun + 1))

    def _note(self, reached: Reached) -> Reached:
        self._models.save(STATE, 0, 0, {CURSOR: _encode(reached)})
        return reached

    def _replace(self, folded: Folded) -> bool:
        """Save what was folded. False when other names are shown meanwhile."""

        def standing_still(name: str) -> dict[str, bytes | None]:
            self._look_on()
            return {
                game: entries[name]
                for game, entries in folded.entries.items()
                if game not in self._moved
            }

        for name in OF_ONE_GAME:
            self._amend(name, lambda name=name: standing_still(name))  # type: ignore[misc]
        known = dict(self._models.items("troubles")).keys() & folded.entries.keys()
        if known or folded.troubles:
            troubles = {game: _encode(trouble) for game, trouble in folded.troubles.items()}
            self._amend("troubles", lambda: dict.fromkeys(known - self._moved) | troubles)
        return self._names is None or self._names.position() == folded.named_at

    def _look_on(self) -> None:
        """See which games have moved."""
        while records := self._store.read_all(after=self._looked_at):
            self._moved.update(record.game for record in records)
            self._looked_at = records[-1].position

    def _amend(self, name: str, make: Callable[[], Mapping[str, bytes | None]]) -> None:
        """Change a read model where it stands, however often others move it on meanwhile."""
        while True:
            position = self._models.position(name)
            with suppress(ReadModelConflict):
                return save_entries(self._models, name, position, position, make())

    def _rate(self, games: set[str]) -> bool:
        """Make the players' records of all that has ended, and take away what belongs to no game.
        False when the read models moved meanwhile, or other names are shown."""
        named_at = self._names.position() if self._names else 0
        position = self._models.position("records")
        reach, standings = self._models.stream("scoreboard")
        if reach < position:
            Projector(self._store, self._names).catch_up()
            return False
        ended: list[tuple[int, bytes]] = []
        strange: dict[str, bytes | None] = {}
        for game, body in standings:
            standing = _standing.decode(body)
            if game not in games and self._store.head(game) is None:
                strange[game] = None
            elif 0 < standing.ended <= position:
                ended.append((standing.ended, body))
        records: dict[str, CareerRecord] = {}
        for _, body in sorted(ended):
            board = _standing.decode(body)
            players = {player_name(line.name, line.bot) for line in board.lines}
            known = {name: records[name] for name in players if name in records}
            records |= rate_game(board, known)
        changes: dict[str, bytes | None] = dict.fromkeys(dict(self._models.items("records")))
        changes |= {name: _encode(record) for name, record in records.items()}
        try:
            self._models.save("records", position, position, changes)
        except ReadModelConflict:
            return False
        for name in OF_ONE_GAME if strange else ():
            self._amend(name, lambda: strange)
        return self._names is None or self._names.position() == named_at
