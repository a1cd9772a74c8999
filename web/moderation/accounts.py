"""A host closes an account, and opens it again. Its owner alone can delete it."""

from __future__ import annotations

import msgspec

from web.accounts.account import Account, Closure
from web.games.seats import is_over
from web.profile.deletion import hand_over
from web.services import services
from web.site.problems import Problem

SHOWN = 50
"""How many accounts are listed at once; whoever is sought is found by name."""


class AccountLine(msgspec.Struct, frozen=True):
    """An account as hosts see it."""

    id: str
    name: str
    closed: Closure | None
    host: bool


def search(text: str, *, closed: bool) -> list[AccountLine]:
    """The accounts whose names hold a text; with `closed` none but closed ones."""
    wanted = " ".join(text.split()).casefold()
    found = [
        account
        for account in services().people.all()
        if wanted in account.name.casefold() and (account.closed is not None or not closed)
    ]
    hosts = set(services().hosts.all())
    return [AccountLine(a.id, a.name, a.closed, a.id in hosts) for a in found[:SHOWN]]


def known_account(person: str) -> Account:
    account = services().people.get(person)
    if account is None:
        raise Problem(404, "no-such-account", "There is no such account.")
    return account


def close_account(person: str, reason: str, by: str) -> None:
    """Nobody logs in with it from now on. Where others play along, a bot goes on with its seats,
    which the owner may take back once the account is open again; alone it just waits."""
    all_services, account = services(), known_account(person)
    if person in all_services.hosts:
        raise Problem(409, "is-a-host", "The account of a host cannot be closed.")
    if account.closed is not None:
        raise Problem(409, "closed-already", "This account is closed already.")
    all_services.audit.record("account-closed", by, person, reason)
    all_services.people.close(person, Closure(all_services.clocks.now(), reason))
    all_services.sessions.end_all(person)
    all_services.outbox.forget(person)
    for table in all_services.lobby.of(person):
        seats = table.seats_of(person)
        if not table.started:
            all_services.lobby.leave(table.id, person)
        elif len(table.people()) > 1 and not is_over(table.id):
            for seat in seats:
                hand_over(table.id, seat)


def reopen_account(person: str, reason: str, by: str) -> None:
    if known_account(person).closed is None:
        raise Problem(409, "not-closed", "This account is open.")
    services().audit.record("account-reopened", by, person, reason)
    services().people.reopen(person)
