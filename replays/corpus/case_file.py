"""A test made of a moment as a file: TOML that a player can read."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from events.codec import MAX_BYTES
from events.errors import BadLog
from events.messages.complaints import complaint
from events.messages.sentence import Sentence, about, message_of
from replays.corpus.cases import VERSION, Case

SUFFIX = ".case.toml"


def write_case(case: Case) -> bytes:
    """The file. Words come first, the log last."""
    then = case.then
    lines = [
        "# A moment of La Città made a test. pytest runs it with the plugin of lacitta[pytest],",
        "# and `lacitta case FILE` does without.",
        f"format = {quoted(case.format)}",
        f"version = {case.version}",
        f"title = {quoted(case.title)}",
        "",
        "[given]",
        *listed("words", case.given.words),
        "",
        "[when]",
        f"words = {quoted(case.when.words)}",
        f"action = {literal(case.when.action)}",
        "",
        "[then]",
        f"legal = {'true' if then.legal else 'false'}",
    ]
    if not then.legal:
        lines += [f"refused = {quoted(then.refused)}", f"because = {quoted(then.because)}"]
    else:
        for name in ("effects", "points", "choices"):
            lines += listed(name, getattr(then, name))
        lines.append(f"table = {literal(then.table)}")
    lines += ["", "[log]", f"events = {literal(case.log.events)}"]
    return ("\n".join(lines) + "\n").encode()


def quoted(text: str) -> str:
    """A string on one line: TOML reads JSON's."""
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")


def literal(text: str) -> str:
    """A string as it stands, over several lines if need be; quoted where TOML knows no other way.

    >>> print(literal('{"a":1}'), literal("it's '''so'''"))
    '{"a":1}' "it's '''so'''"
    """
    plain = all(sign.isprintable() or sign == "\n" for sign in text) and "''" not in text
    if not plain or text.endswith("'"):
        return quoted(text)
    if "\n" in text:
        return f"'''\n{text}'''"
    return f"'{text}'" if "'" not in text else quoted(text)


def listed(name: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return [f"{name} = []"]
    return [f"{name} = [", *(f"  {quoted(line)}," for line in lines), "]"]


def read_case(data: bytes) -> Case:
    """A case from the bytes of its file, or BadLog with what is wrong."""
    if len(data) > MAX_BYTES:
        raise BadLog(Sentence("larger than {bytes} bytes: not a test", bytes=MAX_BYTES))
    try:
        loose: dict[str, Any] = tomllib.loads(data.decode())
        case = msgspec.convert(loose, Case)
        case.events()
        assert case.action is not None
    except RecursionError:
        raise BadLog(Sentence("nested too deeply")) from None
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeError) as error:
        raise BadLog(complaint(str(error))) from None
    if case.version > VERSION:
        raise BadLog(
            Sentence(
                "version {version} is newer than {newest}, the newest known here",
                version=case.version,
                newest=VERSION,
            )
        )
    return case


def load_case(path: Path) -> Case:
    """A case from a file; BadLog names it."""
    try:
        with path.open("rb") as file:
            return read_case(file.read(MAX_BYTES + 1))
    except BadLog as error:
        raise BadLog(about(path.name, message_of(error))) from None
