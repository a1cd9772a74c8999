"""A process that sees the code of one folder and nothing else, and folds logs with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from events.material import Ruleset
from events.messages.sentence import Sentence
from replays.rulechange.refold import WhenIllegal
from replays.rulechange.revision import worker
from replays.rulechange.revision.checkout import NoRevision
from replays.rulechange.verify import BrokenLog


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
