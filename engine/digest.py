"""The digest of a table: SHA-256 over a form that is frozen for ever, whatever a position becomes.

A digest of form 1 is 64 hex digits. One of a later form begins with the form's number and a colon,
`2:` and 64 hex digits, so that a log says by itself how each of its digests is made. `HexDigest` in
`events.types` has room for the known ones: code that does not know a form refuses the line.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

import msgspec

if TYPE_CHECKING:
    from engine.snapshot import Position


Names: TypeAlias = Any
Numbers: TypeAlias = Any
Map: TypeAlias = Any
"""Lists and maps are taken as they are: to look at each thing in them takes longer than to hash."""


class PlayerForm1(msgspec.Struct, frozen=True):
    seat: int
    gold: int
    castles: int
    figures: int
    action_cards: int
    played: Names
    unseen: Names
    founded: bool
    penalty: bool
    starved: int
    lost_by_moving: int
    care: str
    polled_voice: Numbers
    resigned: bool
    bot: str


class CityForm1(msgspec.Struct, frozen=True):
    number: int
    seat: int
    castle: str
    citizens: int
    buildings: Map
    figures: Map


class Form1(msgspec.Struct, frozen=True):
    """A position as MessagePack maps, with these names in this order. Seats count from 1."""

    phase: str
    year: int
    turn: int
    start: int
    queue: Numbers
    awaiting: Map
    chance: str
    winners: Numbers
    players: list[PlayerForm1]
    tiles: Map
    cities: list[CityForm1]
    founded_cities: int
    pools: Map
    supply: int
    neighbours: Map
    display: Names
    pile: Names
    pile_seen: Numbers
    discards: Map
    draws: Numbers
    shuffles: int
    voice: Names
    shown_voice: Numbers
    unseen_discards: Names
    secret: str
    commitment: str
    closed: int


FORMS: dict[int, type[msgspec.Struct]] = {1: Form1}
"""Every form that a log was ever written with. A form takes from a position what it names; it is
never changed, but followed by another."""

_encoder = msgspec.msgpack.Encoder()


def newest_form() -> int:
    return max(FORMS)


def form_bytes(p: Position, form: int) -> bytes:
    """What a digest is made of."""
    if is_shaped_as(type(p), FORMS[form]):
        return _encoder.encode(p)
    return _encoder.encode(msgspec.convert(p, FORMS[form], from_attributes=True))


@cache
def is_shaped_as(kind: type[msgspec.Struct], form: type[msgspec.Struct]) -> bool:
    """Whether something is written as a form is, so that it need not be brought into it first."""
    return _shape(kind) == _shape(form)


def _shape(kind: type[msgspec.Struct]) -> list[Any]:
    """How a struct is written: its names in order, and those of the structs in its lists."""
    config = kind.__struct_config__
    named = [
        (each.encode_name, [_shape(part) for part in get_args(each.type) if _is_struct(part)])
        for each in msgspec.structs.fields(kind)
    ]
    return [config.tag, config.array_like, config.omit_defaults, named]


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def digest_of(p: Position, form: int) -> str:
    """The digest of a position in one of the forms."""
    digits = hashlib.sha256(form_bytes(p, form)).hexdigest()
    return digits if form == 1 else f"{form}:{digits}"


def form_of(digest: str) -> int:
    """The form of a digest that stands in a log; 0 for one that is not known here.

    >>> form_of("ab" * 32), form_of("999:" + "ab" * 32)
    (1, 0)
    """
    number, colon, _ = digest.partition(":")
    form = int(number) if colon and number.isdecimal() else 1
    return form if form in FORMS else 0
