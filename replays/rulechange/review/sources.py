"""Where the differences to be judged come from: stored chronicles that no longer agree, a ruleset,
or an earlier revision of the code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from engine.actions.check import check
from engine.errors import CannotFold
from engine.material import library
from engine.material.choices import differing
from engine.walk import Walk, check_anew
from events.codec import encode_event
from events.errors import BadLog
from events.material import Ruleset
from events.messages.sentence import about, message_of
from events.types import AnyEvent
from replays.amendments import amend, amendment_of
from replays.corpus.chronicle import chronicle, draw_table
from replays.corpus.games import Attempt, load_attempts
from replays.files.proof import prove
from replays.rulechange.divergence import compare
from replays.rulechange.review.causes import Cause, CauseGroup, GameChange, change_of, grouped
from replays.rulechange.review.passages import TextChange
from replays.rulechange.revision.checkout import unpacked
from replays.rulechange.revision.process import RevisionProcess
from replays.rulechange.verify import find_logs, read_log

TELLING = ("events", "engine", "projections", "replays")
"""The packages that a chronicle is told by."""
NOTHING = TextChange(1, "", "", "", "", "", [], [], "", "", 1)
Progress = Callable[[int, int], None]
"""Told after each game how many of how many are done."""


def nobody_looks(done: int, total: int) -> None:
    """Where no progress is shown."""


class Review(msgspec.Struct, frozen=True):
    """Everything that differs, by cause."""

    before: str
    after: str
    games: int
    groups: list[CauseGroup]
    renewable: bool
    """Whether something is stored that an accepted change renews."""
    logs: dict[str, Path] = {}
    """Where each game is recorded."""


def review_stored(corpus: Path, chronicles: Path, moved: Progress = nobody_looks) -> Review:
    """The stored chronicles, refusals and digests against the code of now."""
    files = find_logs(corpus)
    changes = [
        change for file in _each(files, moved) for change in stored_changes(file, chronicles)
    ]
    changes += refusal_changes(corpus, files, changes)
    return Review(
        "as stored", "as this code has it", len(files), grouped(changes), True, _logs(files)
    )


def stored_changes(file: Path, chronicles: Path) -> Iterator[GameChange]:
    """What of a game is not as it is stored: its chronicle, or else its digests."""
    events = read_log(file).events
    now = _told(file, events)
    stored = chronicles / f"{file.stem}.txt"
    if not stored.exists():
        yield GameChange(file.stem, Cause("", "no chronicle yet", "a new game"), NOTHING, "", now)
        return
    change = change_of(file.stem, events, stored.read_text(encoding="utf-8"), now)
    if change is not None:
        yield change
    elif (wrong := _wrong(file, events)) is not None:
        text = msgspec.structs.replace(NOTHING, number=wrong.number, after=message_of(wrong))
        cause = Cause("R42", "a digest that nobody signed", "the end of a year")
        yield GameChange(file.stem, cause, text, now, now)


def _wrong(file: Path, events: Sequence[AnyEvent]) -> CannotFold | None:
    """Why a log does not hold though its chronicle is the stored one."""
    try:
        prove(events, amendment_of(file))
    except CannotFold as error:
        return error if amend(events, "", "", "", "") is not None else None
    return None


def refusal_changes(
    corpus: Path, files: Iterable[Path], changes: Iterable[GameChange]
) -> list[GameChange]:
    """Attempts that the rules of now see otherwise than recorded. Where the game itself goes
    another way before an attempt, that is its cause: it is judged and renewed with the game."""
    parted = {change.game: change.change.number for change in changes}
    folder = corpus if corpus.is_dir() else corpus.parent
    logs = _logs(files)
    found = []
    for attempt in load_attempts(folder):
        if attempt.game in logs and attempt.after < parted.get(attempt.game, attempt.after + 1):
            found += _refusal_change(attempt, read_log(logs[attempt.game]).events)
    return found


def _refusal_change(attempt: Attempt, events: Sequence[AnyEvent]) -> list[GameChange]:
    walk = Walk(events[: attempt.after], look=check_anew, stop=True)
    state = walk.to_end()
    now = check(state, attempt.event) if walk.refused is None else None
    if walk.refused is None and now == attempt.refusal:
        return []
    after = now.cited if now else "allowed" if walk.refused is None else "never comes about"
    effect = f"refused as {now.code}" if now else after
    cause = Cause(attempt.refusal.rule, f"{effect}, was refused as {attempt.reason}", "an attempt")
    tried = encode_event(attempt.event).decode()
    table = [line.rstrip() for line in draw_table(state)]
    text = msgspec.structs.replace(
        NOTHING,
        number=attempt.after,
        before=f"{tried}: {attempt.refusal.cited}",
        after=f"{tried}: {after}",
        table_before=table,
        table_after=table,
    )
    return [GameChange(attempt.game, cause, text, text.before + "\n", text.after + "\n")]


def review_rulesets(
    corpus: Path, after: Ruleset, before: Ruleset | None, moved: Progress = nobody_looks
) -> Review:
    """Recorded games under two rulesets; the standard one where only one is named."""
    usual, files, changes = before or library.ruleset(), find_logs(corpus), []
    for file in _each(files, moved):
        events = read_log(file).events
        one, other = (_told(file, events, rules) for rules in (usual, after))
        change = change_of(file.stem, events, one, other, after, usual)
        if change is not None:
            changes.append(_with_rule(change, events, after, usual))
    choices = ", ".join(differing(usual, after)) or "no choice"
    title = f"{after.name} ({choices})"
    return Review(usual.name, title, len(files), grouped(changes), False, _logs(files))


def _with_rule(
    change: GameChange, events: list[AnyEvent], after: Ruleset, before: Ruleset
) -> GameChange:
    """The change with the rules of those choices that alone make it."""
    where = compare(change.game, events, after, before).divergence
    if where is None or not where.rules:
        return change
    cause = msgspec.structs.replace(change.cause, rule="/".join(where.rules))
    return msgspec.structs.replace(change, cause=cause)


def review_revision(
    corpus: Path, revision: str, folder: Path, moved: Progress = nobody_looks
) -> Review:
    """The code of now against a revision of the repository around a folder."""
    files, changes = find_logs(corpus), []
    with unpacked(revision, folder, TELLING) as place:
        process = RevisionProcess(revision, place)
        try:
            for file in _each(files, moved):
                events = read_log(file).events
                before = process.chronicle(file)
                now = _told(file, events)
                if (change := change_of(file.stem, events, before, now)) is not None:
                    changes.append(change)
        finally:
            process.close()
    changes += refusal_changes(corpus, files, changes)
    return Review(
        f"revision {revision}", "this code", len(files), grouped(changes), True, _logs(files)
    )


def _logs(files: Iterable[Path]) -> dict[str, Path]:
    return {file.stem: file for file in files}


def _each(files: Sequence[Path], moved: Progress) -> Iterator[Path]:
    """Every file, and how far they are done."""
    for number, file in enumerate(files, start=1):
        yield file
        moved(number, len(files))


def _told(file: Path, events: Sequence[AnyEvent], rules: Ruleset | None = None) -> str:
    """A chronicle; whatever cannot be folded is named with its game."""
    try:
        return chronicle(events, rules)
    except CannotFold as error:
        raise BadLog(about(file.name, message_of(error))) from None
