"""What a guest has is the account's, whether the guest registers or logs in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from tests.web.notices.mailing import MailTown
from tests.web.world import PASSWORD, Someone, holder
from web.profile.inheritance import inherit

NOTEBOOK = "/api/notebooks/game/over"


def ok(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json


def busy_guest(town: MailTown, account: Someone) -> tuple[Someone, str, str]:
    """A guest who sits beside an account, has written a note and a study, and shares a link."""
    guest = town.guest(name="Gina")
    over = play_out(new_game(2, "heirs"), RandomBot(1))
    town.seat("over", over, [holder(account, "Anna"), holder(guest, "Gina")])
    note = {"at": {"number": 12}, "content": {"text": "Mine."}, "seen_by": "link"}
    made = ok(guest.post(f"{NOTEBOOK}/notes", note), 201)["id"]
    study = ok(guest.post("/api/studies", {"title": "Openings"}), 201)["id"]
    ok(guest.post(f"/api/studies/{study}/chapters", {"title": "One", "game": "over"}), 201)
    ok(guest.post("/api/games/over/notepad", {"text": "guest's", "version": 0}))
    ok(account.post("/api/games/over/notepad", {"text": "account's", "version": 0}))
    ok(guest.post("/api/games/over/chat", {"text": "Good game."}), 201)
    return guest, made, study


@pytest.mark.parametrize("way", ["register", "login", "api"])
def test_what_a_guest_has_is_the_accounts(town: MailTown, way: str) -> None:
    anna, zoe = town.resident("Anna"), town.resident("Zoe")
    guest, note, study = busy_guest(town, anna)
    word = ok(guest.get(NOTEBOOK))["link"]
    form = {"name": "Gina" if way == "register" else "Anna", "password": PASSWORD}
    if way == "api":
        ok(guest.post("/api/session", form))
    else:
        assert guest.ask("POST", f"/{way}", form=form).status_code == 303
    (seen,) = ok(guest.get(NOTEBOOK))["notes"]
    assert (seen["by"], seen["yours"]) == (form["name"], True)
    # The link that the guest has shared still leads to it, and to nobody else's words.
    assert [n["by"] for n in ok(zoe.get(f"{NOTEBOOK}?by={word}"))["notes"]] == [form["name"]]
    assert ok(zoe.get(NOTEBOOK))["notes"] == []
    rewritten = {"content": {"text": "Still mine."}, "seen_by": "all"}
    ok(guest.post(f"{NOTEBOOK}/notes/{note}", rewritten))
    assert ok(zoe.get(NOTEBOOK))["notes"][0]["content"]["text"] == "Still mine."
    assert [s["study"] for s in ok(guest.get("/api/studies")) if s["yours"]] == [study]
    ok(guest.post(f"/api/studies/{study}", {"title": "Middle games"}))
    assert "Middle games" in guest.get("/studies").text
    # At the table where both sit, the account holds both seats.
    seats = ok(guest.get("/api/tables/over"))["seats"]
    assert [seat["yours"] for seat in seats] == ([False, True] if way == "register" else [True] * 2)
    pad = ok(guest.get("/api/games/over/notepad"))["text"]
    assert pad == ("guest's" if way == "register" else "account's\n\nguest's")
    texts = [line["text"] for line in ok(guest.get("/api/games/over/chat"))["lines"]]
    data = json.loads(guest.get("/account/export").data)
    assert {each["in"] for each in data["notes"]} == {"game/over", f"study/{study}"}
    assert [each["words"] for each in data["chat"] if each["type"] == "said"] == [
        [t] for t in texts
    ]
    # Somebody else who logs in gets nothing of it.
    other = town.nobody()
    assert other.ask("POST", "/login", form={"name": "Zoe", "password": PASSWORD})
    assert not [s for s in ok(other.get("/api/studies")) if s["yours"]]


def test_inheriting_again_changes_nothing(town: MailTown) -> None:
    anna, zoe = town.resident("Anna"), town.resident("Zoe")
    guest, _, study = busy_guest(town, anna)
    account, other = (town.services.people.get(each.id) for each in (anna, zoe))
    assert account is not None
    assert other is not None
    with town.app.app_context():
        inherit(guest.id, account)
        once = [town.store.documents.items(kind) for kind in ("tables", "notepads", "outbox")]
        inherit(guest.id, account)
        assert once == [
            town.store.documents.items(kind) for kind in ("tables", "notepads", "outbox")
        ]
        # A guest who has become an account is nobody else's to claim.
        inherit(guest.id, other)
    assert [s["study"] for s in ok(anna.get("/api/studies")) if s["yours"]] == [study]
    assert not [s for s in ok(zoe.get("/api/studies")) if s["yours"]]
