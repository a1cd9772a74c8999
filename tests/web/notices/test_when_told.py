"""When nobody is told: the game is open, a holiday, a muted game; and letters once a day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest

from projections.clocks.rest import DAY, HOUR, Habit, Holiday, Rest
from tests.events.server import Server
from tests.web.notices.mailing import (
    MINUTE,
    URL,
    MailTown,
    Office,
    PostOffice,
    body,
    settings_for,
)
from tests.web.notices.pushing import Browser, PushService, push_round, push_service, subscribe
from tests.web.pace.pacing import REMIND, PacedTown
from tests.web.world import PASSWORD, Someone
from web.accounts.account import Account, Wishes
from web.notices.presence import LASTS, Presence
from web.notices.reach import after_holidays, next_hour


@pytest.fixture(scope="module")
def pushes() -> Iterator[PushService]:
    with push_service() as service:
        yield service


@pytest.fixture
def office(mail_server: Office) -> PostOffice:
    mail_server[0].letters.clear()
    return mail_server[0]


@pytest.fixture
def town(mail_server: Office, pushes: PushService, tmp_path: Path) -> Iterator[PacedTown]:
    pushes.requests.clear()
    town = PacedTown(tmp_path, settings_for(mail_server[1], wait=10, pace=60, push_wait=0.5))
    town.services.courier.pusher.post = pushes.post
    yield town
    town.close()


def wish(town: MailTown, who: Someone, wishes: Wishes) -> None:
    def edit(me: Account) -> Account:
        return msgspec.structs.replace(me, wishes=wishes)

    town.services.people.change(who.id, edit)


def annas_turn(town: MailTown) -> tuple[str, Someone]:
    """A game in which it is Anna's turn, and she has acted before."""
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    town.act(game)
    town.act(game)
    while town.owing(game) != 1:
        town.act(game)
    return game, anna


def letters_to(office: PostOffice, name: str) -> list[str]:
    return [body(each) for each in office.letters if name.lower() in str(each["To"])]


def test_nobody_is_told_of_a_game_before_their_eyes(
    town: PacedTown, office: PostOffice, pushes: PushService
) -> None:
    """Neither by letter nor by push, until the page is closed."""
    game, anna = annas_turn(town)
    phone = Browser("phone")
    subscribe(anna, phone)
    other = town.table(anna, town.resident("Carla"))
    while town.owing(other) != 1:
        town.act(other)
    town.services.presence.see(anna.id, game)
    push_round(town, MINUTE)
    town.round(20 * MINUTE)
    assert {each["tag"] for each in pushes.messages(phone)} == {other}
    (letter,) = letters_to(office, "anna")
    assert (other in letter, game in letter) == (True, False)
    town.services.presence.leave(anna.id, game)
    push_round(town, MINUTE)
    town.round(60 * MINUTE)
    assert {each["tag"] for each in pushes.messages(phone)} == {other, game}
    assert game in letters_to(office, "anna")[-1]


def test_what_was_seen_as_it_happened_is_not_told_later(
    town: PacedTown, office: PostOffice
) -> None:
    game, anna = annas_turn(town)
    bert = town.browser_of(town.services.lobby.get(game).seats[1].person, "Bert")
    bert.post(f"/api/games/{game}/chat", {"text": "There you are, @Anna.", "seat": 2})
    town.services.presence.see(anna.id, game)
    town.round(11 * MINUTE)
    town.services.presence.leave(anna.id, game)
    town.round(MINUTE)
    (letter,) = letters_to(office, "anna")
    assert "Your turn" in letter or "your turn" in letter
    assert "There you are" not in letter


def test_an_open_page_counts_and_a_program_does_not(town: PacedTown) -> None:
    game, anna = annas_turn(town)
    presence = town.services.presence
    program = town.program(town.token(anna))
    program.get(f"/api/games/{game}/news")
    assert not presence.is_present(anna.id, game)
    anna.get(f"/api/games/{game}/news")
    assert presence.is_present(anna.id, game)
    assert not presence.is_present(anna.id, "another")


def test_a_page_without_a_sign_of_life_is_not_in_sight() -> None:
    now = [0.0]
    presence = Presence(timer=lambda: now[0])
    presence.see("person-1", "game")
    now[0] = LASTS - 1
    assert presence.is_present("person-1", "game")
    now[0] = LASTS + 1
    assert not presence.is_present("person-1", "game")


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_page_that_another_process_serves_is_in_sight(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from events.store.stores import open_store

    if kind == "postgres":
        postgres = Server()
        request.addfinalizer(postgres.stop)
        place: str | Path = postgres.new_schema()
    else:
        place = tmp_path / "games.db"
    with open_store(place) as first, open_store(place) as second:
        here, there = Presence(first.claims), Presence(second.claims)
        there.see("person-1", "game")
        assert here.is_present("person-1", "game")
        assert not here.is_present("person-2", "game")
        there.leave("person-1", "game")
        assert not here.is_present("person-1", "game")
        assert not there.is_present("person-1", "game")


def test_a_holiday_is_not_disturbed(
    town: PacedTown, office: PostOffice, pushes: PushService
) -> None:
    """And after it everything that waits comes in one letter."""
    game, anna = annas_turn(town)
    phone = Browser("phone")
    subscribe(anna, phone)
    today = datetime.fromtimestamp(town.time / 1000, UTC).date()
    town.services.rests.go(anna.id, today, today + timedelta(days=2))
    for _ in range(48):
        push_round(town, HOUR)
        town.round()
    assert (letters_to(office, "anna"), pushes.messages(phone)) == ([], [])
    (holiday,) = town.services.rests.of(anna.id).holidays
    assert list(town.services.outbox.due(holiday.ends - 1)) == [], "nobody looks before that"
    town.time = holiday.ends
    push_round(town)
    town.round()
    (letter,) = letters_to(office, "anna")
    assert game in letter
    assert [each["tag"] for each in pushes.messages(phone)] == [game]


def test_who_comes_back_earlier_is_told_earlier(town: PacedTown, office: PostOffice) -> None:
    game, anna = annas_turn(town)
    today = datetime.fromtimestamp(town.time / 1000, UTC).date()
    town.services.rests.go(anna.id, today, today + timedelta(days=9))
    town.round(DAY)
    (holiday,) = town.services.rests.of(anna.id).holidays
    town.services.rests.come_back(anna.id, holiday.begins)
    town.round(MINUTE)
    assert game in letters_to(office, "anna")[0]


def test_no_letter_about_a_muted_game(town: PacedTown, office: PostOffice) -> None:
    people = [town.resident("Anna"), town.resident("Bert")]
    game = town.paced(REMIND, *people)
    late = people[town.owing(game) - 1]
    late.ask("POST", f"/account/muted/{game}", form={"muted": "yes"})
    for _ in range(60):
        town.pass_time(HOUR)
        town.round()
    name = ("anna", "bert")[people.index(late)]
    assert letters_to(office, name) == []
    page = late.get("/account").text
    assert "Muted games" in page
    late.ask("POST", f"/account/muted/{game}", form={})
    town.round(HOUR)
    assert game in letters_to(office, name)[0]


def test_a_digest_comes_once_a_day_at_its_hour(town: PacedTown, office: PostOffice) -> None:
    """By the clocks of where somebody lives; one letter for all that waits, and none without."""
    game, anna = annas_turn(town)
    other = town.table(anna, town.resident("Carla"))
    while town.owing(other) != 1:
        town.act(other)
    town.services.rests.choose(anna.id, "Asia/Tokyo", 0, 0)
    wish(town, anna, Wishes(digest=7))
    arrived = []
    for _ in range(5 * 24):
        before = len(letters_to(office, "anna"))
        town.round(HOUR)
        if len(letters_to(office, "anna")) > before:
            arrived.append(town.time)
            if len(arrived) == 1:
                while town.owing(game) == 1:
                    town.act(game)
                while town.owing(game) != 1:
                    town.act(game)
    letters = letters_to(office, "anna")
    assert len(letters) == 2, "the second about the turn that has come since"
    assert game in letters[0]
    assert other in letters[0]
    assert game in letters[1]
    assert other not in letters[1]
    hours = {datetime.fromtimestamp(each / 1000, UTC).hour for each in arrived}
    assert hours <= {22, 23}, "seven in the morning of Tokyo, at the first look after it"


def test_a_warning_does_not_wait_for_the_digest(town: PacedTown, office: PostOffice) -> None:
    people = [town.resident("Anna"), town.resident("Bert")]
    game = town.paced(REMIND, *people)
    late = people[town.owing(game) - 1]
    name = ("anna", "bert")[people.index(late)]
    hour = datetime.fromtimestamp(town.time / 1000, UTC).hour
    wish(town, late, Wishes(digest=(hour - 1) % 24))
    subjects = []
    for _ in range(47):
        town.pass_time(HOUR)
        town.round()
        subjects = [str(each["Subject"]) for each in office.letters if name in str(each["To"])]
    assert len(subjects) == 2
    assert "Your turn" in subjects[0]
    assert "Your time runs out" in subjects[1]


@pytest.mark.parametrize("hour", ["24", "-1", "x", "7.5"])
def test_there_is_no_such_hour(hour: str, town: PacedTown) -> None:
    anna = town.resident("Anna")
    assert anna.ask("POST", "/account/notices", form={"digest": hour}).status_code == 422
    assert anna.ask("POST", "/account/notices", form={"digest": "7"}).status_code == 303
    account = town.services.people.get(anna.id)
    assert account is not None
    assert account.wishes.digest == 7
    assert 'value="7" selected' in anna.get("/account").text


def test_an_hour_that_the_clocks_leave_out_comes_all_the_same() -> None:
    rest = Rest(habits=(Habit(since=0, zone="Europe/Berlin"),))
    moments, at = [], int(datetime(2027, 3, 27, 12, tzinfo=UTC).timestamp() * 1000)
    for _ in range(3):
        at = next_hour(rest, 2, at)
        moments.append(datetime.fromtimestamp(at / 1000, UTC).date())
        at += 1
    assert moments == [date(2027, 3, 28), date(2027, 3, 29), date(2027, 3, 30)]


def test_two_holidays_that_touch_are_one() -> None:
    days = [Holiday("", "", 5, 7), Holiday("", "", 1, 5)]
    rest = Rest(holidays=tuple(days))
    assert [after_holidays(rest, moment) for moment in (0, 1, 5, 7)] == [0, 7, 7, 7]


def test_a_letters_link_leads_to_the_game_by_logging_in(
    town: PacedTown, office: PostOffice
) -> None:
    game, anna = annas_turn(town)
    town.round(11 * MINUTE)
    (letter,) = letters_to(office, "anna")
    link = next(line for line in letter.splitlines() if f"/table/{game}" in line)
    path = urlsplit(link).path + "?" + urlsplit(link).query
    assert link == f"{URL}{path}"
    nobody = town.nobody()
    answer = nobody.get(path)
    assert (answer.status_code, answer.location) == (303, f"/login?next=/table/{game}")
    form = {"name": "Anna", "password": PASSWORD, "next": f"/table/{game}"}
    answer = nobody.ask("POST", "/login", form=form)
    assert (answer.status_code, answer.location) == (303, f"/table/{game}")
    answer = anna.get(path)
    assert (answer.status_code, answer.location) == (303, f"/table/{game}")
