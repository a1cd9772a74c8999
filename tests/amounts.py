"""How much of a long list an ordinary run takes; with `--long`, tests take all of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

import pytest

T = TypeVar("T")


class Amount(Protocol):
    """The fixture of this name: its first argument in an ordinary run, its second with `--long`."""

    def __call__(self, ordinary: T, long: T) -> T: ...


def one_in(step: int, values: Iterable[Any]) -> list[Any]:
    """Parameters of a test, of which an ordinary run takes the first and then every so many."""
    marks = [[] if number % step == 0 else [pytest.mark.long] for number, _ in enumerate(values)]
    return [
        pytest.param(*(value if type(value) is tuple else (value,)), marks=marked)
        for value, marked in zip(values, marks, strict=True)
    ]
