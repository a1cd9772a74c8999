"""The notepad: its writer's alone, never written over unseen, kept, exported and deleted."""

from __future__ import annotations

import json

import pytest

from tests.web.notices.mailing import MailTown
from tests.web.world import PASSWORD, Someone
from web.notepad.service import LONGEST

SECRET = "Keep three gold for the cathedral."


def write(who: Someone, game: str, text: str, version: int) -> tuple[int, str]:
    answer = who.post(f"/api/games/{game}/notepad", {"text": text, "version": version})
    body = answer.json or {}
    return answer.status_code, str(body.get("code", body.get("version")))


def test_a_notepad_is_never_written_over_unseen(town: MailTown) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    assert anna.get(f"/api/games/{game}/notepad").json == {"text": "", "version": 0, "time": 0}
    assert write(anna, game, SECRET, 0) == (200, "1")
    # Another window that has not seen this, and one that sends the same again.
    assert write(anna, game, "Something else.", 0) == (409, "notepad-changed")
    assert write(anna, game, SECRET, 0) == (200, "1")
    assert write(anna, game, "Line\n\ttwo.", 1) == (200, "2")
    saved = {"text": "Line\n\ttwo.", "version": 2, "time": town.time}
    assert anna.get(f"/api/games/{game}/notepad").json == saved
    assert "Line\n\ttwo.</textarea>" in anna.get(f"/table/{game}").text


@pytest.mark.parametrize("text", ["x" * (LONGEST + 1), "\x00", "a\rb", 5])
def test_what_cannot_be_kept(town: MailTown, text: object) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    answer = anna.post(f"/api/games/{game}/notepad", {"text": text, "version": 0})
    assert answer.status_code == 422
    assert write(anna, game, "é" * LONGEST, 0) == (200, "1")


def test_nobody_else_reads_or_writes_it(town: MailTown) -> None:
    anna, bert, eve = (town.resident(name) for name in ("Anna", "Bert", "Eve"))
    game = town.table(anna, bert)
    write(anna, game, SECRET, 0)
    assert bert.get(f"/api/games/{game}/notepad").json == {"text": "", "version": 0, "time": 0}
    assert write(bert, game, "Bert's own.", 0) == (200, "1")
    for who in (eve, town.nobody(), town.guest()):
        assert who.get(f"/api/games/{game}/notepad").status_code == 403
        assert write(who, game, "Mine now.", 1)[0] == 403
    for who in (bert, eve, town.nobody()):
        for path in (f"/table/{game}", f"/table/{game}/parts", f"/api/games/{game}/chat"):
            assert SECRET not in who.get(path).text
    assert SECRET in anna.get(f"/table/{game}").text
    assert "Bert&#39;s own." not in anna.get(f"/table/{game}").text


def test_it_is_in_the_data_and_goes_with_the_account(town: MailTown) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    write(anna, game, SECRET, 0)
    write(bert, game, "Bert's own.", 0)
    data = json.loads(anna.get("/account/export").data)
    assert data["notepads"] == {game: {"text": SECRET, "version": 1, "time": town.time}}
    assert SECRET not in bert.get("/account/export").text
    assert anna.ask("POST", "/account/delete", form={"password": PASSWORD}).status_code == 303
    assert [key for key, _ in town.store.documents.items("notepads")] == [f"{bert.id}/{game}"]


def test_a_guest_who_registers_keeps_it(town: MailTown) -> None:
    guest = town.nobody()
    guest.ask("POST", "/play", form={"kind": "now", "name": "Gina"})
    game = (guest.get("/api/me/games").json or [])[0]["table"]["id"]
    write(guest, game, SECRET, 0)
    guest.ask("POST", "/register", form={"name": "Gina", "password": PASSWORD})
    assert (guest.get(f"/api/games/{game}/notepad").json or {})["text"] == SECRET
    assert len(town.store.documents.items("notepads")) == 1
