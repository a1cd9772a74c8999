"""An account's life: a guest becomes one, changes its password, takes its data, and leaves."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from engine.actions.legal import legal_actions
from events.types import GameOpened
from projections.readmodels.projector import Projector
from replays.files.stores import check_game
from replays.notes.annotations import Author, Content, Noted, Place
from tests.web.notices.mailing import MailTown
from tests.web.world import PASSWORD, Someone
from web.cli.store.export import source


def test_a_guest_who_registers_keeps_the_games(town: MailTown) -> None:
    guest = town.nobody()
    guest.ask("POST", "/play", form={"kind": "now", "name": "Gina"})
    assert guest.get("/api/me").json == {"name": "Gina", "account": False, "guest": True}
    (mine,) = guest.get("/api/me/games").json or []
    town.catch_up()
    waiting = guest.get("/api/me/waiting").json
    form = {"name": "Gina", "password": PASSWORD}
    assert guest.ask("POST", "/register", form=form).status_code == 303
    assert guest.get("/api/me").json == {"name": "Gina", "account": True, "guest": False}
    (still,) = guest.get("/api/me/games").json or []
    assert still["table"]["id"] == mine["table"]["id"]
    assert still["table"]["seats"][0]["yours"]
    assert guest.get("/api/me/waiting").json == waiting
    game = mine["table"]["id"]
    live = town.services.games.live(game)
    if 1 in live.state.awaiting:
        action = msgspec.to_builtins(legal_actions(live.state, 1)[0])
        assert guest.post(f"/api/games/{game}/actions", action).status_code == 201
    # Somebody else who registers gets nothing of it.
    other = town.nobody()
    other.ask("POST", "/register", form={"name": "Other", "password": PASSWORD})
    assert other.get("/api/me/games").json == []


def test_a_new_password_ends_the_other_sessions(town: MailTown) -> None:
    form = {"name": "Anna", "password": PASSWORD}
    anna, elsewhere = town.nobody(), town.nobody()
    anna.ask("POST", "/register", form=form)
    elsewhere.ask("POST", "/login", form=form)
    account = lambda who: (who.get("/api/me").json or {})["account"]  # noqa: E731
    assert account(anna)
    assert account(elsewhere)
    wrong = {"old": "not this one", "password": "quite another one"}
    answer = anna.ask("POST", "/account/password", form=wrong)
    assert answer.status_code == 403
    assert "This is not your password." in answer.text
    assert "quite another one" not in answer.text
    short = {"old": PASSWORD, "password": "short"}
    assert anna.ask("POST", "/account/password", form=short).status_code == 422
    assert account(elsewhere)
    right = {"old": PASSWORD, "password": "quite another one"}
    assert anna.ask("POST", "/account/password", form=right).status_code == 303
    assert account(anna)
    assert not account(elsewhere)
    assert elsewhere.ask("POST", "/login", form=form).status_code == 401
    assert (
        elsewhere.ask("POST", "/login", form={**form, "password": "quite another one"}).status_code
        == 303
    )


def test_letters_and_pages_speak_the_language_of_the_account(town: MailTown) -> None:
    anna = town.resident("Anna")
    anna.ask("POST", "/account/language", form={"language": "de"})
    assert 'lang="de"' in anna.get("/account").text
    assert town.services.people.get(anna.id).language == "de"  # type: ignore[union-attr]
    assert anna.ask("POST", "/account/language", form={"language": "tlh"}).status_code == 422
    anna.ask("POST", "/language", form={"language": "en"})
    assert town.services.people.get(anna.id).language == "en"  # type: ignore[union-attr]


def with_note(town: MailTown, anna: Someone, game: str) -> None:
    note = Noted(
        by=Author(name="Anna", person=anna.id),
        note="n1",
        at=Place(number=2),
        content=Content(text="Look here."),
        seen_by="all",
    )
    town.services.notebooks.write(f"game/{game}", lambda _: note)


def test_the_data_is_all_there_and_nobody_elses(town: MailTown) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    with_note(town, anna, game)
    town.services.people.add_token(anna.id, "my program")
    seat = town.act(game)
    answer = anna.get("/account/export")
    assert "attachment" in answer.headers["Content-Disposition"]
    data = json.loads(answer.data)
    assert data["account"]["email"] == "anna@example.org"
    assert [token["label"] for token in data["account"]["tokens"]] == ["my program"]
    assert [each["id"] for each in data["games"]] == [game]
    assert len(data["games"][0]["actions"]) == (seat == 1)
    assert data["notes"][0]["content"]["text"] == "Look here."
    assert b"argon2" not in answer.data
    assert b"bert@" not in answer.data
    assert json.loads(bert.get("/account/export").data)["notes"] == []


def read_all(someone: Someone, game: str) -> str:
    paths = [
        f"/table/{game}",
        f"/replay/{game}",
        f"/replay/{game}/2",
        f"/api/games/{game}",
        f"/api/games/{game}/story",
        f"/api/notebooks/game/{game}",
        f"/api/tables/{game}",
        f"/replay/{game}/compare?a=1&b=5",
        "/",
    ]
    answers = [someone.get(path) for path in paths]
    assert all(answer.status_code == 200 for answer in answers)
    return "".join(answer.text for answer in answers)


def test_a_deleted_account_leaves_the_games_whole(town: MailTown, tmp_path: Path) -> None:
    anna, bert = town.resident("Annabella"), town.resident("Bert")
    game, waiting = town.table(anna, bert), town.services.lobby
    other = anna.post("/api/tables", {"players": 3}).json or {}
    with_note(town, anna, game)
    note = Author(name="Annabella", person=anna.id)
    town.services.notebooks.write(
        f"game/{game}",
        lambda _: Noted(
            by=note, note="n2", at=Place(number=1), content=Content(text="Mine."), seen_by="all"
        ),
    )
    for _ in range(4):
        town.act(game)
    town.catch_up()
    before, head = read_all(bert, game), town.store.game(game)
    assert "Annabella" in before
    wrong = anna.ask("POST", "/account/delete", form={"password": "wrong"})
    assert wrong.status_code == 403
    assert town.services.people.get(anna.id) is not None
    assert anna.ask("POST", "/account/delete", form={"password": PASSWORD}).status_code == 303

    assert (anna.get("/api/me").json or {})["account"] is False
    assert town.services.people.get(anna.id) is None
    assert waiting.find(other["id"]) is None  # nobody else sat there
    after = read_all(bert, game)
    assert "Annabella" not in after
    assert "Anonymous" in after
    assert "Look here." in after
    # A bot plays on, the log holds, and its host can still prove it.
    live = town.services.games.live(game)
    assert live.state.players[1].bot
    now = town.store.game(game)
    assert head is not None
    assert now is not None
    assert now.version == head.version + 1
    assert town.store.read(game)[head.version - 1].hash == head.head
    check_game(town.store, game)
    opened = town.store.read(game)[0].decode()
    assert isinstance(opened, GameOpened)
    assert opened.seats[0].name == "Annabella"
    # Read models and files that are shown have lost the name, too; also when made anew.
    town.catch_up()
    for rebuilt in (False, True):
        if rebuilt:
            Projector(town.store, town.services.anonymity).rebuild()
        kept = [
            body
            for name in ("scoreboard", "waiting", "records")
            for _, body in town.store.read_models.items(name)
        ]
        kept += [body for _, body in town.store.documents.items("outbox")]
        assert not any(b"Annabella" in body for body in kept)
    page = source(str(tmp_path / "games.db"), game, "html")
    assert "Annabella" not in str(page["events"])
    assert "Annabella" in str(source(str(tmp_path / "games.db"), game, "log")["events"])
    # The name is free again, and whoever takes it gets nothing of the old one's.
    again = town.resident("Annabella")
    assert again.get("/api/me/games").json == []
    assert again.get(f"/api/games/{game}?seat=1").status_code == 403
