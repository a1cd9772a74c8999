"""What the server takes from one visitor, and for how long it waits."""

from __future__ import annotations

from web.share import import_page

THREADS = 8
"""Requests that are answered at once; open pages that only wait need none."""
LOOKING_ON = ("/replay/", "/study/", "/import", "/account")
"""Where people look through games and bring them along, and their own accounts: for these pages
nobody at a table waits."""
READERS = 3
"""Of those so many are answered at once, by threads of their own: many at once would not be made
sooner, and whoever plays would share the processor with all of them."""
MOST_HEAD = 32 * 1024
MOST_BODY = {import_page.PATH: import_page.MOST_SENT}
"""Where a request may be larger than elsewhere."""
MOST_LARGE = 8
"""Requests larger than usual that are under way at once."""
MOST_CHUNKS = 2000
"""Pieces of a body that come without its size."""
HEAD_SECONDS = 10.0
"""From the first byte, or from the connection, until the head of a request is there."""
BODY_SECONDS = 60.0
"""From then until its body is there."""
IDLE_SECONDS = 40
"""For the next request, and for an answer of which nothing more is taken."""
LOOKED_AT = 1.0
"""Seconds between two looks at all connections."""
MADE_ROOM = 0.05
"""The share of all connections that is closed when there are too many."""
SPARE_FILES = 200
"""Files that the process needs besides connections."""
BACKLOG = 1024
"""Connections that wait until they are accepted."""
QUIET_SECONDS = 20.0
"""After so long without news a stream gets a sign of life; proxies cut what is silent."""
MOST_UNSENT = 16 * 1024
"""Bytes of news that somebody may leave lying before the stream is cut."""
LAST_ANSWERS = 5.0
"""Seconds for answers under way when the server stops."""
LAST_WORDS = 1.0
"""Seconds for what was answered to be taken then."""
