"""What the others may decide about somebody who does not: one decision made, or a bot for the seat.

A vote holds for one wait. When the absent one does anything at all, it lapses. It is kept before
it takes effect, so that whoever is killed in between leaves it to the referee; and the log's
versions make sure that it takes effect once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Literal

import msgspec

from engine.actions.legal import legal_actions
from engine.bots import DEFAULT_BOT, make_bot
from engine.chance.dealer import bot_seed
from engine.view import view
from events.store.collection import Collection
from events.store.protocol import Store
from events.types import HandOver, PlayerAction
from projections.clocks.clock import waiting_since
from projections.clocks.rest import DAY
from web.games.live import Games, Live
from web.pace.clocks import Clocks
from web.seating.service import Lobby, Table
from web.site.problems import Problem

log = logging.getLogger(__name__)
NAME = "votes"
LONG = 3 * DAY
"""Milliseconds after which the others may go on without somebody, whatever the pace."""
What = Literal["decide", "bot"]


class Vote(msgspec.Struct, frozen=True):
    """Somebody's vote about a seat, and the version since which that seat was waited for."""

    person: str
    seat: int
    since: int
    what: What


class Ballot(msgspec.Struct, frozen=True):
    """The votes of one game."""

    votes: list[Vote] = []


class Motion(msgspec.Struct, frozen=True):
    """What may be voted about: who is absent and why that matters, what can be done about it,
    who may vote, how many votes it takes, and who is for what."""

    seat: int
    since: int
    reason: Literal["time", "long"]
    awaited: int
    options: tuple[What, ...]
    voters: list[str]
    needed: int
    votes: list[Vote]

    def count(self, what: What) -> int:
        """Who wants a bot at the seat wants this decision made, too."""
        return sum(each.what in (what, "bot") for each in self.votes)

    @property
    def carried(self) -> What | None:
        for what in reversed(self.options):
            if self.count(what) >= self.needed:
                return what
        return None


class Votes:
    """The votes at all tables."""

    def __init__(
        self, store: Store, lobby: Lobby, games: Games, clocks: Clocks, clock: Callable[[], int]
    ) -> None:
        self._ballots = Collection(store, NAME, Ballot)
        self._lobby, self._games, self._clocks, self._clock = lobby, games, clocks, clock

    def position(self) -> int:
        """Rises with every vote."""
        return self._ballots.version()

    def games(self) -> list[str]:
        """The games with votes."""
        return [game for game, _ in self._ballots.all()]

    def of(self, person: str) -> list[tuple[str, Vote]]:
        """A person's votes, with their games."""
        return [
            (g, v) for g, ballot in self._ballots.all() for v in ballot.votes if v.person == person
        ]

    def motions(self, table: Table, live: Live, now: int | None = None) -> list[Motion]:
        """What may be voted about at a table. The caller holds the game's lock."""
        now = self._clock() if now is None else now
        cast = self._cast(table.id)
        found = []
        for seat in live.moments[-1].owing:
            reason = self._reason(table, live, seat, now)
            voters = others(table, live, seat)
            if reason is None or not voters:
                continue
            since = waiting_since(live.moments, seat)[0]
            found.append(
                Motion(
                    seat=seat,
                    since=since,
                    reason=reason,
                    awaited=self._clocks.awaited(table, live, seat, now),
                    options=("decide", "bot") if reason == "time" else ("bot",),
                    voters=voters,
                    needed=len(voters) // 2 + 1,
                    votes=[
                        vote
                        for vote in cast
                        if (vote.seat, vote.since) == (seat, since) and vote.person in voters
                    ],
                )
            )
        return found

    def cast(self, game: str, person: str, seat: int, what: What | None) -> None:
        """Vote about a seat, or with nothing take one's vote back. What is carried is done."""
        table = self._lobby.get(game)
        live = self._games.live(game)
        with live.lock:
            motion = next((m for m in self.motions(table, live) if m.seat == seat), None)
        if motion is None:
            raise Problem(
                409, "no-vote", "There is nothing to vote about for seat {seat}.", seat=seat
            )
        if person not in motion.voters:
            raise Problem(403, "no-voter", "Only the others at the table vote about this.")
        if what is not None and what not in motion.options:
            raise Problem(409, "no-such-vote", "This cannot be voted for yet.")

        def edit() -> dict[str, Ballot | None]:
            remaining = [v for v in self._cast(game) if (v.person, v.seat) != (person, seat)]
            if what is not None:
                remaining.append(Vote(person=person, seat=seat, since=motion.since, what=what))
            return {game: Ballot(remaining) if remaining else None}

        self._ballots.change(edit)
        self.carry_out(game)

    def carry_out(self, game: str, now: int | None = None) -> bool:
        """Do what enough people voted for, if they did. Gives whether anything was done."""
        if not self._cast(game):
            return False
        table = self._lobby.get(game)
        live = self._games.live(game)
        with live.lock:
            version = live.version
            motions = [m for m in self.motions(table, live, now) if m.carried]
        done = False
        for motion in motions:
            try:
                self._games.act(game, self._deed(live, motion), motion.since)
                done = True
            except Problem as problem:
                log.info("a vote in game %s at %s lapsed: %s", game, version, problem.code)
        self._tidy(game)
        return done

    def move(self, guest: str, heir: str) -> None:
        """A guest's votes are those of the account that the guest is by now; its own come first."""

        def edit() -> dict[str, Ballot | None]:
            changed: dict[str, Ballot | None] = {}
            for game, ballot in self._ballots.all():
                cast = {vote.seat for vote in ballot.votes if vote.person == heir}
                moved = [
                    msgspec.structs.replace(vote, person=heir) if vote.person == guest else vote
                    for vote in ballot.votes
                    if vote.person != guest or vote.seat not in cast
                ]
                if moved != ballot.votes:
                    changed[game] = Ballot(moved)
            return changed

        self._ballots.change(edit)

    def forget(self, person: str) -> None:
        """Somebody is not there any more."""

        def edit() -> dict[str, Ballot | None]:
            changed: dict[str, Ballot | None] = {}
            for game, ballot in self._ballots.all():
                remaining = [vote for vote in ballot.votes if vote.person != person]
                if remaining != ballot.votes:
                    changed[game] = Ballot(remaining) if remaining else None
            return changed

        self._ballots.change(edit)

    def _deed(self, live: Live, motion: Motion) -> PlayerAction:
        """A bot at the seat, or what a bot would decide there by what the seat may know."""
        seat = motion.seat
        if motion.carried == "bot":
            return HandOver(seat=seat, bot=DEFAULT_BOT, by="vote")
        with live.lock:
            seat_view, actions = view(live.state, seat), legal_actions(live.state, seat)
            bot = make_bot(DEFAULT_BOT, bot_seed(live.state, live.version, seat))
            board = live.state.board
        if not actions:
            raise Problem(409, "nothing-to-decide", "This seat has nothing to decide now.")
        chosen = bot.choose(seat_view, board, actions) if len(actions) > 1 else actions[0]
        return msgspec.structs.replace(chosen, by="vote")

    def _reason(
        self, table: Table, live: Live, seat: int, now: int
    ) -> Literal["time", "long"] | None:
        banks = self._clocks.banks(table, live)
        out = banks is None or not banks.left_at(seat, now)
        if banks is not None and banks.pace.at_zero == "vote" and out:
            return "time"
        return "long" if out and self._clocks.awaited(table, live, seat, now) > LONG else None

    def _cast(self, game: str) -> list[Vote]:
        ballot = self._ballots.get(game)
        return ballot.votes if ballot else []

    def _tidy(self, game: str) -> None:
        """Votes that lapsed are kept no longer."""
        live = self._games.live(game)
        with live.lock:
            waits = {seat: waiting_since(live.moments, seat)[0] for seat in live.moments[-1].owing}

        def edit() -> dict[str, Ballot | None]:
            cast = self._cast(game)
            remaining = [vote for vote in cast if waits.get(vote.seat) == vote.since]
            return {} if remaining == cast else {game: Ballot(remaining) if remaining else None}

        self._ballots.change(edit)


def others(table: Table, live: Live, seat: int) -> list[str]:
    """The people besides one seat's who still play themselves."""
    absent = table.holder(seat).person
    playing = [
        holder.person
        for holder, player in zip(table.seats, live.state.players.values(), strict=True)
        if holder.person and not player.bot and not player.resigned
    ]
    return [person for person in dict.fromkeys(playing) if person != absent]
