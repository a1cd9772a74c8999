"""Who decided about a change of the rules, when and why: a file that is committed with it."""

from __future__ import annotations

import getpass
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from events.errors import BadLog
from events.messages.complaints import complaint
from events.messages.sentence import about
from replays.rulechange.review.causes import CauseGroup

FILE = "decisions.jsonl"
MAX_BYTES = 4_000_000
Verdict = Literal["accept", "reject"]
Text = Annotated[str, Meta(max_length=2000)]
VERDICTS: dict[Verdict, str] = {"accept": "accepted", "reject": "rejected"}


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One cause, judged. One line of the file."""

    verdict: Verdict
    cause: Text
    change: Text
    """What was compared with what."""
    games: int
    winners: int
    """In how many of them somebody else wins."""
    by: Text
    when: Text
    why: Text


def decide(
    verdict: Verdict, group: CauseGroup, change: str, by: str, when: str, why: str
) -> Decision:
    games, winners = len(group.games), len(group.other_winners)
    return Decision(verdict, group.cause.key, change, games, winners, by, when, why)


def quote(decision: Decision) -> str:
    """A decision in one line, for whoever reads a test run or a pull request.

    >>> quote(Decision("accept", "R43 / scored", "", 47, 4, "Anna", "2026-11-18", "House rule."))
    'R43 / scored: accepted by Anna on 2026-11-18, 47 games, 4 with another winner: House rule.'
    """
    games = "1 game" if decision.games == 1 else f"{decision.games} games"
    winners = f", {decision.winners} with another winner" if decision.winners else ""
    verdict = f"{VERDICTS[decision.verdict]} by {decision.by} on {decision.when}"
    return f"{decision.cause}: {verdict}, {games}{winners}: {decision.why}"


def read_decisions(data: bytes, name: str = FILE) -> list[Decision]:
    try:
        lines = [line for line in data[:MAX_BYTES].split(b"\n") if line.strip()]
        return [msgspec.json.decode(line, type=Decision) for line in lines]
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise BadLog(about(name, complaint(str(error)))) from None


def load_decisions(file: Path) -> list[Decision]:
    """The decisions of a file in order; none where there is no file."""
    return read_decisions(file.read_bytes(), file.name) if file.exists() else []


def write_decisions(file: Path, decisions: Sequence[Decision]) -> None:
    """Add to a file. What was decided before stays."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as opened:
        opened.writelines(msgspec.json.encode(decision) + b"\n" for decision in decisions)


def latest(decisions: Iterable[Decision]) -> dict[str, Decision]:
    """By cause, the last word on it."""
    return {decision.cause: decision for decision in decisions}


def new_decisions(file: Path, revision: str = "HEAD") -> list[Decision]:
    """What was decided since a revision: all of it where git does not know the file."""
    done = subprocess.run(
        ["git", "-C", str(file.parent), "show", f"{revision}:./{file.name}"],
        capture_output=True,
        check=False,
    )
    known = read_decisions(done.stdout, file.name) if done.returncode == 0 else []
    return load_decisions(file)[len(known) :]


def whoever_decides(folder: Path) -> str:
    """The name that git signs with here, else the user's."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), "config", "user.name"],
            capture_output=True,
            text=True,
            check=False,
        )
        if name := done.stdout.strip():
            return name
    except FileNotFoundError:
        pass
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "somebody"
