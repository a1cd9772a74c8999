"""Amendments: what the rules of now make of a recorded game that a correction of them changes.

A log is never edited. Where a mistake in the rules was corrected, the digests in it are those of
the mistake; the amendment lies beside the log, names the change and who signed it, and gives the
digests that hold now, or the event at which the log cannot be followed any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engine.actions.check import check
from engine.refusals import Refusal
from engine.snapshot import digest, has_digest
from engine.state import State
from engine.walk import Walk, check_anew
from events.errors import BadLog
from events.messages.complaints import complaint
from events.messages.sentence import about
from events.types import AnyEvent, HexDigest, YearClosed

FORMAT: Literal["lacitta-amendment"] = "lacitta-amendment"
SUFFIX = ".amendment.json"
MAX_BYTES = 100_000
MAX_AMENDMENTS = 100
"""Of one game."""
Text = Annotated[str, Meta(max_length=2000)]


class Amendment(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One correction, signed."""

    change: Text
    by: Text
    when: Text
    why: Text
    digests: dict[int, HexDigest] = {}
    """By year, where it is not the recorded one."""
    ends: int = 0
    """The event that the rules refuse now; 0 where they refuse none."""
    reason: Text = ""
    """The code of that refusal."""

    def answers(self, s: State, event: AnyEvent, refusal: Refusal) -> bool:
        """Whether a digest that is not the recorded one is the one that was signed."""
        return (
            isinstance(event, YearClosed)
            and refusal.code == "digest-differs"
            and event.year in self.digests
            and has_digest(s, self.digests[event.year])
        )

    def ends_at(self, number: int, refusal: Refusal) -> bool:
        """Whether it is signed that the log cannot be followed beyond an event."""
        return number == self.ends and refusal.code == self.reason


class AmendmentFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All corrections of one game, the newest last; that one counts."""

    format: Literal["lacitta-amendment"]
    version: Annotated[int, Meta(ge=1, le=1)]
    game: Text
    amendments: Annotated[list[Amendment], Meta(min_length=1, max_length=MAX_AMENDMENTS)]


_file: msgspec.json.Decoder[AmendmentFile] = msgspec.json.Decoder(AmendmentFile)


def beside(log: Path) -> Path:
    """Where the amendments of a log lie.

    >>> beside(Path("games/two.jsonl")).as_posix()
    'games/two.amendment.json'
    """
    return log.with_name(f"{log.stem}{SUFFIX}")


def load_amendments(file: Path) -> list[Amendment]:
    """The corrections in a file, none where there is no file; BadLog names one that is wrong."""
    if not file.exists():
        return []
    with file.open("rb") as opened:
        return read_amendments(opened.read(MAX_BYTES + 1), file.name)


def read_amendments(data: bytes, name: str) -> list[Amendment]:
    """The corrections in the bytes of a file; BadLog gives it that name."""
    try:
        return _file.decode(data).amendments
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise BadLog(about(name, complaint(str(error)))) from None


def write_amendments(game: str, amendments: Sequence[Amendment]) -> bytes:
    """The file of all corrections of a game."""
    document = AmendmentFile(FORMAT, 1, game, list(amendments))
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def newest(amendments: Sequence[Amendment]) -> Amendment | None:
    """The one that counts."""
    return amendments[-1] if amendments else None


def amendment_of(log: Path) -> Amendment | None:
    """The correction that counts for a log, if it has one."""
    return newest(load_amendments(beside(log)))


def amendments_in(folder: Path) -> dict[str, Amendment]:
    """By game, the corrections that count."""
    files = sorted(folder.glob(f"*{SUFFIX}"))
    return {file.name.removesuffix(SUFFIX): load_amendments(file)[-1] for file in files}


class AmendedLook:
    """The check of an event that knows an amendment."""

    def __init__(self, amendment: Amendment | None) -> None:
        self.amendment = amendment

    def __call__(self, s: State, event: AnyEvent) -> Refusal | None:
        refusal = check(s, event)
        if refusal is not None and self.amendment and self.amendment.answers(s, event, refusal):
            return None
        return refusal


def amend(
    events: Sequence[AnyEvent], change: str, by: str, when: str, why: str
) -> Amendment | None:
    """What has to be signed for a log so that it holds by the rules of now; None where it does.

    >>> from engine.selfplay import new_game
    >>> amend(new_game(players=2, seed=1).events, "growth", "Anna", "2026-11-18", "a slip") is None
    True
    """
    digests: dict[int, str] = {}
    walk = Walk(events, look=_Gathering(digests), stop=True)
    walk.to_end()
    refused = walk.refused
    if not digests and refused is None:
        return None
    return Amendment(
        change=change,
        by=by,
        when=when,
        why=why,
        digests=digests,
        ends=refused.number if refused else 0,
        reason=refused.refusal.code if refused else "",
    )


def as_signed(events: Sequence[AnyEvent], amendment: Amendment | None) -> list[AnyEvent]:
    """A log as far as it can be followed, with the digests that hold now: for whoever has no use
    for an amendment beside it."""
    if amendment is None:
        return list(events)
    followed = events[: amendment.ends - 1] if amendment.ends else events
    return [_signed(event, amendment) for event in followed]


def _signed(event: AnyEvent, amendment: Amendment) -> AnyEvent:
    if isinstance(event, YearClosed) and event.year in amendment.digests:
        return msgspec.structs.replace(event, digest=amendment.digests[event.year])
    return event


class _Gathering:
    """Passes over digests of other days, and writes down those of now."""

    def __init__(self, digests: dict[int, str]) -> None:
        self.digests = digests

    def __call__(self, s: State, event: AnyEvent) -> Refusal | None:
        refusal = check_anew(s, event)
        if isinstance(event, YearClosed) and refusal is None and not has_digest(s, event.digest):
            self.digests[event.year] = digest(s)
        return refusal


def sign(log: Path, game: str, amendment: Amendment | None) -> bool:
    """Write an amendment beside a log, after the earlier ones; whether that was needed."""
    file = beside(log)
    earlier = load_amendments(file)
    if amendment is None or (earlier and _same(earlier[-1], amendment)):
        return False
    file.write_bytes(write_amendments(game, [*earlier, amendment]))
    return True


def _same(one: Amendment, other: Amendment) -> bool:
    return (one.digests, one.ends, one.reason) == (other.digests, other.ends, other.reason)
