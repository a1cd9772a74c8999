"""Waiting on a condition, and saying what was seen where it never came."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from reprlib import Repr

PATIENCE = 120.0
"""Seconds: a machine on which many tests run at once is slow, and no test is about that."""
_short = Repr()
_short.maxstring = _short.maxother = 300


def wait_until(
    reached: Callable[[], object],
    seconds: float = PATIENCE,
    rest: Callable[[], object] = lambda: time.sleep(0.02),
) -> None:
    """Until something holds. `rest` is what to do between two looks: in a browser's test, to let
    the browser speak."""
    end = time.monotonic() + seconds
    while not (found := reached()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds:g} s: {described(reached)} is {found!r}")
        rest()


def described(reached: Callable[[], object]) -> str:
    """A condition as it is written, with what it looks at as that is now."""
    try:
        written = " ".join(inspect.getsource(reached).split())
        seen = inspect.getclosurevars(reached).nonlocals
    except (OSError, TypeError):
        return repr(reached)
    around = ", ".join(f"{name} = {_short.repr(value)}" for name, value in seen.items())
    return f"{written} ({around})" if around else written
