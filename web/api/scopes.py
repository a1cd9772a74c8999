"""What a program's token may do, in three words; what is about the account itself is in none."""

from __future__ import annotations

from typing import Literal

from projections.words.names import marked

Scope = Literal["read", "play", "write"]
Need = Scope | Literal["account"]
"""What a request needs of a token. No token is enough for `account`."""
SCOPES: tuple[Scope, ...] = ("read", "play", "write")
MEANINGS: dict[Scope, str] = {
    "read": marked("read what you may read here"),
    "play": marked("play: tables, turns, plans, orders, chat"),
    "write": marked("write notes and studies, import games"),
}
FOR_OWNERS = frozenset({"account", "host", "invitations"})
"""The first words of paths below which everything, read or written, is the owner's alone."""
PLAY_PAGES = frozenset({"play", "create_table", "join", "leave", "rematch"})
PLAY_ROOMS = frozenset({"rulesets", "material", "review"})
"""The blueprints whose forms say by what rules, and with what, a table is to be played, and how a
game was."""
WRITE_ROOMS = frozenset({"study", "bring"})
"""The blueprints whose forms write notes and studies, and import games."""


def need_of_page(endpoint: str, path: str, writes: bool) -> Need:
    """What a page or form needs; a form that nobody thought of here needs the account's owner.

    >>> need_of_page("export_account", "/account/export", False), need_of_page("join", "/x", True)
    ('account', 'play')
    """
    if path.split("/")[1] in FOR_OWNERS:
        return "account"
    if not writes:
        return "read"
    room = endpoint.partition(".")[0]
    if endpoint in PLAY_PAGES or room in PLAY_ROOMS:
        return "play"
    return "write" if room in WRITE_ROOMS else "account"
