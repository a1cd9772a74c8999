"""Checkpoints of a whole store: a few lines that can be published, and compared with it later.

A checkpoint holds the roots of two Merkle trees (see `events.merkle`): over the records of all
games and over all notes, by position. The leaf of a record is its hash, 64 hex digits in ASCII, so
that a root stands for every byte of every record and for their order. Documents change, so there is
only a digest of all of them, and how often they had been changed.

With names a checkpoint also tells what its roots stand for, so that what is missing can be named.
Without them it says nothing about anyone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from events.chain import MISFITS, Misfit, printable, printable_name
from events.errors import EventError
from events.merkle import Tree
from events.messages.complaints import complaint
from events.messages.sentence import Sentence
from events.record import Head
from events.store.documents import Documents
from events.store.errors import StoreReadOnly, VersionConflict
from events.store.log import Log
from events.store.protocol import Store

STREAM = "store/checkpoints"
"""The stream of notes in which a store remembers its own checkpoints."""
MAX_BYTES = 64_000_000
"""A checkpoint with the names of a hundred thousand games takes 15 MB."""

Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Count = Annotated[int, Meta(ge=0, le=2**53)]


class BadCheckpoint(EventError):
    """A file that is no checkpoint, or no longer the one that was written."""


class CheckpointPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what a checkpoint is made of."""


class TreeHead(CheckpointPart, frozen=True):
    """A log: how many records it has, and the root of their tree."""

    size: Count
    root: Hash


class DocumentsHead(CheckpointPart, frozen=True):
    """All documents: how often they were changed, and a digest of them."""

    changes: Count
    digest: Hash


class NamedCollection(CheckpointPart, frozen=True):
    """A collection of documents: its version, and per key the SHA-256 of the document."""

    version: Count
    documents: dict[str, Hash]


class CheckpointNames(CheckpointPart, frozen=True):
    """What a checkpoint's roots stand for: where every game and stream stood, and the documents."""

    games: list[Head]
    notes: list[Head]
    documents: dict[str, NamedCollection]


class Checkpoint(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A store at one time (milliseconds since 1970). `digest` covers all the rest of the file."""

    format: Literal["lacitta-checkpoint"]
    version: Literal[1]
    time: Count
    games: TreeHead
    notes: TreeHead
    documents: DocumentsHead
    names: CheckpointNames | None = None
    digest: str = ""


_decoder = msgspec.json.Decoder(Checkpoint)


def without_names(checkpoint: Checkpoint) -> Checkpoint:
    """The same checkpoint as it can be shown to anybody."""
    return _sealed(msgspec.structs.replace(checkpoint, names=None))


def remember(store: Store, checkpoint: Checkpoint) -> None:
    """Let the store remember a checkpoint, without its names; one that may only be read does
    not."""
    note = msgspec.json.encode(without_names(checkpoint))
    while True:
        try:
            store.notes.append(STREAM, store.notes.version(STREAM), [note])
        except VersionConflict:
            continue
        except StoreReadOnly:
            pass
        return


def remembered(store: Store) -> list[Checkpoint]:
    """The checkpoints that a store remembers, the oldest first."""
    return [read_checkpoint(record.event) for record in store.notes.read(STREAM)]


def last_remembered(store: Store) -> Checkpoint | None:
    """The newest checkpoint that a store remembers."""
    version = store.notes.version(STREAM)
    found = store.notes.read(STREAM, after=version - 1) if version else []
    return read_checkpoint(found[0].event) if found else None


def write_checkpoint(checkpoint: Checkpoint) -> bytes:
    """A checkpoint as a file."""
    return msgspec.json.format(msgspec.json.encode(checkpoint), indent=2) + b"\n"


def read_checkpoint(data: bytes) -> Checkpoint:
    """A checkpoint from a file, or BadCheckpoint."""
    try:
        found = _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        reason = complaint(str(error))
        raise BadCheckpoint(Sentence("not a checkpoint: {reason}", reason=reason)) from None
    if found != _sealed(found):
        raise BadCheckpoint(Sentence("the checkpoint was altered: its digest does not fit"))
    return found


def _sealed(checkpoint: Checkpoint) -> Checkpoint:
    bare = msgspec.structs.replace(checkpoint, digest="")
    digest = hashlib.sha256(msgspec.json.encode(bare)).hexdigest()
    return msgspec.structs.replace(bare, digest=digest)


class StoreSummary:
    """A store at one time: the trees of its logs, and its documents by name."""

    def __init__(self, store: Store) -> None:
        # Documents and notes are about games, which are then within the end of the games.
        self._documents = _name_documents(store.documents)
        self.notes, self.games = LogTree(store.notes), LogTree(store)

    def checkpoint(self, time: int) -> Checkpoint:
        """Its checkpoint, with names."""
        games, notes = self.games.heads(), self.notes.heads()
        return _sealed(
            Checkpoint(
                format="lacitta-checkpoint",
                version=1,
                time=time,
                games=self.games.head(),
                notes=self.notes.head(),
                documents=_documents_head(self._documents),
                names=CheckpointNames(games, notes, self._documents),
            )
        )

    def compare(self, was: Checkpoint) -> Iterator[str]:
        """What was lost or altered since a checkpoint; nothing when the store only grew."""
        games, notes = (was.names.games, was.names.notes) if was.names else (None, None)
        yield from self.games.compare(Sentence("games"), was.games, games)
        yield from self.notes.compare(Sentence("notes"), was.notes, notes)
        yield from _compare_documents(self._documents, was)

    def documents_changed(self, was: Checkpoint) -> bool:
        """Whether documents were changed since a checkpoint, which then cannot vouch for them."""
        return _documents_head(self._documents).changes > was.documents.changes


class LogTree:
    """A log and the Merkle tree over its records."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.tree = Tree(leaf_of(hash_) for hash_ in log.hashes())

    def head(self) -> TreeHead:
        return TreeHead(self.tree.size, self.tree.root(self.tree.size).hex())

    def heads(self) -> list[Head]:
        """Where every chain stood when the tree was made, though others write."""
        found = []
        for head in self.log.heads():
            if head.position <= self.tree.size:
                found.append(head)
            elif then := [r for r in self.log.read(head.game) if r.position <= self.tree.size]:
                found.append(Head(head.game, then[-1].version, then[-1].hash, then[-1].position))
        return found

    def holds(self, was: TreeHead) -> bool:
        """Whether the log goes on from where it stood."""
        return self.tree.size >= was.size and self.tree.root(was.size).hex() == was.root

    def compare(self, log: str, was: TreeHead, heads: list[Head] | None) -> Iterator[str]:
        """What was lost or altered, named as far as the heads of its chains are known."""
        if self.holds(was):
            return
        if self.tree.size < was.size:
            yield Sentence(
                "{log}: {found} records are left of {size} at the checkpoint",
                log=log,
                found=self.tree.size,
                size=was.size,
            )
        else:
            yield Sentence(
                "{log}: the first {size} records are not those of the checkpoint",
                log=log,
                size=was.size,
            )
        known = {head.game: head for head in heads or ()}
        for head in known.values():
            yield from self._compare_chain(head)
        for game in [head.game for head in self.log.heads() if heads is not None]:
            records = self.log.read(game) if game not in known else []
            if records and records[0].position <= was.size:
                yield Sentence(
                    "{game} is new to the checkpoint, but stands before its end",
                    game=printable_name(game),
                )

    def _compare_chain(self, was: Head) -> Iterator[str]:
        records, game = self.log.read(was.game), printable_name(was.game)
        record = next((each for each in records if each.version == was.version), None)
        if record is None:
            yield Sentence(
                "{game}: {found} records are left of {size} at the checkpoint",
                game=game,
                found=len(records),
                size=was.version,
            )
        elif record.hash != was.head:
            yield Sentence(
                "{game}: record {version} is not that of the checkpoint",
                game=game,
                version=was.version,
            )
        elif record.position != was.position:
            yield Sentence(
                "{game}: record {version} stands at position {found}, not {expected}",
                game=game,
                version=was.version,
                found=record.position,
                expected=was.position,
            )


def leaf_of(hash_: str) -> bytes:
    """The leaf of a record. In a damaged file its hash need not even be text."""
    return hash_.encode("utf-8", "surrogateescape")


def _name_documents(documents: Documents) -> dict[str, NamedCollection]:
    # By a name that is no text, no database can be asked for anything.
    names = [name for name in documents.names() if _text(name) == name]
    return {name: _name_collection(documents, name) for name in names}


def _text(key: str) -> str:
    """A key as text; in a damaged file it need not be any."""
    return key.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _name_collection(documents: Documents, name: str) -> NamedCollection:
    version, found = documents.stream(name)
    hashes = {_text(key): hashlib.sha256(body).hexdigest() for key, body in found}
    return NamedCollection(version, hashes)


def _documents_head(named: Mapping[str, NamedCollection]) -> DocumentsHead:
    encoded = msgspec.json.encode(named, order="sorted")
    changes = sum(collection.version for collection in named.values())
    return DocumentsHead(changes, hashlib.sha256(encoded).hexdigest())


def _compare_documents(now: Mapping[str, NamedCollection], was: Checkpoint) -> Iterator[str]:
    if was.names is None:
        head = _documents_head(now)
        if head.changes < was.documents.changes:
            yield Sentence("documents: they were set back to before the checkpoint")
        elif head.changes == was.documents.changes and head.digest != was.documents.digest:
            yield Sentence("documents: they are not those of the checkpoint")
        return
    for name, collection in was.names.documents.items():
        found = now.get(name, NamedCollection(0, {}))
        if found.version < collection.version:
            yield Sentence(
                "documents {name}: set back from version {version} to {found}",
                name=name,
                version=collection.version,
                found=found.version,
            )
        if found.version <= collection.version:
            yield from _compare_collection(name, collection.documents, found.documents)


def _compare_collection(name: str, was: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    for key in sorted(was.keys() | now.keys()):
        if was.get(key) != now.get(key):
            what: Misfit = "changed" if key in was and key in now else "missing"
            if key not in was:
                what = "foreign"
            yield Sentence(
                "document {name}/{key}: {what}",
                name=printable(name),
                key=printable(key),
                what=MISFITS[what],
            )
