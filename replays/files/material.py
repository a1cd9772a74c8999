"""Boards and boxes by the name of a built-in one, or from a file of one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from engine.errors import BadMaterial
from engine.material import library
from engine.material.faults import Fault
from engine.material.inspection import MAX_BYTES, Faulty, read_board, read_box
from events.material import BoardRef, BoxRef
from events.messages.sentence import Sentence

T = TypeVar("T")
SUFFIX = ".json"


def load_board(word: str) -> BoardRef:
    """A built-in board by its name, or one from a JSON file.

    >>> load_board("toscana").content is None
    True
    """
    if word in library.BOARDS:
        return library.board_ref(word)
    return library.ref_of_board(_from_file(word, read_board, library.BOARDS))


def load_box(word: str) -> BoxRef:
    """The built-in box by its name, or one from a JSON file."""
    if word in library.BOXES:
        return library.box_ref(word)
    data = _from_file(word, read_box, library.BOXES)
    built_in = library.box_ref()
    own = library.custom_box_ref(data)
    return built_in if own.digest == built_in.digest else own


def _from_file(word: str, read: Callable[[bytes], T], there: tuple[str, ...]) -> T:
    file = Path(word)
    if file.suffix.lower() != SUFFIX:
        raise BadMaterial(
            Sentence(
                "nothing built in is named {word}; there is {there}, or a file ({suffix})",
                word=word,
                there=", ".join(there),
                suffix=SUFFIX,
            )
        )
    with file.open("rb") as opened:
        text = opened.read(MAX_BYTES + 1)
    try:
        return read(text)
    except Faulty as error:
        raise Faulty(
            [
                Fault("{where}: {reason}", fault.code, fault.places, where=word, reason=fault)
                for fault in error.faults
            ]
        ) from None
