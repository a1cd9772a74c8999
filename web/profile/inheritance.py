"""A guest registers or logs in: everything that is the guest's is the account's from then on.

Each kind of thing is moved by the service that keeps it. Every step can be done again, and the
guest's session ends last: after a crash in between, logging in again moves the rest.
"""

from __future__ import annotations

from web.accounts.account import Account
from web.accounts.visitor import check_open, log_in, visitor
from web.services import services
from web.table import tour


def log_in_with_everything(account: Account) -> None:
    """Log in. Who was a guest until now keeps what is theirs: games, notes, studies, plans, talk.

    At a table where the guest and the account both sit, the account holds both seats.
    """
    check_open(account)
    before = visitor()
    is_guest = bool(before.person) and not before.account
    toured = tour.has_seen(before)
    if is_guest:
        inherit(before.person, account)
    log_in(account)
    if is_guest and toured:
        tour.remember(visitor())


def inherit(guest: str, account: Account) -> None:
    """All that a guest has belongs to an account."""
    all_services, heir = services(), account.id
    all_services.claims.claim(guest, account)
    all_services.notebooks.move(guest)
    # By the guest's seats what was said is found, so that they come after it.
    all_services.chats.inherit(guest, heir, all_services.lobby.ids_of(guest))
    all_services.lobby.reseat(guest, heir)
    all_services.outbox.move(guest, heir)
    all_services.plans.move(guest, heir)
    all_services.notepads.move(guest, heir)
    all_services.votes.move(guest, heir)
    all_services.reports.move(guest, heir)
