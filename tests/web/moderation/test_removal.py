"""What a host removes is shown nowhere any more, and everyone sees that a host removed it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from replays.chat import ChatMoment, Said
from replays.notes import annotations as a
from replays.notes.annotations import Author, Content, Place
from tests.web.moderation.moderating import Club
from tests.web.world import PASSWORD, Someone, holder
from web.accounts.account import Webhook
from web.cli.main import main
from web.seating.new_table import NewTable

BAD = "dreckskerl"
GONE = "Removed by the host"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(tmp_path)
    club.services.people.add_webhook(club.anna.id, Webhook("slack", "https://hooks.example.org/x"))
    club.seat(
        "done",
        play_out(new_game(2, "done"), RandomBot(1)),
        [holder(club.anna, "Anna"), holder(club.bert, "Bert")],
    )
    yield club
    club.close()


def say(club: Club) -> None:
    at = ChatMoment(number=2, year=1)
    by = Author(name="Bert", person=club.bert.id)
    said = Said(by=by, said="s1", seat=2, words=[1, f" you {BAD}"], at=at)
    club.services.chats.write("game", said)


def annotate(club: Club) -> None:
    """Bert writes a note, rewrites it, calls a line so, and opens a study."""
    by, book = Author(name="Bert", person=club.bert.id), club.services.notebooks
    at, content = Place(number=3), Content(text=f"A {BAD}.")
    for written in (
        a.Noted(by=by, note="n1", at=at, content=content, seen_by="all"),
        a.NoteRewritten(by=by, note="n1", content=Content(text=f"Such a {BAD}."), seen_by="all"),
        a.LineBegun(by=by, line="x1", at=at, events=[], seen_by="all", title=f"Of a {BAD}"),
    ):
        book.write("game/done", lambda _, written=written: written)
    for written in (
        a.StudyOpened(by=by, title=f"The {BAD}", introduction=f"A {BAD}.", seen_by="all"),
        a.ChapterPut(by=by, chapter="c1", title=f"{BAD} 1", game="done", introduction=BAD),
    ):
        book.write("study/s1", lambda _, written=written: written)


def remove(club: Club, key: str, act: str = "remove") -> str:
    return club.act(f"/host/acts/{key}", act=act, reason="Insults.")


def pages_of_chat(club: Club, who: Someone) -> str:
    paths = ("/table/game", "/table/game/chat", "/api/games/game/chat", "/account/export")
    return "".join(who.get(path).text for path in paths)


def pages_of_notes(club: Club, who: Someone) -> str:
    paths = (
        *("/replay/done/3", "/replay/done/3/parts", "/replay/done", "/api/notebooks/game/done"),
        *("/replay/done/game.html", "/replay/done/game.txt", "/embed/done/3", "/account/export"),
        *("/studies", "/api/studies", "/study/s1", "/study/s1/c1", "/study/s1/study.json"),
        *("/api/notebooks/study/s1", "/replay/done/3?line=x1"),
    )
    return "".join(who.get(path).text for path in paths)


def test_a_message_is_gone_everywhere(club: Club) -> None:
    say(club)
    club.services.outbox.follow()
    assert BAD in club.services.outbox.box(club.anna.id).notices[-1].text
    assert BAD in pages_of_chat(club, club.anna)
    remove(club, "chat/game/s1")
    club.services.outbox.follow()
    assert club.services.outbox.box(club.anna.id).notices == []
    for who in (club.anna, club.bert):
        text = pages_of_chat(club, who)
        assert BAD not in text
        assert GONE in text
    (line,) = (club.anna.get("/api/games/game/chat").json or {})["lines"]
    assert (line["removed"], line["withdrawn"], line["text"]) == (True, True, "")
    # The stream keeps its bytes: it is hash-chained.
    assert any(BAD.encode() in record.event for record in club.store.notes.read("chat/game"))


@pytest.mark.parametrize("key", ["note/game/done/n1", "line/game/done/x1", "study/s1"])
def test_a_text_beside_a_game_is_gone_everywhere(key: str, club: Club, tmp_path: Path) -> None:
    annotate(club)
    for each in ("note/game/done/n1", "line/game/done/x1", "study/s1"):
        if each != key:
            remove(club, each)
    assert BAD in pages_of_notes(club, club.anna)
    assert BAD in club.bert.get("/account/export").text
    remove(club, key)
    for who in (club.anna, club.bert, club.nobody()):
        text = pages_of_notes(club, who)
        assert not re.search(BAD, text, re.IGNORECASE)
        assert text.count(GONE) >= 4
    db = str(tmp_path / "games.db")
    for words in (["done", "--as", "text"], ["done", "--as", "html"], ["s1", "--as", "study"]):
        result = CliRunner().invoke(main, ["export", *words, "--db", db])
        assert result.exit_code == 0, result.output
        assert BAD not in result.output


def test_its_author_writes_a_new_title_but_no_new_note_in_its_place(club: Club) -> None:
    annotate(club)
    remove(club, "study/s1")
    remove(club, "note/game/done/n1")
    answer = club.bert.post("/api/studies/s1", {"title": "Quarries", "introduction": "On stone."})
    assert answer.status_code == 200
    page = club.anna.get("/study/s1").text
    assert "Quarries" in page or club.anna.get("/study/s1").status_code == 404
    note = {"content": {"text": BAD}}
    assert club.bert.post("/api/notebooks/game/done/notes/n1", note).status_code == 409


def test_an_account_is_called_otherwise_and_logs_in_as_before(club: Club) -> None:
    annotate(club)
    say(club)
    waiting = club.services.lobby.create(NewTable(), club.bert.id, "Bert").id
    remove(club, "seat/game/2", act="name")
    account = club.services.people.get(club.bert.id)
    assert account is not None
    assert re.fullmatch("Player [0-9a-f]{6}", account.name)
    paths = (
        *("/", "/table/game", "/table/done", f"/table/{waiting}", "/replay/done/3", "/studies"),
        *("/study/s1", "/api/games/game/chat", "/api/games/game/story", "/api/tables", "/account"),
        *("/api/notebooks/game/done", "/replay/done/game.html", "/host/accounts"),
    )
    for who in (club.anna, club.bert, club.hanna):
        for path in paths:
            assert not re.search(r"\bBert\b", who.get(path).text), path
    assert (club.bert.get("/api/me").json or {})["name"] == account.name
    again = club.nobody().post("/api/session", {"name": "Bert", "password": PASSWORD})
    assert again.json == {"name": account.name, "account": True, "guest": False}
    # What is written from now on stands under the new name, and a new password is one.
    note = {"at": {"number": 4}, "content": {"text": "Later."}, "seen_by": "all"}
    assert club.bert.post("/api/notebooks/game/done/notes", note).status_code == 201
    assert account.name in club.anna.get("/api/notebooks/game/done").text
    club.services.people.change_password(club.bert.id, PASSWORD, "quite another one")
    late = club.nobody().post("/api/session", {"name": "Bert", "password": "quite another one"})
    assert late.status_code == 200
    ((entry),) = [each.entry for each in club.services.audit.page()]
    assert (entry.act, entry.subject) == ("name-removed", club.bert.id)


def test_a_guest_is_called_guest(club: Club) -> None:
    guest = club.guest(name="Dreckskerl")
    note = {"at": {"number": 4}, "content": {"text": "Hello."}, "seen_by": "all"}
    made = (guest.post("/api/notebooks/game/done/notes", note).json or {})["id"]
    assert "Dreckskerl" in club.anna.get("/replay/done/4").text
    remove(club, f"note/game/done/{made}", act="name")
    assert (guest.get("/api/me").json or {})["name"] == "Guest"
    page = club.anna.get("/replay/done/4").text
    assert "Dreckskerl" not in page
    assert "Hello." in page


def test_a_name_in_an_imported_game_goes_too(club: Club) -> None:
    club.store.append("imported", 0, play_out(new_game(2, "x"), RandomBot(2)).events)
    name = club.services.replays.get("imported").names[0]
    assert name in club.anna.get("/replay/imported/3").text
    remove(club, "seat/imported/1", act="name")
    assert "Anonymous" in club.anna.get("/replay/imported/3").text


@pytest.mark.parametrize(
    "key",
    [
        *("chat/game/s9", "note/game/done/n9", "line/game/done/x9", "study/s9", "seat/game/3"),
        *("seat/game/0", "seat/nowhere/1", "chat/nowhere/s1", "x/y", "note/chat/game/s1", "chat"),
        *("note/game/../etc/n1", "study/" + "x" * 65),
    ],
)
def test_what_is_not_there_cannot_be_removed(key: str, club: Club) -> None:
    answer = club.hanna.ask("POST", f"/host/acts/{key}", form={"act": "remove", "reason": "x"})
    assert answer.status_code == 404
    assert club.services.audit.length() == 0


def test_nothing_is_removed_twice_or_otherwise(club: Club) -> None:
    say(club)
    path = "/host/acts/chat/game/s1"
    for form in ({"act": "burn", "reason": "x"}, {"reason": "x"}, {"act": "remove", "reason": ""}):
        assert club.hanna.ask("POST", path, form=form).status_code == 422
    remove(club, "chat/game/s1")
    assert club.hanna.ask("POST", path, form={"act": "remove", "reason": "x"}).status_code == 404
    assert club.services.audit.length() == 1


def test_a_name_is_removed_from_the_list_of_accounts(club: Club) -> None:
    club.act(f"/host/accounts/{club.bert.id}/name", reason="Insults.")
    assert (club.bert.get("/api/me").json or {})["name"].startswith("Player ")
    assert "Bert" not in club.anna.get("/table/game").text


def test_a_name_at_a_table_that_waits_can_be_reported_and_removed(club: Club) -> None:
    waiting = club.services.lobby.create(NewTable(), club.bert.id, "Bert").id
    assert f"/report/seat/{waiting}/1" in club.anna.get("/").text
    assert club.anna.get(f"/report/seat/{waiting}/2").status_code == 404
    remove(club, f"seat/{waiting}/1", act="name")
    assert "Bert" not in club.anna.get("/").text


def test_the_name_stays_taken_until_the_account_goes(club: Club) -> None:
    remove(club, "seat/game/2", act="name")
    body = {"name": "Bert", "password": PASSWORD}
    assert club.nobody().post("/api/accounts", body).status_code == 409
    club.services.people.remove(club.bert.id)
    assert club.nobody().post("/api/accounts", body).status_code == 201
