"""Chronicles and cases for a caller in another process: a question a line on standard input, an
answer a line on standard output.

The caller may have packages named like ours, so it never imports us: see `lacitta_pytest`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

import msgspec

from engine.errors import BadMaterial, CannotFold
from events.codec import load_game
from events.errors import EventError
from replays.corpus.cases import SUFFIX, judge_case, load_case
from replays.corpus.chronicle import chronicle
from replays.files.rulesets import load_ruleset


class ChronicleRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The chronicle of which log, or the judgement of which case; under which ruleset: a preset, a
    file, or none for its own."""

    log: str
    ruleset: str = ""


class ChronicleResponse(msgspec.Struct, frozen=True):
    """The text, or in one line why there is none. A case that holds has nothing to say."""

    text: str = ""
    error: str = ""


def answer(question: ChronicleRequest) -> ChronicleResponse:
    """The chronicle asked for; whatever is wrong with log or ruleset is said in one line."""
    try:
        rules = load_ruleset(question.ruleset) if question.ruleset else None
        if question.log.endswith(SUFFIX):
            return ChronicleResponse(
                text="\n".join(judge_case(load_case(Path(question.log)), rules))
            )
        return ChronicleResponse(text=chronicle(load_game(Path(question.log)).events, rules))
    except (BadMaterial, CannotFold, EventError, OSError) as error:
        return ChronicleResponse(error=" ".join(str(error).split()))


def tell(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until nobody asks any more."""
    decoder = msgspec.json.Decoder(ChronicleRequest)
    for line in questions:
        answers.write(msgspec.json.encode(answer(decoder.decode(line))) + b"\n")
        answers.flush()


if __name__ == "__main__":
    tell(sys.stdin.buffer, sys.stdout.buffer)
