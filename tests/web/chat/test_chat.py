"""Talk at a table: for those who sit there, told once, withdrawn, kept, and without names when
somebody goes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from events.store.backups.transfer import check_store, restore
from events.store.stores import open_store
from tests.events.server import Server
from tests.web.notices.mailing import MailTown
from tests.web.world import PASSWORD, Someone, World
from web.chat.conversation import SHOWN
from web.games.seats import start_if_full
from web.seating.new_table import NewTable


def say(who: Someone, game: str, text: str, **more: Any) -> str:
    answer = who.post(f"/api/games/{game}/chat", {"text": text, **more})
    assert answer.status_code == 201, answer.text
    return str((answer.json or {})["said"])


def lines(who: Someone, game: str, after: int = 0) -> list[dict[str, Any]]:
    answer = who.get(f"/api/games/{game}/chat?after={after}")
    assert answer.status_code == 200
    found: list[dict[str, Any]] = (answer.json or {})["lines"]
    return found


def test_what_is_said_is_heard_by_the_others(town: MailTown) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    news = bert.get(f"/api/games/{game}/news")
    assert news.json == {"version": 2, "chat": 0}
    said = say(anna, game, "  Hello <b>you</b>, https://example.org/x. ")
    assert bert.get(f"/api/games/{game}/news").json == {"version": 2, "chat": 1}
    (heard,) = lines(bert, game)
    owing = town.owing(game)
    assert heard == {
        "said": said,
        "version": 1,
        "time": town.time,
        "seat": 1,
        "name": "Anna",
        "text": "Hello <b>you</b>, https://example.org/x.",
        "mentions": [],
        "at": 2,
        "year": town.services.games.live(game).state.year,
        "turn": owing,
        "withdrawn": False,
        "removed": False,
        "yours": False,
    }
    assert lines(bert, game, after=1) == []
    page = bert.get(f"/table/{game}/chat").text
    assert "Hello &lt;b&gt;you&lt;/b&gt;" in page
    assert 'href="https://example.org/x" rel="nofollow noopener ugc"' in page
    assert f'href="/replay/{game}/2"' in page
    assert "data-unsay" not in page
    assert "data-unsay" in anna.get(f"/table/{game}/chat").text
    # Nobody's account goes out with it.
    for who in (anna, bert):
        assert anna.id not in page + who.get(f"/api/games/{game}/chat").text


def test_a_line_that_is_sent_again_is_said_once(town: MailTown) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    for _ in range(2):
        assert say(anna, game, "Hello", said="abc123") == "abc123"
    assert [line["text"] for line in lines(bert, game)] == ["Hello"]
    # Somebody else's id is not to be had.
    answer = bert.post(f"/api/games/{game}/chat", {"text": "Mine", "said": "abc123"})
    assert (answer.status_code, (answer.json or {})["code"]) == (409, "said-twice")
    answer = bert.post(f"/api/games/{game}/chat", {"text": "Mine", "said": "a/../b"})
    assert answer.status_code == 422


def test_who_watches_hears_nothing(town: MailTown) -> None:
    anna, bert, eve = (town.resident(name) for name in ("Anna", "Bert", "Eve"))
    game = town.table(anna, bert)
    said = say(anna, game, "Only between us.")
    for who in (eve, town.nobody(), town.guest()):
        for path in (f"/api/games/{game}/chat", f"/table/{game}/chat"):
            answer = who.get(path)
            assert answer.status_code == 403
            assert "between us" not in answer.text
        assert who.get(f"/api/games/{game}/news").json == {"version": 2, "chat": 0}
        assert "panel-chat" not in who.get(f"/table/{game}").text
        assert who.post(f"/api/games/{game}/chat", {"text": "Boo"}).status_code == 403
        assert who.ask("DELETE", f"/api/games/{game}/chat/{said}").status_code == 403
        assert who.post(f"/api/games/{game}/chat/read", {"version": 1}).status_code == 403
    assert len(lines(bert, game)) == 1


@pytest.mark.parametrize("text", ["", "   ", "a\nb", "\x00", "\u202e", "x" * 501])
def test_what_cannot_be_said(town: MailTown, text: str) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    answer = anna.post(f"/api/games/{game}/chat", {"text": text})
    assert answer.status_code == 422
    assert town.store.notes.version(f"chat/{game}") == 0


def test_a_mention_is_told_once_and_not_to_oneself(town: MailTown) -> None:
    anna, bert, carla = (town.resident(name) for name in ("Anna", "Bert", "Carla"))
    game = town.table(anna, bert, carla)
    town.catch_up()
    for who in (anna, bert, carla):
        town.services.outbox.forget(who.id)
    first = say(anna, game, "@bert, @Bert and @Anna: look!")
    # Whoever is killed between saying and telling leaves it to who follows the talk; once.
    for _ in range(2):
        town.catch_up()
    boxes = {who.id: town.services.outbox.box(who.id).notices for who in (anna, bert, carla)}
    assert [(n.kind, n.game, n.text) for n in boxes[bert.id]] == [
        ("mentioned", game, "Anna: @Bert, @Bert and @Anna: look!")
    ]
    assert boxes[anna.id] == boxes[carla.id] == []
    assert lines(bert, game)[0]["mentions"] == [1, 2]
    assert 'class="mention mine">@Bert<' in bert.get(f"/table/{game}/chat").text
    # What is withdrawn before the letter goes is not in it.
    say(anna, game, "@Bert, again.")
    anna.ask("DELETE", f"/api/games/{game}/chat/{first}")
    town.catch_up()
    (left,) = town.services.outbox.box(bert.id).notices
    assert left.text == "Anna: @Bert, again."


def test_a_line_is_withdrawn_by_its_author_alone(town: MailTown) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    said = say(anna, game, "A slip of the translator.")
    answer = bert.ask("DELETE", f"/api/games/{game}/chat/{said}")
    assert (answer.status_code, (answer.json or {})["code"]) == (403, "not-yours")
    assert anna.ask("DELETE", f"/api/games/{game}/chat/nothing").status_code == 404
    assert anna.ask("DELETE", f"/api/games/{game}/chat/{said}").status_code == 200
    (line,) = lines(bert, game, after=1)
    assert (line["withdrawn"], line["text"]) == (True, "")
    page = bert.get(f"/table/{game}/chat").text
    assert "slip" not in page
    assert "Withdrawn by its author." in page
    assert check_store(town.store) == 2 + 2


def test_what_is_new_is_counted_until_it_is_read(town: MailTown) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    answer = anna.post(f"/api/games/{game}/chat", {"text": "I am Bert.", "seat": 2})
    assert (answer.status_code, (answer.json or {})["code"]) == (403, "not-your-seat")
    for text in ("One.", "Two."):
        say(anna, game, text)
    say(bert, game, "Three.")
    unread = lambda who: who.get(f"/table/{game}/chat").text.count(" unread")  # noqa: E731
    assert (unread(anna), unread(bert)) == (1, 2)
    assert "New: 2" in bert.get(f"/table/{game}").text
    read = bert.post(f"/api/games/{game}/chat/read", {"version": 1})
    assert read.json == {"version": 1}
    assert unread(bert) == 1
    # Never further than there is, and never back.
    assert bert.post(f"/api/games/{game}/chat/read", {"version": 900}).json == {"version": 3}
    assert bert.post(f"/api/games/{game}/chat/read", {"version": 2}).json == {"version": 3}
    assert unread(bert) == 0
    say(anna, game, "Four.")
    assert unread(bert) == 1


def test_long_talks_come_piece_by_piece(town: MailTown) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    for number in range(SHOWN + 5):
        say(anna, game, f"Line {number}.")
    page = bert.get(f"/table/{game}/chat").text
    assert page.count("chat-line seat") == SHOWN
    assert 'data-earlier="6"' in page
    assert "Line 4." not in page
    before = bert.get(f"/table/{game}/chat?before=6").text
    assert before.count("chat-line seat") == 5
    assert 'data-earlier="0"' in before
    for wrong in ("x", "-1", "9" * 30, "²"):
        assert bert.get(f"/table/{game}/chat?before={wrong}").text.count("chat-line seat") == SHOWN


def test_people_at_one_screen_speak_for_the_seat_they_name(town: MailTown) -> None:
    anna = town.resident("Anna")
    table = town.services.lobby.create(NewTable(players=2, hot_seat=True), anna.id, "Anna")
    with town.app.app_context():
        game = start_if_full(table).id
    # Alone with bots or oneself there is nobody to talk to.
    assert "panel-chat" not in anna.get(f"/table/{game}").text
    say(anna, game, "I am one.")
    assert "panel-chat" in anna.get(f"/table/{game}").text
    say(anna, game, "I am @anna 1's neighbour.", seat=2)
    assert [(line["seat"], line["name"]) for line in lines(anna, game)] == [
        (1, "Anna 1"),
        (2, "Anna 2"),
    ]
    answer = anna.post(f"/api/games/{game}/chat", {"text": "Who?", "seat": 3})
    assert (answer.json or {})["code"] == "not-your-seat"


def test_a_guest_who_registers_keeps_what_was_said_and_read(town: MailTown) -> None:
    guest = town.nobody()
    guest.ask("POST", "/play", form={"kind": "now", "name": "Gina"})
    game = (guest.get("/api/me/games").json or [])[0]["table"]["id"]
    said = say(guest, game, "Nobody answers.")
    guest.post(f"/api/games/{game}/chat/read", {"version": 1})
    guest.ask("POST", "/register", form={"name": "Gina", "password": PASSWORD})
    (line,) = lines(guest, game)
    assert line["yours"]
    assert (guest.get(f"/api/games/{game}/chat").json or {})["read"] == 1
    data = json.loads(guest.get("/account/export").data)
    assert [each["words"] for each in data["chat"] if each["type"] == "said"] == [
        ["Nobody answers."]
    ]
    assert data["chat_read"] == {game: 1}
    assert guest.ask("DELETE", f"/api/games/{game}/chat/{said}").status_code == 200


def test_who_goes_leaves_the_words_and_takes_the_name(town: MailTown) -> None:
    anna, bert = town.resident("Annabella"), town.resident("Bert")
    game = town.table(anna, bert)
    say(anna, game, "Goodbye, all.")
    say(bert, game, "Don't go, @Annabella!")
    anna.post(f"/api/games/{game}/chat/read", {"version": 2})
    (mine,) = json.loads(anna.get("/account/export").data)["chat"]
    assert mine["words"] == ["Goodbye, all."]
    assert anna.ask("POST", "/account/delete", form={"password": PASSWORD}).status_code == 303
    assert [(line["name"], line["text"]) for line in lines(bert, game)] == [
        ("Anonymous", "Goodbye, all."),
        ("Bert", "Don't go, @Anonymous!"),
    ]
    for path in (f"/table/{game}", f"/table/{game}/chat"):
        assert "Annabella" not in bert.get(path).text
    assert town.store.documents.items("chat-read", f"{anna.id}/") == []
    assert anna.get(f"/api/games/{game}/chat").status_code == 403


def test_people_who_talk_too_fast_are_stopped(tmp_path: Path) -> None:
    world = World(tmp_path, limits=True)
    try:
        anna, bert = world.person("Anna"), world.person("Bert")
        table = world.services.lobby.create(NewTable(players=2), anna.id, "Anna")
        world.services.lobby.join(table.id, bert.id, "Bert")
        with world.app.app_context():
            game = start_if_full(world.services.lobby.get(table.id)).id
        statuses = [
            anna.post(f"/api/games/{game}/chat", {"text": "!"}).status_code for _ in range(22)
        ]
        assert statuses == [201] * 20 + [429] * 2
        # Each person has a limit of their own, also behind one address.
        assert bert.post(f"/api/games/{game}/chat", {"text": "?"}).status_code == 201
    finally:
        world.close()


def test_talk_lies_in_either_store_and_is_checked_and_restored(tmp_path: Path) -> None:
    postgres = Server()
    try:
        stores = {"sqlite": str(tmp_path / "games.db"), "postgres": postgres.new_schema()}
        for kind, place in stores.items():
            world = World(place)
            anna, bert = world.person("Anna"), world.person("Bert")
            table = world.services.lobby.create(NewTable(players=2), anna.id, "Anna")
            world.services.lobby.join(table.id, bert.id, "Bert")
            with world.app.app_context():
                game = start_if_full(world.services.lobby.get(table.id)).id
            said = say(anna, game, "Hello, @Bert – città!")
            anna.ask("DELETE", f"/api/games/{game}/chat/{said}")
            say(bert, game, "What?")
            assert world.store.notes.streams("chat/") == [f"chat/{game}"]
            records = check_store(world.store)
            copy = tmp_path / f"{kind}-backup.db"
            world.store.backup(copy)
            # Talk beside a game is none of its notes.
            assert b"What" not in anna.get(f"/api/notebooks/game/{game}").data
            before = world.store.notes.read_all()
            world.close()
            again = str(tmp_path / f"{kind}-restored.db")
            with open_store(copy) as source, open_store(again) as target:
                assert restore(source, target) == records
                assert target.notes.read_all() == before
            restored = World(again)
            talk = restored.services.chats.get(game)
            assert [line.words for line in talk.lines.values()] == [[], ["What?"]]
            restored.close()
    finally:
        postgres.stop()
