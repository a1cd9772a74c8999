"""Where a refusal finds its rule: the rule's number, or what the page says of the table itself."""

from __future__ import annotations

from typing import Any

from flask import url_for

from events.codec import encode_event
from events.types import AnyEvent
from web.site.problems import Problem

OF_THE_TABLE = {
    "nothing-to-take-back": "take-back",
    "not-your-action": "take-back",
    "shuffled-since": "take-back",
    "asked-already": "take-back",
    "nothing-asked": "take-back",
    "resigned": "leaving",
    "played-so-already": "leaving",
}
"""Refusals that concern the table and no rule of the game, with where that is explained."""


def anchor(code: str, rule: str) -> str:
    """The place on the rules' page that stands behind a refusal.

    >>> anchor("needs-lake", "R24"), anchor("asked-already", "")
    ('R24', 'take-back')
    """
    return OF_THE_TABLE.get(code, rule)


def test_of(action: AnyEvent, number: int, **where: str) -> str:
    """Where an attempt at a moment of a game, or of a study's chapter, can be had as a test."""
    values: dict[str, Any] = {"number": number, "action": encode_event(action).decode(), **where}
    return url_for("case.chapter_moment" if "chapter" in where else "case.moment", **values)


def link_of(problem: Problem) -> str:
    """The address of what stands behind a problem on the rules' page; none where nothing does."""
    place = anchor(problem.code, problem.rule)
    return url_for("rules.show", _anchor=place) if place else ""
