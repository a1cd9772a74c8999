"""The chapters of the rules in the order in which they are taught."""

from __future__ import annotations

from web.rules import ground, people, turns
from web.rules.shape import Rule
from web.rules.tips import TIPS

CHAPTERS = (
    ground.GOAL,
    ground.PIECES,
    ground.BOARD,
    ground.SET_UP,
    turns.YEAR,
    turns.ACTIONS,
    turns.BUILDING,
    turns.POLITICS,
    people.VOICE,
    people.HUNGER,
    people.END,
    TIPS,
    people.TABLE,
)


def all_rules() -> list[Rule]:
    """Every rule in the order of the page."""
    return [rule for chapter in CHAPTERS for rule in chapter.rules]
