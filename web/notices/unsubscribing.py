"""The word in a letter's link by which its reader gets no more of them, without logging in."""

from __future__ import annotations

from itsdangerous import BadSignature, URLSafeSerializer


class Unsubscribing:
    """Signs who a letter went to. Only this server can make such a word."""

    def __init__(self, key: str) -> None:
        self._signer = URLSafeSerializer(key, salt="unsubscribe")

    def word(self, person: str) -> str:
        return str(self._signer.dumps(person))

    def person(self, word: str) -> str:
        """Whose word this is; empty when it is nobody's."""
        try:
            found = self._signer.loads(word)
        except BadSignature:
            return ""
        return found if isinstance(found, str) else ""
