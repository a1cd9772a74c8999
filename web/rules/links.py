"""Where a refusal finds its rule: the rule's number, or what the page says of the table itself."""

from __future__ import annotations

from flask import url_for

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

    >>> anchor("needs-lake", "R24"), anchor("asked-already", "R25")
    ('R24', 'take-back')
    """
    return OF_THE_TABLE.get(code, rule)


def link_of(problem: Problem) -> str:
    """The address of the rule that a problem names; none where it names none."""
    if not problem.rule:
        return ""
    return url_for("rules.show", _anchor=anchor(problem.code, problem.rule))
