"""What the panels at one's own seat show. Each panel is a template of its own in `desk/`."""

from __future__ import annotations

from typing import Any

from replays.talk import LONGEST as LINE_LONGEST
from web.identity import visitor
from web.lobby import Table
from web.notepads import LONGEST as PAD_LONGEST
from web.services import services
from web.table_talk import chat_for


def desk_panels(table: Table) -> dict[str, Any]:
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
