"""The page of a game's review: asked for, waited for, read, and stepped through."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.rules.counting import Counting
from projections.words.names import marked
from projections.words.reviews import MARKS
from replays.review.game import Decision, GameReview
from replays.review.running import SeatReview
from web.games.replays import Replay
from web.jobs.requests import RUNNING, WAITING, asker
from web.notes.scene import Scene, carried, find
from web.review.contents import (
    Entry,
    breakdowns,
    deciding_moments,
    entry,
    marked_decisions,
    seat_rows,
    shares_by_year,
    show_decision,
)
from web.review.graph import SIGNS, Moments, draw_graph
from web.review.judging import put_own_together
from web.review.shapes import ReviewStatus, StoredReview, Subject
from web.services import services
from web.site.problems import Problem
from web.viewer.page import moment_number
from web.words.language import gettext as _

bp = Blueprint("review", __name__)
PICKS = ("better", "played", "before")
"""What the board shows: the better action, what was played, or neither."""
FINER = marked("There is a coarse review already; a finer one is being made.")
LATER = marked("There is a coarse review already; a finer one waits at place {place} in the queue.")


class Opened(msgspec.Struct, frozen=True):
    """A review as its reader may have it: of the whole game once that is over, else of the seat as
    which they look."""

    scene: Scene
    subject: Subject
    last: int
    stored: StoredReview | None
    status: ReviewStatus

    @property
    def replay(self) -> Replay:
        return self.scene.notes.replay

    @property
    def query(self) -> dict[str, Any]:
        """What every link on the page carries on."""
        seat = self.subject.seat
        return carried(line=None, cards=None, seat=str(seat) if seat else None)

    def link(self, number: int, **changed: str | int) -> str:
        """The page at one of the marked decisions; 0: at the first."""
        of = {"of": request.args["of"][:2]} if "of" in request.args else {}
        at = {"at": number} if number else {}
        query = {**self.query, **of, **at, **changed}
        return url_for("review.show", game=self.scene.game, **query)

    @property
    def review(self) -> GameReview | SeatReview | None:
        return (self.stored.game or self.stored.own) if self.stored else None


def open_review(game: str, seat: int | None = None) -> Opened:
    """What the reader may have of a game's review, and how far it is; while the game goes on, of a
    seat's own. Whoever looks on at it then has nothing."""
    scene = find(game)
    if seat and seat not in scene.own_seats:
        raise Problem(403, "not-your-seat", "Seat {seat} is not yours.", seat=seat)
    # Who shares a screen looks at one seat after the other.
    seat = seat or scene.seat or min(scene.own_seats, default=0)
    if not scene.over and not seat:
        raise Problem(
            409,
            "still-running",
            "The review of a game can be read once it is over; until then players have that of"
            " their own decisions.",
        )
    replay, reviews = scene.notes.replay, services().reviews
    subject, last = Subject(game, 0 if scene.over else seat), replay.last
    stored, status = reviews.find(subject, last), reviews.status(subject, last)
    if stored is not None and stored.own is not None:
        stored = as_it_stands(stored, stored.own, replay)
        if status.state == "none" and not decided_since(replay, stored.last, seat):
            status = ReviewStatus("done")
    return Opened(scene, subject, last, stored, in_words(status))


def as_it_stands(stored: StoredReview, own: SeatReview, replay: Replay) -> StoredReview:
    """A seat's decisions without those that were taken back since."""
    counting = Counting()
    for number, (event, effects) in enumerate(
        zip(replay.cursor.events, replay.cursor.effects, strict=True), start=1
    ):
        counting.take(number, event, effects)
    still = set(counting.numbers)
    standing = [decision for decision in own.decisions if decision.number in still]
    if len(standing) == len(own.decisions):
        return stored
    return msgspec.structs.replace(stored, own=put_own_together(own.seat, standing, own.budget))


def decided_since(replay: Replay, number: int, seat: int) -> bool:
    """Whether a seat has decided anything since an event."""
    return any(replay.moment(at).seat == seat for at in range(number + 1, replay.last + 1))


def in_words(status: ReviewStatus) -> ReviewStatus:
    """A status with its sentence."""
    if status.state not in ("waiting", "running"):
        return msgspec.structs.replace(status, sentence=status.sentence and _(status.sentence))
    templates = (FINER, LATER) if status.finer else (RUNNING, WAITING)
    sentence = _(templates[bool(status.place)]).format(place=status.place)
    return msgspec.structs.replace(status, sentence=sentence)


def ask_for(opened: Opened) -> None:
    """Let the review be made."""
    services().reviews.ask(opened.subject, opened.last, asker())
    services().review_runner.wake()


@bp.get("/replay/<game>/review")
def show(game: str) -> ResponseReturnValue:
    """The review as far as it is made."""
    return render_template("review/review.html", **parts(open_review(game)))


@bp.get("/replay/<game>/review/parts")
def show_parts(game: str) -> ResponseReturnValue:
    """What changes while it is made or stepped through, for a page that is open already."""
    return render_template("review/review_parts.html", **parts(open_review(game)))


@bp.post("/replay/<game>/review")
def ask(game: str) -> ResponseReturnValue:
    """Let it be made, and wait on its page."""
    opened = open_review(game)
    ask_for(opened)
    return redirect(opened.link(0), 303)


def parts(opened: Opened) -> dict[str, Any]:
    """What the page shows."""
    scene, review = opened.scene, opened.review
    return {
        "game": scene.game,
        "scene": scene,
        "status": opened.status,
        "seat": opened.subject.seat,
        "names": opened.replay.names,
        "link": scene.link,
        "query": opened.query,
        "own_seats": [] if scene.over else scene.own_seats,
        "at_table": services().lobby.find(scene.game) is not None,
        "review": review,
        **(review_parts(opened, review) if review is not None else {}),
    }


def review_parts(opened: Opened, review: GameReview | SeatReview) -> dict[str, Any]:
    """What there is to read: figures, the marked decisions and the one looked at, and the graph."""
    replay, names = opened.replay, opened.replay.names
    of = chosen_seat(opened)
    chosen = marked_decisions(review, of)
    entries = [entry(each, names) for each in chosen]
    here = chosen_decision(chosen)
    pick = request.args.get("show", "")
    whole = review if isinstance(review, GameReview) else None
    accuracy = review.accuracy if isinstance(review, GameReview) else [review.accuracy]
    found: dict[str, Any] = {
        "rows": seat_rows(accuracy, whole.luck if whole else [], names),
        "marks": MARKS,
        "signs": SIGNS,
        "breakdowns": breakdowns(accuracy, names),
        "entries": entries,
        "of": of,
        "to": opened.link,
        "picks": PICKS,
        "shown": show_decision(replay, review, chosen[here], pick if pick in PICKS else PICKS[0])
        if chosen
        else None,
        "place": here + 1,
        "before": entries[here - 1].number if here > 0 else 0,
        "after": entries[here + 1].number if here + 1 < len(entries) else 0,
    }
    return found | (graph_parts(opened, whole, chosen, entries, here) if whole else {})


def graph_parts(
    opened: Opened,
    review: GameReview,
    chosen: list[Decision],
    entries: list[Entry],
    here: int,
) -> dict[str, Any]:
    """Who was how near to the win: the graphs, the same as a table, and what decided the game."""
    replay = opened.replay
    deciding = deciding_moments(review, replay)
    titles = {each.number: f"{each.number}. {each.words}" for each in deciding}
    titles |= {each.number: f"{each.number}. {each.name}: {each.mark}" for each in entries}
    links = {each.number: opened.scene.link(each.number) for each in deciding}
    links |= {each.number: opened.link(each.number) + "#decision" for each in entries}
    moments = Moments(replay.years(), chosen, [each.number for each in deciding], titles, links)
    at = chosen[here].number if chosen else 0
    return {
        "deciding": deciding,
        "winner": replay.names[min(replay.at(replay.last).winners, default=1) - 1],
        "graph": draw_graph(review.graph, moments, at),
        "hindsight": draw_graph(review.graph, moments, at, hindsight=True),
        "shares": shares_by_year(review, replay),
    }


def chosen_seat(opened: Opened) -> int:
    """Whose decisions are listed: those of the seat that is asked for, else one's own, else all."""
    if opened.subject.seat:
        return opened.subject.seat
    asked = request.args.get("of", "")
    if asked in [str(seat) for seat in range(len(opened.replay.names) + 1)]:
        return int(asked)
    return opened.scene.seat


def chosen_decision(decisions: list[Decision]) -> int:
    """The place of the decision that is looked at: the one asked for, else the first."""
    wanted = moment_number(request.args.get("at", ""))
    return next((place for place, each in enumerate(decisions) if each.number == wanted), 0)
