"""A month: five people in three time zones, with clocks, sleep, a holiday, orders and an absentee.

Time is moved by hand, an hour at a time. Nothing else is pretended: the application, the log, the
clocks, the orders, the bots and the mail server are the real ones.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from events.types import AnyEvent, HandOver, Turn
from projections.clocks.rest import DAY, HOUR
from replays.files.stores import check_game
from tests.web.notices.mailing import (
    MINUTE,
    START,
    MailTown,
    PostOffice,
    body,
    post_office,
    settings_for,
)
from tests.web.world import Someone, bot_turn
from web.words.catalogues import translator

LONGEST = 35 * DAY
PACE = {"bank": 2 * 24 * 60, "increment": 6 * 60, "at_zero": "bot"}
LOOKS = (8, 12, 17, 21)
"""The hours of their day at which people open the page."""
NIGHT = {"begins": 23 * 60, "ends": 7 * 60}
GONE_AFTER = 4 * DAY
HOLIDAY = (6, 10)
"""Days from the start, both included: longer than anybody's bank."""


class Player:
    """Somebody with habits."""

    def __init__(self, who: Someone, name: str, language: str, zone: str) -> None:
        self.who, self.name, self.language, self.zone = who, name, language, zone
        self.seat = 0
        self.gives_orders = name in ("Anna", "Carla", "Emil")
        self.away: tuple[int, int] = (0, 0)

    def looks(self, now: int) -> bool:
        """Whether the page is opened now: not while away, and Emil never again after some days."""
        hour = datetime.fromtimestamp(now / 1000, tz=ZoneInfo(self.zone)).hour
        is_gone = self.name == "Emil" and now >= START + GONE_AFTER
        return hour in LOOKS and not is_gone and not self.away[0] <= now < self.away[1]


class Month(MailTown):
    """The table, the people around it, and the hours going by."""

    def __init__(self, folder: Path, port: int) -> None:
        super().__init__(folder, settings_for(port, wait=10, pace=60))
        self.chance = random.Random("a month")
        self.players = [
            Player(self.resident(name, language), name, language, zone)
            for name, language, zone in (
                ("Anna", "en", "America/New_York"),
                ("Bert", "de", "Europe/Helsinki"),
                ("Carla", "fr", "Asia/Tokyo"),
                ("Dora", "nl", "America/New_York"),
                ("Emil", "fi", "Europe/Helsinki"),
            )
        ]
        self.answered = 0
        """Decisions that orders made."""
        first, *others = self.players
        made = first.who.post("/api/tables", {"players": 5, "pace": PACE})
        assert made.json is not None
        self.game = str(made.json["id"])
        for other in others:
            assert other.who.post(f"/api/tables/{self.game}/seats", {}).status_code == 200
        self._settle_in()

    def _settle_in(self) -> None:
        table = self.services.lobby.get(self.game)
        for player in self.players:
            (player.seat,) = table.seats_of(player.who.id)
            self.services.rests.choose(player.who.id, player.zone, **NIGHT)
            if player.gives_orders:
                for kind in ("relocation", "demolition", "hunger"):
                    self.order(player, {"kind": kind})
        self._plan_holiday(self.players[3])

    def _plan_holiday(self, player: Player) -> None:
        first, last = (
            datetime.fromtimestamp((START + days * DAY) / 1000, tz=UTC).date() for days in HOLIDAY
        )
        self.services.rests.go(player.who.id, first, last)
        (holiday,) = self.services.rests.of(player.who.id).holidays
        player.away = (holiday.begins, holiday.ends)

    def order(self, player: Player, order: object) -> None:
        path = f"/api/games/{self.game}/orders?seat={player.seat}"
        answer = player.who.ask("PUT", path, json=order)
        # In the last year there is no turn left to order.
        assert answer.status_code == 200 or answer.json["code"] == "no-turn-left", answer.text

    @property
    def events(self) -> list[AnyEvent]:
        return [event for event, _ in self.services.games.live(self.game).story]

    @property
    def over(self) -> bool:
        return self.services.games.live(self.game).state.phase == "over"

    def an_hour(self) -> None:
        """Who opens the page decides; orders, bots, the referee and the mail do their part."""
        self.time += HOUR
        for player in self.players:
            if player.looks(self.time):
                self._open_page(player)
        self._go_on()
        self.services.referee.tick(self.time)
        self._go_on()
        self.round()

    def _open_page(self, player: Player) -> None:
        """Everything that is owed is decided, and now and then the next turn is ordered."""
        while True:
            path = f"/api/games/{self.game}/actions?seat={player.seat}"
            offer = player.who.get(path).json
            assert offer is not None
            if not offer["owes"]:
                break
            action = offer["suggestion"] or self.chance.choice(offer["actions"])
            done = player.who.post(f"/api/games/{self.game}/actions", action)
            assert done.status_code == 201, done.text
            self._go_on()
        if player.gives_orders and not self.over and self.chance.random() < 0.7:
            self._order_a_turn(player)

    def _order_a_turn(self, player: Player) -> None:
        """Build something of what could be built now, else take gold."""
        path = f"/api/games/{self.game}/orders/choices?seat={player.seat}"
        asked = player.who.post(path, {}).json
        assert asked is not None
        builds = [action for action in asked["actions"] if action["type"] == "build"]
        steps = [{"action": action} for action in self.chance.sample(builds, min(3, len(builds)))]
        gold = {"action": {"type": "gold", "seat": player.seat}}
        self.order(player, {"kind": "politics", "turns": [[*steps, gold], [gold]]})
        self._go_on()

    def _go_on(self) -> None:
        """Until neither an order nor a bot has anything to do. Then nobody waits for an order."""
        while True:
            answered = self.services.order_runner.run_once()
            self.answered += answered
            if not answered and not bot_turn(self.services.bots, self.game):
                break
        for seat in self.services.games.live(self.game).state.awaiting:
            assert not self.services.orders.will_answer(self.game, seat)


@pytest.fixture
def office() -> Iterator[tuple[PostOffice, int]]:
    with post_office() as running:
        yield running


@pytest.mark.long
def test_a_month(tmp_path: Path, office: tuple[PostOffice, int]) -> None:
    letters, port = office
    month = Month(tmp_path, port)
    try:
        while not month.over:
            month.an_hour()
            assert month.time - START < LONGEST, "the game does not end"
        for _ in range(2):
            month.an_hour()
        events = month.events
        by = Counter(event.by for event in events if isinstance(event, Turn))
        days = (month.time - START) / DAY
        print(f"{days:.1f} days, {len(events)} events, {dict(by)}, {len(letters.letters)} letters")
        check_orders(month, by)
        check_absence(month)
        check_letters(month, letters)
        assert check_game(month.store, month.game).proof.over
    finally:
        month.close()


def check_orders(month: Month, by: Counter[str]) -> None:
    """They decided at the very moment at which their seats were asked."""
    assert by["order"] == month.answered >= 20
    assert by["clock"] == by["vote"] == 0
    ordered = {player.seat for player in month.players if player.gives_orders}
    for before, event in pairwise(month.events):
        if isinstance(event, Turn) and event.by == "order":
            assert event.time == before.time
            assert event.seat in ordered


def check_absence(month: Month) -> None:
    """A bot took Emil's seat when his waking hours were used up, and nobody else's: Dora was away
    for longer than her bank, on holiday."""
    handed = [event for event in month.events if isinstance(event, HandOver)]
    emil, dora = month.players[4], month.players[3]
    assert [(event.seat, event.by) for event in handed] == [(emil.seat, "clock")]
    bank = PACE["bank"] * MINUTE
    assert handed[0].time > START + GONE_AFTER + bank, "his nights were counted"
    assert dora.away[1] - dora.away[0] > bank
    asked = [event for event in month.events if getattr(event, "seat", 0) == dora.seat]
    assert any(event.time >= dora.away[1] for event in asked)
    assert not any(dora.away[0] <= event.time < dora.away[1] for event in asked)


def check_letters(month: Month, office: PostOffice) -> None:
    """To each in their own language, each letter once, at most one for each wait; and at the end
    who won."""
    ids = office.ids()
    assert len(set(ids)) == len(ids)
    for player in month.players:
        mine = [each for each in office.letters if player.name.lower() in str(each["To"])]
        hello = translator(player.language).gettext("Hello {name},").format(name=player.name)
        assert mine
        assert all(body(letter).startswith(hello) for letter in mine)
        waits = sum(
            1 for event in month.events if isinstance(event, Turn) and event.seat == player.seat
        )
        assert len(mine) <= waits + 3
        assert player.name == "Emil" or any(is_about_the_end(each, player) for each in mine)


def is_about_the_end(letter: EmailMessage, player: Player) -> bool:
    text = translator(player.language).gettext("The game is over. Won by: {names}.")
    return text.partition("{names}")[0].strip() in body(letter)
