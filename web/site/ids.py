"""Ids that nobody else will make."""

from __future__ import annotations

import secrets


def new_id() -> str:
    """An id for a note, a line, a chapter or a study, that nobody else will make."""
    return secrets.token_hex(8)
