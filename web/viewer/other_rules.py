"""A finished game as it was played and under other rules, side by side and in step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug import Response

from engine.material.choices import chosen
from engine.snapshot import position
from engine.state import State
from engine.view import View
from projections.now.scoreboard import scoreboard
from projections.words.effects import listed, name_of
from projections.words.events import tell_event, tell_refusal
from projections.words.names import marked
from projections.words.positions import difference
from replays.notes.annotations import Place
from replays.notes.notebook import Note
from replays.rulechange.other_rules import Refolded
from replays.rulechange.refold import WhenIllegal
from web.drawing.board import draw_board
from web.drawing.changes import marks_of, otherwise
from web.games.pictures import pictures
from web.jobs.requests import compute
from web.notes.access import table_now
from web.notes.page import notes_on
from web.notes.scene import carried, find
from web.notes.words import differences, shown_name
from web.rules import rulesets
from web.services import services
from web.site.markdown import safe_html
from web.viewer.ruleset_choice import (
    MIX,
    MOST_ASKED,
    asked_mix,
    asked_rules,
    asked_words,
    choice_of_rules,
)
from web.words import terms
from web.words.language import gettext
from web.words.sentences import READER, sentences

bp = Blueprint("under", __name__)
WHEN: dict[WhenIllegal, str] = {
    "bot": marked("a bot decides instead"),
    "skip": marked("leave it out"),
    "stop": marked("stop there"),
}
"""What may happen where a recorded action is not allowed; the first unless another is asked for."""
TOLD = 8
"""So many differences are listed at once; the rest unfolds."""


class Refusal(msgspec.Struct, frozen=True):
    """A recorded action that is not allowed, in words."""

    event: str
    sentence: str
    rule: str


class Under:
    """What was asked for: a game, rules, and what to do where an action is not allowed."""

    def __init__(self, game: str, name: str) -> None:
        self.game, self.name = game, name
        self.scene = find(game)
        self.replay = self.scene.notes.replay
        self.when = asked_when()
        self.usual = self.replay.opening.ruleset
        self.rules = asked_rules(name, self.replay.opening)
        self.other: Refolded = services().replays.under(game, self.rules, self.when, compute)

    @property
    def title(self) -> str:
        return rulesets.title(self.rules)

    def link(self, number: int, **changed: str | None) -> str:
        """The address of a moment under these rules, or with another way of going on."""
        query = asked_query(**changed)
        return url_for("under.show", game=self.game, ruleset=self.name, number=number, **query)

    def refusal(self, number: int) -> Refusal | None:
        refused = self.other.refused.get(number)
        if refused is None:
            return None
        return Refusal(
            event=tell_event(refused.event, self.replay.names, READER),
            sentence=tell_refusal(refused.refusal, READER),
            rule=refused.refusal.rule,
        )


def asked_when() -> WhenIllegal:
    wanted = request.args.get("when", "")
    return next((when for when in WHEN if when == wanted), next(iter(WHEN)))


def asked_query(**changed: str | None) -> dict[str, Any]:
    """The query that links carry on."""
    query = carried(line=None)
    if rules := asked_words():
        query["rule"] = rules[:MOST_ASKED]
    if mix := asked_mix():
        query[MIX] = mix
    if "when" in request.args:
        query["when"] = asked_when()
    return query | changed


@bp.get("/replay/<game>/under/<ruleset>")
def enter(game: str, ruleset: str) -> Response:
    """To the first difference; where there is none, to the end."""
    under = Under(game, ruleset)
    return redirect(under.link(under.other.first or under.replay.last), 303)


@bp.get("/replay/<game>/under/<ruleset>/<int:number>")
def show(game: str, ruleset: str, number: int) -> ResponseReturnValue:
    """Both lines at a moment."""
    under = Under(game, ruleset)
    replay = under.replay
    return render_template(
        "viewer/under.html",
        **parts(under, number),
        **verdict(under),
        years=replay.years(),
        ruleset=ruleset,
        base=url_for("under.enter", game=game, ruleset=ruleset),
        choice=choice_of_rules(game, under.usual, carried(line=None)),
    )


@bp.get("/replay/<game>/under/<ruleset>/<int:number>/parts")
def show_parts(game: str, ruleset: str, number: int) -> ResponseReturnValue:
    """What changes from moment to moment, for a page that is open already."""
    return render_template("viewer/under_moment.html", **parts(Under(game, ruleset), number))


def verdict(under: Under) -> dict[str, Any]:
    """What the other rules make of the whole game."""
    other, replay = under.other, under.replay
    first_refused = min(other.refused, default=0)
    names = replay.names
    return {
        "title": under.title,
        "usual": rulesets.title(under.usual),
        "changes": rulesets.changes(under.usual, under.rules),
        "parting_deed": tell_event(other.deed, names, READER) if other.deed else "",
        "parting_moment": replay.moment(other.first) if other.first else None,
        "causes": [rulesets.sentence(each, chosen(under.rules, each)) for each in other.choices],
        "rules": other.rules,
        "stretches": other.apart,
        "refusal": under.refusal(first_refused),
        "refused_at": first_refused,
        "refused_times": len(other.refused),
        "ways": {when: gettext(words) for when, words in WHEN.items()},
        "answers": other.answers,
        "redealt": other.redealt,
        "finals": list(zip(other.before.places, other.after.places, strict=True)),
        "winners": [
            listed([name_of(seat, names) for seat in side.winners], READER)
            for side in (other.before, other.after)
        ],
        "comes_to_an_end": other.after.over,
    }


def parts(under: Under, number: int) -> dict[str, Any]:
    """Both tables at a moment, and what differs."""
    replay, other = under.replay, under.other
    states = replay.at(number), other.at(number)
    tables = [position(s) for s in states]
    apart = other.differs(number)
    both_effects = replay.effects_at(number), other.effects_at(number)
    rings = [otherwise(one, its) for one, its in (tables, reversed(tables))]
    seat = under.scene.seat
    views = [replay.view(s, seat) for s in states]
    words = [sentences(each, replay.names) for each in both_effects]
    notes = under.scene.notes.visible.notes_at(Place(number=number))
    beneath = notes_on([note for note in notes if not note.withdrawn])
    differing_ = difference(tables[0], tables[1], replay.names, READER) if apart else []
    return {
        "game": under.game,
        "number": number,
        "last": replay.last,
        "moments": [replay.moment(number), other.moment(number)],
        "steps": steps(under, number),
        "parting": other.first,
        "apart": apart,
        "differing": differing_ or ([gettext("The points are counted otherwise.")] * apart),
        "told_at_once": TOLD,
        "words": words,
        "refused": under.refusal(number),
        "stopped": other.stopped,
        "when": under.when,
        "titles": [gettext("As it was played"), under.title],
        "views": views,
        "pictures": pictures(views[0]) | pictures(views[1]),
        "boards": [
            draw_board(
                s.board,
                shown,
                words=gettext,
                marks=msgspec.structs.replace(marks_of(effects), coloured=ring),
                id_prefix=prefix,
            )
            for s, shown, effects, ring, prefix in zip(
                states, views, both_effects, rings, ("a", "b"), strict=True
            )
        ],
        "figures": figures(states, views),
        "notes_page": beneath,
        "notes_link": lambda page: under.link(number, notes=str(page)),
        "notes": notes_beneath(under, beneath.items, states[1]),
        "terms": terms,
        "link": under.link,
        "recorded_link": lambda n: under.scene.link(n, line=None),
    }


class NoteBeneath(msgspec.Struct, frozen=True):
    """A note on a recorded moment, and how the table under the other rules differs from what its
    author saw."""

    by: str
    html: str
    differences: list[str]


def notes_beneath(under: Under, notes: Sequence[Note], s: State) -> list[NoteBeneath]:
    """The game's notes on a moment, held against the other table."""
    now = table_now(s)
    return [
        NoteBeneath(
            by=shown_name(under.scene.notes.whole.notes[note.note].by),
            html=safe_html(note.content.text),
            differences=differences(note.then, now),
        )
        for note in notes
    ]


def steps(under: Under, number: int) -> dict[str, int]:
    found = under.replay.steps(number)
    return found | {"parting": under.other.first} if under.other.first else found


class Figures(msgspec.Struct, frozen=True):
    """A seat's figures on both tables."""

    seat: int
    name: str
    pairs: list[tuple[int, int]]
    """Points, citizens, food, gold: as played, and under the other rules."""


def figures(states: Sequence[State], views: Sequence[View]) -> list[Figures]:
    """Per seat what counts, on both tables."""
    rows = [
        [
            (line.total, player.citizens, player.food, player.gold)
            for line, player in zip(scoreboard(s).lines, shown.players, strict=True)
        ]
        for s, shown in zip(states, views, strict=True)
    ]
    return [
        Figures(player.seat, player.name, list(zip(its, theirs, strict=True)))
        for player, its, theirs in zip(views[0].players, *rows, strict=True)
    ]
