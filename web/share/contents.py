"""What the file holds: tracks to step along, and what each moment of them shows.

These are the shapes that `share.js` reads. Whatever is as at the moment before is left out.
"""

from __future__ import annotations

import msgspec

from web.moments.shapes import Moment


class SharedNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """A note: its text is HTML that was made safe. `answers` says how deep below another."""

    by: str
    html: str
    sign: str = ""
    means: str = ""
    about: str = ""
    answers: int = 0
    review: bool = False
    """Whether the review of the game found it, no person wrote it."""


class SharedMoment(Moment, frozen=True, omit_defaults=True):
    """A moment with what is written beside it. Cards are named by their keys in `Shared.cards`."""

    notes: list[SharedNote] = msgspec.field(default_factory=list)
    lines: list[int] = msgspec.field(default_factory=list)
    """The tracks that leave here."""


class Track(msgspec.Struct, frozen=True, omit_defaults=True):
    """The game, which comes first, or a line that leaves another track at its first moment."""

    start: int
    moments: list[SharedMoment]
    turns: list[int]
    years: list[tuple[int, int]]
    """Moments at which turns and years begin; a year with its number."""
    parent: int = 0
    title: str = ""
    by: str = ""


class Shared(msgspec.Struct, frozen=True):
    """Everything that the script is given."""

    shell: list[str]
    phrases: list[str]
    pool: list[str]
    cards: dict[str, str]
    tracks: list[Track]
    words: dict[str, str]
