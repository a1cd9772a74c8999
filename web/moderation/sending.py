"""Somebody sends a report: the same for the page and the API."""

from __future__ import annotations

from web.accounts.visitor import visitor
from web.moderation.reports import Reason
from web.moderation.subjects import Subject, find_for_reader
from web.services import services
from web.site.limits.limiter import by_address
from web.site.problems import Problem

REPORTING = "20 per hour"


def reporter() -> str:
    """Whom the limit is for: a person, wherever they are."""
    return visitor().person or by_address()


def send_report(subject: Subject, reason: Reason, text: str, word: str) -> None:
    me = visitor().person
    if not me:
        raise Problem(401, "log-in-first", "Please log in first.")
    found = find_for_reader(subject, word)
    if found.person == me:
        raise Problem(409, "your-own", "This is your own.")
    # One letter for all that waits: reports by the dozen are no letters by the dozen.
    first = not services().reports.waiting()
    services().reports.add(subject.key, me, reason, text, found.text)
    if first:
        tell_hosts()


def tell_hosts() -> None:
    """By a letter, those with a confirmed address."""
    for host in services().hosts.all():
        account = services().people.get(host)
        if account is not None and account.email and account.confirmed:
            services().account_letters.ask("reported", host, account.email)
