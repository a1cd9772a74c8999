"""Who is absent from a table and what the others may do about it, as one of them reads it."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue

from engine.bots import DEFAULT_BOT
from web.accounts.visitor import visitor
from web.games.live import Live
from web.games.seats import live_game
from web.pace.votes import Motion, What
from web.seating.service import Table
from web.services import services

bp = Blueprint("absence", __name__)


class OwnSeat(msgspec.Struct, frozen=True):
    """A seat of the reader's, and whether a bot plays it."""

    seat: int
    name: str
    bot: bool


class Voter(msgspec.Struct, frozen=True):
    """Who is for what, by the name at the table."""

    name: str
    what: What


class MotionLine(msgspec.Struct, frozen=True):
    """What may be voted about, as anyone at the table sees it."""

    seat: int
    name: str
    reason: str
    awaited: int
    options: list[What]
    needed: int
    may_vote: bool
    votes: list[Voter]
    own_vote: What | None = msgspec.field(default=None, name="mine")


def seats_in_play(table: Table, live: Live, person: str) -> list[OwnSeat]:
    players = live.state.players
    return [
        OwnSeat(seat, table.holder(seat).name, bool(players[seat].bot))
        for seat in table.seats_of(person)
        if not players[seat].resigned and live.state.phase != "over"
    ]


def motion_lines(table: Table, live: Live, person: str) -> list[MotionLine]:
    """The caller holds the game's lock."""
    return [line(table, motion, person) for motion in services().votes.motions(table, live)]


def line(table: Table, motion: Motion, person: str) -> MotionLine:
    return MotionLine(
        seat=motion.seat,
        name=table.holder(motion.seat).name,
        reason=motion.reason,
        awaited=motion.awaited,
        options=list(motion.options),
        needed=motion.needed,
        may_vote=person in motion.voters,
        votes=[Voter(name_of(table, vote.person), vote.what) for vote in motion.votes],
        own_vote=next((vote.what for vote in motion.votes if vote.person == person), None),
    )


def name_of(table: Table, person: str) -> str:
    """How somebody is called at a table."""
    return table.holder(table.seats_of(person)[0]).name


def panel(table: Table, live: Live) -> dict[str, object]:
    """What the panel is made of. The caller holds the game's lock."""
    person = visitor().person
    account = services().people.get(person) if visitor().account else None
    return {
        "game": table.id,
        "seats_in_play": seats_in_play(table, live, person),
        "motions": motion_lines(table, live, person),
        "a_bot": DEFAULT_BOT,
        "others_play": len(table.people()) > 1,
        "muted": account is not None and table.id in account.muted,
    }


@bp.get("/table/<table>/absence")
def show_panel(table: str) -> ResponseReturnValue:
    """The panel alone, for a page that is open already."""
    held = services().lobby.get(table)
    live = live_game(table)
    with live.lock:
        parts = panel(held, live)
    return Response(render_template("pace/absence_inside.html", **parts))
