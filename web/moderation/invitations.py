"""Invitations to make an account: links for one or several people, for a while.

The store keeps a hash of each link's code; the code itself is shown once.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from events.store.collection import Collection
from events.store.protocol import Store
from web.site.problems import Problem

DAY = 24 * 3600 * 1000
MOST_USES = 100
MOST_DAYS = 90
MOST_OPEN = 200
"""Invitations of all hosts together that still hold."""
MOST_OF_A_MEMBER = 5
KEPT = 90 * DAY
"""How long it can be seen who came by an invitation that holds no more."""
LONGEST_CODE = 100


class Invitation(msgspec.Struct, frozen=True):
    """Who invites, until when, how many, and who has come by it."""

    by: str
    made: int
    until: int
    uses: int
    used_by: list[str] = []

    @property
    def left(self) -> int:
        return self.uses - len(self.used_by)


def invitation_key(code: str) -> str:
    """An invitation's name in the store and on pages, from which its code cannot be told."""
    return hashlib.sha256(code.encode()).hexdigest()[:32]


class Invitations:
    """The invitations of a server."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._invitations = Collection(store, "invitations", Invitation)
        self._clock = clock

    def make(self, by: str, uses: int, days: int, most: int = MOST_OPEN) -> tuple[str, str]:
        """A new invitation: its code, and its key. Problem when `by` has made `most` already."""
        code, now = secrets.token_urlsafe(18), self._clock()
        made = Invitation(by=by, made=now, until=now + days * DAY, uses=uses)

        def edit() -> dict[str, Invitation | None]:
            known = self._invitations.all()
            others = [each for _, each in known if most == MOST_OPEN or each.by == by]
            if sum(self.holds(each) for each in others) >= most:
                raise Problem(
                    409,
                    "too-many-invitations",
                    "There are {most} open invitations already. Please withdraw one first.",
                    most=most,
                )
            old = [key for key, each in known if not self._is_kept(each)]
            return {**dict.fromkeys(old), invitation_key(code): made}

        self._invitations.change(edit)
        return code, invitation_key(code)

    def get(self, code: str) -> Invitation | None:
        """The invitation of a code, while it holds."""
        if not code or len(code) > LONGEST_CODE:
            return None
        found = self._invitations.get(invitation_key(code))
        return found if found is not None and self.holds(found) else None

    def holds(self, invitation: Invitation) -> bool:
        return invitation.left > 0 and self._clock() < invitation.until

    def all(self, by: str | None = None) -> list[tuple[str, Invitation]]:
        """All invitations, or somebody's, by key; the newest first."""
        found = [(key, each) for key, each in self._invitations.all() if by in (None, each.by)]
        valid = [(key, each) for key, each in found if self._is_kept(each)]
        return sorted(valid, key=lambda item: (-item[1].made, item[0]))

    def find(self, key: str, by: str | None = None) -> Invitation:
        """An invitation by its key. With `by`, it must be theirs."""
        found = self._invitations.get(key)
        if found is None or by not in (None, found.by):
            raise Problem(404, "no-such-invitation", "There is no such invitation.")
        return found

    def withdraw(self, key: str) -> None:
        """An invitation holds no more."""

        def edit() -> dict[str, Invitation | None]:
            found = self.find(key)
            until = min(found.until, self._clock())
            return {key: msgspec.structs.replace(found, until=until)}

        self._invitations.change(edit)

    @contextmanager
    def use(self, code: str) -> Iterator[Callable[[str], None]]:
        """Make an account by an invitation: tell whose it is. It is taken before the account is
        made, so that two cannot come by one; when none is made, it is given back."""
        taken = f"taken-{secrets.token_hex(8)}"
        key = invitation_key(code)
        self._use(code, taken)
        came: list[str] = []
        try:
            yield came.append
        finally:
            self._settle(key, taken, came)

    def _use(self, code: str, taken: str) -> None:
        def edit() -> dict[str, Invitation | None]:
            found = self.get(code)
            if found is None:
                raise Problem(
                    403,
                    "needs-invitation",
                    "Accounts are made here by invitation only, and this one does not hold.",
                )
            used_by = [*found.used_by, taken]
            return {invitation_key(code): msgspec.structs.replace(found, used_by=used_by)}

        self._invitations.change(edit)

    def _settle(self, key: str, taken: str, came: list[str]) -> None:
        def edit() -> dict[str, Invitation | None]:
            found = self._invitations.get(key)
            if found is None:
                return {}
            used_by = [each for each in found.used_by if each != taken] + came
            return {key: msgspec.structs.replace(found, used_by=used_by)}

        self._invitations.change(edit)

    def _is_kept(self, invitation: Invitation) -> bool:
        return self._clock() < invitation.until + KEPT
