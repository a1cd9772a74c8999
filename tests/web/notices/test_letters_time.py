"""Letters about time: warnings once each, and what was done in somebody's absence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from projections.clocks.rest import HOUR
from tests.web.notices.mailing import MINUTE, Office, PostOffice, body, settings_for
from tests.web.pace.pacing import BOT, REMIND, VOTE, PacedTown, absent_and_others


@pytest.fixture
def post(mail_server: Office, tmp_path: Path) -> Iterator[tuple[PacedTown, PostOffice]]:
    mail_server[0].letters.clear()
    town = PacedTown(tmp_path, settings_for(mail_server[1], wait=10, pace=60))
    yield town, mail_server[0]
    town.close()


def told(office: PostOffice, name: str) -> list[str]:
    return [str(x["Subject"]) for x in office.letters if name.lower() in str(x["To"])]


def walk(town: PacedTown, by: int, step: int = HOUR) -> None:
    """Let time pass hour by hour, with everything that looks at it."""
    for _ in range(by // step):
        town.pass_time(step)
        town.catch_up()
        town.services.courier.round()


def test_warnings_come_once_each_and_say_how_long(post: tuple[PacedTown, PostOffice]) -> None:
    town, office = post
    people = [town.resident("Anna"), town.resident("Bert", "de")]
    game = town.paced(REMIND, *people)
    late = ("Anna", "Bert")[town.owing(game) - 1]
    german = late == "Bert"
    walk(town, 35 * HOUR)
    assert len(told(office, late)) == 1  # that it is the turn
    walk(town, 2 * HOUR)
    subjects = told(office, late)
    assert len(subjects) == 2
    assert ("in 11 Stunden" if german else "in 11 hours") in subjects[1]
    walk(town, 40 * HOUR)
    assert len(told(office, late)) == 3
    assert len(told(office, "Bert" if late == "Anna" else "Anna")) == 1


def test_nobody_is_warned_of_a_turn_that_is_over(post: tuple[PacedTown, PostOffice]) -> None:
    town, office = post
    people = [town.resident("Anna"), town.resident("Bert")]
    game = town.paced(REMIND, *people)
    late = ("Anna", "Bert")[town.owing(game) - 1]
    walk(town, 35 * HOUR)
    town.time += HOUR
    town.services.referee.tick(town.time)
    box = town.services.outbox.box(town.services.lobby.get(game).seats[town.owing(game) - 1].person)
    assert [notice.kind for notice in box.notices] == ["runs-out"]
    town.act(game)
    before = len(told(office, late))
    town.time += 20 * MINUTE
    town.services.courier.round()  # nobody has told the outbox
    assert len(told(office, late)) == before
    unwanted = town.services.people
    for person in people:
        unwanted.change(
            person.id,
            lambda me: msgspec.structs.replace(
                me, wishes=msgspec.structs.replace(me.wishes, time=False)
            ),
        )
    office.letters.clear()
    walk(town, 60 * HOUR)
    assert not [x for x in office.letters if "time" in str(x["Subject"])]


@pytest.mark.parametrize("pace", [BOT, VOTE])
def test_who_was_absent_hears_what_was_done(
    pace: dict[str, Any], post: tuple[PacedTown, PostOffice]
) -> None:
    town, office = post
    people = [town.resident("Anna"), town.resident("Bert")]
    game = town.paced(pace, *people)
    seat, _, (other,) = absent_and_others(town, game, people)
    late = ("Anna", "Bert")[seat - 1]
    walk(town, 49 * HOUR)
    if pace is VOTE:
        other.post(f"/api/games/{game}/votes", {"seat": seat, "what": "bot"})
        walk(town, HOUR)
    subject = told(office, late)[-1]
    assert "a bot plays your seat" in subject
    assert ("voted" in subject) == (pace is VOTE)
    count = len(told(office, late))
    walk(town, 5 * HOUR)
    assert len(told(office, late)) == count
    letter = next(x for x in reversed(office.letters) if late.lower() in str(x["To"]))
    assert f"/table/{game}" in body(letter)
