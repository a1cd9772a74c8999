"""Guests who have become accounts: what is written in a log under a guest's id is the account's.

A log is never changed, so the id that something was written with stays in it; whoever reads the log
asks here whose id that is by now.
"""

from __future__ import annotations

import msgspec

from events.store.collection import Collection
from events.store.protocol import Store
from replays.notes.annotations import Author
from web.accounts.account import Account

NAME = "claims"
GUEST = "guest-"
LONGEST_NAME = 40


class Claim(msgspec.Struct, frozen=True):
    """The account that a guest has become, and its name."""

    account: str
    name: str


class Claims:
    """Which guest has become which account. A guest becomes one account, once."""

    def __init__(self, store: Store) -> None:
        # Each lies there twice, to be found by the guest and by the account.
        self._claims = Collection(store, NAME, Claim)

    def position(self) -> int:
        """Rises with every claim: what was read before names the guest."""
        return self._claims.version()

    def claim(self, guest: str, account: Account) -> None:
        """A guest is an account from now on; who has become one already stays that one."""

        def edit() -> dict[str, Claim | None]:
            if self._claims.get(f"guest/{guest}") is not None:
                return {}
            made = Claim(account.id, account.name)
            return {f"guest/{guest}": made, f"account/{account.id}/{guest}": made}

        self._claims.change(edit)

    def guests_of(self, account: str) -> list[str]:
        """The guests that an account was before."""
        prefix = f"account/{account}/"
        return [key.removeprefix(prefix) for key, _ in self._claims.all(prefix)]

    def author(self, by: Author) -> Author:
        """Who an author is by now."""
        claim = self._claims.get(f"guest/{by.person}") if by.person.startswith(GUEST) else None
        if claim is None:
            return by
        return Author(name=claim.name[:LONGEST_NAME], person=claim.account)
