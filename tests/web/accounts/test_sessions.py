"""Sessions are the server's: what is ended is over, whatever a cookie says."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.events.server import Server
from tests.web.notices.mailing import MINUTE, MailTown
from tests.web.world import PASSWORD, Someone, World
from web.accounts import sessions
from web.services import limiter

FORM = {"name": "Anna", "password": PASSWORD}
DAY = 24 * 60 * MINUTE


def copied(town: World, who: Someone) -> Someone:
    """Another browser with the same cookies."""
    twin = town.nobody()
    for cookie in cookies(who.client):
        twin.client.set_cookie(cookie.key, cookie.value)
    return twin


def cookies(client: FlaskClient) -> list:  # type: ignore[type-arg]
    return list(client._cookies.values())  # type: ignore[attr-defined]


def account(who: Someone) -> bool:
    return bool((who.get("/api/me").json or {})["account"])


def guest(who: Someone) -> bool:
    return bool((who.get("/api/me").json or {})["guest"])


def log_in(town: MailTown) -> Someone:
    who = town.nobody()
    assert who.ask("POST", "/login", form=FORM).status_code == 303
    return who


@pytest.fixture
def anna(town: MailTown) -> Someone:
    town.services.people.register("Anna", PASSWORD)
    return log_in(town)


@pytest.mark.parametrize("way", ["page", "api"])
def test_a_copied_cookie_is_worth_nothing_after_logging_out(
    way: str, town: MailTown, anna: Someone
) -> None:
    thief = copied(town, anna)
    assert account(thief)
    if way == "page":
        anna.ask("POST", "/logout", form={})
    else:
        anna.ask("DELETE", "/api/session")
    assert not account(anna)
    assert not account(thief)


def test_an_answer_in_flight_does_not_log_in_again(town: MailTown, anna: Someone) -> None:
    """It was asked before the end, and its cookies arrive after it."""
    late = copied(town, anna)
    late.get("/account")
    anna.ask("POST", "/logout", form={})
    for cookie in cookies(late.client):
        anna.client.set_cookie(cookie.key, cookie.value)
    assert not account(anna)


def test_a_guest_who_logs_out_is_gone_too(town: MailTown) -> None:
    someone = town.nobody()
    someone.ask("POST", "/play", form={"kind": "now", "name": "Gina"})
    thief = copied(town, someone)
    assert guest(thief)
    someone.ask("POST", "/logout", form={})
    assert not guest(thief)


def test_the_account_page_lists_and_ends_sessions(town: MailTown, anna: Someone) -> None:
    phone = town.nobody()
    agent = "Mozilla/5.0 (Android 15; Mobile) Gecko/143.0 Firefox/143.0" + "x" * 5000
    phone.client.environ_base["HTTP_USER_AGENT"] = agent
    phone.ask("POST", "/login", form=FORM)
    tablet = log_in(town)
    page = anna.get("/account").text
    assert page.count("/end") == 4
    assert page.count("this browser") == 1
    assert "Firefox on Android" in page
    person = town.services.people.log_in("Anna", PASSWORD).id
    by_device = {each.browser: key for key, each in town.services.sessions.of(person).items()}
    assert anna.ask("POST", f"/account/sessions/{by_device['Firefox']}/end").status_code == 303
    assert [account(who) for who in (anna, phone, tablet)] == [True, False, True]
    assert anna.ask("POST", f"/account/sessions/{by_device['Firefox']}/end").status_code == 404
    log_in(town)
    anna.ask("POST", "/account/sessions/end-others")
    assert [account(who) for who in (anna, phone, tablet)] == [True, False, False]
    (own,) = town.services.sessions.of(person)
    assert anna.ask("POST", f"/account/sessions/{own}/end").location == "/"
    assert not account(anna)


def test_nobody_ends_the_session_of_another(town: MailTown, anna: Someone) -> None:
    bert = town.person("Bert")
    (key,) = town.services.sessions.of(town.services.people.log_in("Anna", PASSWORD).id)
    assert bert.ask("POST", f"/account/sessions/{key}/end").status_code == 404
    assert account(anna)


def test_a_session_ends_with_the_password_and_the_account(town: MailTown, anna: Someone) -> None:
    other = log_in(town)
    new = {"old": PASSWORD, "password": "a new password"}
    assert anna.ask("POST", "/account/password", form=new).status_code == 303
    assert [account(who) for who in (anna, other)] == [True, False]
    again = town.nobody()
    again.ask("POST", "/login", form={**FORM, "password": "a new password"})
    anna.ask("POST", "/account/delete", form={"password": "a new password"})
    assert [account(who) for who in (anna, again)] == [False, False]
    assert town.store.documents.items("sessions") == []


def test_whoever_logs_in_while_the_password_changes_is_not_in(town: MailTown) -> None:
    """The old password was checked before the change, the session would begin after it."""
    people = town.services.people
    before = people.register("Anna", PASSWORD)
    real = people.log_in

    def slowly(name: str, password: str) -> object:
        found = real(name, password)
        people.change_password(before.id, PASSWORD, "a new password")
        town.services.sessions.end_all(before.id)
        return found

    people.log_in = slowly  # type: ignore[assignment, method-assign]
    someone = town.nobody()
    assert someone.ask("POST", "/login", form=FORM).status_code == 401
    assert not account(someone)


def test_a_session_unused_for_half_a_year_is_over(town: MailTown, anna: Someone) -> None:
    for _ in range(4):
        town.time += 100 * DAY
        assert account(anna)
    town.time += 181 * DAY
    assert not account(anna)
    log_in(town)
    assert town.services.sessions.purge() == 2
    assert len(town.store.documents.items("sessions")) == 2


def test_a_purge_reads_what_is_over_and_nothing_else(
    town: MailTown, anna: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many sessions there are."""
    monkeypatch.setattr(sessions, "PURGED_AT_ONCE", 2)
    town.time += 181 * DAY
    for _ in range(4):
        log_in(town)
    read = list[str]()
    documents = town.store.documents
    get = documents.get
    monkeypatch.setattr(documents, "get", lambda name, key: read.append(key) or get(name, key))
    monkeypatch.setattr(documents, "items", None)
    assert town.services.sessions.purge() == 2
    assert len(read) == 2
    assert town.services.sessions.purge() == 0
    assert len(read) == 2


def test_use_is_noted_at_times_and_not_with_every_request(town: MailTown, anna: Someone) -> None:
    before = town.store.documents.version("sessions")
    for _ in range(10):
        town.time += MINUTE
        assert account(anna)
    assert town.store.documents.version("sessions") == before + 2
    (session,) = town.services.sessions.of(
        town.services.people.log_in("Anna", PASSWORD).id
    ).values()
    assert town.time - session.used < 5 * MINUTE


def test_a_person_has_so_many_sessions_and_no_more(town: MailTown, anna: Someone) -> None:
    others = []
    for _ in range(20):
        town.time += 1
        others.append(log_in(town))
    assert not account(anna)
    assert all(map(account, others))


def test_the_store_does_not_hold_the_word_of_a_session(town: MailTown, anna: Someone) -> None:
    words = [cookie.value.encode() for cookie in cookies(anna.client)]
    kept = [key.encode() + body for key, body in town.store.documents.items("sessions")]
    assert kept
    assert not any(word in each for word in words for each in kept)


def test_a_guest_of_before_keeps_the_games(town: MailTown) -> None:
    """A cookie from before there were sessions names the guest itself."""
    someone = town.nobody()
    someone.ask("POST", "/play", form={"kind": "now", "name": "Gina"})
    (game,) = someone.get("/api/me/games").json or []
    (id_,) = town.services.lobby.get(game["table"]["id"]).people()
    old = town.nobody()
    with old.client.session_transaction() as session:
        session["person"], session["name"] = id_, "Gina"
    lost = copied(town, old)
    assert lost.get("/api/me/games").json == [game]  # an answer that never arrives
    assert old.get("/api/me/games").json == [game]
    assert old.get("/api/me").json == {"name": "Gina", "account": False, "guest": True}
    thief = copied(town, old)
    with thief.client.session_transaction() as session:
        session["person"], session["name"] = id_, "Gina"
    old.ask("POST", "/logout", form={})
    for who in (old, thief, lost):
        assert not guest(who)


def test_an_account_of_before_logs_in_once_more(town: MailTown, anna: Someone) -> None:
    old = town.nobody()
    with old.client.session_transaction() as session:
        session["person"] = town.services.people.log_in("Anna", PASSWORD).id
    assert not account(old)
    assert old.ask("POST", "/login", form=FORM).status_code == 303
    assert account(old)


def test_workers_on_one_store_know_the_same_sessions(server: Server) -> None:
    """What one of them has begun or ended is so at once for the other."""
    url = server.new_schema()
    first, second = World(url), World(url)
    here = first.person("Anna")
    there = copied(second, here)
    assert account(there)
    there.ask("POST", "/logout", form={})
    assert not account(here)
    token = first.program(first.token(here))
    again = second.browser_of(here.id, "Anna")
    first.services.people.change_password(here.id, PASSWORD, "a new password")
    first.services.sessions.end_all(here.id)
    assert not account(again)
    assert second.program(token.token).get("/api/me").status_code == 401
    second.close()
    first.close()


def test_a_password_is_not_guessed_form_by_form(tmp_path: Path) -> None:
    """Whoever has somebody's browser has one count for all places that ask for the password."""
    world = World(tmp_path, limits=True)
    anna = world.person("Anna")
    tries = [
        lambda: anna.ask("POST", "/account/delete", form={"password": "guess"}),
        lambda: anna.post("/api/passkeys/options", {"password": "guess"}),
        lambda: anna.ask("POST", "/account/email", form={"email": "", "password": "guess"}),
        lambda: anna.ask(
            "POST", "/account/password", form={"old": "guess", "password": "long enough"}
        ),
    ]
    statuses = [tries[number % 4]().status_code for number in range(12)]
    limiter.reset()
    world.close()
    assert statuses == [403] * 10 + [429] * 2
