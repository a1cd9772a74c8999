"""Nobody learns over HTTP what they may not know.

Exchange what is hidden from a seat, in a store of its own under the same names, and every byte of
every page and every API answer for that seat stays the same.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.chance.resample import resample
from engine.fold import fold
from engine.material import library
from engine.selfplay import Game, new_game, play_out
from engine.snapshot import position
from engine.state import State
from engine.view import HIDDEN, SPECTATOR, view
from events.types import Action, AnyEvent, Pass, Poll, TakeGold
from projections.clocks.clock import Pace
from replays.notes.annotations import Author, ChapterPut, StudyOpened
from replays.whatif.plans import Plan, PlanStep
from tests.amounts import one_in
from tests.web.world import Someone, World, holder, put_table, table_of
from web.accounts.visitor import COOKIE
from web.api.endpoint import ENDPOINTS
from web.lobby import page as pages
from web.notices.push.sealing import PUSH_KEY, new_key
from web.orders.shapes import (
    AnyOrder,
    DemolitionOrder,
    Fall,
    HungerOrder,
    OrderStep,
    PoliticsOrder,
    RelocationOrder,
    Stop,
)
from web.plans.service import Folder
from web.site.secrets import server_secret

NAMES = ("Anna", "Bert", "Carla", "Dora", "Emil")

GETS = {
    "/": ["/", "/?lang=de"],
    "/next": ["/next"],
    "/login": ["/login"],
    "/manifest.webmanifest": ["/manifest.webmanifest"],
    "/service-worker.js": ["/service-worker.js"],
    "/offline": ["/offline"],
    "/register": ["/register"],
    "/account": ["/account"],
    "/account/export": ["/account/export"],
    "/forgot": ["/forgot"],
    "/confirm/<person>/<secret>": ["/confirm/person-1/wrong"],
    "/reset/<person>/<secret>": ["/reset/person-1/wrong"],
    "/unsubscribe/<word>": ["/unsubscribe/wrong"],
    "/health": ["/health"],
    "/metrics": ["/metrics"],
    "/api/me/devices": ["/api/me/devices"],
    "/api/me/waiting": ["/api/me/waiting"],
    "/api/me/stream": ["/api/me/stream"],
    "/table/<id_>": ["/table/{game}", "/table/{game}?seat={seat}&lang=de"],
    "/table/<table>/absence": ["/table/{game}/absence"],
    "/table/<table>/parts": [
        "/table/{game}/parts?seat={seat}",
        "/table/{game}/parts?seat={seat}&after={version}",
        "/table/{game}/parts?seat={seat}&after=9&lang=de",
    ],
    "/table/<table>/at/<int:version>": ["/table/{game}/at/{version}", "/table/{game}/at/2?lang=de"],
    "/table/<table>/year/<int:year>": ["/table/{game}/year/1", "/table/{game}/year/2?lang=de"],
    "/table/<table>/end": ["/table/{game}/end"],
    "/table/<table>/plans": ["/table/{game}/plans?seat={seat}"],
    "/table/<table>/plans/parts": ["/table/{game}/plans/parts?seat={seat}&plan=1&at=1"],
    "/table/<table>/plans/panel": ["/table/{game}/plans/panel?seat={seat}"],
    "/replay/<game>": ["/replay/{game}?cards=open"],
    "/replay/<game>/<int:number>": ["/replay/{game}/{version}?seat={seat}&cards=open"],
    "/replay/<game>/<int:number>/parts": ["/replay/{game}/{version}/parts?seat={seat}&cards=open"],
    "/replay/<game>/<int:number>/moments": [
        "/replay/{game}/1/moments?seat={seat}&cards=open",
        "/replay/{game}/{version}/moments?seat={seat}&cards=open&lang=de",
    ],
    "/replay/<game>/compare": ["/replay/{game}/compare?a=2&seat={seat}&cards=open"],
    "/replay/<game>/under/<ruleset>": ["/replay/{game}/under/flush"],
    "/replay/<game>/under/<ruleset>/<int:number>": ["/replay/{game}/under/flush/{version}"],
    "/replay/<game>/under/<ruleset>/<int:number>/parts": [
        "/replay/{game}/under/own/{version}/parts?seat={seat}&rule=flush:yes&when=skip&cards=open"
    ],
    "/replay/<game>/review": ["/replay/{game}/review?seat={seat}&cards=open"],
    "/replay/<game>/review/parts": ["/replay/{game}/review/parts?seat={seat}&lang=de"],
    "/replay/<game>/review/learn/<int:holder>": ["/replay/{game}/review/learn/{seat}"],
    "/replay/<game>/review/learn/<int:holder>/<int:place>": [
        "/replay/{game}/review/learn/{seat}/1"
    ],
    "/replay/<game>/review/learn/<int:holder>/<int:place>/why": [
        "/replay/{game}/review/learn/{seat}/1/why"
    ],
    "/replay/<game>/<int:number>/why/<path:what>": [
        "/replay/{game}/{version}/why/gold/1",
        "/replay/{game}/{version}/why/points/2?lang=de",
    ],
    "/replay/<game>/<int:number>/picture.svg": ["/replay/{game}/{version}/picture.svg"],
    "/replay/<game>/<int:number>/picture.png": ["/replay/{game}/{version}/picture.png"],
    "/replay/<game>/<int:number>/moment.case.toml": [
        "/replay/{game}/{version}/moment.case.toml?seat={seat}&cards=open",
        "/replay/{game}/2/moment.case.toml",
        '/replay/{game}/{version}/moment.case.toml?action={{"type":"gold","seat":1}}',
    ],
    "/replay/<game>/report.case.toml": ["/replay/{game}/report.case.toml"],
    "/study/<id_>/<chapter>/<int:number>/moment.case.toml": [
        "/study/{game}/c1/{version}/moment.case.toml?seat={seat}"
    ],
    "/study/<id_>/<chapter>/report.case.toml": ["/study/{game}/c1/report.case.toml"],
    "/replay/<game>/game.html": ["/replay/{game}/game.html"],
    "/replay/<game>/game.txt": ["/replay/{game}/game.txt"],
    "/replay/<game>/log.jsonl": ["/replay/{game}/log.jsonl"],
    "/replay/<game>/log.amendment.json": ["/replay/{game}/log.amendment.json"],
    "/embed/<game>/<int:number>": ["/embed/{game}/{version}"],
    "/studies": ["/studies"],
    "/study/<id_>": ["/study/{game}"],
    "/study/<id_>/study.json": ["/study/{game}/study.json"],
    "/study/<id_>/<chapter>": ["/study/{game}/c1?seat={seat}&cards=open"],
    "/study/<id_>/<chapter>/<int:number>": ["/study/{game}/c1/{version}?seat={seat}&cards=open"],
    "/study/<id_>/<chapter>/<int:number>/parts": ["/study/{game}/c1/{version}/parts?seat={seat}"],
    "/study/<id_>/<chapter>/<int:number>/moments": ["/study/{game}/c1/1/moments?seat={seat}"],
    "/study/<id_>/<chapter>/guess": ["/study/{game}/c1/guess"],
    "/study/<id_>/<chapter>/guess/<int:number>": ["/study/{game}/c1/guess/2"],
    "/import": ["/import"],
    "/import/<key>": ["/import/nothing"],
    "/host": ["/host"],
    "/host/accounts": ["/host/accounts"],
    "/host/audit": ["/host/audit"],
    "/invitations": ["/invitations"],
    "/report/<path:key>": ["/report/seat/{game}/1", "/report/study/{game}?lang=de"],
    "/api/reports": ["/api/reports"],
    "/rules": ["/rules", "/rules?ruleset=de&lang=de"],
    "/board": ["/board"],
    "/board/<what>.json": ["/board/board.json", "/board/box.json"],
    "/ruleset": ["/ruleset"],
    "/ruleset/<path:rules>": ["/ruleset/flush+growth=2", "/ruleset/growth=2?as=toml&lang=de"],
    "/join/<id_>/<invitation>": ["/join/{game}/invitation-of-tests"],
    "/api/openapi.json": ["/api/openapi.json"],
    "/api/checkpoint": ["/api/checkpoint"],
    "/api/me": ["/api/me"],
    "/api/me/games": ["/api/me/games"],
    "/api/tokens": ["/api/tokens"],
    "/api/tables": ["/api/tables"],
    "/api/tables/<table>": ["/api/tables/{game}"],
    "/api/games/<game>": ["/api/games/{game}", "/api/games/{game}?seat={seat}"],
    "/table/<table>/chat": ["/table/{game}/chat", "/table/{game}/chat?before=2&lang=de"],
    "/api/games/<game>/chat": ["/api/games/{game}/chat"],
    "/api/games/<game>/notepad": ["/api/games/{game}/notepad"],
    "/api/games/<game>/news": ["/api/games/{game}/news"],
    "/api/games/<game>/stream": ["/api/games/{game}/stream"],
    "/api/games/<game>/story": [
        "/api/games/{game}/story",
        "/api/games/{game}/story?after=9&lang=de",
    ],
    "/api/games/<game>/course": ["/api/games/{game}/course"],
    "/api/games/<game>/moments": [
        "/api/games/{game}/moments?seat={seat}",
        "/api/games/{game}/moments?after=9&lang=de",
        "/api/games/{game}/moments?after=4&whole=1",
    ],
    "/api/games/<game>/moments/<number>": [
        "/api/games/{game}/moments/{version}?seat={seat}&revealed=1"
    ],
    "/api/notebooks/<kind>/<id_>": ["/api/notebooks/game/{game}"],
    "/api/notebooks/<kind>/<id_>/choices/<chapter>/<line>": [
        "/api/notebooks/game/{game}/choices/-/-?number={version}",
        "/api/notebooks/game/{game}/choices/-/-?number=3&seat={seat}",
    ],
    "/api/notebooks/<kind>/<id_>/choices/<chapter>/<line>/hint": [
        "/api/notebooks/game/{game}/choices/-/-/hint?number={version}",
        "/api/notebooks/game/{game}/choices/-/-/hint?number={version}&seat={seat}",
    ],
    "/api/studies": ["/api/studies"],
    "/api/games/<game>/why": [
        "/api/games/{game}/why?what=supply",
        "/api/games/{game}/why?what=action-cards/1",
        "/api/games/{game}/why?what=food/2&at={version}",
    ],
    "/api/games/<game>/review": ["/api/games/{game}/review?seat={seat}"],
    "/api/games/<game>/review/status": ["/api/games/{game}/review/status?seat={seat}"],
    "/api/games/<game>/actions": ["/api/games/{game}/actions?seat={seat}"],
    "/api/games/<game>/orders": ["/api/games/{game}/orders?seat={seat}"],
    "/api/games/<game>/hint": ["/api/games/{game}/hint?seat={seat}"],
    "/api/games/<game>/explanations/<number>": ["/api/games/{game}/explanations/{version}"],
    "/api/games/<game>/clocks": ["/api/games/{game}/clocks"],
    "/api/games/<game>/advice": ["/api/games/{game}/advice?seat={seat}"],
    "/api/games/<game>/plans": ["/api/games/{game}/plans?seat={seat}"],
    "/api/games/<game>/plans/<plan>": ["/api/games/{game}/plans/1?seat={seat}"],
    "/api/games/<game>/plans/<plan>/moments/<number>": [
        "/api/games/{game}/plans/1/moments/1?seat={seat}"
    ],
    "/api/games/<game>/plans/<plan>/choices/<number>": [
        "/api/games/{game}/plans/1/choices/1?seat={seat}"
    ],
    "/api/games/<game>/plans/<plan>/choices/<number>/hint": [
        "/api/games/{game}/plans/1/choices/1/hint?seat={seat}"
    ],
}
"""Every rule that can be read, and how it is asked for."""

NOT_ABOUT_A_GAME = {
    "/login",
    "/manifest.webmanifest",
    "/service-worker.js",
    "/offline",
    "/forgot",
    "/confirm/<person>/<secret>",
    "/reset/<person>/<secret>",
    "/register",
    "/account",
    "/unsubscribe/<word>",
    "/health",
    "/metrics",
    "/api/openapi.json",
    "/api/checkpoint",
    "/api/me",
    "/api/tokens",
    "/import",
    "/host",
    "/host/accounts",
    "/host/audit",
    "/invitations",
    "/api/reports",
    "/rules",
    "/board",
    "/board/<what>.json",
    "/ruleset",
    "/ruleset/<path:rules>",
}
COSTLY = {"/replay/<game>/<int:number>/picture.png", "/replay/<game>/game.html"}
"""Asked once per test, the others for every viewer."""

WRITES_ABOUT_GAMES = {
    "/api/games/<game>/preview",
    "/api/games/<game>/actions",
    "/api/games/<game>/plans",
    "/api/games/<game>/plans/<plan>",
    "/api/games/<game>/plans/<plan>/restore",
    "/api/games/<game>/plans/<plan>/steps",
    "/api/games/<game>/plans/<plan>/choices/<number>",
    "/api/games/<game>/chat",
    "/api/games/<game>/chat/read",
    "/api/games/<game>/notepad",
    "/api/games/<game>/votes",
    "/api/games/<game>/orders/choices",
    "/api/games/<game>/review",
}
SAID = "Between those at the table."
NOTED = "For nobody else."
NOW = 1_700_000_000_000
PACE = Pace(bank=60, increment=5, at_zero="vote")

COMMITMENTS = re.compile(
    rb'"head":"[0-9a-f]{64}"'
    rb"|<code>[0-9a-f]{64}</code>"
    rb'|name="csrf-token" content="[^"]*"'
    rb'|name="csrf_token" value="[^"]*"'
    rb'|"link":"[0-9a-f]{24}"'
    rb'|data-word="[0-9a-f]{24}"'
    rb"|(?:lacitta_request_seconds|lacitta_job_seconds|process_)\S* \S+"
)
"""What differs and may: the head tells nothing before the end, the page's token is random, the
word of a link follows from the server's own key, and how long answers took or what the process has
used by now is anyone's guess, as is how long the bots thought that somebody asked."""

TOLD_APART = {"Date", "Set-Cookie"}


def moments(seed: int) -> list[tuple[list[AnyEvent], State]]:
    """Moments of a played game before its end: some at random, and right after each poll."""
    ruleset = library.RULESETS[seed % len(library.RULESETS)]
    setup = ("beginner", "expert")[seed // 4 % 2]
    game: Game = new_game(2 + seed % 4, f"leaks/{seed}", ruleset, setup)  # type: ignore[arg-type]
    events = play_out(game, RandomBot(seed)).events
    rng = random.Random(seed)
    polls = [count for count, event in enumerate(events, 1) if isinstance(event, Poll)]
    counts = {*rng.sample(range(3, len(events) - 3), 1), *rng.sample(polls, min(1, len(polls)))}
    found = [(events[:count], fold(events[:count])) for count in sorted(counts)]
    return [(log, s) for log, s in found if s.phase != "over" and not s.chance]


class Twins:
    """Two servers that differ in what is hidden, and nothing else."""

    def __init__(self, folder: Path) -> None:
        (folder / "a").mkdir(parents=True)
        (folder / "b").mkdir()
        self.worlds = [World(folder / name, clock=lambda: NOW) for name in "ab"]
        key = new_key()
        for world in self.worlds:
            server_secret(world.store, PUSH_KEY, lambda: key)
        first, second = self.worlds
        self.people = [first.person(name) for name in NAMES]
        self.spectator = first.person("Zoe")
        self.tokens = {who.id: first.token(who) for who in (*self.people, self.spectator)}
        kept, begin = first.store.documents, first.services.sessions.begin
        people = (*self.people, self.spectator)
        self.sessions = {
            who.id: begin(who.id, name) for who, name in zip(people, (*NAMES, "Zoe"), strict=True)
        }
        for name in ("accounts", "sessions"):
            second.store.documents.adopt(name, kept.version(name), kept.items(name))
        self.games = 0

    def seat(self, real: list[AnyEvent], other: list[AnyEvent]) -> str:
        """Put both logs under one name."""
        self.games += 1
        id_ = f"game-{self.games}"
        for world, events in zip(self.worlds, (real, other), strict=True):
            game = Game.__new__(Game)
            game.events, game.state = events, fold(events)
            holders = [
                holder(person, name) for person, name in zip(self.people, NAMES, strict=True)
            ][: len(game.state.seats)]
            world.store.append(id_, 0, events)
            table = table_of(id_, game, holders)
            put_table(world.store, msgspec.structs.replace(table, pace=PACE))
            self.study(world, id_)
        return id_

    def study(self, world: World, game: str) -> None:
        """A study of the game, in which a seat's turns can be guessed once it is over."""
        by, book = Author(name="Yves", person="person-yves"), world.services.notebooks
        opened = StudyOpened(by=by, title="A study", seen_by="all")
        book.write(f"study/{game}", lambda _: opened)
        put = ChapterPut(by=by, chapter="c1", title="One", game=game, guess=1)
        book.write(f"study/{game}", lambda _: put)

    def ask(self, who: Someone, method: str, path: str, json: Any = None) -> bytes:
        """The answer that both give, which must be one."""
        answers = []
        for world in self.worlds:
            # A page is read by cookie; what is sent needs no page before it with a token.
            token = "" if method == "GET" else self.tokens[who.id]
            twin = Someone(world.app.test_client(), token, who.id)
            twin.client.set_cookie(COOKIE, self.sessions[who.id])
            response = twin.ask(method, path, json=json)
            assert response.status_code < 500
            # How long answers took has more digits or fewer.
            apart = TOLD_APART | ({"Content-Length"} if path == "/metrics" else set())
            headers = [item for item in response.headers if item[0] not in apart]
            body = COMMITMENTS.sub(b"-", response.data)
            answers.append((response.status_code, headers, body))
        assert answers[0] == answers[1], f"{method} {path} depends on what is hidden"
        return answers[0][2]

    def close(self) -> None:
        for world in self.worlds:
            world.close()


@contextmanager
def twins_in(folder: Path) -> Iterator[Twins]:
    twins = Twins(folder)
    try:
        yield twins
    finally:
        twins.close()


@pytest.fixture
def twins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Twins]:
    monkeypatch.setattr(pages, "now", lambda: NOW)
    with twins_in(tmp_path / "twins") as twins:
        yield twins


def test_every_rule_that_can_be_read_is_asked(twins: Twins) -> None:
    """A new page or endpoint must say here how it is asked for."""
    url_map = twins.worlds[0].app.url_map
    readable = {
        rule.rule
        for rule in url_map.iter_rules()
        if "GET" in (rule.methods or ()) and rule.endpoint != "static"
    }
    assert readable == set(GETS)
    assert {
        each.path for each in ENDPOINTS if each.method == "POST" and "/games/" in each.path
    } == WRITES_ABOUT_GAMES


def one_of_each_kind(actions: list[Any], rng: random.Random) -> list[Any]:
    kinds: dict[tuple[str, str], Any] = {}
    for action in rng.sample(actions, len(actions)):
        kinds.setdefault((type(action).__name__, getattr(action, "building", "")), action)
    return [kinds[key] for key in sorted(kinds)]


def read_everything(twins: Twins, id_: str, who: Someone, seat: int, version: int) -> bytes:
    return b"".join(
        twins.ask(who, "GET", path.format(game=id_, seat=seat, version=version))
        for rule, paths in GETS.items()
        for path in paths
        if rule not in NOT_ABOUT_A_GAME | COSTLY or twins.games == 1
    )


def plan_ahead(twins: Twins, id_: str, who: Someone, seat: int, rng: random.Random) -> int:
    """Two plans, made step by step, one's own and guessed ones; every answer must be one. Gives
    how many steps there are."""
    base = f"/api/games/{id_}/plans"
    twins.ask(who, "POST", f"{base}?seat={seat}", {"name": "Mine"})
    for number in range(4):
        asked = twins.ask(who, "GET", f"{base}/1/choices/{number}?seat={seat}")
        actions = json.loads(asked).get("actions")
        if not actions:
            break
        action = rng.choice(actions)
        twins.ask(who, "POST", f"{base}/1/choices/{number}?seat={seat}", action)
        twins.ask(who, "POST", f"{base}/1/steps?seat={seat}", {"action": action})
    twins.ask(who, "POST", f"{base}/1/steps?seat={seat}", {})
    twins.ask(who, "POST", f"{base}?seat={seat}", {"copy_of": "1"})
    twins.ask(who, "POST", f"{base}/2?seat={seat}", {"steps": [2, 1], "name": "Other"})
    twins.ask(who, "DELETE", f"{base}/2?seat={seat}")
    twins.ask(who, "POST", f"{base}/2/restore?seat={seat}")
    plan = json.loads(twins.ask(who, "GET", f"{base}/1?seat={seat}"))["plan"]
    twins.ask(who, "GET", f"/table/{id_}/plans?seat={seat}&plan=1&at={plan['last']}&against=2")
    return len(plan["steps"])


@pytest.mark.parametrize("seed", one_in(8, range(8)))
def test_no_answer_depends_on_hidden_cards(seed: int, twins: Twins) -> None:
    rng = random.Random(seed)
    compared = polled = steps = 0
    for real, s in moments(seed):
        owing = min(s.awaiting)
        pollers = [n for n, player in s.players.items() if player.polled_voice]
        seats = {SPECTATOR, owing, rng.randint(1, len(s.seats)), *pollers[:1]}
        for seat in sorted(seats):
            other = resample(real, s, rng, seat)
            there = fold(other)
            # The guard: without it, equal answers would prove nothing.
            assert msgspec.json.encode(position(s)) != msgspec.json.encode(position(there))
            id_ = twins.seat(real, other)
            who = twins.people[seat - 1] if seat else twins.spectator
            if seat:
                steps += plan_ahead(twins, id_, who, seat, rng)
            read_everything(twins, id_, who, seat, len(real))
            compared += 1
            polled += seat in pollers
            if not seat:
                continue
            twins.ask(who, "POST", f"/api/games/{id_}/votes", {"seat": seat, "what": "decide"})
            twins.ask(who, "POST", f"/api/games/{id_}/orders/choices?seat={seat}", {})
            tried = one_of_each_kind(legal_actions(s, seat) if seat == owing else [], rng)
            # What the seat did at other times is mostly refused now: the reasons must be the same.
            past = [e for e in real if isinstance(e, Action) and e.seat == seat]
            tried += one_of_each_kind(past, rng)
            for action in tried:
                sent = msgspec.to_builtins(action)
                twins.ask(who, "POST", f"/api/games/{id_}/preview", sent)
                if action in past and seat != owing:
                    twins.ask(who, "POST", f"/api/games/{id_}/actions", sent)
    assert compared
    assert steps
    print(f"{compared} viewers, {polled} of them with polled cards")


def test_nobody_elses_answer_depends_on_my_plans(twins: Twins) -> None:
    """Anna plans on one of two servers that are alike otherwise: all others read the same."""
    ((real, _), *_) = moments(0)
    id_ = twins.seat(real, real)
    anna = twins.people[0]
    steps = [PlanStep(1, TakeGold(seat=1)), PlanStep(2, TakeGold(seat=2))]
    folder = Folder([Plan(1, "Zanzibar", 3, steps, 2)], deleted=[Plan(2, "Zanzibar", 3)], last_id=2)
    # Not over HTTP: the server counts requests, for those who watch it.
    twins.worlds[0].services.plans.change(anna.id, id_, 1, lambda _: folder)
    for seat, who in enumerate(twins.people[1 : len(real[0].seats)], start=2):
        assert b"Zanzibar" not in read_everything(twins, id_, who, seat, len(real))
        assert b"Zanzibar" not in read_everything(twins, id_, who, 1, len(real))
    assert b"Zanzibar" not in read_everything(twins, id_, twins.spectator, 0, len(real))
    with pytest.raises(AssertionError, match="depends"):
        twins.ask(anna, "GET", f"/table/{id_}/plans")


def test_a_polled_card_shows_to_its_seat_alone(twins: Twins) -> None:
    """The proof above is not empty: what a seat has polled does reach its page, and no other."""
    for seed in range(30):
        for real, s in moments(seed):
            pollers = [n for n, player in s.players.items() if player.polled_voice]
            mine = view(s, pollers[0]).voice[-1] if pollers else []
            public = view(s, SPECTATOR).voice[-1] if pollers else []
            if mine == public or s.phase != "politics":
                continue
            id_ = twins.seat(real, real)
            shown = [
                len(re.findall(rb"voice-hidden", twins.ask(who, "GET", f"/table/{id_}/parts")))
                for who in (twins.people[pollers[0] - 1], twins.spectator)
            ]
            assert shown == [mine.count(HIDDEN), public.count(HIDDEN)]
            return
    pytest.fail("nobody polled")


def test_nobody_gets_a_byte_of_a_notepad_nor_a_spectator_of_the_talk(tmp_path: Path) -> None:
    """Every page and answer, for another seat, a spectator, a guest and nobody."""
    real, s = moments(1)[0]
    world = World(tmp_path)
    try:
        people = [world.person(name) for name in NAMES]
        game = Game.__new__(Game)
        game.events, game.state = real, s
        seats = [holder(who, name) for who, name in zip(people, NAMES, strict=True)]
        world.seat("game", game, seats[: len(s.seats)])
        author, other = people[0], people[1]
        sent = {"text": SAID, "seat": 1}
        assert author.post("/api/games/game/chat", sent).status_code == 201
        note = {"text": NOTED, "version": 0}
        assert author.post("/api/games/game/notepad", note).status_code == 200

        def everything(who: Someone, seat: int) -> str:
            answers = [
                who.get(path.format(game="game", seat=seat, version=len(real))).text
                for rule, paths in GETS.items()
                for path in paths
                if rule not in COSTLY
            ]
            return "".join(answers)

        watching = (world.person("Zoe"), world.guest(), world.nobody())
        assert NOTED in everything(author, 1)
        assert SAID in everything(author, 1)
        assert NOTED not in everything(other, 2)
        assert SAID in everything(other, 2)
        for who in watching:
            read = everything(who, 1)
            assert NOTED not in read
            assert SAID not in read
    finally:
        world.close()


ORDERS: list[AnyOrder] = [
    PoliticsOrder(
        turns=[[OrderStep(action=TakeGold(seat=1))], [OrderStep(action=Pass(seat=1))]],
        stops=[Stop(when="gone", card="palace")],
    ),
    RelocationOrder(services=["health"]),
    DemolitionOrder(falls=[Fall(building="farm")]),
    HungerOrder(first="smallest", until="year"),
]


@pytest.mark.parametrize("seed", one_in(2, [1, 2]))
def test_no_answer_to_others_depends_on_orders(seed: int, twins: Twins) -> None:
    """One of two servers holds orders of seat 1, some withdrawn. Until they act, everyone else
    gets the same bytes."""
    game = new_game(2 + seed, f"orders/{seed}")
    bot = RandomBot(seed)
    while len(game.events) < 40 or 1 in game.state.awaiting:
        game.add(bot.pick(legal_actions(game.state, min(game.state.awaiting))))
    real, s = game.events, game.state
    id_ = twins.seat(real, real)
    kept = twins.worlds[0].services
    for order in ORDERS:
        kept.orders.give(id_, 1, order, kept.games.live(id_))
    kept.orders.withdraw(id_, 1, "demolition", kept.games.live(id_))
    assert kept.order_runner.run_once() == 0
    assert len(kept.orders.stored(id_, 1).standing) == 3
    others = [(twins.people[seat - 1], seat) for seat in range(2, len(s.seats) + 1)]
    for who, seat in (*others, (twins.spectator, SPECTATOR)):
        read_everything(twins, id_, who, seat, len(real))
        twins.ask(who, "GET", f"/api/games/{id_}/orders?seat=1")
        twins.ask(who, "POST", f"/api/games/{id_}/orders/choices", {})
    # The proof is not empty: their owner does read them.
    with pytest.raises(AssertionError, match="depends on what is hidden"):
        twins.ask(twins.people[0], "GET", f"/api/games/{id_}/orders?seat=1")
