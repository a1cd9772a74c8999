"""Folders of recorded games: the built-in corpus, and any other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from engine.actions.check import check
from engine.refusals import Refusal
from engine.walk import Walk
from events.codec import GameFile, encode_event, load_game
from events.errors import BadLog, EventError
from events.messages.sentence import Sentence, about, message_of
from events.types import AnyEvent
from events.upcast import Upcasters, upcasters
from replays.amendments import amendments_in, as_signed

CORPUS = Path(__file__).parent / "recorded"
REFUSED = "refused.jsonl"
"""What a log cannot hold: attempts that the rules refuse, in a file of their own."""

MAX_ATTEMPTS = 4_000_000
"""Bytes that are read of a file of attempts."""


class Attempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something refused: in which game, after how many of its events, and for which reason."""

    game: str
    after: Annotated[int, Meta(ge=1)]
    event: AnyEvent
    reason: str
    params: dict[str, str | int] = {}

    @property
    def refusal(self) -> Refusal:
        """What the rules have to say to it."""
        return Refusal(self.reason, self.params)


attempt_upcasters: Upcasters[Attempt] = Upcasters(Attempt, document="attempt", within=upcasters)
"""Of a file of attempts. So far an attempt is in its first version."""


def logs_in(folder: Path) -> list[Path]:
    """The files of games in a folder, by name."""
    return [path for path in sorted(folder.glob("*.jsonl")) if path.name != REFUSED]


def load_games(folder: Path = CORPUS) -> Iterator[tuple[str, GameFile]]:
    """Each game of a folder with its name; BadLog says which file is wrong.

    >>> next(iter(load_games()))[1].header.format
    'lacitta-game'
    """
    for path in logs_in(folder):
        try:
            yield path.stem, load_game(path)
        except BadLog as error:
            raise BadLog(about(path.name, message_of(error))) from None


def followed_games(folder: Path = CORPUS) -> dict[str, list[AnyEvent]]:
    """Each game of a folder as far as the rules of now follow it, with the digests that hold now:
    where a correction has changed it, that was signed.

    >>> list(followed_games()) == [name for name, _ in load_games()]
    True
    """
    signed = amendments_in(folder)
    return {name: as_signed(file.events, signed.get(name)) for name, file in load_games(folder)}


def load_attempts(folder: Path = CORPUS) -> list[Attempt]:
    """The refused attempts of a folder; none where there is no such file."""
    path = folder / REFUSED
    if not path.exists():
        return []
    with path.open("rb") as file:
        data = file.read(MAX_ATTEMPTS)
    try:
        return [attempt_upcasters.decode(line) for line in data.split(b"\n") if line.strip()]
    except (EventError, msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise BadLog(about(path.name, message_of(error))) from None


def check_attempts(events: Sequence[AnyEvent], attempts: Iterable[Attempt]) -> None:
    """Every attempt at one game is refused as its file says, or BadLog names the first that is not.

    >>> name, file = next(iter(load_games()))
    >>> check_attempts(file.events, [a for a in load_attempts() if a.game == name])
    """
    due: dict[int, list[Attempt]] = {}
    for attempt in attempts:
        due.setdefault(attempt.after, []).append(attempt)
    for step in Walk(events):
        for attempt in due.pop(step.number, []):
            if (refusal := check(step.state, attempt.event)) != attempt.refusal:
                raise BadLog(
                    Sentence("{attempt}, but the rules allow it", attempt=described(attempt))
                    if refusal is None
                    else Sentence(
                        "{attempt}, but the rules say: {sentence}",
                        attempt=described(attempt),
                        sentence=refusal.cited,
                    )
                )
    for attempt in [attempt for late in due.values() for attempt in late]:
        raise BadLog(Sentence("{attempt}, but the game ends before", attempt=described(attempt)))


def described(attempt: Attempt) -> str:
    return Sentence(
        "{file}: {game}, {tried} after event {after} is {reason}",
        file=REFUSED,
        game=attempt.game,
        tried=encode_event(attempt.event).decode(),
        after=attempt.after,
        reason=attempt.reason,
    )
