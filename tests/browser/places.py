"""Every page of the site, opened as somebody who may see it."""

from __future__ import annotations

from playwright.sync_api import Page

from engine.actions.check import check
from engine.actions.legal import legal_actions
from engine.rules.take_back import last_turn, revealed_something
from engine.state import State
from events.types import AskTakeBack
from projections.clocks.clock import Pace
from projections.clocks.rest import DAY
from replays.chat import ChatMoment, Said, Unsaid
from replays.notes.annotations import Author
from replays.review.game import VERSION, review_game
from tests.browser.serving import Server
from tests.browser.table.page import TablePage
from tests.browser.table.plans import PlansPage
from tests.browser.viewer.page import ReplayPage
from tests.web.review.games import short_game
from tests.web.world import put_table, table_of
from web.review.shapes import StoredReview, Subject
from web.seating.new_table import NewTable
from web.seating.service import Holder, Table

STRANGERS = (
    "lobby",
    "log-in",
    "register",
    "rules",
    "rules of an edition",
    "problem",
    "refused log-in",
    "spectator",
    "replay",
    "two moments",
    "other rules",
    "review",
)
HOSTING = ("reports", "accounts", "invitations", "audit")
PLACES = (
    *STRANGERS,
    "lobby with games",
    "account",
    *HOSTING,
    "waiting room",
    "invitation",
    "turn",
    "hexes",
    "preview",
    "walk",
    "year's end",
    "game's end",
    "moment",
    "why",
    "why page",
    "relocation",
    "plans",
    "final score",
    "absence",
    "desk",
    "resign",
    "asked",
)


class Places:
    """The pages of one server; its games are made when the first page wants one."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._games: dict[str, str] = {}

    def open(self, page: Page, place: str) -> Page:
        """Bring a page there. Its reader is logged in as Lucia where that is needed."""
        paths = {
            "lobby": "/",
            "lobby with games": "/",
            "log-in": "/login",
            "refused log-in": "/login",
            "register": "/register",
            "account": "/account",
            "reports": "/host",
            "accounts": "/host/accounts",
            "invitations": "/invitations",
            "audit": "/host/audit",
            "problem": "/table/nowhere",
            "rules": "/rules",
            "rules of an edition": "/rules?ruleset=de#R10",
        }
        if place in HOSTING:
            self._server.services.hosts.add(self._server.account("Lucia"), 1)
        if place in paths:
            if place == "lobby with games":
                for kind in MOMENTS:
                    self.game(kind)
                self.waiting("Mario")
            page.goto(paths[place])
        elif place == "waiting room":
            page.goto(f"/table/{self.waiting('Lucia').id}")
        elif place == "invitation":
            table = self.waiting("Nino")
            page.goto(f"/join/{table.id}/{table.invitation}")
        elif place == "moment":
            page.goto(f"/table/{self.game('turn')}/at/9")
        elif place == "why page":
            page.goto(f"/replay/{self.game('turn')}/30/why/points/1")
        elif place == "replay":
            ReplayPage(page).open(self.game("over"), 40)
        elif place == "two moments":
            page.goto(f"/replay/{self.game('over')}/compare?a=20&b=60")
        elif place == "other rules":
            page.goto(f"/replay/{self.game('over')}/under/flush")
            page.locator("#slider").wait_for()
        elif place == "review":
            page.goto(f"/replay/{self.reviewed()}/review")
            page.locator("#decision [data-hex]").first.wait_for()
        elif place == "final score":
            TablePage(page).open(self.game("over")).final.wait_for()
        elif place == "year's end":
            page.goto(f"/table/{self.game('over')}/year/3")
        elif place == "game's end":
            TablePage(page).open(self.game("over"))
            page.get_by_role("link", name="Course, rematch, share").click()
            page.locator("#ending .lc-chart").wait_for()
        elif place == "relocation":
            TablePage(page).open(self.game("relocation")).wait_for_question()
        elif place == "plans":
            plans = PlansPage(page).open(self.game("turn"))
            if not page.locator("#plan-name").count():
                plans.begin()
                plans.take("Your action", "Build")
                plans.press("Skip to my next turn")
                page.locator(".plan-step .mark").first.wait_for()
        elif place == "absence":
            TablePage(page).open(self.late())
            page.locator("[data-vote]").first.wait_for()
        elif place in ("desk", "resign", "asked"):
            self._at_the_desk(page, place)
        elif place == "spectator":
            TablePage(page).open(self.game("turn"))
        else:
            self._at_the_table(TablePage(page).open(self.game("turn")), place)
        if place == "refused log-in":
            page.get_by_label("Name").fill("Nobody")
            page.get_by_label("Password").fill("wrong password")
            page.get_by_role("main").get_by_role("button", name="Log in").click()
            page.get_by_role("alert").wait_for()
        return page

    def _at_the_desk(self, page: Page, place: str) -> None:
        """The panels open, with something in each; before it a question where one is asked."""
        game = self.game("asked" if place == "asked" else "turn")
        chats = self._server.services.chats
        if not chats.version(game):
            at = ChatMoment(number=9, year=3, turn=1)
            by = Author(name="Mario", person=self._server.account("Mario"))
            words: list[str | int] = ["Look, ", 1, ": https://example.org"]
            chats.write(game, Said(by=by, said="s1", seat=2, words=words, at=at))
            chats.write(game, Said(by=by, said="s2", seat=2, words=["No."], at=at))
            chats.write(game, Unsaid(by=by, said="s2"))
        table = TablePage(page).open(game)
        page.locator(".chat-line time[data-told]").first.wait_for(state="attached")
        table.open_panel("notepad")
        page.get_by_label("My notepad").fill("Gold for the cathedral.")
        page.get_by_text("Saved.", exact=True).wait_for()
        table.open_panel("away" if place == "resign" else "chat")
        if place == "resign":
            page.get_by_role("button", name="Resign …").click()
        if place == "asked":
            page.get_by_role("button", name="Agree").wait_for()

    def _at_the_table(self, table: TablePage, place: str) -> None:
        table.wait_for_question()
        if place == "walk":
            table.since.get_by_role("button", name="Walk through it").click()
            table.walk.get_by_role("button", name="Close").wait_for()
        if place == "why":
            table.number("points/1").click()
            table.why.locator("table").wait_for()
        if place in ("hexes", "preview"):
            table.choose("Build")
            table.options.first.click()
            table.wait_for_question()
        if place == "preview":
            table.options.first.click()
            table.wait_for_question()
            assert table.previewed

    def waiting(self, name: str) -> Table:
        """A table that waits for others, with one person at it."""
        person = self._server.account(name)
        wish = NewTable(players=3, bots=1, ruleset="flush", open=name != "Nino")
        return self._server.services.lobby.create(wish, person, name)

    def late(self) -> str:
        """A game in which Mario's time has run out, and the others vote about it."""
        if "late" not in self._games:
            pace = Pace(bank=48 * 60, increment=60, at_zero="vote")
            table = self._server.new_table("Lucia", "Mario", "Nino", pace=pace)
            game = self._server.play_until(table, lambda s: s.year == 2 and 2 in s.awaiting)
            self._games["late"] = self._server.begin(table, game, ago=3 * DAY)
        return self._games["late"]

    def game(self, kind: str) -> str:
        if kind not in self._games:
            table = self._server.new_table("Lucia", "Mario", "Nino")
            game = self._server.play_until(table, MOMENTS[kind])
            if kind == "asked":
                game.add(AskTakeBack(seat=2))
            self._games[kind] = self._server.begin(table, game)
        return self._games[kind]

    def short(self, id_: str) -> str:
        """A game of one year that Lucia and Mario have played to its end."""
        seats = [Holder(self._server.account(name), name) for name in ("Lucia", "Mario")]
        game = short_game()
        self._server.store.append(id_, 0, game.events)
        put_table(self._server.store, table_of(id_, game, seats))
        return id_

    def reviewed(self) -> str:
        """One whose review is made."""
        if "reviewed" not in self._games:
            game = self._games["reviewed"] = self.short("reviewed")
            events = short_game().events
            made = StoredReview(VERSION, len(events), game=review_game(events, budget=60))
            self._server.services.reviews.save(Subject(game), None, made)
        return self._games["reviewed"]


def later_turn(s: State) -> bool:
    return (
        s.year == 3
        and s.awaiting.get(1) == "politics"
        and any(getattr(a, "card", "") == "action" for a in legal_actions(s, 1))
    )


def relocation(s: State) -> bool:
    return s.awaiting.get(1) == "relocate" and len(legal_actions(s, 1)) > 1


def to_take_back(s: State) -> bool:
    return (
        s.phase == "politics"
        and revealed_something(s)
        and last_turn(s) >= 0
        and check(s, AskTakeBack(seat=2)) is None
    )


MOMENTS = {
    "turn": later_turn,
    "relocation": relocation,
    "over": lambda s: s.phase == "over",
    "asked": to_take_back,
}
