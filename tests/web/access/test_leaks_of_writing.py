"""Who writes learns nothing hidden either: every answer to every rule that changes something is the
same in two worlds that differ in what the writer may not know."""

from __future__ import annotations

import json
import random
from itertools import count
from typing import Any

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.chance.resample import resample
from engine.fold import fold
from engine.snapshot import position
from tests.amounts import one_in
from tests.web.access.test_leaks import WRITES_ABOUT_GAMES, Twins, moments, twins
from web.chat import conversation
from web.notes import api as notes_api
from web.studies import api as studies_api

__all__ = ["twins"]

ASKED = {
    "POST /api/notebooks/<kind>/<id_>/choices/<chapter>/<line>",
    "POST /api/notebooks/<kind>/<id_>/lines",
    "POST /api/notebooks/<kind>/<id_>/lines/<line>/moves",
    "POST /api/notebooks/<kind>/<id_>/lines/<line>/cut",
    "DELETE /api/notebooks/<kind>/<id_>/lines/<line>",
    "POST /api/notebooks/<kind>/<id_>/notes",
    "POST /api/notebooks/<kind>/<id_>/notes/<note>",
    "DELETE /api/notebooks/<kind>/<id_>/notes/<note>",
    "POST /api/studies",
    "POST /api/studies/<study>/chapters",
    "POST /api/studies/<study>/chapters/<chapter>",
    "DELETE /api/studies/<study>/chapters/<chapter>",
    "PUT /api/games/<game>/orders",
    "DELETE /api/games/<game>/orders",
    "DELETE /api/games/<game>/chat/<said>",
    "DELETE /api/games/<game>/plans/<plan>",
    *(f"POST {rule}" for rule in WRITES_ABOUT_GAMES),
}
"""Rules about a game, all asked of twins here or where plans and actions are."""

AS_THE_API = {
    "POST /studies",
    "POST /studies/moment",
    "POST /study/<id_>",
    "POST /study/<id_>/chapters",
    "POST /study/<id_>/<chapter>/change",
    "POST /study/<id_>/<chapter>/move",
    "POST /study/<id_>/<chapter>/withdraw",
    "POST /study/<id_>/<chapter>/guess/<int:number>",
    "POST /replay/<game>/review",
    "POST /api/studies/<study>",
    "POST /api/studies/<study>/order",
}
"""Forms that lead on to a page that is asked for, and rules that never open a game."""

NO_GAME = {
    "POST /api/accounts",
    "POST /api/session",
    "DELETE /api/session",
    "POST /api/tables",
    "POST /api/tables/<table>/seats",
    "DELETE /api/tables/<table>/seats",
    "POST /api/tokens",
    "POST /confirm/<person>/<secret>",
    "POST /forgot",
    "POST /reset/<person>/<secret>",
    "DELETE /api/tokens/<token>",
    "POST /host/accounts/<person>/close",
    "POST /host/accounts/<person>/name",
    "POST /host/accounts/<person>/reopen",
    "POST /host/acts/<path:key>",
    "POST /import",
    "POST /invitations",
    "POST /invitations/<key>/withdraw",
    "POST /language",
    "POST /login",
    "POST /logout",
    "POST /play",
    "POST /register",
    "POST /report/<path:key>",
    "POST /api/reports",
    "POST /board",
    "POST /board/table",
    "POST /ruleset",
    "POST /ruleset/file",
    "POST /table/<id_>/join",
    "POST /table/<id_>/leave",
    "POST /table/<id_>/rematch",
    "POST /tables",
    "POST /unsubscribe/<word>",
}
"""Rules about people, or about tables before anything is hidden or after all has come to light."""

ABOUT_PEOPLE = ("/account/", "/api/me/", "/api/passkeys", "/api/session/")
"""All rules below these are about whoever asks."""


def test_every_rule_that_writes_is_in_a_table(twins: Twins) -> None:
    """A new one must say here whether a game is behind it."""
    writing = {
        f"{method} {rule.rule}"
        for rule in twins.worlds[0].app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}
        if not rule.rule.startswith(ABOUT_PEOPLE)
    }
    assert writing == ASKED | AS_THE_API | NO_GAME


@pytest.fixture
def same_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is random by purpose, the same for both of two worlds that are asked in turn."""
    numbers = count()

    def new_id() -> str:
        return f"id-{next(numbers) // 2}"

    for module in (notes_api, studies_api, conversation):
        monkeypatch.setattr(module, "new_id", new_id)


@pytest.mark.usefixtures("same_ids")
@pytest.mark.parametrize("seed", one_in(6, range(6)))
def test_no_answer_to_who_writes_depends_on_hidden_cards(seed: int, twins: Twins) -> None:
    rng, lines = random.Random(seed), 0
    for real, s in moments(seed):
        for seat in sorted({0, min(s.awaiting)}):
            other = resample(real, s, rng, seat)
            assert msgspec.json.encode(position(s)) != msgspec.json.encode(position(fold(other)))
            writer = Writer(twins, twins.seat(real, other), seat, len(real))
            action = rng.choice(legal_actions(s, min(s.awaiting)))
            lines += writer.try_lines(msgspec.to_builtins(action))
            writer.write_notes()
            if seat:
                writer.give_orders()
    assert lines


class Writer:
    """Somebody who writes about a game, on both servers."""

    def __init__(self, twins: Twins, game: str, seat: int, number: int) -> None:
        self._twins, self._game, self._seat, self._number = twins, game, seat, number
        self._who = twins.people[seat - 1] if seat else twins.spectator
        self._book = f"/api/notebooks/game/{game}"

    def ask(self, method: str, path: str, sent: Any = None) -> Any:
        return json.loads(self._twins.ask(self._who, method, path, sent) or b"null")

    def read(self, path: str) -> None:
        self._twins.ask(self._who, "GET", path)

    def try_lines(self, action: object) -> int:
        """Lines by an action and by bots, and all that is shown of them. Gives how many began."""
        query = f"number={self._number}&seat={self._seat}"
        self.ask("POST", f"{self._book}/choices/-/-?{query}", action)
        begun = 0
        for move in ({"action": action}, {"bot": "random", "turns": 5}):
            place = {"number": self._number}
            wish = {"at": place, "move": move, "seat": self._seat, "seen_by": "me"}
            # While the game runs, this is refused, and must be so alike.
            self.ask("POST", f"{self._book}/lines", {**wish, "cards": "as-they-were"})
            made = self.ask("POST", f"{self._book}/lines", wish)
            if "id" not in made:
                continue
            begun += 1
            line, last = made["id"], made["last"]
            self.ask("POST", f"{self._book}/lines/{line}/moves", {"bot": "steward", "turns": 2})
            self.read(self._book)
            self.read(f"{self._book}/choices/-/{line}?number={last}&seat={self._seat}")
            shown = f"/replay/{self._game}/{last}/parts?line={line}&seat={self._seat}&cards=open"
            self.read(shown)
            self.ask("POST", f"{self._book}/lines/{line}/cut", {"number": last})
            self.ask("DELETE", f"{self._book}/lines/{line}")
        return begun

    def write_notes(self) -> None:
        """Notes, a study of the game, and words at the table."""
        content = {"text": "Why not the quarry?"}
        note = {"at": {"number": self._number}, "content": content, "seen_by": "all"}
        id_ = self.ask("POST", f"{self._book}/notes", note)["id"]
        self.ask("POST", f"{self._book}/notes/{id_}", {"content": content, "seen_by": "all"})
        self.read(self._book)
        self.ask("DELETE", f"{self._book}/notes/{id_}")
        study = self.ask("POST", "/api/studies", {"title": "Quarries"})["id"]
        chapter = {"title": "One", "game": self._game, "start": self._number, "guess": 1}
        made = self.ask("POST", f"/api/studies/{study}/chapters", chapter)
        path = f"/api/studies/{study}/chapters/{made['id']}"
        self.ask("POST", path, chapter)
        self.ask("DELETE", path)
        said = self.ask(
            "POST", f"/api/games/{self._game}/chat", {"text": "Hm.", "seat": self._seat}
        )
        self.ask("DELETE", f"/api/games/{self._game}/chat/{said.get('said', 'id-0')}")

    def give_orders(self) -> None:
        path = f"/api/games/{self._game}/orders?seat={self._seat}"
        self.ask("PUT", path, {"kind": "hunger"})
        self.ask("DELETE", f"{path}&kind=hunger")
