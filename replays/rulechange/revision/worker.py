"""Folds logs with the code of one folder, for whoever compares two versions of the code.

Run by itself: `python -I worker.py FOLDER`. Each line on standard input asks for one log,
each line on standard output answers. It leans on nothing but the few modules that `MODULES` names,
wherever they lie, so that code of long ago can be asked as well.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path
from typing import Any

DIGITS = 24
"""Of each digest: enough to tell two apart, and a whole game is sent in few bytes."""


MODULES: dict[str, tuple[str, ...]] = {
    "read_game": ("events.codec",),
    "check": ("engine.actions.check", "engine.check"),
    "begin": ("engine.fold",),
    "apply": ("engine.fold",),
    "position": ("engine.snapshot",),
    "digest": ("engine.snapshot",),
    "scores": ("engine.rules.scoring", "engine.scoring"),
    "chronicle": ("replays.corpus.chronicle", "replays.chronicle"),
}
"""What is used of the code under test, and the module where it lies: the newest place first, then
those of earlier revisions."""


def find(name: str) -> Any:
    """A function of the code under test, from the first of its modules that there is."""
    *newer, oldest = MODULES[name]
    for path in newer:
        if all(map(find_spec, parents(path))):
            return getattr(import_module(path), name)
    return getattr(import_module(oldest), name)


def parents(path: str) -> list[str]:
    """A module's packages and itself, from the outermost in: to look for one that is not there."""
    parts = path.split(".")
    return [".".join(parts[: count + 1]) for count in range(len(parts))]


class Code:
    """What is used of the code under test."""

    def __init__(self) -> None:
        self.read_game, self.check = find("read_game"), find("check")
        self.begin, self.apply = find("begin"), find("apply")
        self.position, self.digest = find("position"), find("digest")
        # The first form is the one that all code can make, before there were several and since.
        if "form" in signature(self.digest).parameters:
            self.digest = partial(self.digest, form=1)
        self.scores = find("scores")

    def log(self, file: str, ruleset: dict[str, Any] | None) -> tuple[str, list[Any]]:
        data = Path(file).read_bytes()
        if ruleset is not None:
            header, opening, rest = data.split(b"\n", 2)
            fields = json.loads(opening) | {"ruleset": ruleset}
            data = b"\n".join([header, json.dumps(fields).encode(), rest])
        game = self.read_game(data)
        return game.header.game, game.events

    def states(self, events: list[Any], refused: list[dict[str, Any]]) -> Iterator[Any]:
        """The state after each event, up to one that is not allowed or cannot be applied."""
        state, following = self.begin(events)
        yield state
        for number, event in enumerate(following, start=2):
            # A year's recorded digest is what this comparison makes anew.
            refusal = None if type(event).__name__ == "YearClosed" else self.check(state, event)
            if refusal is not None:
                params = dict(refusal.params)
                refused.append({"number": number, "code": refusal.code, "params": params})
                return
            try:
                self.apply(state, event)
            except Exception as error:
                why = f"{type(error).__name__}: {error}"
                refused.append({"number": number, "code": "", "why": why})
                return
            yield state

    def walk(
        self, game: str, events: list[Any], when: str, clocks: list[Any], refusals: dict[str, Any]
    ) -> Iterator[Any]:
        """The state after each event, and in `refusals` what was refused. Where that is left out
        or answered by a bot, `refold` of whoever asks runs on the engine under test."""
        if when == "stop":
            refused: list[dict[str, Any]] = []
            yield from self.states(events, refused)
            refusals.update(refused=refused[0] if refused else None, times=len(refused), answers=0)
            return
        refold = refold_module()
        recording = refold.Recording(game, events)
        recording.clocks_are([tuple(each) for each in clocks])
        line = refold.Refold(recording, None, when)
        yield line.state
        for event in events[1:]:
            line.take(event, digests=False)
            yield line.state
        line.finish()
        first = line.refused[0] if line.refused else None
        refusals.update(
            refused=first
            and {
                "number": first.number,
                "code": first.refusal.code,
                "params": dict(first.refusal.params),
            },
            times=len(line.refused),
            answers=line.answers,
        )

    def clocks(self, file: str) -> dict[str, Any]:
        """When each event was recorded, if this code follows the log to its end."""
        _, events = self.log(file, None)
        refused: list[dict[str, Any]] = []
        clock = refold_module().clock
        found = [(0, 0, 0), *(clock(state) for state in self.states(events, refused))]
        return {"clocks": [] if refused else found}

    def fold(
        self, file: str, ruleset: dict[str, Any] | None, when: str, clocks: list[Any]
    ) -> dict[str, Any]:
        """One log: the digest after each event, and how it ends."""
        game, events = self.log(file, ruleset)
        refusals: dict[str, Any] = {}
        digests = []
        for state in self.walk(game, events, when, clocks, refusals):
            digests.append(self.digest(state)[:DIGITS])
        table = self.position(state)
        return {
            "game": game,
            "digests": digests,
            **refusals,
            "points": [[line.total, line.gold] for line in self.scores(state)],
            "resigned": [player.resigned for player in table.players],
            "winners": table.winners,
            "over": state.phase == "over",
            "year": state.year,
        }

    def show(
        self,
        file: str,
        ruleset: dict[str, Any] | None,
        when: str,
        clocks: list[Any],
        at: list[int],
    ) -> dict[str, Any]:
        """The tables after some events; the last one that there is where the log ends before."""
        import msgspec

        game, events = self.log(file, ruleset)
        found: dict[str, Any] = {}
        number = 0
        for number, state in enumerate(self.walk(game, events, when, clocks, {}), start=1):
            if number in at:
                found[str(number)] = msgspec.to_builtins(self.position(state), str_keys=True)
        found |= {
            str(later): msgspec.to_builtins(self.position(state), str_keys=True)
            for later in at
            if later > number
        }
        return {"positions": found}


def refold_module() -> Any:
    """`refold`, which lies a folder above, on the engine that is loaded here."""
    if "refold" not in sys.modules:
        spec = spec_from_file_location("refold", Path(__file__).parents[1] / "refold.py")
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules["refold"] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules["refold"]
            raise
    return sys.modules["refold"]


def serve(folder: str) -> None:
    """Answer until nobody asks any more."""
    sys.path.insert(0, folder)
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr

    def answer(what: dict[str, Any]) -> None:
        answers.write(json.dumps(what).encode() + b"\n")
        answers.flush()

    try:
        code = Code()
    except Exception as error:
        return answer({"error": f"{type(error).__name__}: {error}"})
    answer({"ready": True})
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        try:
            how = (asked["file"], asked["ruleset"], asked["when"], asked["clocks"])
            if asked.get("chronicle"):
                events = code.log(asked["file"], asked["ruleset"])[1]
                answer({"text": find("chronicle")(events)})
            elif asked["when"] == "clocks":
                answer(code.clocks(asked["file"]))
            elif asked.get("at"):
                answer(code.show(*how, asked["at"]))
            else:
                answer(code.fold(*how))
        except Exception as error:
            answer({"error": f"{type(error).__name__}: {error}"})
    return None


if __name__ == "__main__":
    serve(sys.argv[1])
