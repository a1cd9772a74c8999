"""An answer that stays open: what a page asks of the server that it runs on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, cast

KEY = "lacitta.hold"


class Stream(Protocol):
    """Somebody who is told more after the answer has begun. Both are called on any thread."""

    heartbeat: bytes
    """What is pushed when there was no news for long."""

    def open(self, push: Callable[[bytes], None], end: Callable[[], None]) -> None:
        """From now on bytes can be pushed, and the stream can be ended."""

    def close(self) -> None:
        """Whoever listened is gone."""


Hold = Callable[[Stream], None]


def holder(environ: dict[str, Any]) -> Hold | None:
    """How to keep the answer to a request open; nothing on a server that cannot."""
    return cast("Hold | None", environ.get(KEY))
