"""Registration by invitation: links that hold for a while and for so many, and no guests."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.web.moderation.moderating import Club
from web.cli.main import main
from web.moderation.invitations import DAY, MOST_OF_A_MEMBER, MOST_OPEN
from web.settings import Server, Settings, load
from web.site.problems import Problem

NEW = {"name": "Nora", "password": "a long password"}
Open = Callable[..., Club]


@pytest.fixture
def club_with(tmp_path: Path) -> Iterator[Open]:
    """A club whose server has these settings; `time` is what its clock shows."""
    clubs: list[Club] = []

    def make(time: list[int] | None = None, **server: object) -> Club:
        settings = Settings(server=Server(**server))  # type: ignore[arg-type]
        clock = {"clock": lambda: time[0]} if time else {}
        clubs.append(Club(tmp_path, settings=settings, **clock))
        return clubs[-1]

    yield make
    for club in clubs:
        club.close()


def invite(club: Club, uses: int = 1, days: int = 7) -> str:
    return club.services.invitations.make(club.hanna.id, uses, days)[0]


def register(club: Club, code: str, name: str = "Nora") -> int:
    body = {**NEW, "name": name, "invitation": code}
    return club.nobody().post("/api/accounts", body).status_code


def test_a_link_lets_as_many_in_as_it_says(club_with: Open) -> None:
    club = club_with(registration="invited")
    code = invite(club, uses=2)
    assert [register(club, code, name) for name in ("Nora", "Olga", "Paul")] == [201, 201, 403]
    assert [register(club, wrong, "Rosa") for wrong in ("", "wrong", "x" * 100)] == [403] * 3
    ((_, kept),) = club.services.invitations.all()
    names = [club.services.people.get(each).name for each in kept.used_by]  # type: ignore[union-attr]
    assert names == ["Nora", "Olga"]


def test_a_link_ends_by_its_time_and_by_being_withdrawn(club_with: Open) -> None:
    time = [10**12]
    club = club_with(time, registration="invited")
    first, second = invite(club, days=7), invite(club, days=90)
    time[0] += 7 * DAY
    assert register(club, first) == 403
    ((key, _),) = [each for each in club.services.invitations.all() if each[1].until > time[0]]
    club.act(f"/invitations/{key}/withdraw")
    assert register(club, second) == 403
    assert [each.entry.act for each in club.services.audit.page()] == ["invitation-withdrawn"]


def test_a_name_that_is_taken_does_not_use_a_link_up(club_with: Open) -> None:
    club = club_with(registration="invited")
    code = invite(club)
    assert register(club, code, "Anna") >= 400
    assert register(club, code, "Nora") == 201


def test_two_at_once_do_not_come_by_one_link(club_with: Open) -> None:
    club = club_with(registration="invited")
    code = invite(club)
    names = [f"Nora {number}" for number in range(6)]
    got: list[int] = []
    threads = [
        threading.Thread(target=lambda name=name: got.append(register(club, code, name)))
        for name in names
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [201, 403, 403, 403, 403, 403]


def test_the_page_makes_an_account_by_the_link_that_a_host_was_shown_once(club_with: Open) -> None:
    club = club_with(registration="invited", url="https://play.example.org")
    page = club.act("/invitations", uses="1", days="3")
    (code,) = set(re.findall(r"https://play\.example\.org/register\?invitation=([\w-]+)", page))
    assert code not in club.hanna.get("/invitations").text
    nobody = club.nobody()
    assert "by invitation only" in nobody.get("/register").text
    assert "by invitation only" not in nobody.get(f"/register?invitation={code}").text
    assert nobody.ask("POST", "/register", form=NEW).status_code == 422
    made = nobody.ask("POST", "/register", form={**NEW, "invitation": code})
    assert made.status_code == 303
    assert "Nora" in club.hanna.get("/invitations").text


def test_the_store_keeps_no_code(club_with: Open) -> None:
    club = club_with(registration="invited")
    code = invite(club)
    kept = club.store.documents.items("invitations")
    assert kept
    assert not any(code in key or code.encode() in body for key, body in kept)


def test_where_registration_is_closed_an_invitation_does_not_help(club_with: Open) -> None:
    club = club_with(registration="closed")
    code = invite(club)
    assert register(club, code) == 403
    assert "No accounts are made here now." in club.nobody().get("/register").text
    assert club.services.invitations.get(code) is not None


def test_members_invite_where_the_host_lets_them(club_with: Open) -> None:
    club = club_with(registration="invited", members_invite=True)
    assert invite(club)
    for _ in range(MOST_OF_A_MEMBER):
        assert club.anna.ask("POST", "/invitations", form={}).status_code == 303
    assert club.anna.ask("POST", "/invitations", form={}).status_code == 409
    page = club.anna.get("/invitations").text
    assert "Anna" in page
    assert "Hanna" not in page
    ((key, _),) = club.services.invitations.all(club.hanna.id)
    assert club.anna.ask("POST", f"/invitations/{key}/withdraw", form={}).status_code == 404
    ((mine, _), *_) = club.services.invitations.all(club.anna.id)
    assert club.anna.ask("POST", f"/invitations/{mine}/withdraw", form={}).status_code == 303
    assert club.anna.ask("POST", "/invitations", form={}).status_code == 303


@pytest.mark.parametrize("form", [{"uses": "0"}, {"uses": "101"}, {"days": "91"}, {"days": "x"}])
def test_an_invitation_has_bounds(form: dict[str, str], club_with: Open) -> None:
    club = club_with()
    assert club.hanna.ask("POST", "/invitations", form=form).status_code == 422
    assert club.services.invitations.all() == []


def test_there_are_only_so_many_invitations(club_with: Open) -> None:
    time = [10**12]
    club = club_with(time)
    for _ in range(MOST_OPEN):
        invite(club)
    with pytest.raises(Problem, match="200 open invitations"):
        invite(club)
    # Old ones make room, and are forgotten at last.
    time[0] += 8 * DAY
    invite(club)
    time[0] += 100 * DAY
    invite(club)
    assert len(club.store.documents.items("invitations")) == 1


def test_without_guests_one_plays_with_an_account_alone(club_with: Open) -> None:
    shut = club_with(guests=False)
    answer = shut.nobody().ask("POST", "/play", form={"kind": "now"})
    assert answer.location.startswith("/login")
    assert "No account needed" not in shut.nobody().get("/").text
    table = {"players": 2, "bots": 1}
    assert (shut.nobody().post("/api/tables", table).json or {})["code"] == "no-guests"
    note = {"at": {"number": 2}, "content": {"text": "x"}, "guest": "Gast"}
    assert shut.nobody().post("/api/notebooks/game/game/notes", note).status_code == 401
    # Who was a guest before is none any more.
    assert shut.guest().get("/api/me").json == {"name": "", "account": False, "guest": False}


def test_the_command_line_invites(tmp_path: Path) -> None:
    db = str(tmp_path / "new.db")
    words = ["invite", "--db", db, "--uses", "3", "--url", "https://play.example.org"]
    link = CliRunner().invoke(main, words).output
    assert re.fullmatch(r"https://play\.example\.org/register\?invitation=[\w-]{24}\n", link)
    assert '"act":"invitation-made"' in CliRunner().invoke(main, ["audit", "--db", db]).output


def test_settings_are_checked() -> None:
    found = load(environment={"LACITTA_SERVER_REGISTRATION": "invited"}).server
    assert (found.registration, found.members_invite, found.guests) == ("invited", False, True)
    with pytest.raises(Exception, match="registration"):
        load(environment={"LACITTA_SERVER_REGISTRATION": "members"})
