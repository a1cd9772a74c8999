"""What the panels at one's own seat show. Each panel is a template of its own room."""

from __future__ import annotations

from typing import Any

from replays.chat import LONGEST as LINE_LONGEST
from web.accounts.visitor import visitor
from web.chat.conversation import chat_for
from web.notepad.service import LONGEST as PAD_LONGEST
from web.seating.service import Table
from web.services import services


def own_panels(table: Table) -> dict[str, Any]:
    """For whoever sits at the table; nothing for those who watch."""
    me = visitor().person
    if not table.seats_of(me):
        return {}
    return {
        "chat": chat_for(table.id),
        "line_longest": LINE_LONGEST,
        "notepad": services().notepads.get(me, table.id),
        "pad_longest": PAD_LONGEST,
    }
