"""Chronicles and cases for a caller in another process: a question a line on standard input, an
answer a line on standard output.

The caller may have packages named like ours, so it never imports us: see `lacitta_pytest`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

import msgspec

from engine.errors import BadMaterial, BrokenFold, CannotFold
from events.codec import load_game
from events.errors import EventError
from events.material import Ruleset
from replays.corpus.case_file import SUFFIX, load_case
from replays.corpus.cases import judge_case
from replays.corpus.chronicle import chronicle
from replays.files.rulesets import load_ruleset
from replays.rulechange.review.causes import GameChange, change_of, describe
from replays.rulechange.review.decisions import new_decisions, quote
from replays.rulechange.review.naming import name_cause


class ChronicleRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The chronicle of which log, or the judgement of which case; under which ruleset: a preset, a
    file, or none for its own; and the file of a stored chronicle, if it is to be compared."""

    log: str = ""
    ruleset: str = ""
    stored: str = ""
    decisions: str = ""
    """A file of decisions instead: those that are not committed yet are told."""


class ToldChange(msgspec.Struct, frozen=True):
    """What the stored chronicle and the one of now differ by, ready to be printed."""

    cause: str
    sentence: str
    other_winner: bool
    lines: int
    description: list[str]
    diff: list[str]


class ChronicleResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """The text, or in one line why there is none. A case that holds has nothing to say."""

    text: str = ""
    error: str = ""
    reason: str = ""
    """What the error comes from, where that is not the log: the same for many games."""
    change: ToldChange | None = None


def answer(question: ChronicleRequest) -> ChronicleResponse:
    """The chronicle asked for; whatever is wrong with log or ruleset is said in one line."""
    try:
        if question.decisions:
            new = new_decisions(Path(question.decisions))
            return ChronicleResponse(text="\n".join(map(quote, new)))
        rules = _rules(question.ruleset)
        log = Path(question.log)
        if question.log.endswith(SUFFIX):
            return ChronicleResponse(text="\n".join(judge_case(load_case(log), rules)))
        events = load_game(log).events
        text = chronicle(events, rules)
        stored = Path(question.stored) if question.stored else None
        if stored is None or not stored.exists():
            return ChronicleResponse(text=text)
        change = change_of(log.stem, events, stored.read_text(encoding="utf-8"), text, rules)
        return ChronicleResponse(text=text, change=told(change) if change else None)
    except _NoRules as error:
        return ChronicleResponse(error=_line(error), reason=_line(error))
    except BrokenFold as error:
        return ChronicleResponse(error=_line(error), reason=f"the engine broke ({error.what})")
    except (BadMaterial, CannotFold, EventError, OSError, UnicodeError) as error:
        return ChronicleResponse(error=_line(error))


class _NoRules(Exception):
    """A ruleset that cannot be read, whichever game it is for."""


def _rules(name: str) -> Ruleset | None:
    try:
        return load_ruleset(name) if name else None
    except (BadMaterial, EventError, OSError, UnicodeError) as error:
        raise _NoRules(error) from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def told(each: GameChange) -> ToldChange:
    return ToldChange(
        cause=each.cause.key,
        sentence=name_cause(each.cause),
        other_winner=each.change.other_winner,
        lines=each.change.lines,
        description=describe(each),
        diff=each.diff,
    )


def answer_all(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until nobody asks any more."""
    decoder = msgspec.json.Decoder(ChronicleRequest)
    for line in questions:
        answers.write(msgspec.json.encode(answer(decoder.decode(line))) + b"\n")
        answers.flush()


if __name__ == "__main__":
    answer_all(sys.stdin.buffer, sys.stdout.buffer)
