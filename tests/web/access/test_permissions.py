"""Every rule of the application for every wrong person: one table, which must be complete."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots import RandomBot
from engine.fold import fold
from engine.selfplay import Game, new_game, play_out
from events.types import Poll, TakeGold
from replays.chat import ChatMoment, Said
from replays.notes.annotations import (
    Author,
    ChapterPut,
    Content,
    LineBegun,
    Noted,
    Place,
    StudyOpened,
)
from replays.whatif.lines import let_bot_play
from replays.whatif.plans import Plan
from tests.web.notices.pushing import Browser
from tests.web.world import PASSWORD, Someone, World, holder, next_action
from web.accounts.account import Closure, Passkey, Subscription, Webhook
from web.accounts.keys import token_key
from web.api.endpoint import ENDPOINTS
from web.jobs.pool import Pool
from web.orders.shapes import RelocationOrder
from web.plans.service import Folder
from web.seating.new_table import NewTable
from web.settings import Server as ServerSettings
from web.settings import Settings

PEOPLE = ("nobody", "guest", "spectator", "elsewhere", "neighbour", "stranger", "lured", "owner")
"""Who asks: nobody; a guest with a game of their own; an account without any seat; a seat of
another table; another seat of this table; a program with a wrong token; the right person's browser
led by somebody else's page; and at last the right person: the request is a good one."""

STREAMS = ("game/game", "study/s1", "study/s2", "chat/game")
LOGIN = "to /login"
"""Sent to the page to log in."""


class Row(msgspec.Struct, frozen=True):
    """A request for the owner's things, and what each of PEOPLE gets."""

    path: str
    expected: list[int | str]
    json: Any = None
    form: dict[str, str] | None = None


def same(status: int, owner: int = 200) -> list[int | str]:
    """One answer for everybody, as for reading what is public."""
    return [status, status, status, status, status, 401, owner, owner]


def write(*expected: int | str, owner: int = 200) -> list[int | str]:
    """For nobody, guest, spectator, elsewhere and neighbour; a lured browser never writes."""
    everyone = expected * 5 if len(expected) == 1 else expected
    return [*everyone, 401, 403, owner]


def hosts_only(owner: int) -> list[int | str]:
    return [LOGIN, LOGIN, 403, 403, 403, 401, owner, owner]


REGISTER = {"name": "Anna", "password": "another one"}
LOG_IN = {"name": "Anna", "password": "wrong, alas"}
ACT = "the owner's action"

PAGES_ALONE = ("POST /account/", "POST /host/", "POST /invitations")
"""What no token does, by how it begins."""
FOR_BROWSERS = {
    "POST /login",
    "POST /logout",
    "POST /register",
    "POST /language",
    "POST /forgot",
    "POST /confirm/<person>/<secret>",
    "POST /reset/<person>/<secret>",
    "POST /api/accounts",
    "POST /api/session",
    "DELETE /api/session",
    "POST /api/tokens",
    "POST /api/me/devices",
    "DELETE /api/me/devices/<device>",
    "POST /api/passkeys/options",
    "POST /api/passkeys",
    "DELETE /api/passkeys/<passkey>",
    "POST /api/session/passkey/options",
    "POST /api/session/passkey",
    "DELETE /api/tokens/<token>",
    "POST /report/<path:key>",
}
ACCOUNTS_ONLY = write(LOGIN, LOGIN, 303, 303, 303, owner=303)

TABLE: dict[str, Row] = {
    # Pages that everyone may read; nobody sees more by asking for the owner's seat.
    "GET /": Row("/", same(200)),
    "GET /rules": Row("/rules?ruleset=flush", same(200)),
    "GET /ruleset": Row("/ruleset", same(200)),
    "GET /ruleset/<path:rules>": Row("/ruleset/flush+growth=2", same(200)),
    "GET /board": Row("/board", same(200)),
    "GET /board/<what>.json": Row("/board/box.json", same(200)),
    "GET /next": Row("/next", same(303, 303)),
    "GET /manifest.webmanifest": Row("/manifest.webmanifest", same(200)),
    "GET /service-worker.js": Row("/service-worker.js", same(200)),
    "GET /offline": Row("/offline", same(200)),
    "GET /login": Row("/login", same(200)),
    "GET /register": Row("/register", same(200)),
    "GET /table/<id_>": Row("/table/game?seat=1", same(200)),
    "GET /table/<table>/parts": Row("/table/game/parts?seat=1", same(200)),
    "GET /table/<table>/at/<int:version>": Row("/table/game/at/2?seat=1", same(200)),
    "GET /table/<table>/year/<int:year>": Row("/table/played/year/2", same(200)),
    "GET /table/<table>/end": Row("/table/played/end", same(200)),
    # Plans are for who sits there; the neighbour's own seat has none.
    "GET /table/<table>/plans": Row("/table/game/plans?seat=1", same(403, 200)),
    "GET /table/<table>/plans/parts": Row("/table/game/plans/parts?seat=1", same(403, 200)),
    "GET /table/<table>/plans/panel": Row("/table/game/plans/panel?seat=1", same(403, 200)),
    "GET /table/<table>/absence": Row("/table/game/absence", same(200)),
    "GET /replay/<game>": Row("/replay/game?seat=1", same(200)),
    "GET /replay/<game>/<int:number>": Row("/replay/game/2?seat=1&line=x1", same(404, 200)),
    "GET /replay/<game>/<int:number>/parts": Row("/replay/game/2/parts?line=x1", same(404, 200)),
    "GET /replay/<game>/<int:number>/moments": Row(
        "/replay/game/2/moments?line=x1", same(404, 200)
    ),
    "GET /replay/<game>/compare": Row("/replay/game/compare?a=1&b=2&seat=1", same(200)),
    # Under other rules a running game would show its hidden cards, so it is refused to everyone.
    "GET /replay/<game>/under/<ruleset>": Row("/replay/game/under/flush", same(409, 409)),
    "GET /replay/<game>/under/<ruleset>/<int:number>": Row(
        "/replay/game/under/flush/2?seat=1&when=skip", same(409, 409)
    ),
    "GET /replay/<game>/under/<ruleset>/<int:number>/parts": Row(
        "/replay/game/under/own/2/parts?seat=1&rule=flush:yes", same(409, 409)
    ),
    # While a game runs, a seat has the review of its own decisions, and nobody else has any.
    "GET /replay/<game>/review": Row(
        "/replay/game/review?seat=1", [*[409] * 4, 200, 401, 200, 200]
    ),
    "GET /replay/<game>/review/parts": Row(
        "/replay/game/review/parts?seat=1", [*[409] * 4, 200, 401, 200, 200]
    ),
    # Without a review one is sent to it, and finds no mistake.
    "GET /replay/<game>/review/learn/<int:holder>": Row(
        "/replay/game/review/learn/1", same(403, 303)
    ),
    "GET /replay/<game>/review/learn/<int:holder>/<int:place>": Row(
        "/replay/game/review/learn/1/1", same(403, 404)
    ),
    "GET /replay/<game>/review/learn/<int:holder>/<int:place>/why": Row(
        "/replay/game/review/learn/1/1/why", same(403, 404)
    ),
    "POST /replay/<game>/review": Row(
        "/replay/game/review?seat=1", write(409, 409, 409, 409, 303, owner=303), form={}
    ),
    "GET /replay/<game>/<int:number>/why/<path:what>": Row("/replay/game/2/why/gold/1", same(200)),
    "GET /join/<id_>/<invitation>": Row("/join/{waiting}/wrong", same(403, 303)),
    "GET /account": Row("/account", [LOGIN, LOGIN, 200, 200, 200, 401, 200, 200]),
    "GET /replay/<game>/<int:number>/picture.svg": Row("/replay/game/2/picture.svg", same(200)),
    "GET /replay/<game>/<int:number>/picture.png": Row("/replay/game/2/picture.png", same(200)),
    # As a test or a report: of a running game what the reader may know, and no more.
    "GET /replay/<game>/<int:number>/moment.case.toml": Row(
        "/replay/game/2/moment.case.toml?seat=1&line=x1", same(404, 200)
    ),
    "GET /replay/<game>/report.case.toml": Row("/replay/game/report.case.toml", same(200)),
    "GET /replay/<game>/game.html": Row("/replay/game/game.html", same(200)),
    "GET /embed/<game>/<int:number>": Row("/embed/game/2", same(200)),
    # While a game runs, not even its players get its log.
    "GET /replay/<game>/log.jsonl": Row("/replay/game/log.jsonl", same(409, 409)),
    "GET /replay/<game>/log.amendment.json": Row("/replay/game/log.amendment.json", same(409, 409)),
    "GET /replay/<game>/game.txt": Row("/replay/game/game.txt", same(409, 409)),
    # The owner's study does not exist for others.
    "GET /studies": Row("/studies", same(200)),
    "GET /study/<id_>": Row("/study/s1", same(404, 200)),
    "GET /study/<id_>/study.json": Row("/study/s2/study.json", same(404, 200)),
    "GET /study/<id_>/<chapter>": Row("/study/s1/c1?seat=1", same(404, 200)),
    "GET /study/<id_>/<chapter>/<int:number>": Row("/study/s1/c1/2?seat=1", same(404, 200)),
    "GET /study/<id_>/<chapter>/<int:number>/parts": Row("/study/s1/c1/2/parts", same(404, 200)),
    "GET /study/<id_>/<chapter>/<int:number>/moment.case.toml": Row(
        "/study/s1/c1/2/moment.case.toml", same(404, 200)
    ),
    "GET /study/<id_>/<chapter>/report.case.toml": Row(
        "/study/s1/c1/report.case.toml", same(404, 200)
    ),
    "GET /study/<id_>/<chapter>/<int:number>/moments": Row(
        "/study/s1/c1/2/moments", same(404, 200)
    ),
    "GET /study/<id_>/<chapter>/guess": Row("/study/s2/c1/guess", same(404, 303)),
    "GET /study/<id_>/<chapter>/guess/<int:number>": Row("/study/s2/c1/guess/3", same(404, 200)),
    "GET /import": Row("/import", [LOGIN, LOGIN, 200, 200, 200, 401, 200, 200]),
    # Whoever else's file waits to be read: nobody finds it.
    "GET /import/<key>": Row("/import/nothing", [LOGIN, LOGIN, 404, 404, 404, 401, 404, 404]),
    # Forms.
    "POST /studies": Row(
        "/studies", write(LOGIN, 303, 303, 303, 303, owner=303), form={"title": "Lakes"}
    ),
    "POST /studies/moment": Row(
        "/studies/moment",
        write(LOGIN, 404, 404, 404, 404, owner=303),
        form={"title": "One more", "study": "s1", "address": "/replay/game/1"},
    ),
    "POST /study/<id_>": Row(
        "/study/s1", write(401, 404, 404, 404, 404, owner=303), form={"title": "Mine"}
    ),
    "POST /study/<id_>/chapters": Row(
        "/study/s1/chapters",
        write(401, 404, 404, 404, 404, owner=303),
        form={"title": "One more", "game": "game"},
    ),
    "POST /study/<id_>/<chapter>/change": Row(
        "/study/s1/c1/change", write(401, 404, 404, 404, 404, owner=303), form={"title": "Else"}
    ),
    "POST /study/<id_>/<chapter>/move": Row(
        "/study/s1/c1/move", write(401, 404, 404, 404, 404, owner=303), form={"to": "up"}
    ),
    "POST /study/<id_>/<chapter>/withdraw": Row(
        "/study/s1/c1/withdraw", write(401, 404, 404, 404, 404, owner=303), form={}
    ),
    "POST /study/<id_>/<chapter>/guess/<int:number>": Row(
        "/study/s2/c1/guess/3", write(404, owner=303), form={"action": "0"}
    ),
    "POST /import": Row("/import", write(LOGIN, LOGIN, 422, 422, 422, owner=422), form={}),
    "POST /ruleset": Row("/ruleset", write(303, owner=303), form={"growth": "2"}),
    "POST /ruleset/file": Row("/ruleset/file", write(422, owner=422), form={"text": "growth = 9"}),
    "POST /board": Row("/board", write(422, owner=422), form={"board": "{}"}),
    "POST /board/table": Row("/board/table", write(303, owner=303), form={"kind": "now"}),
    "POST /login": Row("/login", write(401, owner=401), form=LOG_IN),
    "POST /register": Row("/register", write(422, owner=422), form=REGISTER),
    "POST /logout": Row("/logout", write(303, owner=303), form={}),
    "POST /language": Row("/language", write(303, owner=303), form={"language": "de"}),
    "POST /play": Row("/play", write(303, owner=303), form={"kind": "now"}),
    "POST /tables": Row("/tables", write(LOGIN, LOGIN, 303, 303, 303, owner=303), form={}),
    "POST /table/<id_>/join": Row(
        "/table/{waiting}/join", write(LOGIN, LOGIN, 403, 403, 403, owner=303), form={}
    ),
    # Who sat there plays again with the others.
    "POST /table/<id_>/rematch": Row(
        "/table/played/rematch", write(403, 403, 403, 403, 303, owner=303), form={}
    ),
    "POST /table/<id_>/leave": Row("/table/{waiting}/leave", write(403, owner=303), form={}),
    "POST /account/tokens": Row(
        "/account/tokens", write(LOGIN, LOGIN, 303, 303, 303, owner=303), form={"label": "mine"}
    ),
    "POST /account/tokens/<key>/remove": Row(
        "/account/tokens/{key}/remove", write(LOGIN, LOGIN, 404, 404, 404, owner=303), form={}
    ),
    "POST /account/language": Row("/account/language", ACCOUNTS_ONLY, form={"language": "de"}),
    "POST /account/notices": Row("/account/notices", ACCOUNTS_ONLY, form={"turn": "yes"}),
    "POST /account/email": Row(
        "/account/email",
        write(LOGIN, LOGIN, 403, 403, 403, owner=303),
        form={"email": "anna@example.org", "password": "password of Anna"},
    ),
    "POST /account/email/again": Row("/account/email/again", ACCOUNTS_ONLY, form={}),
    # Links in letters are their own proof; a wrong one proves nothing for anybody.
    "GET /confirm/<person>/<secret>": Row("/confirm/{anna}/wrong", same(404, 404)),
    "POST /confirm/<person>/<secret>": Row("/confirm/{anna}/wrong", write(404, owner=404), form={}),
    "GET /reset/<person>/<secret>": Row("/reset/{anna}/wrong", same(404, 404)),
    "POST /reset/<person>/<secret>": Row(
        "/reset/{anna}/wrong", write(404, owner=404), form={"password": "another one"}
    ),
    "GET /forgot": Row("/forgot", same(200)),
    "POST /forgot": Row("/forgot", write(200), form={"name": "Anna"}),
    "POST /account/rest": Row(
        "/account/rest", ACCOUNTS_ONLY, form={"zone": "Asia/Tokyo", "begins": "", "ends": ""}
    ),
    "POST /account/holidays": Row(
        "/account/holidays",
        write(LOGIN, LOGIN, 422, 422, 422, owner=422),
        form={"first": "2020-01-01", "last": "2020-01-02"},
    ),
    "POST /account/holidays/<int:begins>/end": Row(
        "/account/holidays/{holiday}/end", write(LOGIN, LOGIN, 404, 404, 404, owner=303), form={}
    ),
    "POST /account/webhooks": Row(
        "/account/webhooks",
        ACCOUNTS_ONLY,
        form={"kind": "slack", "url": "https://hooks.example.org/x"},
    ),
    "POST /account/webhooks/<key>/remove": Row(
        "/account/webhooks/{hook}/remove", write(LOGIN, LOGIN, 404, 404, 404, owner=303), form={}
    ),
    "POST /account/webhooks/<key>/test": Row(
        "/account/webhooks/{hook}/test", write(LOGIN, LOGIN, 404, 404, 404, owner=303), form={}
    ),
    "POST /account/devices/<key>/remove": Row(
        "/account/devices/{device}/remove", write(LOGIN, LOGIN, 404, 404, 404, owner=303), form={}
    ),
    "POST /account/devices/<key>/test": Row(
        "/account/devices/{device}/test", write(LOGIN, LOGIN, 404, 404, 404, owner=303), form={}
    ),
    "POST /account/muted/<game>": Row(
        "/account/muted/game",
        write(LOGIN, LOGIN, 403, 403, 303, owner=303),
        form={"muted": "yes"},
    ),
    "POST /account/password": Row(
        "/account/password",
        write(LOGIN, LOGIN, 403, 403, 403, owner=303),
        form={"old": "password of Anna", "password": "another one"},
    ),
    "POST /account/delete": Row(
        "/account/delete",
        write(LOGIN, LOGIN, 403, 403, 403, owner=303),
        form={"password": "password of Anna"},
    ),
    "POST /account/passkeys/<key>/remove": Row(
        "/account/passkeys/cGFzcw/remove", write(LOGIN, LOGIN, 404, 404, 404, owner=303), form={}
    ),
    "POST /account/sessions/<key>/end": Row(
        "/account/sessions/{session}/end", write(LOGIN, LOGIN, 404, 404, 404, owner=303), form={}
    ),
    "POST /account/sessions/end-others": Row(
        "/account/sessions/end-others", ACCOUNTS_ONLY, form={}
    ),
    "GET /account/export": Row("/account/export", [LOGIN, LOGIN, 200, 200, 200, 401, 200, 200]),
    # The link in Anna's letters works for whoever has it; a wrong one for nobody.
    "GET /unsubscribe/<word>": Row("/unsubscribe/wrong", [404] * 8),
    "POST /unsubscribe/<word>": Row("/unsubscribe/wrong", [404] * 8, form={}),
    # For hosts. The owner is one; her tokens are not.
    "GET /host": Row("/host", hosts_only(200)),
    "GET /host/accounts": Row("/host/accounts?name=a", hosts_only(200)),
    "POST /host/accounts/<person>/close": Row(
        "/host/accounts/{spectator}/close",
        write(LOGIN, LOGIN, 403, 403, 403, owner=303),
        form={"reason": "Insults."},
    ),
    "POST /host/accounts/<person>/reopen": Row(
        "/host/accounts/{closed}/reopen",
        write(LOGIN, LOGIN, 403, 403, 403, owner=303),
        form={"reason": "An apology."},
    ),
    "POST /host/accounts/<person>/name": Row(
        "/host/accounts/{spectator}/name",
        write(LOGIN, LOGIN, 403, 403, 403, owner=303),
        form={"reason": "Insults."},
    ),
    "GET /host/audit": Row("/host/audit?before=9", hosts_only(200)),
    "POST /host/acts/<path:key>": Row(
        "/host/acts/chat/game/l2",
        write(LOGIN, LOGIN, 403, 403, 403, owner=303),
        form={"act": "remove", "reason": "Insults."},
    ),
    "GET /invitations": Row("/invitations", hosts_only(200)),
    "POST /invitations": Row(
        "/invitations",
        write(LOGIN, LOGIN, 403, 403, 403, owner=303),
        form={"uses": "1", "days": "7"},
    ),
    "POST /invitations/<key>/withdraw": Row(
        "/invitations/{invitation}/withdraw",
        write(LOGIN, LOGIN, 403, 403, 403, owner=303),
        form={},
    ),
    # Bert's line at the table can be reported by those who read it: by Anna, and it is Bert's own.
    "GET /report/<path:key>": Row(
        "/report/chat/game/l2", [LOGIN, 403, 403, 403, 200, 401, 200, 200]
    ),
    "POST /report/<path:key>": Row(
        "/report/chat/game/l2",
        write(LOGIN, 403, 403, 403, 422),
        form={"reason": "insult", "text": "Look."},
    ),
    "GET /api/reports": Row("/api/reports", same(200)),
    "POST /api/reports": Row(
        "/api/reports",
        write(401, 403, 403, 403, 409, owner=201),
        json={"subject": "chat/game/l2", "reason": "insult"},
    ),
    # For those who watch the server. Whose machine asks is not a matter of accounts.
    "GET /health": Row("/health", [200] * 8),
    "GET /metrics": Row("/metrics", [403] * 8),
    # The API about people.
    "GET /api/openapi.json": Row("/api/openapi.json", same(200)),
    "GET /api/checkpoint": Row("/api/checkpoint", same(200)),
    "GET /api/me": Row("/api/me", same(200)),
    "GET /api/me/waiting": Row("/api/me/waiting", same(200)),
    "GET /api/me/stream": Row("/api/me/stream", same(200)),
    "POST /api/me/tour": Row("/api/me/tour", write(200)),
    "GET /api/me/games": Row("/api/me/games", same(200)),
    "GET /api/me/devices": Row("/api/me/devices", [401, 401, 200, 200, 200, 401, 200, 200]),
    "POST /api/me/devices": Row(
        "/api/me/devices",
        write(401, 401, 201, 201, 201, owner=201),
        json=Browser("phone").subscription,
    ),
    "DELETE /api/me/devices/<device>": Row(
        "/api/me/devices/{device}", write(401, 401, 404, 404, 404)
    ),
    "POST /api/me/muted": Row(
        "/api/me/muted", write(401, 401, 403, 403, 200), json={"game": "game", "muted": True}
    ),
    "POST /api/accounts": Row("/api/accounts", write(409, owner=409), json=REGISTER),
    "POST /api/session": Row("/api/session", write(401, owner=401), json=LOG_IN),
    "DELETE /api/session": Row("/api/session", write(200)),
    "GET /api/tokens": Row("/api/tokens", [401, 401, 200, 200, 200, 401, 200, 200]),
    "POST /api/tokens": Row(
        "/api/tokens", write(401, 401, 201, 201, 201, owner=201), json={"label": "mine"}
    ),
    "DELETE /api/tokens/<token>": Row("/api/tokens/{key}", write(401, 401, 404, 404, 404)),
    # Anna's password begins a passkey for Anna alone; what no device has made is none.
    "POST /api/passkeys/options": Row(
        "/api/passkeys/options",
        write(401, 401, 403, 403, 403),
        json={"password": "password of Anna"},
    ),
    "POST /api/passkeys": Row(
        "/api/passkeys",
        write(401, 401, 403, 403, 403, owner=403),
        json={"name": "Mine", "credential": {}},
    ),
    "DELETE /api/passkeys/<passkey>": Row("/api/passkeys/cGFzcw", write(401, 401, 404, 404, 404)),
    "POST /api/session/passkey/options": Row("/api/session/passkey/options", write(200)),
    "POST /api/session/passkey": Row(
        "/api/session/passkey", write(403, owner=403), json={"credential": {}}
    ),
    # About tables.
    "GET /api/tables": Row("/api/tables", same(200)),
    "POST /api/tables": Row(
        "/api/tables", write(401, 401, 201, 201, 201, owner=201), json={"players": 2}
    ),
    "GET /api/tables/<table>": Row("/api/tables/{waiting}", same(200)),
    "POST /api/tables/<table>/seats": Row(
        "/api/tables/{waiting}/seats", write(401, 401, 403, 403, 403), json={"invitation": "é"}
    ),
    "DELETE /api/tables/<table>/seats": Row(
        "/api/tables/{waiting}/seats", write(401, 401, 403, 403, 403)
    ),
    # About a game, always for the owner's seat.
    "GET /api/games/<game>": Row("/api/games/game?seat=1", same(403)),
    "GET /api/games/<game>/news": Row("/api/games/game/news", same(200)),
    "GET /api/games/<game>/stream": Row("/api/games/game/stream", same(200)),
    "GET /api/games/<game>/story": Row("/api/games/game/story", same(200)),
    "GET /api/games/<game>/moments": Row("/api/games/game/moments", same(200)),
    "GET /api/games/<game>/why": Row("/api/games/game/why?what=gold/1&at=2", same(200)),
    "GET /api/games/<game>/review": Row("/api/games/game/review?seat=1", same(403)),
    "GET /api/games/<game>/review/status": Row("/api/games/game/review/status?seat=1", same(403)),
    "POST /api/games/<game>/review": Row(
        "/api/games/game/review?seat=1", write(403, owner=202), json={}
    ),
    "GET /api/games/<game>/actions": Row("/api/games/game/actions?seat=1", same(403)),
    "GET /api/games/<game>/hint": Row("/api/games/game/hint?seat=1", same(403, 200)),
    # Nobody's bot plays there.
    "GET /api/games/<game>/explanations/<number>": Row(
        "/api/games/game/explanations/2", same(409, 409)
    ),
    "GET /api/games/<game>/advice": Row("/api/games/game/advice?seat=1", same(403)),
    "GET /api/games/<game>/course": Row("/api/games/game/course", same(200)),
    "GET /api/games/<game>/moments/<number>": Row("/api/games/game/moments/2?seat=1", same(403)),
    # What is said at the table is for both seats; a line of the owner's is the owner's.
    "GET /table/<table>/chat": Row("/table/game/chat", [*[403] * 4, 200, 401, 200, 200]),
    "GET /api/games/<game>/chat": Row("/api/games/game/chat", [*[403] * 4, 200, 401, 200, 200]),
    "POST /api/games/<game>/chat": Row(
        "/api/games/game/chat", write(403, owner=201), json={"text": "Hello", "seat": 1}
    ),
    "DELETE /api/games/<game>/chat/<said>": Row("/api/games/game/chat/l1", write(403)),
    "POST /api/games/<game>/chat/read": Row(
        "/api/games/game/chat/read", write(403, 403, 403, 403, 200), json={"version": 1}
    ),
    # Everybody at the table has a notepad of their own.
    "GET /api/games/<game>/notepad": Row(
        "/api/games/game/notepad", [*[403] * 4, 200, 401, 200, 200]
    ),
    "POST /api/games/<game>/notepad": Row(
        "/api/games/game/notepad",
        write(403, 403, 403, 403, 409),
        json={"text": "Mine", "version": 1},
    ),
    "POST /api/games/<game>/preview": Row("/api/games/game/preview", write(403), json=ACT),
    "POST /api/games/<game>/actions": Row(
        "/api/games/game/actions", write(403, owner=201), json=ACT
    ),
    # The owner's plan, at her seat.
    "GET /api/games/<game>/plans": Row("/api/games/game/plans?seat=1", same(403, 200)),
    "POST /api/games/<game>/plans": Row(
        "/api/games/game/plans?seat=1", write(403, owner=201), json={"name": "Lakes"}
    ),
    "GET /api/games/<game>/plans/<plan>": Row("/api/games/game/plans/1?seat=1", same(403, 200)),
    "POST /api/games/<game>/plans/<plan>": Row(
        "/api/games/game/plans/1?seat=1", write(403), json={"name": "Else"}
    ),
    "DELETE /api/games/<game>/plans/<plan>": Row("/api/games/game/plans/1?seat=1", write(403)),
    "POST /api/games/<game>/plans/<plan>/restore": Row(
        "/api/games/game/plans/2/restore?seat=1", write(403)
    ),
    "POST /api/games/<game>/plans/<plan>/steps": Row(
        "/api/games/game/plans/1/steps?seat=1", write(403, owner=201), json={"action": ACT}
    ),
    "GET /api/games/<game>/plans/<plan>/moments/<number>": Row(
        "/api/games/game/plans/1/moments/0?seat=1", same(403, 200)
    ),
    "GET /api/games/<game>/plans/<plan>/choices/<number>": Row(
        "/api/games/game/plans/1/choices/0?seat=1", same(403, 200)
    ),
    "POST /api/games/<game>/plans/<plan>/choices/<number>": Row(
        "/api/games/game/plans/1/choices/0?seat=1", write(403), json=ACT
    ),
    "GET /api/games/<game>/plans/<plan>/choices/<number>/hint": Row(
        "/api/games/game/plans/1/choices/0/hint?seat=1", same(403, 200)
    ),
    # Bert has let Anna wait for days at this table; whoever waits oneself has no vote.
    "GET /api/games/<game>/clocks": Row("/api/games/late/clocks", same(200)),
    "POST /api/games/<game>/votes": Row(
        "/api/games/late/votes", write(403), json={"seat": 2, "what": "bot"}
    ),
    # The owner's standing orders.
    "GET /api/games/<game>/orders": Row("/api/games/game/orders?seat=1", same(403, 200)),
    "PUT /api/games/<game>/orders": Row(
        "/api/games/game/orders?seat=1", write(403), json={"kind": "hunger"}
    ),
    "DELETE /api/games/<game>/orders": Row(
        "/api/games/game/orders?seat=1&kind=relocation", write(403)
    ),
    "POST /api/games/<game>/orders/choices": Row(
        "/api/games/game/orders/choices?seat=1", write(403), json={}
    ),
    # Notebooks. The owner's note, line and study are her own, and not for everyone.
    "GET /api/notebooks/<kind>/<id_>": Row("/api/notebooks/study/s1", same(404, 200)),
    "POST /api/notebooks/<kind>/<id_>/notes": Row(
        "/api/notebooks/game/game/notes",
        write(401, 404, 404, 404, 404, owner=201),
        json={"at": {"number": 2}, "content": {"text": "x"}, "answers": "n1"},
    ),
    "POST /api/notebooks/<kind>/<id_>/notes/<note>": Row(
        "/api/notebooks/game/game/notes/n1",
        write(401, 403, 403, 403, 403),
        json={"content": {"text": "x"}},
    ),
    "DELETE /api/notebooks/<kind>/<id_>/notes/<note>": Row(
        "/api/notebooks/game/game/notes/n1", write(401, 403, 403, 403, 403)
    ),
    "GET /api/notebooks/<kind>/<id_>/choices/<chapter>/<line>": Row(
        "/api/notebooks/game/game/choices/-/x1?number=3", same(404, 200)
    ),
    "GET /api/notebooks/<kind>/<id_>/choices/<chapter>/<line>/hint": Row(
        "/api/notebooks/game/game/choices/-/x1/hint?number=3", same(404, 200)
    ),
    "POST /api/notebooks/<kind>/<id_>/choices/<chapter>/<line>": Row(
        "/api/notebooks/game/game/choices/-/x1?number=2",
        write(404, owner=409),
        json={"type": "pass", "seat": 1},
    ),
    "POST /api/notebooks/<kind>/<id_>/lines": Row(
        "/api/notebooks/game/game/lines",
        write(401, 403, 403, 403, 403, owner=201),
        json={"at": {"number": 2}, "seat": 1, "move": {"bot": "random"}},
    ),
    "POST /api/notebooks/<kind>/<id_>/lines/<line>/moves": Row(
        "/api/notebooks/game/game/lines/x1/moves",
        write(401, 403, 403, 403, 403, owner=201),
        json={"bot": "random"},
    ),
    "POST /api/notebooks/<kind>/<id_>/lines/<line>/cut": Row(
        "/api/notebooks/game/game/lines/x1/cut",
        write(401, 403, 403, 403, 403),
        json={"number": 2},
    ),
    "DELETE /api/notebooks/<kind>/<id_>/lines/<line>": Row(
        "/api/notebooks/game/game/lines/x1", write(401, 403, 403, 403, 403)
    ),
    "GET /api/studies": Row("/api/studies", same(200)),
    "POST /api/studies": Row(
        "/api/studies", write(401, 201, 201, 201, 201, owner=201), json={"title": "Quarries"}
    ),
    "POST /api/studies/<study>": Row(
        "/api/studies/s1", write(401, 404, 404, 404, 404), json={"title": "Mine"}
    ),
    "POST /api/studies/<study>/chapters": Row(
        "/api/studies/s1/chapters",
        write(401, 404, 404, 404, 404, owner=201),
        json={"title": "One more", "game": "game"},
    ),
    "POST /api/studies/<study>/chapters/<chapter>": Row(
        "/api/studies/s1/chapters/c1",
        write(401, 404, 404, 404, 404),
        json={"title": "Otherwise", "game": "game"},
    ),
    "POST /api/studies/<study>/order": Row(
        "/api/studies/s1/order", write(401, 404, 404, 404, 404), json={"chapters": ["c1"]}
    ),
    "DELETE /api/studies/<study>/chapters/<chapter>": Row(
        "/api/studies/s1/chapters/c1", write(401, 404, 404, 404, 404)
    ),
}


class Town(World):
    """A table of Anna's and Bert's, one of others, one that waits, and all kinds of people."""

    def __init__(
        self,
        folder: Path,
        *,
        game: Game | None = None,
        done: Game | None = None,
        pool: Pool | None = None,
    ) -> None:
        # Served to the world, so that nobody is taken for this machine.
        settings = Settings(server=ServerSettings(url="http://localhost"))
        super().__init__(folder, settings=settings, pool=pool)
        anna, bert = self.person("Anna"), self.person("Bert")
        carla, dora = self.person("Carla"), self.person("Dora")
        guest = self.guest()
        games = (new_game(2, f"permissions/{seed}", setup="expert") for seed in range(20))
        self.game = game or next(game for game in games if min(game.state.awaiting) == 1)
        berts = [holder(bert, "Bert")] * (len(self.game.state.players) - 1)
        self.seat("game", self.game, [holder(anna, "Anna"), *berts])
        self.seat("other", self.game, [holder(carla, "Carla"), holder(dora, "Dora")])
        self.seat("bots", self.game, [holder(guest, "Gast"), holder(guest, "Gast 2")])
        self.bert = bert.id
        done = done or play_out(new_game(2, "done"), RandomBot(1))
        self.store.append("done", 0, done.events)
        self.seat("played", done, [holder(anna, "Anna"), holder(bert, "Bert")])
        self.write_down(Author(name="Anna", person=anna.id))
        plans = Folder([Plan(1, "Mine", 2)], deleted=[Plan(2, "Gone", 2)], last_id=2)
        self.services.plans.change(anna.id, "game", 1, lambda _: plans)
        live = self.services.games.live("game")
        self.services.orders.give("game", 1, RelocationOrder(), live)
        self.waiting = self.services.lobby.create(NewTable(open=False), anna.id, "Anna").id
        people = self.services.people
        people.add_webhook(anna.id, Webhook("discord", "https://chat.example.org/1"))
        people.change_password(anna.id, PASSWORD, "password of Anna")
        self.key = token_key(self.token(anna))
        self.owner = anna.id
        people.add_passkey(anna.id, "cGFzcw", Passkey("Phone", "a2V5", 0, 1))
        (self.session,) = self.services.sessions.of(anna.id)
        (self.hook,) = people.get(anna.id).webhooks  # type: ignore[union-attr]
        self.services.courier.post = lambda url, sent: 204
        self.services.courier.pusher.post = lambda url, sent, headers: 201
        keys = Browser("desk").subscription["keys"]
        self.device = people.add_subscription(
            anna.id, Subscription("https://push.example.net/x", **keys, session="", made=1)
        )
        self.let_wait(anna, bert)
        self.services.rests.go(anna.id, *[date.today() + timedelta(days=n) for n in (3, 4)])
        (holiday,) = self.services.rests.of(anna.id).holidays
        self.holiday = holiday.begins
        self.services.checkpoints.make_due()
        self.services.hosts.add(anna.id, 1)
        self.invitation = self.services.invitations.make(anna.id, 1, 7)[1]
        self.closed = self.person("Fritz").id
        people.close(self.closed, Closure(1, "Insults."))
        eve = self.person("Eve")
        self.spectator = eve.id
        self.people = dict(
            zip(
                PEOPLE,
                (
                    self.nobody(),
                    guest,
                    eve,
                    carla,
                    bert,
                    self.program("not a token"),
                    anna.without_csrf(),
                    anna,
                ),
                strict=True,
            )
        )

    def let_wait(self, anna: Someone, bert: Someone) -> None:
        """A table at which Bert is waited for since the year 2001."""
        games = (new_game(2, f"late/{seed}", setup="expert") for seed in range(20))
        late = next(game for game in games if min(game.state.awaiting) == 2)
        late.events = [msgspec.structs.replace(e, time=10**12) for e in late.events]
        self.seat("late", late, [holder(anna, "Anna"), holder(bert, "Bert")])

    def ask(self, who: Someone, method: str, row: Row) -> int | str:
        path = row.path.format(
            waiting=self.waiting,
            anna=self.owner,
            key=self.key,
            hook=self.hook,
            device=self.device,
            holiday=self.holiday,
            session=self.session,
            spectator=self.spectator,
            closed=self.closed,
            invitation=self.invitation,
        )
        body = next_action(self.game) if row.json == ACT else row.json
        if row.json == {"action": ACT}:
            body = {"action": next_action(self.game)}
        answer = who.ask(method, path, json=body, form=row.form)
        if answer.status_code == 303 and answer.location.startswith("/login"):
            return LOGIN
        if path.startswith("/api/") and answer.status_code >= 400:
            assert answer.json is not None
            assert answer.json["code"]
            assert answer.json["sentence"]
        return answer.status_code

    def write_down(self, anna: Author) -> None:
        """A note, a line and a study that only their author reads."""
        book = self.services.notebooks
        at, content = Place(number=2), Content(text="Only for me.")
        note = Noted(by=anna, note="n1", at=at, content=content, seen_by="me")
        book.write("game/game", lambda _: note)
        events = let_bot_play(fold(self.game.events[:2]), RandomBot(1), 2)
        line = LineBegun(by=anna, line="x1", at=at, events=events, seen_by="me")
        book.write("game/game", lambda _: line)
        book.write("study/s1", lambda _: StudyOpened(by=anna, title="Quarries", seen_by="me"))
        put = ChapterPut(by=anna, chapter="c1", title="Early", game="game")
        book.write("study/s1", lambda _: put)
        book.write("study/s2", lambda _: StudyOpened(by=anna, title="Hunger", seen_by="me"))
        guess = ChapterPut(by=anna, chapter="c1", title="Guess", game="done", guess=1)
        book.write("study/s2", lambda _: guess)
        said = Said(by=anna, said="l1", seat=1, words=["Hello."], at=ChatMoment(number=2, year=1))
        self.services.chats.write("game", said)
        bert = Author(name="Bert", person=self.bert)
        said = Said(
            by=bert, said="l2", seat=2, words=["You fool."], at=ChatMoment(number=2, year=1)
        )
        self.services.chats.write("game", said)
        self.services.notepads.save(anna.person, "game", "Only for me.", 0)

    def mark(self) -> tuple[object, ...]:
        """Everything of the owner's that a wrong person must not change."""
        anna = self.services.people.get(self.people["owner"].id)
        notes = [self.store.notes.version(stream) for stream in STREAMS]
        owner = self.people["owner"].id
        games = [self.store.game(name) for name in ("game", "late")]
        kept = (
            self.services.plans.everything(owner),
            self.services.notepads.get(owner, "game"),
            self.services.rests.of(owner),
            self.services.orders.stored("game", 1),
            self.services.sessions.of(owner),
        )
        accounts = self.services.people.all()
        hosting = (
            self.services.audit.length(),
            self.services.invitations.all(),
            self.services.reports.waiting(),
            [each.closed for each in accounts],
        )
        return games, anna, self.services.lobby.get(self.waiting), notes, kept, hosting


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    town = Town(tmp_path)
    yield town
    town.close()


def rules(town: World) -> set[str]:
    return {
        f"{method} {rule.rule}"
        for rule in town.app.url_map.iter_rules()
        for method in rule.methods or ()
        if rule.endpoint != "static" and method not in ("HEAD", "OPTIONS")
    }


def test_every_rule_of_the_application_is_in_the_table(town: Town) -> None:
    """A new page or endpoint must say here what wrong people get."""
    assert rules(town) == set(TABLE)


def test_every_declared_endpoint_is_a_rule(town: Town) -> None:
    assert {f"{each.method} {each.path}" for each in ENDPOINTS} <= rules(town)


@pytest.mark.parametrize("rule", TABLE)
def test_wrong_people_are_refused(rule: str, town: Town) -> None:
    row, method = TABLE[rule], rule.split(" ")[0]
    before = town.mark()
    for name, expected in zip(PEOPLE, row.expected, strict=True):
        if name == "owner":
            assert town.mark() == before, f"{rule}: a wrong person changed something"
        got = town.ask(town.people[name], method, row)
        assert got == expected, f"{rule} by {name}: {got} instead of {expected}"


@pytest.mark.parametrize("rule", sorted(r for r in TABLE if not r.startswith("GET")))
def test_a_token_stands_in_for_the_page(rule: str, town: Town) -> None:
    """A program of the owner's needs no page; its token alone decides who asks. Only what is about
    the account itself is for the owner's browser alone."""
    program, before = town.program(town.token(town.people["owner"])), town.mark()
    answer = town.ask(program, rule.split(" ")[0], TABLE[rule])
    if rule in FOR_BROWSERS or rule.startswith(PAGES_ALONE):
        assert answer == 403
        assert town.mark() == before
    else:
        assert answer == TABLE[rule].expected[-1]


@pytest.mark.parametrize("header", ["Basic YW5uYTpwdw==", "anything", "bearer wrong", "Bearer"])
def test_no_other_header_stands_in_for_the_page(header: str, town: Town) -> None:
    before = town.mark()
    answer = town.people["lured"].client.post(
        "/api/games/game/actions", json=next_action(town.game), headers={"Authorization": header}
    )
    assert answer.status_code == (401 if header.lower().startswith("bearer") else 403)
    assert town.mark() == before


def test_nobody_acts_or_plans_for_another_seat(town: Town) -> None:
    """Neither with the other's turn, nor with one that could not be anybody's."""
    before = town.mark()
    for name in ("nobody", "guest", "spectator", "elsewhere", "neighbour"):
        for way in ("actions", "preview"):
            for action in (
                next_action(town.game),
                msgspec.to_builtins(TakeGold(seat=1)),
                msgspec.to_builtins(Poll(seat=1, look=[2, 3])),
                msgspec.to_builtins(TakeGold(seat=5)),
            ):
                answer = town.people[name].post(f"/api/games/game/{way}", action)
                assert answer.status_code == 403
                assert answer.json == {
                    "code": "not-your-seat",
                    "sentence": f"Seat {action['seat']} is not yours.",
                }
    assert town.mark() == before


def test_nobody_reads_as_another_seat(town: Town) -> None:
    """The API refuses; the pages show what the reader may see anyway."""
    bert = town.people["neighbour"]
    answer = bert.get("/api/games/game").json
    assert answer is not None
    assert answer["view"]["viewer"] == 2
    for path in ("/api/games/game", "/api/games/game/actions", "/api/games/game/advice"):
        assert bert.get(f"{path}?seat=1").status_code == 403
        assert bert.get(f"{path}?seat=2").status_code == 200
    for path in ("/table/game", "/table/game/parts"):
        assert 'data-seat="2"' in bert.get(f"{path}?seat=1").text
        for name in ("nobody", "guest", "spectator", "elsewhere"):
            assert 'data-seat="0"' in town.people[name].get(f"{path}?seat=1").text
    for name in ("nobody", "guest", "spectator", "elsewhere"):
        answer = town.people[name].get("/api/games/game").json
        assert answer is not None
        assert answer["view"]["viewer"] == 0
        assert answer["seats"] == []


def test_an_invitation_is_for_those_who_have_it(town: Town) -> None:
    table = town.services.lobby.get(town.waiting)
    for name in ("nobody", "guest", "spectator", "elsewhere", "neighbour"):
        who = town.people[name]
        for path in (f"/api/tables/{table.id}", f"/table/{table.id}", "/api/tables", "/"):
            assert table.invitation not in who.get(path).text
    assert table.invitation in town.people["owner"].get(f"/api/tables/{table.id}").text
    assert town.people["spectator"].get(f"/join/{table.id}/{table.invitation}").status_code == 200
    answer = town.people["spectator"].post(
        f"/api/tables/{table.id}/seats", {"invitation": table.invitation}
    )
    assert answer.status_code == 200
