"""Hosts close accounts: nobody gets in with one, games go on, and the audit log tells of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.selfplay import new_game
from tests.web.moderation.moderating import Club
from tests.web.world import PASSWORD, holder
from web.accounts.account import Webhook
from web.seating.new_table import NewTable
from web.seating.service import Holder

CLOSED = "A host has closed this account: Insults."


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(tmp_path)
    yield club
    club.close()


def test_sessions_and_tokens_end_at_once_and_for_good(club: Club) -> None:
    program = club.program(club.token(club.anna))
    assert "The account is closed." in club.close_account(club.anna)
    assert club.anna.get("/api/me").json == {"name": "", "account": False, "guest": False}
    assert program.get("/api/me").status_code == 401
    club.act(f"/host/accounts/{club.anna.id}/reopen", reason="An apology.")
    assert club.anna.get("/api/me").json == {"name": "", "account": False, "guest": False}
    assert program.get("/api/me").status_code == 401


def test_logging_in_says_why_not_once_the_password_is_right(club: Club) -> None:
    club.close_account(club.anna)
    nobody = club.nobody()
    for way, answer in (
        ("page", nobody.ask("POST", "/login", form={"name": "Anna", "password": PASSWORD})),
        ("api", nobody.post("/api/session", {"name": "Anna", "password": PASSWORD})),
    ):
        assert answer.status_code == 403, way
        assert CLOSED in answer.text
    wrong = nobody.post("/api/session", {"name": "Anna", "password": "a wrong one"})
    assert (wrong.json or {})["code"] == "wrong-login"
    club.act(f"/host/accounts/{club.anna.id}/reopen", reason="An apology.")
    again = nobody.post("/api/session", {"name": "Anna", "password": PASSWORD})
    assert again.status_code == 200


def test_a_bot_plays_on_where_others_wait_and_alone_it_pauses(club: Club) -> None:
    club.seat("alone", new_game(2, "a"), [holder(club.anna, "Anna"), Holder("", "Bot", "random")])
    waiting = club.services.lobby.create(NewTable(), club.bert.id, "Bert").id
    club.services.lobby.join(waiting, club.anna.id, "Anna")
    club.seat("open", new_game(2, "b"), [holder(club.bert, "Bert"), holder(club.hanna, "Hanna")])
    club.close_account(club.anna)
    games = club.services.games
    assert [seat.bot != "" for seat in games.live("game").state.players.values()] == [True, False]
    assert [seat.bot for seat in games.live("alone").state.players.values()] == ["", ""]
    assert [seat.bot for seat in games.live("open").state.players.values()] == ["", ""]
    assert club.services.lobby.get(waiting).seats_of(club.anna.id) == []


def test_nothing_is_sent_to_a_closed_account(club: Club) -> None:
    hook = Webhook("slack", "https://hooks.example.org/x")
    club.services.people.add_webhook(club.anna.id, hook)
    assert club.services.people.can_be_told(club.anna.id)
    club.close_account(club.anna)
    assert not club.services.people.can_be_told(club.anna.id)


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501, "a\x07bell"])
def test_an_act_needs_a_reason(reason: str, club: Club) -> None:
    path = f"/host/accounts/{club.anna.id}/close"
    answer = club.hanna.ask("POST", path, form={"reason": reason})
    assert answer.status_code == 422
    assert club.services.people.get(club.anna.id).closed is None  # type: ignore[union-attr]
    assert club.services.audit.length() == 0


def test_what_cannot_be_closed_or_opened(club: Club) -> None:
    for path, status in (
        (f"/host/accounts/{club.hanna.id}/close", 409),
        ("/host/accounts/person-nobody/close", 404),
        (f"/host/accounts/{club.anna.id}/reopen", 409),
    ):
        assert club.hanna.ask("POST", path, form={"reason": "x"}).status_code == status
    club.close_account(club.anna)
    again = club.hanna.ask("POST", f"/host/accounts/{club.anna.id}/close", form={"reason": "x"})
    assert again.status_code == 409
    assert club.services.audit.length() == 1


def test_the_audit_log_tells_who_when_what_and_why(club: Club) -> None:
    club.close_account(club.anna, "Insults, twice.")
    (only,) = club.services.audit.page()
    entry = only.entry
    assert (entry.act, entry.by, entry.subject) == (
        "account-closed",
        club.hanna.id,
        club.anna.id,
    )
    page = club.hanna.get("/host/audit").text
    for words in ("Account closed", "Anna", "Hanna", "Insults, twice."):
        assert words in page
    # Who has left is named no more.
    club.services.people.remove(club.anna.id)
    assert "a deleted account" in club.hanna.get("/host/audit").text


def test_the_audit_log_is_paged(club: Club) -> None:
    for number in range(120):
        club.services.audit.record("account-closed", club.hanna.id, "x", f"reason-{number:03}.")
    first = club.hanna.get("/host/audit").text
    assert "reason-119." in first
    assert "reason-070." in first
    assert "reason-069." not in first
    assert "/host/audit?before=71" in first
    last = club.hanna.get("/host/audit?before=21").text
    assert "reason-000." in last
    assert "reason-020." not in last
    assert "Earlier acts" not in last


def test_accounts_are_found_by_name(club: Club) -> None:
    assert [name in club.hanna.get("/host/accounts?name=AN").text for name in ("Anna", "Bert")] == [
        True,
        False,
    ]
    club.close_account(club.bert)
    closed = club.hanna.get("/host/accounts?closed=yes").text
    assert "Bert" in closed
    assert "Anna<" not in closed


def test_only_hosts_see_the_way_to_their_page(club: Club) -> None:
    assert 'href="/host"' in club.hanna.get("/").text
    assert 'href="/host"' not in club.anna.get("/").text
    club.services.hosts.remove(club.hanna.id)
    assert 'href="/host"' not in club.hanna.get("/").text


def test_a_page_about_a_bad_token_is_still_a_page(club: Club) -> None:
    answer = club.program("wrong").get("/host")
    assert answer.status_code == 401
