"""The endpoints for people and tables: who I am, my games, open tables, taking a seat."""

from __future__ import annotations

import msgspec

from engine.material import library
from web.accounts.keys import token_key
from web.accounts.visitor import Visitor, be_guest, log_out, need_account, visitor
from web.api.endpoint import PAGE, Answer, Word, endpoint
from web.games.seats import my_games, start_if_full
from web.lobby.shapes import (
    Join,
    LogIn,
    MadeToken,
    Me,
    MyGame,
    MyWaiting,
    NewToken,
    Register,
    SeatLine,
    TableLine,
    TokenLine,
)
from web.profile.inheritance import log_in_with_everything
from web.profile.registration import make_account
from web.seating.new_table import NewTable
from web.seating.service import Table
from web.services import limiter, services
from web.site.paging import items_on, paged

TABLES_AT_ONCE = 100
AFTER = Word(
    "after",
    "The id of the last table of the page before; without it the first page comes. Beyond the last"
    " one nothing comes",
    "[A-Za-z0-9_-]{1,64}",
    required=False,
)
PAGES = 20
TABLES_PAGE = msgspec.structs.replace(
    PAGE,
    meaning=f"Which page, from 1 to {PAGES}; beyond that nothing comes: `after` leads on",
)


def table_line(table: Table, asker: Visitor) -> TableLine:
    """A table as the asker may see it."""
    own_seats = table.seats_of(asker.person)
    return TableLine(
        id=table.id,
        ruleset=table.ruleset,
        setup=table.setup,
        open=table.open,
        started=table.started,
        seats=[
            SeatLine(
                seat=number,
                name=holder.name,
                bot=holder.bot,
                free=holder.free,
                yours=number in own_seats,
            )
            for number, holder in enumerate(table.seats, start=1)
        ],
        invitation=table.invitation if own_seats else "",
        pace=table.pace,
        board=table.board.name if table.board else library.FIRST_BOARD,
        box=table.box.name if table.box else library.DEFAULT_BOX,
    )


def me_line(found: Visitor) -> Me:
    return Me(
        name=found.name, account=found.account, guest=bool(found.person) and not found.account
    )


@endpoint("GET", "/api/me", "Who you are here", who="anyone", answer=Me)
def get_me() -> Me:
    return me_line(visitor())


@endpoint(
    "POST",
    "/api/accounts",
    "Make an account and log in",
    who="anyone",
    scope="account",
    body=Register,
    answer=Me,
    status=201,
    problems=(409, 429),
)
@limiter.register
def register(body: Register) -> Me:
    make_account(body.name, body.password, body.email, body.invitation)
    return me_line(visitor())


@endpoint(
    "POST",
    "/api/session",
    "Log in",
    who="anyone",
    scope="account",
    body=LogIn,
    answer=Me,
    problems=(429,),
)
@limiter.log_in
def start_session(body: LogIn) -> Me:
    log_in_with_everything(services().people.log_in(body.name, body.password))
    return me_line(visitor())


@endpoint("DELETE", "/api/session", "Log out", who="anyone", scope="account", answer=Me)
def end_session() -> Me:
    log_out()
    return Me(name="", account=False, guest=False)


@endpoint(
    "GET",
    "/api/tokens",
    "Your tokens for programs",
    who="account",
    scope="account",
    answer=list[TokenLine],
)
def list_tokens() -> list[TokenLine]:
    return [
        TokenLine(id=key, label=token.label, scopes=list(token.scopes), expires=token.expires)
        for key, token in services().people.tokens(need_account().person).items()
    ]


@endpoint(
    "POST",
    "/api/tokens",
    "A new token for a program",
    who="account",
    scope="account",
    body=NewToken,
    answer=MadeToken,
    status=201,
    problems=(409, 429),
)
@limiter.limit("30 per hour", act="make-token")
def make_token(body: NewToken) -> MadeToken:
    token = services().people.add_token(need_account().person, body.label, body.scopes, body.days)
    return MadeToken(token=token, id=token_key(token))


@endpoint(
    "DELETE",
    "/api/tokens/<token>",
    "Make a token void",
    who="account",
    scope="account",
    answer=list[TokenLine],
    problems=(404,),
)
def remove_token(token: str) -> list[TokenLine]:
    services().people.remove_token(need_account().person, token)
    left: list[TokenLine] = list_tokens()
    return left


@endpoint(
    "GET",
    "/api/me/games",
    "Your games, the one that waits longest for you first",
    who="anyone",
    query=(PAGE,),
    answer=list[MyGame],
)
def list_my_games(page: int | None) -> list[MyGame]:
    asker = visitor()
    return [
        MyGame(
            table=table_line(game.table, asker),
            your_turn=game.waiting_since > 0,
            waiting_since=game.waiting_since,
            over=game.over,
            year=game.year,
            left=game.left,
        )
        for game in items_on(my_games(asker.person, page or 1), page or 1)
    ]


@endpoint(
    "GET",
    "/api/me/waiting",
    "The games that wait for you; cheap to ask again and again",
    who="anyone",
    answer=MyWaiting,
    problems=(304,),
)
def list_waiting() -> Answer:
    games = services().outbox.waiting(visitor().person)
    return Answer(MyWaiting(games=games), "-".join(games) or "none")


@endpoint(
    "GET",
    "/api/tables",
    f"Open tables, the newest first and at most {TABLES_AT_ONCE} at once",
    who="anyone",
    query=(AFTER, TABLES_PAGE),
    answer=list[TableLine],
    problems=(404,),
)
def list_tables(after: str, page: int | None) -> list[TableLine]:
    asker, tables = visitor(), services().lobby
    if after:
        ids = tables.open_ids(TABLES_AT_ONCE, tables.get(after))
    else:
        ids = tables.open_ids(TABLES_AT_ONCE * min(max(1, page or 1), PAGES))
        ids = items_on(paged(ids, page or 1, TABLES_AT_ONCE), page or 1)
    return [table_line(table, asker) for table in tables.find_many(ids)]


@endpoint(
    "POST",
    "/api/tables",
    "A new table; guests may play against bots or share one screen",
    who="anyone",
    body=NewTable,
    answer=TableLine,
    status=201,
    problems=(429,),
)
@limiter.limit("60 per hour", act="create-table")
def create_table(body: NewTable) -> TableLine:
    alone = body.hot_seat or body.bots == body.players - 1
    asker = be_guest("Guest") if alone else need_account()
    table = start_if_full(services().lobby.create(body, asker.person, asker.name or "Guest"))
    return table_line(table, asker)


@endpoint(
    "GET",
    "/api/tables/<table>",
    "One table",
    who="anyone",
    answer=TableLine,
    problems=(404,),
)
def get_table(table: str) -> TableLine:
    return table_line(services().lobby.get(table), visitor())


@endpoint(
    "POST",
    "/api/tables/<table>/seats",
    "Take a free seat",
    who="account",
    body=Join,
    answer=TableLine,
    problems=(404, 409),
)
def take_seat(table: str, body: Join) -> TableLine:
    asker = need_account()
    joined = services().lobby.join(table, asker.person, asker.name, body.invitation)
    return table_line(start_if_full(joined), asker)


@endpoint(
    "DELETE",
    "/api/tables/<table>/seats",
    "Give your seat back while the table waits",
    who="account",
    answer=TableLine,
    problems=(404, 409),
)
def leave_seat(table: str) -> TableLine:
    asker = need_account()
    return table_line(services().lobby.leave(table, asker.person), asker)
