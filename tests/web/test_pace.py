"""Time at the tables: the referee, votes, warnings; each thing once, whoever looks and dies."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.legal import legal_actions
from engine.view import view
from events.types import AnyEvent, HandOver, Turn
from projections.rest import DAY, HOUR
from tests.web.mailing import MINUTE, MailTown, PostOffice, body, post_office, settings_for
from tests.web.world import Someone
from web.problems import Problem
from web.referee import Referee
from web.settings import Settings

BOT = {"bank": 48 * 60, "increment": 6 * 60, "at_zero": "bot"}
VOTE = {**BOT, "at_zero": "vote"}
REMIND = {**BOT, "at_zero": "remind"}
BANK = 48 * HOUR
Office = tuple[PostOffice, int]


class PacedTown(MailTown):
    """People at tables with a pace."""

    def __init__(self, place: Path | str, settings: Settings | None = None) -> None:
        super().__init__(place, settings or Settings())

    def paced(self, pace: dict[str, Any] | None, *people: Someone) -> str:
        first, *others = people
        made = first.post("/api/tables", {"players": len(people), "pace": pace})
        assert made.json is not None
        for other in others:
            other.post(f"/api/tables/{made.json['id']}/seats", {})
        return str(made.json["id"])

    def pass_time(self, by: int) -> None:
        self.time += by
        self.catch_up()
        self.services.referee.tick(self.time)

    def events(self, game: str) -> list[AnyEvent]:
        return [record.decode() for record in self.store.read(game)]

    def clocks(self, game: str) -> Any:
        return self.nobody().get(f"/api/games/{game}/clocks").json

    def left(self, game: str, seat: int) -> int:
        return int(self.clocks(game)["clocks"][seat - 1]["left"])


@pytest.fixture
def town(tmp_path: Path) -> Iterator[PacedTown]:
    town = PacedTown(tmp_path)
    yield town
    town.close()


@pytest.fixture
def friends(town: PacedTown) -> list[Someone]:
    return [town.resident(name) for name in ("Anna", "Bert", "Carla", "Dora")]


def absent_and_others(
    town: PacedTown, game: str, friends: list[Someone]
) -> tuple[int, Someone, list[Someone]]:
    """The seat that is waited for, whose it is, and the others."""
    seat = town.owing(game)
    table = town.services.lobby.get(game)
    owner = next(f for f in friends if f.id == table.seats[seat - 1].person)
    others = [f for f in friends if f is not owner and table.seats_of(f.id)]
    return seat, owner, others


def test_a_clock_runs_for_who_is_waited_for_and_earns_by_deciding(
    town: PacedTown, friends: list[Someone]
) -> None:
    game = town.paced(BOT, *friends[:2])
    seat = town.owing(game)
    town.pass_time(20 * HOUR)
    shown = town.clocks(game)["clocks"]
    assert (shown[seat - 1]["left"], shown[seat - 1]["ticking"]) == (BANK - 20 * HOUR, "running")
    assert (shown[2 - seat]["left"], shown[2 - seat]["ticking"]) == (BANK, "standing")
    assert shown[seat - 1]["until"] == town.time + BANK - 20 * HOUR
    town.act(game)
    assert town.left(game, seat) == BANK - 14 * HOUR


def test_at_zero_a_bot_takes_the_seat_once_whoever_looks(
    town: PacedTown, friends: list[Someone], tmp_path: Path
) -> None:
    """Two servers on one store, both of which have seen that the time is up."""
    game = town.paced(BOT, *friends[:2])
    seat = town.owing(game)
    twin = PacedTown(tmp_path)
    twin.time = town.time
    town.pass_time(BANK - 1)
    twin.pass_time(BANK - 1)
    assert not any(isinstance(event, HandOver) for event in town.events(game))
    for each in (town, twin):
        each.time += 1
    for each in (town, twin, town, twin):
        each.services.referee.tick(each.time)
    handed = [event for event in town.events(game) if isinstance(event, HandOver)]
    assert [(event.seat, event.bot, event.by) for event in handed] == [(seat, "steward", "clock")]
    assert town.clocks(game)["clocks"][seat - 1]["ticking"] == "bot"
    twin.close()


def test_a_referee_that_looked_too_early_is_not_too_late(
    town: PacedTown, friends: list[Someone], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its look and its deed another server hands over, and the person comes back."""
    game = town.paced(BOT, *friends[:2])
    seat = town.owing(game)
    games, version = town.services.games, 0
    real = games.act

    def meanwhile(game: str, action: Any, known: int | None = None) -> Any:
        monkeypatch.setattr(games, "act", real)
        real(game, HandOver(seat=seat, bot="steward", by="clock"))
        real(game, HandOver(seat=seat, bot=""))
        nonlocal version
        version = games.live(game).version
        return real(game, action, known)

    monkeypatch.setattr(games, "act", meanwhile)
    town.pass_time(BANK)
    assert games.live(game).version == version


def test_a_referee_finds_its_duties_again_after_a_restart(
    town: PacedTown, friends: list[Someone]
) -> None:
    game = town.paced(BOT, *friends[:2])
    town.catch_up()
    town.time += BANK
    kept = town.services
    fresh = Referee(
        town.store, kept.lobby, kept.games, kept.clocks, kept.votes, kept.outbox, lambda: town.time
    )
    fresh.tick()
    assert [event.by for event in town.events(game) if isinstance(event, HandOver)] == ["clock"]


def test_who_comes_back_plays_on_with_what_the_bot_earned(
    town: PacedTown, friends: list[Someone]
) -> None:
    game = town.paced(BOT, *friends[:2])
    seat, owner, (other,) = absent_and_others(town, game, friends)
    town.pass_time(BANK)
    town.services.bots._turn(game)
    back = {"type": "hand-over", "seat": seat, "bot": ""}
    assert other.post(f"/api/games/{game}/actions", back).status_code == 403
    assert owner.post(f"/api/games/{game}/actions", back).status_code == 201
    assert town.left(game, seat) == 6 * HOUR
    go = {"type": "hand-over", "seat": seat, "bot": "steward", "by": "clock"}
    assert owner.post(f"/api/games/{game}/actions", go).status_code == 201
    last = town.events(game)[-1]
    assert isinstance(last, HandOver)
    assert last.by == ""  # whoever plays cannot write that a clock did


def test_a_vote_has_one_decision_made_by_what_the_seat_may_know(
    town: PacedTown, friends: list[Someone]
) -> None:
    game = town.paced(VOTE, *friends)
    seat, owner, others = absent_and_others(town, game, friends)
    votes = f"/api/games/{game}/votes"
    town.pass_time(BANK - 1)
    assert others[0].post(votes, {"seat": seat, "what": "decide"}).status_code == 409
    town.pass_time(1)
    assert not any(isinstance(event, HandOver) for event in town.events(game))
    live = town.services.games.live(game)
    version, seen = live.version, view(live.state, seat)
    assert owner.post(votes, {"seat": seat, "what": "decide"}).status_code == 403
    first = others[0].post(votes, {"seat": seat, "what": "decide"})
    assert first.json is not None
    (motion,) = first.json["votes"]
    assert (motion["needed"], motion["mine"], len(motion["votes"])) == (2, "decide", 1)
    others[0].post(votes, {"seat": seat, "what": "decide"})
    (motion,) = town.clocks(game)["votes"]
    assert motion["votes"] == [{"name": motion["votes"][0]["name"], "what": "decide"}]
    assert live.version == version
    assert seen.viewer == seat
    carried = others[1].post(votes, {"seat": seat, "what": "bot"})  # who wants more wants this, too
    assert carried.status_code == 200
    made = town.events(game)[version]
    assert isinstance(made, Turn)
    assert (made.seat, made.by) == (seat, "vote")
    assert town.left(game, seat) == 6 * HOUR
    assert town.services.votes.games() == []
    story = owner.get(f"/api/games/{game}/story?after={version}").json
    assert story is not None
    assert len(story["lines"][0]["sentences"]) >= 2


def test_a_vote_puts_a_bot_on_the_seat(town: PacedTown, friends: list[Someone]) -> None:
    game = town.paced(VOTE, *friends[:3])
    seat, _, others = absent_and_others(town, game, friends)
    town.pass_time(BANK)
    for other in others:
        other.post(f"/api/games/{game}/votes", {"seat": seat, "what": "bot"})
    last = town.events(game)[-1]
    assert isinstance(last, HandOver)
    assert (last.seat, last.by) == (seat, "vote")


def test_a_vote_lapses_when_the_absent_one_acts(town: PacedTown, friends: list[Someone]) -> None:
    game = town.paced(VOTE, *friends[:3])
    seat, owner, others = absent_and_others(town, game, friends)
    town.pass_time(BANK)
    for what in ("decide", "nothing", "bot"):
        others[0].post(f"/api/games/{game}/votes", {"seat": seat, "what": what})
    act = msgspec.to_builtins(legal_actions(town.services.games.live(game).state, seat)[0])
    assert owner.post(f"/api/games/{game}/actions", act).status_code == 201
    assert town.clocks(game)["votes"] == []
    late = others[1].post(f"/api/games/{game}/votes", {"seat": seat, "what": "bot"})
    assert late.status_code == 409
    # The next time that this seat has no time left, the old vote counts for nothing.
    while town.owing(game) != seat:
        town.act(game)
    town.pass_time(BANK)
    (motion,) = town.clocks(game)["votes"]
    assert motion["votes"] == []


def test_a_carried_vote_whose_server_died_is_carried_out_by_the_referee(
    town: PacedTown, friends: list[Someone], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = town.paced(VOTE, *friends[:2])
    seat, _, (other,) = absent_and_others(town, game, friends)
    town.pass_time(BANK)
    with monkeypatch.context() as dying:
        dying.setattr(town.services.votes, "carry_out", lambda game, now=None: False)
        other.post(f"/api/games/{game}/votes", {"seat": seat, "what": "bot"})
    assert not any(isinstance(event, HandOver) for event in town.events(game))
    for _ in range(3):
        town.services.referee.tick(town.time)
    assert [e.by for e in town.events(game) if isinstance(e, HandOver)] == ["vote"]


def test_without_a_pace_three_days_are_long_enough(town: PacedTown, friends: list[Someone]) -> None:
    game = town.paced(None, *friends[:3])
    seat, owner, others = absent_and_others(town, game, friends)
    town.services.rests.go(owner.id, *days(town, 1, 2))
    town.pass_time(3 * DAY + MINUTE)
    assert town.clocks(game) | {"now": 0, "version": 0} == {
        "version": 0,
        "now": 0,
        "pace": None,
        "clocks": [],
        "votes": [],
    }, "two days of holiday do not count"
    town.pass_time(2 * DAY)
    (motion,) = town.clocks(game)["votes"]
    assert motion["options"] == ["bot"]
    decide = others[0].post(f"/api/games/{game}/votes", {"seat": seat, "what": "decide"})
    assert decide.status_code == 409
    for other in others:
        other.post(f"/api/games/{game}/votes", {"seat": seat, "what": "bot"})
    assert town.services.games.live(game).state.players[seat - 1].bot == "steward"


def days(town: PacedTown, first: int, last: int) -> tuple[date, date]:
    """Days from today on, in UTC."""
    today = datetime.fromtimestamp(town.time / 1000, UTC).date()
    return today + timedelta(days=first), today + timedelta(days=last)


def test_holidays_and_sleep_hold_from_now_on(town: PacedTown, friends: list[Someone]) -> None:
    game = town.paced(REMIND, *friends[:2])
    seat, owner, _ = absent_and_others(town, game, friends)
    rests = town.services.rests
    town.pass_time(10 * HOUR)
    before = town.left(game, seat)
    rests.go(owner.id, *days(town, 0, 5))
    with pytest.raises(Problem, match="passed"):
        rests.go(owner.id, *days(town, -3, -3 + 5))
    assert town.left(game, seat) == before
    town.pass_time(DAY)
    assert town.left(game, seat) == before
    assert town.clocks(game)["clocks"][seat - 1]["ticking"] == "away"
    (holiday,) = rests.of(owner.id).holidays
    rests.come_back(owner.id, holiday.begins)
    town.pass_time(HOUR)
    assert town.left(game, seat) == before - HOUR
    with pytest.raises(Problem, match="twelve"):
        rests.choose(owner.id, "Europe/Helsinki", 0, 13 * 60)
    with pytest.raises(Problem, match="zone"):
        rests.choose(owner.id, "Atlantis/Nowhere", 0, 60)
    with pytest.raises(Problem, match="days of a year"):
        rests.go(owner.id, *days(town, 100, 150))
    for hour in range(5):
        rests.choose(owner.id, "Europe/Helsinki", 0, 60 + hour)
    with pytest.raises(Problem, match="less often"):
        rests.choose(owner.id, "Europe/Helsinki", 0, 120)
    assert town.left(game, seat) == before - HOUR


def test_what_is_kept_of_rest_and_votes_is_exported_and_forgotten(
    town: PacedTown, friends: list[Someone]
) -> None:
    game = town.paced(VOTE, *friends[:3])
    seat, _, others = absent_and_others(town, game, friends)
    town.pass_time(BANK)
    voter = others[0]
    town.services.rests.choose(voter.id, "Asia/Tokyo", 0, 60)
    voter.post(f"/api/games/{game}/votes", {"seat": seat, "what": "bot"})
    taken = voter.get("/account/export").json
    assert taken is not None
    assert taken["rest"]["habits"][0]["zone"] == "Asia/Tokyo"
    assert [(vote["game"], vote["seat"], vote["what"]) for vote in taken["votes"]] == [
        (game, seat, "bot")
    ]
    voter.ask("POST", "/account/delete", form={"password": "correct horse"})
    assert town.services.rests.of(voter.id).habits == ()
    assert town.services.votes.games() == []


@pytest.fixture(scope="module")
def server() -> Iterator[Office]:
    with post_office() as office:
        yield office


@pytest.fixture
def post(server: Office, tmp_path: Path) -> Iterator[tuple[PacedTown, PostOffice]]:
    server[0].letters.clear()
    town = PacedTown(tmp_path, settings_for(server[1], wait=10, pace=60))
    yield town, server[0]
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


def test_a_table_is_made_with_a_pace_by_the_form(town: PacedTown, friends: list[Someone]) -> None:
    form = {"players": "2", "pace": "own", "bank": "3", "bank_unit": "days", "increment": "90"}
    form |= {"increment_unit": "minutes", "at_zero": "vote"}
    made = friends[0].ask("POST", "/tables", form=form)
    assert made.status_code == 303
    table = town.services.lobby.get(made.location.rpartition("/")[2])
    assert table.pace is not None
    assert (table.pace.bank, table.pace.increment, table.pace.at_zero) == (3 * 24 * 60, 90, "vote")
    words = "3 days each, 1 hour, 30 minutes more per decision; then the others vote"
    for path in (made.location, "/"):
        assert words in friends[1].get(path).text
    for wrong in ({"bank": "900"}, {"pace": "warp"}, {"at_zero": "doom"}, {"increment": "0"}):
        again = friends[0].ask("POST", "/tables", form=form | wrong)
        assert again.status_code == 422
        assert 'role="alert"' in again.text
    relaxed = friends[0].ask("POST", "/tables", form={"players": "2", "pace": "relaxed"})
    table = town.services.lobby.get(relaxed.location.rpartition("/")[2])
    assert table.pace is not None
    assert (table.pace.bank, table.pace.increment) == (5 * 24 * 60, 12 * 60)


def test_the_account_page_takes_rest(town: PacedTown, friends: list[Someone]) -> None:
    anna = friends[0]
    form = {"zone": "America/New_York", "begins": "23:00", "ends": "07:30"}
    assert anna.ask("POST", "/account/rest", form=form).status_code == 303
    habit = town.services.rests.of(anna.id).habits[-1]
    assert (habit.zone, habit.begins, habit.ends) == ("America/New_York", 23 * 60, 450)
    page = anna.get("/account").text
    assert 'value="23:00"' in page
    for wrong in ({"zone": "x"}, {"begins": "25:00"}, {"ends": ""}, {"ends": "22:00"}):
        answer = anna.ask("POST", "/account/rest", form=form | wrong)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text
    first, last = days(town, 3, 6)
    sent = {"first": first.isoformat(), "last": last.isoformat()}
    assert anna.ask("POST", "/account/holidays", form=sent).status_code == 303
    assert anna.ask("POST", "/account/holidays", form=sent).status_code == 409
    assert anna.ask("POST", "/account/holidays", form={"first": "x"}).status_code == 422
    (holiday,) = town.services.rests.of(anna.id).holidays
    assert "4 of 42 days" in anna.get("/account").text
    ended = anna.ask("POST", f"/account/holidays/{holiday.begins}/end", form={})
    assert ended.status_code == 303
    assert town.services.rests.of(anna.id).holidays == ()


def test_the_lobby_and_the_table_tell_the_time(town: PacedTown, friends: list[Someone]) -> None:
    game = town.paced(REMIND, *friends[:2])
    seat, owner, (other,) = absent_and_others(town, game, friends)
    town.pass_time(5 * HOUR)
    assert "Your time: 1 day, 19 hours" in owner.get("/").text
    assert "Your time:" not in other.get("/").text
    mine = owner.get("/api/me/games").json
    assert mine is not None
    assert mine[0]["left"] == BANK - 5 * HOUR
    page = other.get(f"/table/{game}").text
    assert f'class="clock running" data-clock="{seat}"' in page
    assert f'class="clock standing" data-clock="{3 - seat}"' in page
    town.pass_time(40 * HOUR)
    assert 'class="your-time low"' in owner.get("/").text
    assert f'class="clock running low" data-clock="{seat}"' in other.get(f"/table/{game}").text
