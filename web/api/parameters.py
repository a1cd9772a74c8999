"""Parameters that endpoints of several rooms take."""

from __future__ import annotations

from web.api.endpoint import Query

SEAT = Query(
    "seat", "As which of your seats you look; 0 or none: as a spectator or your only one", 5
)
