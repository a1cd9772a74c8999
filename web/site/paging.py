"""Long lists, shown a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import msgspec
from flask import request

T = TypeVar("T")


class Paged(msgspec.Struct, Generic[T], frozen=True):
    """One page of a list: which one it is, and of how many."""

    items: list[T]
    page: int
    pages: int
    total: int


def paged(
    items: Sequence[T],
    page: int,
    most: int,
    *,
    weigh: Callable[[T], int] = lambda _: 0,
    heaviest: int = 0,
) -> Paged[T]:
    """The page of that number, or the nearest that there is. A page has at most so many items, and
    together they weigh no more than `heaviest`, unless one alone does.

    >>> paged("abcde", 2, 2).items
    ['c', 'd']
    >>> paged("abcde", 9, 2)
    Paged(items=['e'], page=3, pages=3, total=5)
    """
    starts, weight = [0], 0
    for place, item in enumerate(items):
        weight += weigh(item)
        if place - starts[-1] == most or (weight > heaviest and place > starts[-1]):
            starts.append(place)
            weight = weigh(item)
    page = min(max(page, 1), len(starts))
    end = starts[page] if page < len(starts) else len(items)
    return Paged(list(items[starts[page - 1] : end]), page, len(starts), len(items))


def items_on(list_: Paged[T], page: int) -> list[T]:
    """For programs, which ask until nothing comes: beyond the last page there is nothing.

    >>> items_on(paged("abc", 2, 2), 2), items_on(paged("abc", 3, 2), 3)
    (['c'], [])
    """
    return list_.items if list_.page == max(page, 1) else []


def page_in_query(name: str, default: int = 1) -> int:
    """The page that the reader asks for; where they ask for none, the first or another one."""
    text = request.args.get(name, "")
    asked = int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0
    return asked or default
