"""Letters really sent and read: to whom, when, once, in which language, and how they end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine.actions.legal import legal_actions
from events.types import (
    AskTakeBack,
    CallGoldenTimes,
    GrantTakeBack,
    HoldGames,
    Pass,
    Poll,
    RefuseTakeBack,
    TakeGold,
)
from tests.web.notices.mailing import (
    MINUTE,
    URL,
    MailTown,
    Office,
    PostOffice,
    body,
    dripping,
    settings_for,
)
from tests.web.notices.test_letters_text import a_letter
from tests.web.world import PASSWORD
from web.accounts.account import Account, Wishes
from web.notices.post import NotNow, Unsure, message, one_line, send
from web.orders.shapes import OrderStep, PoliticsOrder
from web.site.forms import is_address


@pytest.fixture
def office(mail_server: Office) -> PostOffice:
    mail_server[0].letters.clear()
    mail_server[0].answer = "250 OK"
    mail_server[0].on = lambda step: False
    return mail_server[0]


@pytest.fixture
def town(mail_server: Office, tmp_path: Path) -> Iterator[MailTown]:
    town = MailTown(tmp_path, settings_for(mail_server[1], wait=10, pace=60))
    yield town
    town.close()


def test_a_turn_is_told_once_with_its_link_and_story(town: MailTown, office: PostOffice) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert", "de")
    game = town.table(anna, bert)
    for _ in range(3):
        town.act(game)
    late = ("anna", "bert")[town.owing(game) - 1]
    assert town.round(9 * MINUTE) == 0
    town.round(2 * MINUTE)
    town.round(MINUTE)
    town.round(300 * MINUTE)
    letters = [x for x in office.letters if late in x["To"]]
    assert len(letters) == 1
    letter = letters[0]
    assert f"{URL}/table/{game}" in body(letter)
    assert f'href="{URL}/table/{game}?letter=1"' in body(letter, "html")
    story = [line for line in body(letter).splitlines() if line.startswith("* ")]
    assert story
    german = late == "bert"
    assert ("Dein Zug" if german else "Your turn") in letter["Subject"]
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["Message-ID"].endswith("@play.example.org>")


def test_both_languages_tell_the_same(town: MailTown, office: PostOffice) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert", "de")
    game = town.table(anna, bert)
    town.round(11 * MINUTE)  # the game began: both are told
    texts = {str(x["To"]): body(x) for x in office.letters}
    english, german = texts["Anna <anna@example.org>"], texts["Bert <bert@example.org>"]
    assert "The game begins." in english
    assert "Die Partie beginnt." in german
    assert "La Città with Bert, year 1" in english
    assert "La Città mit Anna, Jahr 1" in german
    assert game in english
    assert game in german


def test_who_acts_at_once_gets_none(town: MailTown, office: PostOffice) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    for _ in range(4):
        town.time += 5 * MINUTE
        town.act(game)
        town.round()
    assert office.letters == []


def test_never_for_a_turn_that_is_over(town: MailTown, office: PostOffice) -> None:
    """Neither when the outbox has not heard of it yet."""
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    seat = town.act(game)
    town.catch_up()
    town.time += 11 * MINUTE
    while town.owing(game) != seat:
        town.act(game)
    town.services.courier.round()  # the outbox still believes that the other one owes
    assert office.letters == []


def test_one_letter_for_several_games_and_then_a_pause(town: MailTown, office: PostOffice) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    games = [town.table(anna, bert) for _ in range(4)]
    to_anna = lambda: [x for x in office.letters if "anna" in x["To"]]  # noqa: E731
    for game in games[:3]:
        while town.owing(game) != 1:
            town.act(game)
    town.round(11 * MINUTE)
    assert len(to_anna()) == 1
    assert all(game in body(to_anna()[0]) for game in games)
    assert "3 games wait for you" in to_anna()[0]["Subject"] or "4 games" in to_anna()[0]["Subject"]
    for game in games[:2]:
        town.act(game)
        while town.owing(game) != 1:
            town.act(game)
    town.round(20 * MINUTE)
    assert len(to_anna()) == 1
    town.round(40 * MINUTE)
    assert len(to_anna()) == 2
    assert all(game in body(to_anna()[1]) for game in games[:2])
    assert games[2] not in body(to_anna()[1])


def test_wishes_are_heeded(town: MailTown, office: PostOffice) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    people = town.services.people
    for who in (anna, bert):
        quiet = Wishes(turn=False, begins=False, ends=False)
        people.change(who.id, lambda me, w=quiet: msgspec.structs.replace(me, wishes=w))
    game = town.table(anna, bert)
    town.round(100 * MINUTE)
    assert office.letters == []
    town.services.outbox.notify(anna.id, "mentioned", game, "Bert: what now, @Anna?")
    town.round(100 * MINUTE)
    assert [str(x["To"]) for x in office.letters] == ["Anna <anna@example.org>"]
    assert "what now, @Anna?" in body(office.letters[0])


def test_the_end_is_told(town: MailTown, office: PostOffice) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    town.round()
    while town.services.games.live(game).state.awaiting:
        town.act(game)
    town.round(11 * MINUTE)
    assert len(office.letters) == 2
    for letter in office.letters:
        assert "The game is over. Won by:" in body(letter)
        assert "It is your turn" not in body(letter)
    town.round(100 * MINUTE)
    assert len(office.letters) == 2


def test_who_plays_alone_gets_no_letters_but_a_sign(town: MailTown, office: PostOffice) -> None:
    anna = town.resident("Anna")
    game = town.play_alone(anna)
    while town.owing(game) != 1:
        town.act(game)
    town.round(100 * MINUTE)
    assert office.letters == []
    assert anna.get("/api/me/waiting").json == {"games": [game]}


def test_a_broken_game_silences_only_itself(town: MailTown, office: PostOffice) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    broken, sound = town.table(anna, bert), town.table(anna, bert)
    town.services.projector.catch_up()
    models = town.store.read_models
    position = models.position("waiting")
    models.save("waiting", position, position, {broken: b"not what it was"})
    town.round(11 * MINUTE)
    assert office.letters
    assert all(sound in body(letter) for letter in office.letters)
    assert not any(broken in body(letter) for letter in office.letters)


def test_unsubscribing(town: MailTown, office: PostOffice) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    town.table(anna, bert)
    town.round(11 * MINUTE)
    letter = next(x for x in office.letters if "anna" in x["To"])
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = re.fullmatch(rf"<{URL}(/unsubscribe/\S+)>", letter["List-Unsubscribe"])
    assert link is not None
    assert f"{URL}{link[1]}" in body(letter)
    nobody = town.app.test_client()
    assert "button" in nobody.get(link[1]).text
    wishes = lambda: town.services.people.get(anna.id).wishes.mail  # noqa: E731
    assert wishes()  # looking is not asking: mail programs look at links
    form = {"List-Unsubscribe": "One-Click"}
    assert nobody.post(link[1], data=form).status_code == 200
    assert not wishes()
    assert nobody.post(f"{link[1]}x").status_code == 404
    assert nobody.post("/unsubscribe/guest").status_code == 404
    before = len(office.letters)
    town.table(anna, bert)
    town.round(200 * MINUTE)
    assert [x["To"] for x in office.letters[before:] if "anna" in x["To"]] == []


def test_a_server_that_refuses_is_asked_again_later(town: MailTown, office: PostOffice) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    office.answer = "451 not now"
    town.round(11 * MINUTE)
    assert town.round() == 0  # it rests
    office.answer = "250 OK"
    while town.owing(game) != 1:
        town.act(game)
    seat = town.act(game)
    while town.owing(game) == seat:
        town.act(game)
    town.round(15 * MINUTE)
    texts = {str(x["To"]): body(x) for x in office.letters}
    # By then it is the other one's turn alone, and the letters say what is true then.
    assert "It is your turn" in texts["Bert <bert@example.org>"]
    assert "Anna <anna@example.org>" not in texts
    assert len(office.letters) == 1


def test_an_address_that_is_refused_for_good_is_given_up(
    town: MailTown, office: PostOffice
) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    town.table(anna, bert)
    office.answer = "550 nobody here"
    assert town.round(11 * MINUTE) == 2
    office.answer = "250 OK"
    assert town.round(100 * MINUTE) == 0
    assert office.letters == []


@pytest.mark.parametrize(
    "parts", [(b"2",), (b"220-wait\r\n",), (b"220 hello\r\n", b"2")], ids=["word", "lines", "hello"]
)
def test_a_server_that_drips_is_left_alone(parts: tuple[bytes, ...]) -> None:
    """A little at a time keeps every single step in time, and yet the conversation ends."""
    with dripping(*parts) as port:
        mail = msgspec.structs.replace(settings_for(port).mail, timeout=0.1)
        anna = Account(id="person-1", name="Anna", password="", email="anna@example.org")
        letter = message(anna, "games@example.org", a_letter(subject="Hello"), f"{URL}/u")
        with pytest.raises((NotNow, Unsure)):
            send(mail, URL, letter)


def test_no_name_ends_a_header() -> None:
    nasty = "Anna\r\nBcc: eve@example.org\x00"
    assert one_line(nasty) == "Anna Bcc: eve@example.org"
    account = Account(id="person-1", name=nasty, password="", email="anna@example.org")
    made = message(account, "games@example.org", a_letter(subject=f"{nasty} plays"), f"{URL}/u")
    head = made.as_bytes().split(b"\r\n\r\n")[0]
    assert b"\nBcc:" not in head
    assert made["Bcc"] is None


@pytest.mark.parametrize(
    "address", ["a@b\nBcc: c@d", "a@b\r\n", "<a@b>", "a b@c", "a@b,c@d", "@b", "a@", "a@b\x00"]
)
def test_no_address_ends_a_header(address: str, town: MailTown) -> None:
    assert not is_address(address)
    anna = town.resident("Anna")
    form = {"email": address.strip() + "\n,x", "password": PASSWORD}
    answer = anna.ask("POST", "/account/email", form=form)
    assert answer.status_code == 422


def test_a_turn_that_an_order_answers_is_not_told(town: MailTown, office: PostOffice) -> None:
    """Neither before the order has acted, however long that takes, nor after it."""
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    town.round(11 * MINUTE)  # that the game begins
    seat = town.act(game)
    town.act(game)
    office.letters.clear()
    games, orders = town.services.games, town.services.orders
    steps = PoliticsOrder(turns=[[OrderStep(action=TakeGold(seat=seat))]])
    orders.give(game, seat, steps, games.live(game))
    for _ in range(2):
        town.round(100 * MINUTE)
        assert office.letters == []
        assert town.owing(game) == seat
    assert town.services.order_runner.run_once() == 1
    other = town.owing(game)
    town.round(100 * MINUTE)
    assert [x["To"] for x in office.letters] == [told(other)]


def test_a_turn_that_an_order_cannot_answer_is_told(town: MailTown, office: PostOffice) -> None:
    anna, bert = town.resident("Anna"), town.resident("Bert")
    game = town.table(anna, bert)
    town.round(11 * MINUTE)
    seat = town.act(game)
    town.act(game)
    office.letters.clear()
    steps = PoliticsOrder(turns=[[OrderStep(action=Pass(seat=seat))]])
    town.services.orders.give(game, seat, steps, town.services.games.live(game))
    assert town.services.order_runner.run_once() == 0
    town.round(100 * MINUTE)
    assert [x["To"] for x in office.letters] == [told(seat)]


def told(seat: int) -> str:
    return ("Anna <anna@example.org>", "Bert <bert@example.org>")[seat - 1]


def test_who_must_agree_to_a_take_back_is_told_while_it_is_asked(
    town: MailTown, office: PostOffice
) -> None:
    people = [town.resident(name) for name in ("Anna", "Bert", "Carla")]
    game = town.table(*people)
    live = town.services.games.live(game)
    actor = show_a_card(town, game)
    town.services.games.act(game, AskTakeBack(seat=actor))
    others = [seat for seat in (1, 2, 3) if seat != actor]
    town.services.games.act(game, GrantTakeBack(seat=others[0]))
    town.round(11 * MINUTE)
    sentence = f"{live.state.seats[actor - 1].name} asks to take the last action back."
    asked = [str(each["To"]) for each in office.letters if sentence in body(each)]
    assert [live.state.seats[others[1] - 1].name.lower() in to for to in asked] == [True]
    office.letters.clear()
    town.services.games.act(game, RefuseTakeBack(seat=others[1]))
    town.round(300 * MINUTE)
    assert not any("take the last action back" in body(each) for each in office.letters)


def show_a_card(town: MailTown, game: str) -> int:
    """Somebody uses a politics card, so that another one comes up. Gives the seat."""
    live = town.services.games.live(game)
    while True:
        seat = town.owing(game)
        actions = legal_actions(live.state, seat)
        shows = [
            action for action in actions if isinstance(action, CallGoldenTimes | HoldGames | Poll)
        ]
        town.services.games.act(game, shows[0] if shows else actions[0])
        if shows:
            return seat
