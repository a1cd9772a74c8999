"""A rule change against a whole corpus: every recorded game compared, on all cores, as a stream."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing.context import BaseContext
from pathlib import Path

import msgspec

from engine.errors import CannotFold
from events.codec import GameFile, load_game
from events.errors import BadLog, EventError
from events.material import Ruleset
from events.messages.sentence import Sentence, about, message_of
from projections.words.effects import ENGLISH, Translator
from replays.amendments import amendment_of
from replays.corpus.games import logs_in
from replays.rulechange.divergence import Finding, compare_all, recheck
from replays.rulechange.refold import WhenIllegal

CHUNK = 20
"""Games that a process takes at a time."""
WORTH_A_PROCESS = 10
"""Fewer games than this are done before another process has begun."""


class BrokenLog(EventError):
    """A log of the corpus that cannot be read, or does not hold. Names its file."""


class Task(msgspec.Struct, frozen=True):
    """What every game is put to: two rulesets, None for the game's own."""

    after: Ruleset | None = None
    before: Ruleset | None = None
    when_illegal: WhenIllegal = "stop"
    translator: Translator = ENGLISH
    """The language in which to tell what changes."""

    @property
    def plain(self) -> bool:
        """Nothing to compare with but what the logs themselves say."""
        return self.after is None and self.before is None


def find_logs(corpus: Path) -> list[Path]:
    """The logs of a corpus in order: those of a folder, or one file."""
    if not corpus.is_dir():
        return [corpus]
    found = logs_in(corpus)
    if not found:
        raise BrokenLog(
            Sentence("{corpus}: no logs of games (*.jsonl) in this folder", corpus=corpus)
        )
    return found


def read_log(file: Path) -> GameFile:
    """One log, or BrokenLog with its file."""
    try:
        return load_game(file)
    except BadLog as error:
        raise BrokenLog(about(file, message_of(error))) from None


def verify_log(file: Path, task: Task) -> Finding:
    """One log compared; BrokenLog when it cannot be read or does not hold by itself."""
    return verify_log_under(file, [task])[0]


def verify_log_under(file: Path, tasks: Sequence[Task]) -> list[Finding]:
    """One log put to several tasks that differ in nothing but the ruleset it is compared with: how
    it was is folded once for all of them."""
    log, task = read_log(file), tasks[0]
    game, events = log.header.game, log.events
    how = (task.when_illegal, str(file), task.translator, amendment_of(file))
    try:
        if task.plain:
            return [recheck(game, events, *how)]
        return compare_all(game, events, [each.after for each in tasks], task.before, *how)
    except CannotFold as error:
        raise BrokenLog(about(file, message_of(error))) from None


def verify_corpus(files: Sequence[Path], task: Task, jobs: int = 0) -> Iterator[Finding]:
    """A finding per log, in order, by so many processes; 0 for as many as there are cores."""
    for (finding,) in verify_rulesets(files, [task], jobs):
        yield finding


def verify_rulesets(
    files: Sequence[Path], tasks: Sequence[Task], jobs: int = 0
) -> Iterator[list[Finding]]:
    """The same for several rulesets in one pass: a finding per task for each log."""
    jobs = min(jobs or os.cpu_count() or 1, len(files) // WORTH_A_PROCESS or 1)
    if jobs == 1:
        for file in files:
            yield verify_log_under(file, tasks)
        return
    chunks = [files[start : start + CHUNK] for start in range(0, len(files), CHUNK)]
    with ProcessPoolExecutor(jobs, start_method()) as pool:
        try:
            for findings in pool.map(partial(_verify_chunk, tasks), chunks):
                yield from findings
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def start_method() -> BaseContext:
    """A process is forked, which has everything loaded, unless whoever calls has threads."""
    can_fork = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    return multiprocessing.get_context("fork" if can_fork and sys.platform == "linux" else "spawn")


def _verify_chunk(tasks: Sequence[Task], files: Sequence[Path]) -> list[list[Finding]]:
    return [verify_log_under(file, tasks) for file in files]
