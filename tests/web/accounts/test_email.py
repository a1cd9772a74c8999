"""An address is confirmed before letters go there; passwords are reset by a confirmed one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import msgspec
import pytest

from tests.web.notices.mailing import (
    MINUTE,
    URL,
    MailTown,
    PostOffice,
    body,
    post_office,
    settings_for,
)
from tests.web.world import PASSWORD, Someone, World
from web.services import limiter

HOUR = 60 * MINUTE
LINK = re.compile(re.escape(URL) + r"(/(?:confirm|reset)/\S+/\S+)")


class Town(MailTown):
    """People, and the mail server that their letters go to."""

    def __init__(self, folder: Path, office: PostOffice, port: int) -> None:
        super().__init__(folder, settings_for(port))
        self.office = office

    def letters(self) -> list[tuple[str, EmailMessage]]:
        """What has come since one last looked, and to whom."""
        self.services.account_letters.round()
        came = [(str(each["To"].addresses[0].addr_spec), each) for each in self.office.letters]
        self.office.letters.clear()
        return came

    def link(self) -> str:
        """Where the one letter that has come leads."""
        ((_, letter),) = self.letters()
        found = LINK.search(body(letter))
        assert found is not None
        assert found[1] in body(letter, "html")
        return found[1]

    def registered(self, name: str, address: str) -> Someone:
        who = self.nobody()
        form = {"name": name, "password": PASSWORD, "email": address}
        assert who.ask("POST", "/register", form=form).status_code == 303
        found = self.services.people.by_name(name)
        assert found is not None
        who.id = found.id
        return who


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    with post_office() as (office, port):
        town = Town(tmp_path, office, port)
        yield town
        town.close()


def change(who: Someone, address: str, password: str = PASSWORD) -> int:
    form = {"email": address, "password": password}
    return who.ask("POST", "/account/email", form=form).status_code


def test_nothing_but_the_confirmation_goes_to_a_new_address(town: Town) -> None:
    anna, bert = town.registered("Anna", "anna@example.org"), town.resident("Bert")
    ((to, letter),) = town.letters()
    assert to == "anna@example.org"
    assert letter["Subject"] == "Please confirm your e-mail address"
    assert letter["List-Unsubscribe"] is None
    town.table(anna, bert)
    town.round(HOUR)
    assert [to for to, _ in town.letters()] == ["bert@example.org"]
    found = LINK.search(body(letter))
    assert found is not None
    someone = town.nobody()  # wherever one reads letters
    assert "Shall letters about the account Anna come to anna@example.org?" in (
        someone.get(found[1]).text
    )
    assert not town.services.people.get(anna.id).confirmed  # type: ignore[union-attr]
    assert "is confirmed" in someone.ask("POST", found[1], form={}).text
    account = town.services.people.get(anna.id)
    assert account is not None
    assert (account.email, account.confirmed) == ("anna@example.org", True)
    assert someone.ask("POST", found[1], form={}).status_code == 404
    assert someone.get(found[1]).status_code == 404


def test_the_old_address_stays_in_force_and_is_told(town: Town) -> None:
    anna = town.resident("Anna")
    assert change(anna, "new@example.org", "not hers") == 403
    assert town.letters() == []
    assert change(anna, "new@example.org") == 303
    (first, told), (second, letter) = town.letters()
    assert (first, second) == ("anna@example.org", "new@example.org")
    assert "another e-mail address" in body(told)
    assert "/confirm/" not in body(told)
    people = town.services.people
    assert people.get(anna.id).email == "anna@example.org"  # type: ignore[union-attr]
    assert "new@example.org is not confirmed yet" in anna.get("/account").text
    found = LINK.search(body(letter))
    assert found is not None
    anna.ask("POST", found[1], form={})
    assert people.get(anna.id).email == "new@example.org"  # type: ignore[union-attr]
    assert change(anna, "") == 303
    ((to, told),) = town.letters()
    assert to == "new@example.org"
    assert "no e-mail address any more" in body(told)
    assert people.get(anna.id).email == ""  # type: ignore[union-attr]


def test_only_the_newest_link_works_and_for_a_day(town: Town) -> None:
    anna = town.registered("Anna", "one@example.org")
    first = town.link()
    anna.ask("POST", "/account/email/again", form={})
    second = town.link()
    assert anna.get(first).status_code == 404
    town.time += 24 * HOUR
    assert anna.get(second).status_code == 404
    anna.ask("POST", "/account/email/again", form={})
    third = town.link()
    change(anna, "two@example.org")
    # It was for an address that is not wanted any more.
    assert anna.ask("POST", third, form={}).status_code == 404
    bert = town.registered("Bert", "bert@example.org")
    *_, (_, letter) = town.letters()
    found = LINK.search(body(letter))
    assert found is not None
    stolen = found[1].replace(bert.id, anna.id)
    assert anna.ask("POST", stolen, form={}).status_code == 404


def test_a_password_is_reset_by_a_letter(town: Town) -> None:
    anna = town.resident("Anna")
    program, other = town.program(town.token(anna)), town.browser_of(anna.id, "Anna")
    for about in ("anna", "ANNA@example.org"):
        assert town.nobody().ask("POST", "/forgot", form={"name": about}).status_code == 200
        link = town.link()
    someone = town.nobody()
    assert someone.get(link).status_code == 200
    assert someone.ask("POST", link, form={"password": "short"}).status_code == 422
    assert program.get("/api/me").status_code == 200
    answer = someone.ask("POST", link, form={"password": "a new password"})
    assert answer.location == "/login"
    assert program.get("/api/me").status_code == 401
    for browser in (anna, other):
        assert browser.get("/api/me").json == {"name": "", "account": False, "guest": False}
    assert someone.ask("POST", link, form={"password": "and another"}).status_code == 404
    for password, status in ((PASSWORD, 401), ("a new password", 303)):
        form = {"name": "Anna", "password": password}
        assert town.nobody().ask("POST", "/login", form=form).status_code == status


def test_a_link_to_a_new_password_lasts_an_hour(town: Town) -> None:
    town.resident("Anna")
    town.nobody().ask("POST", "/forgot", form={"name": "Anna"})
    link = town.link()
    town.time += HOUR
    answer = town.nobody().ask("POST", link, form={"password": "a new password"})
    assert answer.status_code == 404


def test_whoever_asks_for_a_password_learns_nothing(town: Town) -> None:
    """One answer, and one kind of work, whoever there is: all else is another thread's."""
    town.resident("Anna")
    town.registered("Bert", "bert@example.org")
    town.letters()
    answers, work, asked = set(), set(), []
    documents, real = town.store.documents, town.store.documents.get

    def get(name: str, key: str) -> bytes | None:
        asked.append((name, key.partition("/")[0]))
        return real(name, key)

    documents.get = get  # type: ignore[method-assign]
    for about in ("Anna", "anna@example.org", "Bert", "bert@example.org", "Nobody", "x@y.zz"):
        someone, before = town.nobody(), documents.version("account-letters")
        csrf = someone.csrf()
        asked.clear()
        answer = someone.client.post("/forgot", data={"name": about, "csrf_token": csrf})
        answers.add(re.sub(r'(content|value)="[^"]*"', "", answer.text))
        work.add((documents.version("account-letters") - before, tuple(asked)))
    assert len(answers) == len(work) == 1
    # Bert's address is not confirmed.
    assert [to for to, _ in town.letters()] == ["anna@example.org"] * 2


def test_so_many_letters_a_day_and_no_more(town: Town) -> None:
    """To one address, whoever asks; and for one account, whichever address it names."""
    for number in range(8):
        town.registered(f"Person {number}", "victim@example.org")
    assert len(town.letters()) == 5
    anna = town.registered("Anna", "")
    for number in range(8):
        change(anna, f"victim-{number}@example.org")
    assert len(town.letters()) == 5
    town.time += 25 * HOUR
    change(anna, "anna@example.org")
    assert len(town.letters()) == 1


def test_one_address_can_ask_only_so_often(tmp_path: Path) -> None:
    world = World(tmp_path, limits=True, settings=settings_for(1))
    someone = world.nobody()
    ask = lambda: someone.ask("POST", "/forgot", form={"name": "x"}).status_code  # noqa: E731
    assert [ask() for _ in range(11)] == [200] * 10 + [429]
    limiter.reset()
    world.close()


def test_a_server_that_says_no_is_tried_again(town: Town) -> None:
    town.office.answer = "451 later"
    town.registered("Anna", "anna@example.org")
    assert town.letters() == []
    town.office.answer = "250 OK"
    assert town.letters() == []  # not at once
    town.time += 5 * MINUTE
    assert len(town.letters()) == 1
    town.time += HOUR
    assert town.letters() == []


def test_an_address_of_before_gets_letters_but_resets_nothing(town: Town) -> None:
    anna = town.resident("Anna")
    people = town.services.people
    people.change(anna.id, lambda me: msgspec.structs.replace(me, confirmed=False))
    assert people.can_be_told(anna.id)
    town.nobody().ask("POST", "/forgot", form={"name": "Anna"})
    assert town.letters() == []
    assert "is not confirmed yet" in anna.get("/account").text
    anna.ask("POST", "/account/email/again", form={})
    anna.ask("POST", town.link(), form={})
    assert people.get(anna.id).confirmed  # type: ignore[union-attr]


def test_a_letter_speaks_the_language_of_the_account(town: Town) -> None:
    anna = town.resident("Anna", "de")
    change(anna, "neu@example.org")
    assert all("Hallo Anna" in body(letter) for _, letter in town.letters())


def test_what_is_out_of_date_is_taken_away(town: Town) -> None:
    town.registered("Anna", "anna@example.org")
    town.letters()
    town.time += 25 * HOUR
    town.services.account_letters.step()
    assert town.store.documents.items("links") == []
    assert town.store.documents.items("account-letters") == []
