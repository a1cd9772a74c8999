"""Playing again with the same people: a table by invitation, of which the others hear in the chat
of the one that is over."""

from __future__ import annotations

from flask import redirect, url_for
from flask.typing import ResponseReturnValue

from web.accounts.visitor import visitor
from web.chat.conversation import speak
from web.games.seats import live_game, start_if_full
from web.seating.service import Table
from web.services import limiter, services
from web.site.problems import Problem
from web.table.endings import address_of
from web.words.language import gettext as _


@limiter.limit("60 per hour", act="create-table")
def rematch(id_: str) -> ResponseReturnValue:
    """To the table at which those of this one play again."""
    me, lobby = visitor().person, services().lobby
    old = lobby.get(id_)
    if not old.seats_of(me):
        raise Problem(403, "not-your-table", "You do not sit at this table.")
    if live_game(id_).state.phase != "over":
        raise Problem(409, "still-running", "This game is not over yet.")
    table = lobby.rematch(id_, me)
    if table.creator == me and old.next != table.id and any(seat.free for seat in table.seats):
        tell_others(old, table)
    return redirect(url_for("table", id_=start_if_full(table).id), 303)


def tell_others(old: Table, new: Table) -> None:
    """Say at the old table where the new one is."""
    path = url_for("invitation", id_=new.id, invitation=new.invitation)
    words = _("A rematch? Come to %(link)s") % {"link": address_of(path)}
    speak(old.id, words, old.seats_of(new.creator)[0])
