"""What a person takes along, and how they leave: their data as JSON, and the end of an account."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.bots import DEFAULT_BOT
from events.types import HandOver
from projections.readmodels.projector import Projector
from replays.notes.annotations import written_upcasters
from replays.notes.removal import without_removed
from web.accounts.account import Account
from web.games.seats import is_over
from web.orders.shapes import SeatOrders
from web.seating.anonymity import ANONYMOUS
from web.services import services
from web.site.problems import Problem

GONE = "gone"
"""Holds the seats of those who left; nobody is called so."""


def everything(account: Account) -> dict[str, Any]:
    """All that is kept about a person. Secrets are kept as hashes, which are nobody's data."""
    tables = services().lobby.of(account.id)
    return {
        "account": {
            "id": account.id,
            "name": account.name,
            "email": account.email,
            "email_confirmed": account.confirmed,
            "email_wanted": account.wanted_email,
            "language": account.language,
            "toured": account.toured,
            "notifications": msgspec.to_builtins(account.wishes),
            "devices": msgspec.to_builtins(list(account.subscriptions.values())),
            "muted": list(account.muted),
            "webhooks": msgspec.to_builtins(list(account.webhooks.values())),
            "tokens": msgspec.to_builtins(list(services().people.tokens(account.id).values())),
        },
        "passkeys": [
            {"name": each.name, "made": each.made, "used": each.used}
            for each in account.passkeys.values()
        ],
        "sessions": msgspec.to_builtins(list(services().sessions.of(account.id).values())),
        "rest": msgspec.to_builtins(services().rests.of(account.id)),
        "votes": [
            {"game": game, **msgspec.to_builtins(vote)}
            for game, vote in services().votes.of(account.id)
        ],
        "games": [
            {
                "id": table.id,
                "created": table.created,
                "started": table.started,
                "ruleset": table.ruleset,
                "setup": table.setup,
                "seats": table.seats_of(account.id),
                "names": [table.holder(seat).name for seat in table.seats_of(account.id)],
                "actions": own_actions(table.id, table.seats_of(account.id)),
                "orders": own_orders(table.id, table.seats_of(account.id)),
            }
            for table in tables
        ],
        "notes": own_notes(account.id),
        "plans": services().plans.everything(account.id),
        "chat": own_talk(account.id, [table.id for table in tables]),
        "chat_read": services().chats.all_read_by(account.id),
        "reports": [
            {"subject": each.subject, "reason": each.reason, "text": each.text, "time": each.time}
            for each in services().reports.of(account.id)
        ],
        "notepads": msgspec.to_builtins(services().notepads.all_of(account.id)),
    }


def own_actions(game: str, seats: list[int]) -> list[Any]:
    """What somebody decided in a game, with the version of each decision."""
    events = [(record.version, record.decode()) for record in services().store.read(game)]
    return [
        {"version": version, **msgspec.to_builtins(event)}
        for version, event in events
        if getattr(event, "seat", 0) in seats
    ]


def own_orders(game: str, seats: list[int]) -> dict[str, Any]:
    """What somebody has ordered for their seats, standing and ended."""
    return {
        str(seat): msgspec.to_builtins(orders)
        for seat in seats
        if (orders := services().orders.stored(game, seat)) != SeatOrders()
    }


def own_notes(person: str) -> list[Any]:
    """What somebody wrote beside games and in studies."""
    notes, claims = services().store.notes, services().claims
    found = []
    for stream in [*notes.streams("game/"), *notes.streams("study/")]:
        written = [written_upcasters.decode(record.event) for record in notes.read(stream)]
        found += [
            {"in": stream, **msgspec.to_builtins(each)}
            for each in without_removed(written)
            if claims.author(each.by).person == person
        ]
    return found


def own_talk(person: str, games: list[str]) -> list[Any]:
    """What somebody said at tables. Others whom it mentions are their seats there."""
    return [
        {"in": game, **msgspec.to_builtins(uttered)}
        for game in games
        for uttered in services().chats.said_by(person, game)
    ]


def leave(account: Account) -> None:
    """Delete an account and leave its games whole: bots play on, the name is shown no more.

    Each step can be done again, and the account goes last: after a crash one can delete again.
    """
    all_services = services()
    tables = all_services.lobby.of(account.id)
    playing = {table.id: table.seats_of(account.id) for table in tables if table.started}
    for game, seats in playing.items():
        if not is_over(game):
            for seat in seats:
                hand_over(game, seat)
        all_services.orders.forget(game, seats)
    all_services.anonymity.forget(account.id, playing)
    all_services.lobby.vacate(account.id, GONE, ANONYMOUS)
    projector = Projector(all_services.store, all_services.anonymity)
    projector.retell(playing)
    projector.forget_player(account.name)
    all_services.outbox.forget(account.id)
    all_services.plans.forget(account.id)
    all_services.notepads.forget(account.id)
    all_services.chats.forget(account.id)
    all_services.votes.forget(account.id)
    all_services.rests.forget(account.id)
    all_services.links.forget(account.id)
    all_services.hosts.remove(account.id)
    all_services.reports.forget(account.id)
    all_services.people.remove(account.id)
    all_services.sessions.end_all(account.id)


def hand_over(game: str, seat: int) -> None:
    """A bot plays a seat from now on."""
    try:
        services().games.act(game, HandOver(seat=seat, bot=DEFAULT_BOT))
    except Problem:  # it has resigned, or a bot plays it already
        return
