"""The read models are tested on the same stores as the log."""

from __future__ import annotations

from tests.events.conftest import server, store, url

__all__ = ["server", "store", "url"]
