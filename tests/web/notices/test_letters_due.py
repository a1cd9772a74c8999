"""The courier looks at the boxes that are due, and at no other: not at those of everyone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.load.town import fill
from tests.web.notices.mailing import MINUTE, MailTown, settings_for
from tests.web.world import Someone
from web.accounts.account import Account, Webhook, Wishes
from web.settings import Settings


@pytest.fixture
def town(tmp_path: Path) -> Iterator[MailTown]:
    town = MailTown(tmp_path, settings_for(9, wait=10, pace=60, webhooks=False))
    yield town
    town.close()


@pytest.fixture
def looked(town: MailTown, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whose boxes the courier looked at."""
    asked: list[str] = []
    monkeypatch.setattr(town.services.courier, "_write_to", lambda who: bool(asked.append(who)))
    return asked


def turn_of(town: MailTown, *people: Someone) -> tuple[str, Someone]:
    """A new game of these people in which it is the first one's turn."""
    game = town.table(*people)
    while town.owing(game) != 1:
        town.act(game)
    return game, people[0]


def test_nobody_is_looked_at_before_it_is_time(town: MailTown, looked: list[str]) -> None:
    _, anna = turn_of(town, town.resident("Anna"), town.resident("Bert"))
    town.round()
    town.round(10 * MINUTE - 1)
    assert looked == []
    town.round(1)
    assert anna.id in looked


def test_who_cannot_be_told_is_never_looked_at(town: MailTown, looked: list[str]) -> None:
    _, anna = turn_of(town, town.person("Anna"), town.person("Bert"))
    town.round(60 * MINUTE)
    town.services.people.add_webhook(anna.id, Webhook("slack", "https://chat.example/hook"))
    town.round()
    assert (looked, town.services.outbox.size()) == ([], 0)
    assert town.services.outbox.waiting(anna.id) != [], "the page tells all the same"


def test_who_gives_an_address_is_told_of_what_waits(town: MailTown, looked: list[str]) -> None:
    people = town.services.people
    game, anna = turn_of(town, town.person("Anna"), town.person("Bert"))
    town.round(60 * MINUTE)
    people.want_email(anna.id, "anna@example.org")
    people.confirm_email(anna.id, "anna@example.org")
    town.round()
    assert looked == [anna.id]

    def wish(wishes: Wishes) -> None:
        def edit(me: Account) -> Account:
            return msgspec.structs.replace(me, wishes=wishes)

        people.change(anna.id, edit)

    for wishes, count in ((Wishes(mail=False), 1), (Wishes(turn=False), 1), (Wishes(), 2)):
        wish(wishes)
        town.round()
        assert len(looked) == count, wishes
    assert town.services.outbox.size() == 1
    town.act(game)
    town.round()
    assert (len(looked), town.services.outbox.size()) == (2, 0)


def test_a_box_in_which_nothing_is_due_after_all_is_put_off(
    town: MailTown, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, anna = turn_of(town, town.resident("Anna"), town.person("Bert"))
    outbox, courier = town.services.outbox, town.services.courier
    town.catch_up()
    outbox.change(anna.id, lambda box: msgspec.structs.replace(box, notices=[]))
    monkeypatch.setattr(courier.checks, "answered", lambda game, seat: True)  # an order answers
    town.time += 10 * MINUTE
    assert list(outbox.due(town.time)) == [anna.id]
    assert courier.round() == 0
    assert list(outbox.due(town.time)) == []
    assert list(outbox.due(town.time + MINUTE)) == [anna.id]
    outbox.notify(anna.id, "mentioned", game)
    assert list(outbox.due(town.time)) == [anna.id], "it has changed"


def test_another_wait_holds_for_what_was_there_before(tmp_path: Path) -> None:
    town = MailTown(tmp_path, settings_for(9, wait=600))
    _, anna = turn_of(town, town.resident("Anna"), town.resident("Bert"))
    town.catch_up()
    time = town.time + 10 * MINUTE
    assert list(town.services.outbox.due(time)) == []
    town.close()
    other = MailTown(tmp_path, settings_for(9, wait=10))
    assert anna.id in other.services.outbox.due(time)
    other.close()


def test_a_round_asks_as_little_for_many_as_for_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of fifty people whose turn it is, one has a way to be told."""
    town = MailTown(tmp_path, Settings())
    fill(town.store, 60, 60, 50, told=1)
    asked, looked = [], []
    fetch = town.store._link.fetch  # type: ignore[attr-defined]

    def counted(sql: str, parameters: tuple[object, ...] = ()) -> object:
        asked.append(sql)
        return fetch(sql, parameters)

    monkeypatch.setattr(town.store._link, "fetch", counted)  # type: ignore[attr-defined]
    monkeypatch.setattr(town.services.courier, "_write_to", lambda who: bool(looked.append(who)))
    town.time += 10**12
    town.services.courier.round()
    assert (len(looked), len(asked)) == (1, 2)
    town.close()
