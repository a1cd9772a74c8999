"""Two versions of the code side by side: an earlier revision is unpacked and folds the same logs.

Each version runs in processes of its own that see no other code; what is compared is the digest of
the table after every event, and how the games end.
"""

from __future__ import annotations

import io
import os
import queue
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import msgspec

import engine
from engine.refusals import REASONS, Refusal
from engine.rules.scoring import places
from engine.snapshot import Position
from events.errors import EventError
from events.material import Ruleset
from events.messages.sentence import Sentence
from projections.words.effects import ENGLISH, Translator
from projections.words.events import tell_event, tell_refusal
from projections.words.positions import difference
from replays.rulechange import revision_worker as worker
from replays.rulechange.changed_rules import changed_rules
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
from replays.rulechange.verify import BrokenLog, read_log

HERE = Path(engine.__file__).parents[1]
"""The code that runs now."""
PACKAGES = ("events", "engine")
"""What folds a log: a folder that has both is a checkout of this project."""


WHEEL = ".whl"


class NoRevision(EventError):
    """A revision that cannot be compared with. Says why."""


def git(*words: str, folder: Path) -> bytes:
    """What git says, or NoRevision."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False)
    except FileNotFoundError:
        raise NoRevision(
            Sentence("git is not installed, so no revision can be compared with")
        ) from None
    if done.returncode:
        raise NoRevision(done.stderr.decode(errors="replace").strip() or Sentence("git refused"))
    return done.stdout


def find_revision(name: str, folder: Path) -> tuple[Path, str]:
    """The top folder of the repository around a folder, and the commit that a name stands for."""
    try:
        top = Path(git("rev-parse", "--show-toplevel", folder=folder).decode().strip())
    except NoRevision:
        raise NoRevision(
            Sentence(
                "{name} is no ruleset, and no revision either: {folder} is in no git repository",
                name=name,
                folder=folder,
            )
        ) from None
    try:
        found = git(
            *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"),
            folder=top,
        )
    except NoRevision:
        raise NoRevision(
            Sentence("there is no ruleset and no git revision named {name}", name=name)
        ) from None
    return top, found.decode().strip()


def repository_of(folder: Path) -> Path:
    """The top of the repository around a folder; the folder itself where there is none."""
    try:
        return Path(git("rev-parse", "--show-toplevel", folder=folder).decode().strip())
    except NoRevision:
        return folder


def working_code(folder: Path) -> Path:
    """The code that a revision is compared with: the checkout around a folder as it lies there.

    Edits that are not committed count, whatever is installed. Elsewhere it is the code that runs.
    """
    top = repository_of(folder)
    return top if is_code(top) else HERE


def is_code(folder: Path) -> bool:
    """Whether a folder has the packages that fold a log."""
    return all((folder / package).is_dir() for package in PACKAGES)


def unpack_wheel(wheel: Path, target: Path) -> None:
    """The packages of a released version, put into a folder."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            inside = [name for name in archive.namelist() if name.split("/")[0] in PACKAGES]
            archive.extractall(target, inside)
    except zipfile.BadZipFile:
        raise NoRevision(Sentence("{wheel} is no wheel", wheel=wheel)) from None


def file_at(name: str, file: Path) -> bytes:
    """A file of the repository around it, as a revision has it."""
    top, commit = find_revision(name, file.resolve().parent)
    return git("show", f"{commit}:{file.resolve().relative_to(top).as_posix()}", folder=top)


def unpack(name: str, source: Path, target: Path, packages: Sequence[str] = PACKAGES) -> None:
    """The packages of a revision of the repository around a folder, put into another folder."""
    top, commit = find_revision(name, source)
    try:
        packed = git("archive", "--format=tar", commit, *packages, folder=top)
    except NoRevision:
        raise NoRevision(
            Sentence(
                "revision {name} has no packages {packages}: too old to compare with",
                name=name,
                packages=", ".join(packages),
            )
        ) from None
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(target, filter="data")


@contextmanager
def unpacked(name: str, source: Path, packages: Sequence[str] = PACKAGES) -> Iterator[Path]:
    """A folder with the packages of a revision, as long as it is needed."""
    with TemporaryDirectory() as place:
        unpack(name, source, Path(place), packages)
        yield Path(place)


class Folding(msgspec.Struct, frozen=True):
    """How a log is to be folded: by which ruleset, and what of what is not legal. For that it is
    known when each event was recorded; `clocks` asks for nothing else."""

    ruleset: Ruleset | None = None
    when: WhenIllegal | Literal["clocks"] = "stop"
    clocks: list[tuple[int, int, int]] = []


class RevisionProcess:
    """A process that folds logs with the code of one folder."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, "-I", str(Path(worker.__file__)), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        answer = self._read()
        if "error" in answer:
            self.close()
            raise NoRevision(
                Sentence(
                    "revision {name} is too old to fold logs: {reason}",
                    name=name,
                    reason=answer["error"],
                )
            )

    def ask(
        self, file: Path, how: Folding, at: Sequence[int] = (), *, chronicle: bool = False
    ) -> dict[str, Any]:
        """One log, folded; or its tables after some events; or its chronicle."""
        asked = {
            "file": str(file.resolve()),
            "ruleset": how.ruleset,
            "when": how.when,
            "clocks": how.clocks,
            "at": list(at),
            "chronicle": chronicle,
        }
        assert self.process.stdin is not None
        self.process.stdin.write(msgspec.json.encode(asked) + b"\n")
        self.process.stdin.flush()
        answer = self._read()
        if "error" in answer:
            raise BrokenLog(
                Sentence(
                    "{file}: revision {name} cannot fold it: {reason}",
                    file=file,
                    name=self.name,
                    reason=answer["error"],
                )
            )
        return answer

    def chronicle(self, file: Path) -> str:
        """One log as a text, in the words of that code."""
        return str(self.ask(file, Folding(), chronicle=True)["text"])

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        answer: dict[str, Any] = (
            msgspec.json.decode(line) if line else {"error": Sentence("its process ended")}
        )
        return answer

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


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
