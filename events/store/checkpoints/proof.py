"""Proofs from a checkpoint that need no store: that a game is in it, and that another goes on from
it. Both are hashes that lead to a published root; see `events.merkle`."""

from __future__ import annotations

import msgspec

from events.merkle import verify_consistency, verify_inclusion
from events.messages.complaints import complaint
from events.messages.sentence import Sentence
from events.record import Head
from events.store.checkpoints.checkpoint import (
    BadCheckpoint,
    Checkpoint,
    Hash,
    LogTree,
    TreeHead,
    leaf_of,
)
from events.store.errors import NoSuchGame
from events.store.protocol import Store


class CheckpointProof(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="proof"
):
    """Base of both proofs."""


class GameProof(CheckpointProof, frozen=True, tag="lacitta-game-in-checkpoint"):
    """How a game stood at a checkpoint, and the path from its last record then to the root."""

    head: Head
    games: TreeHead
    path: list[Hash]


class GrowthProof(CheckpointProof, frozen=True, tag="lacitta-checkpoint-goes-on"):
    """The logs as they stood at a checkpoint and later, and for each what leads from one root to
    the other."""

    games: tuple[TreeHead, TreeHead, list[Hash]]
    notes: tuple[TreeHead, TreeHead, list[Hash]]


AnyProof = GameProof | GrowthProof
_decoder: msgspec.json.Decoder[AnyProof] = msgspec.json.Decoder(AnyProof)


def prove_game(store: Store, game: str, checkpoint: Checkpoint) -> GameProof:
    """The proof that a game stood so at a checkpoint of this store."""
    log, was = LogTree(store), checkpoint.games
    _check_growth(log, was)
    records = [record for record in store.read(game) if record.position <= was.size]
    if not records:
        raise NoSuchGame(game)
    last = records[-1]
    path = log.tree.inclusion(last.position - 1, was.size)
    return GameProof(
        head=Head(game, last.version, last.hash, last.position),
        games=was,
        path=[each.hex() for each in path],
    )


def prove_growth(store: Store, checkpoint: Checkpoint) -> GrowthProof:
    """The proof that a store has only grown since a checkpoint of it."""
    return GrowthProof(
        games=_growth(LogTree(store), checkpoint.games),
        notes=_growth(LogTree(store.notes), checkpoint.notes),
    )


def _growth(log: LogTree, was: TreeHead) -> tuple[TreeHead, TreeHead, list[Hash]]:
    _check_growth(log, was)
    path = log.tree.consistency(was.size, log.tree.size)
    return was, log.head(), [each.hex() for each in path]


def _check_growth(log: LogTree, was: TreeHead) -> None:
    if not log.holds(was):
        raise BadCheckpoint(Sentence("the store does not go on from this checkpoint"))


def write_proof(proof: AnyProof) -> bytes:
    return msgspec.json.format(msgspec.json.encode(proof), indent=2) + b"\n"


def read_proof(data: bytes) -> AnyProof:
    """A proof from a file, or BadCheckpoint."""
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        reason = complaint(str(error))
        raise BadCheckpoint(Sentence("not a proof: {reason}", reason=reason)) from None


def verify_proof(proof: AnyProof, checkpoint: Checkpoint) -> bool:
    """Whether a proof holds for a checkpoint."""
    if isinstance(proof, GameProof):
        head, was = proof.head, proof.games
        path, root = [bytes.fromhex(each) for each in proof.path], bytes.fromhex(was.root)
        leaf = leaf_of(head.head)
        holds = verify_inclusion(leaf, head.position - 1, was.size, path, root)
        return was == checkpoint.games and holds
    return all(
        was == known and _grew(was, now, path)
        for known, (was, now, path) in (
            (checkpoint.games, proof.games),
            (checkpoint.notes, proof.notes),
        )
    )


def _grew(was: TreeHead, now: TreeHead, path: list[Hash]) -> bool:
    roots = bytes.fromhex(was.root), bytes.fromhex(now.root)
    hashes = [bytes.fromhex(each) for each in path]
    return verify_consistency(was.size, roots[0], now.size, roots[1], hashes)
