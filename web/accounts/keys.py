"""What people and what is theirs are found by: the keys of names, tokens and devices."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata


def name_key(name: str) -> str:
    """What somebody logs in by: case, accents' spelling and spaces do not tell apart.

    >>> name_key("  Anna  B ") == name_key("ANNA b")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def token_key(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def subscription_key(endpoint: str) -> str:
    """A device's name in the store and on pages; a page can tell it from the endpoint alone."""
    return hashlib.sha256(endpoint.encode()).hexdigest()[:16]


def new_guest() -> str:
    """An id for someone who plays without an account."""
    return f"guest-{secrets.token_hex(16)}"
