"""Stores as a whole: checking them, and moving games between stores and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from engine.errors import CannotFold
from events.chain import GENESIS, chain_on
from events.codec import GameFile, write_game
from events.errors import BadLog, EventError, called
from events.messages.sentence import Sentence, message_of
from events.store import guards
from events.store.backups.transfer import check_game as check_chain
from events.store.checkpoints import checkpoint
from events.store.checkpoints.checkpoint import BadCheckpoint, Checkpoint, StoreSummary, remembered
from events.store.errors import NoSuchGame
from events.store.protocol import Store
from replays.amendments import Amendment, newest
from replays.chat import uttered_upcasters
from replays.files.proof import Proof, prove
from replays.notes.annotations import written_upcasters

MAX_EVENTS = 5_000
"""A game has some hundred events. Take-backs and seats handed over can make it longer without end;
of a game that comes from outside no more are taken than this."""
AMENDMENTS = "amendment/"
"""How the stream of notes is called in which a game's amendments are kept."""
_amendment: msgspec.json.Decoder[Amendment] = msgspec.json.Decoder(Amendment)


class BadGame(EventError):
    """A stored game with a record that does not fit."""

    def __init__(self, game: str, version: int, reason: str) -> None:
        self.game, self.version, self.reason = game, version, reason
        super().__init__(
            Sentence(
                "game {game}, version {version}: {reason}",
                game=game,
                version=version,
                reason=reason,
            )
        )


class Checked(msgspec.Struct, frozen=True):
    """A stored game that holds."""

    game: str
    head: str
    proof: Proof


def check_game(
    store: Store, game: str, shown: str | None = None, amendment: Amendment | None = None
) -> Checked:
    """Walk one game: hashes, encoding, rules, digests and shuffles.

    `shown` is a head that somebody was shown and kept: it must occur in the log. `amendment` is
    what was signed for it after a correction of the rules, if that is not the one kept with it.
    """
    head = check_chain(store, game, shown)
    events = []
    for record in store.read(game):
        try:
            events.append(record.decode())
        except BadLog as error:
            raise BadGame(game, record.version, message_of(error)) from None
    signed = amendment or newest(stored_amendments(store, game))
    try:
        return Checked(game=game, head=head, proof=prove(events, signed))
    except CannotFold as error:
        raise BadGame(game, error.number, error.reason) from None


def check_store(store: Store) -> Iterator[Checked]:
    """Walk every game, in order of ids; raises at the first record that does not fit."""
    for info in store.games():
        yield check_game(store, info.game)


class BadStoredNote(EventError):
    """A note that its chain vouches for, but that says nothing that we know."""

    def __init__(self, stream: str, version: int, reason: str) -> None:
        self.stream, self.version = stream, version
        super().__init__(
            Sentence(
                "{game}, version {version}: {reason}",
                game=called(stream),
                version=version,
                reason=reason,
            )
        )


Decoders = Mapping[str, Callable[[bytes], object]]
"""Per stream of notes, or how its name begins, what reads them."""


def check_notes(store: Store, others: Decoders | None = None) -> int:
    """Read all that was ever written beside the games and said at tables, and other notes; how many
    that is, or BadStoredNote at the first that cannot be read."""
    total = 0
    for prefix, decode in {**DECODERS, **(others or {})}.items():
        for stream in store.notes.streams(prefix):
            for record in store.notes.read(stream):
                try:
                    decode(record.event)
                except (EventError, msgspec.MsgspecError, RecursionError, UnicodeError) as error:
                    raise BadStoredNote(stream, record.version, message_of(error)) from None
                total += 1
    return total


DECODERS: Decoders = {
    "game/": written_upcasters.decode,
    "study/": written_upcasters.decode,
    "chat/": uttered_upcasters.decode,
    AMENDMENTS: _amendment.decode,
    checkpoint.STREAM: checkpoint.read_checkpoint,
    guards.STREAM: guards.decode_restored,
}


def store_faults(store: Store, published: Checkpoint | None = None) -> Iterator[str]:
    """What is wrong with a store as a whole, though every chain may hold: guards that were missing,
    and what was lost or altered since the checkpoints that it remembers, and a published one."""
    yield from (fault.sentence for fault in store.guard_faults())
    last = store.position()
    for name in store.read_models.names():
        if (position := store.read_models.position(name)) > last:
            yield Sentence(
                "read model {name} stands at position {position}, and the games end at {last}",
                name=name,
                position=position,
                last=last,
            )
    now = StoreSummary(store)
    if published is not None:
        yield from now.compare(published)
    try:
        for was in remembered(store):
            if found := list(now.compare(was)):
                yield from found
                return
    except BadCheckpoint as error:
        yield message_of(error)


def export_game(store: Store, game: str) -> bytes:
    """A stored game as a file, with its head."""
    info = store.game(game)
    if info is None:
        raise NoSuchGame(game)
    return write_game(game, [record.event for record in store.read(game)], head=info.head)


def store_game(
    store: Store, file: GameFile, game: str = "", amendments: Sequence[Amendment] = ()
) -> str:
    """Store a game that `check_file` has let pass, with what was signed for it; gives its id: the
    file's own, unless it gets another."""
    game = game or file.header.game
    store.append_encoded(game, 0, file.encoded)
    keep_amendments(store, game, amendments)
    return game


def keep_amendments(store: Store, game: str, amendments: Sequence[Amendment]) -> None:
    """Keep what was signed for a game beside it."""
    if amendments:
        notes = [msgspec.json.encode(amendment) for amendment in amendments]
        store.notes.append(f"{AMENDMENTS}{game}", 0, notes)


def stored_amendments(store: Store, game: str) -> list[Amendment]:
    """What was signed for a game, the newest last."""
    return [_amendment.decode(note.event) for note in store.notes.read(f"{AMENDMENTS}{game}")]


def check_file(file: GameFile, amendment: Amendment | None = None) -> GameFile:
    """Whether a file holds one game, its events keep to the rules and are those that its head
    stands for; gives it as far as it can be followed, which an amendment may cut short. This costs
    time: once per file."""
    if len(file.events) > MAX_EVENTS:
        raise BadLog(Sentence("more than {events} events: not one game", events=MAX_EVENTS))
    proof = prove(file.events, amendment)
    game, head = file.header.game, file.header.head
    encoded = file.encoded
    if head and head != chain_on(game, 0, GENESIS, 0, encoded)[-1].hash:
        raise BadGame(game, len(encoded), Sentence("the file's head is not that of its events"))
    return msgspec.structs.replace(file, events=file.events[: proof.events])
