"""Two versions of the code side by side: an earlier revision is unpacked and folds the same logs.

Each version runs in processes of its own that see no other code; what is compared is the digest of
the table after every event, and how the games end.
"""

from __future__ import annotations

import os
import queue
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import msgspec

from engine.refusals import REASONS, Refusal
from engine.rules.scoring import places
from engine.snapshot import Position
from events.material import Ruleset
from projections.words.effects import ENGLISH, Translator
from projections.words.events import tell_event, tell_refusal
from projections.words.positions import difference
from replays.rulechange.divergence import (
    OTHER_POINTS,
    Divergence,
    Finding,
    Illegal,
    Kind,
    LineResult,
    SeatResult,
    round_of,
)
from replays.rulechange.refold import WhenIllegal
from replays.rulechange.revision.changed_rules import changed_rules
from replays.rulechange.revision.checkout import WHEEL, is_code, unpack, unpack_wheel, working_code
from replays.rulechange.revision.process import Folding, RevisionProcess
from replays.rulechange.verify import read_log


class Versions:
    """An earlier revision and the code of now, asked by several processes each."""

    def __init__(
        self,
        name: str,
        earlier: Path,
        now: Path,
        ruleset: Ruleset | None,
        jobs: int,
        translator: Translator = ENGLISH,
        when_illegal: WhenIllegal = "stop",
    ) -> None:
        self.name, self.ruleset, self.jobs, self.translator = name, ruleset, jobs, translator
        self.when_illegal = when_illegal
        self.rules = changed_rules(earlier, now)
        self.pairs: queue.SimpleQueue[tuple[RevisionProcess, RevisionProcess]] = queue.SimpleQueue()
        self.closing = ExitStack()
        with ExitStack() as begun:
            for _ in range(jobs):
                before, after = (
                    RevisionProcess(of, where) for of, where in ((name, earlier), ("now", now))
                )
                begun.callback(before.close)
                begun.callback(after.close)
                self.pairs.put((before, after))
            self.closing = begun.pop_all()

    def verify(self, files: Sequence[Path]) -> Iterator[Finding]:
        """A finding per log, in order."""
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                yield from pool.map(self.verify_log, files)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def verify_log(self, file: Path) -> Finding:
        pair = self.pairs.get()
        try:
            return self._compare(file, *pair)
        finally:
            self.pairs.put(pair)

    def tables(self, file: Path, at: Sequence[int]) -> list[dict[int, Position]]:
        """The tables after some events by both versions, as far as their shape is known now."""
        pair = self.pairs.get()
        try:
            how = self._folding(file, *pair)
            return [_positions(each.ask(file, how, at)) for each in pair]
        finally:
            self.pairs.put(pair)

    def _folding(self, file: Path, *pair: RevisionProcess) -> Folding:
        """The clocks come from the version that follows the log; where neither does, both stop."""
        if self.when_illegal == "stop":
            return Folding(self.ruleset)
        for each in pair:
            clocks = each.ask(file, Folding(when="clocks"))["clocks"]
            if clocks:
                return Folding(self.ruleset, self.when_illegal, clocks)
        return Folding(self.ruleset)

    def _compare(self, file: Path, before: RevisionProcess, after: RevisionProcess) -> Finding:
        events = read_log(file).events
        names = [seat.name for seat in events[0].seats]  # type: ignore[union-attr]
        how = self._folding(file, before, after)
        one, other = before.ask(file, how), after.ask(file, how)
        number = _first_difference(one, other)
        where = None
        if number:
            tables = [_positions(each.ask(file, how, [number])) for each in (before, after)]
            refusals = [each["refused"] or {} for each in (one, other)]
            here = [each["code"] for each in refusals if each.get("number") == number]
            where = Divergence(
                number=number,
                year=one["year"],
                round=0,
                event=tell_event(events[number - 1], names, self.translator),
                difference=[self.translator.gettext(OTHER_POINTS)],
                choices=[],
                rules=_rules_behind(here, self.rules),
            )
            where = _told(where, tables, number, names, self.translator)
        refused = other["refused"] or one["refused"]
        kind: Kind = "same" if not number else "illegal" if refused else "outcome"
        illegal = None
        if number and refused:
            deed = tell_event(events[refused["number"] - 1], names, self.translator)
            side_: Literal["before", "after"] = "after" if other["refused"] else "before"
            line = other if other["refused"] else one
            illegal = _illegal(refused, deed, side_, line, self.translator)
        return Finding(
            game=one["game"],
            file=str(file),
            players=len(names),
            events=len(events),
            kind=kind,
            before=_outcome(one, names),
            after=_outcome(other, names),
            divergence=where,
            illegal=illegal,
        )


def _rules_behind(codes: Sequence[str], changed: list[str]) -> list[str]:
    """The rules that the code does otherwise; of them the one by which an action is refused."""
    refusing = sorted({REASONS[code][0] for code in codes if code in REASONS} - {""})
    return [rule for rule in refusing if rule in changed] or changed or refusing


def _first_difference(one: dict[str, Any], other: dict[str, Any]) -> int:
    """The number of the first event after which two folds differ, 0 for none."""
    ones, others = one["digests"], other["digests"]
    for number, (digest, its) in enumerate(zip(ones, others, strict=False), start=1):
        if digest != its:
            return number
    if len(ones) != len(others):
        return min(len(ones), len(others)) + 1
    # Points are no part of a table, so the digests do not tell.
    return 0 if one["points"] == other["points"] else len(ones)


def _positions(answer: dict[str, Any]) -> dict[int, Position]:
    try:
        return msgspec.convert(answer["positions"], dict[int, Position], str_keys=True)
    except msgspec.ValidationError:
        return {}


def _told(
    where: Divergence,
    tables: list[dict[int, Position]],
    number: int,
    names: list[str],
    translator: Translator,
) -> Divergence:
    """A divergence with what its tables say, if they are written down in the same shape."""
    if any(number not in each for each in tables):
        other_shape = [translator.gettext("The tables are written down in another shape.")]
        return msgspec.structs.replace(where, difference=other_shape)
    before, after = (each[number] for each in tables)
    sentences = difference(before, after, names, translator)
    return msgspec.structs.replace(
        where,
        year=before.year,
        round=round_of(before, len(names)),
        difference=sentences or where.difference,
    )


def _outcome(answer: dict[str, Any], names: list[str]) -> LineResult:
    resigned, points = answer["resigned"], answer["points"]
    ranks = places([(not gone, *line) for gone, line in zip(resigned, points, strict=True)])
    found = [
        SeatResult(seat, name, total, gold, place)
        for seat, (name, (total, gold), place) in enumerate(
            zip(names, points, ranks, strict=True), start=1
        )
    ]
    return LineResult(
        places=found,
        winners=answer["winners"] or [each.seat for each in found if each.place == 1],
        over=answer["over"],
        year=answer["year"],
    )


def _illegal(
    refused: dict[str, Any],
    event: str,
    side_: Literal["before", "after"],
    line: dict[str, Any],
    translator: Translator,
) -> Illegal:
    code = refused["code"]
    known = code in REASONS
    refusal = Refusal(code, refused.get("params", {}))
    return Illegal(
        number=refused["number"],
        event=event,
        code=code or "crash",
        sentence=tell_refusal(refusal, translator) if known else refused.get("why", code),
        rule=REASONS[code][0] if known else "",
        times=line["times"],
        answers=line["answers"],
        side=side_,
    )


@contextmanager
def versions(
    name: str,
    ruleset: Ruleset | None = None,
    jobs: int = 0,
    folder: Path | None = None,
    translator: Translator = ENGLISH,
    when_illegal: WhenIllegal = "stop",
) -> Iterator[Versions]:
    """Other code beside the code of now: a revision of the repository around a folder (the current
    one), a folder with the packages, or a wheel."""
    folder = folder or Path.cwd()
    with TemporaryDirectory() as place:
        earlier = Path(place)
        if name and is_code(Path(name)):
            earlier = Path(name).resolve()
        elif name.endswith(WHEEL):
            unpack_wheel(Path(name), earlier)
        else:
            unpack(name, folder, earlier)
        jobs = jobs or os.cpu_count() or 1
        now = working_code(folder)
        found = Versions(name, earlier, now, ruleset, jobs, translator, when_illegal)
        with found.closing:
            yield found
