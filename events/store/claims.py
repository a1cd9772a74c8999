"""Claims: of all processes that use a store, one at a time has a piece of work."""

from __future__ import annotations

from typing import Protocol


class Claims(Protocol):
    """Work by name. A claim ends when it is released, and with its process, however that ends."""

    def take(self, name: str) -> bool:
        """Claim a piece of work, or see that it is still ours. False: somebody else has it."""

    def release(self, name: str) -> None:
        """Leave a piece of work to others, if it is ours."""

    def close(self) -> None:
        """Release everything."""
