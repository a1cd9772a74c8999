"""What an accepted change renews: chronicles, refusals, signed digests, and what a project makes
from them; and nothing else."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine.actions.check import check
from engine.walk import Walk, check_anew
from events.errors import EventError
from events.messages.sentence import Sentence
from replays.amendments import amend, sign
from replays.corpus.games import REFUSED, Attempt, load_attempts
from replays.rulechange.review.causes import GameChange
from replays.rulechange.verify import read_log

MINUTES = 10
"""After which a command that renews something is given up."""


class NotRenewed(EventError):
    """A command that was to renew something and failed."""


class Project(msgspec.Struct, frozen=True):
    """A repository with recorded games: what its settings say."""

    top: Path
    corpus: Path
    chronicles: Path
    renew: list[str] = []
    """What to run once all is accepted: words for Python, as `-m pytest --snapshot-update …`."""


class Signature(msgspec.Struct, frozen=True):
    """Who vouches for a change, when and why."""

    change: str
    by: str
    when: str
    why: str


def find_project(corpus: Path | None, folder: Path) -> Project | None:
    """The project around a folder of games, or around where one stands; None where there is none.

    Its settings are those of the pytest plugin, and `renew` in `[tool.lacitta]`.
    """
    start = (corpus or folder).resolve()
    for top in (start, *start.parents):
        file = top / "pyproject.toml"
        if not file.is_file():
            continue
        settings: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
        plugin = settings.get("pytest", {}).get("ini_options", {})
        named = plugin.get("lacitta_corpus")
        if named and (corpus is None or (top / named).resolve() == corpus.resolve()):
            games = (top / named).resolve()
            folder = plugin.get("lacitta_chronicles")
            chronicles = (top / folder).resolve() if folder else games / "__snapshots__"
            return Project(top, games, chronicles, settings.get("lacitta", {}).get("renew", []))
    return None


def renew(project: Project, changes: Sequence[GameChange], signature: Signature) -> list[str]:
    """Store what some accepted changes make of their games; names the files that were written."""
    games = sorted({change.game for change in changes})
    texts = {change.game: change.after for change in changes if is_told(change)}
    written = []
    for game in games:
        log = project.corpus / f"{game}.jsonl"
        if game in texts and _write(project.chronicles / f"{game}.txt", texts[game]):
            written.append(f"{game}.txt")
        signed = msgspec.structs.asdict(signature)
        if sign(log, game, amend(read_log(log).events, **signed)):
            written.append(f"{game}.amendment.json")
    return [*written, *renew_refusals(project.corpus, set(games))]


def is_told(change: GameChange) -> bool:
    """Whether it is a chronicle that changes, not a refusal of an attempt."""
    return change.cause.event != "an attempt"


def _write(file: Path, text: str) -> bool:
    if file.exists() and file.read_text(encoding="utf-8") == text:
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="\n")
    return True


def renew_refusals(corpus: Path, games: set[str]) -> list[str]:
    """Attempts at some games with the reason that they are refused for now. What is allowed now, or
    never comes about, is no refusal any more."""
    attempts = load_attempts(corpus)
    now = [each for attempt in attempts for each in _renewed(corpus, attempt, games)]
    if now == attempts:
        return []
    lines = [msgspec.json.encode(attempt) + b"\n" for attempt in now]
    (corpus / REFUSED).write_bytes(b"".join(lines))
    return [REFUSED]


def _renewed(corpus: Path, attempt: Attempt, games: Iterable[str]) -> list[Attempt]:
    if attempt.game not in games:
        return [attempt]
    events = read_log(corpus / f"{attempt.game}.jsonl").events[: attempt.after]
    walk = Walk(events, look=check_anew, stop=True)
    refusal = check(walk.to_end(), attempt.event)
    if walk.refused is not None or refusal is None:
        return []
    return [msgspec.structs.replace(attempt, reason=refusal.code, params=dict(refusal.params))]


def run_renewals(project: Project) -> None:
    """What the project itself makes from the rules and keeps: tables, counts, lists. All of them
    are tried; NotRenewed names those that failed, to be run again by hand."""
    failed = []
    for words in project.renew:
        done = subprocess.run(
            [sys.executable, *shlex.split(words)],
            cwd=project.top,
            capture_output=True,
            text=True,
            timeout=MINUTES * 60,
            check=False,
        )
        if done.returncode:
            lines = (done.stdout + done.stderr).strip().splitlines()
            failed.append(f"python {words} ({' / '.join(lines[-3:])})")
    if failed:
        raise NotRenewed(
            Sentence("not renewed, run it again: {commands}", commands="; ".join(failed))
        )
